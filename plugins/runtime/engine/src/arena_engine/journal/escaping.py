"""Makes texts from outside safe to store, without loss: lone surrogates are no valid Unicode, but models write them.

A lone surrogate becomes U+001A and its four hexadecimal digits, U+001A itself is doubled. Two surrogates that belong
together are joined to the character that they stand for. Text is escaped once, where it enters; escaping it twice would
change it.
"""

import re
from collections.abc import Mapping
from typing import Any, cast

from arena.record import JSON

_MARK = "\x1a"
_TO_ESCAPE = re.compile("[\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a(\x1a|[0-9a-f]{4})")


def escaped(text: str) -> str:
    """Return ``text`` as valid Unicode; ``unescaped`` gives it back."""
    if _MARK not in text:
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _TO_ESCAPE.sub(lambda found: _MARK + (_MARK if found[0] == _MARK else f"{ord(found[0]):04x}"), joined)


def unescaped(text: str) -> str:
    """Return what ``escaped`` was given, with halves that belong together joined."""
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda found: _MARK if found[1] == _MARK else chr(int(found[1], 16)), text)


def escaped_json(value: Any) -> JSON:
    """Escape every text of a JSON value, keys included; everything else stays as it is."""
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return {escaped(key) if isinstance(key, str) else key: escaped_json(item) for key, item in table.items()}
    if isinstance(value, list | tuple):
        return [escaped_json(item) for item in cast("list[Any]", value)]
    return value
