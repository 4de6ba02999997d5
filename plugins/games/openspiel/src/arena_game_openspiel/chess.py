"""Chess."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Form, GameFacts
from arena.record import JSON, Player

from arena_game_openspiel.boards import grid, status_line
from arena_game_openspiel.engine import SpielGame, load

SEATS: Final = ("Black", "White")
FILES: Final = "abcdefgh"
RANKS: Final = tuple("87654321")
PIECES: Final = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}

RULES = """\
This is chess by its usual rules, on a board of 8 files lettered a to h and 8 ranks numbered 1 to 8. White moves \
first. All moves are standard: castling on either side, capturing en passant, and promotion of a pawn that reaches \
the last rank to a queen, rook, bishop or knight. A move that leaves your own king in check is not legal. There is \
no resigning, no offering of draws and no passing.

Moves are written in standard algebraic notation: K, Q, R, B and N stand for king, queen, rook, bishop and knight, a \
pawn has no letter, x is a capture, = a promotion, + check, # checkmate, O-O and O-O-O castling on the king's and \
the queen's side. On drawn boards capital letters are White's pieces, small letters Black's, P and p pawns.

Checkmate wins. The game is drawn at once, without a claim, by stalemate, when the same position with the same \
player to move and the same rights occurs for the third time, when 50 moves by each side in a row had no capture and \
no pawn move, and when neither side has enough material to give mate. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class Chess(SpielGame):
    """Chess by its usual rules; draws by repetition and by the fifty-move rule need no claim."""

    @property
    def rules(self) -> str:
        """The rules."""
        return RULES

    def player_counts(self) -> Sequence[int]:
        """Two."""
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """Black is player 0 in the engine; White, player 1, moves first."""
        return SEATS

    def facts(self, players: int) -> GameFacts:
        """The engine's own limit is 17,695 moves; random play took at most 684 in 3,000 games."""
        return GameFacts(returns="zero-sum", least_return=-1.0, greatest_return=1.0, wave_limit=2_000)

    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's ``chess``."""
        return load("chess")

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Standard algebraic notation."""
        return engine.action_to_string(player, action)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The position in Forsyth-Edwards notation, as a board, and how often it has occurred."""
        fen = str(engine)
        rows = [
            [cell for mark in rank for cell in ([""] * int(mark) if mark.isdigit() else [mark])]
            for rank in fen.split()[0].split("/")
        ]
        times = engine.num_repetitions(engine)  # type: ignore[attr-defined] -- only chess states have it
        return {"fen": fen, "board": rows, "occurred": times, **self.status(engine, player)}

    @property
    def forms(self) -> Mapping[str, Form]:
        """Pieces by side with the position in Forsyth-Edwards notation, pieces alone, and a drawing."""
        return FORMS


def _text(view: Any) -> str:
    occurred = f"This position has occurred {view['occurred']} times." if view["occurred"] > 1 else ""
    return "\n".join(filter(None, [_pieces(view["board"]), f"FEN: {view['fen']}", occurred, status_line(view)]))


def _list(view: Any) -> str:
    return f"{_pieces(view['board'])}\n{status_line(view)}"


def _illustration(view: Any) -> str:
    return f"{grid(view['board'], RANKS, FILES)}\n{status_line(view)}"


def _pieces(board: Sequence[Sequence[str]]) -> str:
    found: dict[str, list[str]] = {}
    for rank, row in zip(RANKS, board, strict=True):
        for file, piece in zip(FILES, row, strict=True):
            if piece:
                found.setdefault(piece, []).append(file + rank)
    sides = (("White", str.upper), ("Black", str.lower))
    lines = (
        (side, [f"{name} {' '.join(found[case(letter)])}" for letter, name in PIECES.items() if case(letter) in found])
        for side, case in sides
    )
    return "\n".join(f"{side}: {', '.join(pieces)}" for side, pieces in lines)


FORMS: Final[Mapping[str, Form]] = {"text": _text, "list": _list, "illustration": _illustration}
