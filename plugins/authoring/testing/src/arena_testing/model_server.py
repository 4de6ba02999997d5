"""A model behind a server on this machine: OpenAI's protocol of chats, which waits and refuses on demand."""

import itertools
import json
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs


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
        used = {"prompt_tokens": self.prompt_tokens, "completion_tokens": self.completion_tokens}
        return 200, {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {**used, "total_tokens": self.prompt_tokens + self.completion_tokens},
        }


@contextmanager
def serving(model: ModelServer) -> Generator[ModelServer]:
    """Serve a model on a free port of this machine until the block is left; sets its ``address``."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, plain = model.respond(self.headers.get("Authorization", "").removeprefix("Bearer "), body)
            data = json.dumps(plain).encode()
            with suppress(OSError):  # who asked may be gone
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield model
    finally:
        model.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
