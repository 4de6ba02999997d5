"""Finds credentials that are written out in the parameters of a backend, where ``${NAME}`` should stand."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast
from urllib.parse import parse_qsl, unquote

from arena_engine.benchmark.merging import Path, kebab

WRITTEN_OUT: Final = "a credential is written out; put it into the environment and write ${NAME}"
"""What is said of a credential. The value is not repeated: whoever reads the message may not be meant to know it."""

_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://(?P<host>[^/?#]*)[^?#]*(?:\?(?P<query>[^#]*))?")
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NAMES: Final = frozenset(("key", "apikey", "token", "secret", "password", "passwd", "pwd")) | frozenset(
    ("authorization", "signature", "sig", "credential", "credentials")
)
_NO_CREDENTIALS: Final = frozenset(["cache", "id", "name", "type", "file", "path"])


def credentials_in(parameters: Any, path: Path = (), name: str = "") -> Iterator[Path]:
    """The paths in plain data of texts in which a credential is written out; ``name`` is the key they stand under."""
    if isinstance(parameters, Mapping):
        for key, value in cast("Mapping[Any, Any]", parameters).items():
            yield from credentials_in(value, (*path, kebab(str(key)) if not path else str(key)), str(key))
    elif isinstance(parameters, list | tuple):
        for place, value in enumerate(cast("list[Any]", parameters)):
            yield from credentials_in(value, (*path, str(place)), name)
    elif isinstance(parameters, str) and (_is_open(name, parameters) or _is_open_address(parameters)):
        yield path


def _is_open(name: str, value: str) -> bool:
    """Whether something of this name is a credential, and this value is one and not the name of a variable."""
    words = {word.lower() for word in _WORDS.findall(name)}
    return bool(value) and "${" not in value and bool(words & _NAMES) and not words & _NO_CREDENTIALS


def _is_open_address(text: str) -> bool:
    if (found := _ADDRESS.match(text.strip())) is None:
        return False
    user, at, _ = found["host"].rpartition("@")
    name, colon, password = user.partition(":")
    if at and "${" not in (password if colon else name):
        return True
    query = parse_qsl((found["query"] or "").replace(";", "&"), keep_blank_values=False)
    return any(_is_open(unquote(key), value) for key, value in query)
