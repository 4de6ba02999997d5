"""The parts of a scene, and the scene itself: what games build, and hand out as data.

::

    def scene(view) -> Drawing:  # a form: a pure function of one player's observation
        return Drawing(*Scene("Nim", words(view), Meters(meters=[…])).drawn())
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, TypeAlias

import attrs

from arena_scene.elements import (
    Cell,
    GraphEdge,
    GraphNode,
    MapArea,
    MapOrder,
    MapPiece,
    MapPlace,
    Meter,
    Piece,
    Point,
    Region,
    SceneCard,
    SceneMessage,
    Stroke,
    TableColumn,
    TableRow,
    plain,
)

FORMAT: Final = 1
"""The number of the format that ``Scene`` writes."""


def _labels(names: Iterable[str]) -> tuple[str, ...]:
    """Labels in their order; a text stands for its letters."""
    return tuple(names)


@attrs.frozen(kw_only=True)
class _Part:
    """What every part may have: ``label`` is for readers of screens, ``owner`` the number of a player."""

    id: str = ""
    title: str = ""
    note: str = ""
    label: str = ""
    owner: int | None = None


@attrs.frozen(kw_only=True)
class Grid(_Part):
    """A board of ``size`` rows and columns; ``enter`` is the side from which new pieces come.

    In the shape ``hex`` each row lies half a cell further to the right than the one above it; in ``points`` pieces
    stand on crossings. Cells can be touched as ``ID:ROW,COLUMN``, columns as ``ID/column:N``, rows as ``ID/row:N``.
    ``edges`` are the roles of its sides ``top``, ``bottom``, ``left`` and ``right`` where they belong to somebody.
    """

    part: ClassVar[str] = "grid"
    size: tuple[int, int]
    shape: Literal["square", "hex", "points"] | None = None
    row_labels: tuple[str, ...] = attrs.field(default=(), converter=_labels)
    column_labels: tuple[str, ...] = attrs.field(default=(), converter=_labels)
    checkered: bool = False
    enter: Literal["top", "bottom", "left", "right"] | None = None
    cells: Sequence[Cell] = ()
    pieces: Sequence[Piece] = ()
    lines: Sequence[Stroke] = ()
    arrows: Sequence[Stroke] = ()
    regions: Sequence[Region] = ()
    walls: Sequence[tuple[Point, Point]] = ()
    edges: Mapping[str, str] = attrs.field(factory=dict[str, str])


@attrs.frozen(kw_only=True)
class Cards(_Part):
    """Cards in a row, a fan, a pile (the last one lies on top) or columns."""

    part: ClassVar[str] = "cards"
    layout: Literal["row", "fan", "pile", "columns"] = "row"
    cards: Sequence[SceneCard]


@attrs.frozen(kw_only=True)
class Pieces(_Part):
    """Loose things in a row: dice, chips, coins, captured men, stocks."""

    part: ClassVar[str] = "pieces"
    pieces: Sequence[Piece]


@attrs.frozen(kw_only=True)
class SceneTable(_Part):
    """A table of texts, numbers and amounts."""

    part: ClassVar[str] = "table"
    columns: Sequence[TableColumn]
    rows: Sequence[TableRow]
    caption: str = ""


@attrs.frozen(kw_only=True)
class Graph(_Part):
    """Nodes and the edges between them; a terminal tells it by its label."""

    part: ClassVar[str] = "graph"
    nodes: Sequence[GraphNode]
    edges: Sequence[GraphEdge]
    layout: Literal["given", "layers", "circle"] = "circle"


@attrs.frozen(kw_only=True)
class SceneMap(_Part):
    """Areas, places in them, pieces on these, and orders."""

    part: ClassVar[str] = "map"
    size: Point
    areas: Sequence[MapArea]
    places: Sequence[MapPlace] = ()
    pieces: Sequence[MapPiece] = ()
    orders: Sequence[MapOrder] = ()


@attrs.frozen(kw_only=True)
class Shapes(_Part):
    """What fits nowhere else, drawn from rectangles, circles, lines, polygons, arcs and texts."""

    part: ClassVar[str] = "drawing"
    size: Point
    shapes: Sequence[Mapping[str, Any]]


@attrs.frozen(kw_only=True)
class Meters(_Part):
    """Numbers with names, some of them with bounds."""

    part: ClassVar[str] = "meters"
    meters: Sequence[Meter]


@attrs.frozen(kw_only=True)
class Messages(_Part):
    """What was said, by whom and to whom."""

    part: ClassVar[str] = "messages"
    messages: Sequence[SceneMessage]


@attrs.frozen(kw_only=True)
class SceneText(_Part):
    """A text: something said, a note, or lines whose spaces count (``code``)."""

    part: ClassVar[str] = "text"
    text: str
    kind: Literal["say", "note", "code"] = "say"


@attrs.frozen(kw_only=True)
class Picture(_Part):
    """A picture by another form of the game, for games that have nothing else.

    ``image`` is the picture itself as an address that holds it (``data:image/png;base64,…``); ``scene_of`` fills it in.
    """

    part: ClassVar[str] = "picture"
    form: str
    image: str = ""


@attrs.frozen(kw_only=True)
class Sides(_Part):
    """Parts beside each other, for what belongs to different players."""

    part: ClassVar[str] = "sides"
    parts: Sequence["ScenePart"]


ScenePart: TypeAlias = (
    Grid | Cards | Pieces | SceneTable | Graph | SceneMap | Shapes | Meters | Messages | SceneText | Picture | Sides
)
"""One part of a scene; parts are stacked from top to bottom."""


class Scene:
    """What a position looks like; ``alternative`` is the whole position in words."""

    def __init__(self, title: str, alternative: str, *parts: ScenePart) -> None:
        self.title = title
        self.alternative = alternative
        self.parts = parts

    def drawn(self) -> tuple[dict[str, Any], str]:
        """The scene as JSON, and the position in words: what ``arena.game.Drawing`` takes."""
        data = {
            "scene": FORMAT,
            "title": self.title,
            "alternative": self.alternative,
            "parts": [plain(part) for part in self.parts],
        }
        return data, self.alternative
