import asyncio
import json
import os
import subprocess
import sys
import time

import pytest
from arena.backend import Completion, CompletionRequest, Connection, Message, Secret
from arena.errors import BackendError, BackendOverloaded, RequestRejected, TransientBackendError
from arena_backend_scripted.backend import Scripted
from arena_backend_scripted.fault import Fault
from arena_engine import completion_from_text, request_hash, request_text
from arena_engine.models.request_text import completion_text

ANSWER = '{"reasoning": "the corner is free", "action": "a1"}'


def request(text: str = "Your move.") -> CompletionRequest:
    return CompletionRequest(messages=(Message.of("user", text),))


async def outcome(connection: Connection, one: CompletionRequest) -> str:
    """The answer's text, or the error's."""
    try:
        return (await connection.complete(one)).text
    except BackendError as error:
        return f"! {error}"


@pytest.mark.parametrize(
    ("kind", "text", "error_class"),
    [
        ("timeout", "the server took too long", BackendOverloaded),
        ("rate-limit", "429 too many requests", BackendOverloaded),
        ("server-error", "500 internal server error", TransientBackendError),
        ("connection", "connection refused", TransientBackendError),
        ("bad-request", "400 bad request", RequestRejected),
    ],
)
async def test_an_error_says_whether_asking_again_may_help(kind, text, error_class):
    """Errors of the server and the network pass, a bad request does not; the wait that is asked for is told."""
    connection = await Scripted(answers=(ANSWER,), faults=(Fault(kind=kind, calls=(1,), retry_after_s=3.0),)).connect()

    with pytest.raises(BackendError, match=f"^{text}$") as error:
        await connection.complete(request())

    assert type(error.value) is error_class
    if isinstance(error.value, TransientBackendError):
        assert error.value.retry_after_s == 3.0
    assert (await connection.complete(request())).text == ANSWER


async def spoilt(kind: str) -> Completion:
    connection = await Scripted(answers=(ANSWER,), faults=(Fault(kind=kind, calls=(1,)),)).connect()
    return await connection.complete(request())


async def test_a_truncated_answer_is_half_of_it_and_marked():
    """The first half comes, with the finish reason of an answer that was cut off."""
    completion = await spoilt("truncated")

    assert ANSWER.startswith(completion.text)
    assert len(completion.text) == len(ANSWER) // 2
    assert completion.finish_reason == "length"


async def test_an_empty_answer_is_empty():
    """Nothing was said, and nothing was counted."""
    completion = await spoilt("empty")

    assert (completion.text, completion.usage.completion_tokens) == ("", 0)


async def test_prose_holds_no_json():
    """The answer is a sentence in which there is nothing to parse."""
    completion = await spoilt("not-json")

    assert completion.text.isprintable()
    assert not set(completion.text) & set('{}[]"')


async def test_a_wrong_encoding_is_unreadable_and_can_be_kept():
    """What comes is no JSON, holds replacement characters, and survives the journal's encoding."""
    completion = await spoilt("wrong-encoding")

    assert "\N{REPLACEMENT CHARACTER}" in completion.text
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(completion.text)
    assert completion_from_text(completion_text(completion).encode().decode()) == completion


async def test_a_megabyte_of_prose_comes_before_the_answer():
    """The answer is still there, behind a megabyte."""
    completion = await spoilt("megabyte")

    assert 2**20 < len(completion.text) < 2**20 + 500
    assert completion.text.endswith(ANSWER)


async def test_a_server_that_hangs_can_be_left():
    """No answer comes until who asked gives up."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await spoilt("hang")


async def test_a_leak_tells_the_secret(monkeypatch):
    """The error's text holds the API key, so that a test can see it kept out of everything."""
    monkeypatch.setenv("CANARY", "sk-canary-123")
    backend = Scripted(api_key=Secret("CANARY"), faults=(Fault(kind="leak", calls=(1,)),))

    with pytest.raises(BackendError, match="sk-canary-123"):
        await (await backend.connect()).complete(request())


async def test_shares_are_kept_and_do_not_depend_on_the_order_of_calls():
    """Each fault befalls about its share of requests, and the same ones in any order."""
    faults = (Fault(kind="rate-limit", share=0.2), Fault(kind="empty", share=0.1))
    backend = Scripted(answers=("fine",), faults=faults)
    requests = [request(f"Turn {turn}") for turn in range(2000)]

    there, back = await backend.connect(), await backend.connect()
    forwards = [await outcome(there, one) for one in requests]
    backwards = [await outcome(back, one) for one in reversed(requests)]

    assert forwards == backwards[::-1]
    assert 340 < forwards.count("! 429 too many requests") < 460
    assert 150 < forwards.count("") < 250


async def test_asking_again_draws_again():
    """A share of one half does not befall the same request for ever."""
    backend = Scripted(answers=("fine",), faults=(Fault(kind="server-error", share=0.5),))
    connection = await backend.connect()

    outcomes = [await outcome(connection, request()) for _ in range(40)]

    assert 8 < outcomes.count("fine") < 32


async def test_latency_is_waited_for_by_all_at_once():
    """A hundred calls in flight take as long as one."""
    connection = await Scripted(answers=("fine",), latency_s=0.1, jitter_s=0.05).connect()
    start = time.monotonic()

    await asyncio.gather(*(connection.complete(request(str(number))) for number in range(100)))

    assert 0.1 <= time.monotonic() - start < 10  # which is what they would take one after another


async def test_the_log_has_a_line_for_each_call(tmp_path):
    """Each line is the request's hash, the same as the journal's, and what came of the call."""
    log = tmp_path / "calls.log"
    backend = Scripted(answers=("fine",), log=log, faults=(Fault(kind="timeout", calls=(2,)),))
    connection = await backend.connect()

    for one in (request("a"), request("b"), request("b")):
        await outcome(connection, one)
    await connection.close()

    hashes = [request_hash(request_text(backend, request(text))) for text in "abb"]
    assert log.read_text().splitlines() == [
        f"{hashes[0]} answered",
        f"{hashes[1]} timeout",
        f"{hashes[2]} answered",
    ]


@pytest.mark.slow
def test_the_log_outlives_a_killed_process(tmp_path):
    """What was asked before ``kill -9`` stands in the log, and a later process adds to it."""
    log = tmp_path / "calls.log"
    script = (
        "import asyncio, os, pathlib, signal\n"
        "from arena.backend import CompletionRequest, Message\n"
        "from arena_backend_scripted.backend import Scripted\n"
        "async def main():\n"
        f"    connection = await Scripted(answers=('x',), log=pathlib.Path({str(log)!r})).connect()\n"
        "    await connection.complete(CompletionRequest(messages=(Message.of('user', 'a'),)))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )

    for _ in range(2):
        subprocess.run([sys.executable, "-c", script], check=False, timeout=60)

    first, second = log.read_text().splitlines()
    assert first == second
    assert first.endswith(" answered")


async def test_a_log_that_cannot_be_written_is_an_error(tmp_path):
    """A log in a directory that is not there is said at once."""
    with pytest.raises(BackendError, match="cannot be written: No such file"):
        await Scripted(log=tmp_path / "none" / "calls.log").connect()


def test_nothing_heavy_is_imported():
    """The backend costs a run nothing but itself."""
    script = "import sys, arena_backend_scripted.backend as b; print({'numpy', 'rich', 'ruamel'} & set(sys.modules))"

    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True, env=dict(os.environ)
    )

    assert process.stdout.strip() == "set()"
