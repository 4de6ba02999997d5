"""Every fault of a server and of the way to it: one sentence, one class, asked once."""

import json
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from arena.backend import Completion, CompletionRequest, Message, Secret
from arena.errors import (
    BackendError,
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    BackendUnreachable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_openai_protocol import AnswerTooLong

REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))
CANARY = "sk-canary-9d1f03b7aa52"


async def error_of(request: CompletionRequest = REQUEST, **settings) -> BackendError:
    """What a completion ends in."""
    connection = await OpenAICompatible(**{"model": "m", **settings}).connect()
    try:
        with pytest.raises(BackendError) as raised:
            await connection.complete(request)
    finally:
        await connection.close()
    assert raised.value.__cause__ is None
    return raised.value


def fails(status, said="no", code=None, **headers):
    return lambda call: call.fail(status, said, code, **headers)


def sends(body, status=200, **more):
    return lambda call: call.send(status, body, **more)


def choices(choice):
    return sends({"id": "1", "model": "m", "choices": [choice]})


FAULTS = {
    "400": (fails(400), RequestRejected, "{at} refuses the request (no); correct the backend's parameters"),
    "401": (fails(401), BackendUnavailable, "{at} refuses the key (no); correct ${{KEY_OF_MINE}}"),
    "402": (
        fails(402),
        QuotaExhausted,
        "the account of ${{KEY_OF_MINE}} has no credit left for m at {at} (no); add some or use another key, "
        "and resume",
    ),
    "403": (fails(403), RequestRejected, "{at} denies access (no); use a key that may use m"),
    "404": (fails(404), BackendUnavailable, "{at} knows no m (no); correct model or base-url"),
    "408": (fails(408), BackendTimedOut, "no answer from {at} in time (no)"),
    "409": (fails(409), TransientBackendError, "no usable answer from {at} (no)"),
    "413": (
        fails(413),
        RequestRejected,
        "{at} takes no request as large as this (no); send less text or smaller images",
    ),
    "422": (fails(422), RequestRejected, "{at} refuses the request (no); correct the backend's parameters"),
    "429 by rate": (fails(429), BackendOverloaded, "{at} is asked too often (no)"),
    "429 by quota": (
        fails(429, "You exceeded your current quota.", "insufficient_quota"),
        QuotaExhausted,
        "the account of ${{KEY_OF_MINE}} has no credit left for m at {at} (You exceeded your current quota); "
        "add some or use another key, and resume",
    ),
    "500": (fails(500), TransientBackendError, "no usable answer from {at} (no)"),
    "502, a page": (
        sends(b"<html>bad</html>", 502),
        TransientBackendError,
        "no usable answer from {at} (<html>bad</html>)",
    ),
    "503, empty": (sends(b"", 503), TransientBackendError, "no usable answer from {at} (status 503)"),
    "529": (fails(529), BackendOverloaded, "{at} is overloaded (no)"),
    "redirected": (
        sends(b"", 307, Location="http://127.0.0.1:9/"),
        BackendUnavailable,
        "{at} sends requests elsewhere (status 307); write the address it means as base-url",
    ),
    "content filter": (
        fails(400, "no", "content_filter"),
        RequestRejected,
        "{at} refuses the prompt for what it says (no); change the prompt or choose another model",
    ),
    "error with a status of success": (
        sends({"error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": "slow down"}}}),
        BackendOverloaded,
        "{at} is asked too often (Provider returned error: slow down)",
    ),
    "error in a choice": (
        choices({"index": 0, "error": {"message": "upstream", "code": 502}, "finish_reason": "error"}),
        TransientBackendError,
        "no usable answer from {at} (upstream)",
    ),
    "not JSON": (sends(b"<<<"), TransientBackendError, "{at} answered with what is not JSON"),
    "nothing": (sends(b""), TransientBackendError, "{at} answered with what is not JSON"),
    "dropped": (lambda call: call.drop(), TransientBackendError, "{at} broke off (Server disconnected)"),
    "cut off": (sends(b'{"choices": [', length=99), TransientBackendError, "{at} broke off (Response payload is not"),
    "too long": (
        sends(b" " * 1_000_001),
        AnswerTooLong,
        "{at} answered with more than 1 MB, and the rest was not read; raise max-answer-mb if that is meant",
    ),
}


@pytest.mark.sample(fast=9)
@pytest.mark.parametrize(("behaviour", "kind", "said"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_fault_of_the_server_is_one_sentence_of_one_class(server, monkeypatch, behaviour, kind, said):
    """Its class says whether asking again can help; it is asked once, and the sentence says what to do."""
    monkeypatch.setenv("KEY_OF_MINE", CANARY)
    server.usually = behaviour

    error = await error_of(base_url=server.address, api_key=Secret("KEY_OF_MINE"), max_answer_mb=1)

    assert str(error).startswith(said.format(at=server.address))
    assert "\n" not in str(error)
    assert type(error) is kind
    assert len(server.calls) == 1


TOO_LONG = {
    "OpenAI": (400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
    "vLLM": (400, "This model's maximum context length is 64 tokens. However, you requested 65", None),
    "llama.cpp": (
        400,
        "the request exceeds the available context size. try increasing it",
        "exceed_context_size_error",
    ),
    "LM Studio": (400, "The number of tokens to keep is greater than the context length.", None),
    "a gateway": (413, "context window exceeded", None),
}


@pytest.mark.parametrize(("status", "said", "code"), TOO_LONG.values(), ids=TOO_LONG.keys())
async def test_a_prompt_that_is_too_long_is_an_answer(server, status, said, code):
    """Which prompts are too long is the model's answer: it is handed over, and wrote nothing."""
    server.usually = fails(status, said, code)
    connection = await OpenAICompatible(model="m", base_url=server.address).connect()

    answer = await connection.complete(REQUEST)
    await connection.close()

    assert answer == Completion(text="", finish_reason="context-length")


MINIMAX = {
    "an empty account": (1008, "insufficient balance", QuotaExhausted),
    "a limit": (1002, "rate limit", BackendOverloaded),
    "a fault": (1000, "unknown error", TransientBackendError),
    "a key": (1004, "login fail", BackendUnavailable),
    "a word": (1026, "input new_sensitive", RequestRejected),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("code", "said", "kind"), MINIMAX.values(), ids=MINIMAX)
async def test_an_error_of_minimax_in_a_success_is_one(server, code, said, kind, stream):
    """Its answers hold a code beside choices that are null; 0 is none."""
    body = {"id": "1", "choices": None, "usage": None, "base_resp": {"status_code": code, "status_msg": said}}
    server.usually = sends(body)

    error = await error_of(base_url=server.address, stream=stream)

    assert type(error) is kind
    assert said in str(error)


@pytest.mark.parametrize("status", [200, 400])
async def test_a_prompt_that_minimax_finds_too_long_is_an_answer(server, status):
    """By its code, with either status."""
    server.usually = sends({"choices": None, "base_resp": {"status_code": 1039, "status_msg": "token limit"}}, status)

    assert await answer_of(server) == Completion(text="", finish_reason="context-length")


async def answer_of(server, **settings) -> Completion:
    """The answer to one request."""
    connection = await OpenAICompatible(model="m", base_url=server.address, **settings).connect()
    try:
        return await connection.complete(REQUEST)
    finally:
        await connection.close()


def groq(code: str, wrote: str) -> dict:
    """What Groq says where the model's own answer fits neither the schema nor a tool."""
    said = "Failed to generate JSON. See 'failed_generation' for more details."
    return {"error": {"message": said, "type": "invalid_request_error", "code": code, "failed_generation": wrote}}


@pytest.mark.parametrize("code", ["json_validate_failed", "tool_use_failed"])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_writes_no_json_has_answered(server, code, stream):
    """Groq refuses it with 400, or in the middle of a stream; it is the model's, whole or not."""
    server.usually = sends(groq(code, '{"action": "a'), 400)
    refused = await answer_of(server, stream=stream)
    server.usually = lambda call: call.stream(b"event: error\ndata: %b\n\n" % json.dumps(groq(code, "no")).encode())
    streamed = await answer_of(server, stream=stream)

    assert refused == Completion(text='{"action": "a', finish_reason="unknown", finish_word=code)
    assert streamed == Completion(text="no", finish_reason="unknown", finish_word=code)
    assert len(server.calls) == 2


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [201, 202, 246])
async def test_an_answer_with_any_status_of_success_is_read(server, status, stream):
    """Gateways have their own; one that has just accepted the request does not answer it."""
    choice = {"index": 0, "message": {"content": "ready"}, "finish_reason": "stop"}
    server.usually = sends({"id": "1", "choices": [choice]}, status)
    answer = await answer_of(server, stream=stream)
    server.usually = sends({"id": "1", "status": "queued"}, status)
    error = await error_of(base_url=server.address, stream=stream)

    assert answer.text == "ready"
    assert type(error) is TransientBackendError


async def test_a_filtered_answer_is_an_answer(server):
    """What the provider cuts away is said by the reason why it ended."""
    server.usually = lambda call: call.says("", finish="content_filter")
    connection = await OpenAICompatible(model="m", base_url=server.address).connect()

    answer = await connection.complete(REQUEST)
    await connection.close()

    assert answer.finish_reason == "content-filter"


async def test_a_schema_that_is_refused_says_what_else_can_be_written(server):
    """A server without ``response_format`` is told of in the words of the parameter."""
    server.usually = fails(400, "Unsupported response_format")

    error = await error_of(
        CompletionRequest(messages=REQUEST.messages, schema={"type": "object"}), base_url=server.address
    )

    assert "write schema: json-object or schema: none" in str(error)
    assert type(error) is RequestRejected


@pytest.mark.parametrize(("way", "other"), [("grammar", "grammar-string"), ("grammar-string", "grammar")])
@pytest.mark.parametrize(
    "behaviour",
    [
        fails(400, "Failed to parse grammar"),
        sends({"detail": [{"type": "extra_forbidden", "loc": ["body", "grammar"], "msg": "Extra inputs"}]}, 422),
    ],
    ids=["not read", "not known"],
)
async def test_a_grammar_that_is_refused_says_what_else_can_be_written(server, way, other, behaviour):
    """Whether the server knows no such field or does not read what stands there, the other ways are named."""
    server.usually = behaviour

    error = await error_of(
        CompletionRequest(messages=REQUEST.messages, schema={"type": "object"}), base_url=server.address, schema=way
    )

    advice = f"; if the server takes no grammar in this field, write schema: {other} or schema: json-object"
    assert str(error).endswith(advice)
    assert type(error) is RequestRejected


WAITS = {
    "seconds": ({"Retry_After": "7"}, 7),
    "date": (lambda: {"Retry_After": format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)}, 90),
    "milliseconds": ({"retry_after_ms": "250"}, 0.25),
    "both": ({"retry_after_ms": "250", "Retry_After": "1"}, 0.25),
    "span": ({"x_ratelimit_reset_requests": "6m0s", "x_ratelimit_remaining_requests": "0"}, 360),
    "short span": ({"x_ratelimit_reset_tokens": "20ms", "x_ratelimit_remaining_tokens": "0"}, 0.02),
    "hours": ({"x_ratelimit_reset_requests": "1h2m3.5s"}, 3723.5),
    "the limit that is reached": (
        {
            "x_ratelimit_reset_requests": "8h0m0s",
            "x_ratelimit_remaining_requests": "99",
            "x_ratelimit_reset_tokens": "2s",
            "x_ratelimit_remaining_tokens": "0",
        },
        2,
    ),
    "moment": (lambda: {"X_RateLimit_Reset": str(int(time.time()) + 60), "X_RateLimit_Remaining": "0"}, 60),
    "moment in milliseconds": (lambda: {"X_RateLimit_Reset": str(int(time.time() * 1000) + 60_000)}, 60),
    "none": ({}, None),
    "unreadable": ({"Retry_After": "soon", "x_ratelimit_reset_requests": "later"}, None),
    "past": ({"Retry_After": "-3"}, 0),
}


@pytest.mark.sample(fast=10)
@pytest.mark.parametrize(("headers", "wait_s"), WAITS.values(), ids=WAITS.keys())
async def test_a_wait_is_read_in_every_spelling(server, headers, wait_s):
    """The seconds that the server asks for are handed on; none are invented."""
    server.usually = fails(429, **(headers() if callable(headers) else headers))

    error = await error_of(base_url=server.address)

    assert isinstance(error, BackendOverloaded)
    assert error.retry_after_s == (
        None if wait_s is None else pytest.approx(wait_s, abs=60 if wait_s in (60, 90) else 0.01)
    )


async def test_nobody_listens():
    """A refused connection may pass, since servers are restarted."""
    error = await error_of(base_url="http://127.0.0.1:9/v1")

    assert str(error) == (
        "no server answers at http://127.0.0.1:9/v1 (Connection refused); start it or correct base-url"
    )
    assert type(error) is BackendUnreachable


async def test_a_host_that_nobody_knows(monkeypatch):
    """A name that cannot be looked up is told from a server that is down."""

    def lookup(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)

    error = await error_of(base_url="http://nobody.invalid/v1")

    assert str(error) == (
        "nobody knows the host of http://nobody.invalid/v1 (Name or service not known); "
        "correct base-url or look after the network"
    )
    assert type(error) is BackendUnreachable


async def test_a_certificate_that_nobody_trusts(tls_server):
    """It holds for every request, and the parameter that would help is named."""
    error = await error_of(base_url=tls_server.address)

    assert "is not trusted (self-signed certificate); name the file" in str(error)
    assert "ca-file" in str(error)
    assert type(error) is BackendUnavailable


async def test_a_server_without_tls(server):
    """https:// to a server that speaks http:// says so."""
    error = await error_of(base_url=server.address.replace("http://", "https://"))

    assert "write http:// if it speaks no TLS, or correct base-url" in str(error)
    assert type(error) is BackendUnavailable


@pytest.mark.parametrize("place", ["its own variable", "the provider's variable", "the address"])
async def test_no_error_holds_a_secret(server, monkeypatch, place):
    """A server that sends it back, and an address that holds it, cannot make an error show it."""
    monkeypatch.setenv("KEY_OF_MINE", CANARY)
    address = server.address
    if place == "the provider's variable":
        monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    server.usually = lambda call: call.fail(500, f"at {call.handler.headers.get('Authorization')}")
    settings = {"base_url": address, "api_key": Secret("KEY_OF_MINE")}
    if place == "the address":
        settings = {"base_url": address.replace("//", f"//me:{CANARY}@")}

    errors = [await error_of(**settings)]
    if place == "the address":
        errors.append(await error_of(base_url=f"http://me:{CANARY}@127.0.0.1:9/v1"))

    assert all(CANARY not in str(error) for error in errors)
    assert place == "the address" or "at Bearer ${KEY_OF_MINE}" in str(errors[0])


async def test_a_key_goes_nowhere_but_where_it_belongs(server, monkeypatch):
    """A server of one's own gets no key of a provider; without a key that it wants, a provider is not asked."""
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    connection = await OpenAICompatible(model="m", base_url=server.address).connect()
    await connection.complete(REQUEST)
    await connection.close()
    monkeypatch.delenv("OPENAI_API_KEY")

    with pytest.raises(BackendUnavailable) as raised:
        await OpenAICompatible(model="gpt-4o").connect()

    assert server.calls[0].handler.headers.get("Authorization") is None
    assert str(raised.value) == (
        "no key for gpt-4o: the environment does not hold OPENAI_API_KEY; set it or put it into .env"
    )
