"""Draws a grid in a terminal: boards with lines between their cells, or in one character a cell where they are big.

Cells stand out by what is around them: ``[x]`` was played last, ``>x<`` is chosen, ``*x*`` lies on a line, ``!x!`` has
a mark. Where pieces come in from above, an arrow below the column says where the last one fell.
"""

from collections.abc import Mapping
from typing import Any, Final

from arena_scene.boards import AROUND, DrawnBoard, read_board
from arena_scene.changes import Place
from arena_scene.spans import Span, SpanLine, cut, line_width, width_of
from arena_scene.symbols import is_man, region_letter, symbol
from arena_scene.views import Block, View

TALL: Final = 12
"""Boards with more rows are drawn without lines between their cells, so that they fit on a screen."""

_CORNERS: Final = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""Corners by the lines that meet there: up 1, down 2, left 4, right 8."""


def grid_block(part: Mapping[str, Any], before: Mapping[str, Any] | None, view: View) -> Block | None:
    """A grid as lines, with lines between the cells where they fit; ``None`` if it is too wide even without them."""
    board = read_board(part, before, view)
    is_plain = board.is_hex or part.get("shape") == "points" or (board.rows > TALL and not board.walls)
    ways = ([] if is_plain else [_boxed(board)]) + ([] if board.walls else [_compact(board)])
    drawn = next((block for block in ways if _widest(block) <= view.width), None)
    return None if drawn is None else drawn + _legend(part, view)


def _widest(block: Block) -> int:
    return max(map(line_width, block), default=0)


def _boxed(board: DrawnBoard) -> Block:
    inner = board.cell_width + 2
    left = 0 if board.is_open_above else board.label_width + bool(board.label_width)
    block: Block = [_heads(board, left + 1, inner + 1, inner)] if board.has_marks_above else []
    if not board.is_open_above:
        block.append([Span(" " * left), Span(_border(board, 0, inner), "faint")])
    for r in range(board.rows):
        if r and board.is_ruled:
            block.append([Span(" " * left), Span(_border(board, r, inner), "faint")])
        block.append(_boxed_row(board, r, inner, left))
    block.append([Span(" " * left), Span(_border(board, board.rows, inner), "faint")])
    if board.arrows:
        spaces = [Span("▲".center(inner) if c in board.arrows else " " * inner) for c in range(board.columns)]
        block.append([Span(" " * (left + 1)), *(x for span in spaces for x in (span, Span(" ")))])
    return block


def _boxed_row(board: DrawnBoard, r: int, inner: int, left: int) -> SpanLine:
    label = board.row_labels[r] if board.row_labels else Span("")
    spans = [Span(" " * (board.label_width - width_of(label.text))), label, Span(" ")] if left else []
    for c in range(board.columns):
        spans += [Span("│" if _is_wall(board, (r, c - 1), (r, c)) else " ", "faint"), *_cell(board, (r, c), inner)]
    spans.append(Span("│", "faint"))
    return spans if left or not board.row_labels else [*spans, Span(" "), label]


def _cell(board: DrawnBoard, place: Place, inner: int) -> list[Span]:
    span, around = board.inside[place], board.around.get(place, "  ")
    free = inner - 2 - width_of(span.text)
    style = "chosen" if around == AROUND["chosen"] else "strong"
    return [Span(" " * (free // 2) + around[0], style), span, Span(around[1] + " " * (free - free // 2), style)]


def _is_wall(board: DrawnBoard, one: Place, other: Place) -> bool:
    """Whether a line runs between two cells: everywhere, or, where a grid has walls, only there and at its edges."""
    inside = all(0 <= r < board.rows and 0 <= c < board.columns for r, c in (one, other))
    is_outside = not any(0 <= r < board.rows and 0 <= c < board.columns for r, c in (one, other))
    if is_outside:
        return False
    return not inside or not board.walls or bool({(one, other), (other, one)} & board.walls)


def _border(board: DrawnBoard, r: int, inner: int) -> str:
    """The line above row ``r``, or below the last one."""

    def across(row: int, c: int) -> bool:
        is_edge = row in (0, board.rows)
        return (is_edge or board.is_ruled) and _is_wall(board, (row - 1, c), (row, c)) and 0 <= c < board.columns

    def upright(row: int, c: int) -> bool:
        return 0 <= row < board.rows and _is_wall(board, (row, c - 1), (row, c))

    text = ""
    for c in range(board.columns + 1):
        meeting = upright(r - 1, c) + 2 * upright(r, c) + 4 * across(r, c - 1) + 8 * across(r, c)
        text += _CORNERS[meeting]
        if c < board.columns:
            text += ("─" if across(r, c) else " ") * inner
    return text


def _compact(board: DrawnBoard) -> Block:
    wide = board.cell_width
    left = board.label_width + bool(board.label_width)
    block: Block = [_heads(board, left + 1, wide + 1, wide)] if board.has_marks_above else []
    for r in range(board.rows):
        label = board.row_labels[r] if board.row_labels else Span("")
        indent = r if board.is_hex else 0
        spans = [Span(" " * (indent + board.label_width - width_of(label.text))), label]
        spans += [Span(" ")] if left else []
        edges = [" "] * (board.columns + 1)
        for kind in reversed(list(AROUND.values())):
            for c in range(board.columns):
                if board.around.get((r, c)) == kind:
                    edges[c], edges[c + 1] = kind
        for c in range(board.columns):
            span = board.inside[r, c]
            shown = span if span.text.strip() or board.is_checkered else Span("·", "faint")
            spans += [Span(edges[c], "strong"), shown, Span(" " * (wide - width_of(shown.text)))]
        block.append([*spans, Span(edges[-1], "strong")])
    if board.arrows:
        block.append(
            [
                Span(
                    " " * (left + 1)
                    + "".join(("▲" if c in board.arrows else " ").ljust(wide + 1) for c in range(board.columns))
                )
            ]
        )
    return block


def _heads(board: DrawnBoard, left: int, pitch: int, inner: int) -> SpanLine:
    """The names of the columns, above their cells; a name that is wider than its cell is left out."""
    spans = [Span(" " * left)]
    for label in board.column_labels:
        text = (
            label.text
            if width_of(label.text) <= inner
            else cut(label.text, inner)
            if inner > 2
            else label.text[-inner:]
        )
        around = "><" if label.style == "chosen" and inner - width_of(text) >= 2 else "  "
        free = inner - width_of(text)
        before = free // 2
        shown = text if free < 2 else f"{' ' * (before - 1)}{around[0]}{text}{around[1]}{' ' * (free - before - 1)}"
        spans += [Span(shown.ljust(inner) if free < 2 else shown, label.style), Span(" " * (pitch - inner))]
    return spans


def _legend(part: Mapping[str, Any], view: View) -> Block:
    """Who has which pieces, where the names of the players are given, and what regions are."""
    seen: dict[str, Mapping[str, Any]] = {}
    for piece in part.get("pieces", ()):
        if piece["role"] not in seen or piece["shape"] == "king":
            seen[piece["role"]] = piece
    shapes = {piece["shape"] for piece in part.get("pieces", ()) if not is_man(piece)}
    spans: list[Span] = []
    for number, name in enumerate(view.players if len(shapes) < 2 else ()):
        usual = {"role": f"player-{number}", "shape": next(iter(shapes), "text")}
        sign = symbol(seen.get(f"player-{number}", usual), is_unicode=view.is_unicode)
        if seen and sign not in ("?", name):
            spans += [Span("   " if spans else ""), Span(sign, f"player-{number}"), Span(f" {name}")]
    block: Block = [spans] if spans else []
    for index, region in enumerate(part.get("regions", ())):
        block.append([Span(region_letter(index), region["role"]), Span(f"  {cut(region['label'], view.width - 3)}")])
    return block
