"""Takes the variants of a game together in tables, so that a report on many of them can be read."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

import attrs
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_engine.benchmark.sweeps import unswept_name

from arena_report.contract import Report
from arena_report.formatting import format_cell, is_numeric
from arena_report.verdict.making import MOST_VARIANTS

ALL_OF_THEM: Final = "--by-variant shows all"
"""How a reader gets what is left out."""

_SWEPT: Final = re.compile(r"\S+\[[^\]]*=[^\]]*\]")
"""Matches the name of a variant within a title."""


def fold_variants(report: Report) -> Report:
    """The same report with one row for all variants of a game, where they are many.

    Counts are added up, other numbers become their mean with the least and the greatest. The rows of the variants are
    in ``variants``, the one that differs most from the others first. Figures along variants are left out, and those of
    single ones.
    """
    sections, variants = _folded(report.sections)
    facts, more = _folded(report.facts)
    return attrs.evolve(report, sections=sections, facts=facts, variants=(*report.variants, *variants, *more))


def _folded(sections: Sequence[Section]) -> tuple[tuple[Section, ...], list[Section]]:
    kept: list[Section] = []
    unfolded: list[Section] = []
    for section in sections:
        pairs = [_fold(table) for table in section.tables]
        single = Counter(unswept_name(name) for figure in section.figures if (name := _variant(figure.title)))
        figures = tuple(figure for figure in section.figures if not _is_of_variants(figure, single))
        left_out = len(section.figures) - len(figures)
        told = f"{left_out:,} figures of single variants are left out: {ALL_OF_THEM}." if left_out else ""
        kept.append(
            attrs.evolve(
                section,
                tables=tuple(table for table, _ in pairs),
                figures=figures,
                text=" ".join(filter(None, (section.text, told))),
            )
        )
        if tables := tuple(rows for _, rows in pairs if rows is not None):
            unfolded.append(Section(title=section.title, tables=tables))
    return tuple(kept), unfolded


def _fold(table: Table) -> tuple[Table, Table | None]:
    """The table with families of variants in one row each, and the rows of these variants; ``None`` without any."""
    place, names = _place_of_games(table)
    if place is None:
        return table, None
    keys = [i for i, column in enumerate(table.columns) if not is_numeric(column) and i != place]
    groups: dict[tuple[object, ...], list[tuple[Cell, ...]]] = {}
    for row in table.rows:
        family = unswept_name(str(row[place]))
        group = family if family in names else str(row[place])
        groups.setdefault((group, *(row[i] for i in keys)), []).append(row)
    rows: list[tuple[Cell, ...]] = []
    unfolded: list[tuple[Cell, ...]] = []
    for (group, *_), own in groups.items():
        if group not in names:
            rows += own
            continue
        name = f"{group} ({len({row[place] for row in own}):,} variants)"
        rows.append(tuple(_together(i, own, table.columns, name if i == place else "") for i in range(len(own[0]))))
        unfolded += _by_deviation(own, table.columns)
    note = " ".join(
        filter(None, (table.note, f"Variants are one row, with the least and the greatest: {ALL_OF_THEM}."))
    )
    return attrs.evolve(table, rows=tuple(rows), note=note), attrs.evolve(table, rows=tuple(unfolded))


def _place_of_games(table: Table) -> tuple[int | None, Mapping[str, int]]:
    """The column that names games of which some are many variants of one, and these families with their numbers."""
    for i, column in enumerate(table.columns):
        if is_numeric(column):
            continue
        variants: dict[str, set[str]] = {}
        for row in table.rows:
            name = row[i]
            if isinstance(name, str) and unswept_name(name) != name:
                variants.setdefault(unswept_name(name), set()).add(name)
        many = {family: len(own) for family, own in variants.items() if len(own) > MOST_VARIANTS}
        if many:
            return i, many
    return None, {}


def _together(place: int, rows: Sequence[tuple[Cell, ...]], columns: Sequence[Column], name: str) -> Cell:
    column, cells = columns[place], [row[place] for row in rows]
    if name:
        return name
    if not is_numeric(column):
        return cells[0] if len(set(map(str, cells))) == 1 else ""
    values = [value for cell in cells if (value := _value(cell)) is not None]
    if not values:
        return None
    if column.style == "count":
        return round(sum(values)) if all(value.is_integer() for value in values) else sum(values)
    if min(values) == max(values):
        known = [cell for cell in cells if isinstance(cell, Estimate)]
        if len(known) < len(cells) or any(cell.low is not None for cell in known):
            return values[0]
        return Estimate(value=values[0], n=sum(cell.n for cell in known), unit=known[0].unit)
    least, mean, greatest = (format_cell(each, column) for each in (min(values), fmean(values), max(values)))
    return f"{mean} ({least} … {greatest})"


def _by_deviation(rows: Sequence[tuple[Cell, ...]], columns: Sequence[Column]) -> list[tuple[Cell, ...]]:
    """The rows in order of how far their first number that is no count is from the mean of all."""
    place = next((i for i, column in enumerate(columns) if is_numeric(column) and column.style != "count"), None)
    known = [] if place is None else [value for row in rows if (value := _value(row[place])) is not None]
    if place is None or not known:
        return list(rows)
    mean = fmean(known)

    def deviation(row: tuple[Cell, ...]) -> float:
        value = _value(row[place])
        return -1.0 if value is None else abs(value - mean)

    return sorted(rows, key=deviation, reverse=True)


def _value(cell: Cell) -> float | None:
    if isinstance(cell, Estimate):
        return cell.value
    return None if isinstance(cell, str | bool) or cell is None else float(cell)


def _variant(title: str) -> str:
    """The variant of a game that a figure's title names, if any."""
    found = _SWEPT.search(title)
    return found[0] if found else ""


def _is_of_variants(figure: Figure, single: Mapping[str, int]) -> bool:
    """Whether a figure has many variants along its axis or as its series, or is of one of many."""
    if (name := _variant(figure.title)) and single[unswept_name(name)] > MOST_VARIANTS:
        return True
    names = [name for name in (*figure.x, *figure.series) if isinstance(name, str)]
    return sum(unswept_name(name) != name for name in names) > MOST_VARIANTS
