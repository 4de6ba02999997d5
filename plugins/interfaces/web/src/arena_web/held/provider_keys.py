"""Keys of providers that somebody types in the browser: kept in memory under a name, and nowhere else."""

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from arena_engine import names_credential

from arena_web.foundation.errors import ApiError, bad_input

LONGEST: Final = 10_000
"""No key has more characters."""

MOST: Final = 100
"""So many keys are kept."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


class ProviderKeys:
    """Keys by the names of the environment variables that hold them for what this server starts.

    They end with the server, or when they are forgotten. A benchmark names them as ``${NAME}``.
    """

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._changes = 0

    def set(self, name: Any, key: Any) -> str:
        """Keep a key, and return its name; an answer of 400 says what is wrong without repeating anything."""
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not names_credential(name):
            raise bad_input(
                "name",
                "expected letters, digits and _, with KEY, TOKEN or SECRET as one of the words",
                "OPENAI_API_KEY",
            )
        if not isinstance(key, str) or not key.strip():
            raise bad_input("key", "it is empty", "paste the key that the provider gave you")
        if len(key) > LONGEST or not key.strip().isprintable():
            raise bad_input("key", f"expected one line of at most {LONGEST:,} characters", "paste the key alone")
        if name not in self._keys and len(self._keys) >= MOST:
            raise ApiError(409, "keys", f"{MOST} keys are set", "forget one")
        self._keys[name] = key.strip()
        self._changes += 1
        return name

    def forget(self, name: str) -> None:
        """Forget a key; one that is not there is forgotten already."""
        if self._keys.pop(name, None) is not None:
            self._changes += 1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys that were typed."""
        return tuple(sorted(self._keys))

    @property
    def changes(self) -> int:
        """A number that grows whenever a key is set or forgotten."""
        return self._changes

    def has(self, name: str) -> bool:
        """Whether what is started from here finds a value for the name: typed, or in the server's own environment."""
        return name in self._keys or bool(os.environ.get(name))

    def told(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Of each name whether it is set, as it is sent."""
        return [{"name": name, "is_set": self.has(name)} for name in names]

    def check(self, where: str, names: Iterable[str]) -> None:
        """An answer of 409 that names those that are not set."""
        missing = [name for name in names if not self.has(name)]
        if missing:
            listed = ", ".join(missing)
            what = f"the key {listed} is not set" if len(missing) == 1 else f"the keys {listed} are not set"
            raise ApiError(409, where, what, "type it here; it is kept in memory alone", secrets=missing)

    def environment(self) -> Mapping[str, str]:
        """The typed keys as variables for the environment of a process, and for nothing else."""
        return dict(self._keys)

    def __repr__(self) -> str:
        return f"ProviderKeys({', '.join(self.names)})"
