"""What stands beside the board: the phase, the powers with their centres, and what the lines of orders mean."""

from collections.abc import Iterator, Sequence

from arena_game_diplomacy.pictures.curves import head, ripple
from arena_game_diplomacy.pictures.shapes import Disc, Label, Polygon, Shape, Stroke
from arena_game_diplomacy.pictures.symbols import COLOURS, FAILED, INK, PAPER, cross, plus, unit
from arena_game_diplomacy.rules.position import Position

FAINT = "#8b949c"
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_KINDS = {"M": "movement", "R": "retreats", "A": "adjustments"}
_ROW = 19


def phase_name(phase: str) -> str:
    """The name of a phase in words: ``"S1901M"`` is ``"Spring 1901, movement"``."""
    return f"{_SEASONS[phase[0]]} {phase[1:-1]}, {_KINDS[phase[-1]]}"


def legend(position: Position, before: Sequence[str] = ()) -> Iterator[Shape]:
    """The title and the powers, in the upper left corner; ``before`` names the phases that led to the position."""
    yield Label((16, 28), phase_name(position.phase), 22, INK, "start", is_bold=True)
    if before:
        yield Label((16, 50), f"after {'; '.join(before)}", 13, INK, "start")
    for row, (power, colours) in enumerate(COLOURS.items()):
        y = 86 + row * _ROW
        centres = position.centres and position.centres[power]
        units = position.units[power]
        ink = INK if units or centres else FAINT
        yield Polygon(((16, y - 8), (33, y - 8), (33, y + 8), (16, y + 8)), colours.fill, INK)
        yield Label((24.5, y), power[0], 12, colours.ink, is_bold=True)
        yield Label((41, y), power.capitalize(), 13, ink, "start")
        if centres is not None:
            yield Label((124, y), str(len(centres)), 13, ink, is_bold=True)
    if position.centres is not None:
        yield Label((124, 71), "centres", 10, INK)


def key(width: int) -> Iterator[Shape]:
    """What the symbols and lines mean, in the upper right corner of a board of this width."""
    left, right = width - 212, width - 8
    rows = ("army, fleet", "move, retreat", "failed", "support", "hold, convoying fleet", "built, taken off")
    yield Polygon(((left, 8), (right, 8), (right, 24 + 22 * len(rows)), (left, 24 + 22 * len(rows))), PAPER, FAINT)
    for row, text in enumerate(rows):
        yield Label((left + 66, 27 + 22 * row), text, 12, INK, "start")
    at = [(left + 8.0, left + 56.0, 27.0 + 22 * row) for row in range(len(rows))]
    yield from _small(unit("A", "GERMANY", (0, 0)), (left + 20, at[0][2]))
    yield from _small(unit("F", "GERMANY", (0, 0)), (left + 46, at[0][2] + 1))
    for (x, end, y), colour, dash in ((at[1], INK, None), (at[2], FAILED, (6.0, 4.0))):
        yield Stroke(((x, y), (end - 8, y)), colour, 3, dash)
        yield Polygon(head(((x, y), (end, y)), 11), colour, colour)
    x, end, y = at[3]
    yield Stroke(((x, y), (end, y)), INK, 2.6, (0, 5))
    yield Disc((end, y), 3.5, INK)
    yield Disc((left + 20, at[4][2]), 8, "", INK, 2)
    yield Stroke(ripple((left + 46, at[4][2]), 8), INK, 1.6)
    yield from plus((left + 8, at[5][2] + 11))
    yield from _small(cross((0, 0), INK), (left + 46, at[5][2]))


def _small(shapes: Iterator[Shape], at: tuple[float, float], scale: float = 0.62) -> Iterator[Shape]:
    """The shapes around the origin, made smaller and put elsewhere."""
    for shape in shapes:
        if isinstance(shape, Polygon):
            points = tuple((at[0] + x * scale, at[1] + y * scale) for x, y in shape.points)
            yield Polygon(points, shape.fill, shape.stroke, shape.width * scale)
        elif isinstance(shape, Stroke):
            points = tuple((at[0] + x * scale, at[1] + y * scale) for x, y in shape.points)
            yield Stroke(points, shape.colour, shape.width * scale)
