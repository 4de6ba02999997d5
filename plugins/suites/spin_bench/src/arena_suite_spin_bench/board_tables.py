"""Tables 4, 7 and 8 and Figure 7: ratings, illegal moves, games against solvers, and ranks of choices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import arena_standings
import attrs
from arena.metric import MeasurementRow
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_metric_optimality import ranking
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_ratings import elo
from arena_metric_ratings.contests import PLACE, contests
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate
from arena_standings import CENTRE, Contest, GameKind, Row

from arena_suite_spin_bench.draws import SolverDraws
from arena_suite_spin_bench.main_table import MEASURED, PUBLISHED, REFERENCE, last_of_several
from arena_suite_spin_bench.results import BOARDS, SHORT, SpinResults, blocks
from arena_suite_spin_bench.runs_together import BOARD
from arena_suite_spin_bench.shipped_numbers import published, random_play

_KIND: Final = GameKind(kind="wins", chance=False)
"""The three board games are won, and nothing in them is dealt or drawn."""


def board_section(results: SpinResults) -> Section:
    """Tables 4, 7 and 8, games by opponent, and Figure 7 as figures and as a table; what was not measured is named."""
    title, found = "SPIN-Bench: board games", {agent for _, agent, _ in _own(results, BOARD)}
    if not found:
        told = "Not measured: Tables 4, 7 and 8 and Figure 7 (suite:spin-solvers, suite:spin-round-robin)."
        return Section(title=title, text=told)
    chosen = _choices(results)
    tables = [_ratings(results), _illegal(results), _draws(results), *_by_opponent(results)]
    if chosen:
        made = ranking.shares(results.measurements, chosen)
        tables.append(attrs.evolve(made, title="Figure 7: shares of ranks", note=f"{made.note} Optimal play: all 1."))
    hindered = [f"{board}: {why}" for board in BOARDS[1:] if (why := results.unranked(board))]
    told = f"Choices that could not be ranked, {'; '.join(hindered)}." if hindered else ""
    figures = (_numbered(figure, chosen) for figure in ranking.figures(results.measurements, chosen))
    return Section(title=title, tables=tuple(t for t in tables if t.rows), figures=tuple(figures), text=told)


def _own(results: SpinResults, name: str) -> Iterator[tuple[str, str, list[MeasurementRow]]]:
    """The measurements of one name by board game and agent, where there are any."""
    for board in BOARDS:
        rows = results.of_board(board, name)
        for agent in results.agents:
            if own := [row for row in rows if row.agent == agent]:
                yield board, agent, own


def _by_agent(
    results: SpinResults, cells: Mapping[tuple[str, str], Sequence[Cell]], width: int
) -> list[tuple[Cell, ...]]:
    """One line for each agent with the cells of the three board games side by side."""
    agents = [agent for agent in results.agents if any((board, agent) in cells for board in BOARDS)]
    nothing = [None] * width
    return [(a, MEASURED, *(c for board in BOARDS for c in cells.get((board, a), nothing))) for a in agents]


def _wide(*makers: tuple[Callable[[str], tuple[Column, ...]], str]) -> tuple[Column, ...]:
    """Columns of the same kinds for each board game."""
    made = (column for board in BOARDS for make, name in makers for column in make(f"{name} {SHORT[board]}"))
    return (*text("agent", "row"), *made)


def _ratings(results: SpinResults) -> Table:
    cells: dict[tuple[str, str], Sequence[Cell]] = {}
    parts: list[str] = []
    for board in BOARDS:
        rows = [row for row in results.of_board(board, PLACE) if set(row.agents) <= set(results.agents)]
        played = contests(rows)
        met = [
            Contest(
                game=board, block=c.block, agents=c.agents, returns=tuple(-float(p) for p in c.places), match=c.match
            )
            for c in played
        ]
        connected = [
            part
            for part in arena_standings.standings_of(met, {board: _KIND}, random=(), level=results.level).parts
            if len(part.rows) > 1
        ]
        if len(connected) > 1:
            parts.append(f"In {board} the agents fall into groups that never met; ratings compare within a group only.")
        for part in connected:
            batch = elo.batch(contest for contest in played if contest.agents[0] in part.agents)
            for each in part.rows:
                cells[board, each.agent] = (_rating(each, results.level), batch[each.agent], each.matches)
    rows_shown = _by_agent(results, cells, 3)
    for row in published("table-4") if rows_shown else ():
        rows_shown.append((row["system"], PUBLISHED, *(c for b in BOARDS for c in (None, row.get(b), None))))
    note = (
        "Matches between agents alone, without solvers. Rating: that by which reports rank, with the mean of all at "
        "1,000; it is finite for who won or lost everything. "
        "Batch: the procedure of SPIN-Bench's code, as the published numbers; it depends on the order of pairs and "
        "has no interval. Ratings are relative to the agents of their own table: published ones and ours cannot be "
        "compared. Random play is among them if an agent plays at random. "
    )
    columns = _wide((numbers, "rating"), (numbers, "batch"), (counts, "games"))
    return Table(
        title="Table 4: ratings", columns=columns, rows=tuple(rows_shown), note=(note + " ".join(parts)).strip()
    )


def _rating(row: Row, level: float) -> Cell:
    """The rating of the standings on the scale of the paper, whose agents begin at 1,000."""
    if row.rating is None:
        return None
    low, high = (None if end is None else end - CENTRE + elo.START for end in row.interval)
    return Estimate(
        value=row.rating - CENTRE + elo.START, n=row.matches, low=low, high=high, level=level, method="standings"
    )


def _illegal(results: SpinResults) -> Table:
    cells: dict[tuple[str, str], Sequence[Cell]] = {}
    for board, agent, own in _own(results, "refusals"):
        details = [cast("Mapping[str, Any]", row.detail) for row in own]
        refused = [float(row.value or 0) for row in own]
        turns = [float(detail["turns"]) for detail in details]
        lost = [row.player in row.at_fault for row in own]
        cells[board, agent] = (
            rate(refused, turns, clusters=blocks(own), level=results.level),
            share(lost, clusters=blocks(own), level=results.level),
            sum(map(last_of_several, details)),
        )
    rows = _by_agent(results, cells, 3)
    rows.append(("random and optimal play", REFERENCE, *[0.0, 0.0, 0] * len(BOARDS)))
    for row in published("table-7"):
        parts = ((row.get(f"turns-{board}"), row.get(f"lost-{board}"), None) for board in BOARDS)
        rows.append((row["system"], PUBLISHED, *(cell for part in parts for cell in part)))
    note = (
        "IMT: answers that could not be played, in per cent of turns; IML: games lost by them, in per cent, whatever "
        "was wrong with the answers. Last: actions that only the rule plays by which the last answer counts. The "
        "paper prints fractions under headings in per cent, and leaves out IML of tic-tac-toe since all are 0."
    )
    columns = _wide((shares, "IMT"), (shares, "IML"), (counts, "last"))
    return Table(title="Table 7: illegal moves", columns=columns, rows=tuple(rows), note=note)


def _draws(results: SpinResults) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for agent in results.agents:
        own = {board: results.against(board, agent) for board in BOARDS}
        if any(own.values()):
            rows.append((agent, MEASURED, *(_drawn(own[board], results.level) for board in BOARDS)))
    if not rows:
        return Table(title="", columns=(), rows=())
    rows.append(("random play", REFERENCE, *(random_play(f"draws-{board}", results.level) for board in BOARDS)))
    rows.append(("optimal play", REFERENCE, 1.0, None, None))
    rows += [(r["system"], PUBLISHED, *(r[board] / 100 for board in BOARDS)) for r in published("table-8")]
    note = (
        "Chess: against all levels of the engine together. Connect four is won by who begins, so optimal play draws "
        "none. Published rows are of 10 games, of chess of 4 at a level."
    )
    columns = (*text("agent", "row"), *shares(*SHORT.values()))
    return Table(title="Table 8: draws against solvers", columns=columns, rows=tuple(rows), note=note)


def _drawn(rows: Sequence[MeasurementRow], level: float) -> Cell:
    return share([row.detail == "draw" for row in rows], clusters=blocks(rows), level=level) if rows else None


def _by_opponent(results: SpinResults) -> Iterator[Table]:
    """Wins, draws and losses against each opponent, as the metric ``solver-draws`` shows them."""
    table = attrs.evolve(results.measurements, rows=results.rows)
    for section in SolverDraws(solvers=results.opponents.all).summarize(table):
        yield from (attrs.evolve(each, title="Table 8: by opponent") for each in section.tables)


def _choices(results: SpinResults) -> dict[tuple[str, str], Sequence[MeasurementRow]]:
    pairs = ((board, agent) for board in BOARDS[1:] for agent in results.agents)
    return {(board, agent): own for board, agent in pairs if (own := results.choices(board, agent))}


def _numbered(figure: Figure, chosen: Mapping[tuple[str, str], Sequence[MeasurementRow]]) -> Figure:
    """The figure under its number in the paper, with n beside the agents."""
    board = figure.title.partition(":")[0]
    named = tuple(f"{x} (n={len(chosen[board, str(x)])})" if (board, x) in chosen else x for x in figure.x)
    note = f"{figure.note}. n: choices. Optimal play: rank 1 always. Intervals: in the table."
    return attrs.evolve(figure, title=f"Figure 7: {board}, ranks of choices", x=named, note=note)
