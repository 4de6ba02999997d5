"""Figures as simple shapes, which are drawn where matplotlib is not installed."""

from html import escape
from xml.etree import ElementTree

import pytest
from arena.installing import full_name, install_line
from arena.tables import Estimate
from arena_report_html import drawing
from arena_report_html.shapes import KINDS, Axis, draw

from .test_html import KINDS as ALL, figure, report, write

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg: str, tag: str) -> list[dict[str, str]]:
    """The attributes of all shapes of a kind."""
    return [dict(element.attrib) for element in ElementTree.fromstring(svg).iter(SVG + tag)]


def texts(svg: str) -> list[str]:
    """What is written in a drawing."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(SVG + "text")]


@pytest.fixture
def without_matplotlib(monkeypatch):
    """Matplotlib is not installed, as far as drawing knows."""
    monkeypatch.setattr(drawing, "is_importable", lambda module: module != "matplotlib")


@pytest.mark.parametrize("kind", KINDS)
def test_each_simple_kind_is_drawn(kind):
    """One SVG element with a title, the names of all places and series, and the page's colour."""
    svg = draw(figure(kind), "f1")

    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("aria-labelledby") == "f1-title"
    assert all(element.get("id", "f1-").startswith("f1-") for element in root.iter())
    assert {f"a {kind}", "ann", "bob", "eve", "won", "lost", "┆ random"} <= set(texts(svg))
    assert "currentColor" in svg
    assert draw(figure(kind), "f1") == svg


def test_bars_are_as_long_as_their_values():
    """The lengths of bars are in proportion to the values, and begin at 0."""
    svg = draw(figure(series={"won": (0.5, 0.25, 1.0)}, references={}), "f1")

    bars = parts(svg, "rect")
    lengths = [float(bar["width"]) for bar in bars]
    assert lengths[0] == pytest.approx(2 * lengths[1], abs=0.02)
    assert lengths[2] == pytest.approx(2 * lengths[0], abs=0.02)
    assert len({bar["x"] for bar in bars}) == 1


def test_equal_names_are_one_place_of_a_scatter():
    """Points with the same name stand in one row, and the name stands beside it once."""
    svg = draw(figure("scatter", x=("a", "b", "a"), series={"s": (1.0, 2.0, 3.0)}, references={}), "f1")

    heights = [point["cy"] for point in parts(svg, "circle")]
    assert len(heights) == 3
    assert len(set(heights)) == 2
    assert texts(svg).count("a") == 1


def test_losses_are_drawn_to_the_other_side():
    """A value below 0 ends where a value above it begins."""
    below, above = parts(draw(figure(x=("a", "b"), series={"earned": (-1.0, 1.0)}, references={}), "f1"), "rect")

    assert float(below["x"]) + float(below["width"]) == pytest.approx(float(above["x"]), abs=0.02)


def test_parts_of_a_stacked_bar_stand_behind_each_other():
    """A part begins where the one before it ends, and what is not known leaves no gap."""
    series = {"won": (0.5,), "drawn": (None,), "lost": (0.25,)}
    first, second = parts(draw(figure("stacked-bar", x=("a",), series=series, references={}), "f1"), "rect")[3:]

    assert float(first["x"]) + float(first["width"]) == pytest.approx(float(second["x"]), abs=0.02)


@pytest.mark.parametrize(("low", "high", "lines"), [(0.4, 0.6, 3), (0.4, None, 2), (None, None, 0)])
def test_intervals_are_drawn_with_their_ends(low, high, lines):
    """An interval is a line with a mark at each end that it has."""
    bare = draw(figure(series={"s": (0.5, 0.3, 1.0)}), "f1")
    known = draw(figure(series={"s": (Estimate(value=0.5, n=9, low=low, high=high), 0.3, 1.0)}), "f1")

    assert len(parts(known, "line")) - len(parts(bare, "line")) == lines


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 1.0], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([-2.0, 2.0], [-2, -1, 0, 1, 2]),
        ([37.0], [0, 10, 20, 30, 40]),
        ([], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([0.0], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([-0.03], [-0.03, -0.02, -0.01, 0]),
    ],
)
def test_axis_ends_at_round_numbers(values, ticks):
    """All values and 0 are on the axis, and its numbers are round."""
    axis = Axis.over(values, 0, 100)

    assert list(axis.ticks()) == pytest.approx(ticks)
    assert all(0 <= axis.at(value) <= 100 for value in values)


def test_nothing_to_draw_is_an_empty_drawing():
    """Nothing along x, or nothing known, is no mistake."""
    for kind in KINDS:
        draw(figure(kind, x=(), series={}, references={}), "f1")
        draw(figure(kind, x=("a",), series={"s": (None,)}), "f2")
        draw(figure(kind, x=("a",), series={"s": (float("nan"),)}), "f3")


def test_names_become_no_markup():
    """Whatever a name holds is text."""
    svg = draw(figure(x=("<b>&", "$x$", "日本")), "f1")

    assert {"<b>&", "$x$", "日本"} <= set(texts(svg))


def test_drawings_stay_within_their_box():
    """Names, legend and bars of many agents with long names lie inside of the picture."""
    names = tuple(f"an agent with a very long name {i}" for i in range(9))
    svg = draw(figure(x=names, series={name: tuple(map(float, range(9))) for name in names}), "f1")

    width, height = (float(side) for side in ElementTree.fromstring(svg).get("viewBox").split()[2:])
    for part in parts(svg, "text"):
        assert 0 <= float(part["x"]) <= width
        assert 0 <= float(part["y"]) <= height
    for part in parts(svg, "rect"):
        assert float(part["x"]) + float(part["width"]) <= width
        assert float(part["y"]) + float(part["height"]) <= height


@pytest.mark.sample(fast=6)
@pytest.mark.parametrize("kind", ALL)
def test_page_is_whole_without_matplotlib(tmp_path, without_matplotlib, kind):
    """Simple figures are drawn; for others the page says what to install, and has their numbers all the same."""
    found = report()
    section = found.sections[0]
    text = write(tmp_path, type(found)(**{**_fields(found), "sections": (_with(section, figure(kind)),)}))

    assert (escape(install_line(full_name("report-html[charts]"))) in text) is (kind not in KINDS)
    assert ("<svg" in text) is (kind in KINDS)
    assert f"Numbers behind “a {kind}”" in text


def _fields(value):
    return {name.name: getattr(value, name.name) for name in type(value).__attrs_attrs__ if name.init}


def _with(section, shown):
    return type(section)(**{**_fields(section), "figures": (shown,)})


def test_unknown_kind_is_refused():
    """A kind that nobody draws is refused, with what would draw most others."""
    with pytest.raises(ValueError, match="is drawn by matplotlib"):
        draw(figure("pie"), "f1")
