"""Finds the factors of a sweep: in what agents that were made of one entry differ, and which level each has."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from arena.record import canonical_json
from arena_engine import unswept_name

from arena_report.metrics.runs import ReportedRun

ENTRY: Final = "agent"
"""The factor whose levels are the entries themselves, where several were swept alike."""

_UNTOLD: Final = frozenset({"tags"})


def factors_of(runs: Iterable[ReportedRun]) -> dict[str, dict[str, str]]:
    """The level of each swept agent by factor; empty without a sweep of agents.

    A factor is a parameter that has several values among agents made of one entry. The entries are a factor, too, where
    at least two were swept.
    """
    variants: dict[str, dict[str, Mapping[str, str]]] = defaultdict(dict)
    for run in runs:
        agents = run.settings.get("agents")
        for name, entry in cast("Mapping[str, Any]", agents).items() if isinstance(agents, Mapping) else ():
            if unswept_name(name) != name and isinstance(entry, Mapping):
                named = run.agents.get(name, name)
                variants[unswept_name(name)][named] = dict(_flat(cast("Mapping[str, Any]", entry), ""))
    swept = {entry: own for entry, own in variants.items() if len(own) > 1}
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for own in swept.values():
        keys = {key for parameters in own.values() for key in parameters}
        for key in sorted(keys):
            levels = {name: parameters.get(key, "default") for name, parameters in own.items()}
            if len(set(levels.values())) > 1:
                found[key].update(levels)
    if len(swept) > 1:
        found[ENTRY] = {name: entry for entry, own in swept.items() for name in own}
    return dict(found)


def _flat(entry: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key, value in entry.items():
        if not path and key in _UNTOLD:
            continue
        if isinstance(value, Mapping):
            yield from _flat(cast("Mapping[str, Any]", value), f"{path}{key}.")
        else:
            yield f"{path}{key}", value if isinstance(value, str) else canonical_json(value)
