"""The forms of an observation: text, a list of cells for each player, rows of symbols, and an image."""

from collections.abc import Iterable, Sequence
from typing import Any

from arena.game import Image

EMPTY = "e"
"""The symbol of an empty cell in illustrations."""


def words(view: Any) -> str:
    """The board with numbered rows and columns, the player's own symbol, and whose turn it is."""
    rows: list[list[str]] = view["board"]
    width = len(str(max(len(rows), len(rows[0]))))
    header = _line("Column", "", range(1, len(rows[0]) + 1), width)
    lines = [_line("Row", r, [cell or "." for cell in row], width) for r, row in enumerate(rows, start=1)]
    return "\n".join([header, *lines, "(. is an empty cell)", _status(view)])


def listing(view: Any, *, symbols: Sequence[str]) -> str:
    """The cells of each player: ``row,column; row,column``, or ``None``."""
    lines = []
    for number, symbol in zip(("first", "second"), symbols, strict=True):
        cells = [
            f"{r},{c}"
            for r, row in enumerate(view["board"], start=1)
            for c, cell in enumerate(row, start=1)
            if cell == symbol
        ]
        lines.append(f"Cells of the {number} player: {'; '.join(cells) or 'None'}")
    return "\n".join(lines)


def illustration(view: Any) -> str:
    """One line of symbols for each row, from the top, ``e`` for an empty cell."""
    return "\n".join("".join(cell or EMPTY for cell in row) for row in view["board"])


def limits(view: Any, *, gravity: bool) -> str:
    """The greatest row and column numbers that a move can name."""
    rows, columns = len(view["board"]), len(view["board"][0])
    if gravity:
        return f"The greatest number of a column is {columns}."
    return f"The greatest number of a row is {rows}, that of a column {columns}."


def picture(view: Any, *, size: int, shapes: Sequence[str] = ()) -> Image:
    """A PNG of the board, with its illustration as the text for players that take no images.

    ``shapes`` are the symbols if they are drawn as shapes, since the font does not tell them apart.
    """
    from arena_game_grid.drawing import png  # Pillow is imported only where a picture is wanted

    return Image("image/png", png(view["board"], size, shapes), illustration(view))


def _line(kind: str, number: object, cells: Iterable[object], width: int) -> str:
    return f"{kind:<6} {number:>{width}}: " + " ".join(f"{cell:>{width}}" for cell in cells)


def _status(view: Any) -> str:
    you = f"You are {view['you']}. " if view["you"] else ""
    if view["outcome"]:
        return f"{you}The game is over: {view['outcome']}."
    return f"{you}{'It is your turn' if view['to_move'] == view['you'] else view['to_move'] + ' is to move'}."
