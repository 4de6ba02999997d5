"""Prepares the processes that vLLM starts for Arena.

vLLM's engine is a separate process even when it is used in process. A Ctrl-C in the terminal would reach it too and
break off the answers that the run still waits for, and if the run were killed the engine would stay and keep the GPU's
memory.
"""

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from typing import Any

from arena_backend_vllm.environment import FOLLOWS


def follow() -> None:
    """Leave the terminal's process group, out of reach of Ctrl-C, and end with the process that started this one.

    vLLM calls it as its plugin.
    """
    parent: Any = multiprocessing.parent_process()
    if FOLLOWS not in os.environ or parent is None:
        return
    with suppress(OSError):
        os.setpgid(0, 0)
    threading.Thread(target=_end_with, args=(parent,), name="arena-follow", daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)
