"""Ends a server with the process that started it."""

import os
import signal
import sys
import threading


def end_with_input() -> None:
    """End the server once its standard input does."""
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
