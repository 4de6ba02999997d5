"""The architecture page shows what is so: its pictures, the arrows in them, and its list of modules."""

import importlib.util
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import matplotlib
import pytest
from PIL import ImageFont

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
PICTURES = sorted(path.stem for path in IMAGES.glob("*.toml"))
FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
"""A font wider than those that browsers usually take: what fits in it fits in them."""

Edge = tuple[str, str]


def script(path: Path) -> ModuleType:
    """A script of the documents as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


draw = script(IMAGES / "draw.py")


@pytest.fixture
def house() -> Any:
    """The picture of the distributions."""
    return draw.Picture.read(IMAGES / "house.toml")


def leads(edges: frozenset[Edge], start: str, end: str) -> bool:
    """Whether a chain of edges leads from ``start`` to ``end``."""
    return any(a == start and (b == end or leads(edges, b, end)) for a, b in edges)


def reduced(edges: frozenset[Edge]) -> frozenset[Edge]:
    """The edges of a graph without cycles that no chain of others replaces."""
    tuple(TopologicalSorter({a: {b for x, b in edges if x == a} for a, _ in edges}).static_order())
    return frozenset(edge for edge in edges if not leads(edges - {edge}, *edge))


def expected(groups: Mapping[str, str], requirements: Mapping[str, frozenset[str]]) -> dict[Edge, bool]:
    """The arrows that requirements ask for, and whether only some distributions of the box have the requirement.

    ``groups`` has the box of each distribution, ``requirements`` what each requires.
    """
    members = {box: [name for name, mine in groups.items() if mine == box] for box in groups.values()}
    targets = {name: {groups[other] for other in needed if other in groups} for name, needed in requirements.items()}
    some = frozenset((groups[n], box) for n, boxes in targets.items() for box in boxes if box != groups[n])
    every = frozenset((a, b) for a, b in some if all(b in targets[name] for name in members[a]))
    return dict.fromkeys(reduced(every), False) | dict.fromkeys(reduced(some) - every, True)


def groups_of(picture: Any, root: Path) -> dict[str, str]:
    """The box of each distribution, by the distribution's name."""
    import tomllib

    found: dict[str, str] = {}
    for box, folders in draw.held(picture, root).items():
        for folder in folders:
            name = tomllib.loads((root / folder / "pyproject.toml").read_text("utf-8"))["project"]["name"]
            assert name not in found, f"{name} is in two boxes, {found[name]} and {box}"
            found[name] = box
    return found


def differences(picture: Any, wanted: Mapping[Edge, bool]) -> list[str]:
    """Each arrow that no requirement has, each requirement without an arrow, and each that is dashed wrongly."""
    drawn = {(arrow.start, arrow.end): arrow.some for arrow in picture.arrow}
    assert len(drawn) == len(picture.arrow), "an arrow is drawn twice"
    return [
        *(f"{a} -> {b}: drawn, but not required" for a, b in drawn if (a, b) not in wanted),
        *(f"{a} -> {b}: required, but not drawn" for a, b in wanted if (a, b) not in drawn),
        *(f"{a} -> {b}: some = {some}" for (a, b), some in wanted.items() if drawn.get((a, b), some) != some),
    ]


def required(project: Mapping[str, Any]) -> frozenset[str]:
    """The names of what a distribution requires, without extras."""
    return frozenset(re.split(r"[^\w-]", requirement)[0] for requirement in project["dependencies"])


@pytest.fixture
def wanted(house, distributions, root) -> dict[Edge, bool]:
    """The arrows that the pyproject.toml files ask for."""
    return expected(groups_of(house, root), {d.name: required(d.project) for d in distributions})


def test_every_distribution_is_in_a_box(house, distributions, root):
    """Each distribution stands in exactly one box, and a box for one alone is called after it."""
    groups = groups_of(house, root)

    assert set(groups) == {d.name for d in distributions}
    assert {box.name for box in house.box if box.kind != "family"} == {n for n, box in groups.items() if n == box}


def test_arrows_are_requirements(house, wanted):
    """The picture has an arrow for each requirement between its boxes that no chain of arrows says, and no other."""
    assert differences(house, wanted) == []


def test_arrow_without_requirement_is_found(house, wanted):
    """An arrow that no requirement has is caught, also one that another chain of arrows says already."""
    wrong = [draw.Arrow(start="playarena-core", end="games"), draw.Arrow(start="playarena-cli", end="playarena-engine")]
    picture = attrs.evolve(house, arrow=(*house.arrow, *wrong))

    assert differences(picture, wanted) == [
        "playarena-core -> games: drawn, but not required",
        "playarena-cli -> playarena-engine: drawn, but not required",
    ]


def test_requirement_without_arrow_is_found(house, distributions, root):
    """A requirement that a distribution gains, and an arrow that is taken away, are caught."""
    requirements = {d.name: required(d.project) for d in distributions}
    requirements["playarena-gym"] |= {"playarena-testing"}
    less = attrs.evolve(
        house, arrow=tuple(a for a in house.arrow if (a.start, a.end) != ("exports", "playarena-report"))
    )

    found = differences(less, expected(groups_of(house, root), requirements))

    assert sorted(found, key=len) == [
        "exports -> playarena-report: required, but not drawn",
        "playarena-gym -> playarena-engine: drawn, but not required",
        "playarena-gym -> playarena-testing: required, but not drawn",
    ]


def test_arrow_that_should_be_dashed_is_found(house, distributions, root):
    """An arrow is dashed where not all distributions of its box have the requirement."""
    requirements = {d.name: required(d.project) for d in distributions}
    requirements["playarena-report-vega"] -= {"playarena-report"}

    found = differences(house, expected(groups_of(house, root), requirements))

    assert "reports -> playarena-report: some = True" in found


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_drawn_from_its_source(name, root):
    """An SVG file is what its source says; ``docs/images/draw.py`` writes it."""
    drawn = draw.svg(draw.Picture.read(IMAGES / f"{name}.toml"), root)

    assert (IMAGES / f"{name}.svg").read_text("utf-8") == drawn


@cache
def font(*, is_bold: bool, size: float) -> ImageFont.FreeTypeFont:
    """A font of the picture, for measuring."""
    return ImageFont.truetype(FONTS / f"DejaVuSans{'-Bold' if is_bold else ''}.ttf", size)


def text_faults(picture: Any) -> Iterator[str]:
    """Each line of text that is wider than its box, and each box that is too low for its lines."""
    counts = {name: len(folders) for name, folders in draw.held(picture, ROOT).items()}
    for box in picture.box:
        for text, is_name in box.lines:
            shown = f"{text} ×{counts[box.name]}" if is_name and counts.get(box.name, 1) > 1 else text
            width = font(is_bold=is_name, size=draw.TITLE if is_name else draw.TEXT).getlength(shown)
            if width > box.at[2] - 4:
                yield f"{box.name}: {shown!r} is {width:.0f} wide in a box of {box.at[2]:g}"
        if len(box.lines) * draw.LINE > box.at[3]:
            yield f"{box.name}: too low for {len(box.lines)} lines"


def rectangle(text: str, at: tuple[float, float]) -> tuple[float, float, float, float]:
    """Left, top, width and height of a text outside of boxes."""
    lines = text.splitlines()
    width = max(font(is_bold=False, size=draw.TEXT).getlength(line) for line in lines)
    return at[0], at[1] - draw.TEXT, width, draw.TEXT + (len(lines) - 1) * draw.LINE


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two rectangles share a point."""
    return all(one[i] < other[i] + other[i + 2] and other[i] < one[i] + one[i + 2] for i in (0, 1))


def place_faults(picture: Any) -> Iterator[str]:
    """Boxes and texts that lie on each other or outside, and arrows through a box or a text or not from box to box."""
    texts = [(arrow.label, rectangle(arrow.label, arrow.label_at)) for arrow in picture.arrow if arrow.label]
    texts += [(n.text, rectangle(n.text, (n.at[0] + (44 if n.line else 0), n.at[1]))) for n in picture.note]
    things = [*((box.name, box.at) for box in picture.box), *texts]
    yield from (f"{a} lies on {b}" for (a, one), (b, other) in combinations(things, 2) if overlap(one, other))
    page = (0, 0, picture.width, picture.height)
    yield from (f"{n} is outside" for n, (x, y, w, h) in things if x < 0 or y < 0 or x + w > page[2] or y + h > page[3])
    for arrow in picture.arrow:
        points = draw.Picture.points(picture, arrow)
        ends = ((arrow.start, points[0]), (arrow.end, points[-1]))
        yield from (f"{arrow.start} -> {arrow.end}: does not touch {n}" for n, p in ends if not touches(picture, n, p))
        crossed = [n for n, area in things if any(overlap(stroke(a, b), area) for a, b in pairwise(points))]
        own = {arrow.label, *(n for n in (arrow.start, arrow.end) if not inside(picture, n, points))}
        yield from (f"{arrow.start} -> {arrow.end}: passes through {n}" for n in crossed if n not in own)


def stroke(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float, float, float]:
    """A straight part of an arrow as a rectangle; none is slanting."""
    assert a[0] == b[0] or a[1] == b[1], f"{a} to {b} is slanting"
    return min(a[0], b[0]), min(a[1], b[1]), abs(a[0] - b[0]) or 0.1, abs(a[1] - b[1]) or 0.1


def touches(picture: Any, name: str, point: tuple[float, float]) -> bool:
    """Whether a point lies on the border of a box."""
    left, top, width, height = picture.named(name).at
    on_side = point[0] in (left, left + width) and top <= point[1] <= top + height
    return on_side or (point[1] in (top, top + height) and left <= point[0] <= left + width)


def inside(picture: Any, name: str, points: Any) -> bool:
    """Whether an arrow has a corner within its own first or last box."""
    left, top, width, height = picture.named(name).at
    return any(left < x < left + width and top < y < top + height for x, y in points)


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_clear(name):
    """Texts fit into their boxes, nothing lies on anything else, and no arrow passes through a box or a text."""
    picture = draw.Picture.read(IMAGES / f"{name}.toml")

    assert [*text_faults(picture), *place_faults(picture)] == []


def test_unclear_picture_is_found(house):
    """A name that is too long, two boxes in one place and an arrow through a box are caught."""
    boxes = (draw.Box(name="a much too long name", at=(0, 0, 60, 40)), draw.Box(name="b", at=(100, 0, 60, 40)))
    more = (draw.Box(name="c", at=(140, 0, 60, 40)), draw.Box(name="d", at=(300, 0, 60, 40)))
    arrows = (draw.Arrow(start="b", end="d", y=20),)
    picture = attrs.evolve(house, box=(*boxes, *more), arrow=arrows, note=())

    found = [*text_faults(picture), *place_faults(picture)]

    assert [re.sub(r"is \d+ wide", "is so wide", fault) for fault in found] == [
        "a much too long name: 'a much too long name' is so wide in a box of 60",
        "b lies on c",
        "b -> d: passes through c",
    ]


layers = script(ROOT / "docs" / "layers.py")


def test_lists_of_layers_are_the_contracts(root):
    """Each import contract has its table on the page, as ``docs/layers.py`` writes it."""
    page = layers.PAGE.read_text("utf-8")
    contracts = layers.layers(root / "pyproject.toml")

    assert layers.written(page, contracts) == page
    assert [package for _, package, _ in layers.PLACE.findall(page)] == list(contracts)


def test_module_in_another_layer_is_found(root):
    """A page from before a contract changed is not the page that the contracts ask for."""
    page = layers.PAGE.read_text("utf-8")
    contracts = layers.layers(root / "pyproject.toml")
    above, *below = contracts["arena"]

    assert layers.written(page, contracts | {"arena": [f"{above} | planted", *below]}) != page
