"""What ``arena`` alone shows: commands by what one wants, the three to begin with first."""

import sys
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from arena_cli.output import Terminal, paragraph, result, terminal_of
from arena_cli.purposes import by_purpose

BEGIN: Final = (
    ("arena play tic-tac-toe", "play yourself, against an agent"),
    ("arena run FILE", "play a benchmark, and see who is better"),
    ("arena list-plugins", "what there is to play with"),
)
"""The three lines to begin with, each with what it does."""

_INDENT: Final = 16


def show_overview(commands: Sequence[str]) -> None:
    """Print it."""
    result(_lines(commands, terminal_of(sys.stdout)))


def _lines(commands: Sequence[str], terminal: Terminal) -> Iterator[str]:
    yield from paragraph("Language models, engines and people play strategic games, measured honestly.", terminal)
    yield ""
    yield "to begin with"
    for line, meaning in BEGIN:
        yield f"  {line:24}  {meaning}"
    yield ""
    narrow = attrs.evolve(terminal, width=terminal.width - _INDENT)
    for purpose, names in by_purpose(commands).items():
        for at, line in enumerate(paragraph(" ".join(names), narrow)):
            yield f"{purpose if at == 0 else '':{_INDENT}}{line}"
    yield ""
    yield "each in a line:  arena --help"
    yield "one in full:     arena COMMAND --help"
