"""Symbols on the board: units, supply centres, and the colours of the powers."""

from collections.abc import Iterator

import attrs

from arena_game_diplomacy.pictures.outlines import Point
from arena_game_diplomacy.pictures.shapes import Disc, Label, Polygon, Shape, Stroke, mixed

INK = "#1d2126"
PAPER = "#ffffff"
LAND = "#f6f2e9"
SEA = "#e4ebf0"
FAILED = "#c3122f"
BUILT = "#1f7a1f"
UNIT_RADIUS = 14.0
"""How far arrows stay away from the middle of a unit."""


@attrs.frozen
class Colours:
    """The colour of a power, and that of a letter on it."""

    fill: str
    ink: str


COLOURS = {
    "AUSTRIA": Colours("#d55e00", PAPER),
    "ENGLAND": Colours("#0072b2", PAPER),
    "FRANCE": Colours("#56b4e9", INK),
    "GERMANY": Colours("#4a4a4a", PAPER),
    "ITALY": Colours("#009e73", PAPER),
    "RUSSIA": Colours("#cc79a7", INK),
    "TURKEY": Colours("#f0d92b", INK),
}
"""By power: the colours of Okabe and Ito, which people who see some colours alike can tell apart."""


def tint(power: str, share: float) -> str:
    """The colour of land of a power: so much of its colour, the rest that of land."""
    return mixed(COLOURS[power].fill, LAND, share)


def unit(name: str, power: str, at: Point, *, is_gone: bool = False) -> Iterator[Shape]:
    """A unit (``"A VIE"``): a block for an army, a ship for a fleet, with the first letter of its power.

    A unit that is gone, or not there yet, is pale.
    """
    x, y = at
    colours = COLOURS[power]
    fill, edge = (mixed(colours.fill, LAND, 0.35), "#8d8d8d") if is_gone else (colours.fill, INK)
    ink = edge if is_gone else colours.ink
    if name.startswith("F"):
        mast = ((x - 2, y - 13), (x + 11, y - 3), (x - 2, y - 3))
        hull = ((x - 15, y - 3), (x + 15, y - 3), (x + 10, y + 12), (x - 10, y + 12))
        yield Polygon(mast, fill, edge, 1.5)
        yield Polygon(hull, fill, edge, 1.5)
        yield Label((x, y + 4.5), power[0], 12, ink, is_bold=True)
    else:
        yield Polygon(((x - 11, y - 10), (x + 11, y - 10), (x + 11, y + 10), (x - 11, y + 10)), fill, edge, 1.5)
        yield Label((x, y), power[0], 14, ink, is_bold=True)


def centre(owner: str | None, at: Point) -> Iterator[Shape]:
    """A supply centre: a dot in the colour of its owner with the owner's letter, hollow where nobody owns it."""
    if owner is None:
        yield Disc(at, 5, PAPER, INK, 1.2)
        yield Disc(at, 1.6, INK)
    else:
        yield Disc(at, 6.5, COLOURS[owner].fill, INK, 1.2)
        yield Label(at, owner[0], 9, COLOURS[owner].ink, is_bold=True)


def cross(at: Point, colour: str) -> Iterator[Shape]:
    """A cross over what is taken off the board, or over what did not come about."""
    x, y = at
    for dx, dy in ((10, 10), (10, -10)):
        line = ((x - dx, y - dy), (x + dx, y + dy))
        yield Stroke(line, PAPER, 6)
        yield Stroke(line, colour, 3.2)


def plus(at: Point) -> Iterator[Shape]:
    """A plus beside what was built."""
    x, y = at[0] + 12, at[1] - 11
    yield Disc((x, y), 7, PAPER, BUILT, 1.5)
    yield Stroke(((x - 4, y), (x + 4, y)), BUILT, 2.4)
    yield Stroke(((x, y - 4), (x, y + 4)), BUILT, 2.4)


def ring(at: Point, colour: str) -> Iterator[Shape]:
    """A ring around a unit that holds, or in red around one that is dislodged."""
    yield Disc(at, 18, "", PAPER, 4.5)
    yield Disc(at, 18, "", colour, 2.2)


def beside(at: Point) -> Point:
    """Where a dislodged unit stands: beside the place that it has lost."""
    return at[0] + 20, at[1] + 16
