"""Figures as Vega-Lite: complete, valid, honest, the same every time."""

import gzip
import json
from pathlib import Path

import arena
import attrs
import pytest
from arena.errors import ArenaError
from arena.tables import BlockNames, Estimate, Figure, Outline, Section
from arena_devkit.review.outputs import written
from arena_report import Report, named_figures
from arena_report_vega import VEGA
from arena_report_vega.vega import Vega
from jsonschema import Draft7Validator

SCHEMA = Path(__file__).with_name("vega-lite-6.4.3.schema.json.gz")
WON = Estimate(value=0.58, n=200, low=0.51, high=0.65, method="Wilson")
OPEN = Estimate(value=0.4, n=8, low=0.25, method="bootstrap")
KINDS = ("bar", "stacked-bar", "line", "pie", "heat-map", "radar", "scatter")
AXES = ("bar", "stacked-bar", "line", "radar", "scatter")
INTERVALS = ("bar", "line", "radar", "scatter")


@pytest.fixture(scope="module")
def schema() -> Draft7Validator:
    """The schema that is published with the version of Vega-Lite that the files name."""
    return Draft7Validator(json.loads(gzip.decompress(SCHEMA.read_bytes())))


def figure(kind: str = "bar", **more) -> Figure:
    parts = {
        "title": f"A {kind}: shown",
        "x": ("ann", "bob", "eve"),
        "series": {"won": (WON, 0.3, None), "lost": (0.2, 0.1, 0.4)},
        "x_title": "agent",
        "y_title": "share",
        "references": {"random play": 0.5},
    }
    return Figure(kind=kind, **(parts | more))


def report(*figures: Figure, **more) -> Report:
    return Report(title="r", sections=(Section(title="Outcomes", figures=figures),), facts=(), **more)


def read(path: Path) -> list[dict]:
    return [json.loads(file.read_text("utf-8")) for file in sorted(path.iterdir())]


def drawn(tmp_path: Path, what: Figure, **more) -> dict:
    Vega().write(report(what, **more), tmp_path / "out")
    (found,) = read(tmp_path / "out")
    return found


def found(value: object, key: str) -> list:
    """Whatever stands under a key, anywhere in a specification."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value[key]] if isinstance(value, dict) and key in value else []
    return own + [each for part in inside for each in found(part, key)]


def marks(specification: dict) -> list[str]:
    return [mark["type"] for mark in found(specification, "mark")]


def whiskers(specification: dict) -> list[dict]:
    """The rules from one end of an interval to the other."""
    return [encoding for encoding in found(specification, "encoding") if {"x2", "y2"} & set(encoding)]


@pytest.mark.sample(fast=19)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("more", [{}, {"series": {}, "x": ()}, {"series": {"s": (None, OPEN, None)}}])
def test_each_kind_keeps_the_schema(tmp_path, schema, kind, more):
    """Every kind of figure, empty or with unknown values too, is valid by the schema of the version that it names."""
    specification = drawn(tmp_path, figure(kind, **more))

    assert specification["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json"
    assert schema.is_valid(specification)


@pytest.mark.parametrize(
    ("before", "after"),
    [('"type": "bar"', '"type": "bars"'), ('"quantitative"', '"numeric"'), ('"values"', '"valves"')],
)
def test_the_schema_finds_what_is_wrong(tmp_path, schema, before, after):
    """A mark, a type of field or a key that Vega-Lite does not know is refused by the schema."""
    text = json.dumps(drawn(tmp_path, figure()))

    assert before in text
    assert not schema.is_valid(json.loads(text.replace(before, after)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_complete_in_itself(tmp_path, kind):
    """Title, section, notes, references, names and every number are in the file, and no address but the schema's."""
    specification = drawn(tmp_path, figure(kind, note="Mind the gap."), notes=("a model changed",))

    title = specification["title"]
    assert title["text"] == f"A {kind}: shown"
    assert title["subtitle"][0] == "Outcomes"
    words = " ".join(title["subtitle"])
    assert "For comparison: random play 0.500. Mind the gap. Intervals at 95%: Wilson. a model changed" in words
    rows = specification["data"]["values"]
    assert [(row["x"], row["series"], row["value"]) for row in rows] == [
        ("ann", "won", 0.58), ("bob", "won", 0.3), ("eve", "won", None),
        ("ann", "lost", 0.2), ("bob", "lost", 0.1), ("eve", "lost", 0.4),
    ]  # fmt: skip
    assert found(specification, "url") == []


@pytest.mark.parametrize("kind", KINDS)
def test_tooltips_show_interval_and_n(tmp_path, kind):
    """The value under the pointer comes with its interval, n, level and method."""
    specification = drawn(tmp_path, figure(kind))

    shown = {field["field"] for fields in found(specification, "tooltip") for field in fields}
    assert {"x", "series", "text", "level", "method"} <= shown
    row = specification["data"]["values"][0]
    assert row["text"] == "0.58 [0.51, 0.65] n=200"
    kept = {"low": 0.51, "high": 0.65, "n": 200, "unit": "matches", "level": 0.95, "method": "Wilson"}
    assert kept.items() <= row.items()


@pytest.mark.parametrize("kind", INTERVALS)
def test_intervals_are_error_bars(tmp_path, kind):
    """Estimates have rules from end to end of their intervals; bare numbers have none."""
    across = "x" if kind == "radar" else "y"

    (known,) = whiskers(drawn(tmp_path, figure(kind)))
    bare = whiskers(drawn(tmp_path, figure(kind, series={"s": (0.5, 0.3, 0.2)})))

    assert known[across]["field"] == "low"
    assert known[f"{across}2"] == {"field": "high"}
    assert bare == []


@pytest.mark.parametrize("kind", INTERVALS)
def test_open_intervals_end_in_an_arrow(tmp_path, kind):
    """An interval that nothing bounds from above goes to the edge, where an arrow is."""
    across, edge = ("x", "width") if kind == "radar" else ("y", 0)

    specification = drawn(tmp_path, figure(kind, series={"s": (OPEN, OPEN, OPEN)}))

    (rule,) = whiskers(specification)
    assert rule[f"{across}2"] == {"value": edge}
    assert [shape for shape in found(specification, "shape") if "triangle" in shape]


@pytest.mark.parametrize("kind", AXES)
def test_references_are_rules_with_their_names(tmp_path, kind):
    """Each reference is a rule across the axis of values, and the legend names it."""
    across = "x" if kind == "radar" else "y"

    layer = drawn(tmp_path, figure(kind, references={"random play": 0.5, "optimal play": 0.9}))["layer"][-1]

    assert layer["mark"]["type"] == "rule"
    assert layer["data"]["values"] == [
        {"reference": "random play", "at": 0.5},
        {"reference": "optimal play", "at": 0.9},
    ]
    assert layer["encoding"][across]["field"] == "at"
    assert layer["encoding"]["strokeDash"]["scale"]["domain"] == ["random play", "optimal play"]


@pytest.mark.parametrize("kind", AXES)
def test_axes_have_titles(tmp_path, kind):
    """The axis of names and the axis of values are called what the figure calls them."""
    titles = found(drawn(tmp_path, figure(kind)), "title")

    assert {"agent", "share"} <= {title for title in titles if isinstance(title, str)}


@pytest.mark.parametrize("kind", ["line", "scatter"])
def test_numbers_along_x_lie_where_they_are(tmp_path, kind):
    """Numbers are on an axis of numbers, in the order of the figure."""
    specification = drawn(tmp_path, figure(kind, x=(100.0, 1.0, 10.0)))

    assert [row["x"] for row in specification["data"]["values"][:3]] == [100.0, 1.0, 10.0]
    assert specification["layer"][0]["encoding"]["x"]["type"] == "quantitative"


@pytest.mark.parametrize("kind", ["bar", "heat-map", "radar"])
def test_names_keep_their_order_and_their_own_place(tmp_path, kind):
    """Names stand in the order of the figure, and two equal ones do not share a place."""
    specification = drawn(tmp_path, figure(kind, x=("z", "a", "z")))

    assert ["z", "a", "z (2)"] in found(specification, "domain")


def test_equal_names_are_one_place_of_a_scatter(tmp_path):
    """Points with the same name stand above each other."""
    specification = drawn(tmp_path, figure("scatter", x=("z", "a", "z")))

    assert ["z", "a"] in found(specification, "domain")
    assert [row["x"] for row in specification["data"]["values"][:3]] == ["z", "a", "z"]


def test_parts_lie_in_the_order_of_the_series(tmp_path):
    """The first series of stacked bars is the lowest, whatever it is called."""
    specification = drawn(tmp_path, figure("stacked-bar", series={"z": (1, 2, 3), "a": (3, 2, 1)}))

    assert {"field": "order", "type": "quantitative"} in found(specification, "order")
    assert [row["order"] for row in specification["data"]["values"]] == [0, 0, 0, 1, 1, 1]


def test_a_pie_of_nothing_says_so(tmp_path):
    """A series whose parts are all zero has words where its pie would be."""
    empty = drawn(tmp_path, figure("pie", series={"ann": (0, 0, 0), "bob": (1, 2, 0)}))
    whole = drawn(tmp_path, figure("pie", series={"bob": (1, 2, 0)}))

    assert {"value": "nothing"} in found(empty, "text")
    assert {"value": "nothing"} not in found(whole, "text")


def test_signs_in_heat_maps_have_colours_around_zero(tmp_path):
    """Values below zero make a scale that is as wide on both sides; a zero has no sign, however it came about."""
    specification = drawn(tmp_path, figure("heat-map", series={"ann": (None, 0.25, -0.5), "bob": (-0.0, 0.0, None)}))

    (scale,) = (scale for scale in found(specification, "scale") if "scheme" in scale)
    assert scale == {"domain": [-0.5, 0.5], "nice": False, "clamp": True, "scheme": "redblue"}
    assert "-0.0" not in json.dumps(specification)


def test_blocks_of_heat_maps_are_set_apart_and_named(tmp_path, schema):
    """Lines are where blocks begin, and each name is in a corner of its block."""
    sides = tuple(f"{n}" for n in range(4))
    specification = drawn(
        tmp_path,
        figure("heat-map", x=sides, series=dict.fromkeys(sides, (1, 0, 1, 0)), blocks=(2,), labels=tuple("abcd")),
    )

    assert schema.is_valid(specification)
    assert found(specification, "values").count([{"start": "2"}]) == 2
    assert {"x": "2", "y": "0", "label": "b"} in found(specification, "values")[-1]


def test_maps_have_limits_names_outside_and_lines_over_cells(tmp_path, schema):
    """Colours go as far as the limits say, blocks are named beside them, and boxes and diagonals are drawn."""
    sides = tuple(f"{n}" for n in range(4))
    diagonal = Outline(name="diagonal", points=((0, 4), (4, 0)))
    box = Outline(name="box", points=((0, 0), (2, 0), (2, 2), (0, 0)))
    names = BlockNames(columns=("p", "q"), rows=("r", "s"), ends=("t", "u"))
    parts = {"x": sides, "blocks": (2,), "labels": tuple("abcd"), "block_names": names, "limits": (0.0, 1.0)}
    cells = dict.fromkeys(sides, (0.1, 0.0, 0.2, 0.0))
    other = figure("heat-map", series=cells, limits=(-1.0, 1.0), x=sides)
    specification = drawn(
        tmp_path, figure("heat-map", series=cells, outlines=(diagonal, box), beside=(other,), **parts)
    )

    assert schema.is_valid(specification)
    domains = [scale["domain"] for scale in found(specification, "scale") if scale and "scheme" in scale]
    assert domains == [[0.0, 1.0], [-1.0, 1.0]]
    told = [value.get("label") for values in found(specification, "values") for value in values]
    assert [label for label in told if label] == ["p", "q", "r", "s", "t", "u"]
    assert marks(specification).count("rule") >= 4
    assert len(specification["hconcat"]) == 2


def test_a_radar_is_rows_of_dots_on_one_axis(tmp_path):
    """Each name of a radar has a row of points along one axis of values that begins at zero."""
    specification = drawn(tmp_path, figure("radar"))

    rows, values = specification["layer"][0]["encoding"]["y"], specification["layer"][0]["layer"][0]
    assert rows["field"] == "x"
    assert values["mark"]["type"] == "point"
    assert values["encoding"]["x"]["scale"]["zero"] is True
    assert "line" not in marks(specification)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (figure("pie", series={"s": (-1.0, 1.0, 1.0)}), "a pie has no negative parts, got -1.0 in 's'"),
        (figure("spiral"), "a figure of kind 'spiral' cannot be drawn"),
        (figure(series={"s": (1.0,)}), "'s' has 1 values for 3 places along x"),
        (figure("line", x=(1.0, float("nan"), 3.0)), "a number along x is infinite or none"),
    ],
)
def test_figure_that_cannot_be_drawn(tmp_path, wrong, said):
    """The message names the figure and what is wrong with it, and no file is written."""
    with pytest.raises(ArenaError, match=f"figure '{wrong.title}': {said}"):
        Vega().write(report(figure(), wrong), tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_numbers_that_json_does_not_know_are_left_out(tmp_path, schema):
    """Infinite and undefined values are unknown values, and such a reference is no line."""
    endless = float("inf")
    wild = attrs.evolve(WON, low=-endless)
    specification = drawn(tmp_path, figure(series={"s": (endless, float("nan"), wild)}, references={"r": endless}))

    assert [row["value"] for row in specification["data"]["values"]] == [None, None, 0.58]
    assert len(specification["layer"]) == 1
    assert schema.is_valid(specification)


def test_text_is_text(tmp_path):
    """Names are never part of an expression or of a field's name; half of a surrogate pair is replaced."""
    nasty = "datum['x'] + \"<b>[0].y \ud800"
    specification = drawn(tmp_path, figure(x=(nasty, "b", "c"), series={nasty: (WON, 0.1, 0.2)}))

    assert specification["data"]["values"][0]["x"] == nasty.replace("\ud800", "?")
    assert not [
        told for key in ("filter", "calculate", "test", "field") for told in found(specification, key) if "<b>" in told
    ]


def test_same_report_same_bytes(tmp_path):
    """Writing a report twice gives the same files to the byte, and touches no other file in the directory."""
    tmp_path.joinpath("mine.txt").write_text("mine", "utf-8")
    written_files = []
    for _ in range(2):
        Vega().write(report(*map(figure, KINDS)), tmp_path)
        written_files.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})

    assert written_files[0] == written_files[1]
    assert len(written_files[0]) == len(KINDS) + 1


@pytest.mark.slow
def test_a_run_is_written_with_the_names_of_its_figures(tmp_path, schema):
    """Each figure of a real run has a valid file, with the number and title that every format gives it."""
    benchmark = {
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"one": "random", "two": "first-legal"},
        "metrics": ["outcomes", "illegal-actions", "ratings"],
    }
    found_report = arena.run(benchmark, output=tmp_path / "run").report()

    Vega().write(found_report, tmp_path / "out")

    names = [f"{name}.vl.json" for name, _ in named_figures(found_report)]
    assert names
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names)
    assert all(map(schema.is_valid, read(tmp_path / "out")))


def test_descriptor_builds():
    """The plugin makes a report format from its example, which passes the review of report formats."""
    made = VEGA.load()(**VEGA.example)

    assert made == Vega()
    assert written("report", made).startswith("1 files")


def test_series_differ_in_more_than_colour(tmp_path, schema):
    """Lines have dashes and points shapes of their own; long names are short where they are shown and whole as data."""
    names = [f"a-searching-player-with-a-name (simulations={n})" for n in (2, 20)]
    told = figure("line", x=(1, 2, 3), series=dict.fromkeys(names, (0.5, 0.5, 0.5)))
    Vega().write(report(told), tmp_path)

    (found,) = read(tmp_path)
    schema.validate(found)
    line, point = found["layer"][0]["layer"][:2]
    assert len({*map(str, line["encoding"]["strokeDash"]["scale"]["range"])}) == 2
    assert len({*point["encoding"]["shape"]["scale"]["range"]}) == 2
    assert line["encoding"]["strokeWidth"]["scale"]["range"][0] > line["encoding"]["strokeWidth"]["scale"]["range"][1]
    assert [row["series"] for row in found["data"]["values"][::3]] == names
    assert "=20)" in found["layer"][0]["encoding"]["color"]["legend"]["labelExpr"]
