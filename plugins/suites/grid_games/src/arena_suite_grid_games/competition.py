"""The metric ``competition``, with the figures and tables of grid-game competitions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Estimate, Figure, Section, Table
from arena_command_leaderboard.journals import apart, seats_of
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.several import AS_SET, STRICT, STRICTLY, is_last_of_several, readings
from arena_metric_statistics.means import mean, ratio
from arena_metric_statistics.proportions import share, wilson

_SEATS: Final = ("1st", "2nd")

_STRICTLY: Final = "strictly_invalid"
"""The invalid moves of a match if answers are read by the rule alone, not as the agent was set."""

_BARS: Final = {"won": "wins", "disqualified": "disqualifications"}

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
                several = sum(is_last_of_several(e) for e in match.record.played() if e.player == p)
                detail = attrs.asdict(seat) | {_STRICTLY: seat.invalid + several}
                yield Measurement(name="seat", value=seat.wins, player=Player(p), detail=detail)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables and figures by game, then over all games."""
        rows = [
            row for row in measurements.rows_named("seat") if measurements.forfeits != "without" or not row.is_forfeited
        ]
        if not rows:
            yield Section(title="Competition", text="There is no match of two players to report.")
            return
        pools = sorted(_pools(rows, measurements), key=lambda pool: (pool.game, pool.form, pool.agent))
        everywhere = _pools([attrs.evolve(row, game="all games") for row in rows], measurements)
        everywhere.sort(key=lambda pool: (pool.form, -pool.rate("wins"), pool.agent))
        parts = sorted({(pool.game, pool.form) for pool in pools})
        figures = [
            figure
            for part in parts
            for figure in _figures(" in ".join(part), [p for p in pools if (p.game, p.form) == part])
        ]
        tables = (_leaderboard(everywhere), _outcomes(pools))
        yield Section(title="Competition", text=_MEANING, tables=tables, figures=tuple(figures[::2]))
        yield Section(title="Moves and invalid moves", tables=(_moves(pools),), figures=tuple(figures[1::2]))


def _pools(rows: Iterable[MeasurementRow], table: Measurements) -> list["_Pool"]:
    """The rows of each agent in each game and form of observation.

    A match belongs to the form of the agent that a sweep varied the form of.
    """
    found: dict[tuple[str, str, str], list[MeasurementRow]] = {}
    for row in rows:
        forms = dict.fromkeys(form.removeprefix("grid-") for _, form in map(apart, row.agents) if form)
        found.setdefault((row.game, "+".join(forms) or "-", apart(str(row.agent))[0]), []).append(row)
    return [_Pool(*key, own, table) for key, own in found.items()]


@attrs.frozen(eq=False)
class _Pool:
    """One agent's matches in one form, in one game or in all."""

    game: str
    form: str
    agent: str
    rows: Sequence[MeasurementRow]
    table: Measurements

    def seat(self, seat: int) -> "_Pool":
        return attrs.evolve(self, rows=[row for row in self.rows if row.player == seat])

    def values(self, name: str) -> list[float]:
        return [float(cast("Mapping[str, Any]", row.detail)[name]) for row in self.rows]

    def rate(self, name: str) -> float:
        values = self.values(name)
        return sum(values) / len(values) if values else 0.0

    def share(self, name: str) -> Estimate | None:
        if not self.rows:
            return None
        hits = [bool(value) for value in self.values(name)]
        return share(hits, clusters=[row.block for row in self.rows], level=self.table.level)

    def count(self, name: str) -> int:
        return int(sum(self.values(name)))

    def per_match(self, name: str) -> Estimate:
        blocks = [row.block for row in self.rows]
        return mean(self.values(name), clusters=blocks, level=self.table.level, bounds=(0.0, None))

    def invalid(self, name: str = "invalid") -> Estimate | None:
        tried = [
            (i, m, row.block) for i, m, row in zip(self.values(name), self.values("moves"), self.rows, strict=True) if m
        ]
        if not tried:
            return None
        invalid, moves, blocks = zip(*tried, strict=True)
        return ratio(invalid, moves, clusters=blocks, level=self.table.level, bounds=(0.0, 1.0))

    def random(self, seat: int) -> Estimate | None:
        reference = self.table.baselines.get(self.game)
        if reference is None or len(reference.random_wins) != len(_SEATS):
            return None
        wins, n = reference.random_wins[seat], reference.random_n
        low, high = wilson(wins * n, n, level=self.table.level)
        return Estimate(value=wins, n=n, low=low, high=high, level=self.table.level, unit="playouts", method="Wilson")


def _leaderboard(pools: Sequence[_Pool]) -> Table:
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
        for pool in pools
    ]
    return Table(title="Leaderboard over all games", columns=columns, rows=tuple(rows))


def _outcomes(pools: Sequence[_Pool]) -> Table:
    columns = (
        *text("game", "form", "agent", "seat"),
        *shares("won", "random wins"),
        *counts("wins", "draws", "put out", "cut off"),
    )
    rows: list[tuple[Cell, ...]] = []
    for pool in pools:
        for seat, name in enumerate(_SEATS):
            own = pool.seat(seat)
            if own.rows:
                kinds = ("wins", "draws", "disqualifications", "cancelled")
                numbers_ = (own.share("wins"), pool.random(seat), *map(own.count, kinds))
                rows.append((pool.game, pool.form, pool.agent, name, *numbers_))
    return Table(title="Outcomes by seat", columns=columns, rows=tuple(rows))


def _moves(pools: Sequence[_Pool]) -> Table:
    strict = [pool for pool in pools if pool.count(_STRICTLY) > pool.count("invalid")]
    columns = (
        *text("game", "form", "agent"),
        *(readings() if strict else ()),
        *numbers("moves per match", "invalid moves per match"),
        *shares("invalid moves 1st", "invalid moves 2nd"),
    )
    rows: list[tuple[Cell, ...]] = []
    for pool in pools:
        key = (pool.game, pool.form, pool.agent)
        rows.append((*key, *((AS_SET,) if strict else ()), *_moved(pool, "invalid")))
        if pool in strict:
            rows.append((*key, STRICT, *_moved(pool, _STRICTLY)))
    note = "Moves are all that the agent tried in a match, invalid ones included."
    return Table(title="Moves", columns=columns, rows=tuple(rows), note=f"{note} {STRICTLY}" if strict else note)


def _moved(pool: _Pool, invalid: str) -> tuple[Cell, ...]:
    return (
        *(pool.per_match("moves"), pool.per_match(invalid)),
        *(pool.seat(0).invalid(invalid), pool.seat(1).invalid(invalid)),
    )


def _figures(part: str, pools: Sequence[_Pool]) -> Iterable[Figure]:
    agents = tuple(pool.agent for pool in pools)
    bars = {
        f"{word} {name}": tuple(pool.seat(seat).count(kind) / len(pool.rows) for pool in pools)
        for word, kind in _BARS.items()
        for seat, name in enumerate(_SEATS)
    }
    yield Figure(
        kind="stacked-bar",
        title=f"Outcomes by seat: {part}",
        x=agents,
        series={**bars, "drawn": tuple(pool.count("draws") / len(pool.rows) for pool in pools)},
        y_title="share of all matches",
    )
    yield Figure(
        kind="bar",
        title=f"Moves per match: {part}",
        x=agents,
        series={
            "moves": tuple(pool.per_match("moves") for pool in pools),
            "invalid moves": tuple(pool.per_match("invalid") for pool in pools),
        },
        y_title="per match",
    )
