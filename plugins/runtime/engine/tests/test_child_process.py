"""Processes that talk to the one that started them, and end with it."""

import asyncio

import pytest
from arena_engine import ChildProcess

FORKING = """
import os
import socket


def main(channel, lifeline):
    open_here = socket.socket(fileno=channel)
    open_here.sendall(b"x" * 1_000_000)
    if os.fork() == 0:
        os.read(lifeline, 1)  # until the one that started both lets go
    os._exit(0)
"""


@pytest.fixture
def forking(tmp_path, monkeypatch):
    """A process that sends a million bytes, and is gone while a fork of it lives."""
    (tmp_path / "forking.py").write_text(FORKING)
    monkeypatch.syspath_prepend(tmp_path)
    process = ChildProcess.start("forking:main")
    yield process
    process.kill()


async def test_all_that_a_process_sent_is_read_then_it_ends(forking):
    """What a process has sent before its end is read, whoever holds its socket open; then reading ends."""
    reader, writer = await asyncio.open_connection(sock=forking.channel)

    async with asyncio.timeout(20):
        read = await reader.read()

    writer.close()
    assert (len(read), forking.wait()) == (1_000_000, 0)
