"""Parts of a review in the process of their own: very many playouts, and how fast they are."""

from typing import Final

import attrs

from arena.catalog import Entry
from arena.review.building import reference_games, variants
from arena.review.findings import Finding, Item
from arena.review.process import Task
from arena.testing.conformance import ConformanceError
from arena.testing.playouts import play_many, speed
from arena.testing.yardstick import YARDSTICK

MOST: Final = 10_000
FEWEST: Final = 100
CPU_S: Final = 60.0
_MEASURED_S: Final = 1.0
_SLOW: Final = 200
"""Actions per second below which a game is slow: a thousand matches of forty actions take more than three minutes."""


def playouts(task: Task, entry: Entry) -> Item:
    """Play at most 10,000 random matches in 60 seconds of processor time, and at least 100; the fewest if quick."""
    _, game = next(variants(entry))
    most, cpu_s = (FEWEST, 0.0) if task.is_quick else (MOST, CPU_S)
    try:
        report = play_many(game, seed=task.seed, at_least=FEWEST, at_most=most, cpu_s=cpu_s)
    except ConformanceError as fault:
        return Item(part="playouts", findings=(Finding.of(fault.check, str(fault)),))
    note = f"{report.playouts:,} matches, {report.waves:,} waves, in {report.cpu_s:g} s; seeds from {task.seed}"
    return Item(part="playouts", note=note, facts=attrs.asdict(report))


def speeds(task: Task, entry: Entry) -> Item:
    """Actions per second, beside the yardstick and the installed games that others are held against."""
    _, game = next(variants(entry))
    own = speed(game, min(game.player_counts()), _MEASURED_S)
    beside = {"yardstick": speed(YARDSTICK, 2, _MEASURED_S / 2)}
    for name, other in reference_games():
        beside[name] = speed(other, min(other.player_counts()), _MEASURED_S / 2)
    findings = [Finding.of("slow", f"{own:,.0f} actions a second", is_warning=True)] if own < _SLOW else []
    told = ", ".join(f"{name} {pace:,.0f}" for name, pace in beside.items())
    facts = {"actions_per_s": round(own), "references": {name: round(pace) for name, pace in beside.items()}}
    return Item(part="speed", findings=findings, note=f"{own:,.0f} actions a second; {told}", facts=facts)
