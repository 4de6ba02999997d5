"""Draws a board as a PNG with numbered rows and columns.

Each piece shows its symbol; R, Y, B and W are discs of their colour. Numbers stand above and to the left of the grid,
as in the rules. ``layout`` says where the cells are, for code that draws on top of the image or inspects its pixels.
"""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final

import attrs
from PIL import Image, ImageDraw, ImageFont

BACKGROUND: Final = (250, 248, 243)
INK: Final = (40, 40, 40)
FAINT: Final = (150, 145, 135)
DISCS: Final = {
    "R": ((206, 44, 44), (255, 255, 255)),
    "Y": ((246, 205, 48), (40, 40, 40)),
    "B": ((20, 20, 20), (255, 255, 255)),
    "W": ((255, 255, 255), (40, 40, 40)),
}
"""The colours of a disc and of the letter on it."""

INKS: Final = {"X": (178, 34, 34), "O": (24, 84, 168)}
SMOOTHING: Final = 4
"""Pieces are drawn so many times larger and then scaled down, which smooths their edges."""


@attrs.frozen
class Layout:
    """The place of cells in a square image of ``size`` pixels: squares of ``side`` pixels from ``left``, ``top``."""

    size: int
    rows: int
    columns: int
    side: int
    left: int
    top: int

    def centre(self, row: int, column: int) -> tuple[int, int]:
        """The pixel in the middle of a cell; rows and columns are counted from 0."""
        return self.left + column * self.side + self.side // 2, self.top + row * self.side + self.side // 2


@lru_cache(maxsize=256)
def layout(rows: int, columns: int, size: int) -> Layout:
    """Centre the board, with a margin for the numbers above it and to its left."""
    band = max(size // 22, 12)
    side = (size - band - 4) // max(rows, columns)
    left = band + (size - band - 4 - side * columns) // 2
    top = band + (size - band - 4 - side * rows) // 2
    return Layout(size, rows, columns, side, left, top)


def png(rows: Sequence[Sequence[str]], size: int) -> bytes:
    """Draw a board; ``rows`` from the top, ``""`` for an empty cell. Returns the bytes of a square PNG."""
    place = layout(len(rows), len(rows[0]), size)
    image = _grid(place).copy()
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            if symbol:
                piece = _piece(symbol, place.side)
                x, y = place.centre(r, c)
                image.paste(piece, (x - piece.width // 2, y - piece.height // 2), piece)
    file = BytesIO()
    # few colours: a palette makes the file small, and writing it quick
    image.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", compress_level=3)
    return file.getvalue()


@lru_cache(maxsize=64)
def _grid(place: Layout) -> Image.Image:
    image = Image.new("RGB", (place.size, place.size), BACKGROUND)
    draw = ImageDraw.Draw(image)
    right, bottom = place.left + place.side * place.columns, place.top + place.side * place.rows
    for r in range(place.rows + 1):
        y = place.top + r * place.side
        draw.line((place.left, y, right, y), FAINT, 2)
    for c in range(place.columns + 1):
        x = place.left + c * place.side
        draw.line((x, place.top, x, bottom), FAINT, 2)
    band = max(place.size // 22, 12)
    font = ImageFont.load_default(min(band, place.side) * 0.72)
    for r in range(place.rows):
        draw.text((place.left - band / 2, place.centre(r, 0)[1]), str(r + 1), INK, font, anchor="mm")
    for c in range(place.columns):
        draw.text((place.centre(0, c)[0], place.top - band / 2), str(c + 1), INK, font, anchor="mm")
    return image


@lru_cache(maxsize=256)
def _piece(symbol: str, side: int) -> Image.Image:
    """Draw a piece on a transparent background."""
    large = (side - 4) * SMOOTHING
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    ink, height = INKS.get(symbol, INK), 0.85
    if symbol in DISCS:
        fill, ink = DISCS[symbol]
        height = 0.5
        edge = large // 20
        draw.ellipse((edge, edge, large - edge, large - edge), fill, INK, max(edge // 2, SMOOTHING))
    font = ImageFont.load_default(large * height)
    draw.text((large / 2, large / 2), symbol, ink, font, anchor="mm", stroke_width=large // 60, stroke_fill=ink)
    return image.resize((side - 4, side - 4), Image.Resampling.LANCZOS)
