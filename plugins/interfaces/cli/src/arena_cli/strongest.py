"""Who plays against a person who names nobody: the strongest installed agent that can play the game."""

from collections.abc import Callable, Iterator
from typing import Final

from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import ConfigError
from arena_engine.benchmark.benchmark import Benchmark

RANKED: Final = 100
"""Agents whose descriptors give a lower ``order`` say how strongly they play: 10 without a mistake, 90 barely."""

ANYTHING: Final = "random"
"""The agent that plays every game."""


def strongest(catalog: Catalog, build: Callable[[str], Benchmark]) -> tuple[str, Benchmark]:
    """The strongest installed agent with which ``build`` makes a benchmark, and that benchmark.

    Where none that says how strongly it plays fits the game, random play does; ``ConfigError`` if not even that.
    """
    for entry in _ranked(catalog):
        try:
            return entry.name, build(entry.name)
        except ConfigError:  # it cannot play this game
            continue
    return ANYTHING, build(ANYTHING)


def _ranked(catalog: Catalog) -> Iterator[InstalledPlugin]:
    usable = (entry for entry in catalog.entries("agent") if entry.plugin and entry.status is Status.OK)
    ranked = [
        (entry.plugin.order, entry.name, entry) for entry in usable if entry.plugin and entry.plugin.order < RANKED
    ]
    return (entry for _, _, entry in sorted(ranked, key=lambda each: each[:2]))
