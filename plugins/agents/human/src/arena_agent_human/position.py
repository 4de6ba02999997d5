"""What a person sees of a position: the game's drawing where it has one, else its words."""

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs
from arena.decision import Decision
from arena.game import Drawing

from arena_agent_human.wording import wrapped

SCENE: Final = "scene"
"""The form of a game that is a drawing as data."""

NARROWEST: Final = 40
"""The fewest columns on which positions are drawn; narrower terminals get words."""

_CELL: Final = re.compile(r"row (\d+), column (\d+)")


@attrs.frozen(kw_only=True)
class Looks:
    """What a terminal can show: its size in characters, colours, and signs beyond ASCII."""

    width: int
    height: int
    has_colour: bool = False
    is_unicode: bool = True


def position_lines(decision: Decision, form: str, looks: Looks) -> list[str]:
    """The position as lines that fit the terminal: drawn if the game draws it, else in words.

    ``form`` is the form that was asked for; empty for a drawing where there is one.
    """
    drawing = None if form or looks.width < NARROWEST else _drawing(decision)
    if drawing is not None:
        found = drawn(drawing, looks)
        if found:
            return found
    seen = decision.render(form or "text")
    words = seen if isinstance(seen, str) else seen.alt or "(a picture)"
    return wrapped(words, looks.width)


def drawn(drawing: Drawing, looks: Looks) -> list[str]:
    """A drawing as lines of characters; empty if nothing here can draw it."""
    try:
        from arena_scene import lines
    except ImportError:
        return []
    try:
        return list(lines(drawing, looks.width, looks.has_colour, looks.is_unicode))
    except ValueError:  # a scene that is not valid; its check names what is wrong and whose it is
        return []


def squares(decision: Decision) -> Mapping[str, str]:
    """The coordinates of options that are cells of a board, by their labels (``row 2, column 1``: ``a2``).

    They are those that stand beside the drawn board, so that a person types what it reads.
    """
    drawing = _drawing(decision)
    if drawing is None or decision.options is None:
        return {}
    rows, columns = _labels(drawing.data)
    return {
        option.label: square
        for option in decision.options
        if (found := _CELL.fullmatch(option.label)) and (square := _square(found, rows, columns))
    }


def _drawing(decision: Decision) -> Drawing | None:
    if SCENE not in decision.forms:
        return None
    seen = decision.render(SCENE)
    return seen if isinstance(seen, Drawing) else None


def _labels(data: Any) -> tuple[list[str], list[str]]:
    """The labels beside the rows and columns of the one board of a scene."""
    parts = data.get("parts", ()) if isinstance(data, Mapping) else ()
    grids = [part for part in parts if isinstance(part, Mapping) and part.get("part") == "grid"]
    if len(grids) != 1:
        return [], []
    return list(grids[0].get("row_labels", ())), list(grids[0].get("column_labels", ()))


def _square(found: re.Match[str], rows: list[str], columns: list[str]) -> str:
    row, column = (int(number) - 1 for number in found.groups())
    if not (0 <= row < len(rows) and 0 <= column < len(columns)):
        return ""
    square = f"{columns[column]}{rows[row]}".lower()
    return square if re.fullmatch(r"[a-z]+[0-9]+", square) else ""
