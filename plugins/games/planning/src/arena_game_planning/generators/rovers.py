"""Rovers that drive on routes of their own, take samples and pictures, and send what they found to a lander."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step, walk

SKILLS: tuple[str, ...] = ("soil", "rock", "images")
MODES: tuple[str, ...] = ("colour", "high-res", "low-res")


@attrs.frozen
class RoversSize:
    """How many rovers, places, objectives, samples and wishes there are."""

    rovers: int
    places: int
    objectives: int
    goals: int


@attrs.define
class _Rover:
    name: str
    at: str
    routes: dict[str, list[str]]
    skills: set[str]
    camera: str
    modes: list[str]
    target: str
    is_full: bool = False


def draw(chance: Random, size: RoversSize) -> Draft:
    """A ground of places, a lander on it, and wishes that some rover can fulfil."""
    if size.places < 2 or min(size.rovers, size.objectives, size.goals) < 1:
        raise ValueError("expected two places and one of everything else at least")
    places, objectives = names("p", size.places), names("objective", size.objectives)
    sees = _ground(chance, places)
    lander = chance.choice(places)
    seen_from = {o: sorted(chance.sample(places, chance.randint(1, max(1, size.places // 2)))) for o in objectives}
    rovers = [_rover(chance, number, places, sees, lander, objectives) for number in range(1, size.rovers + 1)]
    rovers[0].skills |= {"soil", "rock", "images"}
    soil = sorted(chance.sample(places, max(1, size.places // 2)), key=places.index)
    rock = sorted(chance.sample(places, max(1, size.places // 2)), key=places.index)
    possible = [("soil", place, "") for place in soil] + [("rock", place, "") for place in rock]
    possible += [("images", objective, mode) for objective in objectives for mode in MODES]
    possible = [wish for wish in possible if any(_can(rover, wish, seen_from) for rover in rovers)]
    wishes = sorted(chance.sample(possible, min(size.goals, len(possible))), key=possible.index)
    if not wishes:
        raise ValueError("no rover can reach anything; expected more places or rovers")
    init = [step("lander-at", "lander", lander)]
    init += [step("sees", p, q) for p in places for q in sees[p]]
    init += [step("soil-at", place) for place in soil] + [step("rock-at", place) for place in rock]
    init += [step("visible-from", o, place) for o in objectives for place in seen_from[o]]
    for rover in rovers:
        store = f"{rover.name}-store"
        init += [step("at", rover.name, rover.at), step("store-of", store, rover.name), step("empty", store)]
        init += [step(f"for-{skill}", rover.name) for skill in sorted(rover.skills)]
        init += [step("on-board", rover.camera, rover.name), step("target-of", rover.camera, rover.target)]
        init += [step("supports", rover.camera, mode) for mode in rover.modes]
        init += [step("route", rover.name, p, q) for p, to in rover.routes.items() for q in to]
    sent = {"soil": "sent-soil", "rock": "sent-rock", "images": "sent-image"}
    goal = tuple(step(sent[kind], *([what, mode] if mode else [what])) for kind, what, mode in wishes)
    objects = (
        ("rover", tuple(rover.name for rover in rovers)),
        ("store", tuple(f"{rover.name}-store" for rover in rovers)),
        ("camera", tuple(rover.camera for rover in rovers)),
        ("mode", MODES),
        ("objective", objectives),
        ("place", places),
        ("lander", ("lander",)),
    )
    plan = _plan(rovers, wishes, seen_from, sees, lander)
    return Draft(objects, tuple(init), goal, tuple(plan))


def _ground(chance: Random, places: tuple[str, ...]) -> dict[str, list[str]]:
    """Which places see each other: a tree at random and some pairs more."""
    pairs = {(chance.choice(places[:n]), places[n]) for n in range(1, len(places))}
    pairs |= {tuple(sorted(chance.sample(places, 2), key=places.index)) for _ in range(len(places) // 2)}  # pyright: ignore[reportAssignmentType]
    return {p: [q for q in places if (p, q) in pairs or (q, p) in pairs] for p in places}


def _rover(
    chance: Random,
    number: int,
    places: tuple[str, ...],
    sees: dict[str, list[str]],
    lander: str,
    objectives: tuple[str, ...],
) -> _Rover:
    """A rover on a connected part of the ground that has a place in sight of the lander."""
    near = chance.choice(sees[lander])
    part, edges = [near], []
    for _ in range(max(1, len(places) * 4 // 5) - 1):
        ways = [(p, q) for p in part for q in sees[p] if q not in part]
        if not ways:
            break
        way = chance.choice(ways)
        part.append(way[1])
        edges.append(way)
    routes = {p: [q for q in places if (p, q) in edges or (q, p) in edges] for p in places if p in part}
    skills = set(chance.sample(SKILLS, chance.randint(1, 3)))
    modes = sorted(chance.sample(MODES, chance.randint(1, 3)))
    return _Rover(
        f"rover{number}", chance.choice(part), routes, skills, f"camera{number}", modes, chance.choice(objectives)
    )


def _can(rover: _Rover, wish: tuple[str, str, str], seen_from: dict[str, list[str]]) -> bool:
    kind, what, mode = wish
    if kind not in rover.skills:
        return False
    if kind != "images":
        return what in rover.routes
    reached = [any(place in rover.routes for place in seen_from[o]) for o in (what, rover.target)]
    return mode in rover.modes and all(reached)


def _plan(
    rovers: list[_Rover],
    wishes: list[tuple[str, str, str]],
    seen_from: dict[str, list[str]],
    sees: dict[str, list[str]],
    lander: str,
) -> list[str]:
    """Wish after wish, by the rover that has least to drive; it sends at once."""
    plan: list[str] = []
    in_sight = set(sees[lander])

    def way(rover: _Rover, ends: list[str]) -> tuple[str, ...]:
        return walk(rover.at, lambda place: rover.routes[place], ends) or ()

    def go(rover: _Rover, ends: list[str]) -> None:
        places = way(rover, [place for place in ends if place in rover.routes])
        plan.extend(step("drive", rover.name, p, q) for p, q in pairwise(places))
        rover.at = places[-1]

    left = list(wishes)
    while left:
        options = []
        for rank, wish in enumerate(left):
            for number, rover in enumerate(rovers):
                if _can(rover, wish, seen_from):
                    first = [wish[1]] if wish[0] != "images" else seen_from[rover.target]
                    options.append((len(way(rover, [p for p in first if p in rover.routes])), rank, number))
        _, rank, number = min(options)
        kind, what, mode = left.pop(rank)
        rover = rovers[number]
        if kind == "images":
            go(rover, seen_from[rover.target])
            plan.append(step("calibrate", rover.name, rover.camera, rover.target, rover.at))
            go(rover, seen_from[what])
            plan.append(step("take-image", rover.name, rover.at, what, rover.camera, mode))
        else:
            go(rover, [what])
            if rover.is_full:
                plan.append(step("drop", rover.name, f"{rover.name}-store"))
            rover.is_full = True
            plan.append(step(f"sample-{kind}", rover.name, f"{rover.name}-store", what))
        go(rover, sorted(in_sight))
        words = (
            ("send-image", rover.name, "lander", what, mode) if mode else (f"send-{kind}", rover.name, "lander", what)
        )
        plan.append(step(*words, rover.at, lander))
    return plan


GENERATOR = Generator(
    "rovers",
    ("resource", "spatial"),
    tuple(
        RoversSize(*parameters)
        for parameters in zip(spread(100, 1, 4), spread(100, 4, 12), spread(100, 1, 5), spread(100, 2, 9), strict=True)
    ),
    draw,
)
