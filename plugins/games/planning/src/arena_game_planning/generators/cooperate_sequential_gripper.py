"""Robots with two grippers, balls that visit rooms in a fixed order, and doors that only one robot can unlock."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step, walk


@attrs.frozen
class SequentialGripperSize:
    """How many robots, rooms, balls and rooms on the way of each ball there are."""

    robots: int
    rooms: int
    balls: int
    stops: int


def draw(chance: Random, size: SequentialGripperSize) -> Draft:
    """Rooms in a ring, every other door locked; the keys lie with robots that reach their doors in turn."""
    if size.robots < 2 or size.rooms < 3 or min(size.balls, size.stops) < 1:
        raise ValueError("expected two robots, three rooms, a ball and a stop at least")
    robots, rooms = names("robot", size.robots), names("room", size.rooms)
    doors = {f"door{n + 1}": (rooms[n], rooms[n + 1]) for n in range(size.rooms - 1)}
    locked = [door for number, door in enumerate(doors) if number % 2]
    keys = {door: chance.choice(robots) for door in locked}
    at = {robot: rooms[chance.randrange(2)] for robot in robots}
    ways = {room: {b if room == a else a: door for door, (a, b) in doors.items() if room in (a, b)} for room in rooms}
    stages = names("stage", size.stops + 1, 0)
    balls = names("ball", size.balls)
    starts = {ball: chance.choice(rooms) for ball in balls}
    stops: dict[str, list[str]] = {}
    for ball in balls:
        stops[ball] = []
        for _ in range(size.stops):
            last = stops[ball][-1] if stops[ball] else starts[ball]
            stops[ball].append(chance.choice([room for room in rooms if room != last]))
    init = [step("follows", s, t) for s, t in pairwise(stages)]
    for door, (a, b) in doors.items():
        init += [step("door-between", door, a, b), step("door-between", door, b, a)]
        init.append(step("locked" if door in keys else "open", door))
    init += [step("has-key", robot, door) for door, robot in keys.items()]
    for robot in robots:
        init.append(step("robot-at", robot, at[robot]))
        for side in ("left", "right"):
            init += [step("gripper-of", f"{robot}-{side}", robot), step("free", f"{robot}-{side}")]
    for ball in balls:
        init += [step("ball-at", ball, starts[ball]), step("stage", ball, stages[0])]
        init += [step("stop", ball, stage, room) for stage, room in zip(stages, stops[ball], strict=False)]
    objects = (
        ("robot", robots),
        ("gripper", tuple(f"{robot}-{side}" for robot in robots for side in ("left", "right"))),
        ("room", rooms),
        ("door", tuple(doors)),
        ("ball", balls),
        ("stage", stages),
    )
    goal = tuple(step("stage", ball, stages[-1]) for ball in balls)
    plan = _plan(keys, at, ways, stages, starts, stops)
    return Draft(objects, tuple(init), goal, tuple(plan))


def _plan(
    keys: dict[str, str],
    at: dict[str, str],
    ways: dict[str, dict[str, str]],
    stages: tuple[str, ...],
    starts: dict[str, str],
    stops: dict[str, list[str]],
) -> list[str]:
    """All doors are unlocked from the first on; then one robot after another takes the ball nearest to it further."""
    plan: list[str] = []
    here, where = dict(at), dict(starts)
    shut = set(keys)

    def way(start: str, end: str) -> list[tuple[str, str]]:
        rooms = walk(start, lambda room: [r for r, door in ways[room].items() if door not in shut], [end]) or ()
        return list(pairwise(rooms))

    def go(robot: str, end: str) -> None:
        plan.extend(step("move", robot, a, b, ways[a][b]) for a, b in way(here[robot], end))
        here[robot] = end

    for door, robot in keys.items():
        near, far = (room for room, doors in ways.items() if door in doors.values())
        go(robot, near)
        plan.append(step("unlock", robot, door, near, far))
        shut.discard(door)
    done = dict.fromkeys(starts, 0)
    while any(done[ball] < len(stops[ball]) for ball in starts):
        robot, ball = min(
            ((robot, ball) for robot in here for ball in starts if done[ball] < len(stops[ball])),
            key=lambda pair: (len(way(here[pair[0]], where[pair[1]])), -done[pair[1]]),
        )
        target = stops[ball][done[ball]]
        start = where[ball]
        go(robot, start)
        riders = [ball]
        riders += [b for b in starts if b != ball and where[b] == start and stops[b][done[b] :][:1] == [target]][:1]
        grippers = [f"{robot}-left", f"{robot}-right"]
        plan += [step("pick", robot, gripper, rider, start) for rider, gripper in zip(riders, grippers, strict=False)]
        go(robot, target)
        for rider, gripper in zip(riders, grippers, strict=False):
            plan.append(step("drop", robot, gripper, rider, target))
            plan.append(step("check-in", rider, target, stages[done[rider]], stages[done[rider] + 1]))
            where[rider] = target
            done[rider] += 1
    return plan


GENERATOR = Generator(
    "cooperate-sequential-gripper",
    ("sequential", "resource"),
    tuple(
        SequentialGripperSize(robots, rooms, balls, stops)
        for robots, rooms, balls, stops in zip(
            spread(50, 2, 8), spread(50, 3, 6), spread(50, 3, 9), spread(50, 1.4, 2), strict=True
        )
    ),
    draw,
)
