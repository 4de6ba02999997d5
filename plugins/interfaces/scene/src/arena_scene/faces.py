"""The scene of a game that says what is to be seen as plain data: values with names, lists, grids, hands and counters.

A game without a drawing and without words of its own still has a face that a person can read. It is made of the data
alone, so that pages, terminals and reports show the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, cast

from arena_scene.elements import Meter, Piece, SceneCard, TableColumn, TableRow
from arena_scene.parts import Cards, Grid, Meters, Scene, ScenePart, SceneTable, SceneText
from arena_scene.plain_words import data_in, for_people, label, said

WIDEST: Final = 4
"""The most characters in a cell of a grid; what is longer stands in a table."""

_EMPTY: Final = frozenset(("", " ", ".", "-", "_", None))
"""What stands in the cells of a grid where there is nothing."""

_HANDS: Final = frozenset(("hand", "hands", "card", "cards", "deck", "tiles", "dice", "pile", "trick", "discards"))
"""Words in the names of lists whose values lie there as cards do."""

_MOST_CARDS: Final = 40
_MOST_CELLS: Final = 2_500
_DEEPEST: Final = 3


def face_of(title: str, words: str) -> Scene | None:
    """The scene of a position whose words are JSON data; ``None`` if they are words."""
    data = data_in(words)
    if data is None:
        return None
    parts = tuple(_Parts().of(data, "", 0))
    return Scene(title, position_words(words), *parts) if parts else None


def position_words(text: str) -> str:
    """A position's text as people read it: of data, a line for each value and for each row of a grid."""
    data = data_in(text)
    return for_people(text) if data is None else "\n".join(_lines(data))


def _lines(value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield from _row_lines(value) or [said(value)]
        return
    for name, own in cast("Mapping[str, Any]", value).items():
        if rows := _row_lines(own):
            yield f"{label(name)}:"
            yield from rows
        else:
            yield f"{label(name)}: {said(own, name)}"


def _row_lines(value: Any) -> list[str]:
    return [" ".join(_cell(own) or "." for own in row) for row in _rows(value)]


class _Parts:
    """Makes the parts of one scene, each with an id of its own."""

    def __init__(self) -> None:
        self._made = 0

    def _id(self) -> str:
        self._made += 1
        return f"value-{self._made}"

    def of(self, value: Any, title: str, depth: int) -> Iterator[ScenePart]:
        """The parts that show a value; ``title`` is its name in words."""
        if isinstance(value, Mapping):
            yield from self._named(cast("Mapping[str, Any]", value), title, depth)
        elif rows := _rows(value):
            yield self._grid(rows, title)
        elif _is_hand(title, value):
            yield self._cards(value, title)
        elif columns := _columns(value):
            rows = [TableRow(cells=[_shown(row, name) for name in columns]) for row in value]
            yield SceneTable(title=title, columns=_heads(columns, value), rows=rows)
        else:
            yield SceneText(title=title, text=said(value))

    def _named(self, table: Mapping[str, Any], title: str, depth: int) -> Iterator[ScenePart]:
        """Values with names: numbers as counters, short values in a table, and each larger one as a part."""
        if columns := _columns([*table.values()]) if len(table) > 1 else []:
            heads = [TableColumn(title=""), *_heads(columns, [*table.values()])]
            rows = [
                TableRow(cells=[label(key), *(_shown(row, name) for name in columns)]) for key, row in table.items()
            ]
            yield SceneTable(title=title, columns=heads, rows=rows)
            return
        for kind, items in groupby(table.items(), key=lambda item: _kind(*item, depth)):
            yield from self._group(kind, dict(items), title, depth)
            title = ""

    def _group(self, kind: str, items: Mapping[str, Any], title: str, depth: int) -> Iterator[ScenePart]:
        if kind == "number":
            meters = [Meter(id=self._id(), label=label(name) or "value", value=own) for name, own in items.items()]
            yield Meters(title=title, meters=meters)
        elif kind == "short":
            rows = [TableRow(cells=[label(name), said(own, name)]) for name, own in items.items()]
            yield SceneTable(title=title, columns=[TableColumn(title=""), TableColumn(title="")], rows=rows)
        else:
            for name, own in items.items():
                inner = f"{title}, {label(name)}" if title else label(name)
                yield from self.of(own, inner, depth + 1)

    def _grid(self, rows: Sequence[Sequence[Any]], title: str) -> ScenePart:
        """A board with what stands in its cells, or a table where that is too long for one."""
        if any(len(_cell(own)) > WIDEST for row in rows for own in row):
            columns = [TableColumn(title=str(at + 1)) for at in range(len(rows[0]))]
            table = [TableRow(cells=[said(own) for own in row]) for row in rows]
            return SceneTable(title=title, columns=columns, rows=table)
        roles = _roles(rows)
        pieces = [
            Piece(
                at=(r, c),
                shape="text",
                role=roles.get(text, "neutral"),
                text=text,
                label=f"{text} in row {r + 1}, column {c + 1}",
            )
            for r, row in enumerate(rows)
            for c, own in enumerate(row)
            if (text := _cell(own))
        ]
        marks = [[str(at + 1) for at in range(length)] for length in (len(rows), len(rows[0]))]
        return Grid(
            id=self._id(),
            title=title,
            size=(len(rows), len(rows[0])),
            row_labels=marks[0],
            column_labels=marks[1],
            pieces=pieces,
        )

    def _cards(self, values: Sequence[Any], title: str) -> ScenePart:
        cards = [SceneCard(id=self._id(), text=said(own), label=said(own)) for own in values]
        return Cards(title=title, cards=cards)


def _kind(name: str, value: Any, depth: int) -> str:
    """How a named value is shown: as a counter, as a short text, or as a part of its own."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number" if said(value, name) == f"{value:g}" else "short"
    if depth >= _DEEPEST:
        return "short"
    is_large = isinstance(value, Mapping) or bool(_rows(value)) or _is_hand(name, value) or bool(_columns(value))
    return "large" if is_large and value else "short"


def _rows(value: Any) -> list[Sequence[Any]]:
    """The rows of a grid: at least two lists of plain values, equally long, or texts that look like such rows."""
    rows = cast("list[Any]", value) if isinstance(value, list | tuple) else []
    if len(rows) < 2:
        return []
    if all(isinstance(row, str) for row in rows):
        drawn = all(len(row) == len(rows[0]) > 1 for row in rows) and any(set(row) & set(". -_#") for row in rows)
        is_board = drawn and not any(character.islower() and character.isalpha() for character in "".join(rows))
        return [list(row) for row in rows] if is_board and len(rows) * len(rows[0]) <= _MOST_CELLS else []
    if not all(isinstance(row, list | tuple) for row in rows) or {*map(len, rows)} != {len(rows[0]) or 1}:
        return []
    is_plain = all(not isinstance(own, list | tuple | Mapping) for row in rows for own in row)
    return rows if is_plain and len(rows) * len(rows[0]) <= _MOST_CELLS else []


def _columns(value: Any) -> list[str]:
    """The names of the columns of a table: a list of objects that hold plain values, the same or nearly so in all."""
    if not isinstance(value, list | tuple) or not value:
        return []
    rows = [cast("Mapping[str, Any]", row) for row in cast("list[Any]", value) if isinstance(row, Mapping) and row]
    if len(rows) < len(cast("list[Any]", value)):
        return []
    names = list(dict.fromkeys(name for row in rows for name in row))
    is_even = len(names) <= 2 * min(len(row) for row in rows)
    is_flat = not any(isinstance(own, Mapping) for row in rows for own in row.values())
    return names if is_even and is_flat and len(names) * len(rows) <= _MOST_CELLS else []


def _heads(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[TableColumn]:
    numbers = {n for n in names if all(_kind(n, row[n], 0) == "number" for row in rows if n in row)}
    return [TableColumn(title=label(name), kind="number" if name in numbers else "text") for name in names]


def _is_hand(name: str, value: Any) -> bool:
    """Whether a list is what somebody holds: its name says so, and its values are short."""
    if not isinstance(value, list | tuple) or not 0 < len(cast("list[Any]", value)) <= _MOST_CARDS:
        return False
    values = cast("list[Any]", value)
    is_short = all(not isinstance(own, Mapping | list | tuple) and len(said(own)) <= 20 for own in values)
    return is_short and bool(_HANDS & set(label(name).casefold().split()))


def _roles(rows: Sequence[Sequence[Any]]) -> dict[str, str]:
    """A colour for each kind of thing on a board of a few kinds: those of the players, in the order of their names."""
    kinds = sorted({_cell(own) for row in rows for own in row} - {"", "0"})
    return {kind: f"player-{at}" for at, kind in enumerate(kinds)} if len(kinds) <= 2 else {}


def _cell(value: Any) -> str:
    return "" if isinstance(value, str | None) and value in _EMPTY else said(value)


def _shown(row: Mapping[str, Any], name: str) -> str:
    return said(row[name], name) if name in row else ""
