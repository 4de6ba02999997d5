"""Write docs/tradecraft-rules.md: what the shipped rule sets hold, counted, with random formulas to read.

.venv/bin/python plugins/games/tradecraft/rules_page.py > docs/tradecraft-rules.md
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from arena.record import derive_rng
from arena_game_tradecraft.loading import load
from arena_game_tradecraft.measures import Measures, measure
from arena_game_tradecraft.ruleset import Ingredient, Recipe, RuleSet

FORMULAS = 100
MADE_UP = "procedural?seed=7"

HEAD = """\
# Rule sets of TradeCraft

What can be made of what is data. This page is written by `plugins/games/tradecraft/rules_page.py`; a test fails where
it is out of date. How rule sets are named, written and brought along is in the
[README](../plugins/games/tradecraft/README.md), where they come from in [data sources](data-sources.md).
"""

MINECRAFT = """\
## minecraft

Java edition 1.20: shaped and shapeless recipes from `minecraft-data`, everything else added as facts
(`plugins/games/tradecraft/minecraft/facts.yaml`). What cooks in less time than on a campfire burns an eighth of
`#fuel`, so that one coal smelts eight things.

Some things can be packed and unpacked (raw iron and its block), so nothing is "made first" there; they count as made
although all that is made of them begins with having some. That is why fewer items follow from those that nothing makes
than there are.
"""

ALCHEMY = """\
## alchemy

Two things make a third, from air, earth, fire and water; the selection is Arena's own. A *modified* name is another
item's name with words before it; a *compound* is one also where it is written as one word, counted by letters, so that
`elephant` counts for ending in `ant`: an upper bound. A *pattern* is one ingredient with anything else, a thing with
itself, or a result that is called after an ingredient.
"""

PROCEDURAL = """\
## procedural

Made up from a seed: `procedural?seed=7&items=300&depth=10`. Nobody can have read about it. With `names=shuffled` things
have the names of other things.
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    minecraft, alchemy, made_up = (load(name) for name in ("minecraft", "alchemy", MADE_UP))
    numbers = {rules.name: measure(rules) for rules in (minecraft, alchemy, made_up)}
    yield HEAD
    yield from _counts(numbers)
    yield f"\n`procedural` here is `{MADE_UP}`, everything else as it is without a wish.\n"
    yield MINECRAFT
    yield from _table(("kind of recipe", "recipes"), Counter(r.kind for r in minecraft.recipes).most_common())
    fuels = len(minecraft.tags["#fuel"])
    yield f"\n{fuels} items burn. Of {len(minecraft.tags)} tags, {_used_tags(minecraft)} stand in a recipe.\n"
    yield from _sample(minecraft, 30)
    yield ALCHEMY
    yield from _alchemy(numbers["alchemy"])
    yield from _depths(alchemy)
    yield from _sample(alchemy, FORMULAS)
    yield PROCEDURAL
    yield from _sample(made_up, 15)


def _counts(numbers: dict[str, Measures]) -> Iterator[str]:
    rows = {
        "items": "items",
        "that nothing makes": "raw",
        "formulas": "formulas",
        "different sets of ingredients": "pairs",
        "tags": "tags",
        "items that follow from those that nothing makes": "reachable",
        "steps to the deepest of them": "depth",
    }
    yield from _table(
        ("", *numbers), [(words, *(getattr(n, field) for n in numbers.values())) for words, field in rows.items()]
    )


def _alchemy(numbers: Measures) -> Iterator[str]:
    shares = [
        ("modified names", numbers.modified, numbers.items),
        ("compound names", numbers.compounds, numbers.items),
        *((f"pattern: {p.name}", p.formulas, numbers.formulas) for p in numbers.patterns[:5]),
    ]
    yield from _table(("", "number", "of", "share"), [(w, n, of, f"{n / of:.1%}") for w, n, of in shares])


def _depths(rules: RuleSet) -> Iterator[str]:
    depths = Counter(rules.reachable(item for item in rules.items if item not in rules.makes).values())
    yield ""
    yield from _table(("steps", *sorted(depths)), [("items", *(depths[d] for d in sorted(depths)))])


def _sample(rules: RuleSet, count: int) -> Iterator[str]:
    drawn = derive_rng("rules_page", rules.name).sample(rules.recipes, count)
    yield f"\n{count} formulas of {len(rules.recipes)}, drawn at random:\n\n```text"
    yield from (_formula(recipe) for recipe in drawn)
    yield "```\n"


def _formula(recipe: Recipe) -> str:
    needs = " + ".join(_needed(part) for part in recipe.ingredients)
    made = f"{recipe.count} {recipe.output}" if recipe.count > 1 else recipe.output
    return f"{needs} = {made}" + ("" if recipe.kind == "pair" else f"  ({recipe.kind})")


def _needed(part: Ingredient) -> str:
    return part.name if part.amount == 1 else f"{part.amount} {part.name}"


def _used_tags(rules: RuleSet) -> int:
    return len({part.name for recipe in rules.recipes for part in recipe.ingredients if part.is_tag})


def _table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(map(str, head))} |"
    yield "|---|" + "---:|" * (len(head) - 1)
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()).rstrip() + "\n")
