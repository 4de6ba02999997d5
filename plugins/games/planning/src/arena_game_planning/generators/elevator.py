"""Passengers who ride in lifts with little room: slow ones stop at every floor of a part, fast ones at some of all."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, fluent, names, spread, step, walk


@attrs.frozen
class ElevatorSize:
    """How many floors, slow lifts, fast lifts and passengers there are."""

    floors: int
    slow: int
    fast: int
    passengers: int


def draw(chance: Random, size: ElevatorSize) -> Draft:
    """Slow lifts share the house in parts that meet at one floor; a fast lift stops where parts meet and half way."""
    if size.slow < 1 or size.floors < 2 * size.slow or size.passengers < 1:
        raise ValueError("expected a slow lift, two floors for each of them, and a passenger")
    floors = [f"f{number}" for number in range(size.floors)]
    bounds = spread(size.slow + 1, 0, size.floors - 1)
    reach = {f"slow{n}": list(range(low, high + 1)) for n, (low, high) in enumerate(pairwise(bounds), 1)}
    halves = sorted({*bounds, *((low + high) // 2 for low, high in pairwise(bounds))})
    reach |= {f"fast{n}": halves if n == 1 else list(bounds) for n in range(1, size.fast + 1)}
    room = {lift: 2 if lift.startswith("slow") else 3 for lift in reach}
    at = {lift: chance.choice(stops) for lift, stops in reach.items()}
    counts = names("n", 4, 0)
    wishes = {p: tuple(chance.sample(range(size.floors), 2)) for p in names("passenger", size.passengers)}
    init = [step("next", fewer, more) for fewer, more in pairwise(counts)]
    for lift, stops in reach.items():
        init += [step("lift-at", lift, floors[at[lift]]), step("load", lift, "n0")]
        init += [step("reaches", lift, floors[stop]) for stop in stops]
        init += [step("holds", lift, count) for count in counts[1 : room[lift] + 1]]
    init += [step("waits-at", p, floors[start]) for p, (start, _) in wishes.items()]
    init.append("(= (total-cost) 0)")
    for kind, cost in (("slow", lambda far: 5 + far), ("fast", lambda far: 2 + 3 * far)):
        stops = [stops for lift, stops in reach.items() if lift.startswith(kind)]
        pairs = sorted({(a, b) for reached in stops for a in reached for b in reached if a != b})
        init += [fluent(cost(abs(a - b)), f"{kind}-ride", floors[a], floors[b]) for a, b in pairs]
    objects = (
        ("floor", tuple(floors)),
        ("slow-lift", tuple(lift for lift in reach if lift.startswith("slow"))),
        ("fast-lift", tuple(lift for lift in reach if lift.startswith("fast"))),
        ("passenger", tuple(wishes)),
        ("count", counts),
    )
    goal = tuple(step("waits-at", p, floors[end]) for p, (_, end) in wishes.items())
    return Draft(objects, tuple(init), goal, tuple(_plan(floors, reach, at, wishes)), "(total-cost)")


def _plan(
    floors: list[str], reach: dict[str, list[int]], at: dict[str, int], wishes: dict[str, tuple[int, ...]]
) -> list[str]:
    """Passenger by passenger, over as few lifts as will do; the next is who waits where a lift stands."""
    plan: list[str] = []
    stops = {lift: {floors[stop] for stop in stopped} for lift, stopped in reach.items()}
    where = {lift: floors[stop] for lift, stop in at.items()}

    def go(lift: str, floor: str) -> None:
        if where[lift] != floor:
            plan.append(step(f"ride-{lift[:4]}", lift, where[lift], floor))
            where[lift] = floor

    def neighbours(floor: str) -> list[str]:
        return sorted({other for reached in stops.values() if floor in reached for other in reached} - {floor})

    left = dict(wishes)
    while left:
        near = [p for p, (start, _) in left.items() if floors[start] in where.values()]
        passenger = near[0] if near else next(iter(left))
        start, end = left.pop(passenger)
        way = walk(floors[start], neighbours, [floors[end]]) or ()
        for here, there in pairwise(way):
            able = [lift for lift in stops if {here, there} <= stops[lift]]
            lift = min(able, key=lambda lift: where[lift] != here)
            go(lift, here)
            plan.append(step("board", passenger, lift, here, "n0", "n1"))
            go(lift, there)
            plan.append(step("leave", passenger, lift, there, "n1", "n0"))
    return plan


GENERATOR = Generator(
    "elevator",
    ("sequential", "spatial"),
    tuple(
        ElevatorSize(floors, slow, fast, passengers)
        for floors, slow, fast, passengers in zip(
            spread(48, 4, 13), spread(48, 1, 3), spread(48, 0.6, 1.4), spread(48, 3, 13), strict=True
        )
    ),
    draw,
)
