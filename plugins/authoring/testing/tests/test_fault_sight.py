"""Planted faults in what can be seen: observations, events and forms."""

from arena.record import EVERYONE, GameEvent

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


def test_form_that_is_empty():
    """A form that shows nothing is found, in the final position as well."""
    blank = {"blank": lambda observation: "" if "" not in observation["cells"] else "board"}

    assert fault_of(Planted(TicTacToe(), forms_added=blank)).check == "forms"
