"""Gives every figure of a report a title of its own."""

from collections.abc import Iterable

import attrs
from arena.tables import Figure, Section


def with_own_titles(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections, in which a figure whose title another has already names its section as well, or else a number."""
    taken: set[str] = set()
    return tuple(
        attrs.evolve(section, figures=tuple(_own(figure, section.title, taken) for figure in section.figures))
        for section in sections
    )


def _own(figure: Figure, section: str, taken: set[str]) -> Figure:
    title, number = figure.title, 1
    while title in taken:
        title = f"{figure.title} ({section})" if number == 1 else f"{figure.title} ({section}, {number})"
        number += 1
    taken.add(title)
    return figure if title == figure.title else attrs.evolve(figure, title=title)
