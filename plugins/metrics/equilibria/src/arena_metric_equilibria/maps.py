"""Draws the 12×12 table of the topology as a map; each game is a square with four quarters."""

from collections.abc import Callable, Mapping, Sequence

import attrs
from arena.metric import Measurements
from arena.tables import BlockNames, Estimate, Figure, Outline, Section
from arena_game_two_by_two.topology import COLUMNS, GAMES, ROWS, OrdinalGame, at
from arena_metric_statistics.proportions import share

from arena_metric_equilibria.answers import AnswerGroup
from arena_metric_equilibria.scores import Answer, with_equilibria

SIDE = 12

TEXT = (
    "Each square is a game with its four combinations, upper left (A1, B1) to lower right (A2, B2). Quadrants are "
    "layers: 4 upper left, 1 upper right, 3 lower left, 2 lower right; game lrc stands in layer l at r and c. "
    "Symmetric games, whose names stand at the right of their rows, lie on the dashed counter-diagonal; exchanging the "
    "players reflects the map in it. The boxes hold the games without equilibrium. Standard: 1 is an equilibrium. "
    "Practical: the share of the readable answers that name the combination; games without one stay empty. "
    "Inconsistency: practical less standard, blue if named too often, red if too seldom."
)

SHARE = (0.0, 1.0)
"""The limits of the colours of shares."""

DIFFERENCE = (-1.0, 1.0)
"""The limits of the colours of differences between shares."""

Measure = Callable[[OrdinalGame, int], "float | Estimate | None"]
"""The number to show for a game's combination 1 to 4, or ``None`` for an empty quarter."""


def map_section(groups: Sequence[AnswerGroup], table: Measurements) -> Section:
    """For each agent the standard map, and for each form how often each combination was named, and the difference."""
    by_agent: dict[str, list[AnswerGroup]] = {}
    for group in groups:
        by_agent.setdefault(group.agent, []).append(group)
    figures = [_maps(own, table) for own in by_agent.values()]
    return Section(title="Maps of the 2×2 games", figures=tuple(figures), text=TEXT)


def standard_map(title: str = "standard") -> Figure:
    """The map of the equilibria."""
    return topology_map(title, lambda game, number: float(number in game.matrix.equilibria), SHARE, unit="equilibria")


def topology_map(
    title: str, measure: Measure, limits: tuple[float, float], *, unit: str = "", names: BlockNames | None = None
) -> Figure:
    """A map of the 144 games with layers, names, the counter-diagonal and the boxes without equilibrium.

    ``names`` stand outside of it in the place of the numbers r and c, ``unit`` is that of numbers without interval.
    """
    table = [[at(row, column) for column in range(1, SIDE + 1)] for row in range(1, SIDE + 1)]
    return Figure(
        kind="heat-map",
        title=title,
        x=tuple(f"column {column}, B{half}" for column in range(1, SIDE + 1) for half in (1, 2)),
        series={
            f"row {row}, A{half + 1}": tuple(
                measure(game, 2 * half + other + 1) for game in table[row - 1] for other in (0, 1)
            )
            for row in range(1, SIDE + 1)
            for half in (0, 1)
        },
        x_title="c in layers 4 and 3, then 1 and 2",
        y_title="r in layers 4 and 1, below 3 and 2",
        blocks=(2, SIDE),
        labels=tuple(game.name if game.is_symmetric else game.id for games in table for game in games),
        unit=unit,
        block_names=names
        or BlockNames(
            columns=tuple(map(str, (*COLUMNS, *COLUMNS))),
            rows=tuple(map(str, (*ROWS, *ROWS))),
            ends=tuple(at(row, SIDE + 1 - row).name for row in range(1, SIDE + 1)),
        ),
        limits=limits,
        outlines=(Outline(name="players exchanged", points=((0, 2 * SIDE), (2 * SIDE, 0))), *map(_box, (4, 2))),
    )


def _maps(groups: Sequence[AnswerGroup], table: Measurements) -> Figure:
    """The maps of one agent; those of several forms say which they are of."""
    beside: list[Figure] = []
    for group in groups:
        named = _named(group.answers, table.level)
        of = f"{group.form}: " if len(groups) > 1 else ""
        beside.append(topology_map(f"{of}practical", named, SHARE))
        beside.append(topology_map(f"{of}inconsistency (practical − standard)", _wrong(named), DIFFERENCE))
    forms = ", ".join(group.form for group in groups)
    return attrs.evolve(standard_map(f"{groups[0].agent}, {forms}: standard"), beside=tuple(beside))


def _named(answers: Mapping[str, Sequence[Answer]], level: float) -> Measure:
    def named(game: OrdinalGame, number: int) -> Estimate | None:
        given = [answer for answer in answers.get(game.id, ()) if answer is not None]
        return share([number in answer for answer in given], level=level, unit="answers") if given else None

    return named


def _wrong(named: Measure) -> Measure:
    def wrong(game: OrdinalGame, number: int) -> Estimate | None:
        found = named(game, number)
        if not isinstance(found, Estimate) or found.value is None:
            return None
        right = float(number in game.matrix.equilibria)
        value, low, high = (None if end is None else end - right for end in (found.value, found.low, found.high))
        return attrs.evolve(found, value=value, low=low, high=high)

    return wrong


def _box(layer: int) -> Outline:
    """The box around a layer's games without equilibrium."""
    games = [GAMES[name] for name in with_equilibria(0) if GAMES[name].layer == layer]
    left, right = 2 * min(g.column for g in games) - 2, 2 * max(g.column for g in games)
    above, below = 2 * min(g.row for g in games) - 2, 2 * max(g.row for g in games)
    points = ((left, above), (right, above), (right, below), (left, below), (left, above))
    return Outline(name=f"without equilibrium, layer {layer}", points=points)
