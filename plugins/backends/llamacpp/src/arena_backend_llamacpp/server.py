"""A connection to llama.cpp's server inside this process."""

import asyncio
import os
import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import attrs
import xllamacpp as native
from arena.backend import Completion, CompletionRequest, Connection, Message, Usage
from arena.errors import BackendError, ConfigError, RequestRejected, TransientBackendError
from arena_openai_protocol import chat_body, counted, logprobs

from arena_backend_llamacpp.constraint import constraint, fits_at_a_glance
from arena_backend_llamacpp.gguf import fingerprint, thinks_aloud
from arena_backend_llamacpp.slots import Slots

_SILENT = -1
_FINISHED: Mapping[str, Literal["stop", "length"]] = {"stop": "stop", "length": "length"}

STREAMED: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


@attrs.define(eq=False)
class StreamedAnswer:
    """Collects the chunks of an answer while the model writes it."""

    text: list[str] = attrs.field(factory=list)
    reasoning: list[str] = attrs.field(factory=list)
    logprobs: list[Any] = attrs.field(factory=list)
    finish_reason: str | None = None
    usage: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    is_abandoned: bool = False
    read_before: int = 0
    """Tokens of its prompt that were read before it was sent, which the server then finds in its cache."""

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Add a chunk; ``True`` tells the server to stop writing."""
        if self.is_abandoned:
            return True
        if "error" in chunk:
            self.error = chunk["error"]
            return True
        for choice in chunk.get("choices", ()):
            delta = choice.get("delta", {})
            self.text.append(delta.get("content") or "")
            self.reasoning.append(delta.get("reasoning_content") or "")
            self.logprobs += (choice.get("logprobs") or {}).get("content") or ()
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
        self.usage = chunk.get("usage") or self.usage
        return False


class LlamaServer(Connection):
    """A loaded model. Each request runs in its own thread and shares llama.cpp's batch with the others.

    The constructor loads the model and blocks; raises ``ConfigError`` if llama.cpp refuses it.
    """

    def __init__(self, path: Path, *, slots: int, context: int, threads: int, cached_prompts_mib: int) -> None:
        self._model = path.stem
        self._fingerprint = f"{fingerprint(path)}/xllamacpp-{native.__version__}"
        self._thinks_aloud = thinks_aloud(path)
        self._context = context
        module: Any = native  # a compiled module without stubs
        parameters = module.CommonParams()
        parameters.model.path = str(path)
        parameters.n_parallel = slots
        parameters.n_ctx = slots * context
        parameters.cpuparams.n_threads = threads
        parameters.cache_ram_mib = cached_prompts_mib
        parameters.verbosity = _SILENT
        # The server always opens an HTTP port on the loopback interface; a random key keeps others out.
        key = secrets.token_urlsafe(32)
        parameters.api_keys = [key]
        parameters.cors_origins = ""
        parameters.ui = False
        parameters.n_threads_http = 1
        self._slots = Slots(slots, self._read) if slots > 1 else None
        if self._slots:
            parameters.slot_save_path = f"{self._slots.folder}{os.sep}"
        try:
            self._server: Any = module.Server(parameters)
        except RuntimeError as error:
            raise ConfigError(
                f"llama.cpp cannot load {path.name!r}: it is damaged, of a kind this version does not know, "
                f"or needs more memory than there is (slots times context is {slots * context} tokens)"
            ) from error
        if self._slots:
            self._slots.connect(self._server.listening_address, key)
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="llamacpp")
        self._answers: set[StreamedAnswer] = set()

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send one request; cancelling it stops the model at its next token and frees the slot."""
        body = _body(request, thinks_aloud=self._thinks_aloud)
        answer = StreamedAnswer()
        self._answers.add(answer)
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, body, answer)
        except RuntimeError as error:
            raise RequestRejected(f"llama.cpp: {error}") from error
        finally:
            answer.is_abandoned = True
            self._answers.discard(answer)
        return self._completion(request, body, answer)

    async def close(self) -> None:
        """Stop all requests, wait for their threads and free the model."""
        for answer in self._answers:
            answer.is_abandoned = True
        await asyncio.to_thread(self._threads.shutdown)
        self._server = None
        if self._slots:
            self._slots.close()

    def _ask(self, body: dict[str, Any], answer: StreamedAnswer) -> None:
        if answer.is_abandoned:  # cancelled while it waited for a thread
            return
        try:
            if self._slots is None:
                self._server.handle_chat_completions(body, answer.take)
                return
            with self._slots.taken(*_texts(body)) as taken:
                answer.read_before = taken.read
                self._server.handle_chat_completions({**body, "id_slot": taken.slot}, answer.take)
        except ValueError as error:
            raise RequestRejected(f"llama.cpp refuses the request: {error}") from error

    def _read(self, beginning: str, slot: int) -> int | None:
        """Read a system message in a slot and count its new tokens; ``None`` where the template takes none alone."""
        answer = StreamedAnswer()
        said = {"role": "system", "content": beginning}
        body = {"messages": [said], "max_tokens": 1, "id_slot": slot, **STREAMED}
        try:
            self._server.handle_chat_completions(body, answer.take)
        except (ValueError, RuntimeError):
            return None
        if answer.error is not None:
            return None
        used = counted(answer.usage).usage
        return (used.prompt_tokens or 0) - (used.cached_tokens or 0)

    def _completion(self, request: CompletionRequest, body: Mapping[str, Any], answer: StreamedAnswer) -> Completion:
        if answer.error is not None:
            if answer.error.get("type") == "exceed_context_size_error":
                return Completion(text="", finish_reason="context-length")
            raise _backend_error(answer.error)
        finish_reason = _FINISHED.get(answer.finish_reason or "")
        if finish_reason is None:
            raise TransientBackendError("llama.cpp broke off before the answer was complete")
        text = "".join(answer.text)
        is_complete = finish_reason == "stop" and not request.sampling.stop
        if "grammar" in body and text and not fits_at_a_glance(text, is_complete=is_complete):
            raise RequestRejected(f"llama.cpp did not keep to the schema {request.schema!r}; write it in simpler terms")
        return Completion(
            text=text,
            finish_reason=finish_reason,
            reasoning="".join(answer.reasoning),
            usage=_usage(answer),
            cost_usd=0.0,
            model=self._model,
            fingerprint=self._fingerprint,
            logprobs=logprobs({"content": answer.logprobs}) if request.sampling.logprobs is not None else None,
        )


def _usage(answer: StreamedAnswer) -> Usage:
    """The tokens of a request; what was read for it beforehand was no more found in a cache than the rest."""
    used = counted(answer.usage).usage
    if not answer.read_before:
        return used
    return attrs.evolve(used, cached_tokens=max(0, (used.cached_tokens or 0) - answer.read_before))


def _texts(body: Mapping[str, Any]) -> tuple[str, str]:
    """The system message, empty where there is none, and the text of the whole prompt."""
    messages = body["messages"]
    system = messages[0]["content"] if messages[0]["role"] == "system" else ""
    return system, system + "".join(f"\0{each['role']}\0{each['content']}" for each in messages[bool(system) :])


def _body(request: CompletionRequest, *, thinks_aloud: bool) -> dict[str, Any]:
    if request.tools:
        raise RequestRejected("llama.cpp offers no native tool calls here; ask for an answer by a schema instead")
    for message in request.messages:
        _check(message)
    body = chat_body(request)
    if effort := body.pop("reasoning_effort", None):
        body["chat_template_kwargs"] = {"reasoning_effort": effort}
    if request.schema is not None:
        body |= constraint(request.schema, thinks_aloud=thinks_aloud)
    # Only a streamed answer can be stopped before its end.
    return {**body, **request.sampling.extra, **STREAMED}


def _check(message: Message) -> None:
    if message.tool_calls or message.role == "tool":
        raise RequestRejected("llama.cpp offers no native tool calls here; write what they said as text")
    if any(not isinstance(part, str) for part in message.parts):
        raise RequestRejected("llama.cpp is given no images here; choose a form of the game that is text")


def _backend_error(error: Mapping[str, Any]) -> BackendError:
    message, code = error.get("message", error), error.get("code", 500)
    kind = TransientBackendError if isinstance(code, int) and code >= 500 else RequestRejected
    return kind(f"llama.cpp: {message}")
