"""The metric ``competition``, with the figures and tables of grid-game competitions."""

from collections.abc import Iterable, Sequence
from typing import Final

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import MatchRecord, Player
from arena.tables import Cell, Section, Table
from arena.turns import data_of
from arena_command_leaderboard.journals import seats_of
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.several_answers import AS_SET, STRICT, STRICTLY, is_last_of_several, readings

from arena_suite_grid_games.competition_figures import move_figures, outcome_figures
from arena_suite_grid_games.pools import SEATS, Pool, pools

_STRICTLY: Final = "strictly_invalid"
"""The invalid moves of a match if answers are read by the rule alone, not as the agent was set."""

_TAKEN: Final = "taken"
"""The invalid moves of a match to a place that is taken."""

_MEANING = (
    "Shares are of all matches in the seat. A disqualification is no win for the opponent; a match that needs more "
    "moves than the limit is cut off. The reference is legal random play against itself; random play over all cells is "
    "among the agents where the benchmark has it."
)


@attrs.frozen
class CompetitionMetric(Metric):
    """Outcomes by seat, moves and invalid moves per match, and a leaderboard over all games.

    Only matches of two players count.
    """

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """The outcome, moves and invalid moves of each of two players."""
        if len(match.record.agents) == 2:
            for p, seat in enumerate(seats_of(match.record)):
                more = {
                    _TAKEN: _taken(match.record, p),
                    _STRICTLY: seat.invalid + _several(match.record, p),
                }
                detail = attrs.asdict(seat) | more
                yield Measurement(name="seat", value=seat.wins, player=Player(p), detail=detail)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables and figures by game, then over all games."""
        rows = [
            row for row in measurements.rows_named("seat") if measurements.forfeits != "without" or not row.is_forfeited
        ]
        if not rows:
            yield Section(title="Competition", text="There is no match of two players to report.")
            return
        own = sorted(pools(rows, measurements), key=lambda pool: (pool.game, pool.form, pool.agent))
        everywhere = pools([attrs.evolve(row, game="all games") for row in rows], measurements)
        everywhere.sort(key=lambda pool: (pool.form, -pool.rate("wins"), pool.agent))
        tables = (_leaderboard(everywhere), _outcomes(own))
        yield Section(title="Competition", text=_MEANING, tables=tables, figures=tuple(outcome_figures(own)))
        yield Section(title="Moves and invalid moves", tables=(_moves(own),), figures=tuple(move_figures(own)))


def _taken(match: MatchRecord, player: int) -> int:
    return sum(data_of(event).get("rule") == _TAKEN for event in match.refused() if event.player == player)


def _several(match: MatchRecord, player: int) -> int:
    return sum(is_last_of_several(event) for event in match.played() if event.player == player)


def _leaderboard(own: Sequence[Pool]) -> Table:
    columns = (
        *text("form", "agent"),
        *counts("matches"),
        *shares("won 1st", "won 2nd", "disqualified", "drawn", "invalid moves"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            *(pool.form, pool.agent, len(pool.rows), pool.seat(0).share("wins"), pool.seat(1).share("wins")),
            *(pool.share("disqualifications"), pool.share("draws"), pool.invalid()),
        )
        for pool in own
    ]
    return Table(title="Leaderboard over all games", columns=columns, rows=tuple(rows))


def _outcomes(own: Sequence[Pool]) -> Table:
    columns = (
        *text("game", "form", "agent", "seat"),
        *shares("won", "random wins"),
        *counts("wins", "draws", "put out", "cut off"),
    )
    rows: list[tuple[Cell, ...]] = []
    for pool in own:
        for seat, name in enumerate(SEATS):
            there = pool.seat(seat)
            if there.rows:
                kinds = ("wins", "draws", "disqualifications", "cancelled")
                numbers_ = (there.share("wins"), pool.random(seat), *map(there.count, kinds))
                rows.append((pool.game, pool.form, pool.agent, name, *numbers_))
    return Table(title="Outcomes by seat", columns=columns, rows=tuple(rows))


def _moves(own: Sequence[Pool]) -> Table:
    strict = [pool for pool in own if pool.count(_STRICTLY) > pool.count("invalid")]
    columns = (
        *text("game", "form", "agent"),
        *(readings() if strict else ()),
        *numbers("moves per match", "invalid moves per match", "already taken per match"),
        *shares("invalid moves 1st", "invalid moves 2nd"),
    )
    rows: list[tuple[Cell, ...]] = []
    for pool in own:
        key = (pool.game, pool.form, pool.agent)
        rows.append((*key, *((AS_SET,) if strict else ()), *_moved(pool, "invalid")))
        if pool in strict:
            rows.append((*key, STRICT, *_moved(pool, _STRICTLY)))
    note = "Moves are all that the agent tried in a match, invalid ones included."
    return Table(title="Moves", columns=columns, rows=tuple(rows), note=f"{note} {STRICTLY}" if strict else note)


def _moved(pool: Pool, invalid: str) -> tuple[Cell, ...]:
    return (
        *(pool.per_match("moves"), pool.per_match(invalid), pool.per_match(_TAKEN)),
        *(pool.seat(0).invalid(invalid), pool.seat(1).invalid(invalid)),
    )
