"""What an agent gets instead of a raw backend: completions that are written down first and never asked twice.

A completion has a scope in its match, ``player/turn/try/branch…/number``. If the journal knows the scope, its answer is
given; the request must then be the same as the one recorded, or ``ReplayMismatch`` says what has changed. If not, the
cache that runs share is looked into, then the backend is asked, with retries and back-off; either way the answer is
made durable before the agent sees it.
"""

import asyncio
from collections.abc import Mapping
from typing import Protocol

import attrs

from arena.agent import Completions
from arena.backend import Backend, Completion, CompletionRequest
from arena.connections import Connections
from arena.errors import ArenaError, BackendError, JournalError, ReplayMismatch, RuleError, StopRun
from arena.executor import Answer, Desk
from arena.wire import completion_from_text, completion_text, difference, hash_of, request_text


class Clock(Protocol):
    """A deadline that can be moved: time spent in our own queues is not the agent's."""

    def extend(self, seconds: float) -> None:
        """Move the deadline."""
        ...


class Line(Completions):
    """The completions of one player in one match, or of one judge.

    ``place`` is the turn and try, set by whoever asks; numbers start again in each. ``known`` are the answers of an
    earlier attempt by scope; once a try is known to have run out of time (``is_cut_off``), a completion that is not
    among them is where it was cut off. ``failure`` is what kept a completion from coming: whoever asks raises it again,
    should the agent have swallowed it.
    """

    def __init__(
        self, desk: Desk, connections: Connections, match: str, known: Mapping[str, Answer], owner: int | str
    ) -> None:
        self._desk = desk
        self._connections = connections
        self._match = match
        self._known = known
        self._owner = owner
        self._counters: dict[str, int] = {}
        self._busy: set[str] = set()
        self.place: tuple[int, int] | None = None
        self.is_cut_off = False
        self.clock: Clock | None = None
        self.failure: ArenaError | None = None

    @property
    def prefix(self) -> str:
        """Where all scopes of this try begin."""
        if self.place is None:
            return f"{self._owner}/join"
        return f"{self._owner}/{self.place[0]}/{self.place[1]}"

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Ask on the main branch."""
        return await self.ask("", backend, request)

    def branch(self, name: str) -> "Branch":
        """Completions numbered on their own under ``name``."""
        return Branch(self, f"{name}/")

    def take_scope(self, branch: str) -> str:
        """The next scope on a branch."""
        path = f"{self.prefix}/{branch}"
        number = self._counters.get(path, 0)
        self._counters[path] = number + 1
        return f"{path}{number}"

    async def ask(self, branch: str, backend: Backend, request: CompletionRequest) -> Completion:
        """Ask on a branch; one call at a time."""
        if branch in self._busy:
            where = f"branch {branch.rstrip('/')!r}" if branch else "the main branch"
            raise RuleError(f"two completions in flight on {where}; take completions.branch(name) for each")
        scope = self.take_scope(branch)
        self._busy.add(branch)
        try:
            return await self._answer(scope, backend, request)
        except (BackendError, JournalError, StopRun) as failure:
            self.failure = failure
            raise
        finally:
            self._busy.discard(branch)

    async def _answer(self, scope: str, backend: Backend, request: CompletionRequest) -> Completion:
        request = attrs.evolve(request, sampling=backend.complete_sampling(request.sampling))
        text = request_text(backend, request)
        request_hash = hash_of(text)
        if answer := self._known.get(scope):
            return self._recorded(answer, backend, request, text, request_hash)
        if self.is_cut_off:
            raise asyncio.CancelledError
        cache = self._connections.cache
        key = cache.key(backend, request, self._match, scope) if cache else ""
        found = await cache.find(key) if cache else None
        completion = found or await self._connections.complete(backend, request, self.clock)
        await self._desk.keep(
            Answer(
                match=self._match,
                scope=scope,
                kind="cached" if found else "completion",
                request_hash=request_hash,
                request=text,
                value=completion_text(completion),
                prompt_tokens=completion.usage.prompt_tokens,
                completion_tokens=completion.usage.completion_tokens,
                cost_usd=completion.cost_usd,
            )
        )
        if cache and not found and completion.finish_reason != "context-length":  # another server may take more
            await cache.keep(key, backend, completion)
        self._tell(backend, request, completion, is_cached=found is not None)
        return completion

    def _recorded(
        self, answer: Answer, backend: Backend, request: CompletionRequest, text: str, request_hash: str
    ) -> Completion:
        if answer.request_hash != request_hash:
            changed = difference(answer.request, text)
            raise ReplayMismatch(
                f"match {self._match!r}, {answer.scope}: the recorded answer belongs to another request; {changed}; "
                "use the plugins and prompts this run was started with, or start a new run"
            )
        completion = completion_from_text(answer.value)
        self._tell(backend, request, completion, is_replayed=True)
        return completion

    def _tell(
        self,
        backend: Backend,
        request: CompletionRequest,
        completion: Completion,
        *,
        is_replayed: bool = False,
        is_cached: bool = False,
    ) -> None:
        if "completion_received" in self._desk.heard:
            self._desk.hooks.completion_received(
                backend=str(backend),
                request=request,
                completion=completion,
                is_replayed=is_replayed,
                is_cached=is_cached,
            )


class Branch(Completions):
    """One of several lines of questions that an agent asks at the same time."""

    def __init__(self, line: Line, path: str) -> None:
        self._line = line
        self._path = path

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        """Ask on this branch."""
        return await self._line.ask(self._path, backend, request)

    def branch(self, name: str) -> "Branch":
        """A branch of this branch."""
        return Branch(self._line, f"{self._path}{name}/")
