"""Checks the HTTP headers that a benchmark gives a backend."""

import re
from collections.abc import Mapping
from typing import Any, Final

from arena.backend import revealed
from arena.errors import ConfigError

HEADERS_HELP: Final = (
    "HTTP headers of each request, {NAME: VALUE}; values may hold ${NAME}, and go to the address of base-url alone"
)
_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OWN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("content-length", "transfer-encoding", "host", "connection"), "the client writes it"),
    **dict.fromkeys(("content-type", "accept", "accept-encoding"), "the backend writes it"),
}
"""Headers that nobody gives, because a request with another value would not be what is sent."""


def check_headers(_owner: object, _field: object, headers: Mapping[str, Any]) -> None:
    """Raise ``ValueError`` for a header that no request can hold; variables stand for values of one line."""
    for name, value in headers.items():
        if fault := _fault(name, value):
            raise ValueError(f"{name!r} {fault}")


def sent_headers(headers: Mapping[str, Any]) -> dict[str, str]:
    """The headers with the values of their variables; ``ConfigError`` for one that cannot be sent, without its value.

    A later header takes the place of an earlier one whose name differs by case alone.
    """
    found: dict[str, str] = {}
    names: dict[str, str] = {}
    for name, value in headers.items():
        if fault := _fault(name, shown := revealed(value)):
            raise ConfigError(f"headers: {name!r} {fault}; correct it")
        found.pop(names.get(name.lower(), ""), None)
        names[name.lower()] = name
        found[name] = shown
    return found


def _fault(name: str, value: Any) -> str:
    """What is wrong with a header, without its value; empty if it can be sent."""
    if not _NAME.fullmatch(name):
        return "is no name of a header"
    if why := _OWN.get(name.lower()):
        return f"cannot be given: {why}"
    if not isinstance(value, str):
        return f"expected a text, got {value!r}"
    if "\n" in value or "\r" in value:
        return "has a line break in its value, which no header can have"
    if value != value.strip() or not value.isprintable():
        return "has white space at an end of its value, or characters that cannot be printed"
    if not value.isascii():
        return "has characters beside ASCII in its value, which clients send in different ways: write them as %C3%BC"
    return ""
