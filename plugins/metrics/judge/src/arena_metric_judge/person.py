"""Asks a person for scores, one after another, until each fits its scale."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from arena.record import JSON
from arena_cli import print_status
from arena_cli.output import echo, result

from arena_metric_judge.dimension import Dimension
from arena_metric_judge.question import MOST
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.subject import ScoredItem


class Ended(Exception):
    """The person wants to end; what is not complete is not written."""


class _LeftOut(Exception):
    """The person leaves out what is being scored."""


def scores_of(items: Sequence[ScoredItem], rubric: Rubric) -> dict[str, JSON]:
    """A person's scores of a subject, as an annotation holds them; empty if all of it is left out.

    An empty answer leaves out the item that is asked about. ``Ended`` is raised if the person ends.
    """
    if len(items) == 1 and not items[0].label:
        try:
            return _of_item(items[0], rubric)
        except _LeftOut:
            return {}
    found: dict[str, JSON] = {}
    for item in items:
        echo(f"- {item.label}", bold=True)
        try:
            found[item.place] = _of_item(item, rubric)
        except _LeftOut:
            continue
    return found


def _of_item(item: ScoredItem, rubric: Rubric) -> dict[str, JSON]:
    found = _of_dimensions(item.dimensions, rubric)
    for kind, dimensions in item.found.items():
        count = Dimension(name=kind, title=f"{kind}: how many", meaning="0 for none", whole=True, high=MOST)
        number: Any = _answer(count)
        several: list[JSON] = []
        for place in range(1, number + 1):
            echo(f"  {kind} {place}")
            several.append(_of_dimensions(dimensions, rubric))
        found[kind] = several
    return found


def _of_dimensions(dimensions: Sequence[Dimension], rubric: Rubric) -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    for dimension in dimensions:
        value = _answer(dimension)
        if dimension.note:
            found[dimension.name] = value
        else:
            why = click.prompt("  why", default="", show_default=False) if rubric.justification else ""
            found[dimension.name] = {"score": value, "justification": why}
    return found


def _answer(dimension: Dimension) -> JSON:
    asked = f"{dimension.title} ({dimension.meaning}), {dimension.scale}"
    if dimension.note == "texts":
        asked += ", with a semicolon between two"
    while True:
        result(asked, hanging=2)
        said = click.prompt("  score", default="", show_default=False).strip()
        if said == "q":
            raise Ended
        if not said and dimension.note != "texts":
            raise _LeftOut
        value = _read(said, dimension)
        problem = dimension.problem(value)
        if not problem:
            return value
        print_status(problem)


_WORDS: Mapping[str, bool] = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}


def _read(said: str, dimension: Dimension) -> JSON:
    if dimension.boolean:
        return _WORDS.get(said.lower(), said)
    if dimension.note == "texts":
        return [part.strip() for part in said.split(";") if part.strip()]
    if dimension.choices or dimension.note:
        return said
    try:
        return int(said) if dimension.whole else float(said)
    except ValueError:
        return said
