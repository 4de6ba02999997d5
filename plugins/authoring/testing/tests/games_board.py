"""A board game, the simplest shape there is: two players in turn, nothing hidden, and pictures of the board."""

import struct
import zlib
from collections.abc import Mapping, Sequence

import attrs
from arena.chance import Chance
from arena.game import Decision, Form, Game, GameFacts, Image, Options, State
from arena.record import EVERYONE, JSON, GameEvent, Player

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
CELLS = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")


@attrs.frozen
class TicTacToe(Game):
    """Three in a row on a board of three by three."""

    rules = (
        "Two players, X and O, take turns to mark an empty cell of a board of three by three; X begins. Who first has "
        "three marks in a row, column or diagonal wins; a full board without such a line is a draw."
    )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        return ("X", "O")

    def facts(self, players: int) -> GameFacts:
        return GameFacts(
            returns="zero-sum",
            min_return=-1,
            max_return=1,
            optimal_returns=(0, 0),
            optimal_source="solved by exhaustive search",
            max_steps=9,
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": draw, "list": list_marks, "image": paint}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Board(), ()


@attrs.define(eq=False)
class Board(State):
    """Nine cells, each ``"X"``, ``"O"`` or empty."""

    cells: list[str] = attrs.field(factory=lambda: [""] * 9)

    @property
    def _turn(self) -> int:
        return sum(1 for mark in self.cells if mark)

    @property
    def _winner(self) -> str:
        return next((self.cells[a] for a, b, c in LINES if self.cells[a] == self.cells[b] == self.cells[c] != ""), "")

    def to_act(self) -> Sequence[Player]:
        return () if self._winner or self._turn == 9 else (Player(self._turn % 2),)

    def decision(self, player: Player) -> Decision:
        empty = [cell for cell, mark in enumerate(self.cells) if not mark]
        return Decision(player=player, options=Options(empty, CELLS.__getitem__))

    def observe(self, player: Player | None) -> JSON:
        return {"cells": list(self.cells)}

    def apply(self, actions: Mapping) -> Sequence[GameEvent]:
        ((player, cell),) = actions.items()
        mark = "XO"[player]
        self.cells[cell] = mark
        return (GameEvent("marked", {"mark": mark, "cell": cell}, EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        if self.to_act():
            return None
        return {"X": (1.0, -1.0), "O": (-1.0, 1.0), "": (0.0, 0.0)}[self._winner]

    def clone(self) -> State:
        return type(self)(list(self.cells))


def draw(observation: dict) -> str:
    """The board as three lines of characters."""
    cells = [mark or "." for mark in observation["cells"]]
    return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))


def list_marks(observation: dict) -> str:
    """The board as a list of who is where."""
    marks = [f"{mark} at {CELLS[cell]}" for cell, mark in enumerate(observation["cells"]) if mark]
    return ", ".join(marks) or "the board is empty"


def paint(observation: dict) -> Image:
    """The board as a grey picture: black crosses, grey noughts, white where nothing is."""
    shade = {"X": 0, "O": 128, "": 255}
    cells = [shade[mark] for mark in observation["cells"]]
    pixels = [[cells[row // 8 * 3 + column // 8] for column in range(24)] for row in range(24)]
    return Image("image/png", png(pixels), list_marks(observation))


def png(pixels: Sequence[Sequence[int]]) -> bytes:
    """Rows of grey values from 0 to 255 as a PNG file."""
    size = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + bytes(row) for row in pixels)
    parts = ((b"IHDR", size), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
