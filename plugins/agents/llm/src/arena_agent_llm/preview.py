"""The first request of an agent, made without asking anybody."""

from arena.agent import Agent, Completions, Seat
from arena.backend import Backend, Completion, CompletionRequest
from arena.game import Decision


class _Captured(Exception):
    """Carries the request out of ``act``."""

    def __init__(self, request: CompletionRequest) -> None:
        super().__init__()
        self.request = request


class Capture(Completions):
    """Completions that stop the agent at its first request, on whatever branch."""

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Carry the request to ``first_request``."""
        raise _Captured(request)

    def branch(self, name: str) -> Completions:
        """The same for every branch."""
        return self


async def first_request(agent: Agent, seat: Seat, decision: Decision) -> CompletionRequest | None:
    """What ``agent`` would send for ``decision``; ``None`` where it decides without a model.

    The seat's completions are exchanged, so nothing is asked or paid for; do not use the seat afterwards.
    """
    seat.completions = Capture()
    turn = agent.join(seat).act(decision)
    try:
        if hasattr(turn, "__await__"):
            await turn  # type: ignore[misc]  # checked in the line above
    except _Captured as captured:
        return captured.request
    return None
