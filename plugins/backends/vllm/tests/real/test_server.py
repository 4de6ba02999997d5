"""Servers: one that runs already, and ones that are started and stopped."""

import asyncio
import contextlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from arena.backend import CompletionRequest, Message, Sampling, Secret
from arena.errors import BackendError, BackendUnreachable
from arena.testing import check_backend
from arena_backend_vllm.serve import Serve

from .conftest import LONG, MARK, SMALL

pytestmark = pytest.mark.timeout(1800)
KEY = "sk-canary-of-a-server"


@pytest.fixture
def address(model, marked, tmp_path) -> Iterator[str]:
    """A server as a user starts one, with a key."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--dtype=bfloat16", "--enforce-eager", "--max-model-len=2048", "--enable-prompt-tokens-details"]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", f"--model={model}", f"--api-key={KEY}"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, *options, "--served-model-name=smollm2", "--host=127.0.0.1", f"--port={port}"],
            stdout=log,
            stderr=log,
            env=marked.environment,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, tmp_path / "log")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(300)


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server answers."""
    while process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-4000:])


def asked(text: str) -> CompletionRequest:
    """Four tokens, with a seed."""
    return CompletionRequest(messages=(Message.of("user", text),), sampling=Sampling(max_tokens=4, seed=7))


async def outlive(backend: Serve) -> list[object]:
    """What comes of prompts that a server on a CPU reads in parts, and of one more when the server is gone."""
    connection = await backend.connect()
    found = await asyncio.gather(*(connection.complete(asked(text)) for text in LONG), return_exceptions=True)
    address = urllib.parse.urlsplit(backend.base_url)
    with contextlib.suppress(ConnectionRefusedError):
        while True:
            socket.create_connection((address.hostname, address.port)).close()
            await asyncio.sleep(0.1)
    found += await asyncio.gather(connection.complete(asked("Hello")), return_exceptions=True)
    await connection.close()
    return found


def test_a_running_server_keeps_the_contract_and_its_end_is_explained(address, monkeypatch):
    """The shipped check finds nothing wrong; a wrong key, an unknown model and the loss of its engine are sentences.

    A server on a CPU loses it where prompts are read in parts and have seeds; how to start it is in the sentence.
    """
    monkeypatch.setenv("SERVER_KEY", KEY)
    served = {"base_url": address, "api_key": Secret("SERVER_KEY"), "max_tokens": 24}

    report = check_backend(Serve(model="smollm2", **served))

    assert report.capabilities == ("batch", "logprobs", "schema", "seed")
    assert report.untested == ()
    with pytest.raises(BackendError, match="serves 'smollm2', not 'other'"):
        asyncio.run(Serve(model="other", **served).connect())
    with pytest.raises(BackendError, match="refuses the key"):
        asyncio.run(Serve(model="smollm2", base_url=address).connect())
    for found in asyncio.run(outlive(Serve(model="smollm2", **served))):
        assert isinstance(found, BackendUnreachable)
        assert re.search("has lost its engine .*start it with --no-enable-chunked-prefill", str(found))


async def test_a_server_is_started_and_stopped_without_a_trace(model, marked, monkeypatch):
    """It answers on a socket of its own while it is there; closing ends all its processes."""
    monkeypatch.setenv(MARK, marked.environment[MARK])
    backend = Serve(model=model, context=1024, options=SMALL)
    connection = await backend.connect()

    answers = await asyncio.gather(*(connection.complete(asked(text)) for text in LONG))
    running = marked.processes()
    await connection.close()

    assert all(answer.usage.completion_tokens == 4 for answer in answers)
    assert len(running) >= 2


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"model": "nobody/no-such-model"}, "cannot load 'nobody/no-such-model' .*; correct model"),
        ({"start_timeout_s": 0.5}, "did not load .* within 0.5 s; raise start-timeout-s"),
    ],
)
async def test_a_server_that_does_not_start_is_one_sentence(model, marked, monkeypatch, changes, complaint):
    """What it printed says why, and nothing of it stays."""
    monkeypatch.setenv(MARK, marked.environment[MARK])

    with pytest.raises(BackendError, match=complaint) as error:
        await Serve(**{"model": model, "options": SMALL, **changes}).connect()

    assert "\n" not in str(error.value)
