"""Games in which every unit gets any of its legal orders."""

from collections.abc import Iterator
from random import Random

from arena_game_diplomacy import Position, Result, adjudicate, legal_orders

Orders = dict[str, list[str]]


def drawn_orders(position: Position, rng: Random) -> Orders:
    """One legal order for each unit, and for each place where a power may build."""
    return {power: [rng.choice(texts) for texts in units.values()] for power, units in legal_orders(position).items()}


def random_game(seed: int, last_year: int) -> Iterator[tuple[Position, Orders, Result]]:
    """Each phase of a game, until somebody wins or the last year is over."""
    rng, position = Random(seed), Position.opening()
    while position is not None and position.year <= last_year:
        orders = drawn_orders(position, rng)
        result = adjudicate(position, orders)
        yield position, orders, result
        position = result.next


def crowded_position(rng: Random, count: int) -> Position:
    """So many units anywhere, each of any power and of a kind that can be there."""
    board = Position.opening().board
    units: Orders = {}
    for province in rng.sample(sorted(board.provinces), count):
        possible = sorted(unit for unit in board.moves if board.province_of[unit[2:]] == province)
        units.setdefault(rng.choice(board.powers), []).append(rng.choice(possible))
    return Position(phase="S1901M", units=units)
