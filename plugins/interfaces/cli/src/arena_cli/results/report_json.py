"""A report as plain data for programs: every number with its n, its interval and its unit."""

from math import isfinite
from typing import Any, cast

import attrs
from arena.record import JSON
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_report import Report, score_table


def report_json(report: Report) -> dict[str, JSON]:
    """The verdict, the tables and the figures of a report, and what must be said about them."""
    return {
        **verdict_json(report),
        "sections": [section_json(section) for section in report.sections],
        "facts": [section_json(section) for section in report.facts],
        "notes": list(report.notes),
        "settings": dict(report.settings),
        "made_by": list(report.made_by),
    }


def verdict_json(report: Report) -> dict[str, JSON]:
    """What was played and who is better, with the metrics that are missing because they raised."""
    verdict = report.verdict.to_json()
    if (scores := score_table(report.verdict)) is not None:
        verdict["scores"] = table_json(scores)
    headline: dict[str, JSON] = {name: _plain(value) for name, value in attrs.asdict(report.headline).items()}
    return {"title": report.title, "headline": headline, "verdict": verdict, "failures": list(report.failures)}


def section_json(section: Section) -> JSON:
    """A section of a report as plain data."""
    return {
        "title": section.title,
        "text": section.text,
        "tables": [table_json(table) for table in section.tables],
        "figures": [figure_json(figure) for figure in section.figures],
    }


def table_json(table: Table) -> JSON:
    """A table as plain data, each row a list in the order of the columns."""
    columns = [{**attrs.asdict(column), "unit": _unit(column)} for column in table.columns]
    rows: list[JSON] = [[cell_json(cell) for cell in row] for row in table.rows]
    return {"title": table.title, "columns": columns, "rows": rows, "note": table.note}


def _unit(column: Column) -> str:
    """What numbers that are no estimates are in; empty where nothing says it, as in a column of text."""
    known = {"count": column.title, "share": "share", "money": "US dollars", "seconds": "seconds"}
    return column.unit or known.get(column.style, "")


def figure_json(figure: Figure) -> JSON:
    """A figure as plain data."""
    return {
        "kind": figure.kind,
        "title": figure.title,
        "x": list(figure.x),
        "series": {name: [cell_json(value) for value in values] for name, values in figure.series.items()},
        "x_title": figure.x_title,
        "y_title": figure.y_title,
        "unit": figure.unit,
        "references": {name: _plain(value) for name, value in figure.references.items()},
        "note": figure.note,
        **_of_map(figure),
        **({"beside": [figure_json(each) for each in figure.beside]} if figure.beside else {}),
    }


def _of_map(figure: Figure) -> dict[str, JSON]:
    """What only a heat map has: the limits of its colours, its blocks and their names, and lines over its cells."""
    if figure.kind != "heat-map":
        return {}
    names = figure.block_names
    return {
        "limits": _plain(figure.limits),
        "blocks": list(figure.blocks),
        "labels": list(figure.labels),
        "block_names": None if names is None else {k: list(v) for k, v in attrs.asdict(names).items()},
        "outlines": [{"name": each.name, "points": [list(p) for p in each.points]} for each in figure.outlines],
    }


def cell_json(cell: Cell) -> JSON:
    """The value of a cell; an estimate with its n, its interval and its unit."""
    if not isinstance(cell, Estimate):
        return _plain(cell)
    return {
        "value": _plain(cell.value),
        "n": cell.n,
        "unit": cell.unit,
        "interval": [_plain(cell.low), _plain(cell.high)],
        "standard_error": _plain(cell.standard_error),
        "level": cell.level,
        "method": cell.method,
    }


def _plain(value: Any) -> Any:
    """The value itself; ``None`` for what is no number that JSON knows."""
    if isinstance(value, float) and not isfinite(value):
        return None
    return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
