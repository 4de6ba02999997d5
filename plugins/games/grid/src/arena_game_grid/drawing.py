"""Draws a board as a PNG with numbered rows and columns.

Each piece shows its symbol; R, Y, B and W are discs of their colour. Two symbols that the font lacks or that look too
much alike are shapes instead, a dark disc and a light one. Numbers stand above and to the left of the grid, as in the
rules. ``layout`` says where the cells are, for code that draws on top of the image or
inspects its pixels.
"""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final

import attrs
from PIL import Image, ImageChops, ImageDraw, ImageFont

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
SHAPES: Final = (((36, 36, 44), (255, 255, 255)), ((255, 255, 255), (36, 36, 44)))
"""The colours of the dark and of the light disc, and of the symbol on each."""

APART: Final = 0.12
"""The share of a cell's pixels in which the pieces of two symbols must differ to be shown as they are."""

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


def png(rows: Sequence[Sequence[str]], size: int, shapes: Sequence[str] = ()) -> bytes:
    """Draw a board; ``rows`` from the top, ``""`` for an empty cell. Returns the bytes of a square PNG.

    ``shapes`` are the symbols of a dark and of a light disc if they are drawn as such, and empty otherwise.
    """
    place = layout(len(rows), len(rows[0]), size)
    image = _grid(place).copy()
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            if symbol:
                drawn = piece(symbol, place.side, shapes.index(symbol) if shapes else None)
                x, y = place.centre(r, c)
                image.paste(drawn, (x - drawn.width // 2, y - drawn.height // 2), drawn)
    file = BytesIO()
    # few colours: a palette makes the file small, and writing it quick
    image.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG", compress_level=3)
    return file.getvalue()


@lru_cache(maxsize=1024)
def are_told_apart(first: str, second: str) -> bool:
    """Whether the font has both symbols, and their pieces differ clearly, in small cells and in large ones."""
    if not (has_glyph(first) and has_glyph(second)):
        return False
    return all(difference(piece(first, side), piece(second, side), side) >= APART for side in (20, 40))


@lru_cache(maxsize=4096)
def has_glyph(symbol: str) -> bool:
    """Whether the font draws a symbol, and not the box that stands for all it lacks."""
    drawn = _glyph(symbol)
    return drawn.getbbox() is not None and drawn.tobytes() != _lacking()


@lru_cache(maxsize=1)
def _lacking() -> bytes:
    return _glyph(_LACKING).tobytes()


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _glyph(symbol: str) -> Image.Image:
    image = Image.new("L", (40, 40))
    ImageDraw.Draw(image).text((20, 20), symbol, 255, _font(16), anchor="mm")
    return image


def difference(one: Image.Image, other: Image.Image, side: int) -> float:
    """The share of a cell's pixels, ``side`` by ``side``, in which two pieces on the board differ."""
    cells = [Image.new("RGB", (side, side), BACKGROUND) for _ in range(2)]
    for cell, piece in zip(cells, (one, other), strict=True):
        cell.paste(piece, ((side - piece.width) // 2, (side - piece.height) // 2), piece)
    histogram = ImageChops.difference(*cells).convert("L").histogram()
    return sum(histogram[_SEEN:]) / side**2


_SEEN: Final = 32
"""From which difference of brightness on pixels count as different, of 255."""

_LACKING: Final = "\uffff"
"""A code point that no font has."""


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
    font = _font(min(band, place.side) * 0.72)
    for r in range(place.rows):
        draw.text((place.left - band / 2, place.centre(r, 0)[1]), str(r + 1), INK, font, anchor="mm")
    for c in range(place.columns):
        draw.text((place.centre(0, c)[0], place.top - band / 2), str(c + 1), INK, font, anchor="mm")
    return image


@lru_cache(maxsize=256)
def piece(symbol: str, side: int, shape: int | None = None) -> Image.Image:
    """A piece for a cell of ``side`` pixels, on a transparent background; ``shape`` 0 is a dark disc, 1 a light one."""
    return _letter(symbol, side) if shape is None else _shape(shape, symbol, side)


def _letter(symbol: str, side: int) -> Image.Image:
    large = (side - 4) * SMOOTHING
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    ink, height = INKS.get(symbol, INK), 0.85
    if symbol in DISCS:
        fill, ink = DISCS[symbol]
        height = 0.5
        edge = large // 20
        draw.ellipse((edge, edge, large - edge, large - edge), fill, INK, max(edge // 2, SMOOTHING))
    font = _font(large * height)
    draw.text((large / 2, large / 2), symbol, ink, font, anchor="mm", stroke_width=large // 60, stroke_fill=ink)
    return image.resize((side - 4, side - 4), Image.Resampling.LANCZOS)


def _shape(shape: int, symbol: str, side: int) -> Image.Image:
    """A dark or a light disc, with its symbol on it if the font has that."""
    large = (side - 4) * SMOOTHING
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    fill, ink = SHAPES[shape]
    edge = large // 20
    draw.ellipse((edge, edge, large - edge, large - edge), fill, INK, max(edge, SMOOTHING))
    if has_glyph(symbol):
        font = _font(large * 0.5)
        draw.text((large / 2, large / 2), symbol, ink, font, anchor="mm", stroke_width=large // 60, stroke_fill=ink)
    return image.resize((side - 4, side - 4), Image.Resampling.LANCZOS)
