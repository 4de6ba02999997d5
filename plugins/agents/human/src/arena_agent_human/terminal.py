"""The person's terminal: writes to standard error, reads from standard input."""

import re
import select
import sys
import threading
from typing import Final, TextIO

from arena.errors import StopRun
from rich.console import Console
from rich.markup import escape

POLL_S = 0.2
"""How often a waiting question checks whether it has been abandoned."""

_OBEYED: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")

_in_use = threading.Lock()
"""Held by the one question that uses the terminal, since several players and matches may share it."""


class TerminalPrompt:
    """Writes to one stream and reads lines from another; standard output is left to what scripts read."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._source = source
        self._console = Console(file=screen or sys.stderr, highlight=False, soft_wrap=True, emoji=False)

    def title(self, text: str) -> None:
        """Print ``text`` as a heading on the screen."""
        self._console.print(f"\n[bold]{escape(_visible(text))}[/bold]")

    def say(self, text: str) -> None:
        """Print text without interpreting square brackets as markup, or what terminals obey."""
        self._console.print(_visible(text), markup=False)

    def complain(self, text: str) -> None:
        """Print an error message that says what was wrong."""
        self._console.print(f"[red]{escape(_visible(text))}[/red]")

    def take(self, abandoned: threading.Event) -> None:
        """Wait for the terminal until ``release`` frees it; ``StopRun`` if the question is abandoned meanwhile."""
        while not _in_use.acquire(timeout=POLL_S):
            _check(abandoned)

    def release(self) -> None:
        """Free the terminal for the next question."""
        _in_use.release()

    def line(self, prompt: str, abandoned: threading.Event) -> str:
        """Read a line; ``StopRun`` at the end of the input, or if the question is abandoned while waiting."""
        source = self._source or sys.stdin
        self._console.print(f"[bold]{escape(_visible(prompt))}[/bold] ", end="")
        # A thread that waits in readline cannot be called back and would swallow the next line that is typed.
        is_ready = not _can_wait(source)
        while not is_ready:
            is_ready = bool(select.select([source], [], [], POLL_S)[0])
            _check(abandoned)
        try:
            text = source.readline()
        except UnicodeDecodeError:
            return "\N{REPLACEMENT CHARACTER}"
        if not text:
            raise StopRun("the person at the terminal has left (end of input)")
        return text.rstrip("\r\n").encode(errors="replace").decode()


def _visible(text: str) -> str:
    """The text with a sign for each character that a terminal would obey: others have written it."""
    return _OBEYED.sub("\N{REPLACEMENT CHARACTER}", text)


def _can_wait(source: TextIO) -> bool:
    """Whether ``select`` can tell when a line is ready: on a terminal, except on Windows."""
    return sys.platform != "win32" and source.isatty()


def _check(abandoned: threading.Event) -> None:
    if abandoned.is_set():
        raise StopRun("the question to the person at the terminal was withdrawn")
