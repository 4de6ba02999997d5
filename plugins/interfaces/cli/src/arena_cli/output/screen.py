"""What a stream can show: how many columns, which signs, and whether there are colours."""

import os
import unicodedata
from typing import IO, Any, Final

import attrs
import click

from arena_cli.output.signs import plain_signs, sign_substitutes

WIDEST: Final = 120
"""The most columns that are used, however wide a terminal is."""

USUAL: Final = 80
"""The columns of a stream that is no terminal, unless ``COLUMNS`` says otherwise."""

NARROWEST: Final = 20
"""The fewest columns that are laid out for; a narrower terminal breaks lines itself."""

_SIGNS: Final = "─│┌┴●○\u2013…±≥\u2212×·"


@attrs.frozen
class Terminal:
    """What a stream can show.

    ``width`` is in columns. ``has_colour`` says whether colours and bold text are seen there, ``is_unicode`` whether
    box drawing and signs such as ``…`` and ``≥`` are, ``is_terminal`` whether a person sits there.
    """

    width: int = USUAL
    has_colour: bool = False
    is_unicode: bool = True
    is_terminal: bool = False

    def plain(self, text: str) -> str:
        """The text with signs of ASCII in place of those that the stream does not have; letters stay."""
        return text if self.is_unicode else sign_substitutes(text)

    def columns(self, text: str) -> int:
        """How many columns a text takes, whichever of the two sets of signs it is written with; styles take none.

        Layouts with either set are therefore the same.
        """
        if text.isascii():
            return written_columns(text, self)
        return max(written_columns(text, self), written_columns(sign_substitutes(text), self))


def written_columns(text: str, terminal: Terminal) -> int:
    """How many columns a text takes with the signs that ``terminal`` has; styles take none."""
    bare = click.unstyle(text) if "\x1b" in text else text
    if not terminal.is_unicode:
        bare = plain_signs(bare)
    if bare.isascii():
        return len(bare)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in bare
    )


def terminal_of(stream: IO[Any]) -> Terminal:
    """What ``stream`` can show.

    Its width is that of the terminal and at most 120; where there is none, ``COLUMNS`` or 80. ``NO_COLOR`` and
    ``TERM=dumb`` switch colours off, ``FORCE_COLOR`` switches them on; ``NO_COLOR`` is the stronger one.
    """
    is_terminal = _is_terminal(stream)
    return Terminal(
        width=min(max(_width(stream, is_terminal=is_terminal), NARROWEST), WIDEST),
        has_colour=_has_colour(is_terminal=is_terminal),
        is_unicode=_has_signs(str(getattr(stream, "encoding", None) or "utf-8")),
        is_terminal=is_terminal,
    )


def _is_terminal(stream: IO[Any]) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # the stream is closed
        return False


def _width(stream: IO[Any], *, is_terminal: bool) -> int:
    if is_terminal:
        try:
            if columns := os.get_terminal_size(stream.fileno()).columns:
                return columns
        except (OSError, ValueError):  # a stream that only says it is a terminal
            pass
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isdecimal() and int(given) else USUAL


def _has_colour(*, is_terminal: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal and os.environ.get("TERM") != "dumb"


def _has_signs(encoding: str) -> bool:
    try:
        return _SIGNS.encode(encoding).decode(encoding) == _SIGNS
    except (LookupError, UnicodeError):
        return False
