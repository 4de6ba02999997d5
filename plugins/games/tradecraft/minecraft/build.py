"""Make the rule set ``minecraft`` from the npm package ``minecraft-data`` (MIT) and the facts in ``facts.yaml``.

    npm pack minecraft-data@3.117.0 && tar xzf minecraft-data-3.117.0.tgz
    .venv/bin/python plugins/games/tradecraft/minecraft/build.py package/minecraft-data/data/pc/1.20

The package writes a recipe with a tag as one recipe for each member of the tag. Recipes of one result that agree in
shape are put together again: the places of the grid whose items vary together make one ingredient. Where its
items are just those of a tag in the facts, and each mix of several such ingredients is there, the recipes become one
recipe with that tag; where they are not, they stay recipes of their own. What comes out is written as files of a data
pack, read by the loader, and kept in the format of ``compact``.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from arena_engine import read_yaml
from arena_game_tradecraft.rules.compact import write_rules
from arena_game_tradecraft.rules.datapack import parse_pack
from arena_game_tradecraft.rules.ruleset import RuleSet

HERE = Path(__file__).parent
RULE_SETS = HERE.parent / "src" / "arena_game_tradecraft" / "rulesets"
COAL_TICKS = 1600


class Variant(NamedTuple):
    """One recipe as the package has it: its kind, the places that are filled, and what fills them."""

    kind: str
    shape: tuple[Any, ...]
    count: int
    parts: tuple[str, ...]


def spread(text: str, words: Mapping[str, Sequence[str]]) -> list[str]:
    """The names that a name with words in braces stands for."""
    for word, meanings in words.items():
        if f"{{{word}}}" in text:
            return [name for meaning in meanings for name in spread(text.replace(f"{{{word}}}", meaning), words)]
    return [text]


def tag_entries(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """The entries of each tag, items and other tags, with nothing in braces left."""
    words = facts["words"]
    tags: dict[str, list[str]] = {}
    for written, entries in facts["tags"].items():
        used = {word: meanings for word, meanings in words.items() if f"{{{word}}}" in written}
        for tag in spread(written, words):
            chosen = {w: [m for m in meanings if spread(written, {w: [m]}) == [tag]] for w, meanings in used.items()}
            tags[tag] = [name for entry in entries for name in spread(entry, words | chosen)]
    for tag in facts["dyed"]:
        for colour in words["colour"]:
            tags[f"{tag}_except_{colour}"] = [item for item in tags[tag] if not item.startswith(f"{colour}_")]
    return tags


def items_of(tag: str, tags: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The items of a tag and of those in it."""
    return frozenset(
        item for entry in tags[tag] for item in (items_of(entry[1:], tags) if entry.startswith("#") else [entry])
    )


def variants(recipe: Mapping[str, Any], names: Mapping[int, str]) -> Variant:
    """A recipe of the package, with names for its numbers."""
    count = recipe["result"]["count"]
    if "ingredients" in recipe:
        parts = tuple(sorted(names[i] for i in recipe["ingredients"]))
        return Variant("crafting_shapeless", (len(parts),), count, parts)
    rows = recipe["inShape"]
    shape = tuple(tuple(cell is not None for cell in row) for row in rows)
    return Variant("crafting_shaped", shape, count, tuple(names[c] for row in rows for c in row if c is not None))


def recovered(group: Sequence[Variant], tags_by_items: Mapping[frozenset[str], str]) -> Counter[str] | None:
    """What the one recipe needs that all of a group came from; ``None`` where they are recipes of their own."""
    needs: Counter[str] = Counter()
    ways: list[frozenset[str]] = []
    for options, amount in Counter(_slots(group)).items():
        if len(set(options)) == 1:
            needs[options[0]] += amount
        elif tag := tags_by_items.get(frozenset(options)):
            needs[f"#{tag}"] += amount
            ways.append(frozenset(options))
        else:
            return None
    return needs if prod(map(len, ways)) == len(set(group)) else None


def _needs(group: Sequence[Variant], tags: Mapping[frozenset[str], str]) -> list[tuple[Variant, Counter[str]]]:
    """The recipes that a group becomes: one with tags, or as many as there are."""
    one = recovered(group, tags)
    return [(group[0], one)] if one else [(variant, Counter(variant.parts)) for variant in group]


def _slots(group: Sequence[Variant]) -> Iterator[tuple[str, ...]]:
    """What stands in each place, variant by variant; places whose items vary together give equal tuples."""
    if group[0].kind == "crafting_shaped":
        yield from zip(*(variant.parts for variant in group), strict=True)
        return
    # Without a grid only what all variants share is known to stay; what is left takes one place after the other.
    shared = Counter(group[0].parts)
    for variant in group[1:]:
        shared &= Counter(variant.parts)
    yield from ((item,) * len(group) for item in shared.elements())
    rests = [sorted((Counter(variant.parts) - shared).elements()) for variant in group]
    yield from zip(*rests, strict=True)


def crafting(folder: Path, tags: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The recipes of the package, put together where a tag made several of one."""
    names = {item["id"]: item["name"] for item in json.loads((folder / "items.json").read_text("utf-8"))}
    # A tag that is named first is taken where two have the same items.
    tags_by_items = {items_of(tag, tags): tag for tag in reversed(list(tags))}
    for number, recipes in json.loads((folder / "recipes.json").read_text("utf-8")).items():
        groups: dict[tuple[Any, ...], list[Variant]] = defaultdict(list)
        for variant in (variants(recipe, names) for recipe in recipes):
            groups[variant[:3]].append(variant)
        needs = [need for group in groups.values() for need in _needs(group, tags_by_items)]
        for place, (variant, parts) in enumerate(needs):
            made = names[int(number)]
            yield f"{made}_{place + 1}" if place else made, _recipe(variant.kind, parts, made, variant.count)


def _recipe(kind: str, parts: Counter[str], made: str, count: int) -> dict[str, Any]:
    """A recipe as in a data pack; the pattern of a shaped one is one row, since nothing depends on it."""
    result = {"id": made, "count": count}
    if kind == "crafting_shapeless":
        return {"type": kind, "ingredients": list(parts.elements()), "result": result}
    key = dict(zip("ABCDEFGHI", parts, strict=False))
    row = "".join(symbol * parts[part] for symbol, part in key.items())
    return {"type": kind, "pattern": [row], "key": key, "result": result}


def other(facts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The recipes of the facts: cut, cooked and smithed things."""
    words = facts["words"]
    for base, results in facts["stonecutting"].items():
        for result in results:
            made, _, count = result.partition(" ")
            recipe = {"type": "stonecutting", "ingredient": base, "result": made, "count": int(count or 1)}
            yield f"{made}_from_{base}_stonecutting", recipe
    smelted = facts["smelting"]
    food = {made: [raw] for made, raw in facts["food"].items()}
    yield from cooking("smelting", 200, smelted | food, words)
    yield from cooking("blasting", 100, {made: smelted[made] for made in facts["blasting"]}, words)
    yield from cooking("smoking", 100, food, words)
    yield from cooking("campfire_cooking", 600, food, words)
    for piece in facts["smithing"]:
        yield (
            f"netherite_{piece}_smithing",
            {
                "type": "smithing_transform",
                "template": "netherite_upgrade_smithing_template",
                "base": f"diamond_{piece}",
                "addition": "netherite_ingot",
                "result": f"netherite_{piece}",
            },
        )


def cooking(
    kind: str, ticks: int, results: Mapping[str, Sequence[str]], words: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A recipe for each thing that can be cooked into each result."""
    for written, ingredients in results.items():
        for ingredient in ingredients:
            # words in braces stand in both, and mean the same in both
            for made, raw in zip(spread(written, words), spread(ingredient, words), strict=True):
                name = f"{made}_from_{kind}_{raw.removeprefix('#')}"
                yield name, {"type": kind, "ingredient": raw, "result": made, "cookingtime": ticks}


def fuel(facts: Mapping[str, Any], tags: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """What burns, each with how many of it burn as long as one coal."""
    fireproof = {name for written in facts["fireproof"] for name in spread(written, facts["words"])}
    ticks = {
        item: time
        for written, time in facts["fuel"].items()
        for item in sorted(items_of(written[1:], tags) if written.startswith("#") else [written])
        if item not in fireproof
    }
    return [{"id": item, "count": str(Fraction(COAL_TICKS, time))} for item, time in ticks.items()]


def build(folder: Path) -> RuleSet:
    """The whole rule set."""
    facts = read_yaml((HERE / "facts.yaml").read_text("utf-8"), "facts.yaml").data
    tags = tag_entries(facts)
    files = {f"tags/items/{tag}.json": json.dumps({"values": entries}).encode() for tag, entries in tags.items()}
    files["tags/items/fuel.json"] = json.dumps({"values": fuel(facts, tags)}).encode()
    for name, recipe in (*crafting(folder, tags), *other(facts)):
        path = f"recipes/{name}.json"
        if path in files:
            raise SystemExit(f"two recipes are called {name}")
        files[path] = json.dumps(recipe).encode()
    rules = parse_pack(files, "minecraft")
    known = {item["name"] for item in json.loads((folder / "items.json").read_text("utf-8"))}
    if unknown := [item for item in rules.items if item not in known]:
        raise SystemExit(f"no such items: {', '.join(unknown)}")
    return rules


if __name__ == "__main__":
    built = build(Path(sys.argv[1]))
    (RULE_SETS / "minecraft.json").write_text(write_rules(built), "utf-8")
    kinds = Counter(recipe.kind for recipe in built.recipes)
    sys.stdout.write(f"{len(built.items)} items, {len(built.recipes)} recipes, {len(built.tags)} tags; {dict(kinds)}\n")
