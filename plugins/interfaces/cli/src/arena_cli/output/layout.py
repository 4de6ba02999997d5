"""Breaks running text between words, shortens names, and sets names in columns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click

from arena_cli.output.safe_text import CleanText, clean
from arena_cli.output.screen import Terminal, written_columns

ELLIPSIS: Final = "…"

_GAP: Final = re.compile(r" +(?!%|$)")
"""Where a line may be broken: between words, but not between a number and its per cent sign."""

_STYLED: Final = re.compile(r"((?:\x1b\[[\d;]*m)+)([^\x1b]*)((?:\x1b\[0m)+)")


def paragraph(
    text: str, terminal: Terminal, indent: int = 0, hanging: int = 0, *, breaks_words: bool = False
) -> list[str]:
    """The lines of a running text, broken between words; a word that is wider than the terminal stays whole.

    With ``breaks_words`` it is broken as well, as in a cell of a table, which has no room beside it.
    ``indent`` is how many blanks each line begins with; the lines that continue one have ``hanging`` more. A line that
    fits stays as it is, with all its blanks, and so do line breaks.
    """
    return [
        CleanText(" " * indent + part if part else "")
        for line in clean(text).split("\n")
        for whole in _broken(line, terminal, terminal.width - indent, hanging)
        for part in (_pieces(whole, terminal, terminal.width - indent) if breaks_words else [whole])
    ]


def _pieces(line: str, terminal: Terminal, width: int) -> Iterator[str]:
    """A line in pieces that are no wider than that."""
    while line and written_columns(line, terminal) > width:
        piece = _cut(line, width, terminal) or line[0]
        yield piece
        line = line[len(piece) :]
    yield line


def shorten(text: str, width: int, terminal: Terminal) -> str:
    """A name that is cut in its middle to take at most ``width`` columns: ``gpt-4o…-08-06``."""
    if terminal.columns(text) <= width:
        return text
    text = click.unstyle(text)
    room = width - terminal.columns(ELLIPSIS)
    if room < 2:
        return _cut(text, width, terminal)
    head = _cut(text, (room + 1) // 2, terminal)
    tail = _cut(text[::-1], room // 2, terminal)[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def names_that_fit(names: Iterable[str], width: int, terminal: Terminal, separator: str = " ") -> str:
    """As many names as fit into ``width`` columns on one line, with ``…`` at the end if there are more."""
    given = [*names]
    whole = separator.join(given)
    if terminal.columns(whole) <= width:
        return whole
    line, more = "", f"{separator}{ELLIPSIS}"
    for name in given:
        longer = f"{line}{separator}{name}" if line else name
        if terminal.columns(longer + more) > width:
            break
        line = longer
    return f"{line}{more}" if line else shorten(given[0], width, terminal)


def names_in_columns(names: Iterable[str], terminal: Terminal, indent: int = 0) -> list[str]:
    """All names in as many columns of one width as fit, row by row."""
    given = [clean(name) for name in names]
    if not given:
        return []
    room = terminal.width - indent
    given = [shorten(name, room, terminal) for name in given]
    width = max(map(terminal.columns, given)) + 2
    across = max(1, (room + 2) // width)
    rows = [given[at : at + across] for at in range(0, len(given), across)]
    return [CleanText(" " * indent + "".join(padded(n, width, terminal) for n in row).rstrip()) for row in rows]


def padded(text: str, width: int, terminal: Terminal, *, is_right: bool = False) -> str:
    """The text with blanks after it, or before it, so that it takes ``width`` columns as this terminal writes it."""
    written = terminal.plain(text)
    blanks = " " * (width - written_columns(written, terminal))
    return f"{blanks}{written}" if is_right else f"{written}{blanks}"


def _cut(text: str, width: int, terminal: Terminal) -> str:
    """The beginning of a text that takes at most ``width`` columns."""
    end = len(text)
    while end and terminal.columns(text[:end]) > width:
        end -= 1
    return text[:end]


def _broken(line: str, terminal: Terminal, width: int, hanging: int) -> Sequence[str]:
    if written_columns(line, terminal) <= width:
        return [line]
    if "\x1b" in line:
        return _broken_styled(line, terminal, width, hanging)
    words = _GAP.split(line.strip(" "))
    lead = " " * (len(line) - len(line.lstrip(" ")))
    lines = [lead + words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if written_columns(longer, terminal) <= width:
            lines[-1] = longer
        else:
            lines.append(f"{lead}{' ' * hanging}{word}")
    return lines


def _broken_styled(line: str, terminal: Terminal, width: int, hanging: int) -> Sequence[str]:
    """Break a line that has styles: one style over all of it is kept, several are left out."""
    whole = _STYLED.fullmatch(line)
    parts = _broken(click.unstyle(line), terminal, width, hanging)
    return [f"{whole[1]}{part}{whole[3]}" for part in parts] if whole else parts
