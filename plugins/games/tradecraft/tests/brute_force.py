"""Everything that can be done, tried: what the solver is held against."""

from collections.abc import Container, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random

from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet
from hypothesis import strategies as st

ITEMS = "abcdef"
TAGS = {"#ab": "ab", "#cde": "cde"}
HALF, ONE = Fraction(1, 2), Fraction(1)

Hand = tuple[tuple[str, int], ...]
"""Amounts in halves, by name."""


def frozen(amounts: dict[str, int]) -> Hand:
    """A hand that can be put into a set."""
    return tuple(sorted((item, n) for item, n in amounts.items() if n))


@st.composite
def ingredients(draw: st.DrawFn) -> tuple[Ingredient, ...]:
    """One to three things of a recipe, tags and halves among them."""
    names = draw(st.lists(st.sampled_from([*ITEMS, *TAGS]), min_size=1, max_size=3, unique=True))
    amounts = [draw(st.sampled_from([Fraction(1), Fraction(1), Fraction(2), HALF])) for _ in names]
    return tuple(
        Ingredient(name, n, dict.fromkeys(TAGS.get(name, name), Fraction(1)))
        for name, n in zip(names, amounts, strict=True)
    )


@st.composite
def small_rules(draw: st.DrawFn) -> RuleSet:
    """A few recipes of anything with anything: circles, things that grow out of themselves, dead ends."""
    made = draw(st.lists(st.tuples(st.sampled_from(ITEMS), st.integers(1, 3), ingredients()), min_size=2, max_size=6))
    recipes = tuple(Recipe(f"r{i}", "test", parts, out, count) for i, (out, count, parts) in enumerate(made))
    return RuleSet("small", {tag: dict.fromkeys(items, Fraction(1)) for tag, items in TAGS.items()}, recipes)


def small_hands(largest: int = 3) -> st.SearchStrategy[dict[str, Fraction]]:
    """A hand of a few whole things."""
    return st.dictionaries(st.sampled_from(ITEMS), st.integers(1, largest).map(Fraction), min_size=1, max_size=3)


def fillings(parts: tuple[Ingredient, ...], times: int, hand: dict[str, int]) -> Iterator[dict[str, int]]:
    """What is left of ``hand``, counted in halves, after each way to fill the ingredients in halves.

    Where all amounts are multiples of a half and every member counts one, halves reach whatever finer parts do: how to
    fill is a transport problem, whose corners lie on multiples of the unit.
    """
    if not parts:
        yield hand
        return
    for left in _mixes(sorted(parts[0].members), int(2 * times * parts[0].amount), hand):
        yield from fillings(parts[1:], times, left)


def _mixes(members: list[str], need: int, hand: dict[str, int]) -> Iterator[dict[str, int]]:
    if not need:
        yield hand
    elif members:
        first, *others = members
        for used in range(min(need, hand.get(first, 0)) + 1):
            yield from _mixes(others, need - used, {**hand, first: hand.get(first, 0) - used})


def after_one_craft(rules: RuleSet, hand: Hand) -> Iterator[Hand]:
    """Every hand that one craft leads to."""
    held = {item for item, _ in hand}
    for recipe in rules.recipes:
        if any(held.isdisjoint(i.members) for i in recipe.ingredients):
            continue
        times = 1
        while lefts := {frozen(left) for left in fillings(recipe.ingredients, times, dict(hand))}:
            for left in lefts:
                made = dict(left)
                made[recipe.output] = made.get(recipe.output, 0) + 2 * times * recipe.count
                yield frozen(made)
            times += 1


def holds(hand: Hand, target: dict[str, Fraction]) -> bool:
    """Whether the target is there."""
    held = dict(hand)
    return all(held.get(item, 0) >= 2 * n for item, n in target.items())


def fewest_crafts(
    rules: RuleSet, hand: dict[str, Fraction], target: dict[str, Fraction], deepest: int, most: int
) -> tuple[int | None, bool]:
    """The fewest crafts up to ``deepest``, and whether all that follows was seen (no more than ``most`` hands)."""
    start = frozen({item: int(2 * n) for item, n in hand.items()})
    layer, seen = {start}, {start}
    for crafts in range(deepest + 1):
        if any(holds(found, target) for found in layer):
            return crafts, True
        following = set()
        for found in layer:
            following.update(new for new in after_one_craft(rules, found) if new not in seen)
            if len(following) > most:
                return None, False
        if not following:
            return None, True
        seen |= following
        layer = following
    return None, False


def all_lengths(rules: RuleSet, hand: dict[str, Fraction], items: Container[str]) -> dict[str, int]:
    """The fewest crafts to one of each of ``items``, trying all crafts until no new hand comes of them."""
    layer = {frozen({item: int(2 * n) for item, n in hand.items()})}
    seen, found, crafts = set(layer), {}, 0
    while layer:
        for held in layer:
            for item, halves in held:
                if halves >= 2 and item in items:
                    found.setdefault(item, crafts)
        layer = {after for held in layer for after in after_one_craft(rules, held)} - seen
        seen |= layer
        crafts += 1
    return found


class TooMany(Exception):
    """There is more to try than a test has time for."""


Hands = tuple[Hand, ...]


def phase(rules: RuleSet, hand: Hand, most: int) -> set[Hand]:
    """Every hand after a crafting phase, fractions cut off."""
    seen, new = {hand}, {hand}
    while new:
        new = {after for found in new for after in after_one_craft(rules, found)} - seen
        seen |= new
        if len(seen) > most:
            raise TooMany
    return {frozen({item: n - n % 2 for item, n in found}) for found in seen}


def phases(rules: RuleSet, hands: Hands, most: int) -> set[Hands]:
    """Everybody's hands after a crafting phase."""
    return set(product(*(phase(rules, hand, most) for hand in hands)))


def _parts(hand: Hand, kinds: Container[str] | None) -> Iterator[Hand]:
    """What may be given of a hand: one kind at most of these ``kinds``, or anything."""
    if kinds is not None:
        yield ()
        yield from (((item, n),) for item, held in hand if item in kinds for n in range(2, held + 1, 2))
    else:
        options = [[(item, n) for n in range(0, held + 1, 2)] for item, held in hand]
        yield from (frozen(dict(chosen)) for chosen in product(*options))


def exchanges(hands: Hands, kinds: Container[str] | None) -> Iterator[Hands]:
    """Hands after each trade between two players."""
    for one, other in combinations(range(len(hands)), 2):
        for given, taken in product(_parts(hands[one], kinds), _parts(hands[other], kinds)):
            after = [dict(hand) for hand in hands]
            for giver, taker, items in ((one, other, given), (other, one, taken)):
                for item, n in items:
                    after[giver][item] -= n
                    after[taker][item] = after[taker].get(item, 0) + n
            yield tuple(map(frozen, after))


def fewest_trades_to(
    rules: RuleSet, hands: Hands, target: dict[str, Fraction], kinds: Container[str], deepest: int, most: int
) -> int | None:
    """The fewest trades of ``kinds`` until the first player holds ``target``, up to ``deepest``."""
    layer = phases(rules, hands, most)
    seen = set(layer)
    for trades in range(deepest + 1):
        if any(holds(found[0], target) for found in layer):
            return trades
        traded = {after for found in layer for after in exchanges(found, kinds)}
        layer = {after for found in traded for after in phases(rules, found, most)} - seen
        seen |= layer
        if len(seen) > most:
            raise TooMany
        if not layer:
            return None
    return None


def fewest_turns(
    rules: RuleSet, hands: Hands, targets: Sequence[dict[str, Fraction]], deepest: int, most: int
) -> int | None:
    """The fewest turns until all hold their targets, nobody having held its own before."""
    layer = {hands}
    for turns in range(deepest + 1):
        ready = {found: [holds(hand, target) for hand, target in zip(found, targets, strict=True)] for found in layer}
        if any(all(done) for done in ready.values()):
            return turns
        traded = {after for found, done in ready.items() if not any(done) for after in exchanges(found, None)}
        layer = set()
        for found in traded:
            layer |= phases(rules, found, most)
            if len(layer) > most:
                raise TooMany
    return None


def random_rules(rng: Random) -> RuleSet:
    """A few small recipes."""
    recipes: list[Recipe] = []
    for number in range(rng.randint(2, 5)):
        names = rng.sample([*ITEMS, *TAGS], rng.choice((1, 2, 2, 3)))
        parts = [
            Ingredient(n, rng.choice([Fraction(1), Fraction(1), Fraction(2), HALF]), dict.fromkeys(TAGS.get(n, n), ONE))
            for n in names
        ]
        recipes.append(Recipe(f"r{number}", "test", tuple(parts), rng.choice(ITEMS), rng.randint(1, 2)))
    return RuleSet("small", {}, tuple(recipes))
