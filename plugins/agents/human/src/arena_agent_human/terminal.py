"""The person's screen and keyboard: standard error and standard input."""

import select
import sys
import threading
from typing import TextIO

from arena.errors import StopRun
from rich.console import Console
from rich.markup import escape

POLL_S = 0.2
"""How soon a question that nobody waits for any more lets go of the keyboard."""

_in_use = threading.Lock()
"""There is one terminal: of several persons and matches one asks at a time."""


class Terminal:
    """Writes to one stream and reads lines from another. Standard output stays free for what scripts read."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._source = source
        self._console = Console(file=screen or sys.stderr, highlight=False, soft_wrap=True, emoji=False)

    def title(self, text: str) -> None:
        """Show a heading."""
        self._console.print(f"\n[bold]{escape(text)}[/bold]")

    def say(self, text: str) -> None:
        """Show text as it is; square brackets in it mean nothing."""
        self._console.print(text, markup=False)

    def complain(self, text: str) -> None:
        """Show what was wrong."""
        self._console.print(f"[red]{escape(text)}[/red]")

    def take(self, abandoned: threading.Event) -> None:
        """Wait for the terminal; ``release`` gives it back. ``StopRun`` where the question is abandoned meanwhile."""
        while not _in_use.acquire(timeout=POLL_S):
            _check(abandoned)

    def release(self) -> None:
        """Let the next question be asked."""
        _in_use.release()

    def line(self, prompt: str, abandoned: threading.Event) -> str:
        """Read a line; ``StopRun`` at the end of the input or where the question is abandoned while waiting."""
        source = self._source or sys.stdin
        self._console.print(f"[bold]{escape(prompt)}[/bold] ", end="")
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


def _can_wait(source: TextIO) -> bool:
    """Whether ``select`` can tell when there is a line: on a terminal, but not on that of Windows."""
    return sys.platform != "win32" and source.isatty()


def _check(abandoned: threading.Event) -> None:
    if abandoned.is_set():
        raise StopRun("the question to the person at the terminal was withdrawn")
