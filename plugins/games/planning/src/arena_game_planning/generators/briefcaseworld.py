"""A briefcase that moves what is in it; everything must get to its place and out of the case again."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class BriefcaseworldSize:
    """How many places and things there are."""

    places: int
    things: int


def draw(chance: Random, size: BriefcaseworldSize) -> Draft:
    """Things at random places that are wanted at others, inside the case or not, and the case at home in the end."""
    if size.places < 2 or size.things < 1:
        raise ValueError("expected two places and a thing at least")
    places, things = names("place", size.places), names("thing", size.things)
    wishes = {thing: tuple(chance.sample(places, 2)) for thing in things}
    start, home = chance.choice(places), chance.choice(places)
    init = [step("case-at", start), *(step("thing-at", thing, place) for thing, (place, _) in wishes.items())]
    goal = [step("thing-at", thing, end) for thing, (_, end) in wishes.items()]
    goal.append(step("case-at", home))
    plan = _plan(start, home, wishes)
    return Draft((("place", places), ("thing", things)), tuple(init), tuple(goal), tuple(plan))


def _plan(start: str, home: str, wishes: dict[str, tuple[str, ...]]) -> list[str]:
    """Go where most can be put in or taken out, home at the very end."""
    plan: list[str] = []
    here, inside = start, set[str]()
    waiting = {thing: place for thing, (place, _) in wishes.items()}
    while True:
        for thing, (_, end) in wishes.items():
            if thing in inside and end == here:
                plan.append(step("take-out", thing))
                inside.discard(thing)
            elif waiting.get(thing) == here:
                plan.append(step("put-in", thing, here))
                inside.add(thing)
                del waiting[thing]
        places = [*waiting.values(), *(end for thing, (_, end) in wishes.items() if thing in inside)]
        if not places:
            break
        later = {end for thing, (_, end) in wishes.items() if thing in waiting}
        counts = {place: (place in later, place == home, -places.count(place), place) for place in places}
        there = min(counts, key=lambda place: counts[place])
        plan.append(step("move", here, there))
        here = there
    return plan + [step("move", here, home)] * (here != home)


GENERATOR = Generator(
    "briefcaseworld",
    ("sequential",),
    tuple(
        BriefcaseworldSize(places, things) for places, things in zip(spread(20, 6, 18), spread(20, 5, 24), strict=True)
    ),
    draw,
)
