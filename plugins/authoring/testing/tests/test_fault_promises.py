"""Planted contradictions between what is offered, what is accepted and what can be done; and the shortest match."""

import attrs
import pytest
from arena.chance import Chance
from arena.game import Decision, Illegal, Options
from arena.testing import REFERENCE_GAME, ConformanceError, check_game
from arena_testing.fixtures.reference_game import Count, ReferenceGame
from arena_testing.game.playouts import play_many

from .planted import Planted, changed, fault_of


class Typed(Count):
    """The same numbers, told by a schema."""

    most = 3

    def decision(self, player):
        schema = {"type": "integer", "minimum": 1, "maximum": self.most}
        return Decision(player=player, action_schema=schema, sampler=lambda rng: rng.randint(1, 3))

    def check(self, player, action):
        is_fit = type(action) is int and 1 <= action <= 3
        return None if is_fit else Illegal("range", "add 1, 2 or 3")

    def clone(self):
        return type(self)(self.number, self.turn)


class Generous(Typed):
    """Promises a fourth number that is refused."""

    most = 4


@pytest.mark.slow
def test_schema_that_promises_too_much():
    """A number that fits the schema must not be refused."""
    check_game(Planted(REFERENCE_GAME, Typed))
    fault = fault_of(Planted(REFERENCE_GAME, Generous))

    assert fault.check == "schema"
    assert fault.what.startswith("4 fits the schema and is refused")


class Clumsy(Typed):
    """Accepts 1 from five on and cannot add it; random players never try."""

    def decision(self, player):
        decision = super().decision(player)
        return changed(decision, sampler=lambda rng: rng.randint(2, 3))

    def apply(self, actions):
        if self.number >= 5 and 1 in actions.values():
            raise ZeroDivisionError("cannot add 1")
        return super().apply(actions)


@pytest.mark.slow
def test_check_that_accepts_what_apply_cannot_do():
    """An action that check accepts must be one that apply can play, also where no random player takes it."""
    fault = fault_of(Planted(REFERENCE_GAME, Clumsy))

    assert (fault.check, "check accepts 1, and apply raises ZeroDivisionError" in fault.what) == ("apply", True)


class Crossed(Count):
    """Calls adding 1 by the action that adds 2."""

    def decision(self, player):
        return Decision(player=player, options=Options(["one", "two"], {"one": "two", "two": "a pair"}.get))

    def apply(self, actions):
        return Count.apply(self, {player: ("one", "two").index(action) + 1 for player, action in actions.items()})


def test_label_that_is_another_action():
    """A label must not be what another option is played by."""
    fault = fault_of(Planted(REFERENCE_GAME, Crossed))

    assert fault.check == "labels"
    assert "'two' of the option 'one'" in fault.what


@attrs.frozen
class Long(ReferenceGame):
    """The number is passed on up to forty, and breaks for good when a 3 brings it above thirty."""

    def facts(self, players):
        return attrs.evolve(ReferenceGame.facts(self, players), max_steps=40)

    def start(self, chance, players):
        return LongCount(), ()


class LongCount(Count):
    def to_act(self):
        return (self.turn,) if self.number < 40 else ()

    def returns(self):
        return None if self.to_act() else (0.0, 0.0) if self.turn else (1.0, -1.0)

    def apply(self, actions):
        if self.number > 30 and 3 in actions.values():
            raise IndexError("there is no such number")
        return Count.apply(self, actions)

    def clone(self):
        return LongCount(self.number, self.turn)


def test_fault_is_shrunk():
    """A crash is shown by the fewest and plainest actions that lead to it, with the seed to deal them again."""
    with pytest.raises(ConformanceError) as caught:
        play_many(Long())
    line = caught.value.line

    assert caught.value.check == "crash"
    assert line is not None
    actions = [action for step in line.steps for action in step.values()]
    assert actions[-1] == 3
    assert 30 < sum(actions[:-1]) <= 30 + min(actions[:-1]), "no action can be left out"
    state, _ = line.game.start(Chance(line.seed), line.players)
    for step in line.steps[:-1]:
        state.apply(step)
    with pytest.raises(IndexError):
        state.apply(line.steps[-1])


def test_playouts_are_counted():
    """As many matches are played as are asked for, and one is begun where there is no time."""
    assert play_many(REFERENCE_GAME, at_most=150).playouts == 150
    report = play_many(REFERENCE_GAME, cpu_s=0)
    assert (report.playouts, report.steps, report.cut) == (1, 1, 1)
