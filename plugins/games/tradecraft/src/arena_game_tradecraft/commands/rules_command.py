"""The command ``arena tradecraft-rules``, which inspects and imports rules."""

import re
from difflib import get_close_matches
from pathlib import Path

import click
from arena.errors import ConfigError
from arena_cli import Command
from arena_cli.output import result, status

from arena_game_tradecraft.commands.importing import Imported, import_pack, import_pairs
from arena_game_tradecraft.commands.measures import measure
from arena_game_tradecraft.rules.compact import write_rules
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.pairs import write_pairs
from arena_game_tradecraft.rules.ruleset import RuleSet

_WRITERS = {".json": write_rules, ".txt": write_pairs}


@click.command(cls=Command)
@click.argument("source")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the rules into this file.")
@click.option("--pairs", is_flag=True, help="SOURCE is a pack of recipes with patterns XY and XX.")
@click.option("--elements", metavar="NAMES", help="What all else follows from, as in air,earth,fire,water.")
@click.option("--item", "items", multiple=True, metavar="NAME", help="Say how this is made; may be repeated.")
def tradecraft_rules(
    source: str, output: Path | None, pairs: bool, elements: str | None, items: tuple[str, ...]
) -> None:
    """Count what is in rules of TradeCraft, look into them, and bring in your own.

    SOURCE is a rule set that is shipped (minecraft, alchemy), one that is made up (procedural?seed=7&items=300), a
    .json or .txt file, a folder or archive of a data pack, or the .jar of a Java edition.

    What follows is counted from the items that nothing makes, or from --elements, where recipes make those as well.
    With -o the rules are kept in one file, which a game names as its rule set: rules.json, or rules.txt for pairs.
    """
    if output is not None and output.suffix not in _WRITERS:
        raise click.UsageError(f"--output: expected a name that ends in {' or '.join(_WRITERS)}, got {output.name!r}")
    imported = _read(source, pairs)
    for note in imported.rules.notes:
        status(f"warning: {note}")
    _say(imported, _elements(imported.rules, elements))
    for item in items:
        _say_item(imported.rules, item)
    if output is not None:
        output.write_text(_WRITERS[output.suffix](imported.rules), "utf-8")
        status(f"written to {output}")


def _read(source: str, pairs: bool) -> Imported:
    if pairs:
        return import_pairs(source)
    is_pack = source.endswith((".jar", ".zip")) or (Path(source).is_dir() and not re.fullmatch(r"[\w-]+", source))
    return import_pack(source) if is_pack else Imported(load(source), {})


def _elements(rules: RuleSet, written: str | None) -> tuple[str, ...]:
    """The items that ``--elements`` names, with or without their namespace."""
    names = [name.strip() for name in (written or "").split(",") if name.strip()]
    found = [[item for item in rules.items if name in (item, item.rpartition(":")[2])] for name in names]
    for name, items in zip(names, found, strict=True):
        if len(items) != 1:
            close = get_close_matches(name, rules.items, n=1)
            meant = f" (did you mean {close[0]!r}?)" if close else ""
            what = f"it may be {' or '.join(items)}" if items else f"there is none in {rules.name}{meant}"
            raise ConfigError(f"--elements: expected names of items with commas between them, got {name!r}: {what}")
    if written is not None and not found:
        raise ConfigError(f"--elements: expected names of items with commas between them, got {written!r}")
    return tuple(item for items in found for item in items)


def _say(imported: Imported, elements: tuple[str, ...]) -> None:
    numbers = measure(imported.rules, elements)
    made = numbers.items - numbers.raw
    result(f"{numbers.items} items ({numbers.raw} that nothing makes, {made} that something does)")
    result(f"{numbers.formulas} recipes, {numbers.tags} tags")
    if numbers.pairs < numbers.formulas:
        result(f"{numbers.pairs} different sets of what goes in")
    start = f"the {len(elements)} elements" if elements else "those that nothing makes"
    result(f"{numbers.reachable} items follow from {start}, in up to {numbers.depth} steps")
    for kind, times in imported.left_out.items():
        result(f"left out: {times} of {kind}, since the result depends on more than what goes in")


def _say_item(rules: RuleSet, item: str) -> None:
    if item not in rules.item_set:
        raise ConfigError(f"--item: there is no {item!r} in {rules.name}")
    for recipe in rules.makes.get(item, ()):
        needs = " + ".join(f"{i.amount} {i.name}" if i.amount != 1 else i.name for i in recipe.ingredients)
        result(
            f"{needs} = {recipe.count} {item} ({recipe.kind})"
            if recipe.count > 1
            else f"{needs} = {item} ({recipe.kind})"
        )
    if item not in rules.makes:
        result(f"nothing makes {item}")
