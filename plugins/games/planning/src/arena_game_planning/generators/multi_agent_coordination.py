"""Robots with one gripper each that carry balls between rooms; a heavy ball takes two of them."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step, walk


@attrs.frozen
class CoordinationSize:
    """How many robots, rooms, light balls and heavy balls there are, and how many balls that may stay."""

    robots: int
    rooms: int
    light: int
    heavy: int
    idle: int


def draw(chance: Random, size: CoordinationSize) -> Draft:
    """Rooms in a tree with one way round, balls that are wanted in other rooms."""
    if size.robots < 2 or size.rooms < 2 or size.light + size.heavy < 1:
        raise ValueError("expected two robots, two rooms and a ball at least")
    robots, rooms = names("robot", size.robots), names("room", size.rooms)
    pairs = {(chance.choice(rooms[:n]), rooms[n]) for n in range(1, size.rooms)} | {(rooms[0], rooms[-1])}
    ways = {room: [other for other in rooms if (room, other) in pairs or (other, room) in pairs] for room in rooms}
    at = {robot: chance.choice(rooms) for robot in robots}
    balls = names("light", size.light) + names("heavy", size.heavy)
    wishes = {ball: tuple(chance.sample(rooms, 2)) for ball in balls}
    init = [step("connected", room, other) for room in rooms for other in ways[room]]
    init += [fact for robot in robots for fact in (step("robot-at", robot, at[robot]), step("free", robot))]
    init += [step("ball-at", ball, start) for ball, (start, _) in wishes.items()]
    idle = names("light", size.idle, size.light + 1)
    init += [step("ball-at", ball, chance.choice(rooms)) for ball in idle]
    goal = tuple(step("ball-at", ball, end) for ball, (_, end) in wishes.items())
    objects = (
        ("robot", robots),
        ("room", rooms),
        ("light-ball", names("light", size.light + size.idle)),
        ("heavy-ball", names("heavy", size.heavy)),
    )
    return Draft(objects, tuple(init), goal, tuple(_plan(ways, at, wishes)))


def _plan(ways: dict[str, list[str]], at: dict[str, str], wishes: dict[str, tuple[str, ...]]) -> list[str]:
    """Ball after ball, by the robots that are nearest to it, the nearest ball first."""
    plan: list[str] = []
    here = dict(at)

    def way(start: str, end: str) -> list[tuple[str, str]]:
        rooms = walk(start, lambda room: ways[room], [end]) or ()
        return list(pairwise(rooms))

    left = dict(wishes)
    while left:
        carriers = {}
        for ball, (start, _) in left.items():
            near = sorted(here, key=lambda robot: (len(way(here[robot], start)), robot))
            carriers[ball] = near[: 2 if ball.startswith("heavy") else 1]
        far = {
            ball: sum(len(way(here[robot], left[ball][0])) for robot in robots_near)
            for ball, robots_near in carriers.items()
        }
        ball = min(left, key=lambda ball: far[ball])
        start, end = left.pop(ball)
        robots_near = carriers[ball]
        for robot in robots_near:
            plan += [step("move", robot, a, b) for a, b in way(here[robot], start)]
        suffix, verb = ("-both", "carry-both") if len(robots_near) == 2 else ("", "carry")
        plan.append(step(f"pick{suffix}", *robots_near, ball, start))
        plan += [step(verb, *robots_near, ball, a, b) for a, b in way(start, end)]
        plan.append(step(f"drop{suffix}", *robots_near, ball, end))
        here |= dict.fromkeys(robots_near, end)
    return plan


GENERATOR = Generator(
    "multi-agent-coordination",
    ("sequential",),
    tuple(
        CoordinationSize(robots, rooms, light, heavy, idle)
        for robots, rooms, light, heavy, idle in zip(
            spread(50, 2, 8), spread(50, 3, 7), spread(50, 1, 6), spread(50, 1, 2), spread(50, 3, 58), strict=True
        )
    ),
    draw,
)
