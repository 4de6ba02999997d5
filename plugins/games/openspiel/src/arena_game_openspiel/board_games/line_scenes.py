"""Boards that are lines between points, as scenes: nine men's morris, and dots and boxes."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_openspiel.scenes import over

UNIT: Final = 60.0
"""How far points are apart in the units of the drawing, of which a browser's mark of the focus is two wide."""


def morris_board(view: Any, words: str, points: Sequence[str], lines: Sequence[str]) -> Drawing:
    """The points and lines with their names along the edges, and the men."""
    shapes: list[Mapping[str, Any]] = [_rectangle((0.4, 0.0), (7.2, 7.0), "board")]
    for line in lines:
        first, _, last = line.split("-")
        shapes.append(_line(_at(first), _at(last)))
    for number, file in enumerate(ascii_lowercase[:7], start=1):
        shapes += [_text((number, 7.4), file, 0.4, "neutral"), _text((0.1, 7.5 - number), str(number), 0.4, "neutral")]
    for number, (seat, own) in enumerate(view["men"].items()):
        for point in own:
            shapes += [
                _disc(_at(point), 0.32, f"player-{number}"),
                _text(_at(point), seat[0], 0.35, f"player-{number}"),
            ]
    held = {point: f"a man of {seat}" for seat, own in view["men"].items() for point in own}
    for point in points:
        x, y = _at(point)
        shapes.append(_area(f"point-{point}", (x - 0.4, y - 0.4), (0.8, 0.8), f"{point}: {held.get(point, 'empty')}"))
    takes = f"{view['to_move']} takes a man" if view["takes"] else ""
    # Without a label: a terminal, which cannot draw it, tells the whole position instead.
    board = arena_scene.Shapes(id="board", size=_scaled((7.8, 7.8)), shapes=shapes, note=over(view) or takes)
    hands = [
        arena_scene.Meter(id=f"hand-{number}", label=f"{seat} in hand", value=many, unit="men", role=f"player-{number}")
        for number, (seat, many) in enumerate(view["in_hand"].items())
    ]
    return Drawing(
        *arena_scene.Scene("Nine men's morris", words, board, arena_scene.Meters(id="hands", meters=hands)).drawn()
    )


def dots_and_boxes_board(view: Any, words: str) -> Drawing:
    """The dots, the lines between them, drawn or not, and who has which box."""
    rows, columns = len(view["boxes"]), len(view["boxes"][0])
    seats, drawn = list(view["scores"]), set(view["lines"])
    shapes: list[Mapping[str, Any]] = [_rectangle((0.4, 0.4), (columns + 1.2, rows + 1.2), "board")]
    for r, row in enumerate(view["boxes"]):
        for c, owner in enumerate(row):
            if owner:
                number = seats.index(owner)
                shapes += [
                    _rectangle((c + 1.0, r + 1.0), (1.0, 1.0), f"player-{number}"),
                    _text((c + 1.5, r + 1.5), str(number + 1), 0.4, f"player-{number}"),
                ]
    for name, (start, end) in _edges(rows, columns):
        if name in drawn:
            shapes.append(_line(start, end))
        across = start[1] == end[1]
        corner = (start[0] + 0.2, start[1] - 0.2) if across else (start[0] - 0.2, start[1] + 0.2)
        label = f"{name}: {'drawn' if name in drawn else 'free'}"
        shapes.append(_area(f"line-{name}", corner, (0.6, 0.4) if across else (0.4, 0.6), label))
    for c in range(columns + 1):
        shapes.append(_text((c + 1.0, 0.2), ascii_lowercase[c], 0.35, "neutral"))
    for r in range(rows + 1):
        shapes.append(_text((0.2, r + 1.0), str(r + 1), 0.35, "neutral"))
        shapes += [_disc((c + 1.0, r + 1.0), 0.08, "neutral") for c in range(columns + 1)]
    size = _scaled((columns + 1.8, rows + 1.8))
    board = arena_scene.Shapes(id="board", size=size, shapes=shapes, note=over(view))
    scores = [
        arena_scene.Meter(id=f"score-{number}", label=seat, value=many, unit="boxes", role=f"player-{number}")
        for number, (seat, many) in enumerate(view["scores"].items())
    ]
    return Drawing(
        *arena_scene.Scene("Dots and boxes", words, board, arena_scene.Meters(id="scores", meters=scores)).drawn()
    )


def _edges(rows: int, columns: int) -> Iterator[tuple[str, tuple[tuple[float, float], tuple[float, float]]]]:
    """All lines by name, with the places of their ends."""
    letters = ascii_lowercase
    for r in range(rows + 1):
        for c in range(columns + 1):
            here = f"{letters[c]}{r + 1}"
            if c < columns:
                yield f"{here}-{letters[c + 1]}{r + 1}", ((c + 1.0, r + 1.0), (c + 2.0, r + 1.0))
            if r < rows:
                yield f"{here}-{letters[c]}{r + 2}", ((c + 1.0, r + 1.0), (c + 1.0, r + 2.0))


def _at(point: str) -> tuple[float, float]:
    return ascii_lowercase.index(point[0]) + 1.0, 7.5 - int(point[1])


def _scaled(at: tuple[float, float]) -> tuple[float, float]:
    return UNIT * at[0], UNIT * at[1]


def _rectangle(at: tuple[float, float], size: tuple[float, float], role: str) -> Mapping[str, Any]:
    return {"kind": "rect", "at": list(_scaled(at)), "size": list(_scaled(size)), "role": role}


def _line(start: tuple[float, float], end: tuple[float, float]) -> Mapping[str, Any]:
    return {"kind": "line", "from": list(_scaled(start)), "to": list(_scaled(end)), "role": "neutral"}


def _disc(at: tuple[float, float], radius: float, role: str) -> Mapping[str, Any]:
    return {"kind": "circle", "at": list(_scaled(at)), "radius": UNIT * radius, "role": role}


def _text(at: tuple[float, float], text: str, size: float, role: str) -> Mapping[str, Any]:
    return {"kind": "text", "at": list(_scaled(at)), "text": text, "size": UNIT * size, "role": role}


def _area(name: str, at: tuple[float, float], size: tuple[float, float], label: str) -> Mapping[str, Any]:
    """A place that can be touched and read out, and is not seen."""
    return {**_rectangle(at, size, "none"), "id": name, "label": label, "above": True}
