"""A finished match as metrics see it."""

import pytest
from arena.errors import PluginError
from arena.metric import FinishedMatch
from arena.turns import positions, turns
from arena_testing import REFERENCE_GAME, playing


@pytest.fixture
def record(play):
    """A match of the reference game."""
    return play(REFERENCE_GAME, [playing(3, 3), playing(3, 1)]).over


def test_positions_are_those_of_its_game(record):
    """With the game at hand a match has its positions, one after another."""
    match = FinishedMatch(record, REFERENCE_GAME)

    assert [(p.step, p.events) for p in match.positions()] == [
        (p.step, p.events) for p in positions(REFERENCE_GAME, record)
    ]


def test_positions_take_the_game(record):
    """Without the game a match has no positions, and the error says what a metric is to do."""
    with pytest.raises(PluginError, match="its positions take the game"):
        FinishedMatch(record, None).positions()


def test_turns_take_no_game(record):
    """The turns of a match are read from its record."""
    assert FinishedMatch(record, None).turns() == turns(record)
