"""Makes one row of the variants of a game in a table, and leaves out what other rows or tables say already."""

import re
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

import attrs
from arena.tables import Cell, Column, Estimate, Table
from arena_engine import unswept_name

from arena_report.content.contests import MOST_VARIANTS
from arena_report.formats.formatting import format_cell, is_numeric

AS_ABOVE: Final = "Rows that say the same as above are left out."
"""What is said below a table that would repeat rows of an earlier one of the same name."""

_ZEROS: Final = re.compile(r"\.0+(?=\D|$)|(?<=\.\d)0+(?=\D|$)|(?<=\.\d\d)0+(?=\D|$)")
"""Matches the zeros at the end of a number that say nothing."""

_FEW: Final = 3
"""The fewest agents whose row does not have all their names."""

_Row = tuple[Cell, ...]


@attrs.frozen
class FoldedTable:
    """A table with families of variants in one row each, and the rows of these variants, the most different first."""

    table: Table
    variants: Table


def families(names: Sequence[str]) -> dict[str, int]:
    """The games of which there are many variants among these names, with how many."""
    variants: dict[str, set[str]] = {}
    for name in names:
        if unswept_name(name) != name:
            variants.setdefault(unswept_name(name), set()).add(name)
    return {family: len(own) for family, own in variants.items() if len(own) > MOST_VARIANTS}


def fold_table(table: Table) -> FoldedTable | None:
    """The table with a row for each family of variants; ``None`` if it has no game with many variants.

    Counts are added up. Of other numbers the row has the mean, the least and the greatest, or what the table itself
    says of all variants together, where another row counts just what they count.
    """
    place, names = _place_of_games(table)
    if place is None:
        return None
    keys = [i for i, column in enumerate(table.columns) if not is_numeric(column) and i != place]
    groups: dict[tuple[str, ...], list[_Row]] = {}
    for row in table.rows:
        family = unswept_name(str(row[place]))
        group = family if family in names else str(row[place])
        groups.setdefault((group, *(str(row[i]) for i in keys)), []).append(row)
    pooled = _pooled(groups, names, table.columns)
    kept: list[_Row] = []
    folded: list[_Row] = []
    unfolded: list[_Row] = []
    for (group, *key), own in groups.items():
        if group not in names:
            kept += [] if pooled else own
            continue
        name = f"{group} ({names[group]:,} variants)"
        together = pooled.get(tuple(key)) or tuple(_together(i, own, table.columns) for i in range(len(own[0])))
        folded.append(tuple(name if i == place else cell for i, cell in enumerate(together)))
        unfolded += _by_deviation(own, table.columns)
    rows = _alike_in_form(folded, table.columns)
    return FoldedTable(attrs.evolve(table, rows=(*rows, *kept)), attrs.evolve(table, rows=tuple(unfolded)))


def without_said(table: Table, said: Table | None) -> Table:
    """The table without rows that an earlier one has too, and without the same note; perhaps without any row."""
    if said is None or said.columns != table.columns:
        return table
    rows = tuple(row for row in table.rows if row not in said.rows)
    note = "" if table.note == said.note else table.note
    if len(rows) < len(table.rows):
        note = f"{note} {AS_ABOVE}".strip()
    return attrs.evolve(table, rows=rows, note=note)


def with_equals_together(table: Table) -> Table:
    """The table with one row for agents of which it says the same: for two under both names, for most as the others."""
    place = next((i for i, column in enumerate(table.columns) if column.name == "agent"), None)
    if place is None:
        return table
    alike: dict[_Row, list[str]] = {}
    for row in table.rows:
        alike.setdefault((*row[:place], *row[place + 1 :]), []).append(str(row[place]))
    most = max(alike.values(), key=len, default=list[str]())
    rows: list[_Row] = []
    last: list[_Row] = []
    for rest, agents in alike.items():
        if agents is most and len(agents) >= _FEW and len(alike) > 1:
            last.append((*rest[:place], f"the other {len(agents)}", *rest[place:]))
        else:
            names = [", ".join(agents)] if len(agents) < _FEW or len(alike) == 1 else agents
            rows += [(*rest[:place], name, *rest[place:]) for name in names]
    return attrs.evolve(table, rows=(*rows, *last))


def _place_of_games(table: Table) -> tuple[int | None, Mapping[str, int]]:
    """The column that names games of which some are many variants of one, and these families with their numbers."""
    for i, column in enumerate(table.columns):
        if column.name == "agent" or is_numeric(column):
            continue
        if many := families([str(row[i]) for row in table.rows]):
            return i, many
    return None, {}


def _pooled(
    groups: Mapping[tuple[str, ...], Sequence[_Row]], names: Mapping[str, int], columns: Sequence[Column]
) -> dict[tuple[str, ...], _Row]:
    """The rows that say what all variants together do, by what else names them; empty unless there is one for each."""
    others = {group for group, *_ in groups} - set(names)
    if len(names) != 1 or len(others) != 1:
        return {}
    (family,), (other,) = names, others
    counted = [i for i, column in enumerate(columns) if column.style == "count"]
    found: dict[tuple[str, ...], _Row] = {}
    for (group, *key), own in groups.items():
        if group == family:
            pooled = groups.get((other, *key), ())
            if len(pooled) != 1 or not counted or any(_sum(own, i) != _value(pooled[0][i]) for i in counted):
                return {}
            found[tuple(key)] = pooled[0]
    return found if 2 * len(found) == len(groups) else {}


def _sum(rows: Sequence[_Row], place: int) -> float:
    return sum(_value(row[place]) or 0.0 for row in rows)


def _together(place: int, rows: Sequence[_Row], columns: Sequence[Column]) -> Cell:
    column, cells = columns[place], [row[place] for row in rows]
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
    least, mean, greatest = (
        _ZEROS.sub("", format_cell(each, column)) for each in (min(values), fmean(values), max(values))
    )
    return f"{mean} ({least} … {greatest})"


def _alike_in_form(rows: Sequence[_Row], columns: Sequence[Column]) -> list[_Row]:
    """The rows with plain numbers in columns in which others are told with their spread."""
    spread = {
        i for i, column in enumerate(columns) if is_numeric(column) and any(isinstance(row[i], str) for row in rows)
    }
    return [
        tuple(cell.value if i in spread and isinstance(cell, Estimate) else cell for i, cell in enumerate(row))
        for row in rows
    ]


def _by_deviation(rows: Sequence[_Row], columns: Sequence[Column]) -> list[_Row]:
    """The rows in order of how far their first number that is no count is from the mean of all."""
    place = next((i for i, column in enumerate(columns) if is_numeric(column) and column.style != "count"), None)
    known = [] if place is None else [value for row in rows if (value := _value(row[place])) is not None]
    if place is None or not known:
        return list(rows)
    mean = fmean(known)

    def deviation(row: _Row) -> float:
        value = _value(row[place])
        return -1.0 if value is None else abs(value - mean)

    return sorted(rows, key=deviation, reverse=True)


def _value(cell: Cell) -> float | None:
    if isinstance(cell, Estimate):
        return cell.value
    return None if isinstance(cell, str | bool) or cell is None else float(cell)
