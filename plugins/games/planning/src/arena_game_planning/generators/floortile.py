"""Robots paint tiles above or below them and cannot stand on what is painted; the lowest row stays as it is."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, spread, step

COLOURS = ("black", "white")


@attrs.frozen
class FloortileSize:
    """How many rows are above the lowest one, how many columns and robots there are, and the share of tiles painted."""

    rows: int
    columns: int
    robots: int
    percent: int


def draw(chance: Random, size: FloortileSize) -> Draft:
    """Colours at random on some of the tiles; the robots stand in the lowest row, each below columns of its own."""
    if size.rows < 1 or not 1 <= size.robots <= size.columns or not 1 <= size.percent <= 100:
        raise ValueError("expected a row, a robot, at most as many robots as columns, and 1 to 100 percent")
    bounds = spread(size.robots + 1, 0, size.columns)
    robots = {f"robot{n + 1}": range(bounds[n], bounds[n + 1]) for n in range(size.robots)}
    at = {robot: chance.choice(columns) for robot, columns in robots.items()}
    holds = {robot: chance.choice(COLOURS) for robot in robots}
    tiles = [(row, column) for row in range(1, size.rows + 1) for column in range(size.columns)]
    painted = sorted(chance.sample(tiles, max(1, len(tiles) * size.percent // 100)))
    wanted = {tile: chance.choice(COLOURS) for tile in painted}
    every = [(row, column) for row in range(size.rows + 1) for column in range(size.columns)]
    init = [step("at-hand", colour) for colour in COLOURS]
    init += [step("above", _name(r + 1, c), _name(r, c)) for r, c in every if r < size.rows]
    init += [step("right-of", _name(r, c + 1), _name(r, c)) for r, c in every if c + 1 < size.columns]
    for robot in robots:
        init += [step("robot-at", robot, _name(0, at[robot])), step("holds", robot, holds[robot])]
    init += [step("free", _name(r, c)) for r, c in every if r or c not in at.values()]
    objects = (
        ("robot", tuple(robots)),
        ("tile", tuple(_name(r, c) for r, c in every)),
        ("colour", COLOURS),
    )
    goal = tuple(step("painted", _name(*tile), colour) for tile, colour in wanted.items())
    plan = [action for robot in robots for action in _plan(robot, robots[robot], at[robot], holds[robot], wanted)]
    return Draft(objects, tuple(init), goal, tuple(plan))


def _name(row: int, column: int) -> str:
    return f"t{row}-{column}"


def _plan(robot: str, columns: range, column: int, held: str, wanted: dict[tuple[int, int], str]) -> list[str]:
    """Column after column from the top down, always from below; in between the robot walks in the lowest row."""
    plan: list[str] = []
    ends = sorted((columns[0], columns[-1]), key=lambda end: abs(end - column))
    order = [*range(column, ends[0], -1 if ends[0] < column else 1), ends[0]]
    order += [other for other in (columns if ends[0] == columns[0] else reversed(columns)) if other not in order]
    row = 0
    for target in order:
        heights = sorted((r for r, c in wanted if c == target), reverse=True)
        if not heights:
            continue
        while column != target:
            beside = column + (1 if target > column else -1)
            word = "go-right" if target > column else "go-left"
            plan.append(step(word, robot, _name(0, column), _name(0, beside)))
            column = beside
        for height in heights:
            while row != height - 1:
                beside = row + (1 if row < height - 1 else -1)
                plan.append(
                    step("go-up" if beside > row else "go-down", robot, _name(row, column), _name(beside, column))
                )
                row = beside
            colour = wanted[height, column]
            if held != colour:
                plan.append(step("change-colour", robot, held, colour))
                held = colour
            plan.append(step("paint-above", robot, _name(height, column), _name(row, column), colour))
        while row:
            plan.append(step("go-down", robot, _name(row, column), _name(row - 1, column)))
            row -= 1
    while plan and plan[-1].startswith("(go-"):
        plan.pop()
    return plan


GENERATOR = Generator(
    "floortile",
    ("spatial",),
    tuple(
        FloortileSize(rows, columns, 2 + (columns > 4 and number % 2), percent)
        for number, (rows, columns, percent) in enumerate(
            zip(spread(36, 2, 4), spread(36, 3, 5), spread(36, 55, 90), strict=True)
        )
    ),
    draw,
)
