"""Writes to terminals and pipes that do not know all signs: others take the place of those that are missing."""

import codecs
import io
import re
import sys
import unicodedata
from typing import Any, Final

ENCODING: Final = "arena-ascii"
"""ASCII with other signs for those that are missing; click would take plain ASCII for a mistake and write UTF-8."""

ERRORS: Final = "arena-signs"
"""What is done in other encodings about a sign that is missing."""

_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("─━═╌┄\u2013\u2014\u2012\u2212\u2010\u2011╴╶", "-"),
        **dict.fromkeys("│┃║┆", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬╷╵", "+"),
        **dict.fromkeys("▁▂▃▄▅▆▇█▉▊▋▌▍▎▏■●", "#"),
        **dict.fromkeys("░▒▓□○·•⋅", "."),
        **dict.fromkeys("\u2018\u2019\u201a\u2032", "'"),
        **dict.fromkeys("“”„″«»", '"'),
        "×": "x",
        "…": "...",
        "±": "+-",
        "→": "->",
        "←": "<-",
        "↑": "^",
        "↓": "v",
        "≤": "<=",
        "≥": ">=",
        "≈": "~",
        "≠": "!=",
        "✓": "yes",
        "✗": "no",
        "ß": "ss",
        "æ": "ae",
        "ø": "o",
        "\u00a0": " ",
        "\u202f": " ",
    }
)


_INVISIBLE: Final = {
    **{number: 0x2400 + number for number in range(0x20)},
    0x7F: 0x2421,
    **dict.fromkeys((*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), 0xFFFD),
}
"""Characters that a terminal obeys, or that reorder a line, with the signs that are shown for them."""

_OBEYED: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")


def visible(text: str, *, keeps: str = "\n\t") -> str:
    """The text with a sign for each character that a terminal would obey, those of ``keeps`` excepted.

    Each is replaced by one character (``␛`` for the one that begins a sequence), so that the text keeps its width.
    """
    return _OBEYED.sub(lambda found: found[0] if found[0] in keeps else chr(_INVISIBLE[ord(found[0])]), text)


def obeyed(text: str) -> str:
    """A JSON text with escapes for the characters that a terminal would obey; they stand in its strings alone."""
    return _OBEYED.sub(lambda found: found[0] if found[0] in "\n\t" else f"\\u{ord(found[0]):04x}", text)


def adapt_streams() -> None:
    """Let standard output and standard error write every text, whatever their encoding; changes nothing for UTF-8."""
    codecs.register(_found)
    codecs.register_error(ERRORS, _replaced)
    for stream in (sys.stdout, sys.stderr):
        # Tests and notebooks put streams of other kinds there, which take any text.
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=ENCODING if is_ascii else None, errors=ERRORS)


def sign_substitutes(text: str) -> str:
    """The text with signs of ASCII that look like its signs; letters stay."""
    return text.translate(_SIGNS)


def plain_signs(text: str) -> str:
    """The text in ASCII: signs that look alike, letters without their accents, and numbers of the rest."""
    looked_up = unicodedata.normalize("NFKD", text.translate(_SIGNS))
    kept = "".join(sign for sign in looked_up if not unicodedata.combining(sign))
    return kept.encode("ascii", "backslashreplace").decode("ascii")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain_signs(error.object[error.start : error.end]), error.end


def _encoded(text: str, errors: str = "strict") -> tuple[bytes, int]:
    return text.encode("ascii", ERRORS), len(text)


class _Encoder(codecs.IncrementalEncoder):
    """Encodes piece by piece; no piece depends on another."""

    def encode(self, input: str, final: bool = False) -> bytes:  # noqa: A002 -- the name that codecs uses
        return _encoded(input)[0]


def _found(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != ENCODING:
        return None
    ascii_: Any = codecs.lookup("ascii")
    return codecs.CodecInfo(
        _encoded,
        ascii_.decode,
        streamreader=ascii_.streamreader,
        streamwriter=ascii_.streamwriter,
        incrementalencoder=_Encoder,
        incrementaldecoder=ascii_.incrementaldecoder,
        name=ENCODING,
    )
