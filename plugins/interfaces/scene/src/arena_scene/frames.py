"""Differences between scenes: what a series of positions is sent and kept as, after the first in full.

A difference says for a scene, and for each part of it that is another::

    {"head": {FIELD: value, …}, "gone": [FIELD, …], "lists": {FIELD: {"drop": [place, …], "set": [[place, item], …]}},
     "order": [PART, …], "parts": {PART: difference or {"new": part}, …}}

What is empty is left out. Parts go by their ids, or as ``part N`` by their places. Of a list the items at the places
``drop`` of the old one are taken out, and then those of ``set`` put in, each at its place in the new one; texts of
several lines are lists of lines. Browsers have ``patch`` in ``scene.js`` and ``difference`` in ``frames.js``.
"""

import json
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias, cast

Node: TypeAlias = Mapping[str, Any]
"""A scene, or one of its parts."""

_PARTS: Final = "parts"


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What makes ``after`` out of ``before``, both sound scenes; empty if they are equal."""
    found = _fields_that_differ(before, after)
    if _PARTS in after:
        found |= _parts_that_differ(_named(before.get(_PARTS, ())), _named(after[_PARTS]))
    return found


def patch(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The scene after ``before`` by their difference; ``before`` stays as it is."""
    after = {name: own for name, own in before.items() if name not in change.get("gone", ())}
    after |= change.get("head", {})
    for name, edit in change.get("lists", {}).items():
        after[name] = _edited(after[name], edit)
    if _PARTS in change or "order" in change:
        after[_PARTS] = list(_patched(_named(before.get(_PARTS, ())), change))
    return after


def scene_frames(scenes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A series of scenes: the first in full, then the difference of each from the one before it."""
    later = (difference(a, b) for a, b in pairwise(scenes))
    return [dict(scenes[0]), *later] if scenes else []


def _fields_that_differ(before: Node, after: Node) -> dict[str, Any]:
    head: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    for name, own in after.items():
        if name == _PARTS or (name in before and _text(before[name]) == _text(own)):
            continue
        old, new = _items(before.get(name)), _items(own)
        # A field that is another kind of thing, or was not there, stands as it is.
        if old is None or new is None or isinstance(before[name], str) != isinstance(own, str):
            head[name] = own
        else:
            lists[name] = _edit(old, new)
    gone = sorted(name for name in before if name not in after)
    return {name: own for name, own in (("head", head), ("gone", gone), ("lists", lists)) if own}


def _parts_that_differ(before: Mapping[str, Node], after: Mapping[str, Node]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if list(before) != list(after):
        found["order"] = list(after)
    parts = {name: own for name, part in after.items() if (own := _part_that_differs(before.get(name), part))}
    return {**found, **({_PARTS: parts} if parts else {})}


def _part_that_differs(before: Node | None, after: Node) -> dict[str, Any]:
    if before is None or before["part"] != after["part"]:
        return {"new": after}
    return difference(before, after)


def _patched(before: Mapping[str, Node], change: Node) -> Iterator[Node]:
    changed = change.get(_PARTS, {})
    for name in change.get("order", before):
        own = changed.get(name, {})
        yield own["new"] if "new" in own else patch(before[name], own)


def _named(parts: Sequence[Node]) -> dict[str, Node]:
    """Parts by their ids, which hold no spaces, or by their places."""
    return {part.get("id", f"part {place}"): part for place, part in enumerate(parts)}


def _items(value: object) -> Sequence[Any] | None:
    """The items of a list, or the lines of a text that has several; ``None`` for what is neither."""
    if isinstance(value, str):
        return value.split("\n") if "\n" in value else None
    return cast("Sequence[Any]", value) if isinstance(value, list | tuple) else None


def _edit(before: Sequence[Any], after: Sequence[Any]) -> dict[str, Any]:
    """The places to take out and the items to put in, so that as many items as can be stay where they are."""
    kept = _kept(before, after)
    stay = set(kept.values())
    drop = [place for place in range(len(before)) if place not in stay]
    put = [[place, item] for place, item in enumerate(after) if place not in kept]
    return {name: own for name, own in (("drop", drop), ("set", put)) if own}


def _kept(before: Sequence[Any], after: Sequence[Any]) -> dict[int, int]:
    """The places of items that stay, new to old: the longest series of equal items in one order."""
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, item in enumerate(before):
        waiting[_text(item)].append(place)
    pairs = [(place, waiting[text].popleft()) for place, item in enumerate(after) if waiting[text := _text(item)]]
    return dict(_rising(pairs))


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest series of pairs whose second numbers rise."""
    ends: list[int] = []  # the second numbers with which series of each length end
    last: list[int] = []  # the pairs they belong to
    earlier: list[int] = []
    for index, (_, old) in enumerate(pairs):
        length = bisect_left(ends, old)
        ends[length:] = [old, *ends[length + 1 :]]
        last[length:] = [index, *last[length + 1 :]]
        earlier.append(last[length - 1] if length else -1)
    found: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        found.append(pairs[index])
        index = earlier[index]
    return found[::-1]


def _edited(value: Any, edit: Node) -> Any:
    items = list(cast("Sequence[Any]", _items(value)) or ())
    dropped = set(edit.get("drop", ()))
    items = [item for place, item in enumerate(items) if place not in dropped]
    for place, item in edit.get("set", ()):
        items.insert(place, item)
    return "\n".join(items) if isinstance(value, str) else items


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)
