"""Draws the 12×12 table of the topology as a map; each game is a square with four quarters."""

from collections.abc import Callable, Sequence

from arena.tables import Figure, Section
from arena_game_two_by_two.topology import OrdinalGame, at

from arena_metric_equilibria.answers import AnswerGroup
from arena_metric_equilibria.scores import frequencies

SIDE = 12

TEXT = (
    "Each square is a game with its four combinations, upper left (A1, B1) to lower right (A2, B2). Quadrants are "
    "layers: 4 upper left, 1 upper right, 3 lower left, 2 lower right. Symmetric games, which have names, lie on the "
    "counter-diagonal; exchanging the players reflects the map in it."
)

Measure = Callable[[OrdinalGame, int], float | None]
"""The number to show for a game's combination 1 to 4, or ``None`` for an empty quarter."""


def map_section(groups: Sequence[AnswerGroup]) -> Section:
    """The map of the equilibria, and for each agent maps of how often it named each combination and how wrongly."""
    figures = [_map("Standard", lambda game, number: float(number in game.matrix.equilibria))]
    for group in groups:
        named = _named(group)
        figures.append(_map(f"{group.agent}, {group.form}: named", named))
        figures.append(_map(f"{group.agent}, {group.form}: too often and too seldom", _wrong(named)))
    return Section(title="Maps of the 2×2 games", figures=tuple(figures), text=TEXT)


def _named(group: AnswerGroup) -> Measure:
    shares = frequencies(group.answers)
    return lambda game, number: float(shares[game.id][number - 1]) if game.id in shares else None


def _wrong(named: Measure) -> Measure:
    def wrong(game: OrdinalGame, number: int) -> float | None:
        value = named(game, number)
        return None if value is None else value - (number in game.matrix.equilibria)

    return wrong


def _map(title: str, measure: Measure) -> Figure:
    table = [[at(row, column) for column in range(1, SIDE + 1)] for row in range(1, SIDE + 1)]
    return Figure(
        kind="heat-map",
        title=title,
        x=tuple(f"{column}.{half}" for column in range(1, SIDE + 1) for half in (1, 2)),
        series={
            f"{row}.{half + 1}": tuple(
                measure(game, 2 * half + other + 1) for game in table[row - 1] for other in (0, 1)
            )
            for row in range(1, SIDE + 1)
            for half in (0, 1)
        },
        x_title="column and choice of B",
        y_title="row and choice of A",
        blocks=(2, SIDE),
        labels=tuple(game.name if game.is_symmetric else game.id for games in table for game in games),
    )
