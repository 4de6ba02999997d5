"""A server of chats on this machine that does what a test says: answers of a model, and every fault on demand."""

import json
import ssl
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any, Final

import attrs

WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""The words that `chat` answers with where nothing forces another answer."""

Behaviour = Callable[["ChatCall"], None]
"""What a server does with a request: send an answer, an error, or nothing."""


@attrs.frozen
class ChatCall:
    """One request, and the means to answer it; ``body`` is its JSON."""

    handler: BaseHTTPRequestHandler
    body: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The key it came with."""
        return self.handler.headers.get("Authorization", "").removeprefix("Bearer ")

    def send(self, status: int, body: object, *, length: int | None = None, **headers: str) -> None:
        """Answer with a status and with ``body`` as JSON, or as it is if it is bytes.

        ``length`` is how many bytes are promised, if that is not how many there are; the connection is cut off after
        them. An underscore in the name of a header is sent as a hyphen.
        """
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

    def complete(self, whole: Mapping[str, Any], *, tells_usage: bool = True) -> None:
        """Answer with a completion: at once, or as the events of ``chunks`` where the request wants a stream."""
        if not self.body.get("stream"):
            self.send(200, whole)
            return
        options: Mapping[str, Any] = self.body.get("stream_options") or {}
        events = chunks(whole, tells_usage=tells_usage and bool(options.get("include_usage")))
        self.stream(*(f"data: {json.dumps(event)}\n\n".encode() for event in events), b"data: [DONE]\n\n")

    def stream(self, *pieces: bytes, is_cut_off: bool = False, wait: Callable[[], object] | None = None) -> None:
        """Answer with an open body, sent piece by piece; ``wait`` is called before each piece but the first.

        With ``is_cut_off`` the connection is shut down where the body would end.
        """
        self.handler.send_response(200)
        self.handler.send_header("Content-Type", "text/event-stream")
        self.handler.send_header("Transfer-Encoding", "chunked")
        self.handler.end_headers()
        for number, piece in enumerate(pieces):
            if number and wait is not None:
                wait()
            self.handler.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if is_cut_off:
            self.drop()
        else:
            self.handler.wfile.write(b"0\r\n\r\n")

    def fail(self, status: int, message: str, code: str | None = None, **headers: str) -> None:
        """Answer with an error as OpenAI words it."""
        kind = "invalid_request_error" if status in (400, 401, 404, 422) else code or "server_error"
        self.send(
            status, {"error": {"message": message, "type": kind, "code": code, "param": None}}, length=None, **headers
        )

    def drop(self) -> None:
        """Shut the connection down at once, as a server that dies does."""
        self.handler.close_connection = True
        self.handler.connection.shutdown(2)

    def says(self, text: str | None = "ready", *, usage: Any = None, finish: str = "stop", **message: Any) -> None:
        """Answer with a message; further arguments are parts of it."""
        choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        self.complete(completion(choice, model=self.body["model"], usage=usage))


@attrs.define(eq=False)
class ChatServer:
    """Does with each request what the first of ``plan`` says, which is used up, and then what ``usually`` says.

    ``address`` is the base URL for a backend. A request without ``key``, if there is one, is refused in words that
    repeat the key that it came with, as some servers do. ``calls``, ``connections`` and ``paths`` say what has come;
    ``ended`` is set when the server is shut down, so that a behaviour can wait for that.
    """

    address: str = ""
    key: str | None = None
    plan: list[Behaviour] = attrs.field(factory=list[Behaviour])
    usually: Behaviour = attrs.field(default=lambda call: chat(call))
    calls: list[ChatCall] = attrs.field(factory=list[ChatCall])
    connections: set[tuple[str, int]] = attrs.field(factory=set[tuple[str, int]])
    paths: list[str] = attrs.field(factory=list[str])
    ended: threading.Event = attrs.field(factory=threading.Event)

    @property
    def last(self) -> Mapping[str, Any]:
        """The body of the last request."""
        return self.calls[-1].body

    def answer(self, call: ChatCall) -> None:
        """Note a request, and do with it what the plan says."""
        self.calls.append(call)
        if self.key is not None and call.key != self.key:
            call.fail(401, f"Incorrect API key provided: {call.key}. Mind your Bearer {call.key}", "invalid_api_key")
        else:
            (self.plan.pop(0) if self.plan else self.usually)(call)


@contextmanager
def serving(certificate: str | None = None) -> Generator[ChatServer]:
    """A server on a free port of this machine until the block is left; as a proxy it answers what is meant for others.

    ``certificate`` is the path of a file with a certificate and its key; with one it speaks TLS.
    """
    found = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            found.connections.add(self.client_address)
            found.paths.append(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                found.answer(ChatCall(self, json.loads(body)))
            except OSError:
                self.close_connection = True  # the other side has had enough

        def do_CONNECT(self) -> None:
            self.send_error(407)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name http.server uses
            pass

    class Listening(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Say nothing of a client that hung up."""

    server = Listening(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    found.address = f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found
    finally:
        found.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def chat(call: ChatCall) -> None:
    """Answer as a model would: by the schema, by a tool, or by words drawn by the request's seed.

    Keeps to ``max_tokens`` and ``stop``, and tells reasoning and log probabilities where the request wants them.
    """
    body = call.body
    rng = Random(body.get("seed", len(body["messages"])))
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish, written = "stop", 5
    if form := body.get("response_format"):
        message["content"] = json.dumps(_instance(form["json_schema"]["schema"], rng))
    elif body.get("tools"):
        tool = body["tools"][0]["function"]
        function = {"name": tool["name"], "arguments": json.dumps(_instance(tool["parameters"], rng))}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        finish = "tool_calls"
    else:
        words = _words(rng, body.get("max_tokens", len(WORDS)), body.get("stop", ()))
        message["content"], written = " ".join(words), len(words)
        finish = "length" if written == body.get("max_tokens") else "stop"
    if effort := body.get("reasoning_effort"):
        message["reasoning_content"] = f"a {effort} effort"
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
    if body.get("logprobs"):
        likeliest = [{"token": word, "logprob": -1.0, "bytes": None} for word in WORDS[: body["top_logprobs"]]]
        tokens = [{"token": token, "logprob": -0.5, "bytes": None} for token in message["content"].split()]
        choice["logprobs"] = {"content": [{**token, "top_logprobs": likeliest} for token in tokens]}
    call.complete(completion(choice, model=body["model"], usage=usage(prompt=100, written=written)))


def completion(choice: Any, *, model: str = "m", usage: Any = None) -> dict[str, Any]:
    """The whole body of an answer with this choice; without ``usage``, 100 tokens were read and 5 written."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": f"{model}-2026",
        "system_fingerprint": "fp_1",
        "choices": [choice],
        "usage": usage or {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
    }


def chunks(whole: Mapping[str, Any], *, tells_usage: bool = True) -> Iterator[Mapping[str, Any]]:
    """A completion as a server streams it: texts and the arguments of tool calls three characters at a time."""
    choice = whole["choices"][0]
    message: Mapping[str, Any] = choice["message"]
    logprobs: Mapping[str, Any] = choice.get("logprobs") or {}
    scored: Sequence[Any] | None = logprobs.get("content")
    about = {**whole, "object": "chat.completion.chunk", "usage": None}

    def chunk(delta: Mapping[str, Any], *, finish: str | None = None, content: Any = None) -> Mapping[str, Any]:
        logprobs = None if content is None else {"content": content}
        return {
            **about,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}],
        }

    yield chunk({"role": "assistant", "content": "" if isinstance(message.get("content"), str) else None})
    for name in ("reasoning_content", "reasoning", "refusal", "content"):
        yield from (chunk({name: piece}) for piece in _thirds(message.get(name)))
    for place, call in enumerate(message.get("tool_calls") or ()):
        function = {"name": call["function"]["name"], "arguments": ""}
        yield chunk({"tool_calls": [{**call, "index": place, "function": function}]})
        for piece in _thirds(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": place, "function": {"arguments": piece}}]})
    for token in scored or ():
        yield chunk({}, content=[token])
    yield chunk({}, finish=choice["finish_reason"], content=None if scored is None else [])
    if tells_usage:
        yield {**about, "choices": [], "usage": whole["usage"]}


def _thirds(text: Any) -> Sequence[Any]:
    """A text in pieces of three characters; what is no text stays in one."""
    return [text[at : at + 3] for at in range(0, len(text), 3)] if isinstance(text, str) else [text] if text else []


def usage(*, prompt: int, written: int, cached: int = 0, reasoning: int = 0) -> dict[str, Any]:
    """Numbers of tokens, as OpenAI tells them: ``cached`` are part of ``prompt``, ``reasoning`` part of ``written``."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": written,
        "total_tokens": prompt + written,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def _words(rng: Random, most: int, stop: Sequence[str]) -> Sequence[str]:
    """Up to twelve words, and none from the first that ``stop`` names."""
    words = [rng.choice(WORDS) for _ in WORDS][:most]
    return words[: min((words.index(word) for word in stop if word in words), default=len(words))]


def _instance(schema: Mapping[str, Any], rng: Random) -> Any:
    """Something that fits a simple schema."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema.get("type") == "object":
        return {name: _instance(part, rng) for name, part in schema["properties"].items()}
    return {"string": "because", "integer": schema.get("minimum", 0)}.get(schema.get("type", "string"), "")
