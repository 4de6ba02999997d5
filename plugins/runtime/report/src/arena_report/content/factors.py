"""Finds the factors of a sweep: in what agents that were made of one entry differ, and which level each has."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from arena.record import canonical_json
from arena_engine import Variant

ENTRY: Final = "agent"
"""The factor whose levels are the entries themselves, where several were swept alike."""


def factors_of(variants: Mapping[str, Variant]) -> dict[str, dict[str, str]]:
    """The level of each swept agent by factor; empty without a sweep of agents.

    A factor is a parameter that has several values among agents made of one entry. The entries are a factor, too, where
    at least two were swept.
    """
    entries: dict[str, dict[str, Variant]] = defaultdict(dict)
    for name, variant in variants.items():
        entries[variant.entry][name] = variant
    swept = {entry: own for entry, own in entries.items() if len(own) > 1}
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for own in swept.values():
        for key in sorted({key for variant in own.values() for key in variant.levels}):
            levels = {name: _word(variant, key) for name, variant in own.items()}
            if len(set(levels.values())) > 1:
                found[key].update(levels)
    if len(swept) > 1:
        found[ENTRY] = {name: entry for entry, own in swept.items() for name in own}
    return dict(found)


def _word(variant: Variant, key: str) -> str:
    value = variant.levels.get(key)
    return "default" if value is None else value if isinstance(value, str) else canonical_json(value)
