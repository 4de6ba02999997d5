"""Settlers who turn timber, stone and ore into houses, rails, docks and vehicles; building uses up what is there."""

from collections import Counter
from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, fluent, names, spread, step, walk

RESOURCES = ("timber", "wood", "stone", "ore", "coal", "iron")
COSTS: dict[str, dict[str, int]] = {
    "build-cabin": {},
    "build-quarry": {},
    "build-mine": {"wood": 1},
    "build-sawmill": {"timber": 2},
    "build-coal-stack": {"timber": 1},
    "build-ironworks": {"stone": 2, "wood": 1},
    "build-docks": {"stone": 2, "wood": 1},
    "build-house": {"wood": 1, "stone": 1},
    "build-rail": {"wood": 1, "iron": 1},
    "build-cart": {"timber": 1},
    "build-train": {"iron": 2},
    "build-ship": {"iron": 1, "wood": 1},
    "fell-timber": {},
    "break-stone": {},
    "mine-ore": {},
    "saw-wood": {"timber": 1},
    "burn-coal": {"timber": 1},
    "smelt-iron": {"ore": 1, "coal": 1},
}
"""What an action uses up at its place."""

MAKERS = {
    "timber": ("fell-timber", "cabin"),
    "stone": ("break-stone", "quarry"),
    "ore": ("mine-ore", "mine"),
    "wood": ("saw-wood", "sawmill"),
    "coal": ("burn-coal", "coal-stack"),
    "iron": ("smelt-iron", "ironworks"),
}
"""The action that makes a resource, and the building that it needs."""

GROUND = {"timber": "woodland", "stone": "mountain", "ore": "metal-bearing"}


@attrs.frozen
class SettlersSize:
    """How many places there are, how many goals, and whether goals may need iron."""

    places: int
    goals: int
    with_iron: int


@attrs.define
class _Land:
    places: tuple[str, ...]
    kinds: dict[str, set[str]]
    links: dict[str, list[str]]
    coast: list[str]


def draw(chance: Random, size: SettlersSize) -> Draft:
    """One place has every kind of ground, others have some; all are linked by land."""
    if size.places < 2 or size.goals < 1:
        raise ValueError("expected two places and a goal at least")
    places = names("place", size.places)
    pairs = {(chance.choice(places[:n]), places[n]) for n in range(1, size.places)}
    links = {p: [q for q in places if (p, q) in pairs or (q, p) in pairs] for p in places}
    kinds = {p: {kind for kind in GROUND.values() if chance.random() < 0.35} for p in places}
    kinds[chance.choice(places)] = set(GROUND.values())
    coast = sorted(chance.sample(places, 2), key=places.index)
    land = _Land(places, kinds, links, coast)
    carts, trains, ships = names("cart", 2), names("train", 1), names("ship", 1)
    wishes = _wishes(chance, land, size)
    settlers = _Settlers(land)
    for wish in wishes:
        settlers.fulfil(wish)
    init = [step(kind, p) for p in places for kind in sorted(kinds[p])]
    init += [step("by-coast", p) for p in coast]
    init += [step("land-link", p, q) for p in places for q in links[p]]
    init += [step("sea-link", *coast), step("sea-link", *reversed(coast))]
    vehicles = (*carts, *trains, *ships)
    init += [fact for v in vehicles for fact in (step("unbuilt", v), fluent(3 if v in carts else 6, "space", v))]
    init += [fluent(0, "available", resource, store) for store in (*places, *vehicles) for resource in RESOURCES]
    init += [fluent(0, "housing", p) for p in places]
    objects = (("place", places), ("cart", carts), ("train", trains), ("ship", ships))
    goal = tuple(_goal(wish) for wish in wishes)
    return Draft(objects, tuple(init), goal, tuple(settlers.plan))


def _goal(wish: tuple[str, ...]) -> str:
    kind, *words = wish
    if kind == "housing":
        return f"(>= {step('housing', words[0])} {words[1]})"
    return step(kind, *words)


def _wishes(chance: Random, land: _Land, size: SettlersSize) -> list[tuple[str, ...]]:
    """Houses, buildings, rails and vehicles at random, none twice."""
    possible: list[tuple[str, ...]] = []
    for place in land.places:
        possible += [("housing", place, str(chance.randint(1, 2))), ("has-coal-stack", place), ("has-sawmill", place)]
        if "metal-bearing" in land.kinds[place]:
            possible.append(("has-mine", place))
    possible += [("has-docks", place) for place in land.coast]
    if size.with_iron:
        possible += [("rail-link", p, q) for p in land.places for q in land.links[p] if p < q]
    return sorted(chance.sample(possible, min(size.goals, len(possible))), key=possible.index)


class _Settlers:
    """Makes what is needed on the spot where the ground allows it, and brings the rest by cart."""

    def __init__(self, land: _Land) -> None:
        self.land = land
        self.plan: list[str] = []
        self.stock: dict[str, Counter[str]] = {place: Counter() for place in land.places}
        self.built: set[tuple[str, str]] = set()
        self.cart_at: str | None = None

    def fulfil(self, wish: tuple[str, ...]) -> None:
        kind, place, *more = wish
        if kind == "housing":
            for _ in range(int(more[0])):
                self._act("build-house", place)
        elif kind == "rail-link":
            self._act("build-rail", place, more[0])
        else:
            self._build(kind.removeprefix("has-"), place)

    def _build(self, building: str, place: str) -> None:
        if (building, place) not in self.built:
            self._act(f"build-{building}", place)
            self.built.add((building, place))

    def _act(self, action: str, place: str, *more: str) -> None:
        """Do something at a place, after what it uses up was made or brought there."""
        costs = Counter(COSTS[action])
        while missing := costs - self.stock[place]:
            resource = max(missing, key=lambda resource: (RESOURCES.index(resource), resource))
            self._get(resource, place, missing[resource])
        self.stock[place] -= costs
        self.plan.append(step(action, *((more[0], place) if action == "build-cart" else (place, *more))))

    def _can_make(self, resource: str, place: str) -> bool:
        kinds = self.land.kinds[place]
        if resource in GROUND:
            return GROUND[resource] in kinds
        parts = {"wood": ("timber",), "coal": ("timber",), "iron": ("timber", "stone", "ore")}[resource]
        return all(GROUND[part] in kinds for part in parts)

    def _get(self, resource: str, place: str, count: int) -> None:
        if self._can_make(resource, place):
            for _ in range(count):
                self._make(resource, place)
            return
        ends = [other for other in self.land.places if self._can_make(resource, other)]
        way = walk(place, lambda here: self.land.links[here], ends) or (place,)
        source = way[-1]
        if self.cart_at is None:
            maker = min(
                (other for other in self.land.places if self._can_make("timber", other)),
                key=lambda other: len(walk(other, lambda here: self.land.links[here], [source]) or ()),
            )
            self._act("build-cart", maker, "cart1")
            self.cart_at = maker
        while self.stock[source][resource] < count:
            self._make(resource, source)
        while count > 0:
            load = min(count, 3)
            self._drive(source)
            self.plan += [step("load", resource, "cart1", source)] * load
            self._drive(place)
            self.plan += [step("unload", resource, "cart1", place)] * load
            self.stock[source][resource] -= load
            self.stock[place][resource] += load
            count -= load

    def _drive(self, place: str) -> None:
        way = walk(self.cart_at or place, lambda here: self.land.links[here], [place]) or ()
        self.plan += [step("move-cart", "cart1", here, there) for here, there in pairwise(way)]
        self.cart_at = place

    def _make(self, resource: str, place: str) -> None:
        action, building = MAKERS[resource]
        self._build(building, place)
        self._act(action, place)
        self.stock[place][resource] += 1


GENERATOR = Generator(
    "settlersnumeric",
    ("resource",),
    tuple(
        SettlersSize(places, goals, int(number > 7))
        for number, (places, goals) in enumerate(zip(spread(19, 4, 18), spread(19, 3, 27), strict=True))
    ),
    draw,
)
