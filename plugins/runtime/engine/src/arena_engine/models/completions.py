"""Gives agents completions that are written to the journal before they are returned, so a resumed run never asks twice.

A completion has a scope in its match, ``player/turn/try/branch…/number``. If the journal has an entry for the scope,
its completion is returned, provided the request is the recorded one; otherwise ``ReplayMismatch`` says what changed. If
the journal has none, the cache shared between runs is looked up and then the backend asked, with retries; the
completion is durable before the agent gets it.
"""

import asyncio
from collections.abc import Callable, Mapping

from arena.agent import Completions
from arena.backend import Backend, Completion, CompletionRequest
from arena.errors import ArenaError, BackendError, JournalError, ReplayMismatch, RuleError, StopRun

from arena_engine.foundation.run_log import SILENT, RunLog, backend_name
from arena_engine.job.context import RunContext
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call, count
from arena_engine.models.pool import BackendPool, Deadline
from arena_engine.models.request_text import (
    completion_from_text,
    completion_text,
    escaped_completion,
    explain_difference,
    hashed_request_text,
)


class RecordedCompletions(Completions):
    """The completions of one player in one match, or of one judge.

    ``position`` is the turn and try, set by the player; completions are numbered from 0 in each. ``known`` are the
    entries of an earlier attempt by scope. If the journal says that this try ran out of time (``timed_out_here``), a
    completion without an entry is cancelled, as it was then. ``failure`` is the last error of a completion: the player
    raises it again in case the agent has swallowed it.
    """

    def __init__(
        self,
        context: RunContext,
        connections: BackendPool,
        match: str,
        known: Mapping[str, JournalEntry],
        owner: int | str,
        log: RunLog = SILENT,
    ) -> None:
        self._context = context
        self._connections = connections
        self._match = match
        self._known = known
        self._owner = owner
        self._log = log
        self._counters: dict[str, int] = {}
        self._busy: set[str] = set()
        self.position: tuple[int, int] | None = None
        self.timed_out_here = False
        self.deadline: Deadline | None = None
        self.failure: ArenaError | None = None

    @property
    def prefix(self) -> str:
        """The prefix of all scopes in this try: ``player/turn/try``, or ``player/join`` before the first turn."""
        if self.position is None:
            return f"{self._owner}/join"
        return f"{self._owner}/{self.position[0]}/{self.position[1]}"

    @property
    def is_busy(self) -> bool:
        """Whether a completion is in flight on some branch."""
        return bool(self._busy)

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        return await self.ask("", backend, request)

    def branch(self, name: str) -> "CompletionBranch":
        return CompletionBranch(lambda: self, f"{name}/")

    def take_scope(self, branch: str) -> str:
        """Return the next scope on a branch, and count it as used."""
        path = f"{self.prefix}/{branch}"
        number = self._counters.get(path, 0)
        self._counters[path] = number + 1
        return f"{path}{number}"

    async def ask(self, branch: str, backend: Backend, request: CompletionRequest) -> Completion:
        """Get a completion on a branch; ``RuleError`` if another one is in flight there."""
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
        sampling = backend.with_defaults(request.sampling)
        request = CompletionRequest(
            messages=request.messages,
            sampling=sampling,
            schema=request.schema,
            tools=request.tools,
            parts=request.parts,
            conversation=f"{self._match}/{self._owner}",
        )
        text, asked = hashed_request_text(backend, request)
        log = self._log.bind(scope=scope, backend=backend_name(backend))
        answer = self._known.get(scope)
        if answer and not (answer.is_doubtful and answer.request_hash != asked):
            log.call_replayed()
            return self._recorded(answer, backend, request, text, asked)
        if self.timed_out_here:
            raise asyncio.CancelledError
        cache = self._connections.cache
        key = cache.key(backend, request, self._match, scope) if cache else ""
        found = await cache.get(key) if cache else None
        call = Call.of(self._match, scope, backend, request)
        began = asyncio.get_running_loop().time()
        try:
            used = (
                count(found, call)
                if found
                else await self._connections.complete(backend, request, call, self.deadline, log)
            )
        except asyncio.CancelledError:
            log.call_cancelled()
            raise
        completion = used.completion if found else escaped_completion(used.completion)
        if used.doubt and not found:
            log.usage_estimated()
            self._context.warn(
                f"{type(backend).__name__} gives no count of tokens that can be true ({used.doubt}); they are "
                "estimated from above"
            )
        if used.counted == "larger" and not found:
            self._context.warn(
                f"{type(backend).__name__} tells a total of tokens that is not the sum of its parts; the larger is "
                "counted"
            )
        if completion.finish_reason == "unknown" and not found:
            said = f"says {completion.finish_word!r}" if completion.finish_word else "says nothing"
            self._context.warn(
                f"{type(backend).__name__} {said} of why an answer ended, and nobody knows whether it is whole; it is "
                "read if it is whole by its form"
            )
        await self._context.record(
            JournalEntry(
                match=self._match,
                scope=scope,
                kind="cached" if found else "completion",
                request_hash=asked,
                request=text,
                value=completion_text(completion),
                prompt_tokens=used.prompt_tokens,
                completion_tokens=used.completion_tokens,
                cost_usd=used.cost_usd,
                counted=used.counted,
            )
        )
        if cache and not found and completion.finish_reason != "context-length":  # another server may take more
            await cache.put(key, backend, completion)
        log.call_answered(
            source="cache" if found else "backend",
            finish_reason=completion.finish_reason,
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cost_usd=used.cost_usd,
            counted=used.counted,
            seconds=asyncio.get_running_loop().time() - began,
            first_token_s=completion.first_token_s,
        )
        self._tell(backend, request, completion, is_cached=found is not None)
        return completion

    def _recorded(
        self, answer: JournalEntry, backend: Backend, request: CompletionRequest, text: str, request_hash: str
    ) -> Completion:
        if answer.request_hash != request_hash:
            changed = explain_difference(answer.request, text)
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
        if "completion_received" in self._context.active_hooks:
            self._context.hooks.completion_received(
                backend=str(backend),
                request=request,
                completion=completion,
                is_replayed=is_replayed,
                is_cached=is_cached,
            )


class CompletionBranch(Completions):
    """A sequence of completions with numbers of its own, for an agent that asks several questions at the same time.

    ``root`` gives the completions that it belongs to, and is called when the first of them is asked for.
    """

    def __init__(self, root: Callable[[], RecordedCompletions], path: str) -> None:
        self._root = root
        self._path = path

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        return await self._root().ask(self._path, backend, request)

    def branch(self, name: str) -> "CompletionBranch":
        return CompletionBranch(self._root, f"{self._path}{name}/")
