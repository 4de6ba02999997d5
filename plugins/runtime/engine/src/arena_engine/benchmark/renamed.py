"""The table of renamed keys of benchmark files and renamed capabilities of plugins."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from arena_engine.benchmark.merging import kebab

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "": {"imagines": "resample-hidden", "tells-agents": "reveal-agents"},
    "limits": {"waves": "max-steps"},
    "illegal-actions": {"answers": "max-answers", "total": "max-refusals"},
    "backend": {"adapts": "adaptive-concurrency", "attempts": "max-attempts", "longest-wait-s": "max-retry-wait-s"},
}
"""Old keys with their current names, by where they occur: the top of a file (``""``), its limits, a kind of plugin."""

CAPABILITIES: Final[Mapping[str, str]] = {"imagines": "resample-hidden"}
"""Old capabilities of plugins with their current names; a plugin may declare either."""

_OLD: Final = frozenset(old for keys in KEYS.values() for old in keys)
_NOW: Final = frozenset(now for keys in KEYS.values() for now in keys.values())


class RenamedKeyWarning(FutureWarning):
    """Warns that a benchmark uses the old name of a key, and says the current one."""


def mentions_renamed(plain: Any) -> bool:
    """Whether an old name occurs in plain data as a key, or in a key that is a dotted path.

    It may be the key of something else; but without any such name, the slow search by types can be skipped.
    """
    if isinstance(plain, Mapping):
        table = cast("Mapping[str, Any]", plain)
        return any(_is_renamed(key) or mentions_renamed(value) for key, value in table.items())
    return isinstance(plain, list | tuple) and any(map(mentions_renamed, cast("list[Any]", plain)))


def current_capabilities(stated: Iterable[str]) -> frozenset[str]:
    """Replace old names of capabilities by their current ones."""
    return frozenset(CAPABILITIES.get(word, word) for word in stated)


def _is_renamed(key: str) -> bool:
    return any(kebab(part) in _OLD or ("_" in part and kebab(part) in _NOW) for part in key.split("."))
