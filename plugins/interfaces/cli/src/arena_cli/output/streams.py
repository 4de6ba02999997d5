"""Writes what commands say: results to standard output, everything else to standard error."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import IO, Any, Final

import click

from arena_cli.output.layout import paragraph
from arena_cli.output.safe_text import clean, styled
from arena_cli.output.screen import terminal_of
from arena_cli.output.signs import obeyed

FORMAT: Final = 1
"""The version of what ``--json`` prints; it grows when something is left out or means something else."""


def result(lines: str | Iterable[str] = "", *, hanging: int = 0) -> None:
    """Print what the user asked for, on standard output.

    Lines that are wider than the terminal are broken between words, and those that continue one are set in by
    ``hanging`` blanks; secrets and what a terminal would obey are replaced.
    """
    _write(lines, sys.stdout, hanging=hanging)


def status(text: str = "") -> None:
    """Print what goes on, a warning or an error, on standard error; lines that continue one are set in."""
    _write(text, sys.stderr, hanging=2)


def result_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output, the version of its format first; nothing else may be printed there."""
    text = json.dumps({"format": FORMAT, **value}, indent=1, ensure_ascii=not terminal_of(sys.stdout).is_unicode)
    result_data(obeyed(text))


def result_data(text: object, *, is_line: bool = True) -> None:
    """Print on standard output what a program reads: a path, lines of JSON, a script. Nothing in it is changed."""
    click.echo(str(text), nl=is_line, color=False)


def prompt(text: str) -> None:
    """Print what somebody is asked for on standard output, without going to the next line."""
    terminal = terminal_of(sys.stdout)
    click.echo(terminal.plain(clean(text)), nl=False, color=terminal.has_colour)


def echo(text: object = "", *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Print a text, styled as ``click.style`` knows, as a result or, with ``err``, as status.

    Without ``nl`` it is a prompt, after which somebody types in the same line.
    """
    made = styled(text, **style) if any(style.values()) else clean(str(text))
    if nl:
        (status if err else result)(made)
    else:
        prompt(made)


def echo_json(value: Any, *, indent: int | None = 1) -> None:
    """Print a value as JSON, with escapes for what a terminal would obey."""
    result_data(obeyed(json.dumps(value, indent=indent, ensure_ascii=False)))


def _write(lines: str | Iterable[str], stream: IO[str], hanging: int) -> None:
    terminal = terminal_of(stream)
    for text in [lines] if isinstance(lines, str) else lines:
        for line in paragraph(text, terminal, hanging=hanging):
            click.echo(terminal.plain(line).rstrip(" "), file=stream, color=terminal.has_colour)
