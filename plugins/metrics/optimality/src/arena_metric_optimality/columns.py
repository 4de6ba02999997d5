"""Columns and groups that the tables of this metric share."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, cast

from arena.metric import MeasurementRow
from arena.tables import Column

KEYS: Final = (Column(name="game", title="game"), Column(name="agent", title="agent"))
"""What names a row."""

Titles = Mapping[str, str]
"""The titles of columns by their names."""


def styled(style: Literal["count", "share", "number"], titles: Titles, *, unit: str = "") -> tuple[Column, ...]:
    """Columns of numbers of one style."""
    return tuple(Column(name=name, title=title, style=style, unit=unit) for name, title in titles.items())


def detail(row: MeasurementRow) -> Mapping[str, Any]:
    """The detail of a row, which is a table in all measurements of this metric."""
    return cast("Mapping[str, Any]", row.detail)


def by_agent(rows: Iterable[MeasurementRow], name: str) -> dict[tuple[str, str], list[MeasurementRow]]:
    """The rows of one measurement by game and agent, sorted."""
    found: dict[tuple[str, str], list[MeasurementRow]] = {}
    for row in rows:
        if row.name == name:
            found.setdefault((row.game, str(row.agent)), []).append(row)
    return dict(sorted(found.items()))
