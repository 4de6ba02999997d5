"""Shows a run in a browser while it is played, and afterwards until Ctrl-C: by the command ``view``, if it is there."""

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Final, Self

from arena_cli.options import print_status

VIEW: Final = "view"
"""The command that shows runs in a browser."""

_PROGRAM: Final = "from arena_cli import main; main()"


class WebPages:
    """The pages of one run, from a process of their own, which ends with this one."""

    def __init__(self, directory: Path) -> None:
        command = [sys.executable, "-c", _PROGRAM, VIEW, str(directory), "--links", "--port", "0", "--ends-with-input"]
        # In a session of its own, so that Ctrl-C stops the run and not the pages; its links are no result of the run.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=2, start_new_session=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None  # it is a pipe
        self._process.stdin.close()  # which ends it, in its own time

    def wait(self) -> None:
        """Leave the pages open until Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            if self._process.poll() is None:
                print_status("the pages stay open; Ctrl-C closes them")
            self._process.wait()
