"""One try of a turn in an open seat: what is asked, what was said, and what came of it."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs
from arena.game import Decision
from arena.record import canonical_json

Message: TypeAlias = Mapping[str, Any]
"""A request of the server, as JSON."""


class NoAnswer(Exception):
    """A message that gets no answer: the status that HTTP has for it, what is wrong, and what to do."""

    def __init__(self, status: int, what: str, remedy: str = "", where: str = "turn") -> None:
        super().__init__(what)
        self.to_json = {"status": status, "where": where, "what": what, "remedy": remedy}


@attrs.define(eq=False)
class Given:
    """An answer that came for a try: what was said, and what came of it once that is known."""

    said: str
    outcome: "asyncio.Future[Any]" = attrs.field(factory=lambda: asyncio.get_running_loop().create_future())

    def settle(self, outcome: Any) -> None:
        """Tell whoever gave the answer what came of it, once."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


@attrs.define(eq=False)
class SeatTry:
    """A try that is asked: its decision, the news of its turn, when it began, and since when an answer is awaited."""

    decision: Decision
    news: list[dict[str, Any]]
    looked_up: Counter[str]
    began: float = attrs.field(factory=lambda: asyncio.get_running_loop().time())
    since: float = 0.0
    checks: int = 0
    free_look_ups: list[str] = attrs.field(factory=list[str])
    given: "asyncio.Future[Any] | None" = None
    found: "asyncio.Future[Any] | None" = None

    @property
    def number(self) -> tuple[int, int]:
        """Its turn and its place among the tries of the turn."""
        return self.decision.turn, self.decision.attempt

    @property
    def is_open(self) -> bool:
        """Whether an answer is waited for."""
        return self.given is not None and not self.given.done()


def answered(turn: int) -> NoAnswer:
    """What is said where a turn is not asked any more."""
    return NoAnswer(409, f"turn {turn} has been answered", "ask for the next turn")


def words_of(message: Message) -> str:
    """What an answer says, by which two are told apart."""
    return canonical_json({name: message[name] for name in ("action", "reasoning", "note")})
