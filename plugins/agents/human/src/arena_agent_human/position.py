"""What a person sees of a position: the game's drawing where it has one, else its words."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import packages_distributions
from typing import Any, Final

import attrs
from arena.agent import Seat
from arena.decision import Decision
from arena.game import Drawing, Game
from arena.record import JSON
from arena_scene import face_of, is_drawable, lines, position_words, scene_faults, touches_of

from arena_agent_human.wording import as_table, wrapped

SCENE: Final = "scene"
"""The form of a game that is a drawing as data."""

_WIDEST: Final = 10_000
"""More columns than any scene takes."""

_CELL: Final = re.compile(r"(.+):(\d+),(\d+)")
"""The id of a cell in a scene: its board, row and column, counted from 0."""


@attrs.frozen(kw_only=True)
class Looks:
    """What a terminal can show: its size in characters, colours, and signs beyond ASCII."""

    width: int
    height: int
    has_colour: bool = False
    is_unicode: bool = True


@attrs.frozen(kw_only=True)
class Board:
    """What stands beside the rows and columns of a drawing's one board."""

    rows: Sequence[str]
    columns: Sequence[str]

    def square(self, row: int, column: int) -> str:
        """The coordinate of a cell as it is read beside the board (``b2``); empty if it has none."""
        if not (0 <= row < len(self.rows) and 0 <= column < len(self.columns)):
            return ""
        square = f"{self.columns[column]}{self.rows[row]}".lower()
        return square if re.fullmatch(r"[a-z]+[0-9]+", square) else ""


def answer_lines(game: Game, decision: Decision, query: str, answer: JSON, looks: Looks) -> list[str]:
    """The answer of a look-up as lines that fit the terminal: drawn where the game draws it, else as a table."""
    drawn = game.query_scene(decision, query, answer)
    if drawn is None or scene_faults(drawn[0].data):
        return as_table(answer, looks.width)
    return lines(drawn[0], looks.width, looks.has_colour, looks.is_unicode)


class SeenPosition:
    """The position of one decision, as one player sees it.

    ``form`` is the form that was asked for, empty for a drawing where there is one. ``before`` is the drawing of the
    player's last turn: what has been played since is marked.
    """

    def __init__(self, seat: Seat, decision: Decision, form: str, before: Drawing | None = None) -> None:
        self._seat, self._decision, self._form, self._before = seat, decision, form, before

    @cached_property
    def drawing(self) -> Drawing | None:
        """The drawing of this position, if it is sound and another form was not asked for.

        It is the game's own, or, where the game has no drawing and no words but data, what is made of that.
        """
        if self._form not in ("", SCENE):
            return None
        if SCENE not in self._decision.forms:
            return self._face
        seen = self._decision.render(SCENE)
        return seen if isinstance(seen, Drawing) and not self._faults(seen) else None

    @property
    def _face(self) -> Drawing | None:
        words = self._decision.render("text") if "text" in self._decision.forms else ""
        face = face_of(self._seat.game.title, words) if isinstance(words, str) else None
        seen = None if face is None else Drawing(*face.drawn())
        return None if seen is None or self._faults(seen) else seen

    @cached_property
    def board(self) -> Board | None:
        """The board of the drawing, if it has exactly one."""
        data: Any = None if self.drawing is None else self.drawing.data
        grids = [part for part in data["parts"] if part["part"] == "grid"] if data else []
        if len(grids) != 1:
            return None
        return Board(rows=grids[0].get("row_labels", ()), columns=grids[0].get("column_labels", ()))

    @cached_property
    def paths(self) -> Mapping[str, tuple[str, ...]]:
        """The elements of the drawing that options stand for, by their labels; empty where the game says nothing."""
        touches = None if self.drawing is None else touches_of(self._seat.game, self._decision)
        return {} if touches is None else {choice.label: choice.path for choice in touches.choices}

    @cached_property
    def squares(self) -> Mapping[str, str]:
        """The coordinates of options that are cells of the board, by their labels (``row 2, column 1``: ``a2``).

        They are those that stand beside the drawn board, so that a person types what it reads.
        """
        if self.board is None:
            return {}
        cells = {label: _CELL.fullmatch(path[0]) for label, path in self.paths.items() if len(path) == 1}
        squares = {label: self.board.square(int(at[2]), int(at[3])) for label, at in cells.items() if at}
        return {label: square for label, square in squares.items() if square}

    def lines(self, looks: Looks, option: str = "") -> list[str]:
        """The position as lines that fit the terminal; what the option with that label stands for is marked."""
        if self.drawing is None:
            return self.words(looks.width)
        return lines(
            self.drawing,
            looks.width,
            looks.has_colour,
            looks.is_unicode,
            before=self._before,
            chosen=self.paths.get(option, ()),
            own=self._seat.player,
            players=self._seat.game.seats(self._seat.players),
        )

    def words(self, width: int) -> list[str]:
        """The position in words, or in the form that was asked for."""
        form = self._form if self._form != SCENE else ""
        seen = self._decision.render(form or "text")
        return wrapped(position_words(seen) if isinstance(seen, str) else seen.alt or "(a picture)", width)

    def problem(self, looks: Looks) -> str:
        """Why the position is not drawn although the game draws it; empty if it is drawn."""
        if self._form not in ("", SCENE) or SCENE not in self._decision.forms:
            return ""
        if self.drawing is not None:
            # What no terminal draws (a map) is told in words on the widest one, too.
            narrow = not is_drawable(self.drawing, looks.width) and is_drawable(self.drawing, _WIDEST)
            return "too narrow to draw all of it: some is told in words" if narrow else ""
        seen = self._decision.render(SCENE)
        fault = self._faults(seen)[0] if isinstance(seen, Drawing) else f"it is {type(seen).__name__}, not a Drawing"
        return (
            f"the scene of {self._seat.game.title} from {self._distribution} is not valid ({fault}); in words instead"
        )

    @property
    def _distribution(self) -> str:
        package = type(self._seat.game).__module__.partition(".")[0]
        return ", ".join(packages_distributions().get(package, [package]))

    def _faults(self, drawing: Drawing) -> Sequence[str]:
        return [str(fault) for fault in scene_faults(drawing.data)]
