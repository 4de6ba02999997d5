"""The command ``arena``: one module for each command, imported when that command is called."""

from arena.cli.group import group


def main() -> None:
    """Run the command line; ends the process with one of the documented exit codes."""
    group(prog_name="arena")
