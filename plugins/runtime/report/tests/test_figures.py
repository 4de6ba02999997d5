"""The names of figures' files."""

import pytest
from arena.tables import Figure, Section
from arena_report import Report, named_figures, series_places


def report(*titles: str) -> Report:
    figures = [Figure(kind="bar", title=title, x=(), series={}) for title in titles]
    sections = (Section(title="first", figures=tuple(figures[:1])), Section(title="rest", figures=tuple(figures[1:])))
    return Report(title="r", sections=sections, facts=())


@pytest.mark.parametrize(
    ("title", "name"), [("Ünï/../cödé", "n-c-d"), ("…", "figure"), ("a" * 200, "a" * 80), ("X: y, z", "x-y-z")]
)
def test_titles_become_names(title, name):
    """Whatever a title holds, its file lies in the directory."""
    ((found, figure),) = named_figures(report(title))

    assert found == f"1-{name}"
    assert figure.title == title


def test_names_sort_in_the_order_of_the_report():
    """Figures of all sections are numbered together, with as many digits as the last number has."""
    names = [name for name, _ in named_figures(report(*(f"Title {letter}" for letter in "kjihgfedcba")))]

    assert names[0] == "01-title-k"
    assert names[-1] == "11-title-a"
    assert names == sorted(names)


def test_outcomes_have_the_same_colours_in_every_figure():
    """What was lost is red and never green, what was won blue; other series take colours that are left."""
    assert series_places(["won", "drawn", "lost"]) == [0, 7, 5]
    assert series_places(["losses", "wins"]) == [5, 0]
    assert series_places(["ann", "lost", "bob"]) == [0, 5, 1]
    assert len({*series_places([f"agent {i}" for i in range(8)])}) == 8
