"""Recipes that a tag made into several become one again, and others do not."""

import importlib.util
import json
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FUELS, BASES = ("coal", "charcoal"), ("soul_sand", "soul_soil")
TAGS = {"coals": FUELS, "soul_fire_base_blocks": BASES}


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The script that makes the rule set ``minecraft``."""
    script = Path(__file__).parents[1] / "minecraft" / "build.py"
    spec = importlib.util.spec_from_file_location("build_of_minecraft", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def recovered(build: ModuleType, folder: Path, recipes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the script makes of recipes for a torch, written with names as the package writes them with numbers."""
    names = ["torch", "stick", *FUELS, *BASES]
    numbers = {name: number for number, name in enumerate(names)} | {None: None}
    written = [
        {key: _numbered(value, numbers) for key, value in recipe.items()} | {"result": {"id": 0, "count": 4}}
        for recipe in recipes
    ]
    (folder / "items.json").write_text(json.dumps([{"id": numbers[name], "name": name} for name in names]), "utf-8")
    (folder / "recipes.json").write_text(json.dumps({"0": written}), "utf-8")
    return [recipe for _, recipe in build.crafting(folder, TAGS)]


def _numbered(value: Any, numbers: dict[Any, Any]) -> Any:
    return [_numbered(part, numbers) for part in value] if isinstance(value, list) else numbers[value]


def needs(recipe: dict[str, Any]) -> list[str]:
    """What a recipe of the script needs, in the order of names."""
    if "ingredients" in recipe:
        return sorted(recipe["ingredients"])
    return sorted(recipe["key"][symbol] for row in recipe["pattern"] for symbol in row)


@pytest.mark.parametrize("shape", ["inShape", "ingredients"])
def test_members_of_a_tag_become_the_tag(build: ModuleType, tmp_path: Path, shape: str):
    """One recipe for each member of a tag is one recipe with the tag, on a grid or not."""
    recipes = [{shape: [[fuel], ["stick"]] if shape == "inShape" else [fuel, "stick"]} for fuel in FUELS]

    assert [needs(recipe) for recipe in recovered(build, tmp_path, recipes)] == [["#coals", "stick"]]


def test_places_that_vary_together_are_one_ingredient(build: ModuleType, tmp_path: Path):
    """Where two places always hold the same, two of the tag are needed; any mix will do."""
    recipes = [{"inShape": [[fuel, fuel], [None, "stick"]]} for fuel in FUELS]

    assert [needs(recipe) for recipe in recovered(build, tmp_path, recipes)] == [["#coals", "#coals", "stick"]]


def test_two_tags_are_found_where_every_mix_is_there(build: ModuleType, tmp_path: Path):
    """All mixes of two tags are one recipe; where one is missing, none is guessed."""
    mixes = [{"inShape": [[fuel], ["stick"], [base]]} for fuel in FUELS for base in BASES]

    whole, lacking = recovered(build, tmp_path, mixes), recovered(build, tmp_path, mixes[:3])

    assert [needs(recipe) for recipe in whole] == [["#coals", "#soul_fire_base_blocks", "stick"]]
    assert len(lacking) == 3
    assert not any(part.startswith("#") for recipe in lacking for part in needs(recipe))


def test_alternatives_that_are_no_tag_stay_recipes(build: ModuleType, tmp_path: Path):
    """What only looks alike is not joined."""
    recipes = [{"ingredients": [item]} for item in ("coal", "soul_sand")]

    assert [needs(recipe) for recipe in recovered(build, tmp_path, recipes)] == [["coal"], ["soul_sand"]]
