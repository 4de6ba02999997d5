"""The adjudication of a phase: a pure function of a position and its orders."""

from collections.abc import Iterable, Mapping, Sequence

from arena_game_diplomacy.adjustments import adjudicate_adjustments
from arena_game_diplomacy.movement import adjudicate_movement
from arena_game_diplomacy.position import ADJUSTMENTS, MOVEMENT, Position
from arena_game_diplomacy.results import Result
from arena_game_diplomacy.retreats import adjudicate_retreats


def adjudicate(position: Position, orders: Mapping[str, Sequence[str]]) -> Result:
    """Say what comes of the orders of each power in a position.

    Orders are texts in any of the notations that ``read_order`` reads. Their sequence changes nothing, save that of
    builds or disbands too many the first ones count. A unit without an order holds, a dislodged one disbands, and what
    must be disbanded and is not goes by civil disorder. Nothing in the orders raises: what is illegal or cannot be read
    is a result with a reason.
    """
    given: Mapping[str, Iterable[str]] = {power: tuple(texts) for power, texts in orders.items()}
    if position.kind == MOVEMENT:
        return adjudicate_movement(position, given)
    if position.kind == ADJUSTMENTS:
        return adjudicate_adjustments(position, given)
    return adjudicate_retreats(position, given)
