"""Servers that mean harm, or are broken: each request ends in time, in one sentence and in little memory."""

import asyncio
import json
import resource
import socket
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs
import pytest
from arena.backend import Backend, Completion, CompletionRequest, Message, Sampling
from arena.errors import ArenaError, BackendError
from arena_backend_litellm.backend import LiteLLM
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_backend_vllm.serve import Serve
from arena_engine import Call
from arena_engine.match.simulation import InMemoryRun
from arena_engine.models.pool import BackendPool

MODEL = "small"
GOOD = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": MODEL,
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6},
}
MEGABYTES = 300
TIMEOUT_S = 5.0
ENDLESS_S = 50.0
"""Servers that keep one waiting do so for a minute or for ever; a try that ends earlier ended by its own limit."""
Behaviour = Callable[[BaseHTTPRequestHandler], None]


@attrs.define(eq=False)
class Server:
    """Answers completions by ``behaviours``, one for each and the last one for all others; counts them in ``asked``."""

    address: str = ""
    behaviours: list[Behaviour] = attrs.field(factory=list)
    asked: int = 0
    ended: threading.Event = attrs.field(factory=threading.Event)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request for a completion."""
        self.asked += 1
        self.behaviours[min(self.asked, len(self.behaviours)) - 1](handler)


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """Answer with a body."""
    handler.send_response(status)
    for name, value in {"Content_Type": "application/json", "Content_Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def says(body: Any, status: int = 200, **headers: str) -> Behaviour:
    """A behaviour that answers with JSON, or with bytes as they are."""
    return lambda handler: send(
        handler, body if isinstance(body, bytes) else json.dumps(body).encode(), status, **headers
    )


def changed(**parts: Any) -> Behaviour:
    """A good answer with other parts at its top."""
    return says({**GOOD, **parts})


def message(**parts: Any) -> Behaviour:
    """A good answer with another message."""
    choice = {"index": 0, "message": {"role": "assistant", "content": "ready", **parts}, "finish_reason": "stop"}
    return changed(choices=[choice])


def large(handler: BaseHTTPRequestHandler) -> None:
    """Send a good answer whose text has 300 MB."""
    head, tail = json.dumps(GOOD).encode().split(b"ready")
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(head) + len(tail) + MEGABYTES * 1_000_000))
    handler.end_headers()
    handler.wfile.write(head)
    for _ in range(MEGABYTES):
        handler.wfile.write(b"x" * 1_000_000)
    handler.wfile.write(tail)


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Send chunks for ever, without saying how many."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while True:
        handler.wfile.write(b"f4240\r\n" + b" " * 1_000_000 + b"\r\n")


def compressed(handler: BaseHTTPRequestHandler) -> None:
    """Send 300 MB that are compressed to 300 kB."""
    # In pieces, since this process is the one whose memory is measured.
    head, tail = json.dumps(GOOD).encode().split(b"ready")
    press = zlib.compressobj(9, wbits=31)
    body = press.compress(head)
    for _ in range(MEGABYTES):
        body += press.compress(b" " * 1_000_000)
    send(handler, body + press.compress(tail) + press.flush(), Content_Encoding="gzip")


def dripping(handler: BaseHTTPRequestHandler) -> None:
    """Send a byte every tenth of a second, so that something always comes."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.ended.wait(0.1):  # type: ignore[attr-defined]  # set by the fixture
        handler.wfile.write(b" ")


def dripping_headers(handler: BaseHTTPRequestHandler) -> None:
    """Send headers without an end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not handler.server.ended.wait(0.1):  # type: ignore[attr-defined]  # set by the fixture
        handler.wfile.write(b"X-More: yes\r\n")


def silent(handler: BaseHTTPRequestHandler) -> None:
    """Send nothing at all."""
    handler.server.ended.wait(60)  # type: ignore[attr-defined]  # set by the fixture


def dropped(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def noise(handler: BaseHTTPRequestHandler) -> None:
    """Answer with bytes that are no HTTP, as a port of another program would."""
    handler.wfile.write(b"\x00\xff" * 100 + b"\r\n\r\n")
    handler.close_connection = True


HOSTILE: Mapping[str, Behaviour] = {
    "300-megabytes": large,
    "no-end": endless,
    "300-megabytes-compressed": compressed,
    "300-megabytes-of-an-error": lambda handler: send(handler, b"x" * 100_000_000, 400),
    "a-byte-now-and-then": dripping,
    "headers-without-an-end": dripping_headers,
    "silence": silent,
    "half-an-answer": dropped,
    "no-http": noise,
    "no-json": says(b"<html>busy</html>"),
    "nothing": says(b""),
    "brackets": says(b"[" * 200_000),
    "brackets-in-it": says(json.dumps(GOOD).replace('"stop"', "[" * 100_000 + "]" * 100_000).encode()),
    "a-list": says([1, 2, 3]),
    "null": says(None),
    "no-choices": changed(choices=[]),
    "choices-that-are-numbers": changed(choices=[1]),
    "choices-that-are-a-text": changed(choices="ready"),
    "a-message-that-is-a-list": changed(choices=[{"index": 0, "message": [1], "finish_reason": "stop"}]),
    "a-text-that-is-a-number": message(content=5),
    "a-text-that-is-a-table": message(content={"a": 1}),
    "tool-calls-that-are-a-number": message(tool_calls=7),
    "tool-calls-without-a-function": message(tool_calls=[{"id": "1"}]),
    "usage-that-is-a-text": changed(usage="much"),
    "usage-of-texts": changed(usage={"prompt_tokens": "many", "completion_tokens": [], "total_tokens": None}),
    "a-model-that-is-a-table": changed(model={"a": 1}),
    "a-long-error": says({"error": {"message": "no " * 100_000}}, 400),
    "an-error-of-another-shape": says({"error": [[["no"]]]}, 400),
    "somewhere-else": says(b"", 302, Location="http://127.0.0.1:9/"),
    "round-and-round": says(b"", 302, Location="/v1/chat/completions"),
    "a-wait-without-an-end": says({"error": {"message": "later"}}, 429, Retry_After="9" * 400),
    "a-wait-that-is-none": says({"error": {"message": "later"}}, 503, Retry_After="nan"),
    "a-status-that-is-none": says({}, 799),
}
WAITING = ("a-byte-now-and-then", "headers-without-an-end", "silence")
LARGE = ("300-megabytes", "no-end", "300-megabytes-compressed", "300-megabytes-of-an-error")
MAY_BE_READ = (
    "usage-that-is-a-text",
    "usage-of-texts",
    "a-model-that-is-a-table",
    "a-text-that-is-a-number",
    "a-text-that-is-a-table",
    "tool-calls-without-a-function",
)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server on the loopback that lists its model as vLLM does."""
    found = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            models = self.path.endswith("models")
            send(self, json.dumps({"data": [{"id": MODEL}]} if models else {"version": "1"}).encode())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            try:
                send(self, b"{}") if self.path.endswith("tokenize") else found.answer(self)
            except OSError:
                self.close_connection = True  # the other side has had enough

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    listening.ended = found.ended  # type: ignore[attr-defined]  # for behaviours that wait
    found.address = f"http://127.0.0.1:{listening.server_port}/v1"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.ended.set()
    listening.shutdown()
    thread.join()
    listening.server_close()


def litellm(server: Server, **more: Any) -> Backend:
    """The server by LiteLLM's clients of OpenAI."""
    return LiteLLM(model=f"openai/{MODEL}", base_url=server.address, **more)


def hosted(server: Server, **more: Any) -> Backend:
    """The server by the clients that LiteLLM has made itself."""
    return LiteLLM(model=f"hosted_vllm/{MODEL}", base_url=server.address, **more)


def direct(server: Server, **more: Any) -> Backend:
    """The server by no library at all."""
    return OpenAICompatible(model=MODEL, base_url=server.address, **more)


def vllm(server: Server, **more: Any) -> Backend:
    """The server by the client of vLLM."""
    return Serve(model=MODEL, base_url=server.address, **more)


def blocking(server: Server, **more: Any) -> Backend:
    """The server by a provider that LiteLLM asks in a thread, with a client that blocks it."""
    return LiteLLM(model=f"oobabooga/{MODEL}", base_url=server.address.removesuffix("/v1"), **more)


BACKENDS = (
    pytest.param(direct, id="direct"),
    pytest.param(litellm, id="litellm", marks=pytest.mark.slow),
    pytest.param(hosted, id="hosted", marks=pytest.mark.slow),
    pytest.param(vllm, id="vllm"),
)


@pytest.fixture
async def pool() -> Any:
    """The connections of a process."""
    found = BackendPool(InMemoryRun())
    yield found
    await found.close()


def request(backend: Backend, text: str = "Say ready.") -> CompletionRequest:
    """A request of one message, with the backend's own settings filled in."""
    return CompletionRequest(messages=(Message.of("user", text),), sampling=backend.with_defaults(Sampling()))


async def ask(pool: BackendPool, backend: Backend) -> Completion | BackendError:
    """The answer to a request, or why there is none; anything else that is raised fails the test."""
    try:
        asked = request(backend)
        return (await pool.complete(backend, asked, Call.of("m", "0/0/0/0", backend, asked))).completion
    except BackendError as error:
        return error


@pytest.mark.parametrize("make", BACKENDS)
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.sample(fast=5, slow=33)
async def test_a_hostile_server_is_one_sentence(server, pool, make, name):
    """Whatever it does, it takes no more time than one try may take, and no memory worth mentioning."""
    server.behaviours = [says(GOOD), HOSTILE[name]]
    timeout_s = 1.0 if name in WAITING else TIMEOUT_S
    backend = make(server, max_attempts=1, request_timeout_s=timeout_s)
    assert isinstance(await ask(pool, make(server)), Completion)
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = await ask(pool, backend)

    assert time.monotonic() - began < ENDLESS_S
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
    if isinstance(answer, Completion):
        is_reworked = make in (litellm, hosted) and name.startswith(("tool-calls", "a-", "usage"))
        assert name in MAY_BE_READ or is_reworked or answer.received, answer
        assert isinstance(answer.text, str)
        return
    assert isinstance(answer, ArenaError)
    assert len(str(answer)) < 800
    assert "\n" not in str(answer)
    if name in LARGE[:3]:
        assert "answered with more than 32 MB" in str(answer) or "no answer within" in str(answer)
        assert name == "300-megabytes-compressed" or "max-answer-mb" in str(answer)


@pytest.mark.sample(fast=4)
@pytest.mark.parametrize("make", [*BACKENDS, pytest.param(blocking, id="blocking", marks=pytest.mark.slow)])
async def test_the_bound_is_a_parameter(server, pool, make):
    """An answer within the bound is read, and one beyond it is not."""
    text = "x" * 2_000_000
    server.behaviours = [says(GOOD), message(content=text)]

    few = await ask(pool, make(server, max_attempts=1, max_answer_mb=1.0))
    refused = await ask(pool, make(server, max_attempts=1, max_answer_mb=1.0))
    read = await ask(BackendPool(InMemoryRun()), make(server, max_attempts=1, max_answer_mb=3.0))

    assert isinstance(few, Completion)
    assert "more than 1 MB" in str(refused)
    assert isinstance(read, Completion)
    assert read.text == text


@pytest.mark.sample(fast=7)
@pytest.mark.parametrize("make", BACKENDS)
@pytest.mark.parametrize("status", [401, 404])
async def test_one_odd_refusal_among_answers_is_tried_again(server, pool, make, status, monkeypatch):
    """What holds for every request is not believed of a server that has just answered others."""
    monkeypatch.setattr("arena_engine.models.pool.FIRST_WAIT_S", 0.01)
    no = says({"error": {"message": "no such model", "code": None, "type": "x", "param": None}}, status)
    server.behaviours = [says(GOOD), says(GOOD), no, says(GOOD), no, no, says(GOOD)]
    backend = make(server)

    answers = [await ask(pool, backend) for _ in range(4)]

    assert all(isinstance(answer, Completion) for answer in answers), answers
    assert server.asked == 7


@pytest.mark.parametrize("make", BACKENDS)
@pytest.mark.parametrize("before", [0, 1])
async def test_a_refusal_of_every_request_is_believed(server, pool, make, before, monkeypatch):
    """It is believed when it is the first answer, or the third time in a row, and nothing is asked after it."""
    monkeypatch.setattr("arena_engine.models.pool.FIRST_WAIT_S", 0.01)
    no = says({"error": {"message": "no such model", "code": None, "type": "x", "param": None}}, 404)
    server.behaviours = [*[says(GOOD)] * before, no]
    backend = make(server)

    answers = [await ask(pool, backend) for _ in range(before + 3)]

    assert [isinstance(answer, Completion) for answer in answers] == [True] * before + [False] * 3
    assert server.asked == (4 if before else 1)


async def test_a_server_that_never_says_what_it_serves_is_given_up():
    """Reaching a server takes no longer than one try of a request."""
    listening = socket.create_server(("127.0.0.1", 0))
    backend = Serve(model=MODEL, base_url=f"http://127.0.0.1:{listening.getsockname()[1]}/v1", request_timeout_s=0.5)
    began = time.monotonic()
    pool = BackendPool(InMemoryRun())

    answer = await ask(pool, backend)

    listening.close()
    assert "did not say within 0.5 s what it serves" in str(answer)
    assert time.monotonic() - began < ENDLESS_S
    await asyncio.wait_for(pool.close(), ENDLESS_S)
