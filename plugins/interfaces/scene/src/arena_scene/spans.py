"""Lines of a terminal: pieces of text, each in one style; how wide they are, and how they are broken."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

import attrs

_OBEYED: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""What terminals obey, and what no stream can write; others have written these texts."""

_PLAIN: Final = str.maketrans(
    "─│┌┬┐├┼┤└┴┘╶╴╷╵×·…→▲▼•≥≤±“”█░♠♣♥♦\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\N{NO-BREAK SPACE}"
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}",
    "-|+++++++++++++x..>^v*><~\"\"#.SCHD--- ''",
)
"""One ASCII character for each other character that scenes are drawn with, so that widths stay the same."""

CODES: Final[Mapping[str, str]] = {
    "player-0": "31",
    "player-1": "36",
    "player-2": "33",
    "player-3": "35",
    "player-4": "32",
    "player-5": "34",
    "player-6": "91",
    "player-7": "96",
    "player-8": "93",
    "player-9": "95",
    "good": "32",
    "bad": "31",
    "warning": "33",
    "accent": "1",
    "faint": "2",
    "water": "34",
    "land": "32",
    "suit-red": "31",
    "hue-red": "31",
    "hue-yellow": "33",
    "hue-green": "32",
    "hue-blue": "34",
    "hue-white": "1",
    "hue-purple": "35",
    "hue-orange": "91",
    "hue-brown": "33",
    "strong": "1",
    "chosen": "7",
    "last": "1",
}
"""The codes that set the colour of each style, of the sixteen that every theme of a terminal has."""


@attrs.frozen
class Span:
    """A text in one style; a style is a role of the format, ``strong``, ``chosen`` or ``last``, or several of them."""

    text: str
    style: str = ""


SpanLine: TypeAlias = Sequence[Span]


def visible(text: str) -> str:
    """The text with a sign for each character that a terminal would obey."""
    return _OBEYED.sub("\N{REPLACEMENT CHARACTER}", text.replace("\t", " "))


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


@cache
def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def line_width(line: SpanLine) -> int:
    """How many columns of a terminal a line takes."""
    return sum(width_of(span.text) for span in line)


def padded(line: SpanLine, width: int) -> SpanLine:
    """The line with spaces after it, up to a width."""
    missing = width - line_width(line)
    return [*line, Span(" " * missing)] if missing > 0 else line


def cut(text: str, width: int) -> str:
    """The text, or its beginning and a sign that it goes on."""
    if width_of(text) <= width:
        return text
    kept = ""
    for character in text:
        if width_of(kept + character) >= width:
            break
        kept += character
    return kept + "…" if width else ""


def broken(text: str, width: int, hanging: int = 0) -> list[str]:
    """The lines of a text, broken between words; a word is broken only if it is wider than a whole line."""
    return [line for paragraph in text.splitlines() or [""] for line in _broken(visible(paragraph), width, hanging)]


def _broken(paragraph: str, width: int, hanging: int) -> list[str]:
    hanging = hanging if hanging < width // 2 else 0
    lines = [""]
    for word in re.findall(r"^\s+|\S+", paragraph):
        rest, space = word, " " if lines[-1].strip() else ""
        if width_of(lines[-1] + space + rest) <= width:
            lines[-1] += space + rest
            continue
        if lines[-1].strip():
            lines.append(" " * hanging)
        while width_of(lines[-1] + rest) > width:
            taken = _beginning(rest, width - width_of(lines[-1]))
            lines[-1] += taken
            lines.append(" " * hanging)
            rest = rest[len(taken) :]
        lines[-1] += rest
    return [line.rstrip() for line in lines]


def _beginning(text: str, width: int) -> str:
    """The longest beginning that is at most so wide, and never empty."""
    end = next((n for n in range(1, len(text)) if width_of(text[: n + 1]) > width), len(text))
    return text[:end]


def painted(lines: Iterable[SpanLine], *, has_colour: bool, is_unicode: bool) -> list[str]:
    """The lines as texts for a terminal; without spaces at their ends."""
    return [_painted(line, has_colour, is_unicode) for line in lines]


def _painted(line: SpanLine, has_colour: bool, is_unicode: bool) -> str:
    texts = [(visible(span.text if is_unicode else _in_ascii(span.text)), span.style) for span in line]
    while texts and not texts[-1][0].strip() and "chosen" not in texts[-1][1]:
        texts.pop()
    if texts:
        texts[-1] = (texts[-1][0].rstrip(), texts[-1][1])
    return "".join(_coloured(text, style) if has_colour else text for text, style in texts)


def _coloured(text: str, style: str) -> str:
    if not text.strip() and "chosen" not in style:
        return text
    codes = ";".join(CODES[name] for name in style.split() if name in CODES)
    return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


def _in_ascii(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c if c.isascii() else "?" * _columns(c) for c in text.translate(_PLAIN))
