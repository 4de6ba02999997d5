"""The verdict as tables, for documents: the ranking, the pairs, and the scores by game."""

from collections.abc import Callable, Sequence

from arena.tables import Cell, Column, Table

from arena_report.content.forecast_table import duration
from arena_report.verdict.values import Ends, RankedAgent, RunHeadline, Verdict, VerdictPair
from arena_report.verdict.words import number, played, points, with_sign


def verdict_tables(verdict: Verdict) -> tuple[Table, ...]:
    """The tables that have a row: the ranking of two agents or more, the scores by game, and the pairs."""
    scores = (verdict.scores,) if verdict.scores else ()
    tables = (ranking_table(verdict), *scores) if len(verdict.ranking) > 1 else scores
    return (*tables, pair_table(verdict)) if verdict.pairs else tables


def ranking_table(verdict: Verdict) -> Table:
    """A row for each agent in the order of rank; what no agent has is no column."""
    ranking = verdict.ranking
    columns = [_text("rank", "#"), _text("agent", "agent")]
    cells: list[list[Cell]] = [[ranks_text(each), each.agent] for each in ranking]

    def add(column: Column, values: Sequence[Cell]) -> None:
        if any(value not in (None, "") for value in values):
            columns.append(column)
            for row, value in zip(cells, values, strict=True):
                row.append(value)

    level = f"{100 * verdict.level:.4g} %"
    if any(each.rating is not None or each.reference for each in ranking):
        add(Column(name="rating", title="rating", style="number"), [_whole(each.rating) for each in ranking])
        add(_text("interval", level), [each.reference or ends_text(each.interval, _whole_text) for each in ranking])
    elif any(each.score is None for each in ranking):
        unit = next((each.unit for each in ranking if each.unit), "mean return")
        add(_text("mean", unit), ["" if each.mean_return is None else number(each.mean_return) for each in ranking])
        add(_text("interval", level), [ends_text(each.mean_interval, number) for each in ranking])
    add(Column(name="score", title="score", style="share"), [_share(each) for each in ranking])
    for name in ("won", "drawn", "lost"):
        counts = [int(getattr(each, name)) for each in ranking]
        add(_count(name), counts if any(counts) else [])
    add(_count("matches"), [each.matches for each in ranking])
    add(_count("blocks"), [each.blocks for each in ranking])
    return Table(title="Ranking", columns=tuple(columns), rows=tuple(map(tuple, cells)))


def pair_table(verdict: Verdict) -> Table:
    """A row for each pair that has a line: record, lead with its interval, and what is settled."""
    columns = (
        *(_text("pair", "pair"), _text("record", "won–lost–drawn"), _text("lead", "lead")),
        *(_text("interval", f"{100 * verdict.level:.4g} %"), _text("settled", "settled")),
    )
    rows = tuple(
        (f"{pair.a} – {pair.b}", _record(pair), lead_text(pair), ends_text(pair.interval, _signed(pair)), _told(pair))
        for pair in verdict.shown_pairs
    )
    return Table(title="Pairs", columns=columns, rows=rows, note=" ".join(verdict.footnotes))


def headline_parts(head: RunHeadline) -> tuple[str, ...]:
    """What was played, part by part: matches, turns, illegal answers, models, and money if any was paid."""
    told = played(head.matches, head.matches)
    if head.planned > head.matches:
        told = f"{head.matches:,} of {played(head.planned, head.planned)}"
    parts = [told if head.seconds is None else f"{told} in {duration(head.seconds)}"]
    if head.turns:
        share = head.illegal_turns / head.turns
        digits = 0 if head.turns < 1_000 else 1
        illegal = f"illegal answers in {100 * share:.{digits}f} % of turns" if share else "no illegal answers"
        parts += [f"{head.turns:,} turn{'' if head.turns == 1 else 's'}", illegal]
    parts.append(", ".join(head.models) if head.models else "no model asked")
    if head.cost_usd:
        parts.append(f"${head.cost_usd:,.2f}" if head.cost_usd >= 0.01 else "less than $0.01")
    return tuple(parts)


def ranks_text(each: RankedAgent) -> str:
    """The rank, or the ranks from the best to the worst that nothing contradicts."""
    best, worst = each.ranks
    return str(best) if best == worst else f"{best}–{worst}"


def lead_text(pair: VerdictPair) -> str:
    """The lead of the first agent with its unit, or the bound where nothing else is known."""
    if pair.difference is None:
        return ""
    return f"{_signed(pair)(pair.difference)} {pair.unit}"


def ends_text(ends: Ends, shown: Callable[[float], str]) -> str:
    """An interval as one text, with an open end as a bound; empty without any end."""
    low, high = ends
    if low is None:
        return "" if high is None else f"≤ {shown(high)}"
    return f"≥ {shown(low)}" if high is None else f"[{shown(low)}, {shown(high)}]"


def _record(pair: VerdictPair) -> str:
    return pair.record if pair.measure == "elo" else played(pair.matches, pair.matches)


def _told(pair: VerdictPair) -> str:
    if pair.settled:
        return "yes"
    return "no" if pair.more_matches is None else f"about {pair.more_matches:,} more matches"


def _signed(pair: VerdictPair) -> Callable[[float], str]:
    return with_sign if pair.measure == "return" else points


def _share(each: RankedAgent) -> str:
    return "" if each.score is None else f"{100 * each.score:.{0 if each.matches < 1_000 else 1}f} %"


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _whole_text(value: float) -> str:
    return f"{value:.0f}"


def _text(name: str, title: str) -> Column:
    return Column(name=name, title=title)


def _count(name: str) -> Column:
    return Column(name=name, title=name, style="count")
