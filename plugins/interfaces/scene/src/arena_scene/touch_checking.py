"""What is wrong with touches: their schema, their bounds, and what they name that is not there."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from arena_scene.checking import MAX_BYTES
from arena_scene.schema import violations

_PLACE: Final = "touches"


@cache
def touches_schema() -> Mapping[str, Any]:
    """The JSON schema of touches, draft 2020-12; shared, so it must not be changed."""
    return json.loads(files("arena_scene").joinpath("touches.schema.json").read_text("utf-8"))


def touches_faults(data: object, elements: Collection[str] | None = None) -> tuple[str, ...]:
    """Everything that keeps ``data`` from being touches that can be offered, one sentence each; none if all is well.

    ``elements`` are what there is to be touched (``element_ids`` of the scene); without them names are not looked up.
    """
    try:
        size = len(json.dumps(data, allow_nan=False, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError) as error:
        return (f"{_PLACE}: is no JSON: {error}",)
    if size > MAX_BYTES:
        return (f"{_PLACE}: has {size} bytes as JSON, at most {MAX_BYTES} are offered",)
    if broken := tuple(violations(data, touches_schema(), _PLACE)):
        return broken
    touches: Any = data
    entries = [*_named("choices", touches), *_named("fills", touches)]
    lost = () if elements is None else _lost(touches, entries, frozenset(elements))
    return (*_unclear(touches, entries), *lost)


def _named(kind: str, touches: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(f"{_PLACE}.{kind}[{index}]", own) for index, own in enumerate(touches.get(kind, ()))]


def _unclear(touches: Mapping[str, Any], entries: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    """Where touching would not say what is meant."""
    menus = Counter[tuple[str, ...]]()
    for place, entry in entries:
        if "action" not in entry and ("do" in entry) == ("query" in entry):
            yield f"{place}: either changes the form ('do') or looks something up ('query')"
        menus[key := (*entry["path"], entry["label"])] += 1
        if menus[key] == 2:
            yield f"{place}: what is called {entry['label']!r} is twice in the menu of {entry['path']}"
    used = {name for _, entry in entries for name in entry["path"]}
    meant = Counter(other for others in touches.get("also", {}).values() for other in others)
    for other, many in meant.items():
        if many > 1 or other in used:
            yield f"{_PLACE}.also: {other!r} means {'several elements' if many > 1 else 'itself and another element'}"


def _lost(
    touches: Mapping[str, Any], entries: Iterable[tuple[str, Mapping[str, Any]]], elements: frozenset[str]
) -> Iterator[str]:
    for _, entry in entries:
        for name in entry["path"]:
            if name not in elements:
                yield f"{entry['label']!r} touches {name!r}, which is no element of the scene"
    for name, others in touches.get("also", {}).items():
        for each in (name, *others):
            if each not in elements:
                yield f"{_PLACE}.also: {each!r} is no element of the scene"
