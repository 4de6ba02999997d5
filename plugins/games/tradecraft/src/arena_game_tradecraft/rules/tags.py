"""The tags of a data pack: items that stand for one another, each with how many of it count as one."""

from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

import attrs

from arena_game_tradecraft.rules.amounts import write_amount
from arena_game_tradecraft.rules.document import Node
from arena_game_tradecraft.rules.ruleset import Ingredient

HOME: Final = "minecraft:"
"""The namespace that is left out of names."""

FINEST: Final = 500
"""The largest denominator that a decimal count stands for: 5.333333333 is 16/3."""


def short(name: str) -> str:
    """A name without the namespace ``minecraft:``."""
    return name.removeprefix(HOME)


def short_tag(name: str) -> str:
    """A name, perhaps of a tag, without the namespace ``minecraft:``."""
    return "#" + short(name[1:]) if name.startswith("#") else short(name)


@attrs.define
class Tags:
    """The tags of a pack, each resolved into items when first needed; alternatives in recipes count as tags as well.

    ``notes`` says what could be read in two ways, and how it was read.
    """

    written: Mapping[str, Node]
    resolved: dict[str, Mapping[str, Fraction]] = attrs.field(factory=dict)
    notes: list[str] = attrs.field(factory=list)
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
            name, count = _entry(entry)
            if not name.startswith("#"):
                if (first := own.setdefault(name, count)) != count:
                    self.notes.append(_twice(entry, name, first, count))
                continue
            if entry.has("required") and entry.at("required").value is False and name not in self.written:
                continue
            for item, inner in self.members(name, entry).items():
                if below.setdefault(item, inner * count) != inner * count and item not in own:
                    entry.fail(f"{item!r} is in two of the tags with different counts; name it here with its own")
        return dict(sorted({**below, **own}.items()))


def _entry(node: Node) -> tuple[str, Fraction]:
    """The name of an entry of a tag, and how many of it count as one."""
    if isinstance(node.value, str):
        return short_tag(node.text("a name")), Fraction(1)
    named = next((key for key in ("id", "value") if node.has(key)), None)
    if named is None:
        node.expected("a name, or a table with 'id' or 'value'")
    return short_tag(node.at(named).text("a name")), _count(node.at("count")) if node.has("count") else Fraction(1)


def _count(node: Node) -> Fraction:
    """A count; what is written as a decimal stands for the nearest fraction that is not finer than ``FINEST``."""
    amount = node.amount()
    if isinstance(node.value, str):
        return amount
    return amount.limit_denominator(FINEST) or amount


def _twice(entry: Node, name: str, first: Fraction, other: Fraction) -> str:
    return (
        f"{entry.file}: {entry.path}: {name!r} is there twice, with the counts {write_amount(first)} and "
        f"{write_amount(other)}; the first one is taken"
    )
