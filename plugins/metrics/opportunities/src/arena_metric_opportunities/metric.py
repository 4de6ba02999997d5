"""The metric ``missed-opportunities``, which counts missed wins, missed blocks and threats in line games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from random import Random
from statistics import pstdev
from typing import Any, ClassVar, cast

import attrs
from arena.chance import Chance
from arena.game import Game
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import derive_rng
from arena.tables import Cell, Column, Estimate, Section, Table
from arena_game_grid.state import GridState
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate
from arena_metric_statistics.references import random_hits, random_mean, random_share
from attrs.validators import ge

from arena_metric_opportunities.opportunity_figures import figures
from arena_metric_opportunities.threats import Counts, follow, judged, looked

PER_MOVE = "per move"
"""What rates without an interval are in."""

MEANING = (
    "A winning cell is one that a player could fill now and that completes a line. A win is missed if the player has "
    "winning cells and fills none of them; a block is missed if it has none, the opponent has some, and it fills none "
    "of those. Opportunities are the denominator; per move is the same number by all valid moves of the agent. Beside "
    "each share stands what one uniform legal move would miss in the same positions. Optimal play takes every win; "
    "where the opponent has two winning cells no block saves the game. Rates of threats stand beside those of random "
    "play against itself. Matches of one rotation block count as one observation."
)


@attrs.frozen(kw_only=True)
class MissedOpportunities(Metric):
    """Missed wins and blocks by opportunity and by move, threats made, lost and given, forks, and first moves.

    For games on a grid in which a line wins; ``threats`` defines what is counted. Only an agent's own valid moves
    count.
    """

    first_moves: int = attrs.field(
        default=5, validator=ge(1), metadata={"help": "how many of an agent's most frequent first moves are shown"}
    )
    reference_matches: int = attrs.field(
        default=200, validator=ge(2), metadata={"help": "random matches for the rates of random play"}
    )

    needs_game: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """The counts and the first move of each of the two players."""
        assert match.game is not None  # ``needs_game`` is true
        original = judged(match.game)
        return () if original is None else looked(match.record, match.game, original)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables by game and agent, beside random play."""
        rows = sorted(
            measurements.rows, key=lambda row: (row.game, str(row.agent), row.match, row.player or 0, row.name)
        )
        counted = _by_agent(rows, "opportunities")
        if not counted:
            text = "There is no match of a game of lines on a grid in which a line wins."
            yield Section(title="Missed opportunities", text=text)
            return
        games = {name: measurements.games[name] for name, _ in counted if name in measurements.games}
        random = {
            name: _random(original, self.reference_matches, measurements.seed)
            for name, game in games.items()
            if (original := judged(game))
        }
        yield Section(
            title="Missed opportunities",
            tables=(
                _missed("Missed wins", "wins", "win_luck", counted, measurements.level, random),
                _missed("Missed blocks", "blocks", "block_luck", counted, measurements.level, random),
                _threats(counted, measurements.level, random),
                _first_moves(_by_agent(rows, "first move"), games, self.first_moves, measurements.level),
            ),
            figures=tuple(figures([row for row in rows if row.name == "opportunities"], measurements)),
            text=f"{MEANING} Random play: {self.reference_matches} matches, both seats together.",
        )


_Counted = Mapping[tuple[str, str], Sequence[MeasurementRow]]


def _by_agent(rows: Iterable[MeasurementRow], name: str) -> dict[tuple[str, str], list[MeasurementRow]]:
    found: dict[tuple[str, str], list[MeasurementRow]] = {}
    for row in rows:
        if row.name == name:
            found.setdefault((row.game, str(row.agent)), []).append(row)
    return found


def _of(rows: Sequence[MeasurementRow], name: str) -> list[float]:
    return [float(cast("Mapping[str, Any]", row.detail)[name]) for row in rows]


def _missed(
    title: str, what: str, by_chance: str, counted: _Counted, level: float, random: Mapping[str, Sequence[Counts]]
) -> Table:
    columns = (
        Column(name="game", title="game"),
        Column(name="agent", title="agent"),
        Column(name="moves", title="moves", style="count"),
        Column(name="opportunities", title="opportunities", style="count"),
        Column(name="missed", title="missed", style="share"),
        Column(name="random", title="random, same positions", style="share"),
        Column(name="optimal", title="optimal", style="count"),
        Column(name="per move", title="missed per move", style="share"),
        Column(name="random per move", title="random play", style="number", unit=PER_MOVE),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game, agent), rows in counted.items():
        blocks = [row.block for row in rows]
        moves, chances, missed = _of(rows, "moves"), _of(rows, what), _of(rows, f"missed_{what}")
        at_random = _of(rows, by_chance)
        there = [i for i, chance in enumerate(chances) if chance]  # only these have a share of missed ones
        among = {"clusters": [blocks[i] for i in there], "level": level}
        lines.append(
            (
                *(game, agent, int(sum(moves)), int(sum(chances))),
                share([missed[i] for i in there], [chances[i] for i in there], **among),
                random_hits([at_random[i] / chances[i] for i in there for _ in range(int(chances[i]))], level=level),
                0,
                share(missed, moves, clusters=blocks, level=level),
                _per_move(random.get(game, ()), f"missed_{what}", len(rows), level),
            )
        )
    return Table(title=title, columns=columns, rows=tuple(lines))


def _threats(counted: _Counted, level: float, random: Mapping[str, Sequence[Counts]]) -> Table:
    names = {"created": "created", "lost": "lost to blocks", "given": "given", "forks": "forks"}
    columns = [Column(name="game", title="game"), Column(name="agent", title="agent")]
    columns.append(Column(name="moves", title="moves", style="count"))
    for name, title in names.items():
        columns.append(Column(name=name, title=f"{title} per move", style="number", unit=PER_MOVE))
        columns.append(Column(name=f"random {name}", title="random play", style="number", unit=PER_MOVE))
    lines: list[tuple[Cell, ...]] = []
    for (game, agent), rows in counted.items():
        moves = _of(rows, "moves")
        cells: list[Cell] = [game, agent, int(sum(moves))]
        for name in names:
            cells.append(rate(_of(rows, name), moves, clusters=[row.block for row in rows], level=level))
            cells.append(_per_move(random.get(game, ()), name, len(rows), level))
        lines.append(tuple(cells))
    note = "Optimal play is not known by these numbers: a strong player may need few threats."
    return Table(title="Threats", columns=tuple(columns), rows=tuple(lines), note=note)


def _per_move(random: Sequence[Counts], name: str, n: int, level: float) -> Estimate | None:
    """How often random play does it for each of its moves, in ``n`` matches of one player."""
    moves = sum(counts.moves for counts in random)
    if not moves:
        return None
    value = sum(getattr(counts, name) for counts in random) / moves
    # The ratio of two sums varies as much as the mean of these, to first order.
    off = [(getattr(counts, name) - value * counts.moves) * len(random) / moves for counts in random]
    deviation = pstdev(off)
    return random_mean(
        value,
        [deviation] * n,
        error=deviation / sqrt(len(random)),
        playouts=len(random),
        level=level,
        bounds=(0.0, None),
    )


def _first_moves(
    moved: Mapping[tuple[str, str], Sequence[MeasurementRow]], games: Mapping[str, Game], most: int, level: float
) -> Table:
    columns = (
        Column(name="game", title="game"),
        Column(name="agent", title="agent"),
        Column(name="move", title="first move"),
        Column(name="matches", title="matches", style="count"),
        Column(name="share", title="share", style="share"),
        Column(name="random", title="random", style="share"),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game, agent), rows in moved.items():
        opening = [row for row in rows if not row.player]
        options = len(games[game].actions(2) or ()) if game in games else 0
        for move, times in Counter(str(row.value) for row in opening).most_common(most):
            hits = [row.value == move for row in opening]
            found = share(hits, clusters=[row.block for row in opening], level=level)
            by_chance = random_share(1 / options, len(opening), 0, level=level) if options else None
            lines.append((game, agent, move, times, found, by_chance))
    note = "Of matches in which the agent opens; second players answer a position, not an empty board."
    return Table(title="First moves", columns=columns, rows=tuple(lines), note=note)


def _random(game: Game, matches: int, seed: int) -> list[Counts]:
    """The counts of both players in each of ``matches`` matches between uniform random players."""
    found: list[Counts] = []
    for number in range(matches):
        state = cast("GridState", game.start(Chance(number), 2)[0])
        rng: Random = derive_rng("missed-opportunities", seed, number)
        both = (Counts(), Counts())
        while acting := state.to_act():
            follow(state, state.decision(acting[0]).sample(rng), both)
        found += both
    return found
