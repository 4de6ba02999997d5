"""Parses requests such as ``procedural?seed=7&items=300``: a word, and settings as in a web address."""

from typing import Any, TypeVar
from urllib.parse import parse_qsl

import attrs
from arena.errors import ConfigError

T = TypeVar("T")

_TRUTHS = {"true": True, "false": False}


def parse_wish(source: str, word: str, kind: type[T]) -> T | None:
    """Parse ``source`` as a ``kind``; ``None`` if the text begins with another word.

    ``kind`` is an attrs class whose fields have defaults of the types that are read. ``ConfigError`` names settings
    that are not among its fields or have another type.
    """
    first, _, written = source.partition("?")
    if first != word:
        return None
    fields: Any = attrs.fields(kind)  # pyright: ignore[reportArgumentType] -- an attrs class, as asked for
    defaults = {field.name: field.default for field in fields}
    wishes: dict[str, Any] = {}
    problems: list[str] = []
    for name, text in parse_qsl(written, keep_blank_values=True):
        if name not in defaults:
            problems.append(f"{source}: unknown setting {name!r}; there are {', '.join(defaults)}")
            continue
        expected = type(defaults[name])
        try:
            wishes[name] = _TRUTHS[text] if expected is bool else expected(text)
        except (KeyError, ValueError):
            problems.append(f"{source}: {name}: expected {expected.__name__}, got {text!r}")
    if problems:
        raise ConfigError(problems)
    return kind(**wishes)
