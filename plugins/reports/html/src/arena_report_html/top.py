"""What the first screen of a page shows: who is better, one chart, the ranking, who played, and how to do it again."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import attrs
from arena.tables import Column, Table
from arena_report import ChartMark, Report, headline_parts, pair_table, ranking_chart, ranking_table, score_table

from arena_report_html.charting import Chart, Mark, chart_of

_DIGEST: Final = 12


@attrs.frozen
class Top:
    """The parts of the first screen; empty where a report has no verdict."""

    parts: tuple[str, ...]
    when: str
    sentences: tuple[str, ...]
    game_sentences: tuple[str, ...]
    chart: Chart | None
    rankings: tuple[Table, ...]
    scores: Table | None
    pairs: Table | None
    players: Table | None
    doubts: tuple[str, ...]


def top_of(report: Report) -> Top:
    """The first screen of a report's page."""
    verdict, head = report.verdict, report.headline
    part = next((part for part in verdict.parts if len(part.rows) > 1), None)
    return Top(
        parts=headline_parts(head) if verdict.sentences else (),
        when=head.when[:16].replace("T", " "),
        sentences=verdict.sentences,
        game_sentences=(*verdict.factor_sentences, *verdict.game_sentences),
        chart=_chart(report),
        rankings=tuple(ranking_table(each, verdict.level) for each in verdict.parts if len(each.rows) > 1),
        scores=score_table(verdict),
        pairs=pair_table(part, verdict) if part is not None and part.pairs else None,
        players=_players(report.settings, report.configurations),
        doubts=verdict.doubts,
    )


def _chart(report: Report) -> Chart | None:
    """The number by which agents are ranked, with its interval."""
    ranked = ranking_chart(report)
    if ranked is None:
        return None
    return chart_of(ranked.title, [_mark(each) for each in ranked.marks], list(ranked.lines), ranked.digits)


def _mark(each: ChartMark) -> Mark:
    return Mark(name=each.name, value=each.value, low=each.low, high=each.high, n=each.n)


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
