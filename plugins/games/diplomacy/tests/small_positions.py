"""Small random positions for the comparison of two adjudicators, with circles and paradoxes planted in them."""

from collections.abc import Callable, Iterator
from random import Random

from arena_game_diplomacy import STANDARD, Position, legal_orders

MOST_ORDERS = 8

Orders = dict[str, list[str]]

SEAS = [name for name, found in STANDARD.provinces.items() if found.kind == "sea"]


class Full(Exception):
    """A province is taken already, or nothing fits; the position is thrown away."""


class Draft:
    """A position in the making: a unit in each province, and the orders of those that have one."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.powers = rng.sample(STANDARD.powers, rng.choice((2, 2, 3, 3, 4)))
        self.units: dict[str, tuple[str, str]] = {}
        self.orders: dict[str, str] = {}

    def put(self, unit: str, power: str) -> str:
        province = STANDARD.province_of[unit[2:]]
        if province in self.units or len(self.units) == MOST_ORDERS:
            raise Full
        self.units[province] = (power, unit)
        return unit

    def order(self, unit: str, order: str) -> None:
        self.orders[STANDARD.province_of[unit[2:]]] = f"{unit} {order}"

    def power(self, but: str = "") -> str:
        return self.rng.choice([power for power in self.powers if power != but])

    def coast(self, sea: str) -> str:
        """A free place on the coast of a sea, from where a fleet gets to it."""
        free = [
            place
            for place in sorted(STANDARD.fleet_borders[sea])
            if STANDARD.provinces[STANDARD.province_of[place]].kind == "coastal"
            and STANDARD.province_of[place] not in self.units
        ]
        return self.pick(free)

    def near(self, sea: str) -> str:
        """A free place beside a sea, from where a fleet gets to it."""
        return self.pick([p for p in sorted(STANDARD.fleet_borders[sea]) if STANDARD.province_of[p] not in self.units])

    def pick(self, places: list[str]) -> str:
        if not places:
            raise Full
        return self.rng.choice(places)


def planted_convoy(draft: Draft, sea: str | None = None) -> tuple[str, str, str]:
    """An army on its way over a fleet to a place that it attacks; the fleet, its power, and who is attacked there."""
    sea = sea or draft.pick([name for name in SEAS if name not in draft.units])
    army, fleet = draft.power(), draft.power()
    draft.put(f"F {sea}", fleet)
    start = STANDARD.province_of[draft.coast(sea)]
    draft.put(f"A {start}", army)
    there = draft.coast(sea)
    draft.put(f"F {there}", draft.power(but=army))
    goal = STANDARD.province_of[there]
    draft.order(f"A {start}", f"- {goal} VIA")
    draft.order(f"F {sea}", f"C A {start} - {goal}")
    return sea, fleet, f"F {there}"


def attacked(draft: Draft, sea: str, owner: str) -> str:
    """A fleet that attacks the fleet in a sea."""
    unit = draft.put(f"F {draft.near(sea)}", draft.power(but=owner))
    draft.order(unit, f"- {sea}")
    return unit


def two_ways(draft: Draft) -> None:
    """A convoy whose army attacks the support of an attack on it: it works if it works (6.F.14)."""
    sea, owner, there = planted_convoy(draft)
    draft.order(there, f"S {attacked(draft, sea, owner)} - {sea}")


def no_way(draft: Draft) -> None:
    """A convoy whose army attacks the support that saves it: it fails if it works (6.F.16)."""
    sea, owner, there = planted_convoy(draft)
    attacker = attacked(draft, sea, owner)
    helper = draft.put(f"F {draft.near(sea)}", draft.power(but=owner))
    draft.order(helper, f"S {attacker} - {sea}")
    draft.order(there, f"S F {sea}")


def two_convoys(draft: Draft) -> None:
    """Two convoys, each of whose armies attacks a support that matters to the other (6.F.22 to 6.F.24)."""
    first, owner, there = planted_convoy(draft)
    near = [name for name in sorted(STANDARD.seas[first]) if name not in draft.units]
    second, other, here = planted_convoy(draft, draft.pick(near))
    draft.order(there, draft.rng.choice((f"S {attacked(draft, second, other)} - {second}", f"S F {second}")))
    draft.order(here, draft.rng.choice((f"S {attacked(draft, first, owner)} - {first}", f"S F {first}")))


def circle(draft: Draft) -> None:
    """Three units that go round, by land or by sea."""
    draft_of = draft.rng.choice(("A", "F"))
    borders = STANDARD.army_borders if draft_of == "A" else STANDARD.fleet_borders
    first = draft.pick(sorted(borders))
    second = draft.pick(sorted(borders[first]))
    third = draft.pick([place for place in sorted(borders[second]) if first in borders[place] and place != first])
    for start, goal in ((first, second), (second, third), (third, first)):
        draft.put(f"{draft_of} {start}", draft.power())
        draft.order(f"{draft_of} {start}", f"- {goal}")


def attacked_convoy(draft: Draft) -> None:
    """A convoy under an attack that hangs on nothing."""
    sea, owner, _ = planted_convoy(draft)
    attacked(draft, sea, owner)


def nothing(draft: Draft) -> None:
    """Only what chance puts there."""


PLANTS: tuple[Callable[[Draft], None], ...] = (
    two_ways,
    two_ways,
    no_way,
    no_way,
    two_convoys,
    two_convoys,
    circle,
    attacked_convoy,
    nothing,
    nothing,
)


def small_positions(rng: Random) -> Iterator[tuple[Position, Orders]]:
    """Positions of at most 8 units without end, with a legal order for each of them."""
    while True:
        draft = Draft(rng)
        try:
            rng.choice(PLANTS)(draft)
            crowd(draft)
        except Full:
            continue
        yield from finished(draft)


def crowd(draft: Draft) -> None:
    """Put more units near those that are there."""
    for _ in range(draft.rng.randint(0, MOST_ORDERS - len(draft.units))):
        middle = draft.rng.choice(sorted(draft.units) or sorted(STANDARD.provinces))
        place = draft.rng.choice(sorted(name for name, steps in STANDARD.distances[middle].items() if steps == 1))
        possible = sorted(unit for unit in STANDARD.moves if STANDARD.province_of[unit[2:]] == place)
        if place not in draft.units:
            draft.put(draft.rng.choice(possible), draft.power())


def finished(draft: Draft) -> Iterator[tuple[Position, Orders]]:
    """The position of a draft with random orders where it has none; nothing if one of its own is not legal."""
    units: Orders = {}
    for power, unit in draft.units.values():
        units.setdefault(power, []).append(unit)
    position = Position(phase="S1901M", units=units)
    orders: Orders = {}
    for power, legal in legal_orders(position).items():
        for unit, texts in legal.items():
            mine = draft.orders.get(STANDARD.province_of[unit[2:]])
            if mine is not None and mine not in texts:
                return
            orders.setdefault(power, []).append(mine or draft.rng.choice(busy(draft.rng, texts)))
    yield position, orders


def busy(rng: Random, texts: tuple[str, ...]) -> list[str]:
    """One kind of orders among those of a unit, so that supports and convoys do not crowd out moves."""
    kinds = [[text for text in texts if f" {verb} " in text] for verb in ("-", "S", "C")]
    moves = [text for text in kinds[0] if " S " not in text and " C " not in text]
    return rng.choice([kind for kind in (list(texts), moves, moves, kinds[1], kinds[2]) if kind])
