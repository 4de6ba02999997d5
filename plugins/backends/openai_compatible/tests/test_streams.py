"""Answers that are read while they are written: the same as those that come whole, and every fault of a stream."""

import asyncio
import json
import threading

import attrs
import pytest
from arena.backend import Completion, CompletionRequest, Message, Sampling, ToolCall, Usage
from arena.errors import (
    BackendError,
    BackendOverloaded,
    RequestRejected,
    TransientBackendError,
)
from arena.testing import check_backend
from arena_backend_openai_compatible.backend import OpenAICompatible
from arena_openai_protocol import AnswerTooLong
from arena_testing.fixtures.chat_server import chunks, completion, usage

REQUEST = CompletionRequest(messages=(Message.of("user", "Count."),))
SCORED = attrs.evolve(REQUEST, sampling=Sampling(logprobs=1))
COUNTED = usage(prompt=1000, written=10, cached=400, reasoning=6)


async def asked(server, request=REQUEST, **settings) -> Completion:
    """The answer to one request."""
    backend = OpenAICompatible(**{"model": "m", "base_url": server.address, "stream": True, **settings})
    connection = await backend.connect()
    try:
        return await connection.complete(request)
    finally:
        await connection.close()


def event(value) -> bytes:
    """An event with ``value`` as its JSON."""
    return b"data: %b\n\n" % json.dumps(value).encode()


def says(text, finish=None, **delta) -> bytes:
    """A piece of an answer."""
    return event(
        {"model": "m", "choices": [{"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish}]}
    )


def calls(*pieces) -> bytes:
    """Pieces of tool calls."""
    return says(None, tool_calls=list(pieces))


def streams(*pieces, **more):
    """What a server does that sends these."""
    return lambda call: call.stream(*pieces, **more)


DONE = b"data: [DONE]\n\n"
TOOLS = [{"id": f"c{n}", "type": "function", "function": {"name": "act", "arguments": f"[{n}, ♞]"}} for n in (1, 2)]
TOKENS = [{"token": token, "logprob": -0.5, "top_logprobs": [{"token": token, "logprob": -0.5}]} for token in "ab"]
MESSAGES = {
    "text": {"content": "Schach ♞ 😀"},
    "tool calls": {"content": None, "tool_calls": TOOLS, "reasoning_content": "Hm."},
    "reasoning_content": {"content": "answer", "reasoning_content": "Hm, hm, hm."},
    "reasoning": {"content": "answer", "reasoning": "Hm, hm, hm."},
    "think": {"content": "<think>\nHm, hm.\n</think>\n\nanswer"},
    "refusal": {"content": None, "refusal": "I will not."},
    "half a character": {"content": "half \ud83d"},
    "nothing": {"content": ""},
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES.keys())
async def test_an_answer_is_the_same_with_and_without(server, message):
    """Text, calls, reasoning, probabilities, usage, cost, name of the model; the first token's time is beside it."""
    choice = {"index": 0, "message": message, "finish_reason": "length", "logprobs": {"content": TOKENS}}
    whole = completion(choice, usage={**COUNTED, "cost": 0.25})
    server.usually = lambda call: call.complete(whole)

    streamed, plain = await asked(server, SCORED), await asked(server, SCORED, stream=False)

    assert streamed == plain
    assert plain.first_token_s is None
    assert (streamed.first_token_s is None) is (message == {"content": ""})
    assert [call.body.get("stream_options") for call in server.calls] == [{"include_usage": True}, None]


FORMS = {
    "lines end in CR LF": lambda text: text.replace(b"\n", b"\r\n"),
    "lines end in CR": lambda text: text.replace(b"\n", b"\r"),
    "it is kept alive": lambda text: b": ping\n\n" + text.replace(b"\n\n", b"\n\n: ping\n\n"),
    "fields nobody needs": lambda text: b"\xef\xbb\xbfretry: 9\nid: 1\n\n" + text.replace(b"data:", b"event: x\ndata:"),
    "no space, two lines of data": lambda text: text.replace(b"data: {", b"data:{\ndata:"),
    "its mark of the end is missing": lambda text: text.removesuffix(DONE),
    "no empty line at the end": lambda text: text.removesuffix(b"\n\n"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
async def test_a_stream_is_read_in_every_form(server, form):
    """However lines end and wherever its bytes are cut, in the middle of a character too, the answer is the same."""
    message = {"role": "assistant", "content": "a♞\r\n😀b"}
    whole = completion({"index": 0, "message": message, "finish_reason": "stop"}, usage=COUNTED)
    text = form(b"".join(map(event, chunks(whole))).replace(b"\\u265e", "♞".encode()) + DONE)
    bytes_ = [text[at : at + 1] for at in range(len(text))]
    server.plan = [streams(*bytes_), streams(text), lambda call: call.send(200, whole)]

    answers = [await asked(server) for _ in range(3)]

    assert answers[0] == answers[1] == answers[2]
    assert answers[0].text == "a♞\r\n😀b"
    assert answers[0].usage == Usage(prompt_tokens=1000, completion_tokens=10, cached_tokens=400, reasoning_tokens=6)


def piece(index=None, id=None, name=None, arguments=None):  # noqa: A002 -- as the protocol calls it
    """A piece of a tool call, without what is not given."""
    found = {"index": index, "id": id, "function": {"name": name, "arguments": arguments}}
    found["function"] = {key: value for key, value in found["function"].items() if value is not None}
    return {key: value for key, value in found.items() if value is not None}


PIECES = {
    "in turns": [
        piece(0, "a", "x", ""),
        piece(1, "b", "y", ""),
        piece(0, None, None, "[1]"),
        piece(1, None, None, "[2]"),
    ],
    "all counted as the first": [piece(0, "a", "x", "[1]"), piece(0, "b", "y", "[2]")],
    "not counted": [piece(None, "a", "x", "[1"), piece(None, None, None, "]"), piece(None, "b", "y", "[2]")],
    "names and ids repeated": [piece(0, "a", "x", "["), piece(0, "a", "x", "1]"), piece(1, "b", "y", "[2]")],
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES.keys())
async def test_several_tool_calls_are_told_apart(server, pieces):
    """Servers count the pieces of calls in different ways."""
    server.usually = streams(*map(calls, pieces), says(None, "tool_calls"), DONE)

    answer = await asked(server)

    assert answer.tool_calls == (ToolCall("a", "x", "[1]"), ToolCall("b", "y", "[2]"))
    assert answer.finish_reason == "tool-calls"


async def test_a_character_in_two_halves_is_one(server):
    """JSON can hold each half of a character for itself."""
    server.usually = streams(says("\ud83d"), says("\ude00", "stop"), DONE)

    assert (await asked(server)).text == "😀"


CHOICE = {"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}
SERVERS = {
    "does not stream": lambda call: call.send(200, completion(CHOICE, usage=COUNTED)),
    "sends one whole message": streams(event(completion(CHOICE, usage=COUNTED)), DONE),
    "counts all the time": streams(
        event({"choices": [{"delta": {"content": "rea"}}], "usage": usage(prompt=1000, written=1)}),
        event({"choices": [{"delta": {"content": "dy"}, "finish_reason": "stop"}], "usage": COUNTED}),
        DONE,
    ),
    "counts in two places": streams(
        event({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 1, "total_tokens": 1001}}),
        says("ready", "stop"),
        event({"choices": [], "usage": {"completion_tokens": 10, "prompt_tokens": None}}),
        DONE,
    ),
    "breaks off behind the answer": streams(
        says("ready", "stop"), event({"choices": [], "usage": COUNTED}), is_cut_off=True
    ),
}


@pytest.mark.parametrize("behaviour", SERVERS.values(), ids=SERVERS.keys())
async def test_a_server_may_stream_in_its_own_way(server, behaviour):
    """What matters is that the answer is whole."""
    server.usually = behaviour

    answer = await asked(server)

    assert (answer.text, answer.usage.prompt_tokens, answer.usage.completion_tokens) == ("ready", 1000, 10)


async def test_usage_that_nobody_tells_is_unknown(server):
    """A server may know no ``stream_options``."""
    server.usually = lambda call: call.complete(completion(CHOICE), tells_usage=False)

    answer = await asked(server)

    assert (answer.text, answer.usage) == ("ready", Usage())


async def test_a_server_that_refuses_stream_options_is_asked_without(server):
    """Nothing was computed; the connection remembers it."""
    said = "[{'type': 'extra_forbidden', 'loc': ['body', 'stream_options'], 'msg': 'Extra inputs are not permitted'}]"
    server.plan = [lambda call: call.fail(422, said)]
    connection = await OpenAICompatible(model="m", base_url=server.address, stream=True).connect()

    answers = [await connection.complete(REQUEST) for _ in range(2)]
    await connection.close()

    assert answers[0] == answers[1]
    assert ["stream_options" in call.body for call in server.calls] == [True, False, False]
    assert all(call.body["stream"] for call in server.calls)


async def test_sockets_are_kept_open(server):
    """A stream is read to its end, so that the next request needs no new connection."""
    connection = await OpenAICompatible(model="m", base_url=server.address, stream=True, concurrency=1).connect()

    for _ in range(3):
        await connection.complete(REQUEST)
    await connection.close()

    assert len(server.connections) == 1


async def test_a_cancelled_request_stops_the_server(server):
    """The connection is closed at once, in the middle of the answer; the next request is answered."""
    has_begun, has_ended, read = threading.Event(), threading.Event(), []

    def until_gone(call):
        def wait():
            has_begun.set()
            read.append(call.handler.connection.recv(1))
            has_ended.set()

        call.stream(says("rea"), says("dy", "stop"), wait=wait)

    server.plan = [until_gone]
    connection = await OpenAICompatible(model="m", base_url=server.address, stream=True).connect()
    task = asyncio.create_task(connection.complete(REQUEST))
    assert await asyncio.to_thread(has_begun.wait, 20)

    task.cancel()

    assert await asyncio.to_thread(has_ended.wait, 20)
    assert read == [b""]
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await connection.complete(REQUEST)).text
    await connection.close()


BROKEN = "{at} broke off (the stream ended before the answer did)"
FAULTS = {
    "an error in the middle": (
        streams(says("rea"), event({"error": {"message": "out of memory", "code": 500}})),
        TransientBackendError,
        "no usable answer from {at} (out of memory)",
    ),
    "an error by rate": (
        streams(says("rea"), event({"error": {"message": "slow down", "code": 429}}), DONE),
        BackendOverloaded,
        "{at} is asked too often (slow down)",
    ),
    "an error of vLLM": (
        streams(event({"object": "error", "message": "no", "type": "BadRequestError", "code": 400}), DONE),
        RequestRejected,
        "{at} refuses the request (no); correct the backend's parameters",
    ),
    "an error that refuses nothing any more": (
        streams(says("rea"), event({"error": {"message": "bad gateway", "code": 400}})),
        TransientBackendError,
        "no usable answer from {at} (bad gateway)",
    ),
    "an error beside the choices": (
        streams(says("rea"), event({"error": {"message": "lost", "code": "server_error"}, "choices": [{"delta": {}}]})),
        TransientBackendError,
        "no usable answer from {at} (lost)",
    ),
    "a provider that broke down": (
        streams(says("rea"), says("", "error"), DONE),
        TransientBackendError,
        "the server cut the answer off ('error')",
    ),
    "an error of llama.cpp": (
        streams(says("rea"), b'error: {"code": 503, "message": "loading"}\n\n'),
        TransientBackendError,
        "no usable answer from {at} (loading)",
    ),
    "an event of an error": (
        streams(b'event: error\ndata: {"message": "overloaded", "code": 529}\n\n'),
        BackendOverloaded,
        "{at} is overloaded (overloaded)",
    ),
    "an error in a choice": (
        streams(event({"choices": [{"error": {"message": "upstream", "code": 502}, "finish_reason": "error"}]})),
        TransientBackendError,
        "no usable answer from {at} (upstream)",
    ),
    "a connection that breaks": (
        streams(says("rea"), is_cut_off=True),
        TransientBackendError,
        "{at} broke off (Response payload is not completed",
    ),
    "a stream that just ends": (streams(says("rea")), TransientBackendError, BROKEN),
    "a line that is cut off": (streams(says("rea"), says("dy", "stop")[:40]), TransientBackendError, BROKEN),
    "nothing but comments": (streams(b": ping\n\n"), TransientBackendError, BROKEN),
    "no JSON": (
        streams(says("rea"), b"data: <<<\n\n", DONE),
        TransientBackendError,
        "{at} answered with what is not JSON",
    ),
    "no stream and no JSON": (streams(b"<<<\n\n"), TransientBackendError, "{at} answered with what is not JSON"),
    "nothing": (streams(), TransientBackendError, "{at} answered with what is not JSON"),
    "too long": (
        streams(*[says("x" * 100_000)] * 11, DONE),
        AnswerTooLong,
        "{at} answered with more than 1 MB, and the rest was not read; raise max-answer-mb if that is meant",
    ),
}


@pytest.mark.sample(fast=10)
@pytest.mark.parametrize(("behaviour", "kind", "said"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_fault_of_a_stream_is_one_sentence_of_one_class(server, behaviour, kind, said):
    """As where answers come whole: its class says whether asking again can help, and it is asked once."""
    server.usually = behaviour

    with pytest.raises(BackendError) as raised:
        await asked(server, max_answer_mb=1)

    assert str(raised.value).startswith(said.format(at=server.address))
    assert "\n" not in str(raised.value)
    assert type(raised.value) is kind
    assert raised.value.__cause__ is None
    assert len(server.calls) == 1


async def test_a_prompt_that_is_too_long_is_an_answer(server):
    """Some servers begin a stream before they count."""
    said = {"message": "This model's maximum context length is 64 tokens.", "code": 400}
    server.usually = streams(event({"error": said}), DONE)

    assert await asked(server) == Completion(text="", finish_reason="context-length")


def test_the_contract_is_kept(server):
    """The shipped check finds nothing wrong."""
    backend = OpenAICompatible(
        model="m", base_url=server.address, stream=True, can=("schema", "tools", "seed", "logprobs", "batch")
    )

    report = check_backend(backend)

    assert report.capabilities == ("batch", "logprobs", "schema", "seed", "tools")
