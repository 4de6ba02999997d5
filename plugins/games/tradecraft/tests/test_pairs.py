"""Pairs are lines of text, and a mistake in them is named by its line."""

from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena_game_tradecraft.rules.datapack import parse_pack
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.pairs import parse_pairs

LINES = """
# what everything is made of
fire
water
heat: fire + fire
steam: fire + water,  water+heat
"""


def test_lines_are_read():
    """A line has a name and what makes it; a thing with itself is needed twice."""
    recipes = parse_pairs({"pairs/a.txt": LINES.encode()})

    assert [(r.output, {i.name: i.amount for i in r.ingredients}) for r in recipes] == [
        ("heat", {"fire": 2}),
        ("steam", {"fire": 1, "water": 1}),
        ("steam", {"heat": 1, "water": 1}),
    ]


def test_files_make_up_one_set():
    """Names of one file may stand in the lines of another."""
    files = {"pairs/a.txt": LINES.encode(), "pairs/b.txt": b"geyser: steam + earth\nearth\n"}

    assert parse_pack(files, "x").reachable(["earth", "fire", "water"])["geyser"] == 2


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("fire\nheat: fire", "line 2: expected two names with a plus between them, got 'fire'"),
        ("fire\nheat: fire + fire + fire", "line 2: expected two names with a plus between them"),
        ("fire\nheat: fire + fire,", "line 2: expected two names with a plus between them, got ''"),
        ("fire\nheat: fire + fire, fire+fire", "line 2: fire + fire is there twice"),
        ("fire\nfire", "line 2: 'fire' has a line already: a.txt: line 1"),
        ("fire\nheat: fire + fier", "line 2: nothing says what 'fier' is (did you mean 'fire'?)"),
        ("fire\nheat: fire + wood", "line 2: nothing says what 'wood' is (an element has a line with its name alone)"),
        ("big fire", "line 1: expected the name of an item, got 'big fire'"),
    ],
)
def test_mistakes_are_named_by_line(lines: str, problem: str):
    """Whatever is wrong with a line is said with its file and number."""
    with pytest.raises(ConfigError) as caught:
        parse_pairs({"a.txt": lines.encode()})

    assert caught.value.problems[0].startswith(f"a.txt: {problem}")


def test_all_mistakes_are_named():
    """One reading finds all of them."""
    with pytest.raises(ConfigError) as caught:
        parse_pairs({"a.txt": b"fire\nx: y\nfire\n", "b.txt": b"\xff"})

    assert len(caught.value.problems) == 3


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("name", ["workshop", "alchemy"])
def test_rules_that_were_kept_are_in_the_same_order(name: str, tmp_path: Path):
    """Rules are alike to the order of recipes, tags and members, whether they were read or kept from before."""
    read, kept = load(name, cache=tmp_path), load(name, cache=tmp_path)

    assert list(tmp_path.iterdir())
    assert read.recipes == kept.recipes
    assert [(tag, list(read.tags[tag])) for tag in read.tags] == [(tag, list(kept.tags[tag])) for tag in kept.tags]
    assert [list(i.members) for r in read.recipes for i in r.ingredients] == [
        list(i.members) for r in kept.recipes for i in r.ingredients
    ]
