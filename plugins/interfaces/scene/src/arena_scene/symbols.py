"""The characters by which a terminal shows pieces: by shape, and by player where two would look alike."""

from collections.abc import Mapping
from typing import Any, Final

_PAIRS: Final[Mapping[str, str]] = {
    "square": "■□#%",
    "triangle": "▲△^v",
    "diamond": "◆◇*o",
    "hexagon": "⬢⬡Hh",
    "star": "★☆*+",
    "block": "■□#%",
}
"""Shapes with a full and an empty form, for players of even and odd number; the last two are for ASCII."""

_COUNTERS: Final = frozenset({"disc", "stone", "ball", "chip", "coin", "item", "person", "robot", "army", "fleet"})
"""Shapes that a terminal shows as counters in the colour of their player."""

_OF_PLAYERS: Final = ("●X", "○O", "◆#", "◇%", "▲^", "△v", "■@", "□&", "★*", "☆+")
"""A counter for each player by number, in Unicode and in ASCII."""

_OF_OTHERS: Final[Mapping[str, str]] = {
    "disc": "●o",
    "stone": "●o",
    "ball": "●o",
    "chip": "●o",
    "coin": "●o",
    "item": "•*",
    "person": "☺@",
    "robot": "&&",
    "army": "AA",
    "fleet": "FF",
}
"""What these shapes look like where they belong to no player."""

_ALONE: Final[Mapping[str, str]] = {"cross": "X", "ring": "O", "centre": "+", "key": "k", "door": "D"}

_MEN: Final[Mapping[str, str]] = {
    "pawn": "P",
    "knight": "N",
    "bishop": "B",
    "rook": "R",
    "queen": "Q",
    "king": "K",
}
"""The letters of chess men: capitals for player 0, small letters for others, unless the game gives its own."""


def symbol(piece: Mapping[str, Any], *, is_unicode: bool) -> str:
    """The character or short text of a piece; what belongs to different players differs without colour."""
    shape, role, text = piece["shape"], piece["role"], piece.get("text", "")
    number = int(role[-1]) if role.startswith("player-") else None
    if shape.startswith("die-"):
        return shape[-1]
    if shape == "text" or (text and shape in _MEN):
        return text or "?"
    if shape in _MEN:
        return _MEN[shape] if number in (None, 0) else _MEN[shape].lower()
    if shape in _ALONE:
        return _ALONE[shape]
    if text and not is_unicode:
        return text
    if shape in _COUNTERS:
        return (_OF_OTHERS[shape] if number is None else _OF_PLAYERS[number])[not is_unicode]
    return _PAIRS[shape][(number or 0) % 2 + 2 * (not is_unicode)]


def is_man(piece: Mapping[str, Any]) -> bool:
    """Whether a piece is a chess man, whose letter says what it is and whose case says whose it is."""
    return piece["shape"] in _MEN


def region_letter(index: int) -> str:
    """The letter of a region, by its place in the grid's list."""
    return "abcdefghijklmnopqrstuvwxyz"[index % 26]
