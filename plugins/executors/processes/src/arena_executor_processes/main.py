"""What a worker process does: it answers the driver until that has no more to do, or is gone."""

import asyncio
import os
import socket
from contextlib import suppress
from threading import Timer
from typing import Final

from arena_engine import Channel, Worker, end_with_parent, framed

ENDING_S: Final = 5.0
"""Seconds that the backends and whatever else lives in a worker may take to end."""


def main(channel: int, lifeline: int) -> None:
    """Serve the driver at the other end of ``channel``, a socket, until it or the pipe ``lifeline`` is closed there."""
    end_with_parent(lifeline)
    with suppress(EOFError, ConnectionError):
        asyncio.run(_serve(socket.socket(fileno=channel)))


async def _serve(end: socket.socket) -> None:
    channel = await Channel.over(end)
    worker = Worker()
    setup = await channel.receive()
    try:
        answer = await worker.set_up(setup)
    except Exception as error:
        answer = RuntimeError(f"{type(error).__name__}: {error}")
    channel.send(framed(answer))
    sending = asyncio.create_task(_send(worker, channel))
    while (messages := await channel.receive()) is not None:
        await worker.tell(messages)
    sending.cancel()
    # An agent that was cut off may go on in its thread, which Python would wait for at its end.
    ending = Timer(ENDING_S, os._exit, (0,))
    ending.daemon = True
    ending.start()
    await worker.close()


async def _send(worker: Worker, channel: Channel) -> None:
    while True:
        channel.send(framed(await worker.next_messages()))
        await channel.is_sent()
