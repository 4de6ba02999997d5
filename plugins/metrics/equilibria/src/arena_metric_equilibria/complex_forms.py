"""Scores questions beyond a single game: several games in sequence, in parallel or nested, dominance, and mixing.

A match with several games is right only if every answer in it is right.
"""

from collections.abc import Mapping, Sequence

from arena.metric import MeasurementRow, Measurements
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_share

from arena_metric_equilibria.answers import Form

RANDOM = {"dominance": 1 / 9, "mixed": 0.0004}
"""The expected score of random answers, by form.

Dominance: one of nine answers. Mixed: two probabilities that both lie within a hundredth, about 0.0004.
"""


def complex_section(forms: Mapping[Form, Sequence[MeasurementRow]], table: Measurements) -> Section:
    """The share of matches in which every question was answered correctly, by form and agent."""
    found = {form: _right(rows, table) for form, rows in forms.items()}
    columns = (
        Column(name="form", title="form"),
        Column(name="questions", title="questions", style="count"),
        Column(name="agent", title="agent"),
        Column(name="right", title="all right", style="share"),
        Column(name="random", title="random", style="share"),
        Column(name="optimal", title="optimal", style="share"),
    )
    rows: list[tuple[Cell, ...]] = [
        (form.form, form.questions, form.agent, right, random_share(_random(form), right.n, 0, level=table.level), 1.0)
        for form, right in found.items()
    ]
    note = "random: each combination of each question is named or not, evenly; each possible answer evenly elsewhere"
    return Section(
        title="Other questions about 2×2 games",
        tables=(Table(title="Everything right", columns=columns, rows=tuple(rows), note=note),),
        figures=tuple(_figure(found)),
    )


def _random(form: Form) -> float:
    """What random answers come to."""
    return RANDOM.get(form.form, 16.0**-form.questions)


def _right(rows: Sequence[MeasurementRow], table: Measurements) -> Estimate:
    values = [float(row.value or 0) for row in rows]
    return share(values, clusters=[row.block for row in rows], level=table.level)


def _figure(found: Mapping[Form, Estimate]) -> list[Figure]:
    several = {form: right for form, right in found.items() if form.form.startswith(("sequential", "parallel"))}
    if not several:
        return []
    counts = sorted({form.questions for form in several})
    lines = sorted({(form.form, form.agent) for form in several})
    return [
        Figure(
            kind="line",
            title="All right, by number of games",
            x=tuple(float(count) for count in counts),
            series={
                f"{agent}, {name}": tuple(several.get(Form(name, count, agent)) for count in counts)
                for name, agent in lines
            },
            x_title="games",
            y_title="share of matches",
            references={"optimal": 1.0},
        )
    ]
