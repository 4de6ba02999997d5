"""What a process that vLLM starts for Arena does first.

vLLM's engine is a process of its own, also where it is used in process. A Ctrl-C in the terminal would reach it too and
break off the answers that the run still waits for, and a killed run would leave it behind with the GPU's memory.
"""

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from typing import Any

from arena_backend_vllm.environment import FOLLOWS


def follow() -> None:
    """Leave the terminal to the process that started this one, and end with it; vLLM calls it as its plugin."""
    parent: Any = multiprocessing.parent_process()
    if FOLLOWS not in os.environ or parent is None:
        return
    with suppress(OSError):
        os.setpgid(0, 0)
    threading.Thread(target=_end_with, args=(parent,), name="arena-follow", daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)
