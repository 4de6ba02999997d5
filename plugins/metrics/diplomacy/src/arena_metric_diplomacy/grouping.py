"""Groups measured rows by game and agent, references after agents, in an order that does not depend on the rows'."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

from arena.metric import MeasurementRow, Measurements

RANDOM: Final = "random play"
"""The name of random play in tables."""

GREEDY: Final = "greedy play"
"""The name in tables of what the agent diplomacy-greedy plays."""

REFERENCES: Final = (RANDOM, GREEDY)


def detail(row: MeasurementRow) -> Any:
    """The detail of a row, which is a mapping in these metrics."""
    return cast("Any", row.detail)


def number(row: MeasurementRow) -> float:
    """The value of a row, which is a number in these metrics."""
    return float(cast("float", row.value))


def blocks(rows: Iterable[MeasurementRow]) -> list[str]:
    """The label of the independent unit of each row: matches that share their deals."""
    return [row.block for row in rows]


def wanted(measurements: Measurements) -> list[MeasurementRow]:
    """The rows that count, sorted: those of forfeited matches are left out where that was asked for."""
    rows = [row for row in measurements.rows if measurements.forfeits != "without" or not row.is_forfeited]
    return sorted(rows, key=_place)


def grouped(
    rows: Iterable[MeasurementRow], key: Callable[[MeasurementRow], tuple[str, ...]]
) -> dict[tuple[str, ...], list[MeasurementRow]]:
    """The rows by a key of names, such as game and agent; references stand behind agents."""
    found: dict[tuple[str, ...], list[MeasurementRow]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return dict(sorted(found.items(), key=lambda each: [(part in REFERENCES, part) for part in each[0]]))


def by_agent(rows: Iterable[MeasurementRow]) -> dict[tuple[str, ...], list[MeasurementRow]]:
    """The rows of each agent in each game."""
    return grouped(rows, lambda row: (row.game, str(row.agent)))


def games(rows: Sequence[MeasurementRow]) -> dict[str, int]:
    """The games of rows, with their numbers of players."""
    return {row.game: len(row.agents) for row in rows}


def _place(row: MeasurementRow) -> tuple[Any, ...]:
    return (row.game, row.match, row.name, -1 if row.player is None else row.player, str(row.turn), str(row.detail))
