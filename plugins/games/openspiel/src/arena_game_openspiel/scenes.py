"""What boards look like as scenes, where they are grids of cells or of crossings."""

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Final

import arena_scene
import attrs
from arena.game import Drawing

from arena_game_openspiel.boards import LETTERS

BOARD: Final = "board"
"""The id of a scene's board."""

SHAPES: Final = {"X": "cross", "O": "ring"}
"""What is drawn for the signs of players who are called by them."""

STEPS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""From a cell to the next one of a line: to the right, down, and along both diagonals."""


def tic_tac_toe(view: Any, words: str) -> Drawing:
    """The board with columns a to c and rows 1 to 3 from the top."""
    pieces = _pieces(view, lambda mark: SHAPES[mark], lambda mark, r, c: f"{mark} in row {r + 1}, column {c + 1}")
    board = arena_scene.Grid(
        id=BOARD,
        size=(3, 3),
        row_labels="123",
        column_labels="abc",
        pieces=pieces,
        lines=_winning(view, 3),
        note=over(view),
    )
    return Drawing(*arena_scene.Scene("Tic-tac-toe", words, board).drawn())


def connect_four(view: Any, words: str, align: int) -> Drawing:
    """The board, into which discs fall from above; rows are counted from the bottom."""
    rows, columns = len(view["board"]), len(view["board"][0])
    where = lambda mark, r, c: f"{mark} in column {LETTERS[c]}, row {rows - r}"  # noqa: E731 -- one of two arguments
    board = arena_scene.Grid(
        id=BOARD,
        size=(rows, columns),
        enter="top",
        row_labels=[str(row) for row in range(rows, 0, -1)],
        column_labels=LETTERS[:columns],
        pieces=_pieces(view, lambda _: "disc", where),
        lines=_winning(view, align),
        note=over(view),
    )
    return Drawing(*arena_scene.Scene("Connect four", words, board).drawn())


def hex_board(view: Any, words: str) -> Drawing:
    """The board, whose rows lie further and further to the right, and which sides each player joins."""
    rows, columns = len(view["board"]), len(view["board"][0])
    where = lambda mark, r, c: f"{mark} on {ascii_lowercase[c]}{r + 1}"  # noqa: E731 -- one of two arguments
    board = arena_scene.Grid(
        id=BOARD,
        size=(rows, columns),
        shape="hex",
        row_labels=[str(row + 1) for row in range(rows)],
        column_labels=ascii_lowercase[:columns],
        pieces=_pieces(view, lambda _: "stone", where),
        edges={"top": "player-0", "bottom": "player-0", "left": "player-1", "right": "player-1"},
        note=over(view) or "X joins top and bottom, O joins left and right",
    )
    return Drawing(*arena_scene.Scene("Hex", words, board).drawn())


def go_board(view: Any, words: str, files: str) -> Drawing:
    """The crossings with their stones; columns without the letter I, rows from the bottom."""
    size = len(view["board"])
    colours = {"X": "black", "O": "white"}
    tones = {"X": "dark", "O": "light"}
    board = arena_scene.Grid(
        id=BOARD,
        size=(size, size),
        shape="points",
        row_labels=[str(size - r) for r in range(size)],
        column_labels=files[:size],
        pieces=[
            attrs.evolve(stone, tone=tones[stone.text])
            for stone in _pieces(
                view, lambda _: "stone", lambda mark, r, c: f"{colours[mark]} stone on {files[c]}{size - r}"
            )
        ],
        note=over(view) or f"komi {view['komi']:g}",
    )
    taken = [
        arena_scene.Piece(role=f"player-{1 - number}", shape="stone", tone=tone, count=many, label=f"taken by {seat}")
        for number, ((seat, many), tone) in enumerate(zip(view["captured"].items(), ("light", "dark"), strict=True))
        if many
    ]
    parts = [board, arena_scene.Pieces(id="taken", title="captured", pieces=taken)] if taken else [board]
    return Drawing(*arena_scene.Scene("Go", words, *parts).drawn())


def checkers_board(view: Any, words: str, ranks: str, files: str) -> Drawing:
    """The board with its men, and kings by a letter; the piece that must go on is marked."""
    colours = {"w": "white man", "W": "white king", "b": "black man", "B": "black king"}
    pieces = [
        arena_scene.Piece(
            at=(r, c),
            role=f"player-{'wb'.index(mark.lower())}",
            shape="king" if mark.isupper() else "disc",
            tone="light" if mark in "wW" else "dark",
            text=mark,
            label=f"{colours[mark]} on {files[c]}{ranks[r]}",
        )
        for r, row in enumerate(view["board"])
        for c, mark in enumerate(row)
        if mark
    ]
    board = arena_scene.Grid(
        id=BOARD,
        size=(len(ranks), len(files)),
        checkered=True,
        row_labels=ranks,
        column_labels=files,
        pieces=pieces,
        note=over(view) or (f"goes on with the piece on {view['goes_on']}" if view["goes_on"] else ""),
    )
    return Drawing(*arena_scene.Scene("Checkers", words, board).drawn())


def othello_board(view: Any, words: str, ranks: str, files: str) -> Drawing:
    """The board with its discs, and how many each player has."""
    colours = {"X": "black", "O": "white"}
    discs = _pieces(view, lambda _: "disc", lambda mark, r, c: f"{colours[mark]} disc on {files[c]}{ranks[r]}")
    board = arena_scene.Grid(
        id=BOARD,
        size=(len(ranks), len(files)),
        row_labels=ranks,
        column_labels=files,
        pieces=[attrs.evolve(disc, tone={"X": "dark", "O": "light"}[disc.text]) for disc in discs],
        note=over(view) or ", ".join(f"{seat} {number}" for seat, number in view["discs"].items()),
    )
    return Drawing(*arena_scene.Scene("Othello", words, board).drawn())


def breakthrough_board(view: Any, words: str, ranks: Sequence[str], files: str) -> Drawing:
    """The board with the men of both players."""
    colours = {"B": "black", "W": "white"}
    men = _pieces(view, lambda _: "pawn", lambda mark, r, c: f"{colours[mark]} man on {files[c]}{ranks[r]}", "BW")
    board = arena_scene.Grid(
        id=BOARD,
        size=(len(ranks), len(files)),
        checkered=True,
        row_labels=ranks,
        column_labels=files,
        pieces=[attrs.evolve(man, tone={"B": "dark", "W": "light"}[man.text]) for man in men],
        note=over(view),
    )
    return Drawing(*arena_scene.Scene("Breakthrough", words, board).drawn())


def pentago_board(view: Any, words: str, ranks: str, files: str) -> Drawing:
    """The board with its stones, two of its quarters darker than the others."""
    dark = [(r, c) for r in range(6) for c in range(6) if (r < 3) != (c < 3)]
    board = arena_scene.Grid(
        id=BOARD,
        size=(len(ranks), len(files)),
        row_labels=ranks,
        column_labels=files,
        cells=[arena_scene.Cell(at=at, role="board-alternate") for at in dark],
        # Not discs, whose first player is told from the second one by a ring: here a ring is O, who is the second.
        pieces=_pieces(view, lambda mark: SHAPES[mark], lambda mark, r, c: f"{mark} on {files[c]}{ranks[r]}"),
        lines=_winning(view, 5),
        note=over(view),
    )
    return Drawing(*arena_scene.Scene("Pentago", words, board).drawn())


def oware_board(view: Any, words: str) -> Drawing:
    """The houses with their letters and seeds, North's above from right to left, and what is captured."""
    names = list(view["houses"])
    half, seats = len(names) // 2, list(view["captured"])
    cells = [
        arena_scene.Cell(
            at=(1 - place // half, 2 * half - 1 - place if place >= half else place),
            text=f"{name} {view['houses'][name]}",
            role="board-alternate",
            label=f"house {name} of {seats[place // half]}: {view['houses'][name]} seeds",
        )
        for place, name in enumerate(names)
    ]
    board = arena_scene.Grid(id=BOARD, size=(2, half), row_labels=("N", "S"), cells=cells, note=over(view))
    captured = [
        arena_scene.Meter(id=f"captured-{number}", label=seat, value=many, unit="seeds", role=f"player-{number}")
        for number, (seat, many) in enumerate(view["captured"].items())
    ]
    meters = arena_scene.Meters(id="captured", title="captured", meters=captured)
    return Drawing(*arena_scene.Scene("Oware", words, board, meters).drawn())


def amounts_table(name: str, caption: str, most: Mapping[str, int]) -> "arena_scene.SceneTable":
    """A row for each thing with the numbers from 0 to the most of it, which are touched one row after another."""
    wide = max(most.values())

    def cells(thing: str, many: int) -> "list[str | float | arena_scene.TableCell]":
        told = [
            arena_scene.TableCell(id=amount_id(name, thing, own), text=str(own), label=f"{own}: {thing}")
            for own in range(many + 1)
        ]
        return [thing, *told, *[""] * (wide - many)]

    rows = [arena_scene.TableRow(cells=cells(thing, many)) for thing, many in most.items()]
    columns = [arena_scene.TableColumn(title="") for _ in range(wide + 2)]
    return arena_scene.SceneTable(id=name, caption=caption, columns=columns, rows=rows)


def amount_id(name: str, thing: str, many: int) -> str:
    """The id of a number in a table of amounts."""
    return f"{name}-{thing}-{many}"


def over(view: Any) -> str:
    """How the match has ended; empty while it goes on."""
    return f"The game is over: {view['outcome']}." if view["outcome"] else ""


def _pieces(view: Any, shape: Any, label: Any, marks: str = "XO") -> "list[arena_scene.Piece]":
    """A piece for each of the marks of player 0 and player 1, where a terminal has no other sign by its letter."""
    return [
        arena_scene.Piece(
            at=(r, c), role=f"player-{marks.index(mark)}", shape=shape(mark), text=mark, label=label(mark, r, c)
        )
        for r, row in enumerate(view["board"])
        for c, mark in enumerate(row)
        if mark
    ]


def _winning(view: Any, align: int) -> "list[arena_scene.Stroke]":
    """The lines that have won; none in the middle of a match."""
    if not view["outcome"]:
        return []
    board: Sequence[Sequence[str]] = view["board"]
    found: list[arena_scene.Stroke] = []
    for down, right in STEPS:
        for r, row in enumerate(board):
            for c, mark in enumerate(row):
                cells = [(r + n * down, c + n * right) for n in range(align)]
                if mark and all(_at(board, *cell) == mark for cell in cells):
                    name = f"line-{len(found)}"
                    found.append(arena_scene.Stroke(id=name, from_=cells[0], to=cells[-1], role="accent"))
    return found


def _at(board: Sequence[Sequence[str]], r: int, c: int) -> str:
    return board[r][c] if 0 <= r < len(board) and 0 <= c < len(board[r]) else ""


def called(seat: str, view: Any) -> str:
    """The name of a seat above what it holds; it says whose the view is."""
    return f"{seat} (you)" if seat == view["you"] else seat
