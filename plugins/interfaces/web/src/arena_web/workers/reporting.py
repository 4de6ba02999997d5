"""Makes the report of a run as data for pages, in the words of ``arena report``; runs in a worker process."""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final, cast

from arena.catalog import Catalog
from arena.record import MatchRecord
from arena.tables import Column, Estimate, Section, Table
from arena_cli import cell_json, table_json
from arena_engine import Journal
from arena_report import (
    RankingChart,
    Report,
    build,
    figure_tables,
    fold_variants,
    interval_of,
    pair_table,
    ranking_chart,
    ranking_table,
    score_table,
)
from arena_standings import Part, Row

from arena_web.foundation.hidden_matches import covered_matches
from arena_web.held.reports import THEMES

TOLD_EVERY: Final = 500
"""After so many matches it is told how far it is."""

MOST_ROWS: Final = 500
"""Of a longer table so many rows are shown at once."""

FIGURES: Final = "figures"
"""The report that draws every figure, where it is installed."""

_VALUES: Final = ("rating", "mean")
"""The columns of a ranking that are estimates."""


class _CountedJournal(Journal):
    """A journal that tells how many of its matches were read, and counts what was refused in them.

    A match that may only be seen as a bystander sees it counts as not over.
    """

    tell: ClassVar[Callable[[Mapping[str, Any]], None]]
    kinds: ClassVar[Counter[str]] = Counter()

    def records(self) -> Iterator[MatchRecord]:
        """The records, each counted."""
        self.kinds.clear()
        covered = covered_matches(self)
        for number, record in enumerate((each for each in super().records() if each.id not in covered), 1):
            self.kinds.update(str(cast("Mapping[str, Any]", event.data)["kind"]) for event in record.refused())
            if number % TOLD_EVERY == 0:
                type(self).tell({"progress": number})
            yield record


def report(asked: Mapping[str, Any], catalog: Catalog, tell: Callable[[Mapping[str, Any]], None]) -> Any:
    """The report of one or several runs: who is better, the table, the chart, the sections, and what it cost."""
    _CountedJournal.tell = staticmethod(tell)
    journals = [_CountedJournal.open(Path(path), check=False) for path in asked["runs"]]
    try:
        made = fold_variants(build(journals, None, catalog, full=0))
        totals = [journal.totals() for journal in journals]
        kinds = Counter[str](_CountedJournal.kinds)
    finally:
        for journal in journals:
            journal.close()
    costs = [total.cost_usd for total in totals if total.cost_usd or not total.unpriced_calls]
    return {
        "verdict": {"sentences": list(made.verdict.sentences), "doubts": list(made.verdict.doubts)},
        "game_sentences": [*made.verdict.factor_sentences, *made.verdict.game_sentences],
        "problems": [*made.notes, *made.failures],
        "leaderboard": _leaderboard(made),
        "sections": _sections(made, catalog),
        "refusals": [{"kind": kind, "count": count} for kind, count in kinds.most_common()],
        "cost": sum(costs) if costs and any(total.calls for total in totals) else None,
        "tokens": sum(total.prompt_tokens + total.completion_tokens for total in totals),
    }


def _leaderboard(made: Report) -> Any:
    """The table of the largest group of agents that met, with its chart, pairs and scores by game."""
    verdict = made.verdict
    part = max(verdict.parts, key=lambda part: len(part.rows), default=Part(rows=()))
    scores = score_table(verdict)
    chart = ranking_chart(made)
    return {
        **standing_table(part, verdict.level),
        "head_to_head": plain_table(pair_table(part, verdict)) if part.pairs else None,
        "scores": plain_table(scores) if scores is not None else None,
        "chart": None if chart is None else _chart(chart, part, verdict.level),
        "notes": [*verdict.game_sentences, *verdict.footnotes],
    }


def standing_table(part: Part, level: float) -> dict[str, Any]:
    """The ranking of some agents as pages draw it, each row with its agent."""
    table = ranking_table(part, level)
    columns = [{**_column(each), "id": each.name} for each in table.columns if each.name != "interval"]
    rows = [
        {
            "agent": each.agent,
            "is_reference": each.is_reference,
            "cells": {
                column.name: _ranked_cell(each, part, column.name, cell, level)
                for column, cell in zip(table.columns, row, strict=True)
                if column.name != "interval"
            },
        }
        for each, row in zip(part.rows, table.rows, strict=True)
    ]
    return {"title": table.title, "columns": columns, "rows": rows}


def _ranked_cell(each: Row, part: Part, column: str, cell: Any, level: float) -> Any:
    if column not in _VALUES:
        return cell_json(cell)
    value = each.rating if column == "rating" else each.mean.value if each.mean else None
    low, high = interval_of(each, part)
    return cell_json(_estimate(value, low, high, each.matches, level))


def _estimate(value: float | None, low: float | None, high: float | None, n: int, level: float) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=n, level=level)


def _chart(chart: RankingChart, part: Part, level: float) -> Any:
    marks = [
        {
            "label": m.name,
            "role": "random" if m.name == part.reference else "agent",
            "estimate": cell_json(_estimate(m.value, m.low, m.high, m.n, level)),
        }
        for m in chart.marks
    ]
    named = {mark.name for mark in chart.marks}
    lines = [
        {"label": name, "role": name if name == "optimal" else "random", "estimate": {"value": value}}
        for name, value in chart.lines
        if name not in named
    ]
    return {
        "title": chart.title,
        "unit": chart.unit,
        "style": "number",
        "digits": chart.digits,
        "least": chart.least,
        "greatest": chart.greatest,
        "rows": [*marks, *lines],
    }


def _sections(made: Report, catalog: Catalog) -> list[Any]:
    """All sections, each figure with its numbers as a table, and as pictures where the plots are installed."""
    pictures = iter([dict(zip(THEMES, each, strict=True)) for each in _pictures(made, catalog)])
    found = [_section(section, pictures) for section in made.sections]
    return [*found, *(_section(section, iter(())) for section in made.facts)]


def _section(section: Section, pictures: Iterator[Mapping[str, str]]) -> Any:
    tables = [plain_table(table) for table in section.tables]
    figures: list[Any] = []
    for figure in section.figures:
        numbers = figure_tables(figure)
        place = len(tables) if numbers else None
        tables += [plain_table(table) for table in numbers]
        alternative = f"{figure.title}; its numbers stand in the table of that name"
        svg = next(pictures, None)
        figures.append({"title": figure.title, "alternative": alternative, "table": place, "svg": svg})
    return {
        "title": section.title,
        "is_empty": not (section.tables or section.figures or section.text),
        "text": [paragraph for paragraph in section.text.split("\n\n") if paragraph],
        "tables": tables,
        "figures": figures,
    }


def _pictures(made: Report, catalog: Catalog) -> list[tuple[str, ...]]:
    """The figures of a report, for each theme an address that holds the picture; none where nothing draws them."""
    try:
        drawing: Any = catalog.get("report", FIGURES).load()
        drawn = [_drawn(drawing(forms=("svg",), theme=theme), made) for theme in THEMES]
    except Exception:  # the report is a plugin, and pictures are beside their numbers
        return []
    return list(zip(*drawn, strict=True))


def _drawn(drawing: Any, made: Report) -> list[str]:
    with TemporaryDirectory() as folder:
        drawing.write(made, Path(folder))
        content = [path.read_bytes() for path in sorted(Path(folder).glob("*.svg"))]
    return [f"data:image/svg+xml;base64,{b64encode(each).decode()}" for each in content]


def plain_table(table: Table) -> Any:
    """A table as pages draw it."""
    plain: Any = table_json(table)
    columns = [{**_column(each), "id": each.name} for each in table.columns]
    return {
        "title": table.title,
        "caption": table.note,
        "columns": columns,
        "rows": plain["rows"],
        "total_rows": len(table.rows),
    }


def _column(column: Column) -> dict[str, Any]:
    return {"title": column.title, "style": column.style, "help": column.help, "unit": column.unit}
