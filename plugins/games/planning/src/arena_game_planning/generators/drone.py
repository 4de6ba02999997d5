"""A drone at whole coordinates that visits points and recharges at its base before the battery is empty."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, fluent, names, spread, step

Point = tuple[int, int, int]
BASE: Point = (0, 0, 0)
WORDS = (("fly-west", "fly-east"), ("fly-south", "fly-north"), ("sink", "rise"))


@attrs.frozen
class DroneSize:
    """How long the sides of the box are, how high it is, how many points are visited, and what battery is to spare."""

    side: int
    height: int
    points: int
    spare: int


def draw(chance: Random, size: DroneSize) -> Draft:
    """Points at random, and a battery that lasts to the farthest one and back, with something to spare."""
    box = [(x, y, z) for x in range(size.side) for y in range(size.side) for z in range(size.height)]
    if size.points < 1 or size.points >= len(box) or size.spare < 0:
        raise ValueError("expected a point at least and fewer points than the box has places")
    places = chance.sample([place for place in box if place != BASE], size.points)
    points = dict(zip(names("point", size.points), places, strict=True))
    battery = 2 * max(_apart(BASE, place) for place in points.values()) + 1 + size.spare
    init = [fluent(0, axis) for axis in "xyz"]
    init += [fluent(size.side - 1, "max-x"), fluent(size.side - 1, "max-y"), fluent(size.height - 1, "max-z")]
    init += [fluent(battery, "battery"), fluent(battery, "full-battery")]
    for point, place in points.items():
        init += [fluent(value, f"{axis}-of", point) for axis, value in zip("xyz", place, strict=True)]
    goal = tuple(step("visited", point) for point in points)
    return Draft((("point", tuple(points)),), tuple(init), goal, tuple(_plan(points, battery)))


def _apart(one: Point, other: Point) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _plan(points: dict[str, Point], battery: int) -> list[str]:
    """The nearest point that can be left again next; home to recharge where there is none."""
    plan: list[str] = []
    here, left, charge = BASE, dict(points), battery
    while left:
        safe = [p for p, place in left.items() if _apart(here, place) + 1 + _apart(place, BASE) <= charge]
        if not safe and len(left) == 1 and _apart(here, next(iter(left.values()))) < charge:
            safe = list(left)
        target = min(safe, key=lambda p: (_apart(here, left[p]), p)) if safe else None
        place = left.pop(target) if target else BASE
        for axis, (down, up) in enumerate(WORDS):
            plan += [step(up if place[axis] > here[axis] else down)] * abs(place[axis] - here[axis])
        charge = charge - _apart(here, place) - 1 if target else battery
        plan.append(step("visit", target) if target else step("recharge"))
        here = place
    return plan


GENERATOR = Generator(
    "drone",
    ("spatial",),
    tuple(
        DroneSize(side, height, points, spare)
        for side, height, points, spare in zip(
            (*spread(10, 3, 6), *spread(10, 6, 9)),
            (*spread(10, 2, 4), *spread(10, 4, 6)),
            (*spread(10, 4, 38), *spread(10, 44, 220)),
            (*spread(10, 2, 40), *spread(10, 44, 120)),
            strict=True,
        )
    ),
    draw,
)
