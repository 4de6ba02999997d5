"""Mills that make sugar of one brand at a time, cranes that load it onto trucks, and depots that want it."""

from collections import Counter
from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, fluent, names, spread, step, walk


@attrs.frozen
class SugarSize:
    """How many mills, depots, brands and trucks there are, and how much is wanted in all."""

    mills: int
    depots: int
    brands: int
    trucks: int
    units: int


@attrs.define
class _Trade:
    """Roads, what mills are set for and may change to, and what they, their cranes and the trucks have."""

    roads: dict[str, list[str]]
    set_for: dict[str, str]
    changes: dict[str, list[tuple[str, str]]]
    cane: dict[str, int]
    delivery: dict[str, int]
    lifts: dict[str, int]
    lifts_left: dict[str, int]
    space: dict[str, int]
    at: dict[str, str]


def draw(chance: Random, size: SugarSize) -> Draft:
    """Mills in reach of all depots; changes of brand go round, so that every mill can make every brand."""
    if min(attrs.astuple(size)) < 1:
        raise ValueError("expected one of everything at least")
    mills, depots, brands = names("mill", size.mills), names("depot", size.depots), names("brand", size.brands)
    places = chance.sample((*mills, *depots), size.mills + size.depots)
    pairs = {(chance.choice(places[:n]), places[n]) for n in range(1, len(places))}
    order = chance.sample(brands, len(brands))
    around = list(zip(order, [*order[1:], order[0]], strict=True)) if len(brands) > 1 else []
    trade = _Trade(
        roads={p: [q for q in (*mills, *depots) if (p, q) in pairs or (q, p) in pairs] for p in (*mills, *depots)},
        set_for={mill: chance.choice(brands) for mill in mills},
        changes={mill: list(around) for mill in mills},
        cane={mill: chance.randint(0, 3) for mill in mills},
        delivery={mill: chance.randint(2, 5) for mill in mills},
        lifts={mill: chance.randint(2, 5) for mill in mills},
        lifts_left={mill: chance.randint(0, 2) for mill in mills},
        space={truck: chance.randint(3, 5) for truck in names("truck", size.trucks)},
        at={truck: chance.choice(places) for truck in names("truck", size.trucks)},
    )
    wanted: Counter[tuple[str, str]] = Counter()
    for _ in range(size.units):
        wanted[chance.choice(brands), chance.choice(depots)] += 1
    init = [step("road", p, q) for p in (*mills, *depots) for q in trade.roads[p]]
    init += [
        fact for t in trade.space for fact in (step("truck-at", t, trade.at[t]), fluent(trade.space[t], "space", t))
    ]
    for mill in mills:
        crane = f"crane-{mill}"
        init += [step("crane-of", crane, mill), step("set-for", mill, trade.set_for[mill])]
        init += [step("can-change", mill, *change) for change in trade.changes[mill]]
        init += [fluent(trade.cane[mill], "cane", mill), fluent(trade.delivery[mill], "delivery", mill)]
        init += [fluent(size.units, "deliveries-left", mill)]
        init += [fluent(trade.lifts[mill], "lifts", crane), fluent(trade.lifts_left[mill], "lifts-left", crane)]
        init += [fluent(0, "stock", brand, mill) for brand in brands]
    init += [fluent(0, "aboard", brand, truck) for truck in trade.space for brand in brands]
    init += [fluent(0, "delivered", brand, depot) for depot in depots for brand in brands]
    goal = tuple(f"(>= {step('delivered', *pair)} {count})" for pair, count in sorted(wanted.items()))
    objects = (
        ("mill", mills),
        ("depot", depots),
        ("brand", brands),
        ("truck", tuple(trade.space)),
        ("crane", tuple(f"crane-{mill}" for mill in mills)),
    )
    return Draft(objects, tuple(init), goal, tuple(_plan(trade, wanted)))


def _plan(trade: _Trade, wanted: Counter[tuple[str, str]]) -> list[str]:
    """Depot after depot: a truck near a mill that needs few changes is filled there, driven over and emptied."""
    plan: list[str] = []
    left = Counter(wanted)

    def way(start: str, end: str) -> tuple[str, ...]:
        return walk(start, lambda place: trade.roads[place], [end]) or ()

    def go(truck: str, end: str) -> None:
        route = way(trade.at[truck], end)
        plan.extend(step("drive", truck, a, b) for a, b in pairwise(route))
        trade.at[truck] = end

    while left := +left:
        choices = [
            (
                len(way(trade.at[truck], mill)) + len(way(mill, depot)) + len(_turns(trade, mill, brand)),
                mill,
                truck,
                brand,
                depot,
            )
            for brand, depot in left
            for mill in trade.set_for
            for truck in trade.space
        ]
        _, mill, truck, _, depot = min(choices)
        room, cargo = trade.space[truck], Counter[str]()
        go(truck, mill)
        for brand in sorted((b for b, d in left if d == depot), key=lambda b: len(_turns(trade, mill, b))):
            for _ in range(min(room, left[brand, depot])):
                _load(trade, mill, truck, brand, plan)
                cargo[brand] += 1
                room -= 1
        go(truck, depot)
        for brand, count in cargo.items():
            plan += [step("unload", depot, brand, truck)] * count
            left[brand, depot] -= count
    return plan


def _turns(trade: _Trade, mill: str, brand: str) -> list[tuple[str, str]]:
    """The changes of brand that lead a mill to a brand, one after another."""
    after = dict(trade.changes[mill])
    turns: list[tuple[str, str]] = []
    now = trade.set_for[mill]
    while now != brand:
        turns.append((now, after[now]))
        now = after[now]
    return turns


def _load(trade: _Trade, mill: str, truck: str, brand: str, plan: list[str]) -> None:
    """Make one unit of a brand and lift it onto the truck."""
    plan += [step("change-brand", mill, *turn) for turn in _turns(trade, mill, brand)]
    trade.set_for[mill] = brand
    if trade.cane[mill] == 0:
        plan.append(step("resupply", mill))
        trade.cane[mill] = trade.delivery[mill]
    plan.append(step("mill-cane", mill, brand))
    trade.cane[mill] -= 1
    if trade.lifts_left[mill] == 0:
        plan.append(step("service-crane", f"crane-{mill}"))
        trade.lifts_left[mill] = trade.lifts[mill]
    plan.append(step("load", f"crane-{mill}", mill, brand, truck))
    trade.lifts_left[mill] -= 1


GENERATOR = Generator(
    "sugar",
    ("resource",),
    tuple(
        SugarSize(mills, depots, brands, trucks, units)
        for mills, depots, brands, trucks, units in zip(
            spread(20, 2, 5), spread(20, 2, 5), spread(20, 1, 4), spread(20, 1, 2), spread(20, 3, 10), strict=True
        )
    ),
    draw,
)
