"""A trader who buys here and sells there, pays tolls in between, and must end with a given amount of money."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, fluent, names, spread, step, walk


@attrs.frozen
class MarkettraderSize:
    """How many towns and goods there are, how much the trader carries, and after how many actions the goal is met."""

    towns: int
    goods: int
    room: int
    steps: int


@attrs.define
class _Market:
    """Prices, stocks and tolls, and what the trader has."""

    roads: dict[str, list[str]]
    toll: dict[tuple[str, str], int]
    price: dict[tuple[str, str], int]
    offer: dict[tuple[str, str], int]
    stock: dict[tuple[str, str], int]
    at: str
    cash: int
    room: int

    def way(self, start: str, end: str) -> tuple[str, ...]:
        return walk(start, lambda town: self.roads[town], [end]) or ()

    def tolls(self, way: tuple[str, ...]) -> int:
        return sum(self.toll[pair] for pair in pairwise(way))


def draw(chance: Random, size: MarkettraderSize) -> Draft:
    """Prices around a value of each good; what is wanted is what greedy trading earns in so many actions."""
    if size.towns < 2 or min(size.goods, size.room, size.steps) < 1:
        raise ValueError("expected two towns, a good, room for one and a step at least")
    towns, goods = names("town", size.towns), names("good", size.goods)
    while True:
        market = _market(chance, towns, goods, size.room)
        start = attrs.evolve(market, stock=dict(market.stock))
        plan, wanted = _plan(market, size.steps)
        if plan and wanted > start.cash:
            break
    init = [step("trader-at", start.at), fluent(start.cash, "cash"), fluent(start.room, "room")]
    init += [fluent(0, "carried", good) for good in goods]
    for kind, values in (("on-sale", start.stock), ("price", start.price), ("offer", start.offer)):
        init += [fluent(value, kind, *pair) for pair, value in values.items()]
    for town in towns:
        for other in start.roads[town]:
            init += [step("road", town, other), fluent(start.toll[town, other], "toll", town, other)]
    objects = (("town", towns), ("good", goods))
    return Draft(objects, tuple(init), (f"(>= (cash) {wanted})",), tuple(plan))


def _market(chance: Random, towns: tuple[str, ...], goods: tuple[str, ...], room: int) -> _Market:
    pairs = {(chance.choice(towns[:n]), towns[n]) for n in range(1, len(towns))} | {(towns[0], towns[-1])}
    roads = {town: [o for o in towns if o != town and ((town, o) in pairs or (o, town) in pairs)] for town in towns}
    toll = {(town, other): 0 for town in towns for other in roads[town]}
    for town, other in sorted(toll):
        toll[town, other] = toll[other, town] or chance.randint(1, 4)
    value = {good: chance.randint(4, 30) for good in goods}
    price = {(g, t): max(2, value[g] * chance.randint(50, 150) // 100) for g in goods for t in towns}
    offer = {pair: max(1, cost * chance.randint(75, 95) // 100) for pair, cost in price.items()}
    stock = {pair: chance.randint(0, 6) for pair in price}
    return _Market(roads, toll, price, offer, stock, chance.choice(towns), chance.randint(40, 90), room)


def _plan(market: _Market, steps: int) -> tuple[list[str], int]:
    """Again and again the trip that earns most for each action, until the steps are used; the plan and the money."""
    plan: list[str] = []
    best: tuple[list[str], int] = ([], market.cash)
    while len(plan) < steps:
        trips = [
            trip for good, town in market.price for end in market.roads if (trip := _trip(market, good, town, end))
        ]
        if not trips:
            break
        _, good, town, end, count = max(trips, key=lambda trip: trip[0])
        for way in (market.way(market.at, town), None, market.way(town, end)):
            if way is None:
                plan += [step("buy", good, town)] * count
                continue
            plan += [step("travel", here, there) for here, there in pairwise(way)]
            market.cash -= market.tolls(way)
        plan += [step("sell", good, end)] * count
        market.cash += count * (market.offer[good, end] - market.price[good, town])
        market.stock[good, town] -= count
        market.stock[good, end] += count
        market.at = end
        best = (list(plan), market.cash)
    return best


def _trip(market: _Market, good: str, town: str, end: str) -> tuple[float, str, str, str, int] | None:
    to, onward = market.way(market.at, town), market.way(town, end)
    tolls, later = market.tolls(to), market.tolls(onward)
    price = market.price[good, town]
    count = min(market.stock[good, town], market.room, (market.cash - tolls - later) // price)
    earned = count * (market.offer[good, end] - price) - tolls - later
    if count < 1 or earned <= 0:
        return None
    return earned / (len(to) + len(onward) - 2 + 2 * count), good, town, end, count


GENERATOR = Generator(
    "markettrader",
    ("resource",),
    tuple(
        MarkettraderSize(towns, goods, room, steps)
        for towns, goods, room, steps in zip(
            spread(20, 2, 20), spread(20, 2, 20), spread(20, 3, 8), spread(20, 12, 46), strict=True
        )
    ),
    draw,
)
