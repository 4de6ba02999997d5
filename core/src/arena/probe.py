"""What agents and judges would ask of models, found out by playing; nothing is sent.

A match is played at random. Before each move of one player its agent is put the decision, and whatever it asks is
answered with ``ANSWER``. That says nothing; where a later request repeats it, as the transcript of a conversation does,
it stands for the words that a model will have written there.
"""

from contextlib import suppress
from typing import Final

import attrs

from arena.agent import Agent, Completions, PlayerAgent, Reply, Seat, Turn
from arena.backend import Backend, Completion, CompletionRequest
from arena.errors import StopRun
from arena.executor import Work
from arena.game import Decision, Game
from arena.metric import Metric
from arena.opening import acted
from arena.record import MatchPlan, MatchRecord
from arena.rehearsal import StandIn, rehearse

ANSWER: Final = "⟦answer⟧"
"""Stands for what a model will have written."""

CHARACTERS: Final = 4.0
"""Characters of a token, roughly, in English prose."""


@attrs.frozen(kw_only=True)
class Question:
    """A request that was not sent, and the turn it belongs to; ``is_first`` on its branch there."""

    backend: Backend
    request: CompletionRequest
    turn: int
    is_first: bool

    def tokens(self, answer: float) -> float:
        """How many are sent, where each answer that is repeated has ``answer``."""
        texts = [message.text for message in self.request.messages]
        repeated = sum(text.count(ANSWER) for text in texts)
        return (sum(map(len, texts)) - repeated * len(ANSWER)) / CHARACTERS + repeated * answer


class Probe(Completions):
    """Writes down what is asked; at the first question of turn ``until`` or a later one the rehearsal ends.

    ``failure`` is the last thing that an agent could not cope with.
    """

    def __init__(self, until: int | None = None, probe: "Probe | None" = None) -> None:
        self.questions: list[Question] = [] if probe is None else probe.questions
        self.turn = 0
        self.failure: Exception | None = None
        self._root = probe or self
        self._until = until
        self._last_turn = -1

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Send nothing."""
        turn = self._root.turn
        asked = attrs.evolve(request, sampling=backend.complete_sampling(request.sampling))
        is_first, self._last_turn = turn != self._last_turn, turn
        self.questions.append(Question(backend=backend, request=asked, turn=turn, is_first=is_first))
        if self._root._until is not None and turn >= self._root._until:
            raise StopRun("the question was found")
        return Completion(text=ANSWER)

    def branch(self, name: str) -> "Probe":
        """A line of its own."""
        return Probe(probe=self._root)

    def by_turn(self) -> list[list[Question]]:
        """What was asked in each turn, up to the last."""
        turns: list[list[Question]] = [[] for _ in range(self.turn + 1)]
        for question in self.questions:
            turns[question.turn].append(question)
        return turns


@attrs.frozen(eq=False)
class Probed(Agent):
    """Plays uniformly at random, and puts each decision to ``agent`` before."""

    agent: Agent
    probe: Probe

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down in its place; its random numbers are its own, so that both draw as they would alone."""
        return _ProbedPlayer(self.agent.join(attrs.evolve(seat, completions=self.probe)), self.probe, seat)


class _ProbedPlayer(PlayerAgent):
    def __init__(self, mind: PlayerAgent, probe: Probe, seat: Seat) -> None:
        self._mind = mind
        self._probe = probe
        self._seat = seat

    async def act(self, decision: Decision) -> Turn:
        """Let the agent ask, and play at random."""
        self._probe.turn = decision.turn
        try:
            await acted(self._mind, decision)
        except StopRun:
            raise
        except Exception as error:  # it is reported where it plays; what it had asked until then counts
            self._probe.failure = error
        return Reply(action=decision.sample(self._seat.rng))

    def left(self) -> None:
        """Let it go."""
        self._mind.left()


async def asked_by_player(work: Work, plan: MatchPlan, player: int, until: int | None = None) -> Probe:
    """All that the agent of ``player`` would ask in the match, its first try of each turn; or up to turn ``until``."""
    probe = Probe(until)
    parts: list[Agent] = [StandIn() for _ in plan.agents]
    parts[player] = Probed(work.agents[plan.agents[player]], probe)
    await rehearse(work, plan, parts)
    return probe


async def asked_by_judge(metric: Metric, record: MatchRecord, game: Game) -> list[Question]:
    """All that the judge of ``metric`` would ask about a match if it could read none of the answers."""
    probe = Probe()
    # A judge that fails is reported where it judges; what it had asked until then counts.
    with suppress(Exception):
        await metric.examine(record, game, probe)
    return probe.questions
