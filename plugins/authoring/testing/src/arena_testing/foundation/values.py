"""JSON values that the checks try: near misses of actions, nonsense, and tests for what is not JSON."""

import json
from collections.abc import Iterator
from typing import Any, Final, cast

from arena.record import JSON, canonical_json

NONSENSE: Final[tuple[JSON, ...]] = (
    *(None, True, False, 0, 1, -1, 10**30, 0.0, 1.5, 1e300, "", "0", "None", "\x00", "é", "a" * 500),
    *([], [[]], [None], {}, {"": ""}, {"action": None}, {"no such": ["thing"]}),
)
"""Values that are hardly ever an action; ``check`` must refuse or accept them without raising."""


def copied(value: JSON) -> Any:
    """The value as a journal would give it back: lists for tuples, nothing shared."""
    return json.loads(json.dumps(value))


def near_misses(value: JSON) -> list[JSON]:
    """Values that a careless comparison takes for ``value``, and values that differ from it slightly."""
    found = [*_siblings(value), [value], {"action": value}]
    if isinstance(value, list | tuple):
        items = list(cast("list[JSON]", value))
        found += [
            items[:-1],
            [*items, None],
            [*items, *items[:1]],
            items[::-1],
            {str(i): x for i, x in enumerate(items)},
        ]
        found += [[*items[:i], near, *items[i + 1 :]] for i, item in enumerate(items) for near in near_misses(item)]
    if isinstance(value, dict):
        keyed = dict(value)
        found += [{**keyed, "no such key": None}, [[k, v] for k, v in keyed.items()]]
        found += [{k: v for k, v in keyed.items() if k != key} for key in keyed]
        found += [{**keyed, key: near} for key, item in keyed.items() for near in near_misses(item)]
    own = canonical_json(value)
    return [near for near in found if canonical_json(near) != own]


def extremes(schema: Any, value: Any) -> Iterator[JSON]:
    """Variants of ``value`` at and just beyond the limits that ``schema`` sets; ``value`` fits ``schema``."""
    if not isinstance(schema, dict):
        return
    limits = cast("dict[str, Any]", schema)
    yield from limits.get("enum", ())
    for name, beyond in (("minimum", -1), ("maximum", 1)):
        if name in limits:
            yield from (limits[name], limits[name] + beyond)
    if isinstance(value, dict):
        keyed = dict(cast("dict[str, JSON]", value))
        for key, part in limits.get("properties", {}).items():
            yield from ({**keyed, key: extreme} for extreme in extremes(part, keyed.get(key)))
    if isinstance(value, list):
        items = list(cast("list[JSON]", value))
        for i, item in enumerate(items):
            yield from ([*items[:i], extreme, *items[i + 1 :]] for extreme in extremes(limits.get("items"), item))


def scramble(value: Any) -> None:
    """Change every list and mapping inside ``value`` in place."""
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            scramble(item)
        cast("list[Any]", value).append("spoiled")
    elif isinstance(value, dict):
        for item in cast("dict[Any, Any]", value).values():
            scramble(item)
        value["spoiled"] = True
    elif isinstance(value, tuple):
        for item in cast("tuple[Any, ...]", value):
            scramble(item)


def _siblings(value: JSON) -> Iterator[JSON]:
    if isinstance(value, bool):
        yield from (not value, int(value), float(value), str(value), str(value).lower())
    elif isinstance(value, int):
        yield from (str(value), value + 1, value - 1, -value - 1, value + 10**12)
        if abs(value) < 2**53:
            yield float(value)
        if value in (0, 1):
            yield bool(value)
    elif isinstance(value, float):
        yield from (str(value), -value, value + 1, int(value))
    elif isinstance(value, str):
        yield from (f"{value} ", value.swapcase(), value * 2, value[:-1], "")
        if value.lstrip("-").isdecimal():
            yield int(value)
    elif value is None:
        yield from (False, 0, "null", "")
