"""Make ``outlines.json``, the drawing of the board, from the lines in ``outlines.txt`` beside this file.

    python plugins/games/diplomacy/scripts/make_outlines.py

The lines are ours, drawn by hand in degrees: a few points for each stretch of coast or border. This script projects
them (Lambert's azimuthal equal-area projection), makes the middle of the board larger than its edge and crowded places
larger than their surroundings, rounds the lines off, and joins those of each place into a ring. A line that two places
share is one line, so that they touch exactly. The same lines give the same bytes.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import ceil, cos, dist, exp, hypot, inf, radians, sin, sqrt
from pathlib import Path
from random import Random

Point = tuple[float, float]
Line = list[Point]

LINES = Path(__file__).with_name("outlines.txt")
OUTLINES = Path(__file__).parents[1] / "src" / "arena_game_diplomacy" / "outlines.json"
WIDTH, HEIGHT = 1200, 1170
CENTRE = (12.0, 50.0)
SCALE, LEFT, TOP = 2150, 533, 685
CROWDED = (
    ((-3.0, 54.4), 0.50, 150),
    ((13.5, 41.8), 0.36, 130),
    ((10.8, 55.8), 0.55, 75),
    ((5.0, 51.0), 0.20, 70),
    ((21.5, 40.6), 0.35, 80),
    ((28.8, 40.5), 0.35, 70),
)
"""Where it is crowded: a point in degrees, how much larger things are there, and how far that reaches in pixels."""

BEYOND = "-"
SEAS = "ADR AEG BAL BAR BLA BOT EAS ENG HEL ION IRI LYO MAO NAO NTH NWG SKA TYS WES"
STEP = 8.0
"""Pixels between two points of a rounded line, before points that change little are left out."""


def main() -> None:
    """Write the file."""
    OUTLINES.write_text(outlines(LINES.read_text("utf-8")), "utf-8")


def outlines(text: str) -> str:
    """The text of the JSON file; ``ValueError`` where the lines of a place do not join into one ring."""
    lines: dict[str, list[Line]] = defaultdict(list)
    rings: dict[str, list[Line]] = {"island": [], "lake": []}
    wanted: dict[str, dict[str, Point]] = defaultdict(dict)
    for head, points in _read(text):
        sides = head.split()
        if sides[0] == "place":
            wanted[sides[1]][sides[2]] = _canvas(points[0])
        elif sides[0] in rings:
            closed = _rounded([_canvas(point) for point in (*points, points[0])], Random(" ".join(points)), 1.0)
            rings[sides[0]].append(closed[:-1])
        else:
            line = _rounded([_canvas(point) for point in points], Random(head), _roughness(sides))
            for side in sides:
                lines[side].append(line)
    places = {name: _ring(name, lines[name]) for name in sorted(lines) if name != BEYOND}
    provinces = {name: ring for name, ring in places.items() if name.isupper()}
    return _json(
        provinces, wanted, [places[name] for name in places if not name.isupper()] + rings["island"], rings["lake"]
    )


def _read(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        head, _, points = line.partition("#")[0].partition(":")
        if points:
            yield head.strip(), points.split()


def _canvas(point: str) -> Point:
    if "/" in point:
        x, _, y = point.partition("/")
        return float(x), float(y)
    longitude, _, latitude = point.partition(",")
    x, y = _projected(float(longitude), float(latitude))
    for place, more, reach in CROWDED:
        px, py = _projected(*place)
        larger = more * exp(-((x - px) ** 2 + (y - py) ** 2) / reach**2)
        x, y = x + (x - px) * larger, y + (y - py) * larger
    return x, y


def _projected(longitude: float, latitude: float) -> Point:
    """Project a point to the canvas, and shrink distances from the middle the more, the longer they are."""
    turn, north, middle = radians(longitude - CENTRE[0]), radians(latitude), radians(CENTRE[1])
    k = sqrt(2 / (1 + sin(middle) * sin(north) + cos(middle) * cos(north) * cos(turn)))
    x, y = k * cos(north) * sin(turn), k * (cos(middle) * sin(north) - sin(middle) * cos(north) * cos(turn))
    scale = SCALE / (1 + hypot(x, y))
    return LEFT + x * scale, TOP - y * scale


def _roughness(sides: Sequence[str]) -> float:
    """How far points stray from a line, in pixels: coasts most, lines between seas not at all."""
    seas = sum(side in SEAS.split() for side in sides)
    return 0.0 if BEYOND in sides or seas == 2 else 1.5 if seas else 0.7


def _rounded(line: Line, random: Random, roughness: float) -> Line:
    """A curve through all points (Catmull and Rom), a little unsteady, its ends where they were."""
    if len(line) == 2 and roughness == 0:
        return [_tenths(point) for point in line]
    before, after = line[0], line[-1]
    padded = [before, *line, after] if line[0] != line[-1] else [line[-2], *line, line[1]]
    curve: Line = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        steps = max(1, ceil(dist(b, c) / STEP))
        curve += [_between(a, b, c, d, step / steps) for step in range(steps)]
    curve = [
        (x + random.uniform(-roughness, roughness), y + random.uniform(-roughness, roughness)) if n else (x, y)
        for n, (x, y) in enumerate(curve)
    ]
    return [_tenths(point) for point in _thinned([*curve, line[-1]])]


def _between(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    """The point at ``t`` (0 to 1) of the curve from ``b`` to ``c``, whose neighbours are ``a`` and ``d``."""

    def axis(n: int) -> float:
        p, q, r, s = a[n], b[n], c[n], d[n]
        return q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))

    return axis(0), axis(1)


def _thinned(line: Line, tolerance: float = 0.7) -> Line:
    """The line without points that lie within ``tolerance`` pixels of it (Douglas and Peucker)."""
    if len(line) < 3:
        return line
    away, n = max((_distance(point, line[0], line[-1]), n) for n, point in enumerate(line[1:-1], 1))
    if away <= tolerance:
        return [line[0], line[-1]]
    return _thinned(line[: n + 1], tolerance)[:-1] + _thinned(line[n:], tolerance)


def _distance(point: Point, a: Point, b: Point) -> float:
    """How far a point is from the stretch between two others."""
    length = dist(a, b) ** 2
    along = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length if length else 0
    along = min(max(along, 0), 1)
    return dist(point, (a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1])))


def _tenths(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


def _ring(name: str, lines: Sequence[Line]) -> Line:
    left = list(lines[1:])
    ring = list(lines[0])
    while ring[0] != ring[-1]:
        found = [line for line in left if ring[-1] in (line[0], line[-1])]
        if len(found) != 1:
            raise ValueError(f"{name}: {len(found)} lines go on from {ring[-1]}, expected one")
        left = [line for line in left if line is not found[0]]
        ring += found[0][1:] if found[0][0] == ring[-1] else found[0][-2::-1]
    if left:
        raise ValueError(f"{name}: a line from {left[0][0]} to {left[0][-1]} joins nothing")
    return ring[:-1]


def _middle(ring: Line) -> Point:
    """The point of a ring that is farthest from its edge, found on a grid that gets finer."""
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    best, at = -inf, ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    span = max(max(xs) - min(xs), max(ys) - min(ys)) / 2
    while span > 1:
        x0, y0 = at
        for i in range(-4, 5):
            for j in range(-4, 5):
                point = (x0 + i * span / 4, y0 + j * span / 4)
                if (room := _room(point, ring)) > best:
                    best, at = room, point
        span /= 2
    return at


def _room(point: Point, ring: Line) -> float:
    """How far a point is from the edge of a ring; negative outside."""
    x, y = point
    inside, room = False, inf
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        if (a[1] > y) != (b[1] > y) and x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]:
            inside = not inside
        room = min(room, _distance(point, a, b))
    return room if inside else -room


def _json(
    provinces: dict[str, Line], wanted: dict[str, dict[str, Point]], nobody: Sequence[Line], lakes: Sequence[Line]
) -> str:
    """The file, one place a line."""
    places: list[str] = []
    for name, ring in provinces.items():
        x, y = _middle(ring)
        place: dict[str, object] = {"ring": ring}
        given = {"unit": (x, y + 10), "label": (x, y - 15)} | wanted[name]
        rounded = {key: [round(value) for value in point] for key, point in given.items()}
        place |= {key: point for key, point in rounded.items() if key.islower()}
        if coasts := {key: point for key, point in rounded.items() if key.isupper()}:
            place["coasts"] = coasts
        places.append(f'"{name}": {_compact(place)}')
    return (
        f'{{"width": {WIDTH}, "height": {HEIGHT},\n"provinces": {{\n'
        + ",\n".join(places)
        + '\n},\n"impassable": [\n'
        + ",\n".join(map(_compact, nobody))
        + '\n],\n"lakes": [\n'
        + ",\n".join(map(_compact, lakes))
        + "\n]}\n"
    )


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


if __name__ == "__main__":
    main()
