"""Servers: one that runs already, and ones that are started and stopped."""

import asyncio
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from arena.backend import CompletionRequest, Message, Sampling, Secret
from arena.errors import BackendError
from arena.testing import check_backend
from arena_backend_vllm.serve import Serve

from .conftest import MARK, SMALL, Marked

pytestmark = pytest.mark.timeout(600)
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
        process.wait(60)
        vanish(marked)


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server answers."""
    while process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-4000:])


def vanish(marked: Marked) -> None:
    """Wait for processes to be gone, as long as is decent."""
    end = time.monotonic() + 20
    while marked.processes() and time.monotonic() < end:
        time.sleep(0.1)


def test_a_running_server_keeps_the_contract(address, monkeypatch):
    """The shipped check finds nothing wrong; a wrong key and an unknown model are one sentence each."""
    monkeypatch.setenv("SERVER_KEY", KEY)
    served = {"base_url": address, "api_key": Secret("SERVER_KEY"), "max_tokens": 24}

    report = check_backend(Serve(model="smollm2", **served))

    assert report.capabilities == ("batch", "logprobs", "schema", "seed")
    assert report.untested == ()
    with pytest.raises(BackendError, match="serves 'smollm2', not 'other'"):
        asyncio.run(Serve(model="other", **served).connect())
    with pytest.raises(BackendError, match="refuses the key"):
        asyncio.run(Serve(model="smollm2", base_url=address).connect())


async def test_a_server_is_started_and_stopped_without_a_trace(model, marked, monkeypatch):
    """It answers on a socket of its own while it is there; closing ends all its processes."""
    monkeypatch.setenv(MARK, marked.environment[MARK])
    backend = Serve(model=model, context=1024, options=SMALL)
    connection = await backend.connect()
    request = CompletionRequest(messages=(Message.of("user", "Hello"),), sampling=Sampling(max_tokens=4))

    answers = await asyncio.gather(*(connection.complete(request) for _ in range(4)))
    running = marked.processes()
    await connection.close()
    await asyncio.to_thread(vanish, marked)

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
    await asyncio.to_thread(vanish, marked)

    assert "\n" not in str(error.value)
