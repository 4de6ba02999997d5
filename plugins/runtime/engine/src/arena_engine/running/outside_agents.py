"""Writes into a run's journal which agents somebody outside plays, so that it is known without their plugins."""

from typing import Any, Final, cast

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import JournalReader

OUTSIDE: Final = "outside"
"""The metadata key; there is none in a run without such agents."""


def record_outside(journal: Journal, benchmark: Benchmark) -> None:
    """Write down which agents of a benchmark somebody outside plays, if there are any."""
    names = sorted(name for name, entry in benchmark.agents.items() if entry.agent.outside is not None)
    if names:
        journal.set_metadata(OUTSIDE, names)


def watched_outside(journal: JournalReader) -> frozenset[str]:
    """The ids of matches in which somebody outside played while the host saw all of them."""
    watched, outside = journal.watched(), outside_agents(journal)
    if not watched:
        return watched
    return frozenset(plan.id for plan in journal.plans() if plan.id in watched and outside & set(plan.agents))


def outside_agents(journal: JournalReader) -> frozenset[str]:
    """The agents of a run that somebody outside plays, by their names."""
    names: Any = journal.metadata(OUTSIDE)
    return frozenset(map(str, cast("list[Any]", names))) if isinstance(names, list) else frozenset()
