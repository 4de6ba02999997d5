"""Plays each seating of a run more often than its benchmark said, with everything else as it was."""

from collections.abc import Iterable
from pathlib import Path

from arena.catalog import Catalog
from arena.errors import ConfigError

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.trust import trusting
from arena_engine.journal.journal import Journal
from arena_engine.running.planning import plan_matches
from arena_engine.running.recorded_benchmark import open_benchmark
from arena_engine.running.runner import check_changes, extend_run


def enlarge_run(
    directory: Path, repeats: int, catalog: Catalog, overrides: Iterable[str] = ()
) -> tuple[Journal, Benchmark]:
    """Open a run for ``play_run`` in which each seating is played ``repeats`` times; what was played stays.

    ``overrides`` are those of ``resume_run``, and what the run names is run as there. ``ConfigError`` where that adds
    no match, or the schedule has no repeats.
    """
    changes = (*check_changes(overrides), f"schedule.repeats={repeats}")
    with trusting(code=True, pickle=True):
        with Journal.open(directory) as begun:
            benchmark = open_benchmark(begun, catalog, overrides=changes)
            planned = {plan.id for plan in begun.plans()}
        if all(plan.id in planned for plan in plan_matches(benchmark)):
            raise ConfigError(f"--repeats {repeats}: the run has {len(planned):,} matches, and this adds none")
        return extend_run(directory, benchmark), benchmark
