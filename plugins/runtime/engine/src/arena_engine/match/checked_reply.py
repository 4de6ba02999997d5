"""Checks what an agent hands to the referee, once; agents and the match share nothing that either could change."""

from typing import Any, Final, NoReturn

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, Reply, Response, Seat
from arena.calls import Caller
from arena.errors import BackendError, ConfigError, JournalError, PluginError, StopRun
from arena.game import Decision, Illegal, Rejected
from arena.options import unshared
from arena.record import JSON, RefusalKind, canonical_json

from arena_engine.match.values import plain_copy, shown
from arena_engine.match.worker_messages import WorkerLost
from arena_engine.running.plugin_calls import call_of

_NOT_ITS_OWN: Final = (StopRun, JournalError, BackendError, ConfigError, PluginError, WorkerLost)
"""Errors that an agent passes on from its seat, and those that say already whose fault they are."""

UNCHANGING: Final = (str, int)
"""The types of actions that nobody can change, so that they need no copy."""


LONGEST_REASON: Final = 500
"""The most characters of the reason of a refusal."""

_LONGEST_ACTION: Final = 2_000
"""The most characters of a refused action, as JSON, that a record holds whole; the answer itself is kept elsewhere."""


def checked_response(name: str, response: Any) -> Response:
    """The response of an agent, with copies of its action and note; ``PluginError`` says what cannot be taken.

    ``name`` is the agent's in the benchmark.
    """
    if isinstance(response, Reply):
        if type(response.action) in UNCHANGING and response.note is None and type(response.reasoning) is str:
            return response
        _expect_text(name, "reasoning", response.reasoning)
        action, note = plain(name, "the action", response.action), plain(name, "the note", response.note)
        return attrs.evolve(response, action=action, note=note)
    if not isinstance(response, Refusal):
        raise PluginError(f"agent {name!r}: act returned {shown(response)}; expected a Reply or a Refusal")
    if not isinstance(response.kind, RefusalKind):  # pyright: ignore[reportUnnecessaryIsInstance]  # a plugin made it
        raise PluginError(f"agent {name!r}: it refuses with the kind {shown(response.kind)}; expected a RefusalKind")
    for field in ("reason", "text", "reasoning"):
        _expect_text(name, field, getattr(response, field))
    return response if response.note is None else attrs.evolve(response, note=plain(name, "the note", response.note))


def rejection(asked: Decision, response: Response, illegal: Illegal | None) -> tuple[Rejected, dict[str, JSON]]:
    """What the player is told of an answer that is not played, and what the record says of it."""
    if isinstance(response, Refusal):
        rejected = Rejected(str(response.kind), _cut(response.reason))
        kind, said = response.kind, {"text": response.text} if response.text else {}
    else:
        assert illegal is not None  # a reply is refused because it is illegal
        rejected = Rejected(illegal.kind, _cut(illegal.reason), unshared(response.action))
        kind, said = RefusalKind.ILLEGAL, {"rule": rejected.kind, **_written(response.action)}
    told: dict[str, JSON] = {"kind": str(kind), "reason": rejected.reason, "turn": asked.turn, "try": asked.attempt}
    return rejected, told | said


def _cut(reason: str) -> str:
    """The reason of a refusal in at most 500 characters: its beginning and its end, and how much there was."""
    if len(reason) <= LONGEST_REASON:
        return reason
    told = f" … ({len(reason):,} characters in all) … "
    end = (LONGEST_REASON - len(told)) // 3
    return reason[: LONGEST_REASON - len(told) - end] + told + reason[-end:]


def _written(action: JSON) -> dict[str, JSON]:
    """A refused action, or the beginning of one that is very long."""
    text = canonical_json(action)
    if len(text) <= _LONGEST_ACTION:
        return {"action": action}
    return {"text": text[:_LONGEST_ACTION] + " …"}


def thought(name: str, reasoning: Any, note: Any) -> dict[str, Any]:
    """What an agent gave beside an action, a refusal or a query, as far as it gave anything; errors as above."""
    said = {"reasoning": reasoning} if _expect_text(name, "reasoning", reasoning) else {}
    return said if note is None else {**said, "note": plain(name, "the note", note)}


def joined(name: str, agent: Agent, seat: Seat, here: Caller) -> PlayerAgent:
    """Let an agent join a match in the thread ``here``; ``PluginError`` if that fails or makes no ``PlayerAgent``."""
    here.call = call_of("agent", name, type(agent).join)
    try:
        player: Any = agent.join(seat)
    except Exception as error:
        blame(name, f"join as player {seat.player}", error)
    finally:
        here.call = None
    if not isinstance(player, PlayerAgent):
        raise PluginError(f"agent {name!r}: join returned {shown(player)}; expected a PlayerAgent")
    return player


def plain(name: str, what: str, value: Any) -> Any:
    """A copy of a JSON value from an agent; ``PluginError`` if it is none."""
    if value is None:
        return None
    try:
        return plain_copy(value)
    except ValueError as fault:
        raise PluginError(f"agent {name!r}: {what} {shown(value)} is no JSON value: {fault}") from None


def blame(name: str, what: str, error: Exception) -> NoReturn:
    """Raise an error that came out of an agent: as a ``PluginError`` that names the agent, if it is its own."""
    if isinstance(error, _NOT_ITS_OWN):
        raise error
    raise PluginError(f"agent {name!r}: {what} raised {type(error).__name__}: {error}") from error


def _expect_text(name: str, field: str, value: object) -> str:
    """A text of an agent's answer; ``PluginError`` if it is none."""
    if not isinstance(value, str):
        raise PluginError(f"agent {name!r}: the {field} of its answer is {shown(value)}; expected a text")
    return value
