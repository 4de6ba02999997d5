"""Shows a person at a terminal its own move at once, and tells the moves of a match by the squares of its board."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, TextIO

from arena.chance import Chance
from arena.game import Drawing, Game, PlayerView, State
from arena.hookspecs import hookimpl
from arena.record import Event, MatchHistory, MatchPlan, Player
from arena.turns import data_of, positions, turns
from arena_scene import face_of, lines, scene_faults, touches_of

from arena_cli.output import CleanText, Terminal, paragraph, styled, terminal_of

_CELL: Final = re.compile(r"(.+):(\d+),(\d+)")
"""The id of a cell in a scene: its board, row and column, counted from 0."""

_HOME: Final = "\x1b[H\x1b[J"
"""Moves to the top of a terminal and empties it."""


def drawn_position(game: Game, state: State, player: Player | None, terminal: Terminal) -> list[str]:
    """The position as a player or the spectator sees it: drawn where it can be, else in words."""
    drawing, words = _drawing(game, state.observe(player))
    if drawing is None:
        return paragraph(words, terminal)
    shown = lines(drawing, terminal.width, terminal.has_colour, terminal.is_unicode, own=player)
    return [CleanText(line) for line in shown]


def _drawing(game: Game, seen: Any) -> tuple[Drawing | None, str]:
    """The drawing of what is seen, if there is one, and the words for it."""
    told = game.forms["text"](seen)
    words = told if isinstance(told, str) else told.alt
    if "scene" in game.forms:
        drawing = game.forms["scene"](seen)
        return (drawing, words) if isinstance(drawing, Drawing) else (None, words)
    face = face_of(game.title, words)
    return (None if face is None else Drawing(*face.drawn())), words


class OwnMoves:
    """The hooks of one match that show a person's move on the board as soon as it is played."""

    def __init__(self, game: Game, person: Player, screen: TextIO) -> None:
        self._game, self._person, self._screen = game, person, screen
        self._state: State | None = None
        self._seats: Sequence[str] = ()

    @hookimpl
    def match_started(self, plan: MatchPlan) -> None:
        """Begin the match again, to follow it."""
        self._seats = self._game.seats(len(plan.agents))
        self._state, _ = self._game.start(Chance(plan.chance_seed), len(plan.agents))

    @hookimpl
    def actions_applied(self, events: Sequence[Event]) -> None:
        """Play a step along, and show it if the person played in it and the others are next."""
        played = {e.player: data_of(e) for e in events if e.source == "referee" and e.kind == "played"}
        state = self._state
        if state is None or not played:
            return
        self._state = None  # where it cannot be followed, nothing more is shown
        if {*played} == {*state.to_act()}:
            state.apply({player: data["action"] for player, data in played.items() if player is not None})
            self._state = state
            if self._person in played and state.to_act() and self._person not in state.to_act():
                self._show(state, str(played[self._person].get("label") or ""))

    def _show(self, state: State, label: str) -> None:
        terminal = terminal_of(self._screen)
        own = f": {label}" if label else ""
        head = f"{self._game.title} · you are {self._seats[self._person]}"
        drawn = drawn_position(self._game, state, self._person, terminal)
        shown = [styled(CleanText(head), bold=True), "", *drawn, "", CleanText(f"you played{own}"), ""]
        self._screen.write(_HOME + "\n".join(map(terminal.plain, shown)))
        self._screen.flush()


def move_squares(game: Game, record: MatchHistory) -> list[str]:
    """The moves of a match by the squares of its board, as they stand beside it (``b2``); empty if not all have one."""
    found: list[str] = []
    by_step: dict[int, list[Any]] = {}
    for turn in turns(record):
        by_step.setdefault(turn.step, []).append(turn)
    with suppress(Exception):  # the game is a plugin, and its moves can be told by their labels
        for position in positions(game, record):
            for turn in by_step.get(position.step, ()):
                found.append(_square(game, position.state, turn.player, str(data_of(turn.played).get("label", ""))))
    return found if found and all(found) else []


def _square(game: Game, state: State, player: Player, label: str) -> str:
    decision = state.decision(player).asked(PlayerView(state, player), forms=game.forms)
    touches = touches_of(game, decision)
    drawing = decision.render("scene") if "scene" in game.forms else None
    if touches is None or not isinstance(drawing, Drawing) or scene_faults(drawing.data):
        return ""
    paths = [choice.path for choice in touches.choices if choice.label == label]
    cell = _CELL.fullmatch(paths[0][0]) if len(paths) == 1 and len(paths[0]) == 1 else None
    scene: Any = drawing.data
    grids: list[Any] = [part for part in scene["parts"] if part["part"] == "grid"]
    if cell is None or len(grids) != 1:
        return ""
    rows, columns = grids[0].get("row_labels", ()), grids[0].get("column_labels", ())
    row, column = int(cell[2]), int(cell[3])
    if row >= len(rows) or column >= len(columns):
        return ""
    square = f"{columns[column]}{rows[row]}".lower()
    return square if re.fullmatch("[a-z]+[0-9]+", square) else ""
