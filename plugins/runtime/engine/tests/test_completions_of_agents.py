"""Completions of agents in real matches: branches, time-outs, and matches that are resumed."""

import asyncio

from arena.agent import Reply
from arena.backend import CompletionRequest, Message
from arena.errors import StopRun
from arena.record import Ending
from arena.testing import RANDOM, FunctionAgent, FunctionBackend, answering, playing
from arena_engine.job.executor import Limits

from ....authoring.testing.tests.games_together import RockPaperScissors


def ask(text: str) -> CompletionRequest:
    """A request of one message."""
    return CompletionRequest(messages=(Message.of("user", text),))


def test_two_completions_at_once_have_branches(play):
    """An agent that asks several questions at once names a branch for each, and gets each its answer."""
    backend = FunctionBackend(answer=lambda request: request.messages[0].text.upper())

    async def choose(decision, seat):
        pro, contra = seat.completions.branch("pro"), seat.completions.branch("contra")
        asked = (pro.complete(backend, ask("rock")), contra.complete(backend, ask("paper")))
        active_hooks = [completion.text for completion in await asyncio.gather(*asked)]
        return Reply(action="rock", note=active_hooks)

    played = play(RockPaperScissors(rounds=1), [FunctionAgent(choose), playing("rock")])

    assert next(played.over.played()).data["note"] == ["ROCK", "PAPER"]
    assert [answer.scope for answer in played.answers] == ["0/0/0/contra/0", "0/0/0/pro/0"]


def test_second_call_in_flight_on_a_branch_is_an_error(play):
    """Two calls at once without branches end the match as failed, with a sentence that says what to do."""
    backend = answering("rock")

    async def choose(decision, seat):
        await asyncio.gather(*(seat.completions.complete(backend, ask(text)) for text in ("one", "two")))
        return Reply(action="rock")

    record = play(RockPaperScissors(rounds=1), [FunctionAgent(choose), playing("rock")]).over

    assert record.ending is Ending.FAILED
    assert "take completions.branch(name) for each" in record.failure.reason


def test_time_out_is_replayed(play):
    """A try that ran out of time has run out of time when the match is resumed, and is not asked again."""
    asked = []

    async def answer(request):
        text = request.messages[0].text
        asked.append(text)
        if text == "slow":
            await asyncio.Event().wait()
        return text

    backend = FunctionBackend(answer=answer)

    async def choose(decision, seat):
        if decision.turn == 1 and len(asked) == 2:
            raise StopRun("enough for today")
        text = "quick" if decision.rejected else "slow"
        return Reply(action=(await seat.completions.complete(backend, ask(text))).text and "rock")

    agents = [FunctionAgent(choose), playing("paper", "paper")]
    limits = Limits(turn_seconds=0.4)
    first = play(RockPaperScissors(rounds=2), agents, limits=limits)
    asked_at_first = list(asked)
    asked.append("resumed")
    second = play(RockPaperScissors(rounds=2), agents, limits=limits)

    assert (first.record, first.stopped) == (None, "enough for today")
    assert asked_at_first == ["slow", "quick"]
    assert asked[2:] == ["resumed", "slow", "quick"]
    assert [(e.data["kind"], e.data["turn"], e.data["try"]) for e in second.over.refused()] == [
        ("late", 0, 0),
        ("late", 1, 0),
    ]


def test_answers_are_not_asked_twice(play):
    """A resumed match takes what was answered from the journal, and ends as if nothing had happened."""
    asked = []

    def answer(request):
        asked.append(request.messages[0].text)
        return "paper"

    backend = FunctionBackend(answer=answer)
    is_stopping = [True]

    async def choose(decision, seat):
        if decision.turn == 2 and is_stopping:
            is_stopping.clear()
            raise StopRun("power cut")
        completion = await seat.completions.complete(backend, ask(f"turn {decision.turn}"))
        return Reply(action=completion.text)

    agents = [FunctionAgent(choose), RANDOM]
    stopped = play(RockPaperScissors(rounds=3), agents)
    resumed = play(RockPaperScissors(rounds=3), agents)

    assert stopped.record is None
    assert asked == ["turn 0", "turn 1", "turn 2"]
    assert resumed.actions(0) == ["paper"] * 3
