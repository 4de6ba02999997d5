"""Chess by OpenSpiel, with moves in algebraic or long notation."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import arena_scene
import attrs
import pyspiel
from arena.chance import Chance
from arena.game import Decision, Entities, Form, GameFacts, Illegal
from arena.record import JSON, Player

from arena_game_openspiel.board_games.chess_notation import LegalMove, read_move
from arena_game_openspiel.board_games.chess_scene import chess_board, turned
from arena_game_openspiel.board_games.chess_start import fitting, men_of
from arena_game_openspiel.boards import grid, squares as board_squares, status_line
from arena_game_openspiel.engine.game import SpielGame
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY
from arena_game_openspiel.scenes import BOARD

SEATS: Final = ("White", "Black")
BLACK, WHITE = 0, 1
"""The numbers of the sides in OpenSpiel."""

FILES: Final = "abcdefgh"
RANKS: Final = tuple("87654321")
PIECES: Final = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}

REPEATED: Final = 3
"""A position that occurs so often is a draw."""

QUIET_HALF_MOVES: Final = 100
"""So many moves of both sides together without a capture or a pawn move are a draw."""

RULES = """\
This is chess by its usual rules, on a board of 8 files lettered a to h and 8 ranks numbered 1 to 8. White's pieces \
begin on ranks 1 and 2, Black's on ranks 8 and 7: on the outer rank, from file a to file h, rook, knight, bishop, \
queen, king, bishop, knight, rook, and eight pawns before them. {start} The players take turns and must move; there \
is no passing, no resigning and no offering of draws.

A piece moves to an empty square, or captures an enemy piece on the square where it ends; it never ends on a piece of \
its own side. A rook goes any number of squares along its rank or file, a bishop along a diagonal, a queen along any \
of these; none of them passes over another piece. A king goes one square in any direction. A knight goes two squares \
along a rank or file and one across, and other pieces do not stop it. A pawn goes one square forward along its file, \
towards rank 8 for White and rank 1 for Black, if that square is empty; from its first place also two, if both are \
empty. It captures only one square diagonally forward.

- En passant: if a pawn has just gone two squares and stands beside an enemy pawn, that pawn may, in the very next \
move only, capture it by going diagonally forward to the square that was passed over.
- Promotion: a pawn that reaches the farthest rank becomes a queen, rook, bishop or knight at once, as its player \
chooses.
- Castling: a king that has not moved goes two squares towards a rook of its side that has not moved, and the rook \
goes to the square that the king passed over. All squares between the two must be empty, the king may not be in check, \
and neither the square that it passes over nor the one where it ends may be attacked.

A king whose square an enemy piece attacks is in check. A move that leaves your own king in check is not legal.

{notation}{fen} On drawn boards capital letters are White's pieces and small letters Black's: K king, Q queen, R rook, \
B bishop, N knight, P pawn.

Checkmate wins: the player to move is in check and has no legal move. The game is drawn at once, without a claim, by \
stalemate (no legal move, and no check), when the same position with the same player to move and the same rights to \
castle and to capture en passant occurs for the third time, when 50 moves by each side in a row had no capture and no \
pawn move, and when neither side has enough material to give mate. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""

SHORT_RULES: Final = """\
Chess by its usual rules. {notation} Positions are in FEN. A position that occurs for the third time and 50 moves each \
without capture or pawn move are draws at once. A win earns 1, a loss -1, a draw 0."""

SHORT_NOTATIONS: Final = {
    "uci": "Moves are written like g1f3, e7e8q (promotion), e1g1 (castling).",
    "san": "Moves are in standard algebraic notation.",
}

FEN: Final = """ \
Where a position is given in Forsyth-Edwards notation, it names an en passant square only if a pawn stands ready to \
capture there."""

NOTATIONS: Final = {
    "uci": """\
A move is written as the square it leaves and the square it goes to, as in g1f3. A promotion adds the letter of the \
new piece, as in e7e8q (q, r, b or n); castling is the move of the king, as in e1g1.""",
    "san": """\
Moves are written in standard algebraic notation: K, Q, R, B and N stand for king, queen, rook, bishop and knight, a \
pawn has no letter, x is a capture, = a promotion, + check, # checkmate, O-O and O-O-O castling on the king's and the \
queen's side.""",
}


@attrs.frozen
class Chess(SpielGame):
    """Chess by its usual rules; draws by repetition and by the fifty-move rule need no claim."""

    notation: Literal["uci", "san"] = attrs.field(
        default="uci",
        validator=attrs.validators.in_(NOTATIONS),
        metadata={"help": "how moves are written: by their squares (g1f3), or in standard algebraic notation (Nf3)"},
    )
    fen: str = attrs.field(
        default="",
        validator=[attrs.validators.instance_of(str), fitting],
        metadata={"help": "the position in which a match begins, in Forsyth-Edwards notation; empty: the usual one"},
    )

    @property
    def rules(self) -> str:
        side = SEATS[self.fen.split()[1] == "b"] if self.fen else "White"
        start = f"The first position is {self.fen} in Forsyth-Edwards notation. " if self.fen else ""
        return RULES.format(notation=NOTATIONS[self.notation], fen=FEN, start=f"{start}{side} moves first.")

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """White, who moves first, is player 0; OpenSpiel numbers Black first."""
        return SEATS

    @property
    def order(self) -> tuple[int, int]:
        return WHITE, BLACK

    def facts(self, players: int) -> GameFacts:
        """OpenSpiel's own limit is 17,695 moves; random play took at most 684 in 3,000 games."""
        random = None if self.fen else RANDOM_PLAY.get("chess")
        return GameFacts(returns="zero-sum", min_return=-1.0, max_return=1.0, random=random, max_steps=2_000)

    def engine(self, players: int) -> pyspiel.Game:
        return load("chess")

    def begin(self, players: int, chance: Chance) -> pyspiel.State:
        game = self.engine(players)
        return game.new_initial_state(self.fen) if self.fen else game.new_initial_state()

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The move in the chosen notation."""
        if self.notation == "san":
            return engine.action_to_string(self._side(player), action)
        return self._squares(engine, player, action)

    def _squares(self, engine: pyspiel.State, player: Player, action: int) -> str:
        text = squares()[self._side(player)][action]
        if (text[1:2] == "7" and text[3:] == "8") or (text[1:2] == "2" and text[3:] == "1"):
            # the number of such a move does not tell whether a pawn makes it, and becomes a queen
            return pyspiel.chess.action_to_move(action, engine.board()).to_lan()  # type: ignore[attr-defined]
        return text

    def read(self, engine: pyspiel.State, player: Player, text: str) -> int | Illegal | None:
        """A move in either notation, with or without the signs that people and programs add."""
        men = men_of(str(engine).split()[0])
        legal = [
            LegalMove(action, men[move[:2]].upper(), move)
            for action in engine.legal_actions()
            for move in (self._squares(engine, player, action),)
        ]
        return read_move(text, legal, men)

    def called(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return squares()[self._side(player)][action]

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "none of your pieces can make this move now"

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The position in Forsyth-Edwards notation and as a board, and how often it has occurred."""
        fen = str(engine)
        rows = [
            [cell for mark in rank for cell in ([""] * int(mark) if mark.isdigit() else [mark])]
            for rank in fen.split()[0].split("/")
        ]
        times = engine.num_repetitions(engine)  # type: ignore[attr-defined] -- only chess states have it
        return {"fen": fen, "board": rows, "occurred": times, **self.status(engine, player)}

    def describe_end(self, observation: Any) -> str:
        if observation["outcome"] != "draw":
            return "checkmate"
        if observation["occurred"] >= REPEATED:
            return "the same position for the third time"
        if not _can_mate(observation["board"]):
            return "too little material to give mate"
        quiet = int(observation["fen"].split()[4])
        return "50 moves without capture or pawn move" if quiet >= QUIET_HALF_MOVES else "stalemate"

    def names(self, observation: Any) -> Sequence[Entities]:
        """Squares by file and rank."""
        return (board_squares(observation["board"], RANKS, FILES, "square"),)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Pieces by side with the position in Forsyth-Edwards notation, pieces alone, drawings, that notation."""
        told = SHORT_RULES.format(notation=SHORT_NOTATIONS[self.notation])
        return {
            **FORMS,
            "short-rules": lambda view: told,
            "scene": lambda view: chess_board(view, _text(view), Player(0)),
        }

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The square that a man leaves and the one that it goes to, on the board as the player sees it."""
        side = self._side(player)
        text = squares()[side][action]
        places = ((8 - int(rank), FILES.index(file)) for file, rank in (text[:2], text[2:4]))
        return [f"{BOARD}:{r},{c}" for r, c in (turned(*place, is_turned=side == BLACK) for place in places)]

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """The moves by the squares that are touched, called in standard algebraic notation."""
        touches = super().touches(decision)
        if touches is None:
            return None
        seen: Any = decision.observation
        engine = self.engine(2).new_initial_state(seen["fen"])
        side = self._side(decision.player)

        def called(choice: arena_scene.Choice) -> arena_scene.Choice:
            return attrs.evolve(choice, label=engine.action_to_string(side, choice.action), name=choice.label)

        say = "Touch one of your pieces, then where it goes."
        return attrs.evolve(touches, choices=tuple(map(called, touches.choices)), say=say)

    def _side(self, player: Player) -> int:
        """The number of a player's side in OpenSpiel."""
        return self.order[player]


@functools.cache
def squares() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The squares of each move by OpenSpiel's side and action, with the piece of a promotion other than to a queen.

    OpenSpiel numbers a move by the square it leaves and one of 73 ways to go on from there, both from its player's view
    of the board; castling has the two highest numbers.
    """
    promotions = [(step, 1, piece) for piece in "rbn" for step in (0, 1, -1)]
    reach = [n for n in range(-7, 8) if n]
    slides = [(0, n) for n in reach] + [(n, 0) for n in reach] + [(n, n) for n in reach] + [(n, -n) for n in reach]
    jumps = [(x, y) for x in (-2, -1, 2, 1) for y in ((-1, 1) if abs(x) == 2 else (-2, 2))]
    ways = [*promotions, *((x, y, "") for x, y in slides + jumps)]

    def text(file: int, rank: int, way: tuple[int, int, str], is_black: bool) -> str:
        to_file, to_rank = file + way[0], rank + way[1]
        if not (0 <= to_file < 8 and 0 <= to_rank < 8):
            return ""
        if is_black:
            rank, to_rank = 7 - rank, 7 - to_rank
        return f"{FILES[file]}{rank + 1}{FILES[to_file]}{to_rank + 1}{way[2]}"

    black, white = (
        tuple(text(square // 8, square % 8, way, is_black) for square in range(64) for way in ways)
        for is_black in (True, False)
    )
    return (*black, "e8c8", "e8g8"), (*white, "e1c1", "e1g1")


def _can_mate(board: Sequence[Sequence[str]]) -> bool:
    """Whether the men on a board can give mate: more than one knight, or than bishops on squares of one colour."""
    men = {(r, f): man for r, row in enumerate(board) for f, man in enumerate(row) if man and man not in "Kk"}
    if len(men) <= 1:
        return any(man not in "BbNn" for man in men.values())
    return any(man not in "Bb" for man in men.values()) or len({(r + f) % 2 for r, f in men}) > 1


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


def _fen(view: Any) -> str:
    return view["fen"]


def _short(view: Any) -> str:
    again = f" (occurred {view['occurred']} times)" if view["occurred"] > 1 else ""
    return f"{view['fen']}{again}"


FORMS: Final[Mapping[str, Form]] = {
    "text": _text,
    "list": _list,
    "illustration": _illustration,
    "fen": _fen,
    "short": _short,
    "short-with-history": _short,
}
