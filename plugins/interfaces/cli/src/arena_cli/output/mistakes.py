"""Mistakes of users in one form, those that click finds too: ``arena: WHERE: what; what to do``, in one line each."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

import click

NAMED: Final = 5
"""The most names that a message lists."""

_PLACED: Final = re.compile(r"(\S+ ){0,2}\S+: ")
_NAMES: Final = re.compile(r"\((there is|installed|backends): ([^()]*?)( and [\d,]+ more)?\)")
_QUOTED: Final = re.compile(r"'([^']+)'|(\S+): unknown key")
_COMMAND: Final = re.compile("No such command '(.*)'")
_CHOICE: Final = re.compile(r"'(.*)' is not one of (.*?)\.?$", re.DOTALL)


class Mistake(click.ClickException):
    """A mistake that click found, in the form of all others."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        """Print it to standard error."""
        from arena_cli.output.streams import echo

        echo(f"arena: {self.message}", err=True)


def mistake_of(error: click.ClickException, called: str = "") -> Mistake:
    """The same mistake in one line: where, what was wrong, and what to do.

    ``called`` is the command that was called, for errors that do not know it.
    """
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    command = _command(ctx) or called
    if isinstance(error, click.MissingParameter):
        where, what = command, f"{_parameter(error)} is missing"
        usage = f"; write: {_usage(ctx)}" if ctx else ""
        return Mistake(f"{_prefix(where)}{what}{usage}")
    if isinstance(error, click.NoSuchOption):
        close = error.possibilities or ()
        what = f"no option called {error.option_name!r}" + (f" (did you mean {close[0]!r}?)" if close else "")
        return Mistake(f"{_prefix(command)}{what}; {_help(command)}")
    if isinstance(error, click.BadOptionUsage):
        what = _plain(error.format_message()).replace(f"option {error.option_name!r} ", "")
        return Mistake(f"{_prefix(f'{command} {error.option_name}')}{what}; {_help(command)}")
    if isinstance(error, click.BadParameter):
        where = f"{command} {_parameter(error)}"
        return Mistake(f"{_prefix(where)}{_advised(_choice(error.message) or _plain(error.message), command)}")
    if ctx and isinstance(ctx.command, click.Group) and (found := _COMMAND.match(error.message)):
        names = unknown_name(found[1], ctx.command.list_commands(ctx))
        return Mistake(f"{_prefix(command)}no command called {found[1]!r}{names}; {_help(command)}")
    return Mistake(f"{_prefix(command)}{_advised(_plain(error.format_message()), command)}")


def placed(problem: str, ctx: click.Context) -> str:
    """A problem with the place where it is; the command, if the problem names none, and few of many names."""
    text = shortened_names(problem)
    return text if _PLACED.match(text) else f"{_prefix(ctx.invoked_subcommand or '')}{text}"


def shortened_names(text: str) -> str:
    """A message whose lists of names are cut to the five that are nearest to the word in question."""

    def cut(found: re.Match[str]) -> str:
        what, names, more = found[1], found[2].split(", "), found[3]
        if len(names) <= NAMED:
            return found[0]
        words = [*_QUOTED.finditer(text[: found.start()])]
        word = next((w[1] or w[2] for w in words), "")
        left = len(names) - NAMED + int(re.sub(r"\D", "", more or "0"))
        return f"({what}: {', '.join(nearest(word, names))} and {left:,} more)"

    return _NAMES.sub(cut, text)


def nearest(word: str, names: Iterable[str], least: float = 0.0) -> list[str]:
    """The names that are most like ``word``, at most five, the nearest first; ``least`` is how alike, from 0 to 1."""
    return get_close_matches(word, [*dict.fromkeys(names)], NAMED, least)


def unknown_name(word: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: the one that was probably meant, else the five nearest."""
    known = [*dict.fromkeys(names)]
    if close := get_close_matches(word, known, 1):
        return f" (did you mean {close[0]!r}?)"
    more = f" and {len(known) - NAMED:,} more" if len(known) > NAMED else ""
    return f" (there is: {', '.join(nearest(word, known))}{more})" if known else ""


def _choice(message: str) -> str:
    """What click says of a value that is none of a list, with the nearest of the list alone; else nothing."""
    if not (found := _CHOICE.match(message)):
        return ""
    names = re.findall(r"'([^']*)'", found[2])
    return f"{found[1]!r} is not one of the choices{unknown_name(found[1], names)}" if len(names) > NAMED else ""


def _advised(text: str, command: str) -> str:
    """A text that says what to do: its own advice, or where there is some."""
    return text if "; " in text or "did you mean" in text else f"{text}; {_help(command)}"


def _plain(text: str) -> str:
    """A sentence of click's as one of ours: in one line, without a capital at its start and a full stop at its end."""
    line = " ".join(text.split()).removesuffix(".")
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


def _parameter(error: click.BadParameter) -> str:
    """The name of a parameter as users write it: the option's longest name, or the argument's in capitals."""
    if error.param is None:
        hint = error.param_hint or "a parameter"
        return hint if isinstance(hint, str) else " or ".join(hint)
    if isinstance(error.param, click.Option):
        return max(error.param.opts, key=len)
    return error.param.make_metavar(error.ctx).strip("[]. …") if error.ctx else error.param.human_readable_name


def _usage(ctx: click.Context) -> str:
    return " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])


def _help(command: str) -> str:
    return f"see {' '.join(['arena', *command.split()])} --help"


def _prefix(where: str) -> str:
    return f"{where.strip()}: " if where.strip() else ""


def _command(ctx: click.Context | None) -> str:
    """The words behind ``arena`` with which a command was called."""
    return ctx.command_path.partition(" ")[2] if ctx is not None else ""
