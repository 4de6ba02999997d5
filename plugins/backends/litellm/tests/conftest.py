"""A provider of our own on the loopback: OpenAI's protocol, real sockets, trouble on demand."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import attrs
import pytest

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
Answer = Callable[["Call"], None]


@attrs.frozen
class Call:
    """One request, and the means to answer it."""

    handler: BaseHTTPRequestHandler
    body: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The key it came with."""
        return self.handler.headers.get("Authorization", "").removeprefix("Bearer ")

    def send(self, status: int, body: object, **headers: str) -> None:
        """Answer with a status and JSON, or bytes."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.send_header("Content-Type", "application/json")
        self.handler.send_header("Content-Length", str(len(data)))
        self.handler.end_headers()
        self.handler.wfile.write(data)

    def fail(self, status: int, message: str, code: str | None = None, **headers: str) -> None:
        """Answer with an error as OpenAI words it."""
        kind = "invalid_request_error" if status in (400, 401, 404, 422) else code or "server_error"
        error = {"message": message, "type": kind, "code": code, "param": None}
        self.send(status, {"error": error}, **headers)

    def drop(self) -> None:
        """Close the connection without an answer."""
        self.handler.close_connection = True
        self.handler.connection.shutdown(2)


@attrs.define(eq=False)
class Provider:
    """Answers each call by the first of ``plan``, which is used up, and then by ``usually``; notes all calls."""

    address: str = ""
    key: str | None = None
    plan: list[Answer] = attrs.field(factory=list)
    usually: Answer = attrs.field(default=lambda call: chat(call))
    calls: list[Call] = attrs.field(factory=list)
    ended: threading.Event = attrs.field(factory=threading.Event)

    @property
    def last(self) -> Mapping[str, Any]:
        """The body of the last call."""
        return self.calls[-1].body

    def answer(self, call: Call) -> None:
        """Answer a call; one with the wrong key is told which key it brought, as some providers do."""
        self.calls.append(call)
        if self.key is not None and call.key != self.key:
            call.fail(401, f"Incorrect API key provided: {call.key}. Mind your Bearer {call.key}", "invalid_api_key")
        else:
            (self.plan.pop(0) if self.plan else self.usually)(call)


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A server of its own for the test."""
    found = Provider()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.answer(Call(self, json.loads(body)))

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.ended.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of a machine on which nobody has an account."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_ORGANIZATION"):
        monkeypatch.delenv(name, raising=False)


def chat(call: Call) -> None:
    """Answer as a model would: by the schema, by a tool, or by counting."""
    body = call.body
    rng = Random(body.get("seed", len(call.body["messages"])))
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish_reason = "stop"
    written = 5
    if body.get("response_format"):
        message["content"] = json.dumps(instance(body["response_format"]["json_schema"]["schema"], rng))
    elif body.get("tools"):
        tool = body["tools"][0]["function"]
        arguments = json.dumps(instance(tool["parameters"], rng))
        function = {"name": tool["name"], "arguments": arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        finish_reason = "tool_calls"
    else:
        words = [rng.choice(WORDS) for _ in range(12)][: body.get("max_tokens", 12)]
        stop = [words.index(word) for word in body.get("stop", ()) if word in words]
        words = words[: min(stop, default=12)]
        message["content"] = " ".join(words)
        written = len(words)
        finish_reason = "length" if written == body.get("max_tokens") else "stop"
    if effort := body.get("reasoning_effort"):
        message["reasoning_content"] = f"a {effort} effort"
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    if body.get("logprobs"):
        likeliest = [{"token": word, "logprob": -1.0, "bytes": None} for word in WORDS[: body["top_logprobs"]]]
        tokens = re.findall(r"\S+", message["content"])
        choice["logprobs"] = {
            "content": [{"token": t, "logprob": -0.5, "bytes": None, "top_logprobs": likeliest} for t in tokens]
        }
    call.send(200, response(body["model"], choice, usage(prompt=100, written=written)))


def response(model: str, choice: object, used: object) -> dict[str, Any]:
    """A whole response of a provider, with this choice and this usage."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": f"{model}-2024-08-06",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [choice],
        "usage": used,
    }


def usage(*, prompt: int, written: int, cached: int = 0, reasoning: int = 0) -> dict[str, Any]:
    """Tokens as OpenAI counts them."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": written,
        "total_tokens": prompt + written,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def instance(schema: Mapping[str, Any], rng: Random) -> Any:
    """Something that fits a simple schema."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema.get("type") == "object":
        return {name: instance(part, rng) for name, part in schema["properties"].items()}
    return {"string": "because", "integer": schema.get("minimum", 0)}.get(schema.get("type", "string"), "")
