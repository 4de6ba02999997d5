"""Figures of a report, exported as files of several formats."""

from xml.etree import ElementTree

import pytest
from arena.tables import Estimate, Figure, Section
from arena_report import Report
from arena_report_html.look import DARK, LIGHT
from arena_report_html.palette import ink_on
from arena_report_html.pictures import Pictures
from matplotlib.colors import to_hex, to_rgb

WON = Estimate(value=0.58, n=200, low=0.51, high=0.65, method="Wilson")
KINDS = ("bar", "stacked-bar", "line", "pie", "heat-map", "radar", "scatter")


def report(*figures: Figure) -> Report:
    return Report(title="r", sections=(Section(title="s", figures=figures),), facts=())


def figure(kind: str, **more) -> Figure:
    parts = {"title": f"A {kind}: shown", "x": ("a", "b", "c"), "series": {"ann": (WON, 0.3, 0.1), "bob": (0, 0, 0)}}
    return Figure(kind=kind, **(parts | more))


@pytest.mark.sample(fast=1, slow=3)
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


@pytest.mark.campaign
def test_same_report_same_bytes(tmp_path):
    """Writing a report twice gives the same files to the byte, and touches no other file in the directory."""
    tmp_path.joinpath("mine.txt").write_text("mine", "utf-8")
    found = []
    for _ in range(2):
        Pictures(dots_per_inch=50).write(report(*map(figure, KINDS)), tmp_path)
        found.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})

    assert found[0] == found[1]
    assert len(found[0]) == 2 * len(KINDS) + 1


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.sample(fast=3, slow=8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("theme", "ground"), [("light", "#ffffff"), ("dark", "#14171b")])
def test_each_theme_can_be_read(tmp_path, kind, theme, ground):
    """On the ground of its theme lines and areas have a contrast of 3 : 1, words one of 4.5 : 1."""
    shown = figure(kind, references={} if kind in ("pie", "heat-map") else {"chance": 0.2})
    Pictures(forms=("svg",), theme=theme).write(report(shown), tmp_path)

    (path,) = tmp_path.iterdir()
    root = ElementTree.parse(path).getroot()
    grounds = [own.get("style", "") for own in root.iter() if own.tag.endswith("path")]
    assert f"fill: {ground}" in grounds[0]
    on_cells = {"heat-map", "pie"} & {kind}  # what stands on a colour has its own ground
    for own in root.iter():
        style = dict(part.split(": ") for part in own.get("style", "").split("; ") if ": " in part)
        ink = style.get("fill", "#000000" if own.tag.endswith("text") else "none")
        if own.tag.endswith("text"):
            assert on_cells or contrast(ink, ground) >= 4.5, ElementTree.tostring(own)
        elif style.get("stroke", "none") not in ("none", ground) and "stroke-opacity" not in style:
            assert on_cells or contrast(style["stroke"], ground) >= 3, style


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_colours_of_series_keep_their_contrast(look):
    """Each colour of a series is told from the ground; words on a cell or a slice can be read, whatever its colour."""
    assert min(contrast(colour, look.ground) for colour in look.series) >= 3
    scales = (look.scale(is_signed=is_signed) for is_signed in (True, False))
    cells = [to_hex(scale(at / 100)) for scale in scales for at in range(101)]
    for colour in (*look.series, *cells):
        assert contrast(ink_on(to_rgb(colour)), colour) >= 4.5, colour


def test_a_pie_says_what_its_slices_are(tmp_path):
    """A pie for each series has its name and per cent, the legend every part, and the figure its title."""
    Pictures(forms=("svg",)).write(report(figure("pie", series={"ann": (1, 1, 2), "bob": (0, 0, 0)})), tmp_path)

    (path,) = tmp_path.iterdir()
    words = {text.strip() for text in ElementTree.parse(path).getroot().itertext()}
    assert {"A pie: shown", "ann", "bob", "25%", "50%", "nothing", "a", "b", "c"} <= words


def test_lines_at_the_same_place_can_be_told_apart(tmp_path):
    """Of six series with the same numbers each has dashes that the others leave free, and marks of its own."""
    same = {f"agent {i}": (0.5, 0.5, 0.5, 0.5) for i in range(6)}
    Pictures(forms=("svg",)).write(report(figure("line", x=(1, 2, 3, 4), series=same)), tmp_path / "out")

    (file,) = (tmp_path / "out").iterdir()
    styles = [element.get("style", "") for element in ElementTree.parse(file).iter()]
    offsets = {style.partition("stroke-dashoffset: ")[2].partition(";")[0] for style in styles if "dasharray" in style}
    assert len(offsets) == 6


def test_long_names_in_a_figure_show_what_differs(tmp_path):
    """The values of a sweep are in the legend and along the axis; what the names share is cut."""
    names = [f"a-searching-player-with-a-name (simulations={n})" for n in (2, 20, 200)]
    Pictures(forms=("svg",)).write(
        report(figure("bar", x=tuple(names), series=dict.fromkeys(names, (0.1, 0.2, 0.3)))), tmp_path / "out"
    )

    (file,) = (tmp_path / "out").iterdir()
    words = [text for element in ElementTree.parse(file).iter() if (text := element.text or "").startswith("a-sea")]
    assert [word.rpartition("=")[2] for word in words] == ["2)", "20)", "200)"] * 2
    assert max(map(len, words)) <= 32
