"""Rule sets in the format of Minecraft's data packs: ``recipes/*.json`` and ``tags/items/*.json``.

The files are read as they are in a Java edition's jar or a data pack, from version 1.13 to the later ones that write
``recipe``, ``tags/item``, ``id`` and texts for ingredients; types of recipes may be of any namespace. Two things are
added. An entry of a tag may say ``count``: how many of the item count as one. And whatever cooks in less time than on a
campfire burns an eighth of ``#fuel``, the tag whose counts say how many of an item burn as long as one coal. Besides, a
pack may hold rules of two items that make a third, as lines of text in ``pairs/*.txt`` (see ``pairs``).

TradeCraft's own folders are read as well: tags in ``tags/_custom`` and ``tags/blocks`` count where something names
them and ``tags/items`` has none of that name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

import attrs
from arena.errors import ConfigError

from arena_game_tradecraft.rules.document import Node, gathered
from arena_game_tradecraft.rules.pairs import FILE as PAIRS, parse_pairs
from arena_game_tradecraft.rules.ruleset import COOKING, FUEL, Ingredient, Recipe, RuleSet
from arena_game_tradecraft.rules.tags import Tags, short

FILE: Final = re.compile(
    r"(?:data/(?P<space>[^/]+)/)?(?P<kind>recipes?|tags/(?:items?|blocks?|_custom))/(?P<name>.+)\.json"
)
"""The files that are read, by their path in a pack; all others are ignored."""

_ITEMS: Final = ("tags/items", "tags/item")
_OTHER_TAGS: Final = ("tags/_custom", "tags/blocks", "tags/block")

SLOWEST: Final = 600
"""The cooking time on a campfire, in ticks, and of a recipe that states none; anything quicker burns fuel."""

BURNT: Final = Fraction(1, 8)
"""How much coal cooks one item."""

WITHOUT_RESULT: Final = re.compile(r"crafting_special_\w+|crafting_decorated_pot|crafting_transmute|smithing_trim")
"""Kinds of recipe whose result depends on more than their inputs; they are left out."""

_SHAPED, _SHAPELESS, _SMITHING = "crafting_shaped", "crafting_shapeless", ("smithing", "smithing_transform")
KINDS: Final = (_SHAPED, _SHAPELESS, "stonecutting", *sorted(COOKING), *_SMITHING)
"""Kinds of recipe that are read."""


def is_read(path: str) -> bool:
    """Whether a file of a pack, by its path in the pack, is part of the rules."""
    return bool(FILE.fullmatch(path) or PAIRS.fullmatch(path))


def parse_pack(files: Mapping[str, bytes], name: str) -> RuleSet:
    """Parse the files of a pack, by their path in the pack, into a rule set.

    ``ConfigError`` says what is wrong in each file that has a mistake, by file and path.
    """
    problems: list[str] = []
    parts = [(match, path) for path in sorted(files) if (match := FILE.fullmatch(path))]
    written = _tag_files(parts, _ITEMS, files, problems)
    # where a name is there twice, the tag of items counts
    tags = Tags({**_tag_files(parts, _OTHER_TAGS, files, problems), **written})
    for tag, node in written.items():
        with _noted(problems):
            tags.members(tag, node)
    recipes: list[Recipe] = []
    for match, path in parts:
        if match["kind"].startswith("recipe"):
            with _noted(problems):
                recipes.extend(_recipe(_name(match), Node.parse(path, files[path]), tags))
    with _noted(problems):
        recipes.extend(parse_pairs({path: files[path] for path in files if PAIRS.fullmatch(path)}))
    if not recipes and not problems:
        problems.append(f"{name}: there is no recipe; expected files like 'recipes/torch.json'")
    if problems:
        raise ConfigError(gathered(problems))
    return RuleSet(name, tags.resolved, tuple(recipes), notes=tuple(tags.notes))


def kind_of(written: str) -> str:
    """The kind of a recipe, which is its type without a namespace."""
    return written.rpartition(":")[2]


def _tag_files(
    parts: Iterable[tuple[re.Match[str], str]], kinds: Iterable[str], files: Mapping[str, bytes], problems: list[str]
) -> dict[str, Node]:
    written: dict[str, Node] = {}
    for kind in kinds:
        for match, path in parts:
            if match["kind"] == kind and (tag := f"#{_name(match)}") not in written:
                with _noted(problems):
                    written[tag] = Node.parse(path, files[path])
    return written


def _recipe(name: str, node: Node, tags: Tags) -> Iterator[Recipe]:
    written = node.at("type")
    named = short(written.text("the type of a recipe"))
    kind = kind_of(named)
    if WITHOUT_RESULT.fullmatch(kind):
        return
    if kind not in KINDS:
        close = get_close_matches(kind, KINDS, n=1)
        written.fail(f"unknown type {named!r}" + (f" (did you mean {close[0]!r}?)" if close else ""))
    needed: dict[str, Ingredient] = {}
    for part in _parts(kind, node, tags):
        before = needed.get(part.name)
        needed[part.name] = attrs.evolve(part, amount=part.amount + before.amount) if before else part
    if not needed:
        node.fail("nothing goes into it")
    output, count = _result(node)
    yield Recipe(name, kind, tuple(needed[part] for part in sorted(needed)), output, count)


def _parts(kind: str, node: Node, tags: Tags) -> Iterator[Ingredient]:
    if kind == _SHAPED:
        key = node.at("key").table()
        rows = [row.value if row.value == "" else row.text("a row of symbols") for row in node.at("pattern").items()]
        symbols = Counter(symbol for row in rows for symbol in row if symbol != " ")
        if unknown := sorted(set(symbols) - set(key)):
            node.at("pattern").fail(f"the symbol {unknown[0]!r} is not in 'key'")
        for symbol, times in symbols.items():
            yield tags.ingredient(key[symbol], Fraction(times))
    elif kind == _SHAPELESS:
        for part in node.at("ingredients").items():
            yield tags.ingredient(part, Fraction(1))
    elif kind in _SMITHING:
        for slot in ("template", "base", "addition"):
            if slot != "template" or node.has(slot):
                yield tags.ingredient(node.at(slot), Fraction(1))
    else:
        yield tags.ingredient(node.at("ingredient"), Fraction(1))
        if kind in COOKING and (node.at("cookingtime").whole() if node.has("cookingtime") else SLOWEST) < SLOWEST:
            yield Ingredient(FUEL, BURNT, tags.members(FUEL, node))


def _result(node: Node) -> tuple[str, int]:
    """The output and how many of it; older versions write the count beside the result's name."""
    result = node.at("result")
    if isinstance(result.value, str):
        return short(result.text("the name of an item")), node.at("count").whole() if node.has("count") else 1
    made = result.at("id") if result.has("id") else result.at("item")
    counted = result if result.has("count") else node
    return short(made.text("the name of an item")), counted.at("count").whole() if counted.has("count") else 1


def _name(match: re.Match[str]) -> str:
    return short(f"{match['space']}:{match['name']}" if match["space"] else match["name"])


@contextmanager
def _noted(problems: list[str]) -> Iterator[None]:
    """Collect the mistakes of one file, so that those of the next are found as well."""
    try:
        yield
    except ConfigError as error:
        problems.extend(problem for problem in error.problems if problem not in problems)
