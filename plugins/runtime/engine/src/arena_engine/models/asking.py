"""Asks a backend, and checks what it hands over, once: a connection, then completions that hold no secret."""

import math
import traceback
from abc import abstractmethod
from functools import lru_cache
from typing import Any

from arena.backend import Backend, Completion, CompletionRequest, Connection, ToolCall, Usage
from arena.calls import PluginCall
from arena.errors import ArenaError, PluginError

from arena_engine.foundation.json_values import json_fault, shown
from arena_engine.foundation.redaction import Redactor
from arena_engine.job.plugin_calls import asking, awaiting
from arena_engine.journal.usage import Call
from arena_engine.models.keys import check_keys
from arena_engine.models.proxies import spare_loopback


async def connected(backend: Backend) -> Connection:
    """Open a connection, unless it would send a key where nobody has agreed to that, which is a ``ConfigError``.

    ``PluginError`` if that raises anything but errors of Arena, or gives no connection.
    """
    spare_loopback()
    check_keys(backend)
    try:
        with awaiting(_call(asking(), type(backend).connect)):
            connection: Any = await backend.connect()
    except ArenaError:
        raise
    except Exception as error:
        raise _raised(backend, "connect", error) from None
    if not isinstance(connection, Connection):
        raise PluginError(f"{_named(backend)}: connect returned {shown(connection)}; expected a Connection")
    return connection


class CallConnection(Connection):
    """A connection of the engine's own, which has to know for which call it is asked."""

    @abstractmethod
    async def complete_call(self, call: Call, request: CompletionRequest) -> Completion:
        """Answer a request, as ``complete`` does."""


async def completed(
    backend: Backend, connection: Connection, request: CompletionRequest, call: Call | None = None
) -> Completion:
    """Send a request once, for a ``call`` if it is one of a run.

    ``PluginError`` if that raises anything but errors of Arena, or gives no completion.
    """
    try:
        with awaiting(_call(asking(), type(connection).complete)):
            if call is not None and isinstance(connection, CallConnection):
                answer: Any = await connection.complete_call(call, request)
            else:
                answer = await connection.complete(request)
    except (ArenaError, TimeoutError):
        raise
    except Exception as error:
        raise _raised(backend, "complete", error) from None
    if not isinstance(answer, Completion):
        raise PluginError(f"{_named(backend)}: complete returned {shown(answer)}; expected a Completion")
    if fault := _fault(answer):
        raise PluginError(f"{_named(backend)}: {fault}")
    return Redactor.of((backend,), shows_names=False).completion(answer)


async def closed(connection: Connection) -> None:
    """Close a connection; whatever that raises passes."""
    with awaiting(_call(asking(), type(connection).close)):
        await connection.close()


@lru_cache(maxsize=1 << 10)
def _call(outer: PluginCall | None, function: object) -> PluginCall:
    """A call of a backend, which belongs to whoever asks it."""
    if outer is None or not outer.name:
        return PluginCall("backend", "", function)
    kind = outer.kind if outer.kind.startswith("backend") else f"backend of {outer.kind}"
    return PluginCall(kind, outer.name, function)


def _fault(answer: Completion) -> str | None:
    texts: list[tuple[str, object]] = [("text", answer.text), ("reasoning", answer.reasoning), ("model", answer.model)]
    texts += [("unread part", answer.received)]
    texts += [("fingerprint", answer.fingerprint)] if answer.fingerprint is not None else []
    if not all(isinstance(call, ToolCall) for call in answer.tool_calls):  # pyright: ignore[reportUnnecessaryIsInstance]
        return f"the tool calls of its answer are {shown(answer.tool_calls)}; expected ToolCall"
    for call in answer.tool_calls:
        texts += [("id of a tool call", call.id), ("name of a tool call", call.name), ("arguments", call.arguments)]
    for name, text in texts:
        if not isinstance(text, str):
            return f"the {name} of its answer is {shown(text)}; expected a text"
    if not isinstance(answer.usage, Usage):  # pyright: ignore[reportUnnecessaryIsInstance]  # a plugin made it
        return f"the usage of its answer is {shown(answer.usage)}; expected a Usage"
    if answer.logprobs is not None and (fault := json_fault(answer.logprobs, "logprobs")):
        return f"the log probabilities of its answer are no JSON value: {fault}"
    waited: Any = answer.first_token_s
    if waited is not None and not (isinstance(waited, int | float) and 0 <= waited < math.inf):
        return f"the seconds to the first token of its answer are {shown(waited)}; expected a number from 0 on"
    return None


def _raised(backend: Backend, what: str, error: Exception) -> PluginError:
    """The error to raise in place of one of the backend's own, whose text or frames may hold a secret."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    said = Redactor.of((backend,)).text(f"{what} raised {type(error).__name__}: {error}")
    return PluginError(f"{_named(backend)}: {said} (at {place.filename}:{place.lineno})")


def _named(backend: Backend) -> str:
    return f"backend {type(backend).__name__!r}"
