"""A player who pushes boxes in a walled room; problems are made by pulling the boxes away from their goals."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step

Cell = tuple[int, int]
DIRECTIONS: dict[str, Cell] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


@attrs.frozen
class SokobanSize:
    """How wide and high the room is, how many boxes there are, and how often boxes are pulled."""

    side: int
    boxes: int
    pulls: int


def draw(chance: Random, size: SokobanSize) -> Draft:
    """A room with pillars, boxes pulled from their goals, and the player where the last pull ended."""
    if size.side < 4 or min(size.boxes, size.pulls) < 1 or size.boxes > size.side:
        raise ValueError(
            "expected a side of 4, a box and a pull at least, and at most as many boxes as the side is long"
        )
    while True:
        floor = _room(chance, size.side)
        if len(floor) < size.boxes + 6:
            continue
        goals = dict(zip(names("box", size.boxes), chance.sample(sorted(floor), size.boxes), strict=True))
        player = chance.choice(sorted(floor - set(goals.values())))
        found = _pulled(chance, floor, dict(goals), player, size.pulls)
        if found is not None and all(found[0][box] != goals[box] for box in goals):
            break
    boxes, player, pushes = found
    plan = _plan(floor, dict(boxes), player, pushes)
    cells = sorted(floor)
    init = [
        step("beside", _name(cell), _name(other), direction)
        for cell in cells
        for direction, (down, right) in DIRECTIONS.items()
        if (other := (cell[0] + down, cell[1] + right)) in floor
    ]
    init.append(step("player-at", _name(player)))
    init += [step("box-at", box, _name(cell)) for box, cell in boxes.items()]
    init += [step("free", _name(cell)) for cell in cells if cell != player and cell not in boxes.values()]
    objects = (("cell", tuple(map(_name, cells))), ("box", tuple(boxes)), ("direction", tuple(DIRECTIONS)))
    goal = tuple(step("box-at", box, _name(cell)) for box, cell in goals.items())
    return Draft(objects, tuple(init), goal, tuple(plan))


def _name(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def _room(chance: Random, side: int) -> set[Cell]:
    """The largest connected part of a square with pillars at random."""
    square = {(row, column) for row in range(side) for column in range(side)}
    square -= set(chance.sample(sorted(square), side * side // 5))
    parts: list[set[Cell]] = []
    while square:
        part = set(_reached(square, min(square)))
        parts.append(part)
        square -= part
    return max(parts, key=lambda part: (len(part), min(part)))


def _reached(free: set[Cell], start: Cell) -> dict[Cell, tuple[Cell, str] | None]:
    """Every cell that can be walked to, with the step that led there first."""
    before: dict[Cell, tuple[Cell, str] | None] = {start: None}
    queue = [start]
    for cell in queue:
        for direction, (down, right) in DIRECTIONS.items():
            other = (cell[0] + down, cell[1] + right)
            if other in free and other not in before:
                before[other] = (cell, direction)
                queue.append(other)
    return before


def _pulled(
    chance: Random, floor: set[Cell], boxes: dict[str, Cell], player: Cell, pulls: int
) -> tuple[dict[str, Cell], Cell, list[tuple[str, Cell, str]]] | None:
    """Pull boxes so often, none back at once; the pushes that undo it, in order, each with the cell of the box."""
    undone: list[tuple[str, Cell, str]] = []
    last: tuple[str, Cell] | None = None
    for _ in range(pulls):
        reached = _reached(floor - set(boxes.values()), player)
        ways = []
        for box, cell in boxes.items():
            for direction, (down, right) in DIRECTIONS.items():
                stand = (cell[0] + down, cell[1] + right)
                back = (stand[0] + down, stand[1] + right)
                if stand in reached and back in floor - set(boxes.values()) and (box, stand) != last:
                    ways.append((box, stand, back, direction))
        if not ways:
            return None
        box, stand, player, direction = chance.choice(ways)
        last = (box, boxes[box])
        boxes[box] = stand
        opposite = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
        undone.append((box, stand, opposite))
    return boxes, player, undone[::-1]


def _plan(floor: set[Cell], boxes: dict[str, Cell], player: Cell, pushes: list[tuple[str, Cell, str]]) -> list[str]:
    """Push as the pulls went, backwards, and walk the shortest way in between."""
    plan: list[str] = []
    for box, cell, direction in pushes:
        down, right = DIRECTIONS[direction]
        stand, target = (cell[0] - down, cell[1] - right), (cell[0] + down, cell[1] + right)
        before = _reached(floor - set(boxes.values()), player)
        way: list[str] = []
        place = stand
        while (previous := before[place]) is not None:
            way.append(step("walk", _name(previous[0]), _name(place), previous[1]))
            place = previous[0]
        plan += reversed(way)
        plan.append(step("push", box, _name(stand), _name(cell), _name(target), direction))
        boxes[box], player = target, cell
    return plan


GENERATOR = Generator(
    "sokoban",
    ("spatial",),
    tuple(
        SokobanSize(side, boxes, pulls)
        for side, boxes, pulls in zip(spread(100, 4.6, 7.4), spread(100, 1, 2.4), spread(100, 2, 8), strict=True)
    ),
    draw,
)
