"""Accepts old names of commands and options, and prints the current names of those and of benchmark keys."""

import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import click
from arena.errors import InputWarning
from arena_engine.benchmark.renamed import RenamedKeyWarning
from click.core import ParameterSource

from arena_cli.output import status
from arena_cli.shown import echo

COMMANDS: Final[Mapping[str, str]] = {"stories": "tmgbench-stories"}
"""Old names of commands with their current ones; a plugin whose own command has an old name keeps it."""

OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "new-plugin": {"--into": "--output"},
    "tmgbench-stories use": {"--again": "--rewrite-rejected"},
    "tradecraft-problems": {"--needless": "--distractors"},
}
"""Old names of options with their current ones, by command; all of these options take a value."""


class OldOption(click.Option):
    """A hidden option whose value goes to the option that replaces it."""

    def __init__(self, old: str, now: str, option: click.Option) -> None:
        names = [old, f"old_{option.name}"]
        super().__init__(
            names, type=option.type, hidden=True, expose_value=False, is_eager=True, callback=self._hand_on
        )
        self._old, self._now, self._option = old, now, str(option.name)

    def check(self, ctx: click.Context) -> None:
        """Print the current name if this option was used; ``UsageError`` if both were used."""
        if ctx.get_parameter_source(str(self.name)) is not ParameterSource.COMMANDLINE:
            return
        if ctx.get_parameter_source(self._option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{self._old} and {self._now} are the same; keep the second", ctx)
        echo(f"{self._old} is called {self._now} now", err=True)

    def _hand_on(self, ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        # Eager options are read first, so that the other one finds its value among the defaults.
        if value is not None:
            ctx.default_map = {**(ctx.default_map or {}), self._option: value}


def old_options(ctx: click.Context, command: click.Command) -> list[OldOption]:
    """The old options of the command that ``ctx`` was called with."""
    options = {opt: each for each in command.params if isinstance(each, click.Option) for opt in each.opts}
    renamed = OPTIONS.get(_path(ctx), {})
    return [OldOption(old, now, options[now]) for old, now in renamed.items() if now in options]


def command_of_now(name: str, known: list[str]) -> str:
    """The current name of a command; prints it if ``name`` is an old one."""
    now = COMMANDS.get(name, name)
    if name in known or now not in known:
        return name
    echo(f"arena {name} is called arena {now} now", err=True)
    return now


@contextmanager
def telling_in_one_line() -> Generator[None]:
    """Print one line for each renamed key and for each warning on what was given, once; others are unchanged."""
    told: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", RenamedKeyWarning)
        warnings.simplefilter("always", InputWarning)
        show = warnings.showwarning

        def tell(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
            if not issubclass(category, RenamedKeyWarning | InputWarning):
                show(message, category, *place, **options)
            elif str(message) not in told:
                told.add(str(message))
                if issubclass(category, InputWarning):
                    status(f"warning: {message}")
                else:
                    echo(message, err=True)

        warnings.showwarning = tell
        yield


def _path(ctx: click.Context) -> str:
    """The words with which a command was called, without the program's name."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.info_name or "")
        ctx = ctx.parent
    return " ".join(names)
