"""What the first screen of a page shows: who is better, one chart, the ranking, who played, and how to do it again."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import attrs
from arena.tables import Cell, Column, Estimate, Table
from arena_report import RankedAgent, Report, Verdict, headline_parts, pair_table, ranking_table

from arena_report_html.charting import Chart, Mark, chart_of

REFERENCES: Final = "What random and optimal play earn"
"""The title of the table in a report that has what random and optimal play earn."""

_DIGEST: Final = 12


@attrs.frozen
class Top:
    """The parts of the first screen; empty where a report has no verdict."""

    parts: tuple[str, ...]
    when: str
    sentences: tuple[str, ...]
    game_sentences: tuple[str, ...]
    chart: Chart | None
    ranking: Table | None
    scores: Table | None
    pairs: Table | None
    players: Table | None
    doubts: tuple[str, ...]


def top_of(report: Report) -> Top:
    """The first screen of a report's page."""
    verdict, head = report.verdict, report.headline
    has_several = len(verdict.ranking) > 1
    return Top(
        parts=headline_parts(head) if verdict.sentences else (),
        when=head.when[:16].replace("T", " "),
        sentences=verdict.sentences,
        game_sentences=verdict.game_sentences,
        chart=_chart(report),
        ranking=ranking_table(verdict) if has_several else None,
        scores=verdict.scores,
        pairs=pair_table(verdict) if verdict.pairs else None,
        players=_players(report.settings, report.configurations),
        doubts=verdict.doubts,
    )


def _chart(report: Report) -> Chart | None:
    """Wins, draws and losses of two agents in one game that counts them, else the number by which agents are ranked."""
    verdict = report.verdict
    pair = verdict.pairs[0] if len(verdict.pairs) == 1 and len(verdict.ranking) == 2 else None
    if pair is not None and pair.measure == "elo" and not verdict.by_game:
        low, high = pair.score_interval
        ends = None if low is None and high is None else (0.0 if low is None else low, 1.0 if high is None else high)
        counts = ((f"{pair.a} won", pair.won), ("drawn", pair.drawn), (f"{pair.b} won", pair.lost))
        return Chart.of_parts(f"{pair.a} against {pair.b}", counts, ends)
    marks, title, digits = _marks(verdict)
    if not marks:
        return None
    return chart_of(title, marks, _lines(report, verdict), digits)


def _marks(verdict: Verdict) -> tuple[list[Mark], str, int]:
    ranking = verdict.ranking
    if any(each.rating is not None or each.interval != (None, None) for each in ranking):
        return [_mark(each, each.rating, each.interval) for each in ranking], "Rating", 0
    if any(each.mean_return is not None for each in ranking) and any(each.score is None for each in ranking):
        unit = next((each.unit for each in ranking if each.unit), "")
        title = f"Mean return, {unit}" if unit else "Mean return"
        return [_mark(each, each.mean_return, each.mean_interval) for each in ranking], title, 2
    if any(each.score is not None for each in ranking):
        shares = [(each, None if each.score is None else 100 * each.score) for each in ranking]
        return [_mark(each, share, (None, None)) for each, share in shares], "Share of points, in per cent", 0
    return [], "", 0


def _mark(each: RankedAgent, value: float | None, ends: tuple[float | None, float | None]) -> Mark:
    return Mark(name=each.agent, value=value, low=ends[0], high=ends[1], n=each.matches)


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


def _players(settings: Mapping[str, Any], digests: Mapping[str, Mapping[str, str]]) -> Table | None:
    """Each agent with its plugin, model, prompt style, temperature and the digest of its configuration."""
    names = ("agent", "plugin", "model", "prompt style", "temperature", "configuration")
    rows = list(
        dict.fromkeys(row for label, plain in settings.items() for row in _of_run(plain, digests.get(label, {})))
    )
    if not rows:
        return None
    used = [i for i in range(len(names)) if any(row[i] for row in rows)]
    help_ = "the first digits of the digest by which a leaderboard knows it: equal ones are configured alike"
    columns = [Column(name=names[i], title=names[i], help=help_ if names[i] == "configuration" else "") for i in used]
    return Table(title="Who played", columns=tuple(columns), rows=tuple(tuple(row[i] for i in used) for row in rows))


def _of_run(plain: Any, digests: Mapping[str, str]) -> Iterable[tuple[str, ...]]:
    agents = _table(_table(plain).get("agents"))
    for name, entry in agents.items():
        own = _table(entry) or {"use": entry}
        backend, prompt = own.get("backend"), _table(own.get("prompt"))
        model = _table(backend).get("model") or own.get("model") or (backend if isinstance(backend, str) else "")
        temperature = _first(_table(backend).get("temperature"), own.get("temperature"))
        digest = digests.get(name, "").removeprefix("sha256:")[:_DIGEST]
        style = prompt.get("style", "")
        yield name, str(own.get("use", "")), str(model or ""), _said(style), _said(temperature), digest


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _said(value: Any) -> str:
    return "" if value is None else str(value) if not isinstance(value, Mapping) else "own"


def _table(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
