"""A server of our own on the loopback: OpenAI's protocol, real sockets, every fault on demand."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

CERTIFICATES = Path(__file__).parent / "certificates"
Behaviour = Callable[["Call"], None]


@attrs.frozen
class Call:
    """One request, and the means to answer it."""

    handler: BaseHTTPRequestHandler
    body: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The key it came with."""
        return self.handler.headers.get("Authorization", "").removeprefix("Bearer ")

    def send(self, status: int, body: object, *, length: int | None = None, **headers: str) -> None:
        """Answer with a status and JSON, or bytes as they are; ``length`` is what is promised of them."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.send_header("Content-Type", "application/json")
        self.handler.send_header("Content-Length", str(len(data) if length is None else length))
        self.handler.end_headers()
        self.handler.wfile.write(data)
        if length is not None:
            self.drop()

    def fail(self, status: int, message: str, code: str | None = None, **headers: str) -> None:
        """Answer with an error as OpenAI words it."""
        self.send(status, {"error": {"message": message, "type": "error", "code": code, "param": None}}, **headers)

    def drop(self) -> None:
        """Shut the connection down at once, as a server that dies does."""
        self.handler.close_connection = True
        self.handler.connection.shutdown(2)

    def says(self, text: str | None = "ready", *, usage: Any = None, finish: str = "stop", **message: Any) -> None:
        """Answer with a message."""
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text, **message},
            "finish_reason": finish,
        }
        self.send(200, answer(choice, model=self.body["model"], usage=usage))


def answer(choice: Any, *, model: str = "m", usage: Any = None) -> dict[str, Any]:
    """A whole answer with this choice."""
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": f"{model}-2026",
        "system_fingerprint": "fp_1",
        "choices": [choice],
        "usage": usage or {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
    }


@attrs.define(eq=False)
class Server:
    """Answers each call by the first of ``plan``, which is used up, and then by ``usually``; notes all calls."""

    address: str = ""
    key: str | None = None
    plan: list[Behaviour] = attrs.field(factory=list)
    usually: Behaviour = attrs.field(default=lambda call: chat(call))
    calls: list[Call] = attrs.field(factory=list)
    connections: set[tuple[str, int]] = attrs.field(factory=set)
    paths: list[str] = attrs.field(factory=list)
    ended: threading.Event = attrs.field(factory=threading.Event)

    @property
    def last(self) -> Mapping[str, Any]:
        """The body of the last call."""
        return self.calls[-1].body

    def answer(self, call: Call) -> None:
        """Answer a call; one with the wrong key is told which key it brought, as some servers do."""
        self.calls.append(call)
        if self.key is not None and call.key != self.key:
            call.fail(401, f"Incorrect API key provided: {call.key}. Mind your Bearer {call.key}", "invalid_api_key")
        else:
            (self.plan.pop(0) if self.plan else self.usually)(call)


@contextmanager
def serving(*, has_tls: bool = False) -> Iterator[Server]:
    """A server until the block is left; as a proxy it answers what is meant for others, too."""
    found = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            found.connections.add(self.client_address)
            found.paths.append(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                found.answer(Call(self, json.loads(body)))
            except OSError:
                self.close_connection = True  # the other side has had enough

        def do_CONNECT(self) -> None:
            self.send_error(407)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    listening.handle_error = lambda request, address: None  # type: ignore[method-assign]  # a client that hung up
    if has_tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATES / "server.pem")
        listening.socket = context.wrap_socket(listening.socket, server_side=True)
    found.address = f"http{'s' * has_tls}://127.0.0.1:{listening.server_port}/v1"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found
    finally:
        found.ended.set()
        listening.shutdown()
        thread.join()
        listening.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of its own for the test."""
    with serving() as found:
        yield found


@pytest.fixture
def tls_server() -> Iterator[Server]:
    """A server with a certificate that nobody has signed."""
    with serving(has_tls=True) as found:
        yield found


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment of a machine on which nobody has an account and nothing stands between."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def chat(call: Call) -> None:
    """Answer as a model would: by the schema, by a tool, or by counting."""
    body = call.body
    rng = Random(body.get("seed", len(body["messages"])))
    if form := body.get("response_format"):
        call.says(json.dumps(_instance(form["json_schema"]["schema"], rng)))
    elif body.get("tools"):
        tool = body["tools"][0]["function"]
        function = {"name": tool["name"], "arguments": json.dumps(_instance(tool["parameters"], rng))}
        calls = [{"id": "call_1", "type": "function", "function": function}]
        call.says(None, finish="tool_calls", tool_calls=calls)
    else:
        words = [rng.choice(("one", "two", "three", "four")) for _ in range(12)][: body.get("max_tokens", 12)]
        used = {"prompt_tokens": 100, "completion_tokens": len(words), "total_tokens": 100 + len(words)}
        choice: dict[str, Any] = {
            "index": 0,
            "message": {"role": "assistant", "content": " ".join(words)},
            "finish_reason": "length" if len(words) == body.get("max_tokens") else "stop",
        }
        if body.get("logprobs"):
            likeliest = [{"token": str(n), "logprob": -1.0, "bytes": None} for n in range(body["top_logprobs"])]
            choice["logprobs"] = {
                "content": [{"token": w, "logprob": -0.5, "bytes": None, "top_logprobs": likeliest} for w in words]
            }
        call.send(200, answer(choice, model=body["model"], usage=used))


def _instance(schema: Mapping[str, Any], rng: Random) -> Any:
    """Something that fits a simple schema."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema.get("type") == "object":
        return {name: _instance(part, rng) for name, part in schema["properties"].items()}
    return {"string": "because", "integer": schema.get("minimum", 0)}.get(schema.get("type", "string"), "")
