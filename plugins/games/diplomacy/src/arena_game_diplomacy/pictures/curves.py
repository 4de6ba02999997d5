"""Curves of arrows: bent, led through points, cut off at both ends, and their heads."""

from collections.abc import Sequence
from math import atan2, cos, dist, hypot, pi, sin

from arena_game_diplomacy.pictures.outlines import Point

Curve = tuple[Point, ...]


def bent(start: Point, end: Point, bend: float = 0.1) -> Curve:
    """A curve that passes the straight line to the left by half of ``bend`` times its length.

    Two arrows in opposite directions therefore do not lie on each other.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    control = ((start[0] + end[0]) / 2 + dy * bend, (start[1] + end[1]) / 2 - dx * bend)
    return tuple(_on_parabola(start, control, end, step / 16) for step in range(17))


def _on_parabola(a: Point, b: Point, c: Point, t: float) -> Point:
    p, q, r = (1 - t) ** 2, 2 * t * (1 - t), t**2
    return p * a[0] + q * b[0] + r * c[0], p * a[1] + q * b[1] + r * c[1]


def through(points: Sequence[Point]) -> Curve:
    """A smooth curve through all points, by the splines of Catmull and Rom."""
    padded = [points[0], *points, points[-1]]
    found = [
        _on_spline(a, b, c, d, step / 8)
        for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
        for step in range(8)
    ]
    return (*found, points[-1])


def _on_spline(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    def axis(p: float, q: float, r: float, s: float) -> float:
        return q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))

    return axis(a[0], b[0], c[0], d[0]), axis(a[1], b[1], c[1], d[1])


def trimmed(curve: Curve, from_start: float, from_end: float) -> Curve:
    """The curve without what is nearer to its ends than these distances, or its middle if nothing is left."""
    kept = tuple(p for p in curve if dist(p, curve[0]) >= from_start and dist(p, curve[-1]) >= from_end)
    middle = len(curve) // 2
    return kept if len(kept) > 1 else curve[middle - 1 : middle + 1]


def head(curve: Curve, size: float) -> Curve:
    """The triangle at the end of an arrow, whose point is the end of the curve."""
    (x, y), end = curve[-2], curve[-1]
    for x, y in reversed(curve):
        if dist((x, y), end) >= size:
            break
    turn = atan2(end[1] - y, end[0] - x)
    sides = ((turn + side) for side in (pi - 0.42, pi + 0.42))
    return (end, *((end[0] + size * cos(side), end[1] + size * sin(side)) for side in sides))


def ripple(middle: Point, radius: float) -> Curve:
    """A closed wavy line around a point."""
    turns = [2 * pi * step / 60 for step in range(61)]
    return tuple(
        (middle[0] + (radius + 2 * sin(12 * turn)) * cos(turn), middle[1] + (radius + 2 * sin(12 * turn)) * sin(turn))
        for turn in turns
    )


def shortened(start: Point, end: Point, by: float) -> Curve:
    """The straight line between two points, which ends so far before the second."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    share = max(0.0, 1 - by / length) if length else 0.0
    return start, (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
