"""Finds credentials that are written out in the parameters of a backend, where ``${NAME}`` should stand."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, cast
from urllib.parse import parse_qsl, unquote

from arena_engine.benchmark.merging import Path, kebab, snake

WRITTEN_OUT: Final = "a credential is written out; put it into the environment and write ${NAME}"
"""What is said of a credential. The value is not repeated: whoever reads the message may not be meant to know it."""

_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://(?P<host>[^/?#]*)[^?#]*(?:\?(?P<query>[^#]*))?")
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NAMES: Final = frozenset(("key", "apikey", "token", "secret", "password", "passwd", "pwd")) | frozenset(
    ("authorization", "signature", "sig", "credential", "credentials")
)
_NO_CREDENTIALS: Final = frozenset(["cache", "id", "name", "type", "file", "path"])


def credentials_in(parameters: Mapping[str, Any], keys: Collection[str] = ()) -> Iterator[Path]:
    """The paths of all texts among parameters in which a credential is written out; ``keys`` are left to others."""
    for key, value in parameters.items():
        if snake(str(key)) not in keys:
            yield from _credentials(value, (kebab(str(key)),), str(key))


def _credentials(value: Any, path: Path, name: str) -> Iterator[Path]:
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield from _credentials(item, (*path, str(key)), str(key))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(cast("list[Any]", value)):
            yield from _credentials(item, (*path, str(place)), name)
    elif isinstance(value, str) and (_is_open(name, value) or _is_open_address(value)):
        yield path


def _is_open(name: str, value: str) -> bool:
    """Whether something of this name is a credential, and this value is one and not the name of a variable."""
    return bool(value) and "${" not in value and names_credential(name)


def names_credential(name: str) -> bool:
    """Whether something of this name, such as a header or a variable of the environment, is a credential."""
    words = {word.lower() for word in _WORDS.findall(name)}
    return bool(words & _NAMES) and not words & _NO_CREDENTIALS


def _is_open_address(text: str) -> bool:
    if (found := _ADDRESS.match(text.strip())) is None:
        return False
    user, at, _ = found["host"].rpartition("@")
    name, colon, password = user.partition(":")
    if at and "${" not in (password if colon else name):
        return True
    query = parse_qsl((found["query"] or "").replace(";", "&"), keep_blank_values=False)
    return any(_is_open(unquote(key), value) for key, value in query)
