"""Writes a picture as PNG, for readers that take no SVG."""

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from math import ceil, dist

from PIL import Image, ImageDraw, ImageFont

from arena_game_diplomacy.pictures.outlines import Point
from arena_game_diplomacy.pictures.shapes import Disc, Drawing, Label, Polygon, Stroke

SMOOTHING = 2
"""Everything is drawn so many times larger and then scaled down, which smooths edges."""


def png(drawing: Drawing) -> bytes:
    """The picture as PNG, with a palette of at most 256 colours; equal pictures give equal bytes."""
    image = Image.new("RGB", (drawing.width * SMOOTHING, drawing.height * SMOOTHING), "white")
    draw = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        match shape:
            case Polygon():
                _polygon(draw, shape)
            case Stroke():
                _stroke(draw, shape)
            case Disc():
                _disc(draw, shape.middle, shape.radius, shape.fill, shape.stroke, shape.width)
            case Label():
                _label(image, shape)
    small = image.reduce(SMOOTHING)
    file = BytesIO()
    palette = small.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette.save(file, "PNG", compress_level=3)
    return file.getvalue()


def _scaled(points: tuple[Point, ...]) -> list[Point]:
    return [(x * SMOOTHING, y * SMOOTHING) for x, y in points]


def _polygon(draw: ImageDraw.ImageDraw, shape: Polygon) -> None:
    points = _scaled(shape.points)
    draw.polygon(points, fill=shape.fill)
    if shape.stroke:
        draw.line([*points, *points[:2]], shape.stroke, max(1, round(shape.width * SMOOTHING)), joint="curve")


def _stroke(draw: ImageDraw.ImageDraw, shape: Stroke) -> None:
    width = max(1, round(shape.width * SMOOTHING))
    if shape.dash is None:
        draw.line(_scaled(shape.points), shape.colour, width, joint="curve")
        _ends(draw, shape.points, shape)
        return
    for stretch in _dashes(shape.points, *shape.dash):
        if len(stretch) > 1:
            draw.line(_scaled(stretch), shape.colour, width, joint="curve")
        _ends(draw, stretch, shape)


def _ends(draw: ImageDraw.ImageDraw, points: tuple[Point, ...], shape: Stroke) -> None:
    for point in {points[0], points[-1]}:
        _disc(draw, point, shape.width / 2, shape.colour)


def _dashes(points: tuple[Point, ...], on: float, off: float) -> Iterator[tuple[Point, ...]]:
    """The stretches of a line, each with the corners inside it; one of length 0 is a single point."""
    stretch: list[Point] = [points[0]]
    is_on, left = True, on
    for a, b in pairwise(points):
        length, along = dist(a, b), 0.0
        while length - along > left:
            along += left
            at = (a[0] + (b[0] - a[0]) * along / length, a[1] + (b[1] - a[1]) * along / length)
            if is_on:
                yield (*stretch, at) if on else (at,)
            stretch = [at]
            is_on, left = not is_on, off if is_on else on
        left -= length - along
        if is_on:
            stretch.append(b)
    if is_on and len(stretch) > 1 and on:
        yield tuple(stretch)


def _disc(
    draw: ImageDraw.ImageDraw, middle: Point, radius: float, fill: str, stroke: str = "", width: float = 0
) -> None:
    x, y, r = middle[0] * SMOOTHING, middle[1] * SMOOTHING, (radius + (width / 2 if stroke else 0)) * SMOOTHING
    edge = ceil(width * SMOOTHING) if stroke else 0
    draw.ellipse((x - r, y - r, x + r, y + r), fill or None, stroke or None, edge)


def _label(image: Image.Image, label: Label) -> None:
    mask = _letters(label.text, label.size, label.is_bold)
    x, y = label.at[0] * SMOOTHING, label.at[1] * SMOOTHING - mask.height / 2
    x -= mask.width / 2 if label.anchor == "middle" else 0
    image.paste(label.colour, (round(x), round(y)), mask)


@lru_cache(maxsize=512)
def _letters(text: str, size: float, is_bold: bool) -> Image.Image:
    """A text as a mask, which is slow to make and needed again on every board; its middle is that of its capitals."""
    font = ImageFont.load_default(size * SMOOTHING)
    bold = round(0.3 * SMOOTHING) if is_bold else 0
    left, _, right, _ = font.getbbox(text, stroke_width=bold)
    mask = Image.new("L", (max(1, ceil(right - left)), ceil(size * SMOOTHING * 1.6)))
    ImageDraw.Draw(mask).text((-left, mask.height / 2), text, 255, font, "lm", stroke_width=bold)
    return mask
