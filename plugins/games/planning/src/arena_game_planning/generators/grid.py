"""A robot that walks between cells, carries one key and opens locked cells; keys are wanted at given cells."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class GridSize:
    """How wide and high the grid is, and how many shapes, locked cells, keys and wishes there are."""

    side: int
    shapes: int
    locks: int
    keys: int
    goals: int


def draw(chance: Random, size: GridSize) -> Draft:
    """Locks and keys at random; no plan is known, and some draws have none."""
    cells = [f"c{row}-{column}" for row in range(size.side) for column in range(size.side)]
    if size.side < 2 or size.locks + 1 >= len(cells) or not 1 <= size.goals <= size.keys or size.shapes < 1:
        raise ValueError("expected a side of 2 at least, fewer locks than cells, and at most as many wishes as keys")
    shapes, keys = names("shape", size.shapes), names("key", size.keys)
    locks = sorted(chance.sample(cells, size.locks), key=cells.index)
    free = [cell for cell in cells if cell not in locks]
    lock_shape = {cell: chance.choice(shapes) for cell in locks}
    key_shape = {key: shapes[number % size.shapes] for number, key in enumerate(keys)}
    key_at = {key: chance.choice(free if number < size.shapes else cells) for number, key in enumerate(keys)}
    wishes = {key: chance.choice([cell for cell in cells if cell != key_at[key]]) for key in keys[: size.goals]}
    init = [step("robot-at", chance.choice(free)), step("hand-empty")]
    for row in range(size.side):
        for column in range(size.side):
            for other_row, other_column in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                if 0 <= other_row < size.side and 0 <= other_column < size.side:
                    init.append(step("beside", f"c{row}-{column}", f"c{other_row}-{other_column}"))
    init += [step("open", cell) for cell in free]
    for cell in locks:
        init += [step("locked", cell), step("lock-shape", cell, lock_shape[cell])]
    for key in keys:
        init += [step("key-shape", key, key_shape[key]), step("key-at", key, key_at[key])]
    objects = (("cell", tuple(cells)), ("key", keys), ("shape", shapes))
    return Draft(objects, tuple(init), tuple(step("key-at", *wish) for wish in wishes.items()))


GENERATOR = Generator(
    "grid",
    ("spatial",),
    tuple(
        GridSize(side, shapes, locks, keys, goals)
        for side, shapes, locks, keys, goals in zip(
            spread(48, 3, 7), spread(48, 1, 3), spread(48, 1, 9), spread(48, 1, 5), spread(48, 1, 2), strict=True
        )
    ),
    draw,
)
