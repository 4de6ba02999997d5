"""The figures of a report with their file names, and the one chart that comes first: how agents are ranked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import Final

import attrs
from arena.tables import Cell, Estimate, Figure
from arena_standings import CENTRE, ELO, Ends, Row

from arena_report.content.contract import Report
from arena_report.content.run_facts import REFERENCES
from arena_report.formats.standing_tables import interval_of

_LONGEST = 80

_COLOURS: Final = 8

_OUTCOMES: Final = {
    **dict.fromkeys(("won", "wins", "win"), 0),
    **dict.fromkeys(("drawn", "draws", "draw"), 7),
    **dict.fromkeys(("lost", "losses", "loss"), 5),
}


def named_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Yield each figure of the report's sections in order, with its file name (``NUMBER-TITLE``, no extension).

    All numbers of a report have equally many digits, so file names sort in the order of the report.
    """
    figures = [figure for section in report.sections for figure in section.figures]
    for number, figure in enumerate(figures, 1):
        yield f"{number:0{len(str(len(figures)))}}-{_file_name(figure.title)}", figure


def series_places(names: Iterable[str]) -> list[int]:
    """The place of each series in a list of eight colours or more; equal figures read alike.

    What was won, drawn and lost has the same places in every figure: those of blue, grey and red in Okabe and Ito's
    order. Others take the places that are left.
    """
    known = [_OUTCOMES.get(name.lower()) for name in names]
    others = cycle([place for place in range(_COLOURS) if place not in known])
    return [next(others) if place is None else place for place in known]


def _file_name(title: str) -> str:
    """Return the title in letters, digits and hyphens, short enough for any file system."""
    words = re.sub(r"\W+", "-", title.lower(), flags=re.ASCII).strip("-")
    return words[:_LONGEST].rstrip("-") or "figure"


@attrs.frozen(kw_only=True)
class ChartMark:
    """One agent: a value over ``n`` matches with its interval, whose open ends are ``None``."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int


@attrs.frozen(kw_only=True)
class RankingChart:
    """Marks in the order of the ranking, and lines across them: what is drawn, whatever draws it.

    ``digits`` stand behind the point. ``least`` and ``greatest`` are the ends of the scale where it has ends.
    """

    title: str
    unit: str
    digits: int
    marks: tuple[ChartMark, ...]
    lines: tuple[tuple[str, float], ...] = ()
    least: float | None = None
    greatest: float | None = None


def ranking_chart(report: Report) -> RankingChart | None:
    """The chart of a report: the ratings, or what agents earned in the one unit of their game.

    ``None`` where nothing is ranked. Agents that never met the others are not in it.
    """
    part = next((part for part in report.verdict.parts if len(part.rows) > 1), None)
    if part is None:
        return None
    if part.unit == ELO:
        marks = [_mark(row, row.rating, row.interval) for row in part.rows]
        lines = ((part.reference, CENTRE),) if part.reference else ()
        return RankingChart(title="Rating", unit="Elo points", digits=0, marks=tuple(marks), lines=lines)
    marks = [_mark(row, row.mean.value if row.mean else None, interval_of(row, part)) for row in part.rows]
    lines = tuple(_references(report, part.games))
    title = f"Mean return, {part.unit}"
    return RankingChart(title=title, unit=part.unit, digits=2, marks=tuple(marks), lines=lines)


def _mark(row: Row, value: float | None, ends: Ends) -> ChartMark:
    return ChartMark(name=row.agent, value=value, low=ends[0], high=ends[1], n=row.matches)


def _references(report: Report, games: Sequence[str]) -> Iterator[tuple[str, float]]:
    """What random and optimal play earn in the one game of a chart, on average over the seats."""
    tables = [table for section in report.facts for table in section.tables if table.title == REFERENCES]
    rows = [row for row in tables[0].rows if row[0] in games] if len(tables) == 1 else []
    columns = {column.name: i for i, column in enumerate(tables[0].columns)} if rows else {}
    for name in ("random", "optimal") if rows else ():
        values = [_number(row[columns[name]]) for row in rows]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            yield name, sum(known) / len(known)


def _number(cell: Cell) -> float | None:
    if isinstance(cell, Estimate):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None
