"""Runs vLLM's own server in a process that ends with the run, even if the run is killed.

Run as ``python -m arena_backend_vllm.launch OPTION …``; its standard input is a pipe that the run keeps open.
"""

import os
import runpy
import signal
import sys
import threading
import warnings
from importlib.util import find_spec

from arena_backend_vllm.prompts import suited

_SERVERS = ("vllm.entrypoints.openai.api_server", "vllm.entrypoints.launchers.api_server.entry")


def main() -> None:
    """Serve until told to stop, or until the run's process is gone."""
    threading.Thread(target=_end_with_the_run, name="arena-follow", daemon=True).start()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    sys.argv[1:] = suited(sys.argv[1:])
    runpy.run_module(next(name for name in _SERVERS if find_spec(name)), run_name="__main__", alter_sys=True)


def _end_with_the_run() -> None:
    os.read(0, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
