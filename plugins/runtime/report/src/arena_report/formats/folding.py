"""Takes the variants of a game together in a report, so that one on many of them can be read."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import attrs
from arena.tables import Figure, Section, Table
from arena_engine import unswept_name

from arena_report.content.contests import MOST_VARIANTS
from arena_report.content.contract import Report
from arena_report.formats.folded_tables import families, fold_table, with_equals_together, without_said

ALL_OF_THEM: Final = "--by-variant shows all"
"""How a reader gets what is left out."""

_SWEPT: Final = re.compile(r"\S+\[[^\]]*=[^\]]*\]")
"""Matches the name of a variant within a title."""


def fold_variants(report: Report) -> Report:
    """The same report with one row for all variants of a game, where they are many, and a note that says so.

    Counts are added up, other numbers become their mean with the least and the greatest. Agents of which the same is
    said share a row, and what a table of the same name says above is not said again. The rows of the variants are in
    ``variants``, the one that differs most from the others first. Figures along variants show the others alone, or are
    left out, as those of single ones are.
    """
    folding = _Folding()
    sections, facts = folding.folded(report.sections), folding.folded(report.facts)
    notes = (*report.notes, *folding.note())
    return attrs.evolve(
        report, sections=sections, facts=facts, notes=notes, variants=(*report.variants, *folding.variants)
    )


class _Folding:
    """What was folded so far: the rows of variants, tables by name and the number of figures that are left out."""

    def __init__(self) -> None:
        self.variants: list[Section] = []
        self._said: dict[str, Table] = {}
        self._left_out = 0

    def folded(self, sections: Sequence[Section]) -> tuple[Section, ...]:
        """The sections with a row for each family of variants."""
        kept: list[Section] = []
        for section in sections:
            tables, unfolded = self._tables(section.tables)
            figures = self._figures(section.figures)
            if tables or figures or section.text or not section.tables:
                kept.append(attrs.evolve(section, tables=tables, figures=figures))
            if unfolded:
                self.variants.append(Section(title=section.title, tables=tuple(unfolded)))
        return tuple(kept)

    def note(self) -> tuple[str, ...]:
        """What a reader must know of a report that was folded."""
        figures = f", and {self._left_out:,} figures of single variants are left out" if self._left_out else ""
        if not self.variants and not figures:
            return ()
        return (
            "variants of a game are one row, with their mean (least … greatest) where no interval is of all"
            f"{figures}: {ALL_OF_THEM}",
        )

    def _tables(self, given: Sequence[Table]) -> tuple[tuple[Table, ...], list[Table]]:
        tables: list[Table] = []
        unfolded: list[Table] = []
        for table in given:
            folded = fold_table(table)
            if folded is None:
                tables.append(table)
                continue
            unfolded.append(folded.variants)
            shown = without_said(folded.table, self._said.get(table.title))
            self._said.setdefault(table.title, folded.table)
            if shown.rows:
                tables.append(with_equals_together(shown))
        return tuple(tables), unfolded

    def _figures(self, given: Sequence[Figure]) -> tuple[Figure, ...]:
        single = Counter(unswept_name(name) for figure in given if (name := _variant(figure.title)))
        kept: list[Figure] = []
        for figure in given:
            if not _is_of_one(figure, single) and (shown := _without_variants(figure)) is not None:
                kept.append(shown)
        self._left_out += len(given) - len(kept)
        return tuple(kept)


def _variant(title: str) -> str:
    """The variant of a game that a figure's title names, if any."""
    found = _SWEPT.search(title)
    return found[0] if found else ""


def _is_of_one(figure: Figure, single: Mapping[str, int]) -> bool:
    """Whether a figure is of one of many variants."""
    name = _variant(figure.title)
    return bool(name) and single[unswept_name(name)] > MOST_VARIANTS


def _without_variants(figure: Figure) -> Figure | None:
    """The figure without many variants along its axis; ``None`` if nothing is left, or if they are its series."""
    if families(list(figure.series)):
        return None
    many = families([name for name in figure.x if isinstance(name, str)])
    kept = [i for i, name in enumerate(figure.x) if not (isinstance(name, str) and unswept_name(name) in many)]
    if not kept:
        return None if many else figure
    return attrs.evolve(
        figure,
        x=tuple(figure.x[i] for i in kept),
        series={name: tuple(values[i] for i in kept) for name, values in figure.series.items()},
    )
