"""Rule sets that are made up are what was asked for, whatever was asked for."""

from fractions import Fraction

import attrs
import pytest
from arena.errors import ConfigError
from arena.record import derive_rng
from arena_game_tradecraft.rules.compact import write_rules
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.procedural import (
    Procedural,
    invented_names,
    known_words,
    parse_source,
    procedural_rules,
)
from hypothesis import given, settings, strategies as st


@st.composite
def wishes(draw: st.DrawFn) -> Procedural:
    """Anything that may be asked for, of moderate size."""
    raw, depth = draw(st.integers(2, 12)), draw(st.integers(1, 12))
    return Procedural(
        seed=draw(st.integers(0, 10**6)),
        items=raw + depth + draw(st.integers(0, 120)),
        raw=raw,
        depth=depth,
        branching=draw(st.integers(1, 5)),
        recipes=draw(st.integers(1, 4)),
        tags=draw(st.integers(0, 10)),
        tagged=draw(st.sampled_from([0.0, 0.3, 1.0])),
        names=draw(st.sampled_from(["invented", "shuffled"])),
    )


SOME = settings(max_examples=40, deadline=None)


@pytest.mark.slow
@SOME
@given(wishes())
def test_everything_can_be_made_at_the_depth_asked_for(wish: Procedural):
    """All items follow from the raw ones, and the deepest is just as deep as wished."""
    rules = procedural_rules(wish)
    raw = {item for item in rules.items if item not in rules.makes}

    depths = rules.reachable(raw)

    assert set(depths) == set(rules.items)
    assert max(depths.values()) == wish.depth
    assert len(raw) <= wish.raw
    assert len(rules.makes) == wish.items - wish.raw


@pytest.mark.slow
@SOME
@given(wishes())
def test_all_items_are_there_where_there_is_room(wish: Procedural):
    """No raw item is left over where the recipes have room for all."""
    rules = procedural_rules(wish)
    room = wish.items - wish.raw if wish.branching > 1 else 0

    if room >= wish.raw:
        assert len(rules.items) == wish.items


@SOME
@given(wishes())
def test_recipes_keep_to_the_limits(wish: Procedural):
    """No recipe needs more kinds than allowed, no item has more recipes, and there are no more tags than wished."""
    rules = procedural_rules(wish)

    assert max(len(recipe.ingredients) for recipe in rules.recipes) <= wish.branching
    assert max(map(len, rules.makes.values())) <= wish.recipes
    assert len(rules.tags) <= wish.tags
    assert all(amount > 0 for members in rules.tags.values() for amount in members.values())


@SOME
@given(wishes())
def test_no_chain_of_recipes_leads_back(wish: Procedural):
    """Whatever an item is made of lies below it, so nothing can be multiplied by going round."""
    rules = procedural_rules(wish)
    depths = rules.reachable({item for item in rules.items if item not in rules.makes})

    assert all(depths[m] < depths[r.output] for r in rules.recipes for i in r.ingredients for m in i.members)


@pytest.mark.slow
@SOME
@given(wishes())
def test_equal_wishes_give_equal_rules(wish: Procedural):
    """The rules follow from the wish alone; another seed gives others."""
    rules = write_rules(procedural_rules(wish))

    assert write_rules(procedural_rules(wish)) == rules
    assert write_rules(procedural_rules(attrs.evolve(wish, seed=wish.seed + 1))) != rules


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_invented_names_can_be_told_apart_and_said(seed: int):
    """No two names differ in one letter only, and no more than three consonants or two vowels stand together."""
    names = invented_names(derive_rng("test", seed), 150)

    assert len(set(names)) == 150
    assert not any(_is_near(a, b) for i, a in enumerate(names) for b in names[:i])
    for name in names:
        runs = "".join("v" if letter in "aeiou" else "c" for letter in name)
        assert "cccc" not in runs
        assert "vvv" not in runs


def _is_near(one: str, other: str) -> bool:
    """Whether one letter exchanged, added or left out makes one of the other."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) <= 1
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


@pytest.mark.slow
def test_shuffled_names_are_words_that_mean_nothing():
    """Shuffled names are known words; what they are made of is not what it was."""
    rules, alchemy = load("procedural?items=400&names=shuffled"), load("alchemy")
    known = {(frozenset(i.name for i in recipe.ingredients), recipe.output) for recipe in alchemy.recipes}

    assert set(rules.items) <= known_words()
    assert known.isdisjoint((frozenset(i.name for i in r.ingredients), r.output) for r in rules.recipes)


def test_rules_of_a_seed_stay_the_same():
    """What a seed gave once it gives for good, or runs could not be repeated."""
    assert load("procedural?seed=7").digest == "eb6efd78897c3ba4"


def test_source_writes_down_a_wish():
    """Settings follow a question mark; those that are left out have their usual values."""
    wish = parse_source("procedural?seed=7&items=300&tagged=0.5&names=shuffled")

    assert wish == Procedural(seed=7, items=300, tagged=0.5, names="shuffled")
    assert parse_source("procedural") == Procedural()
    assert parse_source("minecraft") is None


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("procedural?sed=7", "procedural?sed=7: unknown setting 'sed'; there are seed, items, raw, depth,"),
        ("procedural?items=many", "procedural?items=many: items: expected int, got 'many'"),
        ("procedural?items=5", "procedural: items: expected 20 (raw + depth) to 20000, got 5"),
        ("procedural?tagged=2", "procedural: tagged: expected a probability, got 2.0"),
        ("procedural?names=mine", "procedural: names: expected one of invented, shuffled, got 'mine'"),
        ("procedural?branching=0", "procedural: branching: expected at least 1, got 0"),
    ],
)
def test_impossible_wishes_are_refused(source: str, problem: str):
    """A wish that cannot be met is refused by its setting."""
    with pytest.raises(ConfigError) as caught:
        load(source)

    assert str(caught.value).startswith(problem)


def test_weights_of_tags_are_exact():
    """Members of made-up tags count as one, as two or as half of one."""
    weights = {w for tag in load("procedural?items=400&tags=40").tags.values() for w in tag.values()}

    assert weights == {Fraction(1, 2), Fraction(1), Fraction(2)}
