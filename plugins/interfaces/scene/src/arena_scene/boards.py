"""Makes a grid ready to be drawn: what is in each cell, and what stands around those that stand out."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from arena_scene.changes import Place, played_cells
from arena_scene.spans import Span, cut, width_of
from arena_scene.symbols import region_letter, symbol
from arena_scene.views import View

AROUND: Final[Mapping[str, str]] = {"chosen": "><", "last": "[]", "mark": "!!", "line": "**"}
"""What stands around a cell, the most important first."""

_GROUND: Final[Mapping[str, str]] = {
    "water": "~",
    "bad": "x",
    "warning": "!",
    "good": "+",
    "accent": "*",
    "neutral": "#",
    "faint": "·",
    "board-alternate": "·",
}
"""What a cell without a piece and a text looks like, by its role."""


RULED: Final = 4
"""Boards with so few rows have lines between them as well."""


@attrs.frozen(kw_only=True)
class DrawnBoard:
    """A grid with the texts of its cells and labels, and the places of its lines."""

    rows: int
    columns: int
    inside: Mapping[Place, Span]
    around: Mapping[Place, str]
    row_labels: Sequence[Span]
    column_labels: Sequence[Span]
    walls: frozenset[tuple[Place, Place]]
    is_hex: bool
    is_checkered: bool
    is_open_above: bool
    arrows: frozenset[int]
    has_marks_above: bool

    @property
    def is_ruled(self) -> bool:
        """Whether lines run between the rows: where there are few or walls, but not where pieces fall through them."""
        return bool(self.walls) or (self.rows <= RULED and not self.is_open_above)

    @property
    def cell_width(self) -> int:
        """How wide the widest content is."""
        return max([1, *(width_of(span.text) for span in self.inside.values())])

    @property
    def label_width(self) -> int:
        """How wide the names of the rows are."""
        return max([0, *(width_of(span.text) for span in self.row_labels)])


def read_board(part: Mapping[str, Any], before: Mapping[str, Any] | None, view: View) -> DrawnBoard:
    """Make a grid of a sound scene ready, with what differs from an earlier one."""
    rows, columns = part["size"]
    name = part.get("id", "")
    last = played_cells(before, part, view.own)
    falls = part.get("enter") == "top"
    row_labels = [_label(text, f"{name}/row:{r}", view) for r, text in enumerate(part.get("row_labels", ()))]
    heads: Sequence[str] = part.get("column_labels", ())
    marks_above = any(f"{name}/column:{c}" in view.chosen for c in range(columns))
    return DrawnBoard(
        rows=rows,
        columns=columns,
        inside=_inside(part, view),
        around=_around(part, frozenset() if falls else last, view),
        row_labels=row_labels,
        column_labels=[
            _label(heads[c] if heads else "▼", f"{name}/column:{c}", view, is_shown=bool(heads)) for c in range(columns)
        ],
        walls=frozenset((tuple(a), tuple(b)) for a, b in part.get("walls", ())),
        is_hex=part.get("shape") == "hex",
        is_checkered=part.get("checkered", False),
        is_open_above=falls,
        arrows=frozenset(column for _, column in last) if falls else frozenset(),
        has_marks_above=bool(heads) or marks_above,
    )


def _label(text: str, name: str, view: View, *, is_shown: bool = True) -> Span:
    is_chosen = name in view.chosen
    return Span(text if is_shown or is_chosen else "", "chosen" if is_chosen else "faint")


def _inside(part: Mapping[str, Any], view: View) -> dict[Place, Span]:
    """What is in each cell: pieces before texts, these before what the cell is made of."""
    rows, columns = part["size"]
    empty = "·" if part.get("shape") in ("points", "hex") else " "
    found: dict[Place, Span] = {}
    for r in range(rows):
        for c in range(columns):
            found[r, c] = Span("·" if part.get("checkered") and (r + c) % 2 else empty, "faint")
    for index, region in enumerate(part.get("regions", ())):
        for r, c in region["cells"]:
            found[r, c] = Span(region_letter(index), region["role"])
    for cell in part.get("cells", ()):
        r, c = cell["at"]
        ground = _ground(cell.get("role", ""))
        if cell.get("text") or ground:
            found[r, c] = Span(cut(cell.get("text", ""), 5) or ground, cell.get("role", ""))
    for piece in part.get("pieces", ()):
        r, c = piece["at"]
        many = str(piece["count"]) if piece.get("count", 1) != 1 else ""
        found[r, c] = Span(cut(symbol(piece, is_unicode=view.is_unicode), 5) + many, piece["role"])
    return found


def _ground(role: str) -> str:
    return role[-1] if role.startswith("player-") else role[4] if role.startswith("hue-") else _GROUND.get(role, "")


def _around(part: Mapping[str, Any], last: frozenset[Place], view: View) -> dict[Place, str]:
    """The two characters around each cell that stands out."""
    name = part.get("id", "")
    kinds: dict[str, set[Place]] = {"chosen": set(), "last": set(last), "mark": set(), "line": set()}
    for r in range(part["size"][0]):
        for c in range(part["size"][1]):
            if f"{name}:{r},{c}" in view.chosen or f"{name}/row:{r}" in view.chosen:
                kinds["chosen"].add((r, c))
    for piece in part.get("pieces", ()):
        if piece.get("state") == "chosen" or piece.get("id") in view.chosen:
            kinds["chosen"].add(tuple(piece["at"]))
    kinds["mark"] |= {tuple(cell["at"]) for cell in part.get("cells", ()) if cell.get("mark")}
    for stroke in part.get("arrows", ()):
        kinds["last"] |= {tuple(stroke["from"]), tuple(stroke["to"])}
    for stroke in part.get("lines", ()):
        kinds["line"] |= set(_between(tuple(stroke["from"]), tuple(stroke["to"])))
    return {place: around for kind, around in reversed(list(AROUND.items())) for place in kinds[kind]}


def _between(start: Place, end: Place) -> list[Place]:
    """The cells of a straight line from end to end; only the ends of any other."""
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right))
    if not steps or down % steps or right % steps:
        return [start, end]
    return [(start[0] + n * down // steps, start[1] + n * right // steps) for n in range(steps + 1)]
