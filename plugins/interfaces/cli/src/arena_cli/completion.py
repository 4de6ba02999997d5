"""The command ``arena completion``: prints scripts for tab completion in shells."""

import click
from click.shell_completion import get_completion_class

from arena_cli.application import Command


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes arena's commands in a shell.

    \b bash:  arena completion bash > ~/.local/share/bash-completion/completions/arena zsh:   arena completion zsh  > a
    file called _arena in a directory of $fpath fish:  arena completion fish > ~/.config/fish/completions/arena.fish
    """
    made = get_completion_class(shell)
    assert made is not None  # click knows the three shells
    click.echo(made(ctx.find_root().command, {}, "arena", "_ARENA_COMPLETE").source())
