"""Agents and backends made of functions, so that a test can define one in a line."""

import inspect
from collections.abc import Awaitable, Callable, Sequence

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Response, Seat
from arena.backend import IMAGES, OFFLINE, Backend, Completion, CompletionRequest, Connection, Usage
from arena.errors import RequestRejected, RuleError
from arena.game import Decision, Image
from arena.record import JSON


@attrs.frozen
class FunctionAgent(Agent):
    """An agent that plays what ``choose(decision, seat)`` returns.

    ``choose`` returns a ``Reply`` or ``Refusal``, or an awaitable of one.
    """

    choose: Callable[[Decision, Seat], Response | Awaitable[Response]]

    def join(self, seat: Seat) -> PlayerAgent:
        return _FunctionPlayer(self.choose, seat)


@attrs.frozen
class _FunctionPlayer(PlayerAgent):
    choose: Callable[[Decision, Seat], Response | Awaitable[Response]]
    seat: Seat

    async def act(self, decision: Decision) -> Response:
        turn = self.choose(decision, self.seat)
        return await turn if inspect.isawaitable(turn) else turn


RANDOM = FunctionAgent(lambda decision, seat: Reply(action=decision.sample(seat.rng)))
"""An agent that plays random legal actions."""


def playing(*actions: JSON) -> Agent:
    """An agent that plays ``actions`` in order, repeats one that is refused, and raises when none is left."""

    def choose(decision: Decision, seat: Seat) -> Response:
        if decision.turn >= len(actions):
            raise RuleError(f"player {seat.player} is asked for action {decision.turn} and was given {len(actions)}")
        return Reply(action=actions[decision.turn])

    return FunctionAgent(choose)


@attrs.frozen(kw_only=True)
class FunctionBackend(Backend):
    """A backend that answers with ``answer(request)``: a text, a ``Completion``, or an awaitable of one.

    A text is cut after ``max_tokens`` words. ``can`` are the capabilities that it claims; images are rejected unless
    ``images`` is among them. ``answer`` may raise a ``BackendError``.
    """

    answer: Callable[[CompletionRequest], str | Completion | Awaitable[str | Completion]]
    can: frozenset[str] = frozenset({OFFLINE})

    def supports(self) -> frozenset[str]:
        return self.can

    async def connect(self) -> Connection:
        return _FunctionConnection(self)


@attrs.frozen
class _FunctionConnection(Connection):
    backend: FunctionBackend

    async def complete(self, request: CompletionRequest) -> Completion:
        if IMAGES not in self.backend.can and any(isinstance(p, Image) for m in request.messages for p in m.parts):
            raise RequestRejected("this backend takes no pictures")
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
    """A backend that returns fixed answers in turn, starting over at the end; made by ``answering``."""

    script: "Script"

    @property
    def requests(self) -> list[CompletionRequest]:
        """All requests so far, in order."""
        return self.script.requests


def answering(*answers: str | Completion | Exception) -> ScriptedBackend:
    """A backend that returns ``answers`` in turn, starting over at the end; ``requests`` are what it was asked.

    A text is cut after ``max_tokens`` words, a ``Completion`` is returned unchanged, an exception (such as a
    ``BackendError``) is raised.
    """
    script = Script(answers)
    return ScriptedBackend(answer=script, script=script)


@attrs.define(eq=False)
class Script:
    """A list of answers that are given in turn, and the requests received so far."""

    answers: Sequence[str | Completion | Exception]
    requests: list[CompletionRequest] = attrs.field(factory=list[CompletionRequest])

    def __call__(self, request: CompletionRequest) -> str | Completion:
        """Return the next answer, or raise it if it is an exception."""
        self.requests.append(request)
        answer = self.answers[(len(self.requests) - 1) % len(self.answers)]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def __repr__(self) -> str:
        return f"answering{tuple(self.answers)!r}"
