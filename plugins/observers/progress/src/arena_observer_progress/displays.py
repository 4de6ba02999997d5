"""The two ways in which a tally is shown: a live line at a terminal, plain lines elsewhere."""

import os
import sys
import threading
import time
from typing import Any, Final, Protocol

from arena_observer_progress.tally import Tally

STEPS: Final = 10
"""Plain lines are written after each tenth of the matches."""

SILENCE_S: Final = 60.0
"""After this many seconds without a plain line one is written, whatever has happened."""

WIDEST: Final = 120
"""The most columns of a line."""

USUAL: Final = 80
"""The columns of a line that goes to no terminal, unless ``COLUMNS`` says otherwise."""


class Display(Protocol):
    """Shows a tally: ``LiveLine`` at a terminal, ``PlainLines`` elsewhere."""

    def start(self, name: str, tally: Tally) -> None:
        """Begin to show the run called ``name``."""
        ...

    def update(self, tally: Tally) -> None:
        """Show what has changed; called after every event, so it must be quick."""
        ...

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Show the final state; may be called twice."""
        ...


class PlainLines:
    """Writes a line after each tenth of the matches, and one after a long silence, from a thread of its own."""

    def __init__(self, silence_s: float = SILENCE_S) -> None:
        self._silence_s = silence_s
        self._started = self._told = time.monotonic()
        self._step = 0
        self._name = ""
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._width = _columns()

    def start(self, name: str, tally: Tally) -> None:
        """Write what is played: the run's name and the number of matches."""
        earlier = f", {tally.earlier:,} of them finished before" if tally.earlier else ""
        matches = "1 match" if tally.planned == 1 else f"{tally.planned:,} matches"
        self._name = name
        self._say(f"{name}: {matches}{earlier}")
        self._step = self._step_of(tally)
        threading.Thread(target=self._break_silence, args=(tally,), daemon=True).start()

    def update(self, tally: Tally) -> None:
        """Write a line if a tenth of the matches has passed."""
        step = self._step_of(tally)
        if step != self._step:
            self._step = step
            self._tell(tally)

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Write why the run ended early, if it did."""
        if stopped and not self._is_over.is_set():
            self._tell(tally, f"stopped: {stopped}")
        self._is_over.set()

    def _break_silence(self, tally: Tally) -> None:
        wait_s = self._silence_s
        while not self._is_over.wait(wait_s):
            silent_s = time.monotonic() - self._told
            if silent_s >= self._silence_s:
                self._tell(tally)
                silent_s = 0.0
            wait_s = self._silence_s - silent_s

    def _tell(self, tally: Tally, end: str = "") -> None:
        self._say(tally.line(self._name, time.monotonic() - self._started, self._width, end))

    def _say(self, text: str) -> None:
        with self._lock:
            self._told = time.monotonic()
            sys.stderr.write(text + "\n")
            sys.stderr.flush()

    @staticmethod
    def _step_of(tally: Tally) -> int:
        return STEPS * tally.done // tally.planned if tally.planned else STEPS


class LiveLine:
    """Draws one line at the bottom of a terminal, a few times a second."""

    def __init__(self) -> None:
        # Imported here because most runs of scripts have no terminal.
        from rich.console import Console
        from rich.live import Live

        self._console = Console(stderr=True, highlight=False)
        self._started = time.monotonic()
        self._name, self._end = "", ""
        self._tally = Tally()
        self._live = Live(console=self._console, get_renderable=self._line, refresh_per_second=4)

    def start(self, name: str, tally: Tally) -> None:
        """Start to draw, at the bottom of the terminal."""
        self._name, self._tally = name, tally
        self._live.start()

    def update(self, tally: Tally) -> None:
        """Keep the numbers; they are drawn a few times a second."""
        self._tally = tally

    def stop(self, tally: Tally, stopped: str | None) -> None:
        """Stop drawing, and leave the final state on the screen."""
        self._tally = tally
        self._end = self._end or (f"stopped: {stopped}" if stopped else "")
        self._live.stop()

    def _line(self) -> Any:
        from rich.text import Text

        # A line that fills the last column would move the cursor on.
        width = min(self._console.width, WIDEST) - 1
        line = self._tally.line(self._name, time.monotonic() - self._started, width, self._end)
        return Text(line, no_wrap=True, overflow="crop")


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    return min(int(given) if given.isdecimal() and int(given) else USUAL, WIDEST)
