"""Rule sets in the format of Minecraft's data packs: ``recipes/*.json`` and ``tags/items/*.json``.

The files are read as they are in a Java edition's jar or a data pack, from version 1.13 to the later ones that write
``recipe``, ``tags/item``, ``id`` and texts for ingredients. Two things are added. An entry of a tag may say ``count``:
how many of the item count as one. And whatever cooks in less time than on a campfire burns an eighth of ``#fuel``, the
tag whose counts say how many of an item burn as long as one coal. Besides, a pack may hold rules of two items that make
a third, as lines of text in ``pairs/*.txt`` (see ``pairs``).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

import attrs
from arena.errors import ConfigError

from arena_game_tradecraft.document import Node
from arena_game_tradecraft.pairs import FILE as PAIRS, parse_pairs
from arena_game_tradecraft.ruleset import COOKING, FUEL, Ingredient, Recipe, RuleSet

FILE: Final = re.compile(r"(?:data/(?P<space>[^/]+)/)?(?P<kind>recipes?|tags/items?)/(?P<name>.+)\.json")
"""The files that are read, by their path in a pack; all others are ignored."""

HOME: Final = "minecraft:"
"""The namespace that is left out of names."""

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
    written: dict[str, Node] = {}
    for match, path in parts:
        if match["kind"].startswith("tags"):
            with _noted(problems):
                written[f"#{_name(match)}"] = Node.parse(path, files[path])
    tags = Tags(written)
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
        raise ConfigError(problems)
    return RuleSet(name, tags.resolved, tuple(recipes))


def short(name: str) -> str:
    """A name without the namespace ``minecraft:``."""
    return name.removeprefix(HOME)


@attrs.define
class Tags:
    """The tags of a pack, each resolved into items when first needed; alternatives in recipes count as tags as well."""

    written: Mapping[str, Node]
    resolved: dict[str, Mapping[str, Fraction]] = attrs.field(factory=dict)
    _open: list[str] = attrs.field(factory=list)

    def members(self, tag: str, asked: Node) -> Mapping[str, Fraction]:
        """The items of a tag, each with how many of it count as one; ``asked`` is the place where the tag is named."""
        if tag in self.resolved:
            return self.resolved[tag]
        if tag not in self.written:
            close = get_close_matches(tag, self.written, n=1)
            asked.fail(f"there is no tag {tag!r}" + (f" (did you mean {close[0]!r}?)" if close else ""))
        if tag in self._open:
            asked.fail(f"the tag {tag!r} contains itself")
        self._open.append(tag)
        try:
            self.resolved[tag] = self._resolve(self.written[tag])
        finally:
            self._open.pop()
        return self.resolved[tag]

    def ingredient(self, node: Node, amount: Fraction) -> Ingredient:
        """Read an ingredient of a recipe: an item, a tag, or a list of alternatives."""
        if not isinstance(node.value, list):
            return self._single(node, amount)
        options = [self._single(option, amount) for option in node.items()]
        if not options:
            node.expected("at least one alternative")
        if len({option.name for option in options}) == 1:
            return options[0]
        tag = "#" + "|".join(option.name.removeprefix("#") for option in options)
        members: dict[str, Fraction] = {}
        for option in options:
            for item, count in option.members.items():
                if members.setdefault(item, count) != count:
                    node.fail(f"{item!r} counts differently in two of the alternatives")
        self.resolved[tag] = dict(sorted(members.items()))
        return Ingredient(tag, amount, self.resolved[tag])

    def _single(self, node: Node, amount: Fraction) -> Ingredient:
        if isinstance(node.value, str):
            name = short_tag(node.text())
        elif node.has("tag"):
            name = "#" + short(node.at("tag").text("the name of a tag"))
        else:
            name = short((node.at("id") if node.has("id") else node.at("item")).text("the name of an item"))
        return Ingredient(name, amount, self.members(name, node) if name.startswith("#") else {name: Fraction(1)})

    def _resolve(self, node: Node) -> Mapping[str, Fraction]:
        own: dict[str, Fraction] = {}
        below: dict[str, Fraction] = {}
        for entry in node.at("values").items():
            name = short_tag((entry if isinstance(entry.value, str) else entry.at("id")).text("a name"))
            count = entry.at("count").amount() if entry.has("count") else Fraction(1)
            if not name.startswith("#"):
                if own.setdefault(name, count) != count:
                    entry.fail(f"{name!r} is there twice with different counts")
                continue
            if entry.has("required") and entry.at("required").value is False and name not in self.written:
                continue
            for item, inner in self.members(name, entry).items():
                if below.setdefault(item, inner * count) != inner * count and item not in own:
                    entry.fail(f"{item!r} is in two of the tags with different counts; name it here with its own")
        return dict(sorted({**below, **own}.items()))


def short_tag(name: str) -> str:
    """A name, perhaps of a tag, without the namespace ``minecraft:``."""
    return "#" + short(name[1:]) if name.startswith("#") else short(name)


def _recipe(name: str, node: Node, tags: Tags) -> Iterator[Recipe]:
    written = node.at("type")
    kind = short(written.text("the type of a recipe"))
    if WITHOUT_RESULT.fullmatch(kind):
        return
    if kind not in KINDS:
        close = get_close_matches(kind, KINDS, n=1)
        written.fail(f"unknown type {kind!r}" + (f" (did you mean {close[0]!r}?)" if close else ""))
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
