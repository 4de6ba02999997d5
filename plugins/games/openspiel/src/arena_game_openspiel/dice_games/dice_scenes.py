"""What games with dice look like: liar's dice with its bids, and the board of backgammon."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_openspiel.scenes import called, over

WIDTH: Final = 15.0
HEIGHT: Final = 12.0
STACK: Final = 5
"""How many checkers of a point are drawn; more are a number on the last one."""

_PLACE: Final = re.compile(r"(bar|off|\d+)")


def liars_table(view: Any, words: str, dice: int) -> Drawing:
    """Everybody's dice, hidden ones as question marks, and the bids, one row for each."""
    hands = [
        arena_scene.Pieces(
            id=f"dice-{number}",
            title=called(seat, view),
            owner=number,
            pieces=[_die(number, seat, face) for face in own or [None] * dice],
        )
        for number, (seat, own) in enumerate(view["dice"].items())
    ]
    columns = [arena_scene.TableColumn(title="player"), arena_scene.TableColumn(title="says")]
    rows = [
        arena_scene.TableRow(cells=[seat, said], role=f"player-{list(view['dice']).index(seat)}")
        for seat, said in view["bids"]
    ]
    bids = arena_scene.SceneTable(id="bids", caption="bids", columns=columns, rows=rows, note=over(view))
    return Drawing(*arena_scene.Scene("Liar's dice", words, arena_scene.Sides(parts=hands), bids).drawn())


def _die(number: int, seat: str, face: int | None) -> "arena_scene.Piece":
    if face is None:
        label = f"a die of {seat}, which you do not see"
        return arena_scene.Piece(role="faint", shape="text", text="?", label=label)
    shape = f"die-{face}" if face <= 6 else "text"
    return arena_scene.Piece(role=f"player-{number}", shape=shape, text=str(face), label=f"a die of {seat}: {face}")


def backgammon_board(view: Any, words: str) -> Drawing:
    """The board with the points in the numbers of who looks, bar and trays, and the dice beside it."""
    seats = list(view["bar"])
    shapes = [_rectangle((0, 0), (WIDTH, HEIGHT), "board"), _rectangle((6, 0), (1, HEIGHT), "faint")]
    shapes += [shape for number in range(1, 25) for shape in _point(number)]
    for number in range(1, 25):
        seat, many = view["points"].get(str(number), ("", 0))
        shapes += _checkers(seats, seat, many, *_corner(number))
    for index, seat in enumerate(seats):
        is_top = seat != view["numbering"]
        shapes += _checkers(seats, seat, view["bar"][seat], 6, is_top=is_top, inner=1.2)
        shapes += _checkers(seats, seat, view["off"][seat], 13.5, is_top=is_top)
        y = 0 if is_top else HEIGHT / 2
        shapes += [
            _area(f"bar-{index}", (6, y), (1, HEIGHT / 2), f"bar: {view['bar'][seat]} of {seat}"),
            _area(f"off-{index}", (13.4, y), (1.6, HEIGHT / 2), f"borne off: {view['off'][seat]} of {seat}"),
        ]
    for number in range(1, 25):
        seat, many = view["points"].get(str(number), ("", 0))
        x, is_top = _corner(number)
        held = f"{many} of {seat}" if many else "empty"
        shapes.append(
            _area(f"point-{number}", (x, 0 if is_top else HEIGHT / 2), (1, HEIGHT / 2), f"point {number}: {held}")
        )
    # Without a label: a terminal, which cannot draw it, tells the whole position instead.
    board = arena_scene.Shapes(id="board", size=(WIDTH, HEIGHT), shapes=shapes, note=over(view))
    dice = [
        arena_scene.Piece(role="neutral", shape=f"die-{die}", label=f"a die that shows {die}") for die in view["dice"]
    ]
    again = "the second half of a double" if view["is_second_half"] else ""
    parts = [board, arena_scene.Pieces(id="dice", title="dice", pieces=dice, note=again)]
    return Drawing(*arena_scene.Scene("Backgammon", words, *parts).drawn())


def backgammon_path(label: str, player: int) -> list[str]:
    """The points that are touched for moves as they are written (``13/8, bar/22``), in their order."""
    found: list[str] = []
    for place in _PLACE.findall(re.sub(r" with \d", "", label)):
        found.append(f"point-{place}" if place.isdigit() else f"{place}-{player}")
    return found


def _corner(number: int) -> tuple[float, bool]:
    """The left edge of a point, and whether it lies above: 13 to 24 from left to right, 12 to 1 below them."""
    place = number - 13 if number > 12 else 12 - number
    return float(place + (place > 5)), number > 12


def _point(number: int) -> Iterator[Mapping[str, Any]]:
    x, is_top = _corner(number)
    edge, tip = (0.6, 5.2) if is_top else (HEIGHT - 0.6, HEIGHT - 5.2)
    role = "board-alternate" if number % 2 else "faint"
    yield {"kind": "polygon", "points": [[x, edge], [x + 1, edge], [x + 0.5, tip]], "role": role}
    yield {
        "kind": "text",
        "at": [x + 0.5, 0.3 if is_top else HEIGHT - 0.3],
        "text": str(number),
        "size": 0.4,
        "role": "board",
    }


def _checkers(
    seats: Sequence[str], seat: str, many: int, x: float, is_top: bool, inner: float = 0.0
) -> Iterator[Mapping[str, Any]]:
    for index in range(min(many, STACK)):
        down = 1.05 + inner + 0.86 * index
        at = [x + 0.5, down if is_top else HEIGHT - down]
        text = str(many) if many > STACK and index == STACK - 1 else seat
        role = f"player-{seats.index(seat)}"
        yield {"kind": "circle", "at": at, "radius": 0.42, "role": role}
        yield {"kind": "text", "at": at, "text": text, "size": 0.44, "role": role}


def _rectangle(at: tuple[float, float], size: tuple[float, float], role: str) -> Mapping[str, Any]:
    return {"kind": "rect", "at": list(at), "size": list(size), "role": role}


def _area(name: str, at: tuple[float, float], size: tuple[float, float], label: str) -> Mapping[str, Any]:
    return {**_rectangle(at, size, "none"), "id": name, "label": label, "above": True}
