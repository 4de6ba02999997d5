"""Draws the pictures of the documents: makes an ``.svg`` file of each ``.toml`` file beside it.

Run it after a change of such a file, or of the distributions that a picture counts. Pictures are readable on light and
on dark pages: boxes bring their own background, and everything else is of a middle grey.
"""

import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from xml.sax.saxutils import escape

import attrs
from cattrs import Converter

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GREY = "#7f8790"
INK = "#1d2430"
FILLS = {"core": ("#ffe3ab", "#b9832a"), "room": ("#d3e5f8", "#4a7fb5"), "family": ("#d8efd0", "#5f9e55")}
"""Background and border of each kind of box."""
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
TITLE, TEXT = 14.0, 13.0
"""Sizes of letters, in pixels."""
LINE = 17.0
"""From one line of text to the next, in pixels."""

PREFIX = "playarena-"
"""The beginning of the names of all distributions, which the picture leaves out."""

Point = tuple[float, float]


@attrs.frozen(kw_only=True)
class Box:
    """A rectangle with a name and some lines of text.

    ``at`` is left, top, width and height. ``holds`` is a pattern of the folders whose distributions it stands for.
    ``label`` replaces its name in the picture, which leaves out the prefix that all distributions have.
    """

    name: str
    at: tuple[float, float, float, float]
    kind: str = "room"
    label: str = ""
    text: str = ""
    holds: str = ""

    @property
    def lines(self) -> list[tuple[str, bool]]:
        """What is written in it, line by line, and whether a line is a part of its name."""
        name = [(line, True) for line in (self.label or self.name.removeprefix(PREFIX)).splitlines()]
        return [*name, *((line, False) for line in self.text.splitlines())]


@attrs.frozen(kw_only=True)
class Arrow:
    """An arrow between two boxes; straight at ``x`` or ``y``, or along ``path``; dashed where ``some`` is true."""

    start: str
    end: str
    some: bool = False
    x: float | None = None
    y: float | None = None
    path: tuple[Point, ...] = ()
    label: str = ""
    label_at: Point = (0.0, 0.0)


@attrs.frozen(kw_only=True)
class Note:
    """A line of text beside the boxes; with ``line``, behind an arrow that it explains."""

    text: str
    at: Point
    line: str = ""


@attrs.frozen(kw_only=True)
class Picture:
    """Everything that one picture shows; lengths are in pixels."""

    title: str
    description: str
    width: float
    height: float
    box: tuple[Box, ...]
    arrow: tuple[Arrow, ...]
    note: tuple[Note, ...] = ()

    @classmethod
    def read(cls, path: Path) -> "Picture":
        """Read a picture's source; a key that is unknown or missing is an error."""
        converter = Converter(forbid_extra_keys=True)
        return converter.structure(tomllib.loads(path.read_text("utf-8")), cls)

    def named(self, name: str) -> Box:
        """The box of that name."""
        (box,) = (box for box in self.box if box.name == name)
        return box

    def points(self, arrow: Arrow) -> Sequence[Point]:
        """The corners of an arrow, from the border of its first box to that of the last."""
        if arrow.path:
            return arrow.path
        (left, top, width, height), (x, y, w, h) = self.named(arrow.start).at, self.named(arrow.end).at
        if arrow.x is not None:
            down = y > top
            return ((arrow.x, top + height if down else top), (arrow.x, y if down else y + h))
        assert arrow.y is not None, f"{arrow.start} -> {arrow.end}: give x, y or path"
        right = x > left
        return ((left + width if right else left, arrow.y), (x if right else x + w, arrow.y))


def held(picture: Picture, root: Path) -> dict[str, list[str]]:
    """The folders of the distributions that each box stands for, those of other boxes left out of a pattern."""
    folders = ["core", *sorted(p.parent.relative_to(root).as_posix() for p in root.glob("plugins/*/*/pyproject.toml"))]
    exact = {box.holds for box in picture.box if box.holds in folders}
    return {
        box.name: [f for f in folders if f == box.holds or (f not in exact and fnmatch(f, box.holds))]
        for box in picture.box
        if box.holds
    }


def svg(picture: Picture, root: Path) -> str:
    """The picture as an SVG document."""
    counts = {name: len(folders) for name, folders in held(picture, root).items()}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width:g} {picture.height:g}" '
        f'width="{picture.width:g}" height="{picture.height:g}" role="img" aria-labelledby="title description" '
        f'font-family="{FONT}">',
        f'<title id="title">{escape(picture.title)}</title>',
        f'<desc id="description">{escape(picture.description.strip())}</desc>',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
        f'markerUnits="userSpaceOnUse"><path d="M0 0 8 4 0 8z" fill="{GREY}"/></marker></defs>',
        *(_arrow(picture, arrow) for arrow in picture.arrow),
        *(line for box in picture.box for line in _box(box, counts.get(box.name, 1))),
        *(_note(note) for note in picture.note),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(box: Box, count: int) -> Iterator[str]:
    left, top, width, height = box.at
    background, border = FILLS[box.kind]
    yield (
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="6" fill="{background}" '
        f'stroke="{border}" stroke-width="1.5"/>'
    )
    baseline = top + height / 2 - (len(box.lines) - 1) * LINE / 2 + 5
    for number, (text, is_name) in enumerate(box.lines):
        style = f'font-size="{TITLE:g}" font-weight="600"' if is_name else f'font-size="{TEXT:g}"'
        shown = f"{text} ×{count}" if is_name and count > 1 else text
        yield (
            f'<text x="{left + width / 2:g}" y="{baseline + number * LINE:g}" {style} fill="{INK}" '
            f'text-anchor="middle">{escape(shown)}</text>'
        )


def _arrow(picture: Picture, arrow: Arrow) -> str:
    line = _line(picture.points(arrow), is_dashed=arrow.some)
    return line + (_text(arrow.label, arrow.label_at) if arrow.label else "")


def _line(points: Sequence[Point], *, is_dashed: bool) -> str:
    corners = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if is_dashed else ""
    look = f'fill="none" stroke="{GREY}" stroke-width="1.7"{dashes} marker-end="url(#head)"'
    return f'<polyline points="{corners}" {look}/>'


def _note(note: Note) -> str:
    x, y = note.at
    if not note.line:
        return _text(note.text, note.at)
    return _line(((x, y - 4), (x + 34, y - 4)), is_dashed=note.line == "dashed") + _text(note.text, (x + 44, y))


def _text(text: str, at: Point) -> str:
    """Text outside of boxes, a line below the other."""
    x, y = at
    lines = enumerate(text.splitlines())
    spans = (f'<tspan x="{x:g}" y="{y + number * LINE:g}">{escape(line)}</tspan>' for number, line in lines)
    return f'<text font-size="{TEXT:g}" font-weight="500" fill="{GREY}">{"".join(spans)}</text>'


if __name__ == "__main__":
    for source in sorted(HERE.glob("*.toml")):
        source.with_suffix(".svg").write_text(svg(Picture.read(source), ROOT), "utf-8")
