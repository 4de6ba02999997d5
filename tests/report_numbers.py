"""Finds the numbers of a report, given as data, that do not say what they are numbers of.

A number is an estimate with n, unit and both ends of its interval, or a plain one that its column or figure gives a
unit; a plain number in a column of counts is a whole one.
"""

from collections.abc import Iterator, Mapping
from typing import Any


def faults(report: Mapping[str, Any]) -> list[str]:
    """Where a number says too little, each place once."""
    sections = [*report["sections"], *report["facts"]]
    found: list[str] = []
    if scores := report["verdict"].get("scores"):
        found += _of_table(scores)
    for section in sections:
        for table in section["tables"]:
            found += (f"{section['title']}: {fault}" for fault in _of_table(table))
        for figure in section["figures"]:
            found += (f"{section['title']}: {fault}" for fault in of_figure(figure))
    return list(dict.fromkeys(found))


def of_figure(figure: Mapping[str, Any]) -> Iterator[str]:
    """The same for a figure and those beside it."""
    for name, values in figure["series"].items():
        for value in values:
            if fault := _of_number(value, figure["unit"], is_count=False):
                yield f"figure {figure['title']!r}, {name!r}: {fault}"
    for each in figure.get("beside", ()):
        yield from of_figure(each)


def _of_table(table: Mapping[str, Any]) -> Iterator[str]:
    for row in table["rows"]:
        for column, value in zip(table["columns"], row, strict=True):
            if fault := _of_number(value, column["unit"], is_count=column["style"] == "count"):
                yield f"table {table['title']!r}, {column['title']!r}: {fault}"


def _of_number(value: Any, unit: str, *, is_count: bool) -> str:
    if isinstance(value, Mapping):
        return _of_estimate(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    if is_count and value != int(value):
        return "a count is no whole number"
    return "" if unit else "a plain number has no unit"


def _of_estimate(value: Mapping[str, Any]) -> str:
    if value["value"] is None:
        return ""
    if not (isinstance(value["n"], int) and value["n"] >= 1 and value["unit"]):
        return "an estimate has no n or no unit"
    return "" if len(value["interval"]) == 2 else "an estimate has no interval"
