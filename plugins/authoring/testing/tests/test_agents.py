"""The check of agents passes sound ones and names what is wrong with the others."""

import random
from itertools import count

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply
from arena.backend import Backend, CompletionRequest, Message
from arena.testing import RANDOM, ConformanceError, FunctionAgent, answering, check_agent, playing

from .games_board import TicTacToe
from .games_cards import KuhnPoker
from .games_tables import Proposals
from .games_together import RockPaperScissors, Workshop


@attrs.frozen
class Asker(Agent):
    """Plays what its backend says."""

    backend: Backend

    def join(self, seat):
        return AskingPlayer(self.backend, seat)


@attrs.frozen
class AskingPlayer(PlayerAgent):
    backend: Backend
    seat: object

    async def act(self, decision):
        request = CompletionRequest(messages=(Message.of("user", f"{decision.turn}.{decision.attempt}"),))
        text = (await self.seat.completions.complete(self.backend, request)).text
        if text not in ("rock", "paper"):
            return Refusal(kind=RefusalKind.UNREADABLE, reason="say rock or paper", text=text)
        return Reply(action=text)


def fault_of(choose, game=None, **more) -> str:
    """The name of the check that fails for an agent that is a function."""
    with pytest.raises(ConformanceError) as caught:
        check_agent(FunctionAgent(choose), game or TicTacToe(), **more)
    return caught.value.check


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("game", [TicTacToe(), KuhnPoker(), Workshop(), RockPaperScissors()], ids=repr)
def test_random_agent_passes(game):
    """Random legal play passes in games of all shapes, and all of it is legal."""
    report = check_agent(RANDOM, game, is_legal=True)

    assert report.matches == 6
    assert report.replies == report.asked > 6
    assert report.untested == ()


def test_agent_with_a_backend_passes():
    """An agent that asks a backend is replayed from what was answered, also what it could not read."""
    report = check_agent(Asker(answering("rock", "dynamite", "paper")), RockPaperScissors())

    assert report.refusals["unreadable"] > 0
    assert report.completions == report.asked


def test_illegal_actions_are_counted():
    """Actions that are not legal are counted, and are a fault only where legal ones are claimed."""
    assert check_agent(playing(*["centre"] * 9), TicTacToe()).illegal > 0
    assert fault_of(lambda decision, seat: Reply(action="centre"), is_legal=True) == "legal"


def test_agent_without_actions_says_so():
    """An agent that never has an action passes, and the report says that its actions were not tested."""
    silent = FunctionAgent(lambda decision, seat: Refusal(kind=RefusalKind.EMPTY, reason="nothing was said"))

    assert check_agent(silent, TicTacToe()).untested


def test_global_luck():
    """An agent that draws from the global generator is found."""

    def choose(decision, seat):
        return Reply(action=random.choice(decision.options.actions))

    assert fault_of(choose) == "luck"


def test_agent_that_is_not_replayable():
    """An agent that remembers earlier matches does something else when it is replayed."""
    number = count()

    def choose(decision, seat):
        return Reply(action=decision.options.actions[next(number) % len(decision.options)])

    assert fault_of(choose) == "replay"


def test_agent_that_spoils_its_decision():
    """An agent that changes what it was handed is found."""

    def choose(decision, seat):
        if decision.options is None:
            decision.action_schema.clear()
        return Reply(action=decision.sample(seat.rng))

    assert fault_of(choose, Proposals()) == "decision"


def test_agent_that_moves_in_the_match():
    """An agent that goes through private names to the state, and changes it there, is found."""

    def choose(decision, seat):
        action = decision.sample(seat.rng)
        decision._view._state.apply({decision.player: action})
        return Reply(action=action)

    assert fault_of(choose) == "state"


def test_agent_that_returns_a_bare_action():
    """An action that is not wrapped in a reply is found."""
    assert fault_of(lambda decision, seat: decision.options.actions[0]) == "reply"


def test_action_that_is_not_json():
    """An action that cannot be written down is found."""
    assert fault_of(lambda decision, seat: Reply(action={1, 2})) == "reply"


def test_agent_that_cannot_stand_a_refusal():
    """An agent that fails when its answer is refused is found."""

    def choose(decision, seat):
        assert not decision.rejected, "I am never wrong"
        return Reply(action=decision.options.actions[0])

    assert fault_of(choose, matches=5) == "crash"


def test_agent_that_reads_an_old_decision():
    """An agent that reads the decision of an earlier turn is found."""
    kept = []

    def choose(decision, seat):
        kept.append(decision)
        return Reply(action=kept[0].sample(seat.rng))

    assert fault_of(choose) == "crash"
