"""Reads a chess move as people, programs and models write it, whatever the notation of the labels is.

``e2e4``, ``e2-e4``, ``E2E4``, ``e4``, ``1. e4!``, ``Ng1-f3``, ``exd5``, ``ed5 e.p.``, ``e8=Q+``, ``e8Q``, ``O-O``,
``0-0``, ``o-o``, and for castling also ``e1h1``, the king to its own rook.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import attrs
from arena.game import Illegal

FIGURES: Final = str.maketrans(
    {
        **dict(zip("\u2654\u2655\u2656\u2657\u2658\u265a\u265b\u265c\u265d\u265e", "KQRBN" * 2, strict=True)),
        **dict.fromkeys("\u2659\u265f", ""),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        "\u00d7": "x",
    }
)
"""Pieces as figures, and signs that look like a dash or an x, as ASCII."""

_AROUND: Final = re.compile(
    r"(?:\d{1,3}\s*\.(?:\s*\.\.|\u2026)?\s*)?(?P<move>.*?)(?:\s*e\.?p\.?)?\s*[+#]{0,2}\s*[!?]{0,2}", re.DOTALL
)
_CASTLING: Final = re.compile(r"[Oo0]-[Oo0](?P<long>-[Oo0])?")
_CAPITALS: Final = re.compile(r"[A-H][1-8](?:\s*[-x]\s*)?[A-H][1-8](?:=?[QRBN])?")
_MOVE: Final = re.compile(
    r"(?P<piece>[KQRBN]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?:\s*[-x:]\s*)?(?P<to>[a-h][1-8])(?:=?\(?(?P<new>[QRBNqrbn])\)?)?"
)


@attrs.frozen
class LegalMove:
    """A legal move: its action, the letter of the piece (``P`` for a pawn), and its squares as in UCI (``e7e8q``)."""

    action: int
    piece: str
    squares: str

    @property
    def castling(self) -> str:
        """``short`` or ``long``, or nothing."""
        file = abs(ord(self.squares[0]) - ord(self.squares[2]))
        return "" if self.piece != "K" or file < 2 else "short" if self.squares[2] == "g" else "long"


def read_move(text: str, legal: Sequence[LegalMove], pieces: Mapping[str, str]) -> "int | Illegal | None":
    """The legal move that ``text`` means, or why it is none; ``None`` if it is no move of chess.

    ``pieces`` are all men by square, in capital letters for White. A move that fits several legal ones is ambiguous.
    """
    around = _AROUND.fullmatch(text.translate(FIGURES).strip())
    assert around is not None  # every part of it may be empty
    move = around["move"]
    if _CAPITALS.fullmatch(move):
        move = move.lower()
    if castling := _CASTLING.fullmatch(move):
        return _one([each for each in legal if each.castling == ("long" if castling["long"] else "short")], move)
    parts = _MOVE.fullmatch(move)
    if parts is None:
        return None
    start = parts["file"] + parts["rank"]
    if len(start) == 2 and _is_own_rook(start, parts["to"], pieces):
        side = "short" if parts["to"][0] > start[0] else "long"
        return next((each.action for each in legal if each.castling == side), None)
    return _one([each for each in legal if _fits(each, parts, len(start) == 2)], move)


def _fits(move: LegalMove, parts: re.Match[str], is_full: bool) -> bool:
    own, new = parts["piece"] or ("" if is_full else "P"), move.squares[4:]
    return (
        own in ("", move.piece)
        and parts["file"] in ("", move.squares[0])
        and parts["rank"] in ("", move.squares[1])
        and parts["to"] == move.squares[2:4]
        and (parts["new"] or new).lower() == new
    )


def _is_own_rook(start: str, end: str, pieces: Mapping[str, str]) -> bool:
    """Whether a king would go to a rook of its own side, as castling is written where it may stand anywhere."""
    return (pieces.get(start), pieces.get(end)) in (("K", "R"), ("k", "r"))


def _one(found: Sequence[LegalMove], said: str) -> int | Illegal:
    if len(found) == 1:
        return found[0].action
    if not found:
        return Illegal("illegal", f"{said} is not legal: none of your pieces can make this move now")
    fitting = ", ".join(move.squares for move in found[:5])
    return Illegal("ambiguous", f"it is not clear which move {said} means: {fitting}")
