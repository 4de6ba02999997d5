"""A model behind a server on this machine: OpenAI's protocol of chats, which waits and refuses on demand."""

import itertools
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from arena_testing import chat_server


@attrs.define(eq=False)
class ModelServer:
    """A model that is asked at ``address``, the base URL of its server; what it does may be changed at any time.

    ``answer`` gives what the model says to the body of a request. Each request takes ``latency_s`` seconds. One without
    ``key`` is refused in OpenAI's words, which repeat the key that it came with; ``None``: any key will do. The first
    ``free`` requests with the key are answered, and all others once ``released`` is set; ``None``: none has to wait.
    ``requests`` are the times at which each came and was answered, in seconds of ``time.monotonic``; those that wait
    are not among them.
    """

    answer: Callable[[Mapping[str, Any]], str]
    key: str | None = None
    free: int | None = None
    latency_s: float = 0.0
    address: str = ""
    prompt_tokens: int = 100
    completion_tokens: int = 10
    released: threading.Event = attrs.field(factory=threading.Event)
    requests: list[tuple[float, float]] = attrs.field(factory=list[tuple[float, float]])
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    @property
    def most_at_once(self) -> int:
        """The most requests that were under way at one moment."""
        moments = sorted([(at, 1) for at, _ in self.requests] + [(until, -1) for _, until in self.requests])
        return max(itertools.accumulate(change for _, change in moments))

    def respond(self, key: str, body: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        """The status and the body of the answer to a request that came with ``key``."""
        came = time.monotonic()
        time.sleep(self.latency_s)
        found = self._refused(key) if self.key not in (None, key) else self._answered(body)
        self.requests.append((came, time.monotonic()))
        return found

    def _refused(self, key: str) -> tuple[int, Mapping[str, Any]]:
        error = {"message": f"Incorrect API key provided: {key}", "type": "invalid_request_error", "param": None}
        return 401, {"error": {**error, "code": "invalid_api_key"}}

    def _answered(self, body: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        if self.free is not None and next(self._numbers) > self.free:
            self.released.wait()
        message = {"role": "assistant", "content": self.answer(body)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        used = chat_server.usage(prompt=self.prompt_tokens, written=self.completion_tokens)
        return 200, chat_server.completion(choice, model=body["model"], usage=used)


@contextmanager
def serving(model: ModelServer) -> Generator[ModelServer]:
    """Serve a model on a free port of this machine until the block is left; sets its ``address``."""
    with chat_server.serving() as server:
        server.usually = lambda call: call.send(*model.respond(call.key, call.body))
        model.address = server.address
        try:
            yield model
        finally:
            model.released.set()
