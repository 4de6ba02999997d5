"""The standings as tables: the ranking, the scores by game, and the pairs; every format shows these."""

from collections.abc import Callable, Sequence

from arena.tables import Cell, Column, Estimate, Table
from arena_standings import (
    ELO,
    Ends,
    Mean,
    Pair,
    Part,
    Row,
    Standings,
    ends_text,
    lead_text,
    number,
    rating_text,
    signed_text,
)

from arena_report.content.contract import RunHeadline
from arena_report.content.forecast_table import duration

SEEN = 0.05
"""From this share of an agent's matches on, it is shown how many its own answers ended."""


def standing_tables(standings: Standings) -> tuple[Table, ...]:
    """The tables that have a row: the rankings of two agents or more, the scores by game, and the pairs."""
    several = [part for part in standings.parts if len(part.rows) > 1]
    scores = score_table(standings)
    tables = [ranking_table(part, standings.level) for part in several]
    tables += [scores] if scores else []
    return (*tables, *(pair_table(part, standings) for part in several if part.pairs))


def ranking_table(part: Part, level: float, title: str = "Ranking") -> Table:
    """A row for each agent in order: group, possible ranks, rating or mean with its interval, and what happened.

    What no agent has is no column.
    """
    rows = part.rows
    columns = [_count("group"), _text("rank", "#"), _text("agent", "agent")]
    cells: list[list[Cell]] = [[row.group, row.rank, row.agent] for row in rows]

    def add(column: Column, values: Sequence[Cell]) -> None:
        if any(value not in (None, "", 0) for value in values):
            columns.append(column)
            for own, value in zip(cells, values, strict=True):
                own.append(value)

    between = f"{100 * level:.4g} %"
    if part.unit == ELO:
        add(Column(name="rating", title="rating", style="number"), [_whole(row.rating) for row in rows])
    else:
        add(_text("mean", part.unit), ["" if row.mean is None else number(row.mean.value) for row in rows])
    add(_text("interval", between), [interval_text(row, part) for row in rows])
    if any(row.won + row.drawn + row.lost for row in rows):
        add(_text("record", "won–drawn–lost"), [f"{row.won:,}–{row.drawn:,}–{row.lost:,}" for row in rows])
    if any(row.share_refused > SEEN for row in rows):
        help_ = "the share of matches that the agent's own invalid answers ended"
        column = Column(name="invalid", title="ended invalid", help=help_)
        add(column, [f"{100 * row.share_refused:.0f} %" for row in rows])
        add(_text("by-play", "# by play"), ["" if row.by_play is None else str(row.by_play) for row in rows])
    add(_count("matches"), [row.matches for row in rows])
    return Table(title=title, columns=tuple(columns), rows=tuple(map(tuple, cells)))


def pair_table(part: Part, standings: Standings, title: str = "Pairs", pairs: Sequence[Pair] | None = None) -> Table:
    """A row for each pair: what happened, the lead with its interval, and whether they are apart.

    Unless ``pairs`` are given they are those that have a line: all of few agents, else neighbours in the order.
    """
    columns = (
        *(_text("pair", "pair"), _text("record", "won–drawn–lost"), _text("lead", "lead")),
        *(_text("interval", f"{100 * standings.level:.4g} %"), _text("separated", "told apart")),
    )
    rows = tuple(
        (f"{pair.a} – {pair.b}", record_text(pair), lead_text(pair.lead, part.unit), pair_ends(pair, part), told(pair))
        for pair in (part.shown_pairs if pairs is None else pairs)
    )
    return Table(title=title, columns=columns, rows=rows, note=" ".join(standings.footnotes))


def score_table(standings: Standings) -> Table | None:
    """One row for each agent, one column for each game: the share of points, or the mean in the game's unit.

    ``None`` with a single game.
    """
    if not standings.by_game:
        return None
    columns = [Column(name="agent", title="agent")]
    found: dict[str, dict[str, Mean]] = {}
    for game, parts in standings.by_game.items():
        rows = [row for part in parts for row in part.rows]
        is_mean = any(row.mean is not None for row in rows)
        unit = next((part.unit for part in parts), "") if is_mean else "share of points"
        columns.append(Column(name=game, title=game, style="number" if is_mean else "share", help=unit))
        for row in rows:
            value = row.mean or row.score
            if value is not None:
                found.setdefault(row.agent, {})[game] = value
    order = [row.agent for row in standings.rows]
    rows = tuple(
        (agent, *(_estimate(found.get(agent, {}).get(game), standings.level) for game in standings.by_game))
        for agent in order
    )
    note = "Shares are of points: a win 1, a draw one half. Between equals they are 50 %."
    has_shares = any(column.style == "share" for column in columns)
    return Table(title="score", columns=tuple(columns), rows=rows, note=note if has_shares else "")


def _estimate(mean: Mean | None, level: float) -> Cell:
    if mean is None:
        return None
    low, high = mean.interval
    return Estimate(value=mean.value, n=mean.n, low=low, high=high, level=level, unit="blocks", method=mean.remark)


def headline_parts(head: RunHeadline) -> tuple[str, ...]:
    """What was played, part by part: matches, turns, illegal answers, models, and money if any was paid."""
    told = _matches(head.matches)
    if head.planned > head.matches:
        told = f"{head.matches:,} of {_matches(head.planned)}"
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


def interval_text(row: Row, part: Part) -> str:
    """The interval of a row: of its rating, or of its mean; ``reference`` where others are held against it."""
    if part.unit != ELO:
        return "" if row.mean is None else ends_text(row.mean.interval, number)
    return "reference" if row.is_reference else ends_text(row.interval, rating_text)


def pair_ends(pair: Pair, part: Part) -> str:
    """The interval of a lead; empty where none was asked for."""
    return ends_text(pair.interval, _signed(part.unit)) if pair.has_interval else ""


def record_text(pair: Pair) -> str:
    """What happened where two agents met: won, drawn and lost, and how many of them were disqualifications."""
    if not pair.matches:
        return ""
    return f"{pair.record} ({pair.refused:,} disqualified)" if pair.refused else pair.record


def told(pair: Pair) -> str:
    """Whether two agents are told apart, or about what would show it."""
    if pair.separated:
        return "yes"
    return "no" if pair.more is None else f"about {pair.more:,} more match{'' if pair.more == 1 else 'es'}"


def _signed(unit: str) -> Callable[[float], str]:
    return lambda value: signed_text(value, unit)


def interval_of(row: Row, part: Part) -> Ends:
    """The interval of a row as numbers."""
    return row.interval if part.unit == ELO else row.mean.interval if row.mean else (None, None)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


def _text(name: str, title: str) -> Column:
    return Column(name=name, title=title)


def _count(name: str) -> Column:
    return Column(name=name, title=name, style="count")
