"""Says at the terminal who is waited for, and for how long, while a person's others load a model or think."""

import sys
import threading
import time
from collections.abc import Sequence
from typing import Final, TextIO

from arena_agent_human.terminal import in_use
from arena_agent_human.wording import visible

SILENT_S: Final = 0.7
"""Seconds after which something is said; quick agents have answered by then."""

STEP_S: Final = 0.5
"""How often the line is written anew."""

_CLEARED: Final = "\r\x1b[2K"


class WaitingLine:
    """One line at the bottom of a terminal, from ``begin`` to ``end``; silent while somebody is asked there."""

    def __init__(self, others: Sequence[str], screen: TextIO | None = None) -> None:
        self._others = ", ".join(dict.fromkeys(map(visible, others))) or "the others"
        self._screen = screen or sys.stderr
        self._ended: threading.Event | None = None

    def begin(self) -> None:
        """Say from now on that the others are waited for."""
        self.end()
        self._ended = ended = threading.Event()
        threading.Thread(target=self._tell, args=(ended,), daemon=True).start()

    def end(self) -> None:
        """Take the line away."""
        if self._ended is not None:
            self._ended.set()
            self._ended = None

    def _tell(self, ended: threading.Event) -> None:
        began, is_written, pause = time.monotonic(), False, SILENT_S
        while not ended.wait(pause):
            pause = STEP_S
            if not in_use.locked():
                seconds = int(time.monotonic() - began)
                verb = "are" if "," in self._others or self._others == "the others" else "is"
                self._write(f"{_CLEARED}{self._others} {verb} loading or thinking: {seconds} s")
                is_written = True
        if is_written and not in_use.locked():
            self._write(_CLEARED)

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()
