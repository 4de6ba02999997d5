"""Planted faults in what can be seen: observations, events and forms."""

import pytest
from arena.game import Drawing
from arena.record import EVERYONE, GameEvent
from arena.testing import check_game
from arena_scene import Grid, Piece, Scene

from .games_board import Board, TicTacToe
from .games_together import RockPaperScissors, Throws
from .planted import Planted, fault_of


class LooksAreDeeds(Board):
    """A game whose observations count how often anybody looked."""

    looks = 0

    def observe(self, player):
        type(self).looks += 1
        return {**Board.observe(self, player), "looks": self.looks}


def test_observation_that_changes():
    """An observation that is another each time is found."""
    assert fault_of(Planted(TicTacToe(), LooksAreDeeds)).check == "observation"


class NotesAsking(Board):
    """Shows whether it was asked for a decision."""

    is_asked = False

    def observe(self, player):
        return {**Board.observe(self, player), "is_asked": self.is_asked}

    def decision(self, player):
        self.is_asked = True
        return Board.decision(self, player)

    def apply(self, actions):
        self.is_asked = False
        return Board.apply(self, actions)


def test_decision_that_changes_the_state():
    """A decision that changes what can be seen is found."""
    assert fault_of(Planted(TicTacToe(), NotesAsking)).check == "decision"


class OwnData(Board):
    """Hands out its own list."""

    def observe(self, player):
        return {"cells": self.cells}


def test_observation_that_is_the_state():
    """An observation through which an agent could change the board is found."""
    fault = fault_of(Planted(TicTacToe(), OwnData))

    assert (fault.check, "hand out a copy" in fault.what) == ("observation", True)


class LivingEvent(Throws):
    """Tells the list of all throws, which goes on growing."""

    def apply(self, actions):
        Throws.apply(self, actions)
        return (GameEvent("all", self.thrown, EVERYONE),)


@pytest.mark.slow
def test_event_that_changes_later():
    """An event whose data change after it was told is found."""
    fault = fault_of(Planted(RockPaperScissors(), LivingEvent))

    assert (fault.check, "give it a copy" in fault.what) == ("events", True)


class NumberedKeys(Board):
    """Uses numbers as keys, which JSON turns into texts."""

    def observe(self, player):
        return {"cells": dict(enumerate(self.cells))}


def test_observation_that_is_not_json():
    """Data that a journal would give back differently are found."""
    fault = fault_of(Planted(TicTacToe(), NumberedKeys))

    assert (fault.check, "not a text" in fault.what) == ("observation", True)


@pytest.mark.campaign
def test_form_that_is_empty():
    """A form that shows nothing is found, in the final position as well."""
    blank = {"blank": lambda observation: "" if "" not in observation["cells"] else "board"}

    assert fault_of(Planted(TicTacToe(), forms_added=blank)).check == "forms"


def scene(**changes):
    """A form that draws the board, with something changed in its data."""

    def drawn(observation):
        cells = [(n, mark) for n, mark in enumerate(observation["cells"]) if mark]
        pieces = [
            Piece(at=divmod(n, 3), role="neutral", shape="text", text=mark, label=f"{mark} on {n}") for n, mark in cells
        ]
        data, alt = Scene("A board", "a board", Grid(id="board", size=(3, 3), pieces=pieces)).drawn()
        return Drawing({**data, **changes}, alt)

    return drawn


@pytest.mark.campaign
def test_sound_scene_passes():
    """A scene that keeps to its format is no fault."""
    assert check_game(Planted(TicTacToe(), forms_added={"scene": scene()})).positions


@pytest.mark.parametrize(
    ("form", "what"),
    [
        (
            scene(parts=[{"part": "grid", "size": [3]}]),
            "is no sound scene: scene.parts[0].size: has 1 items, expected 2",
        ),
        (scene(alternative="another board"), "says other words beside its drawing than in it"),
        (scene(title=float("nan")), "is a drawing that cannot be written down"),
        (lambda observation: Drawing(scene()(observation).data, " "), "is a drawing without words"),
        (lambda observation: "a board", "is a text; the form 'scene' is a drawing"),
    ],
)
def test_scene_that_breaks_its_format(form, what):
    """A drawing that nobody could draw, or that says nothing to who cannot see it, is found."""
    fault = fault_of(Planted(TicTacToe(), forms_added={"scene": form}))

    assert (fault.check, what in fault.what) == ("forms", True), fault.what
