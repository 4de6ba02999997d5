"""The rule sets that are shipped are as large, as deep and as well made as they claim."""

import json
from collections import Counter
from fractions import Fraction
from importlib.resources import files

import attrs
import pytest
from arena_game_tradecraft.commands.measures import Measures, measure
from arena_game_tradecraft.rules.loading import load, locate, read_pack
from arena_game_tradecraft.rules.ruleset import RuleSet
from jsonschema import Draft202012Validator

ELEMENTS = {"air", "earth", "fire", "water"}


@pytest.fixture(scope="module")
def minecraft() -> RuleSet:
    """The rule set of the game that most people know."""
    return load("minecraft")


@pytest.fixture(scope="module")
def alchemy() -> RuleSet:
    """The rule set of pairs."""
    return load("alchemy")


@pytest.fixture(scope="module")
def measured(alchemy: RuleSet) -> Measures:
    """What there is to count in it."""
    return measure(alchemy)


def test_minecraft_is_complete(minecraft: RuleSet):
    """At least 840 items and 1,000 formulas, by every way of making things."""
    assert len(minecraft.items) >= 840
    assert Counter(recipe.kind for recipe in minecraft.recipes) == {
        "crafting_shaped": 590,
        "crafting_shapeless": 232,
        "stonecutting": 201,
        "smelting": 70,
        "blasting": 24,
        "smoking": 9,
        "campfire_cooking": 9,
        "smithing_transform": 9,
    }


def test_minecraft_fits_the_schema():
    """The file that is shipped is in the documented format."""
    package = files("arena_game_tradecraft")
    schema = json.loads(package.joinpath("schemas", "ruleset.json").read_text("utf-8"))

    Draft202012Validator(schema).validate(json.loads(package.joinpath("rulesets", "minecraft.json").read_text("utf-8")))


@pytest.mark.parametrize(
    ("item", "needs", "count"),
    [
        ("torch", {"#coals": 1, "stick": 1}, 4),
        ("chest", {"#planks": 8}, 1),
        ("barrel", {"#planks": 6, "#wooden_slabs": 2}, 1),
        ("soul_campfire", {"#logs": 3, "#soul_fire_base_blocks": 1, "stick": 3}, 1),
        ("white_wool", {"#wool_except_white": 1, "white_dye": 1}, 1),
        ("shears", {"iron_ingot": 2}, 1),
        ("bucket", {"iron_ingot": 3}, 1),
        ("lever", {"cobblestone": 1, "stick": 1}, 1),
        ("chain", {"iron_ingot": 1, "iron_nugget": 2}, 1),
        ("stone_shovel", {"#stone_crafting_materials": 1, "stick": 2}, 1),
        ("cut_copper_slab", {"copper_block": 1}, 8),
        ("glass", {"#smelts_to_glass": 1, "#fuel": Fraction(1, 8)}, 1),
        ("cooked_cod", {"cod": 1}, 1),
        ("netherite_axe", {"diamond_axe": 1, "netherite_ingot": 1, "netherite_upgrade_smithing_template": 1}, 1),
    ],
)
def test_minecraft_knows_what_players_know(item: str, needs: dict[str, int], count: int, minecraft: RuleSet):
    """Recipes have the ingredients of the game, with tags where any member will do."""
    ways = [({i.name: i.amount for i in recipe.ingredients}, recipe.count) for recipe in minecraft.makes[item]]

    assert (needs, count) in ways


def test_dyes_of_different_flowers_are_different_recipes(minecraft: RuleSet):
    """Alternatives that are no tag of the game stay recipes of their own."""
    ways = [{i.name: i.amount for i in recipe.ingredients} for recipe in minecraft.makes["red_dye"]]

    assert ways == [{"beetroot": 1}, {"poppy": 1}, {"red_tulip": 1}, {"rose_bush": 1}]


@pytest.mark.parametrize(
    ("item", "count"),
    [
        ("coal", 1),
        ("coal_block", Fraction(1, 10)),
        ("lava_bucket", Fraction(2, 25)),
        ("dried_kelp_block", Fraction(2, 5)),
        ("blaze_rod", Fraction(2, 3)),
        ("oak_planks", Fraction(16, 3)),
        ("birch_log", Fraction(16, 3)),
        ("stick", 16),
        ("bamboo", 32),
    ],
)
def test_fuels_are_counted_in_coals(item: str, count: Fraction, minecraft: RuleSet):
    """A fuel's count says how many of it burn as long as one coal."""
    assert minecraft.tags["#fuel"][item] == count


def test_wood_of_the_nether_does_not_burn(minecraft: RuleSet):
    """Crimson and warped wood is wood, and no fuel."""
    nether = {item for item in minecraft.items if item.startswith(("crimson_", "warped_"))}

    assert "crimson_planks" in minecraft.tags["#planks"]
    assert nether.isdisjoint(minecraft.tags["#fuel"])


def test_alchemy_is_large_and_deep(alchemy: RuleSet, measured: Measures):
    """At least 1,000 items and 3,000 formulas, all reachable from four elements, at least twelve steps deep."""
    assert set(alchemy.items) - set(alchemy.makes) == ELEMENTS
    assert measured.items >= 1000
    assert measured.formulas >= 3000
    assert measured.reachable == measured.items
    assert measured.depth >= 12


def test_alchemy_is_no_list_of_variations(measured: Measures):
    """At most a fifth of the names are another name with something before it, at most 15 % of formulas one pattern."""
    assert measured.modified / measured.items <= 0.2
    assert measured.compounds / measured.items <= 0.2
    assert measured.patterns[0].formulas / measured.formulas <= 0.15


def test_alchemy_is_made_of_pairs(alchemy: RuleSet):
    """Two things make one, nothing is made of itself, and no formula stands twice."""
    formulas = [(frozenset(i.name for i in r.ingredients), r.output) for r in alchemy.recipes]

    assert {(sum(i.amount for i in recipe.ingredients), recipe.count) for recipe in alchemy.recipes} == {(2, 1)}
    assert [output for needs, output in formulas if output in needs] == []
    assert len(set(formulas)) == len(formulas)


@pytest.mark.parametrize("name", ["minecraft", "alchemy", "workshop"])
def test_no_recipe_is_written_twice(name: str):
    """Two recipes of a kind differ in what they need or make."""
    recipes = load(name).recipes
    contents = Counter((r.kind, r.output, r.count, tuple((i.name, i.amount) for i in r.ingredients)) for r in recipes)

    assert [content for content, times in contents.items() if times > 1] == []


def test_measures_find_variations():
    """What the limits above are about is really found."""
    rules = load("procedural?items=20")
    one, other = rules.items[:2]
    assert measure(rules).modified == 0

    recipe = attrs.evolve(rules.recipes[0], output=f"big_{one}")
    told = measure(RuleSet("x", {}, (*rules.recipes, recipe, attrs.evolve(recipe, output=f"{one}{other}"))))

    assert told.modified == 1
    assert told.compounds == 2


def test_alchemy_is_read_as_text():
    """Its files are lines that people write, and nothing else."""
    assert {path.split("/")[0] for path in read_pack(locate("alchemy"))} == {"pairs"}
