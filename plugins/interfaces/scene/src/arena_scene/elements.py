"""The elements of a scene's parts: pieces, cards, cells of tables, and what stands on maps and in graphs.

Every class stands for one JSON object of the format: what need not be said and is empty is left out, and the underscore
after a Python keyword falls away.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

import attrs

Point: TypeAlias = tuple[float, float]
"""A place: row and column in a grid, counted from 0 at the top left; else x and y, with y downwards."""

PieceState: TypeAlias = Literal["plain", "chosen", "faint", "promised"]


@attrs.frozen(kw_only=True)
class Piece:
    """A thing that stands somewhere or lies in a row; ``text`` is its short form where its shape cannot be drawn.

    ``tone`` is for what is called white or black, whoever has it: men of chess, stones.
    """

    label: str
    role: str
    shape: str
    at: Point | None = None
    text: str = ""
    count: int | None = None
    state: PieceState | None = None
    tone: Literal["light", "dark"] | None = None
    id: str = ""


@attrs.frozen(kw_only=True)
class Cell:
    """A cell of a grid that is special; ``mark`` is one word that says how (``"check"``)."""

    at: Point
    role: str = ""
    label: str = ""
    mark: str = ""
    text: str = ""


@attrs.frozen(kw_only=True)
class Stroke:
    """A line or an arrow from the middle of one cell to that of another."""

    id: str
    from_: Point
    to: Point
    role: str


@attrs.frozen(kw_only=True)
class Region:
    """Cells of a grid that belong together."""

    id: str
    cells: Sequence[Point]
    role: str
    label: str


@attrs.frozen(kw_only=True)
class SceneCard:
    """A card; one that lies face down shows nothing of itself. ``notes`` are what is known of it."""

    id: str
    label: str
    face: Literal["up", "down"] = "up"
    rank: str = ""
    suit: str = ""
    text: str = ""
    role: str = ""
    count: int | None = None
    notes: Sequence[str] = ()


@attrs.frozen(kw_only=True)
class TableColumn:
    """A column of a table: its title, and whether it holds texts, numbers or amounts of things."""

    title: str
    id: str = ""
    kind: Literal["text", "number", "amount"] = "text"


@attrs.frozen(kw_only=True)
class TableCell:
    """A cell of a table that can be told apart and touched; ``strong`` is the beginning of its text that stands out."""

    id: str
    text: str
    role: str = ""
    label: str = ""
    strong: str = ""


@attrs.frozen(kw_only=True)
class TableRow:
    """A row of a table; its cells are texts, numbers or ``TableCell``."""

    cells: Sequence[str | float | TableCell]
    id: str = ""
    role: str = ""


@attrs.frozen(kw_only=True)
class GraphNode:
    """A node of a graph; ``at`` only where the layout is given."""

    id: str
    label: str
    role: str
    shape: str
    at: Point | None = None


@attrs.frozen(kw_only=True)
class GraphEdge:
    """An edge between two nodes, which are named by their ids."""

    id: str
    from_: str
    to: str
    label: str = ""
    role: str = ""
    directed: bool = False


@attrs.frozen(kw_only=True)
class MapArea:
    """An area of a map: one or several rings of points."""

    id: str
    shape: Sequence[Any]
    label: str
    label_at: Point
    role: str
    kind: Literal["land", "water", "coast"]


@attrs.frozen(kw_only=True)
class MapPlace:
    """A place in an area of a map, on which pieces stand."""

    id: str
    area: str
    at: Point


@attrs.frozen(kw_only=True)
class MapPiece:
    """A piece on a map; ``at`` is the id of a place."""

    label: str
    role: str
    shape: str
    at: str
    text: str = ""
    id: str = ""


@attrs.frozen(kw_only=True)
class MapOrder:
    """An order on a map, from place to place; ``of`` is whom it helps, ``failed`` whether it came to nothing."""

    id: str
    kind: Literal["move", "support", "convoy", "hold", "retreat", "build"]
    from_: str
    role: str
    to: str = ""
    of: str = ""
    failed: bool = False


@attrs.frozen(kw_only=True)
class Meter:
    """A number with its name; ``least`` and ``greatest`` are its bounds, ``unit`` what it counts."""

    id: str
    label: str
    value: float
    least: float | None = None
    greatest: float | None = None
    unit: str = ""
    role: str = ""


@attrs.frozen(kw_only=True)
class SceneMessage:
    """A message: who said it to whom; ``role`` is the sender's, ``is_own`` is true for what one has said oneself."""

    id: str
    from_: str
    to: str
    text: str
    when: str = ""
    role: str = ""
    is_own: bool = False


def plain(value: object) -> Any:
    """The JSON of an element, a part, or whatever they hold; fields without a value are left out."""
    if isinstance(value, Mapping):
        return {str(name): plain(own) for name, own in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(own) for own in cast("Sequence[object]", value)]
    return _written(value) if attrs.has(type(value)) else value


def _written(element: Any) -> dict[str, Any]:
    named = ((field, getattr(element, field.name)) for field in _fields(element))
    wanted = [(f.name, own) for f, own in named if f.default is attrs.NOTHING or not _is_empty(own)]
    kind: str = getattr(element, "part", "")
    return {**({"part": kind} if kind else {}), **{name.removesuffix("_"): plain(own) for name, own in wanted}}


def _fields(element: Any) -> "Sequence[attrs.Attribute[Any]]":
    kind = cast("type[attrs.AttrsInstance]", type(element))
    return attrs.fields(kind)


def _is_empty(value: object) -> bool:
    return value is None or value is False or (isinstance(value, str | list | tuple | dict) and not value)
