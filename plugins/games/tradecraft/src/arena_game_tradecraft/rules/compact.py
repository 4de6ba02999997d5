"""A rule set in one file: a data pack after patterns, nesting and namespaces have been resolved.

::

    {"format": 1,
     "tags": {"#planks": {"oak_planks": 1, "birch_planks": 1}},
     "recipes": {"torch": ["crafting_shaped", {"coal": 1, "stick": 1}, "torch", 4]}}

A tag gives for each member how many of it count as one. A recipe has its kind, its ingredients, its output and how
many of it. Amounts are whole numbers or texts (``"1/8"``). ``notes``, where there are any, say what could be read in
two ways where the rules came from.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from arena.errors import ConfigError
from arena.record import JSON, canonical_json, derive_seed

from arena_game_tradecraft.rules.amounts import write_amount
from arena_game_tradecraft.rules.document import Node
from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet

FORMAT: Final = 1


def write_rules(rules: RuleSet) -> str:
    """Write the rule set as one text; equal rules give equal texts."""
    notes: dict[str, JSON] = {"notes": list(rules.notes)} if rules.notes else {}
    return canonical_json({**_contents(rules), **notes})


def fingerprint(rules: RuleSet) -> str:
    """A hash that is equal for equal rules, whatever format they were read from."""
    return f"{derive_seed(_contents(rules)):016x}"


def parse_rules(file: str, content: bytes | str, name: str) -> RuleSet:
    """Undo ``write_rules``; ``ConfigError`` names file and path of a mistake."""
    node = Node.parse(file, content)
    if not isinstance(node.value, dict):
        node.expected("rules in one table with 'format', 'tags' and 'recipes', as -o of tradecraft-rules writes them")
    if node.at("format").value != FORMAT:
        node.at("format").expected(f"{FORMAT}, the format that this version reads")
    tags = {tag: _tag(tag, members) for tag, members in node.at("tags").table().items()}
    recipes: list[Recipe] = []
    problems: list[str] = []
    for recipe, written in node.at("recipes").table().items():
        try:
            recipes.append(_recipe(recipe, written, tags))
        except ConfigError as error:
            problems += error.problems
    if not recipes and not problems:
        problems.append(f"{file}: recipes: there is no recipe")
    if problems:
        raise ConfigError(problems)
    notes = [note.text() for note in node.at("notes").items()] if "notes" in node.value else []
    return RuleSet(name, tags, tuple(recipes), notes=tuple(notes))


def _contents(rules: RuleSet) -> dict[str, Any]:
    tags: dict[str, JSON] = {tag: {item: write_amount(n) for item, n in rules.tags[tag].items()} for tag in rules.tags}
    recipes: dict[str, JSON] = {
        r.name: [r.kind, {i.name: write_amount(i.amount) for i in r.ingredients}, r.output, r.count]
        for r in rules.recipes
    }
    return {"format": FORMAT, "tags": tags, "recipes": recipes}


def _tag(name: str, node: Node) -> Mapping[str, Fraction]:
    if not name.startswith("#"):
        node.fail(f"the name of a tag begins with '#', unlike {name!r}")
    return {item: count.amount() for item, count in sorted(node.table().items())}


def _recipe(name: str, node: Node, tags: Mapping[str, Mapping[str, Fraction]]) -> Recipe:
    parts = list(node.items())
    if len(parts) != 4:
        node.expected("a list of four: kind, what it needs, what it makes and how many")
    kind, needs, output, count = parts
    ingredients = [_ingredient(part, amount, tags) for part, amount in sorted(needs.table().items())]
    if not ingredients:
        needs.expected("at least one ingredient")
    return Recipe(name, kind.text(), tuple(ingredients), output.text("the name of an item"), count.whole())


def _ingredient(name: str, node: Node, tags: Mapping[str, Mapping[str, Fraction]]) -> Ingredient:
    if not name.startswith("#"):
        return Ingredient(name, node.amount(), {name: Fraction(1)})
    if name not in tags:
        node.fail(f"there is no tag {name!r}")
    return Ingredient(name, node.amount(), tags[name])
