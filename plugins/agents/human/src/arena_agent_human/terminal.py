"""The person's terminal: writes to standard error, reads from standard input."""

import codecs
import os
import select
import shutil
import sys
import threading
from typing import Any, Final, TextIO

from arena.errors import StopRun
from rich.console import Console
from rich.markup import escape

from arena_agent_human.position import Looks
from arena_agent_human.wording import visible, wrapped

POLL_S = 0.2
"""How often a waiting question checks whether it has been abandoned."""

WIDEST: Final = 120
"""The most columns that are used."""

in_use = threading.Lock()
"""Held by the one question that uses the terminal, since several players and matches may share it."""


class TerminalPrompt:
    """Writes to one stream and reads lines from another; standard output is left to what scripts read."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._source = source
        self._screen = screen or sys.stderr
        colour = "auto" if has_colour(self._screen) else None
        self._console = Console(
            file=self._screen, highlight=False, soft_wrap=True, emoji=False, color_system=colour, width=self.looks.width
        )

    @property
    def looks(self) -> Looks:
        """What the terminal can show; without one, lines of 80 columns or as ``COLUMNS`` says."""
        size = shutil.get_terminal_size((80, 24))
        return Looks(
            width=max(20, min(size.columns, WIDEST)),
            height=size.lines,
            has_colour=has_colour(self._screen),
            is_unicode=is_unicode(self._screen),
        )

    @property
    def has_keys(self) -> bool:
        """Whether keys can be read one by one: input and screen are a terminal that can do more than print lines."""
        is_plain = os.environ.get("TERM", "") in ("dumb", "unknown")
        return self._source is None and sys.stdin.isatty() and _is_terminal(self._screen) and not is_plain

    def title(self, text: str) -> None:
        """Print ``text`` as a heading on the screen."""
        self._console.print(f"\n[bold]{escape(self._fitted(text))}[/bold]")

    def say(self, text: str) -> None:
        """Print text without interpreting square brackets as markup, or what terminals obey."""
        self._console.print(self._fitted(text), markup=False)

    def draw(self, lines: list[str]) -> None:
        """Print lines that fit the terminal, with the styles that are in them."""
        self._screen.write("\n".join(lines) + "\n")

    def complain(self, text: str) -> None:
        """Print an error message that says what was wrong."""
        self._console.print(f"[red]{escape(self._fitted(text))}[/red]")

    def take(self, abandoned: threading.Event) -> None:
        """Wait for the terminal until ``release`` frees it; ``StopRun`` if the question is abandoned meanwhile."""
        while not in_use.acquire(timeout=POLL_S):
            _check(abandoned)

    def release(self) -> None:
        """Free the terminal for the next question."""
        in_use.release()

    def line(self, prompt: str, abandoned: threading.Event) -> str:
        """Read a line; ``StopRun`` at the end of the input, or if the question is abandoned while waiting."""
        source = self._source or sys.stdin
        self._console.print(f"[bold]{escape(visible(prompt))}[/bold] ", end="")
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

    def _fitted(self, text: str) -> str:
        return "\n".join(wrapped(text, self.looks.width))


def has_colour(stream: Any) -> bool:
    """Whether styles may be written: on a terminal unless ``NO_COLOR`` is set, elsewhere if ``FORCE_COLOR`` is."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or _is_terminal(stream)


def is_unicode(stream: Any) -> bool:
    """Whether a stream's encoding has box drawing and arrows."""
    try:
        return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name.startswith("utf")
    except LookupError:
        return False


def _is_terminal(stream: Any) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def _can_wait(source: TextIO) -> bool:
    """Whether ``select`` can tell when a line is ready: on a terminal, except on Windows."""
    return sys.platform != "win32" and source.isatty()


def _check(abandoned: threading.Event) -> None:
    if abandoned.is_set():
        raise StopRun("the question to the person at the terminal was withdrawn")
