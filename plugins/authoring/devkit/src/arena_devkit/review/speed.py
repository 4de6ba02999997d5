"""Plays very many matches of a game and measures their speed; runs in a child process."""

from typing import Final

from arena.catalog import InstalledPlugin
from arena_testing import REFERENCE_GAME, ConformanceError
from arena_testing.game import play_many, speed

from arena_devkit.review.examples import reference_games, variants
from arena_devkit.review.fault_findings import finding_of
from arena_devkit.review.findings import Finding, Item, facts_of
from arena_devkit.review.tasks import Task

MOST: Final = 10_000
FEWEST: Final = 100
CPU_S: Final = 60.0
QUICK_CPU_S: Final = 8.0
_MEASURED_S: Final = 1.0
_SLOW: Final = 200
"""Actions per second below which a game is slow: a thousand matches of forty actions take more than three minutes."""


def playouts(task: Task, entry: InstalledPlugin) -> Item:
    """Play up to 10,000 random matches within 60 seconds of CPU time; if quick, up to 100 within 8 seconds."""
    _, game = next(variants(entry))
    most, cpu_s = (FEWEST, QUICK_CPU_S) if task.is_quick else (MOST, CPU_S)
    try:
        report = play_many(game, seed=task.seed, at_most=most, cpu_s=cpu_s)
    except ConformanceError as fault:
        return Item(part="playouts", findings=(finding_of(fault),))
    note = f"{report.playouts:,} matches, {report.steps:,} steps, in {report.cpu_s:g} s; seeds from {task.seed}"
    if report.playouts < FEWEST:
        note += f"; fewer than {FEWEST}, since the time of {cpu_s:g} s was over"
    return Item(part="playouts", note=note, facts=facts_of(report))


def speeds(task: Task, entry: InstalledPlugin) -> Item:
    """Actions per second, beside those of the reference game and of installed games to compare with."""
    _, game = next(variants(entry))
    own = speed(game, min(game.player_counts()), _MEASURED_S)
    beside = {"yardstick": speed(REFERENCE_GAME, 2, _MEASURED_S / 2)}
    for name, other in reference_games():
        beside[name] = speed(other, min(other.player_counts()), _MEASURED_S / 2)
    findings = [Finding.of("slow", f"{own:,.0f} actions a second", is_warning=True)] if own < _SLOW else []
    told = ", ".join(f"{name} {pace:,.0f}" for name, pace in beside.items())
    facts = {"actions_per_s": round(own), "references": {name: round(pace) for name, pace in beside.items()}}
    return Item(part="speed", findings=findings, note=f"{own:,.0f} actions a second; {told}", facts=facts)
