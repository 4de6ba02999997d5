"""The command ``arena completion``: prints or installs scripts for tab completion in shells."""

import os
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import click
from arena.errors import ArenaError

from arena_cli.application.group import Command
from arena_cli.output import result_data, status


def _data() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _configuration() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


_PLACES: Final[Mapping[str, Callable[[], Path]]] = {
    "bash": lambda: _data() / "bash-completion" / "completions" / "arena",
    "zsh": lambda: _data() / "zsh" / "site-functions" / "_arena",
    "fish": lambda: _configuration() / "fish" / "completions" / "arena.fish",
}
"""Where each shell looks for scripts of a user."""


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.option("--install", is_flag=True, help="Write the script where the shell finds it, and make the index.")
def completion(shell: str, install: bool) -> None:
    """Print the script that completes arena's commands in a shell, or install it.

    Completed are commands, options, plugins by position, paths and values behind --set, runs and match ids. What is
    offered comes from an index in the user's cache, which is made anew when what is installed changes.
    """
    script = files("arena_cli").joinpath("completion", "scripts", f"arena.{shell}").read_text(encoding="utf-8")
    if not install:
        result_data(script, is_line=False)
        return
    from arena_cli.completion.building import parameters_of
    from arena_cli.completion.index import current_index

    place = _PLACES[shell]()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(script, encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{place}: cannot be written ({error.strerror}); arena completion {shell} > FILE") from error
    status("making the index of what is installed …")
    current_index().fill(parameters_of)
    status(f"installed as {place}; {_advice(shell, place)}")


def _advice(shell: str, place: Path) -> str:
    """What is left to do."""
    if shell == "bash":
        return f"open a new shell; without the package bash-completion, add to ~/.bashrc: . {place}"
    if shell == "zsh":
        return f"add to ~/.zshrc before compinit: fpath=({place.parent} $fpath), and open a new shell"
    return "open a new shell"
