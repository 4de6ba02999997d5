"""Finds the entries that a path of a sweep means: one by its name, or all of a plugin or with a tag."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from arena_engine.benchmark.merging import Path

NAME: Final = 3
"""The rank of a path with a name, which wins over one with a tag, and that over one with a plugin."""

_RANKS: Final = {"use": 1, "tag": 2}


def meant(data: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, int]]:
    """The paths into single entries, each with its rank: that of the most specific one counts.

    The second part of a path is the name of an entry, ``use=PLUGIN`` for all entries of a plugin, or ``tag=TAG`` for
    all with a tag; there may be none of these.
    """
    first, named, rest = (path[0], path[1], path[2:]) if len(path) > 1 else ("", "", ())
    kind, is_selector, word = named.partition("=")
    table: Any = data.get(first)
    if not is_selector or kind not in _RANKS or not isinstance(table, Mapping) or named in table:
        yield path, NAME
        return
    for name, entry in cast("Mapping[str, Any]", table).items():
        if word in ({_plugin(entry)} if kind == "use" else tags_of(entry)):
            yield (first, name, *rest), _RANKS[kind]


def is_of_many(dotted: str) -> bool:
    """Whether a path means entries by their plugin or a tag, whatever they are called."""
    return dotted.partition(".")[2].partition("=")[0] in _RANKS


def tags_of(entry: Any) -> list[str]:
    """The tags of an entry, as far as they are texts."""
    tags: Any = cast("Mapping[str, Any]", entry).get("tags") if isinstance(entry, Mapping) else None
    return [tag for tag in cast("list[Any]", tags) if isinstance(tag, str)] if isinstance(tags, list) else []


def _plugin(entry: Any) -> str:
    use: Any = cast("Mapping[str, Any]", entry).get("use") if isinstance(entry, Mapping) else entry
    return use.rpartition(":")[2] if isinstance(use, str) else ""
