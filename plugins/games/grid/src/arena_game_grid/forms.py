"""The forms of an observation: text, a list of cells for each player, rows of symbols, and an image."""

from collections.abc import Iterable, Sequence
from string import ascii_lowercase
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


def short(view: Any, *, symbols: Sequence[str], gravity: bool) -> str:
    """The cells of each player by letter and number, or if discs fall the discs of each column from the bottom up."""
    rows: list[list[str]] = view["board"]
    if gravity:
        columns = ("".join(column) for column in zip(*reversed(rows), strict=True))
        return ", ".join(f"{_letters(c)} {discs or '-'}" for c, discs in enumerate(columns, start=1))
    named = {
        symbol: [
            f"{_letters(c)}{r}"
            for r, row in enumerate(rows, start=1)
            for c, cell in enumerate(row, start=1)
            if cell == symbol
        ]
        for symbol in symbols
    }
    return ". ".join(f"{symbol}: {' '.join(cells) or '-'}" for symbol, cells in named.items())


def short_actions(view: Any, *, gravity: bool) -> str:
    """The free cells in reading order, or the columns that are not full if discs fall, by their short names."""
    rows: list[list[str]] = view["board"]
    if gravity:
        return " ".join(_letters(c) for c, top in enumerate(rows[0], start=1) if not top) or "none"
    free = (
        f"{_letters(c)}{r}" for r, row in enumerate(rows, start=1) for c, cell in enumerate(row, start=1) if not cell
    )
    return " ".join(free) or "none"


def notation(view: Any, *, gravity: bool) -> str:
    """How short names are read."""
    columns = len(view["board"][0])
    lettered = f"Columns are lettered a to {_letters(columns)} from left to right."
    if gravity:
        return f"{lettered} A move is the letter of a column. The board is told by columns, each from the bottom up."
    last = _letters(columns)
    return (
        f"{lettered} A cell is the letter of its column and the number of its row: {last}1 is row 1, column {columns}."
    )


def picture(view: Any, *, size: int, shapes: Sequence[str] = ()) -> Image:
    """A PNG of the board, with its illustration as the text for players that take no images.

    ``shapes`` are the symbols if they are drawn as shapes, since the font does not tell them apart.
    """
    from arena_game_grid.drawing import png  # Pillow is imported only where a picture is wanted

    return Image("image/png", png(view["board"], size, shapes), illustration(view))


def _letters(column: int) -> str:
    """The name of a column, counted from 1: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    before, letter = divmod(column - 1, len(ascii_lowercase))
    return (ascii_lowercase[before - 1] if before else "") + ascii_lowercase[letter]


def _line(kind: str, number: object, cells: Iterable[object], width: int) -> str:
    return f"{kind:<6} {number:>{width}}: " + " ".join(f"{cell:>{width}}" for cell in cells)


def _status(view: Any) -> str:
    you = f"You are {view['you']}. " if view["you"] else ""
    if view["outcome"]:
        return f"{you}The game is over: {view['outcome']}."
    return f"{you}{'It is your turn' if view['to_move'] == view['you'] else view['to_move'] + ' is to move'}."
