"""What a worker process does: it answers the driver until that has no more to do, or is gone."""

import asyncio
import os
import socket
from contextlib import suppress
from threading import Timer
from typing import Final

from arena_engine import Worker, end_with_parent

from arena_executor_processes.links import framed, received

ENDING_S: Final = 5.0
"""Seconds that the backends and whatever else lives in a worker may take to end."""


def main(channel: int, lifeline: int) -> None:
    """Serve the driver at the other end of ``channel``, a socket, until it or the pipe ``lifeline`` is closed there."""
    end_with_parent(lifeline)
    with suppress(EOFError, ConnectionError):
        asyncio.run(_serve(socket.socket(fileno=channel)))


async def _serve(channel: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=channel)
    worker = Worker()
    setup = await received(reader)
    try:
        answer = await worker.set_up(setup)
    except Exception as error:
        answer = RuntimeError(f"{type(error).__name__}: {error}")
    writer.write(framed(answer))
    sending = asyncio.create_task(_send(worker, writer))
    while (messages := await received(reader)) is not None:
        await worker.tell(messages)
    sending.cancel()
    # An agent that was cut off may go on in its thread, which Python would wait for at its end.
    ending = Timer(ENDING_S, os._exit, (0,))
    ending.daemon = True
    ending.start()
    await worker.close()


async def _send(worker: Worker, writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(framed(await worker.next_messages()))
        await writer.drain()
