"""Nim with heaps that people know, under names that are made of them: offered by hook, not one by one."""

from collections.abc import Mapping

from arena.hookspecs import hookimpl
from arena.plugin import Plugin

HEAPS = ((3, 4, 5), (1, 3, 5, 7), (2, 3, 4, 5, 6))


@hookimpl
def arena_games() -> Mapping[str, Plugin]:
    """Each set of heaps in normal and in misère play: ``nim-3-4-5``, ``nim-3-4-5-misere``."""
    return {
        f"nim-{'-'.join(map(str, heaps))}{'-misere' if misere else ''}": Plugin(
            factory="nim.nim:Nim",
            summary=f"Nim with heaps of {', '.join(map(str, heaps))}{', in misère play' if misere else ''}",
            preset={"heaps": list(heaps), "misere": misere},
            licence="Apache-2.0",
        )
        for heaps in HEAPS
        for misere in (False, True)
    }
