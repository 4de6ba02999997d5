"""Adds what was asked, the games and the stories, to the section on how it was answered."""

from collections.abc import Sequence

import attrs
from arena.tables import Section

from arena_metric_equilibria.stories import Told, story_figure, story_table
from arena_metric_equilibria.topology import kinds, topology_figures


def with_questions(scores: Section, told: Sequence[Told]) -> Section:
    """The section with the topology of the games, and with topics and lengths if there are stories, at its end."""
    tables, figures = (kinds(),), topology_figures()
    if told:
        tables, figures = (*tables, story_table(told)), (*figures, story_figure(told))
    return attrs.evolve(scores, tables=(*scores.tables, *tables), figures=(*scores.figures, *figures))
