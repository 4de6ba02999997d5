"""Agents that answer at once are played by a loop of their own, which hands over in the middle of a step."""

import asyncio

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending
from arena_engine.match.match import Match

from ....authoring.testing.tests.games_board import TicTacToe
from ....authoring.testing.tests.games_tables import Auction
from ....authoring.testing.tests.games_together import RockPaperScissors


class Playing(PlayerAgent):
    """Draws an action, and notes each decision that it is asked."""

    def __init__(self, agent, seat):
        self.agent, self.seat = agent, seat

    async def act(self, decision):
        answer = self.answer(decision)
        return await answer if asyncio.iscoroutine(answer) else answer

    def answer(self, decision):
        self.agent.asked.append((self.seat.player, decision.turn, decision.attempt, decision.news))
        drawn = Reply(action=decision.sample(self.seat.rng))
        return self.agent.choose(decision, self.seat, drawn)


class QuickPlaying(Playing):
    is_quick = True

    def act(self, decision):
        return self.answer(decision)


@attrs.frozen
class Plays(Agent):
    """Plays what ``choose`` makes of the decision, the seat and an action that was drawn."""

    choose: object
    player: type = Playing
    asked: list = attrs.field(factory=list)

    def join(self, seat):
        return self.player(self, seat)


async def later(answer, seat):
    await asyncio.sleep(0)
    return attrs.evolve(answer, note=await seat.once("die", lambda: 4))


WAYS = {
    "usual": lambda decision, seat, drawn: drawn,
    "thinks": lambda decision, seat, drawn: Reply(action=drawn.action, reasoning="hm", note=[decision.turn]),
    "waits in turn 2": lambda decision, seat, drawn: later(drawn, seat) if decision.turn == 1 else drawn,
    "waits where it is second": lambda decision, seat, drawn: later(drawn, seat) if seat.player else drawn,
    "illegal in turn 2": lambda decision, seat, drawn: (
        Reply(action="no") if decision.turn == 1 and not decision.attempt else drawn
    ),
    "says nothing in turn 2": lambda decision, seat, drawn: (
        Refusal(kind=RefusalKind.EMPTY, reason="nothing") if decision.turn == 1 and not decision.attempt else drawn
    ),
    "always illegal in turn 2": lambda decision, seat, drawn: Reply(action="no") if decision.turn == 1 else drawn,
    "raises in turn 2": lambda decision, seat, drawn: 1 / (1 - decision.turn) and drawn,
    "gives no answer in turn 2": lambda decision, seat, drawn: None if decision.turn == 1 else drawn,
    "imagines": lambda decision, seat, drawn: attrs.evolve(drawn, note=seat.resample_hidden(1) is None),
}
GAMES = {"board": (TicTacToe(), 2), "together": (RockPaperScissors(rounds=4), 2), "table": (Auction(), 3)}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", WAYS)
def test_quick_agents_play_the_same(play, tmp_path, game, way):
    """Whatever they do, a match of quick agents is the match of agents that are awaited, and asks the same.

    Where an agent fails, those who act beside it and come after it are not asked.
    """
    rules, players = GAMES[game]
    agents = [Plays(WAYS[way]), Plays(WAYS[way], QuickPlaying)]

    awaited, quick = [
        play(rules, [agent] * players, seed=3, directory=tmp_path / agent.player.__name__).over for agent in agents
    ]

    assert attrs.evolve(quick, failure=None) == attrs.evolve(awaited, failure=None)
    assert (quick.failure and quick.failure.reason) == (awaited.failure and awaited.failure.reason)
    assert agents[1].asked == agents[0].asked[: len(agents[1].asked)]
    assert quick.failure or len(agents[1].asked) == len(agents[0].asked)


def test_usual_match_never_waits(play, monkeypatch):
    """A match of quick agents whose answers are all legal needs no task and is seen by nobody while it is played."""
    monkeypatch.delattr(Match, "play")

    record = play(TicTacToe(), [Plays(WAYS["usual"], QuickPlaying)] * 2).over

    assert record.ending is Ending.RULES


def test_event_loop_turns_though_a_match_is_long(play, monkeypatch):
    """A match that is longer than the event loop may be held is handed over, and the loop turns."""
    monkeypatch.setattr("arena_engine.match.quick_loop.HELD_S", -1e9)
    turns = []

    def notes(decision, seat, drawn):
        asyncio.get_running_loop().call_soon(turns.append, decision.turn)
        return drawn

    monkeypatch.setattr("arena_engine.job.context.TURN_S", 0.0)
    record = play(RockPaperScissors(rounds=3), [Plays(notes, QuickPlaying)] * 2).over

    assert record.ending is Ending.RULES
    assert len(turns) >= 2


class BoundedHere(IllegalActionPolicy):
    """A policy by which a match of one game takes three answers at most."""

    def for_game(self, game, players):
        return IllegalActionPolicy(max_answers=3)


def test_answers_of_quick_agents_are_bounded(play):
    """What a policy says of one game holds there, whoever plays."""
    record = play(TicTacToe(), [Plays(WAYS["usual"], QuickPlaying)] * 2, illegal_actions=BoundedHere()).over

    assert (record.ending, record.steps) == (Ending.TURN_LIMIT, 3)
