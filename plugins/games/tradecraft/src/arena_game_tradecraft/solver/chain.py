"""The shortest crafting chain: the fewest crafts from a hand to a target.

A craft is one recipe, applied any whole number of times. Fractions exist only within a crafting phase: a whole target
that is there before fractions are rounded down is there afterwards, so several crafting phases reach nothing
that one does not.

Two integer programs decide. The first ignores the order: what is made and held must cover what is used and wanted,
with as few crafts as possible. No chain is shorter than its optimum, and almost always its crafts can be put in order,
which makes the chain one of the shortest. If they cannot (an item needed to make itself), the second program decides,
for each number of crafts from that bound on, whether so many suffice one after another.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

import attrs

from arena_game_tradecraft.rules.crafting import Craft
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.solver.filling import Step, carry_out, in_order
from arena_game_tradecraft.solver.program import Program, Status
from arena_game_tradecraft.solver.scope import Scope, Stock, scope, stock

NODES: Final = 1_000
"""The most nodes that are searched in one integer program."""

LONGER: Final = 4
"""The most crafts by which a chain may exceed the bound that ignores the order."""

TIE: Final = 1e-4
"""The cost of applying a recipe once, so that of equally many crafts the smaller ones are chosen."""


@attrs.frozen
class Chain:
    """A shortest chain; ``status`` says whether it was found, does not exist, or is unknown."""

    status: Status
    crafts: tuple[Craft, ...] = ()

    @property
    def length(self) -> int | None:
        """The number of crafts, or ``None`` if no chain was found."""
        return len(self.crafts) if self.status == "found" else None


def shortest_chain(
    rules: RuleSet, hand: Mapping[str, Fraction | int], target: Mapping[str, Fraction | int], *, nodes: int = NODES
) -> Chain:
    """The fewest crafts that turn ``hand`` into one that holds ``target``; an empty chain if it does already."""
    return _shortest(rules, stock(hand), stock(target), nodes)


@lru_cache(maxsize=4096)
def _shortest(rules: RuleSet, hand: Stock, target: Stock, nodes: int) -> Chain:
    held = dict(hand)
    if all(held.get(item, 0) >= amount for item, amount in target):
        return Chain("found")
    within = scope(rules, hand, tuple(item for item, _ in target))
    if within is None:
        return Chain("none")
    status, steps, bound = fewest(within, held, dict(target), nodes)
    if status != "found":
        return Chain(status if within.is_bounded else "unknown")
    if len(steps) == bound and (crafts := carry_out(held, steps, dict(target))):
        return Chain("found", crafts)
    return _one_by_one(within, held, dict(target), bound, nodes)


def fewest(
    within: Scope, hand: Mapping[str, Fraction], target: Mapping[str, Fraction], nodes: int
) -> tuple[Status, list[Step], int]:
    """Recipes and how often each is applied, with the fewest crafts if order did not matter, and how many crafts."""
    program = Program()
    balance: dict[str, list[tuple[int, Fraction | float]]] = {item: [] for item in within.items}
    tie = min(TIE, 0.5 / (sum(within.most) + 1))
    times, crafts = [], []
    for most in within.most:
        times.append(program.column(tie))
        crafts.append(program.column(1))
        program.row([(crafts[-1], most), (times[-1], -1)])
    apply_recipes(program, within, times, balance)
    for item, terms in balance.items():
        program.row(terms, float(target.get(item, 0) - hand.get(item, 0)))
    solved = program.solve(nodes)
    if solved.status != "found":
        return solved.status, [], 0
    steps = [(r, solved.whole(x)) for r, x in zip(within.recipes, times, strict=True) if solved.whole(x)]
    return "found", steps, sum(map(solved.whole, crafts))


def apply_recipes(
    program: Program,
    within: Scope,
    times: list[int],
    used: dict[str, list[tuple[int, Fraction | float]]],
    made: dict[str, list[tuple[int, Fraction | float]]] | None = None,
) -> None:
    """Add to the program what applying recipes ``times`` times uses and makes; tags are filled by any mix of members.

    ``used`` and ``made`` (the same unless given) hold the terms of each item: what is used is subtracted.
    """
    made = used if made is None else made
    pools: dict[str, list[tuple[int, Fraction | float]]] = {}
    for tag, members in within.pools.items():
        pools[tag] = []
        for item, count in members.items():
            part = program.column(whole=False)
            used[item].append((part, -1))
            pools[tag].append((part, 1 / count))
    for recipe, column in zip(within.recipes, times, strict=True):
        made[recipe.output].append((column, recipe.count))
        for ingredient in recipe.ingredients:
            (pools if ingredient.is_tag else used)[ingredient.name].append((column, -ingredient.amount))
    for terms in pools.values():
        program.row(terms)


def _one_by_one(
    within: Scope, hand: Mapping[str, Fraction], target: Mapping[str, Fraction], bound: int, nodes: int
) -> Chain:
    for length in range(max(1, bound), bound + LONGER + 1):
        status, steps = _so_many(within, hand, target, length, nodes)
        if status == "found" and (crafts := in_order(hand, steps, target)):
            return Chain("found", crafts)
        if status != "none":
            break
    return Chain("unknown")


def _so_many(
    within: Scope, hand: Mapping[str, Fraction], target: Mapping[str, Fraction], length: int, nodes: int
) -> tuple[Status, list[Step]]:
    """Find ``length`` steps in sequence that lead from ``hand`` to ``target``."""
    program = Program()
    before: dict[str, int] = {}
    taken: list[list[int]] = []
    for _ in range(length):
        times = [program.column(TIE) for _ in within.recipes]
        chosen = [program.column(upper=1) for _ in within.recipes]
        for most, x, y in zip(within.most, times, chosen, strict=True):
            program.row([(y, most), (x, -1)])
        program.row([(y, 1) for y in chosen], 1, 1)
        after = {item: program.column(whole=False) for item in within.items}
        used: dict[str, list[tuple[int, Fraction | float]]] = {item: [] for item in within.items}
        made: dict[str, list[tuple[int, Fraction | float]]] = {item: [] for item in within.items}
        apply_recipes(program, within, times, used, made)
        for item in within.items:
            start = [(before[item], 1)] if before else []
            held = -float(hand.get(item, 0)) if not before else 0.0
            program.row([*start, *used[item]], held)
            program.row([*start, *used[item], *made[item], (after[item], -1)], held, held)
        before = after
        taken.append(times)
    for item, amount in target.items():
        program.row([(before[item], 1)], float(amount))
    solved = program.solve(nodes)
    if solved.status != "found":
        return solved.status, []
    return "found", [
        (recipe, solved.whole(x)) for times in taken for recipe, x in zip(within.recipes, times, strict=True)
        if solved.whole(x)
    ]  # fmt: skip
