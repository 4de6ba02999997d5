"""Figures of a report, exported as files of several formats."""

from xml.etree import ElementTree

import pytest
from arena.tables import Estimate, Figure, Section
from arena_report import Report
from arena_report_html.pictures import Pictures

WON = Estimate(value=0.58, n=200, low=0.51, high=0.65, method="Wilson")
KINDS = ("bar", "stacked-bar", "line", "pie", "heat-map", "radar", "scatter")


def report(*figures: Figure) -> Report:
    return Report(title="r", sections=(Section(title="s", figures=figures),), facts=())


def figure(kind: str, **more) -> Figure:
    parts = {"title": f"A {kind}: shown", "x": ("a", "b", "c"), "series": {"ann": (WON, 0.3, 0.1), "bob": (0, 0, 0)}}
    return Figure(kind=kind, **(parts | more))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_becomes_two_files(tmp_path, kind):
    """Every kind of figure is written as SVG with its words as text, and as PNG that is not blank."""
    from matplotlib.image import imread

    Pictures().write(report(figure(kind)), tmp_path / "out")

    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"1-a-{kind}-shown.png", f"1-a-{kind}-shown.svg"]
    words = "".join(ElementTree.parse(tmp_path / "out" / names[1]).getroot().itertext())
    assert f"A {kind}: shown" in words
    pixels = imread(tmp_path / "out" / names[0])
    assert pixels.shape[1] > 500
    assert pixels.min() < 0.5 < pixels.max()


@pytest.mark.slow
def test_same_report_same_bytes(tmp_path):
    """Writing a report twice gives the same files to the byte, and touches no other file in the directory."""
    tmp_path.joinpath("mine.txt").write_text("mine", "utf-8")
    found = []
    for _ in range(2):
        Pictures(dots_per_inch=50).write(report(*map(figure, KINDS)), tmp_path)
        found.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})

    assert found[0] == found[1]
    assert len(found[0]) == 2 * len(KINDS) + 1


def test_a_pie_says_what_its_slices_are(tmp_path):
    """A pie for each series has its name and per cent, the legend every part, and the figure its title."""
    Pictures(forms=("svg",)).write(report(figure("pie", series={"ann": (1, 1, 2), "bob": (0, 0, 0)})), tmp_path)

    (path,) = tmp_path.iterdir()
    words = {text.strip() for text in ElementTree.parse(path).getroot().itertext()}
    assert {"A pie: shown", "ann", "bob", "25%", "50%", "nothing", "a", "b", "c"} <= words
