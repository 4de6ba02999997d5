"""Measures how far the lexicon and the judge agree."""

from collections.abc import Iterator, Mapping, Sequence

import attrs
from arena.metric import MeasurementRow
from arena.tables import Cell, Figure, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.tallies import kappa

from arena_metric_reasoning.move_statistics import ALL_AGENTS, ALL_GAMES, Moves, groups

Place = tuple[str, int | None, int | None]
"""The match, the player in it, and the turn of that player."""


@attrs.frozen(eq=False)
class Compared:
    """The moves of one group with their types by the lexicon, and the judge's answer about each.

    ``answers`` has no entry for a move that was not judged, and ``None`` for an unreadable answer.
    """

    moves: Moves
    answers: Mapping[Place, str | None]

    @property
    def judged(self) -> Moves:
        """The moves that the judge was asked about."""
        return Moves([row for row in self.moves.rows if place(row) in self.answers], self.moves.level)

    @property
    def both(self) -> Moves:
        """The moves with a type by the lexicon and a type by the judge."""
        rows = [row for row in self.moves.rows if self.answers.get(place(row)) is not None]
        return Moves(rows, self.moves.level)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The type by the lexicon and the type by the judge, for each move that has both."""
        return [(str(row.value), str(self.answers[place(row)])) for row in self.both.rows]

    def is_readable(self, row: MeasurementRow) -> bool:
        """Whether the judge's answer about a move is a type."""
        return self.answers.get(place(row)) is not None


def place(row: MeasurementRow) -> Place:
    """The match, player and turn of a row."""
    return row.match, row.player, row.turn


def compared(
    rows: Sequence[MeasurementRow], judged: Sequence[MeasurementRow], level: float
) -> dict[tuple[str, str], Compared]:
    """Join the lexicon's rows and the judge's rows of the same moves, by game and agent."""
    answers = {place(row): None if row.value is None else str(row.value) for row in judged}
    return {key: Compared(moves, answers) for key, moves in groups(rows, level).items()}


def table(found: Mapping[tuple[str, str], Compared]) -> Table:
    """Agreement in per cent and beyond chance (Cohen's kappa)."""
    columns = (
        *text("game", "agent"),
        *counts("moves with reasoning", "not judged", "judged"),
        *shares("unreadable answers"),
        *counts("compared"),
        *shares("agreement"),
        *numbers("Cohen's kappa"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, own in found.items():
        judged, both, pairs = own.judged, own.both, own.pairs
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        lines.append(
            (
                *(*key, len(own.moves.rows), len(own.moves.rows) - len(judged.rows), len(judged.rows)),
                judged.share([not own.is_readable(row) for row in judged.rows]),
                len(pairs),
                both.share([a == b for a, b in pairs]),
                kappa(first, second, clusters=both.blocks, level=both.level, unit=both.unit),
            )
        )
    return Table(title="Agreement of lexicon and judge", columns=columns, rows=tuple(lines))


def confusion(found: Mapping[tuple[str, str], Compared], labels: Sequence[str]) -> Table:
    """How often the judge chose each type for each type of the lexicon, by agent and game."""
    used = _used(found, labels)
    columns = (*text("game", "agent", "by the lexicon"), *counts(*(f"judged {label}" for label in used)))
    lines: list[tuple[Cell, ...]] = []
    for key, own in found.items():
        pairs = own.pairs
        rows = [label for label in labels if any(a == label for a, _ in pairs)]
        lines += [(*key, row, *(pairs.count((row, column)) for column in used)) for row in rows]
    return Table(title="Confusion of lexicon and judge", columns=columns, rows=tuple(lines))


def figures(found: Mapping[tuple[str, str], Compared], labels: Sequence[str]) -> Iterator[Figure]:
    """One confusion matrix per game, summed over its agents."""
    by_game: dict[str, Compared] = {}
    for (game, agent), own in found.items():
        if game != ALL_GAMES and (agent == ALL_AGENTS or game not in by_game):
            by_game[game] = own
    for game, own in by_game.items():
        if pairs := own.pairs:
            used = [label for label in labels if any(label in pair for pair in pairs)]
            yield Figure(
                kind="heat-map",
                title=f"{game}: lexicon and judge",
                x=tuple(used),
                series={row: tuple(float(pairs.count((row, column))) for column in used) for row in used},
                x_title="by the judge",
                y_title="by the lexicon",
                note=f"Moves, n={len(pairs)}.",
            )


def _used(found: Mapping[tuple[str, str], Compared], labels: Sequence[str]) -> list[str]:
    seen = {judged for own in found.values() for _, judged in own.pairs}
    return [label for label in labels if label in seen]
