"""Captures the requests that agents and judges would send to models, without sending them.

A match is played at random. Before each move of one player its agent is asked for the decision, and each of its
requests is answered with ``ANSWER``. If a later request repeats that placeholder, as the transcript of a conversation
does, it stands for the words that a model will have written there.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Final, Protocol, runtime_checkable

import attrs
from arena.agent import Agent, Completions, PlayerAgent, Reply, Response, Seat
from arena.backend import Backend, Completion, CompletionRequest
from arena.errors import StopRun
from arena.game import Decision, Game
from arena.metric import FinishedMatch, Metric
from arena.record import MatchPlan, MatchRecord, canonical_json

from arena_engine.job.executor import Job
from arena_engine.match.opening import call_agent, close_agent
from arena_engine.match.simulation import RandomAgent, simulate

ANSWER: Final = "⟦answer⟧"
"""The placeholder for what a model will have written."""

CHARACTERS: Final = 4.0
"""Characters per token, roughly, in English prose."""

_ABBREVIATION: Final = re.compile(r"\b[A-Z]{2,3}\b")

PERIOD: Final = "period"
"""The form of observation that names the part of a match, such as a year or a round, where a game has one."""


@runtime_checkable
class MeasuredParts(Protocol):
    """The parts of a request, if an agent tells their texts apart."""

    @property
    def texts(self) -> Mapping[str, str]:
        """The text of each part as it stands in the messages, by its name."""
        ...


@lru_cache(maxsize=1 << 14)  # a transcript sends the same messages again and again
def tokens_of(text: str) -> float:
    """The tokens of a text, roughly: one for four characters, and one more for each word of two or three capitals.

    Models know few such abbreviations as one token, so that lists of them have half as many tokens again as prose has.
    """
    return len(text) / CHARACTERS + len(_ABBREVIATION.findall(text))


@attrs.frozen(kw_only=True)
class CapturedTurn:
    """A turn in which requests were captured: its phase, the part of the match, and the tokens of its random action."""

    phase: str
    period: str
    action_tokens: float


@attrs.frozen(kw_only=True)
class CapturedRequest:
    """A request that was not sent, and the turn it belongs to.

    ``is_first`` says that it is the first of its branch in that turn.
    """

    backend: Backend
    request: CompletionRequest
    turn: int
    is_first: bool

    def tokens(self, answer: float) -> float:
        """The estimated number of tokens sent, if each repeated answer has ``answer`` tokens."""
        return sum(_tokens(message.text, answer) for message in self.request.messages)

    def reused_tokens(self, before: "CapturedRequest | None", answer: float) -> float:
        """The estimated tokens that it shares with the request ``before`` it, from the first one on.

        The first request of a match shares its system message with those of other matches.
        """
        messages = self.request.messages
        if before is None:
            return sum(_tokens(message.text, answer) for message in messages[:1] if message.role == "system")
        found = 0.0
        for own, other in zip(messages, before.request.messages, strict=False):
            if own != other:
                return found + _tokens(_same_beginning(own.text, other.text), answer)
            found += _tokens(own.text, answer)
        return found

    def parts(self) -> Mapping[str, float]:
        """The tokens of each part of the prompt, as far as the agent tells its text."""
        parts: object = self.request.parts
        return {name: tokens_of(text) for name, text in parts.texts.items()} if isinstance(parts, MeasuredParts) else {}


def _tokens(text: str, answer: float) -> float:
    """The tokens of a text, roughly, if each answer that it repeats has ``answer`` of them."""
    return tokens_of(text.replace(ANSWER, "")) + text.count(ANSWER) * answer


def _same_beginning(one: str, other: str) -> str:
    differs = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return min(one, other, key=len) if differs is None else one[:differs]


class CapturedCompletions(Completions):
    """Records requests instead of sending them; the first one in turn ``until`` or later ends the simulation.

    ``turn`` and ``turns`` are set by the player. ``failure`` is the agent's last exception. A branch records in its
    ``root``.
    """

    def __init__(self, until: int | None = None, root: "CapturedCompletions | None" = None) -> None:
        self.requests: list[CapturedRequest] = [] if root is None else root.requests
        self.turn = 0
        self.turns: dict[int, CapturedTurn] = {}
        self.failure: Exception | None = None
        self._root = root or self
        self._until = until
        self._last_turn = -1

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Record the request and return a placeholder instead of asking the model."""
        turn = self._root.turn
        asked = attrs.evolve(request, sampling=backend.with_defaults(request.sampling))
        is_first, self._last_turn = turn != self._last_turn, turn
        self.requests.append(CapturedRequest(backend=backend, request=asked, turn=turn, is_first=is_first))
        if self._root._until is not None and turn >= self._root._until:
            raise StopRun("the question was found")
        return Completion(text=ANSWER)

    def branch(self, name: str) -> "CapturedCompletions":
        return CapturedCompletions(root=self._root)

    def by_turn(self) -> list[list[CapturedRequest]]:
        """The requests of each turn, up to the last one."""
        turns: list[list[CapturedRequest]] = [[] for _ in range(self.turn + 1)]
        for request in self.requests:
            turns[request.turn].append(request)
        return turns


@attrs.frozen(eq=False)
class CapturingAgent(Agent):
    """Plays uniformly at random, but asks ``agent`` for each decision first, so that its requests are captured."""

    agent: Agent
    captured: CapturedCompletions

    def join(self, seat: Seat) -> PlayerAgent:
        # The copy of the seat has its own random generator: both agents draw as they would alone.
        return _CapturingPlayer(self.agent.join(attrs.evolve(seat, completions=self.captured)), self.captured, seat)


class _CapturingPlayer(PlayerAgent):
    def __init__(self, agent: PlayerAgent, captured: CapturedCompletions, seat: Seat) -> None:
        self._agent = agent
        self._captured = captured
        self._seat = seat

    async def act(self, decision: Decision) -> Response:
        self._captured.turn = decision.turn
        try:
            await call_agent(self._agent, decision)
        except StopRun:
            raise
        except Exception as error:  # reported when it really plays; its requests until then count
            self._captured.failure = error
        action = decision.sample(self._seat.rng)
        self._captured.turns[decision.turn] = CapturedTurn(
            phase=decision.phase, period=_period(decision), action_tokens=tokens_of(canonical_json(action))
        )
        return Reply(action=action)

    async def close(self) -> None:
        await close_agent(self._agent)


async def requests_of_player(job: Job, plan: MatchPlan, player: int, until: int | None = None) -> CapturedCompletions:
    """The requests of a player's agent in one match, for the first try of each turn; at most up to turn ``until``."""
    captured = CapturedCompletions(until)
    agents: list[Agent] = [RandomAgent() for _ in plan.agents]
    agents[player] = CapturingAgent(job.agents[plan.agents[player]], captured)
    await simulate(job, plan, agents)
    return captured


async def requests_by_player(
    job: Job, plan: MatchPlan, name: str, players: Iterable[int]
) -> Mapping[int, CapturedCompletions]:
    """The requests of an agent as each of several players, in one match in which it is asked as all of them."""
    captured = {player: CapturedCompletions() for player in players}
    agents = [
        CapturingAgent(job.agents[name], captured[player]) if player in captured else RandomAgent()
        for player in range(len(plan.agents))
    ]
    await simulate(job, plan, agents)
    return captured


def _period(decision: Decision) -> str:
    """The part of the match, in the game's own words; empty in games that name none."""
    shown = decision.render(PERIOD) if PERIOD in decision.forms else ""
    return shown if isinstance(shown, str) else shown.alt


async def requests_of_judge(metric: Metric, record: MatchRecord, game: Game) -> list[CapturedRequest]:
    """The requests that the judge of ``metric`` would send for a match if it could parse none of the answers."""
    captured = CapturedCompletions()
    # A judge that fails is reported when it really judges; its requests until then count.
    with suppress(Exception):
        await metric.judge(FinishedMatch(record, game), captured)
    return captured.requests
