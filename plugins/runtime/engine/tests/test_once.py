"""``seat.once`` with an ``async def``: awaited in the event loop, journaled, and cancelled with the turn."""

import asyncio
import threading

import attrs
from arena.agent import Agent, PlayerAgent, Reply
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending
from arena.testing import RANDOM
from arena_engine import Limits
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe


@attrs.frozen
class Asks(Agent):
    """Asks an asynchronous function for each action; ``seconds`` is how long it takes."""

    seconds: float
    seen: list

    def join(self, seat):
        return AsksPlayer(seat, self)


class AsksPlayer(PlayerAgent):
    def __init__(self, seat, agent):
        self.seat, self.agent = seat, agent

    async def act(self, decision):
        async def ask():
            try:
                self.agent.seen.append(threading.current_thread())
                await asyncio.sleep(self.agent.seconds)
                return decision.options.actions[0]
            except asyncio.CancelledError:
                self.agent.seen.append("cancelled")
                raise

        return Reply(action=await self.seat.once("asked", ask))


def test_async_function_is_awaited_in_the_loop_and_journaled(play):
    """What an ``async def`` returns is in the journal, and is not asked for again when the match is replayed."""
    seen: list = []
    first = play(TicTacToe(), [Asks(0.0, seen), RANDOM], seed=3)

    again = play(TicTacToe(), [Asks(0.0, asked_again := []), RANDOM], seed=3, answers=first.answers)

    assert set(seen) == {threading.main_thread()}
    assert [answer.kind for answer in first.answers] == ["once"] * len(seen)
    assert again.over == first.over
    assert asked_again == []


def test_async_function_is_cancelled_when_the_time_is_over(play):
    """At the limit of the turn the function is cancelled where it waits."""
    seen: list = []
    policy = IllegalActionPolicy(retries=0, then="forfeit")

    # Long enough that the function has begun by then, also where the machine stalls for a moment.
    played = play(TicTacToe(), [Asks(600.0, seen), RANDOM], limits=Limits(turn_seconds=0.5), illegal_actions=policy)

    assert played.over.ending is Ending.FORFEIT_TIME
    assert seen[1:] == ["cancelled"]
