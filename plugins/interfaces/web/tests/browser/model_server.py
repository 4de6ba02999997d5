"""A model behind a server of its own on this machine: OpenAI's protocol, and a key without which nothing is said."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs


@attrs.define(eq=False)
class ModelServer:
    """Plays the first action that a prompt lists; after ``free`` calls answers wait until ``gate`` is set."""

    key: str
    free: int = 0
    address: str = ""
    calls: int = 0
    gate: threading.Event = attrs.field(factory=threading.Event)

    def answer(self, body: Any) -> str:
        """What is said to a request."""
        texts = [each["content"] for each in body["messages"] if isinstance(each["content"], str)]
        listed = re.findall(r"Your legal actions:\n- (.+)", "\n".join(texts))
        return json.dumps({"action": listed[-1]}) if listed else "ready"


@contextmanager
def model_server(key: str) -> Iterator[ModelServer]:
    """The server of a model, until the block is left."""
    found = ModelServer(key)
    found.gate.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found.calls += 1
            if found.calls > found.free:
                found.gate.wait()
            given = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if given != found.key:
                error = {"message": f"Incorrect API key provided: {given}", "type": "invalid_request_error"}
                self._send(401, {"error": {**error, "code": "invalid_api_key", "param": None}})
                return
            choice = {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": found.answer(body)},
            }
            usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
            self._send(
                200,
                {"id": "1", "object": "chat.completion", "model": body["model"], "choices": [choice]}
                | {"usage": usage},
            )

        def _send(self, status: int, body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            with suppress(OSError):  # nobody waits for it any more
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield found
    finally:
        found.gate.set()
        server.shutdown()
        thread.join()
        server.server_close()
