"""The figures of a report with their file names, and the one chart that comes first: how agents are ranked."""

import re
from collections.abc import Iterator

import attrs
from arena.tables import Cell, Estimate, Figure

from arena_report.content.contract import Report
from arena_report.content.run_facts import REFERENCES
from arena_report.verdict.values import Ends, RankedAgent, Verdict

_LONGEST = 80


def named_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Yield each figure of the report's sections in order, with its file name (``NUMBER-TITLE``, no extension).

    All numbers of a report have equally many digits, so file names sort in the order of the report.
    """
    figures = [figure for section in report.sections for figure in section.figures]
    for number, figure in enumerate(figures, 1):
        yield f"{number:0{len(str(len(figures)))}}-{_file_name(figure.title)}", figure


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
    """The chart of a report: ratings, else mean returns, else shares of points; ``None`` where nothing is ranked."""
    verdict = report.verdict
    ranking = verdict.ranking
    lines = tuple(_lines(report, verdict))
    if any(each.rating is not None or each.interval != (None, None) for each in ranking):
        marks = [_mark(each, each.rating, each.interval) for each in ranking]
        return RankingChart(title="Rating", unit="points", digits=0, marks=tuple(marks), lines=lines)
    has_shares = any(each.score is not None for each in ranking)
    if any(each.mean_return is not None for each in ranking) and any(each.score is None for each in ranking):
        unit = next((each.unit for each in ranking if each.unit), "")
        marks = [_mark(each, each.mean_return, each.mean_interval) for each in ranking]
        title = f"Mean return, {unit}" if unit else "Mean return"
        return RankingChart(title=title, unit=unit, digits=2, marks=tuple(marks), lines=lines)
    if not has_shares:
        return None
    marks = [_mark(each, _percent(each.score), _ends(verdict, each)) for each in ranking]
    title = "Share of points, in per cent"
    return RankingChart(title=title, unit="%", digits=0, marks=tuple(marks), lines=lines, least=0.0, greatest=100.0)


def _ends(verdict: Verdict, each: RankedAgent) -> Ends:
    """The interval of an agent's share where two agents alone were compared."""
    if len(verdict.pairs) != 1 or len(verdict.ranking) != 2 or verdict.by_game:
        return None, None
    pair = verdict.pairs[0] if verdict.pairs[0].a == each.agent else verdict.pairs[0].turned()
    return _percent(pair.score_interval[0]), _percent(pair.score_interval[1])


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _mark(each: RankedAgent, value: float | None, ends: Ends) -> ChartMark:
    return ChartMark(name=each.agent, value=value, low=ends[0], high=ends[1], n=each.matches)


def _lines(report: Report, verdict: Verdict) -> list[tuple[str, float]]:
    """Random and optimal play, where they are on the scale of the chart."""
    found = [(each.agent, each.rating) for each in verdict.ranking if each.reference and each.rating is not None]
    if found or verdict.by_game or not any(each.score is None for each in verdict.ranking):
        return found
    tables = [table for section in report.facts for table in section.tables if table.title == REFERENCES]
    rows = tables[0].rows if len(tables) == 1 else ()
    if len({row[0] for row in rows}) != 1:
        return []
    columns = {column.name: i for i, column in enumerate(tables[0].columns)}
    said: list[tuple[str, float]] = []
    for name in ("random", "optimal"):
        values = [_number(row[columns[name]]) for row in rows]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            said.append((name, sum(known) / len(known)))
    return said


def _number(cell: Cell) -> float | None:
    if isinstance(cell, Estimate):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None
