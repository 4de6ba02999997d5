"""Rules of pairs: two items make a third, written as lines of text.

::

    # A name alone is an element: nothing makes it. fire water steam: fire + water, water + heat heat: fire + fire

Each item has one line with everything that makes it, in any of the files ``pairs/*.txt`` of a rule set.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Final

import attrs
from arena.errors import ConfigError

from arena_game_tradecraft.rules.document import gathered
from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet

FILE: Final = re.compile(r"pairs/.+\.txt")
"""The files that are read, by their path in a pack."""

KIND: Final = "pair"

_NAME: Final = re.compile(r"[^\s+,:#=|]+")

Pair = tuple[str, str]


@attrs.define
class _Lines:
    """The pairs and the mistakes of the lines read so far."""

    made: dict[str, tuple[Pair, ...]] = attrs.field(factory=dict)
    places: dict[str, str] = attrs.field(factory=dict)
    problems: list[str] = attrs.field(factory=list)

    def read(self, file: str, text: str) -> None:
        """Add the lines of one file."""
        for number, line in enumerate(text.splitlines(), 1):
            if (line := line.strip()) and not line.startswith("#"):
                self._line(f"{file}: line {number}", line)

    def _line(self, place: str, line: str) -> None:
        name, colon, written = line.partition(":")
        name = name.strip()
        if not _NAME.fullmatch(name):
            self.problems.append(f"{place}: expected the name of an item, got {name!r}")
        elif name in self.places:
            self.problems.append(f"{place}: {name!r} has a line already: {self.places[name]}")
        else:
            self.places[name] = place
            self.made[name] = tuple(self._pairs(place, written)) if colon else ()

    def _pairs(self, place: str, written: str) -> Iterator[Pair]:
        seen: set[Pair] = set()
        for pair in written.split(","):
            names = sorted(part.strip() for part in pair.split("+"))
            if len(names) != 2 or not all(map(_NAME.fullmatch, names)):
                self.problems.append(f"{place}: expected two names with a plus between them, got {pair.strip()!r}")
            elif (found := (names[0], names[1])) in seen:
                self.problems.append(f"{place}: {' + '.join(found)} is there twice")
            else:
                seen.add(found)
                yield found

    def check_names(self) -> None:
        """Report every ingredient that has no line of its own."""
        for name, pairs in self.made.items():
            for part in dict.fromkeys(part for pair in pairs for part in pair if part not in self.made):
                close = get_close_matches(part, self.made, n=1)
                hint = f"did you mean {close[0]!r}?" if close else "an element has a line with its name alone"
                self.problems.append(f"{self.places[name]}: nothing says what {part!r} is ({hint})")


def parse_pairs(files: Mapping[str, bytes]) -> tuple[Recipe, ...]:
    """Parse text files by path into recipes; ``ConfigError`` names each mistake by file and line."""
    lines = _Lines()
    for file in sorted(files):
        try:
            lines.read(file, files[file].decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            lines.problems.append(f"{file}: this is not text in UTF-8: {error}")
    lines.check_names()
    if lines.problems:
        raise ConfigError(lines.problems)
    return tuple(_recipe(output, pair) for output, pairs in lines.made.items() for pair in pairs)


def write_pairs(rules: RuleSet) -> str:
    """Write a rule set as lines of pairs; ``ConfigError`` names the recipes that are no pairs.

    Rules of pairs are imported in this way from data packs, in which they are shaped recipes with a pattern ``XY`` or
    ``XX``. An item that nothing makes becomes an element. A pair that several recipes contain is written once.
    """
    pairs = {recipe.name: _pair(recipe) for recipe in rules.recipes}
    if others := [name for name, pair in pairs.items() if pair is None]:
        raise ConfigError(gathered([f"{name}: expected two items that make one of another" for name in others]))
    elements = [item for item in rules.items if item not in rules.makes]
    lines = [
        f"{output}: " + ", ".join(dict.fromkeys(pair for recipe in recipes if (pair := pairs[recipe.name])))
        for output, recipes in sorted(rules.makes.items())
    ]
    return "\n".join([*elements, *lines, ""])


def _recipe(output: str, pair: Pair) -> Recipe:
    one, other = pair
    amounts = {one: Fraction(2)} if one == other else {one: Fraction(1), other: Fraction(1)}
    needs = tuple(Ingredient(name, amount, {name: Fraction(1)}) for name, amount in amounts.items())
    return Recipe(f"{one}+{other}={output}", KIND, needs, output, 1)


def _pair(recipe: Recipe) -> str | None:
    names = [i.name for i in recipe.ingredients for _ in range(int(i.amount)) if not i.is_tag]
    whole = len(names) == sum(i.amount for i in recipe.ingredients) == 2
    return " + ".join(sorted(names)) if whole and recipe.count == 1 else None
