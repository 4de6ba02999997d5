"""Puts data into words for people: names with spaces, values without brackets, texts of others without escapes."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

_HUMP: Final = re.compile(r"(?<=[a-z0-9])[A-Z](?=[a-z])")
_TEXT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_ESCAPE: Final = re.compile(r'\\(?:u003[cC]|["\\/nt])')
_BEGINS: Final = re.compile(r'\{(?=["}])|\[(?=["{\[])')
_KIND: Final = re.compile(r"([^\n{}\[\]\"]{1,100}): (?=[\[{])")

_WRITTEN: Final = re.compile(r"^expected \{.*\}; ")
"""How an action is written, where a reason begins with it."""

_PLAIN: Final[Mapping[str, str]] = {"n": " ", "t": " ", '"': "'", "\\": "\\", "/": "/"}
"""Escapes of JSON that hide nothing, as people read them; a quote cannot look like the end of the text it is in."""

_READER: Final = json.JSONDecoder()


def label(name: str) -> str:
    """A name of the data in words: ``sticks_left`` and ``sticksLeft`` are ``sticks left``."""
    return " ".join(_HUMP.sub(lambda found: f" {found[0].lower()}", name).replace("_", " ").split())


def said(value: Any, name: str = "") -> str:
    """A value in one line; objects are read as names with their values.

    The number of a player is the one that people know it by, which begins at 1, if ``name`` says that it is one.
    """
    if isinstance(value, Mapping):
        table = cast("Mapping[str, Any]", value)
        return ", ".join(_named(key, own) for key, own in table.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(_nested, cast("list[Any]", value))) or "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and label(name).casefold() == "player":
        return str(value + 1)
    return f"{value:g}" if isinstance(value, float) else str(value)


def data_in(text: str) -> Any:
    """The object or list that a text is the JSON of; ``None`` if it is words."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def for_people(text: str) -> str:
    """A text of a game as people read it: data in words, and texts of others without the escapes that models see.

    ``took: {"player":0,"sticks":3}`` is ``took: player 1, sticks 3``. What hides or reorders text stays escaped.
    """
    kind = _KIND.match(text)
    begin = kind.end() if kind else 0
    if (data := data_in(text[begin:])) is not None:
        return f"{label(kind[1])}: {said(data)}" if kind else said(data)
    return _TEXT.sub(lambda found: _ESCAPE.sub(_unescaped, found[0]), _without_data(text))


def reason_words(reason: str) -> str:
    """Why an action is refused, for somebody who filled in a form: without how the action is written as data."""
    return for_people(_WRITTEN.sub("", reason))


def _without_data(text: str) -> str:
    """A text in which objects and lists between its words are put into words."""
    parts, at = list[str](), 0
    while found := _BEGINS.search(text, at):
        try:
            value, end = _READER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            value, end = None, found.end()
        parts += [text[at : found.start()], text[found.start() : end] if value is None else said(value)]
        at = end
    return "".join([*parts, text[at:]])


def _unescaped(found: "re.Match[str]") -> str:
    return "<" if found[0][1] == "u" else _PLAIN[found[0][1]]


def _named(name: str, value: Any) -> str:
    """A name with its value, as in a sentence: ``sticks 3``, ``hand: K, Q``."""
    shown = _nested(value, name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{label(name)} {shown}" if is_number else f"{label(name)}: {shown}"


def _nested(value: Any, name: str = "") -> str:
    is_long = isinstance(value, Mapping | list | tuple) and len(cast("list[Any]", value)) > 1
    return f"({said(value, name)})" if is_long and not _is_plain_list(value) else said(value, name)


def _is_plain_list(value: Any) -> bool:
    values = cast("list[Any]", value) if isinstance(value, list | tuple) else None
    return values is not None and not any(isinstance(own, Mapping | list | tuple) for own in values)
