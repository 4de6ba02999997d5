"""Other questions: games in a row, at once, one inside another (right only if all are right), dominance, mixing."""

from collections.abc import Mapping, Sequence

from arena.metric import Cell, Column, Estimate, Figure, Row, Section, Table, TableView
from arena_metric_statistics.proportions import share

from arena_metric_equilibria.answers import Form

RANDOM = {"dominance": 1 / 9, "mixed": 0.0004}
"""What random answers come to: one of nine; two probabilities both within a hundredth, about 0.0004."""


def complex_section(forms: Mapping[Form, Sequence[Row]], table: Table) -> Section:
    """The share of matches in which every question was answered rightly."""
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
        (form.form, form.questions, form.agent, right, RANDOM.get(form.form, 16.0**-form.questions), 1.0)
        for form, right in found.items()
    ]
    note = "random: each combination of each question is named or not, evenly; each possible answer evenly elsewhere"
    return Section(
        title="Other questions about 2×2 games",
        tables=(TableView(title="Everything right", columns=columns, rows=tuple(rows), note=note),),
        figures=tuple(_figure(found)),
    )


def _right(rows: Sequence[Row], table: Table) -> Estimate:
    values = [float(row.value or 0) for row in rows]
    return share(values, clusters=[row.block for row in rows], level=table.level)


def _figure(found: Mapping[Form, Estimate]) -> list[Figure]:
    several = {form: right for form, right in found.items() if form.form in ("sequential", "parallel")}
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
