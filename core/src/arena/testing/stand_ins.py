"""Agents and backends that are functions, so that a test can say in a line what they do."""

import inspect
from collections.abc import Awaitable, Callable, Sequence

import attrs

from arena.agent import Agent, PlayerAgent, Reply, Seat, Turn
from arena.backend import IMAGES, OFFLINE, Backend, Completion, CompletionRequest, Connection, Usage
from arena.errors import BackendError, RuleError
from arena.game import Decision, Picture
from arena.record import JSON


@attrs.frozen
class FunctionAgent(Agent):
    """Plays what ``choose(decision, seat)`` returns: a ``Reply`` or ``Refusal``, or an awaitable of one."""

    choose: Callable[[Decision, Seat], Turn | Awaitable[Turn]]

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down."""
        return _FunctionPlayer(self.choose, seat)


@attrs.frozen
class _FunctionPlayer(PlayerAgent):
    choose: Callable[[Decision, Seat], Turn | Awaitable[Turn]]
    seat: Seat

    async def act(self, decision: Decision) -> Turn:
        turn = self.choose(decision, self.seat)
        return await turn if inspect.isawaitable(turn) else turn


RANDOM = FunctionAgent(lambda decision, seat: Reply(action=decision.sample(seat.rng)))
"""Plays random legal actions."""


def playing(*actions: JSON) -> Agent:
    """An agent that plays ``actions`` one after another, the same again after a refusal; asked for more, it fails."""

    def choose(decision: Decision, seat: Seat) -> Turn:
        if decision.turn >= len(actions):
            raise RuleError(f"player {seat.player} is asked for action {decision.turn} and was given {len(actions)}")
        return Reply(action=actions[decision.turn])

    return FunctionAgent(choose)


@attrs.frozen(kw_only=True)
class FunctionBackend(Backend):
    """Answers what ``answer(request)`` returns: a text, a whole ``Completion``, or an awaitable of one.

    A text is cut after ``max_tokens`` words. ``can`` are the capabilities it claims; pictures are refused unless
    ``images`` is among them. Raise ``BackendError`` in ``answer`` for what is not an answer.
    """

    answer: Callable[[CompletionRequest], str | Completion | Awaitable[str | Completion]]
    can: frozenset[str] = frozenset({OFFLINE})

    def able(self) -> frozenset[str]:
        """What it claims."""
        return self.can

    async def connect(self) -> Connection:
        """Nothing has to be reached."""
        return _FunctionConnection(self)


@attrs.frozen
class _FunctionConnection(Connection):
    backend: FunctionBackend

    async def complete(self, request: CompletionRequest) -> Completion:
        if IMAGES not in self.backend.can and any(isinstance(p, Picture) for m in request.messages for p in m.parts):
            raise BackendError("this backend takes no pictures")
        answer = self.backend.answer(request)
        if inspect.isawaitable(answer):
            answer = await answer
        return answer if isinstance(answer, Completion) else _completed(answer, request)


def _completed(text: str, request: CompletionRequest) -> Completion:
    asked, said, limit = " ".join(m.text for m in request.messages).split(), text.split(), request.sampling.max_tokens
    is_cut = limit is not None and len(said) > limit
    usage = Usage(prompt_tokens=len(asked), completion_tokens=min(len(said), limit or len(said)))
    return Completion(
        text=" ".join(said[:limit]) if is_cut else text,
        finish_reason="length" if is_cut else "stop",
        usage=usage,
        model="function",
    )


@attrs.frozen(kw_only=True)
class ScriptedBackend(FunctionBackend):
    """Gives what it was given, in turn and round again, and knows what it was asked; ``answering`` makes it."""

    script: "Script"

    @property
    def requests(self) -> list[CompletionRequest]:
        """What was asked, in order."""
        return self.script.requests


def answering(*answers: str | Completion | Exception) -> ScriptedBackend:
    """A backend that gives ``answers``, one after another and round again; ``requests`` is what it was asked.

    A text is cut after ``max_tokens`` words, a ``Completion`` is given as it is, an exception (a ``BackendError``,
    say) is raised.
    """
    script = Script(answers)
    return ScriptedBackend(answer=script, script=script)


@attrs.define(eq=False)
class Script:
    """Answers in their order, and what was asked so far."""

    answers: Sequence[str | Completion | Exception]
    requests: list[CompletionRequest] = attrs.field(factory=list[CompletionRequest])

    def __call__(self, request: CompletionRequest) -> str | Completion:
        """The answer whose turn it is."""
        self.requests.append(request)
        answer = self.answers[(len(self.requests) - 1) % len(self.answers)]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def __repr__(self) -> str:
        return f"answering{tuple(self.answers)!r}"
