"""Figure 6: the scores of Hanabi by number of players, with quartiles, beside those of people."""

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.errors import ConfigError
from arena.tables import Cell, Figure, Section, Table
from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import Floats
from arena_metric_statistics.proportions import share
from arena_metric_statistics.resampling import bootstrap

from arena_suite_spin_bench.hanabi import quartiles
from arena_suite_spin_bench.results import SpinResults, players_of
from arena_suite_spin_bench.shipped_numbers import HIGHEST, random_play

PEOPLE: Final = "people"
_COLUMNS: Final = ("players", "score")
_BANDS: Final = ((0, 0), (1, 5), (6, 10), (11, 15), (16, 20), (21, 25))
_NUMBERS: Final = (2, 3, 4, 5)

_TEXT: Final = (
    "Five cards a hand with two to four players, four with five; one agent in all seats. A match whose last life is "
    "lost scores 0. The paper shows scores of people as a picture alone: the parameter people of the metric spin-bench "
    "names a file of such scores, and the agent hanabi-rules can stand beside models in their place."
)


def scores_of_people(path: str) -> dict[int, list[float]]:
    """People's scores by number of players, from a CSV file with the columns ``players`` and ``score``.

    ``ConfigError`` says what is wrong with the file, and in which line.
    """
    found: dict[int, list[float]] = {}
    try:
        with Path(path).expanduser().open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
                raise ConfigError(f"people: {path}: expected the columns players and score, {missing[0]!r} is missing")
            for row in reader:
                players, score = _numbers_of(row, f"people: {path}:{reader.line_num}")
                found.setdefault(players, []).append(score)
    except OSError as error:
        raise ConfigError(f"people: {path}: cannot be read ({error.strerror}); name a CSV file") from error
    return found


def _numbers_of(row: Mapping[str, str | None], where: str) -> tuple[int, float]:
    try:
        players, score = int(row["players"] or ""), float(row["score"] or "")
    except ValueError as error:
        raise ConfigError(f"{where}: expected a number of players and a score, got {dict(row)!r}") from error
    if players not in _NUMBERS or not 0 <= score <= HIGHEST:
        raise ConfigError(f"{where}: expected 2 to 5 players and a score from 0 to 25, got {players} and {score:g}")
    return players, score


def hanabi_section(results: SpinResults, people: Mapping[int, Sequence[float]]) -> Section:
    """Figure 6 as a table of quartiles, and as a figure for each number of players."""
    title = "SPIN-Bench: Hanabi"
    if not results.hanabi():
        return Section(title=title, text="Not measured: Figure 6 (suite:spin-hanabi).")
    rows: list[tuple[Cell, ...]] = []
    figures: list[Figure] = []
    for players in _NUMBERS:
        scores = _scores(results, people, players)
        for agent, own in scores.items():
            rows.append((players, agent, *_cells(own, results)))
        random = random_play(f"hanabi-{players}", results.level)
        rows.append((players, "random play", None if random is None else random.n, random, *[None] * 5))
        rows.append((players, "highest score", None, HIGHEST, *[None] * 5))
        if scores:
            figures.append(_distribution(players, scores, results.level))
    columns = (
        *counts("players"),
        *text("agent"),
        *counts("matches"),
        *numbers("mean", "least", "lower quartile", "median", "upper quartile", "most"),
    )
    note = "The lower quartile, the median and the upper quartile part the scores into four parts of equal size."
    table = Table(title="Figure 6: scores of Hanabi", columns=columns, rows=tuple(rows), note=note)
    return Section(title=title, tables=(table,), figures=tuple(figures), text=_TEXT)


def _scores(results: SpinResults, people: Mapping[int, Sequence[float]], players: int) -> dict[str, Sequence[float]]:
    """The scores of each agent with so many players, and those of people last."""
    found: dict[str, Sequence[float]] = {}
    for agent in results.agents:
        if own := [float(r.value or 0) for r in results.hanabi(agent) if players_of(r) == players]:
            found[agent] = own
    return {**found, **({PEOPLE: people[players]} if people.get(players) else {})}


def _cells(scores: Sequence[float], results: SpinResults) -> tuple[Cell, ...]:
    level, seed = results.level, results.measurements.seed
    parts = [bootstrap(scores, _quartile(k), method="percentile", level=level, seed=seed) for k in range(3)]
    whole = mean(scores, level=level, bounds=(0.0, HIGHEST))
    return (len(scores), whole, min(scores), *parts, max(scores))


def _quartile(number: int) -> Callable[[Floats], float]:
    return lambda rows: float(quartiles([float(score) for score in rows.ravel()])[number])


def _distribution(players: int, scores: Mapping[str, Sequence[float]], level: float) -> Figure:
    return Figure(
        kind="stacked-bar",
        title=f"Figure 6: scores of Hanabi with {players} players",
        x=tuple(f"{agent} (n={len(own)})" for agent, own in scores.items()),
        series={
            str(low) if low == high else f"{low} to {high}": tuple(
                share([low <= score <= high for score in own], level=level) for own in scores.values()
            )
            for low, high in _BANDS
        },
        y_title="share of matches",
        note="; ".join(
            f"{agent}: quartiles {', '.join(f'{q:g}' for q in quartiles(own))}" for agent, own in scores.items()
        ),
    )
