"""The orders that a drawing shows: read, with what became of them."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from arena_game_diplomacy.pictures.shapes import mixed
from arena_game_diplomacy.pictures.symbols import COLOURS, FAILED, INK
from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.notation import Order, OrderError, parse_order
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.rules.results import OrderResult, Result

Ordered = Result | Mapping[str, Sequence[str]] | Sequence[Result]
"""Orders to be drawn: texts by power, what became of them, or what became of those of several phases."""


@attrs.frozen
class DrawnOrder:
    """An order to be drawn: whose it is, what it says, and what became of it and of its unit."""

    power: str
    order: Order
    result: str
    is_dislodged: bool

    @property
    def is_failed(self) -> bool:
        """Whether something else happened than was ordered."""
        return self.result != "ok"

    @property
    def colour(self) -> str:
        """The colour of its lines."""
        return FAILED if self.is_failed else mixed(COLOURS[self.power].fill, INK, 0.65)

    @property
    def hint(self) -> str:
        """What a reader sees who points at it."""
        return f"{self.power}: {self.order}{f' ({self.result})' if self.is_failed else ''}"


@attrs.frozen
class DrawnPhase:
    """The orders of one phase, such as ``"F1901M"``.

    ``have_moved`` tells that the units on the board are already where the orders led them. ``destroyed`` are units,
    each with its power, that had nowhere to retreat.
    """

    name: str
    orders: tuple[DrawnOrder, ...]
    have_moved: bool
    destroyed: tuple[tuple[str, str], ...] = ()


def drawn_phases(position: Position, ordered: Ordered) -> tuple[DrawnPhase, ...]:
    """The phases whose orders are drawn with a position, in their order; what cannot be read is left out.

    Several results, or one of another phase than that of the position, are of phases that are over.
    """
    if isinstance(ordered, Result):
        return (_over(position, ordered, have_moved=ordered.phase != position.phase),)
    if isinstance(ordered, Mapping):
        given = {power: [OrderResult(text, "ok") for text in texts] for power, texts in ordered.items()}
        orders = tuple(_drawn(position.board, given))
        return (DrawnPhase(position.phase, orders, have_moved=False),) if orders else ()
    return tuple(_over(position, result, have_moved=True) for result in ordered)


def _over(position: Position, result: Result, *, have_moved: bool) -> DrawnPhase:
    destroyed = tuple(
        (power, name)
        for power in COLOURS
        for name, places in result.dislodged.get(power, {}).items()
        if have_moved and not places and name not in position.dislodged.get(power, ())
    )
    return DrawnPhase(result.phase, tuple(_drawn(position.board, result.orders)), have_moved, destroyed)


def _drawn(board: BoardMap, orders: Mapping[str, Sequence[OrderResult]]) -> Iterator[DrawnOrder]:
    for power in COLOURS:
        for given in orders.get(power, ()):
            try:
                order = parse_order(board, given.order)
            except OrderError:
                continue
            yield DrawnOrder(power, order, given.result, given.dislodged)
