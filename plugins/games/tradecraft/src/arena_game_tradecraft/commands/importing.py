"""Imports rules that users have: a Java edition's jar, a data pack, or a set of pairs written as recipes.

A jar contains all recipes and tags, but not what burns: that is in the game's code. If a pack has no tag ``fuel``, the
tag of the rule set ``minecraft`` is used, as far as its items occur in the pack.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import attrs
from arena.errors import ConfigError

from arena_game_tradecraft.rules.amounts import write_amount
from arena_game_tradecraft.rules.datapack import FILE, WITHOUT_RESULT, kind_of, parse_pack
from arena_game_tradecraft.rules.document import Node
from arena_game_tradecraft.rules.loading import load, locate, read_pack, settled
from arena_game_tradecraft.rules.pairs import parse_pairs, write_pairs
from arena_game_tradecraft.rules.ruleset import FUEL, Ingredient, Recipe, RuleSet
from arena_game_tradecraft.rules.tags import HOME

_FUEL_FILE = "tags/items/fuel.json"


@attrs.frozen
class Imported:
    """Imported rules, and the number of recipes by kind that were left out because their result depends on more."""

    rules: RuleSet
    left_out: Mapping[str, int]


def import_pack(source: str | Path) -> Imported:
    """Import the rules of a jar, an archive or a folder with ``data/minecraft/recipes`` and ``tags/items``.

    Folders may be named as in any version since 1.13 (``recipe``, ``tags/item``). ``ConfigError`` names what is wrong,
    by file and path.
    """
    place = locate(str(source))
    if place.is_file() and not place.name.endswith((".zip", ".jar")):
        raise ConfigError(f"{place.name}: expected a .jar, a .zip or a folder")
    pack = read_pack(place)
    if not _has_fuel(pack):
        pack = _with_fuel(pack, place.name)
    rules = parse_pack(pack, Path(place.name).stem)
    return Imported(settled(rules), _left_out(pack))


def import_pairs(source: str | Path) -> Imported:
    """Import rules of two items that make a third, from a data pack of recipes with a pattern ``XY`` or ``XX``.

    Names lose their namespace, whichever it is, and spaces in them become underscores. ``ConfigError`` names the
    recipes that are no pairs, and the names that would become equal.
    """
    imported = import_pack(source)
    text = write_pairs(_without_namespaces(imported.rules))
    rules = RuleSet(imported.rules.name, {}, parse_pairs({f"{imported.rules.name}.txt": text.encode()}))
    return attrs.evolve(imported, rules=settled(rules))


def _has_fuel(pack: Mapping[str, bytes]) -> bool:
    parts = [match for path in pack if (match := FILE.fullmatch(path))]
    home = HOME.removesuffix(":")
    return any(m["kind"].startswith("tags/item") and m["name"] == "fuel" and m["space"] in (None, home) for m in parts)


def _with_fuel(pack: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """The pack with a tag of its own items that burn, if some recipe needs fuel."""
    # Read once with anything in the tag, to learn what is needed and what the items are.
    rules = parse_pack({**pack, _FUEL_FILE: b'{"values": ["coal"]}'}, name)
    if not any(i.name == FUEL for recipe in rules.recipes for i in recipe.ingredients):
        return dict(pack)
    burning = load("minecraft").tags[FUEL]
    entries = [{"id": item, "count": write_amount(burning[item])} for item in sorted(burning) if item in rules.item_set]
    return {**pack, _FUEL_FILE: json.dumps({"values": entries}).encode()}


def _left_out(pack: Mapping[str, bytes]) -> Mapping[str, int]:
    recipes = [path for path in pack if (match := FILE.fullmatch(path)) and match["kind"].startswith("recipe")]
    kinds = (kind_of(Node.parse(path, pack[path]).at("type").text()) for path in recipes)
    return dict(sorted(Counter(kind for kind in kinds if WITHOUT_RESULT.fullmatch(kind)).items()))


def _without_namespaces(rules: RuleSet) -> RuleSet:
    names = {item: "_".join(item.rpartition(":")[2].split()) for item in rules.items}
    same = {name: [item for item in names if names[item] == name] for name in set(names.values())}
    if twice := [" and ".join(items) for items in same.values() if len(items) > 1]:
        raise ConfigError(f"{rules.name}: {items} would be called the same" for items in sorted(twice))
    recipes = [
        attrs.evolve(recipe, output=names[recipe.output], ingredients=tuple(_renamed(recipe, names)))
        for recipe in rules.recipes
    ]
    return attrs.evolve(rules, recipes=tuple(recipes))


def _renamed(recipe: Recipe, names: Mapping[str, str]) -> Iterator[Ingredient]:
    for part in recipe.ingredients:
        name = names.get(part.name, part.name)
        yield part if part.is_tag else Ingredient(name, part.amount, {name: Fraction(1)})
