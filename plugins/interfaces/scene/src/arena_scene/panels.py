"""Draws in a terminal what is no board: cards, loose pieces, tables, meters, messages and texts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from arena_scene.changes import changed_elements
from arena_scene.spans import Span, SpanLine, broken, cut, line_width, padded, visible, width_of
from arena_scene.symbols import symbol
from arena_scene.views import Block, View

_GAP: Final = "  "
_SUITS: Final[Mapping[str, str]] = {"spades": "♠", "clubs": "♣", "hearts": "♥", "diamonds": "♦"}


def cards_block(part: Mapping[str, Any], before: Mapping[str, Any] | None, view: View) -> Block:
    """Cards beside each other as ``[K]``, hidden ones as ``[?]``, with what is known of each below it."""
    cards: Sequence[Mapping[str, Any]] = part["cards"]
    if not cards:
        return [[Span("none", "faint")]]
    changed = changed_elements(before, part)
    if part.get("layout") == "pile":
        return [[*_card(cards[-1], changed, view), Span(f"  {len(cards)} in the pile" if len(cards) > 1 else "")]]
    boxes = [_noted(card, changed, view) for card in cards]
    return beside(boxes, view.width, len(_GAP)) or [line for box in boxes for line in box]


def _noted(card: Mapping[str, Any], changed: frozenset[str], view: View) -> Block:
    notes = [line for note in card.get("notes", ()) for line in broken(note, view.width)]
    return [_card(card, changed, view), *([Span(note, "faint")] for note in notes)]


def _card(card: Mapping[str, Any], changed: frozenset[str], view: View) -> list[Span]:
    suit = card.get("suit", "")
    face = card.get("text") or card.get("rank", "") + _SUITS.get(suit, f" {suit}" if suit else "")
    role = card.get("role") or ("suit-red" if suit in ("hearts", "diamonds") else "")
    shown = cut(face or "?", max(1, view.width - 6)) if card["face"] == "up" else "?"
    style = "chosen" if card["id"] in view.chosen else role
    many = f"×{card['count']}" if card.get("count", 1) != 1 else ""
    return [Span(f"[{shown}]", style), Span(many + ("*" if card["id"] in changed else ""))]


def beside(blocks: Sequence[Block], width: int, gap: int, between: Block | None = None) -> Block | None:
    """Blocks next to each other, in as many rows as they need; ``None`` if one alone is too wide.

    ``between`` are lines that part the rows.
    """
    widths = [max(map(line_width, block), default=0) for block in blocks]
    if any(wide > width for wide in widths):
        return None
    found: Block = []
    row: list[int] = []
    for index in range(len(blocks) + 1):
        if index == len(blocks) or sum(widths[i] + gap for i in row) + widths[index] > width:
            height = max((len(blocks[i]) for i in row), default=0)
            found += between or [] if found else []
            found += [_joined([(blocks[i], widths[i]) for i in row], line, gap) for line in range(height)]
            row = []
        row.append(index)
    return found


def _joined(blocks: Sequence[tuple[Block, int]], line: int, gap: int) -> SpanLine:
    spans: list[Span] = []
    for block, width in blocks:
        own: SpanLine = block[line] if line < len(block) else []
        spans += [*padded(own, width), Span(" " * gap)]
    return spans[:-1]


def pieces_block(part: Mapping[str, Any], view: View) -> Block:
    """Loose things beside each other: dice by their number, others by their sign, how many, and their text."""
    boxes: list[Block] = [[_loose(piece, view)] for piece in part["pieces"]]
    return (beside(boxes, view.width, len(_GAP)) or [line for box in boxes for line in box]) or [
        [Span("none", "faint")]
    ]


def _loose(piece: Mapping[str, Any], view: View) -> SpanLine:
    sign = symbol(piece, is_unicode=view.is_unicode)
    text = piece.get("text", "")
    style = "chosen" if piece.get("id") in view.chosen or piece.get("state") == "chosen" else piece["role"]
    shown = f"[{sign}]" if piece["shape"].startswith("die-") else cut(sign, view.width - 6)
    many = f" × {piece['count']}" if "count" in piece else ""
    told = f" {text}" if text and text != sign else ""
    return [Span(shown, style), Span(cut(many + told, max(0, view.width - width_of(shown))))]


def table_block(part: Mapping[str, Any], before: Mapping[str, Any] | None, view: View) -> Block:
    """A table; where it is too wide, its first column is shown again before each further group of columns."""
    changed = changed_elements(before, part)
    columns: Sequence[Mapping[str, Any]] = part["columns"]
    cells = [[_table_cell(cell, row.get("role", ""), changed, view) for cell in row["cells"]] for row in part["rows"]]
    titles = [Span(visible(column["title"]), "faint") for column in columns]
    is_right = [column.get("kind", "text") != "text" for column in columns]
    widths = [max(width_of(line[i].text) for line in [titles, *cells]) for i in range(len(columns))]
    most = max(1, (view.width - len(_GAP)) // 2 if len(columns) > 1 else view.width)
    if sum(widths) + len(_GAP) * (len(columns) - 1) > view.width:
        widths = [min(width, most) for width in widths]
    block: Block = []
    for group in _groups(widths, view.width):
        if block:
            block.append([])
        for line in [titles, *cells] if any(title.text for title in titles) else cells:
            block.append(_table_line([(line[i], widths[i], is_right[i]) for i in group]))
    return block if part["rows"] else [*block, [Span("none", "faint")]]


def _groups(widths: Sequence[int], width: int) -> list[list[int]]:
    """The columns that stand beside each other; the first is in every group."""
    groups: list[list[int]] = [[0]] if widths else []
    for index in range(1, len(widths)):
        taken = sum(widths[i] + len(_GAP) for i in groups[-1])
        if taken + widths[index] > width and len(groups[-1]) > 1:
            groups.append([0])
        groups[-1].append(index)
    return groups


def _table_cell(cell: object, role: str, changed: frozenset[str], view: View) -> Span:
    if not isinstance(cell, Mapping):
        return Span(f"{cell:g}" if isinstance(cell, float) else visible(str(cell)), role)
    own = cast("Mapping[str, str]", cell)
    text = visible(own["text"]) + ("*" if own["id"] in changed else "")
    if own["id"] in view.chosen:
        return Span(f">{text}<", "chosen")
    return Span(f"[{text}]" if own.get("role") == "accent" else text, own.get("role", role))


def _table_line(cells: Sequence[tuple[Span, int, bool]]) -> SpanLine:
    spans: list[Span] = []
    for cell, width, is_right in cells:
        text = cut(cell.text, width)
        free = Span(" " * (width - width_of(text)))
        shown = Span(text, cell.style)
        spans += [free, shown, Span(_GAP)] if is_right else [shown, free, Span(_GAP)]
    return spans[:-1]


def meters_block(part: Mapping[str, Any], view: View) -> Block:
    """Numbers with their names beside each other, with their greatest value and their unit."""
    boxes: list[Block] = []
    for meter in part["meters"]:
        most = f"/{meter['greatest']:g}" if "greatest" in meter else ""
        unit = f" {meter['unit']}" if meter.get("unit") else ""
        value = f"{meter['value']:g}{most}{unit}"
        label = cut(visible(meter["label"]), max(1, view.width - width_of(value) - 1))
        style = "chosen" if meter["id"] in view.chosen else meter.get("role", "") + " strong"
        boxes.append([[Span(f"{label} ", "faint"), Span(cut(value, view.width - 2), style)]])
    return beside(boxes, view.width, 3) or [line for box in boxes for line in box]


def messages_block(part: Mapping[str, Any], view: View) -> Block:
    """What was said, each message from its speaker on."""
    block: Block = []
    for message in part["messages"]:
        when = f"{message['when']} " if message.get("when") else ""
        head = f"{when}{message['from']} → {message['to']}: "
        for index, line in enumerate(broken(head + message["text"], view.width, hanging=2)):
            is_whole = not index and line.startswith(head)
            block.append([Span(head, "strong"), Span(line[len(head) :])] if is_whole else [Span(line)])
    return block or [[Span("nothing was said", "faint")]]


def text_block(part: Mapping[str, Any], view: View) -> Block:
    """A text, broken between words; the lines of ``code`` keep their spaces and are broken where they must be."""
    kind = part.get("kind", "say")
    style = "faint" if kind == "note" else ""
    if kind == "code" and all(width_of(visible(line)) <= view.width for line in part["text"].splitlines()):
        return [[Span(visible(line), style)] for line in part["text"].splitlines()]
    return [[Span(line, style)] for line in broken(part["text"], view.width)]
