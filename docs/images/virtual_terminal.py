"""A terminal without a window: runs a program in a pseudo-terminal, keeps what is on its screen, and draws it as SVG.

It obeys what our own programs send: text, the movements of the cursor, erasing and styles.
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Self
from xml.sax.saxutils import escape

import attrs

KEYS: Final = {
    "enter": "\r",
    "tab": "\t",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "delete": "\x1b[3~",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "ctrl-c": "\x03",
}
"""What a terminal sends for keys that are no characters."""

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_ABOUT_TERMINALS: Final = frozenset({"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"})

_SEQUENCE: Final = re.compile(
    r"\x1b\[([0-9;?]*)([A-Za-z@`])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]"
)
_HALF: Final = re.compile(r"\x1b(\[[0-9;?]*|\][^\x07\x1b]*|[()])?$")


@attrs.frozen
class Character:
    """One place of the screen."""

    text: str = " "
    style: frozenset[str] = frozenset()


BLANK: Final = Character()


class Screen:
    """What a terminal of so many rows and columns shows, given everything that was sent to it."""

    def __init__(self, rows: int = 24, columns: int = 80) -> None:
        self.rows, self.columns = rows, columns
        self.row = self.column = 0
        self._cells = [[BLANK] * columns for _ in range(rows)]
        self._style: frozenset[str] = frozenset()
        self._rest = ""

    @property
    def lines(self) -> list[str]:
        """The text of each row, without the blanks at its end."""
        return ["".join(cell.text for cell in row).rstrip() for row in self._cells]

    @property
    def text(self) -> str:
        """The whole screen as text."""
        return "\n".join(self.lines).rstrip()

    def cells(self) -> Sequence[Sequence[Character]]:
        """All places, row by row."""
        return self._cells

    def with_replaced(self, patterns: Mapping[str, str]) -> "Screen":
        """A copy in which texts of the patterns are others; each new text has the style in which the old one began."""
        found = Screen(self.rows, self.columns)
        for number, row in enumerate(self._cells):
            cells = list(row)
            for pattern, text in patterns.items():
                line = "".join(cell.text for cell in cells)
                for match in reversed(list(re.finditer(pattern, line))):
                    style = cells[match.start()].style
                    cells[match.start() : match.end()] = [Character(sign, style) for sign in text]
            found._cells[number] = [*cells, *[BLANK] * self.columns][: self.columns]
        return found

    def feed(self, sent: str) -> None:
        """Obey what a program has sent; the beginning of a sequence waits for the rest of it."""
        sent = self._rest + sent
        half = _HALF.search(sent)
        self._rest = half[0] if half else ""
        sent = sent[: len(sent) - len(self._rest)]
        at = 0
        while at < len(sent):
            if found := _SEQUENCE.match(sent, at):
                if found[2]:
                    self._obey(found[2], found[1])
                at = found.end()
            else:
                self._write(sent[at])
                at += 1

    def _write(self, sign: str) -> None:
        if sign == "\n":
            self._down()
        elif sign == "\r":
            self.column = 0
        elif sign == "\b":
            self.column = max(0, self.column - 1)
        elif sign >= " " and not unicodedata.combining(sign):
            if self.column >= self.columns:
                self.column = 0
                self._down()
            self._cells[self.row][self.column] = Character(sign, self._style)
            self.column += 1

    def _down(self) -> None:
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self._cells = [*self._cells[1:], [BLANK] * self.columns]

    def _obey(self, command: str, arguments: str) -> None:
        numbers = [int(number) if number.isdecimal() else 0 for number in arguments.split(";")]
        many = max(1, numbers[0])
        match command:
            case "A":
                self.row = max(0, self.row - many)
            case "B":
                self.row = min(self.rows - 1, self.row + many)
            case "C":
                self.column = min(self.columns - 1, self.column + many)
            case "D":
                self.column = max(0, self.column - many)
            case "G":
                self.column = min(self.columns, many) - 1
            case "H" | "f":
                self.row = min(self.rows, many) - 1
                self.column = min(self.columns, max(1, numbers[1] if len(numbers) > 1 else 1)) - 1
            case "J":
                self._erase(numbers[0])
            case "K":
                first, last = {0: (self.column, self.columns), 1: (0, self.column + 1)}.get(
                    numbers[0], (0, self.columns)
                )
                self._cells[self.row][first:last] = [BLANK] * (last - first)
            case "m":
                self._restyle(numbers)
            case _:
                pass

    def _erase(self, what: int) -> None:
        if what == 0:
            self._cells[self.row][self.column :] = [BLANK] * (self.columns - self.column)
        first = self.row + 1 if what == 0 else 0
        for row in range(first, self.rows):
            self._cells[row] = [BLANK] * self.columns

    def _restyle(self, numbers: Sequence[int]) -> None:
        styles = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}
        for number in numbers:
            if number == 0:
                self._style = frozenset()
            elif number in styles:
                self._style |= {styles[number]}
            elif 30 <= number <= 37 or 90 <= number <= 97:
                kept = {style for style in self._style if not style.startswith("colour")}
                self._style = frozenset({*kept, f"colour-{number % 10}"})


class Session:
    """A program at a pseudo-terminal; what it has sent is on ``screen``.

    It has the environment of this process without what that says about another terminal, and the variables that are
    given.
    """

    def __init__(
        self,
        command: Sequence[object],
        *,
        cwd: Path,
        environment: Mapping[str, str] = NOTHING,
        rows: int = 24,
        columns: int = 80,
    ) -> None:
        self.screen = Screen(rows, columns)
        self._before = ""
        self._controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in _ABOUT_TERMINALS}
        self._child = subprocess.Popen(
            [*map(str, command)],
            cwd=cwd,
            env={**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1", **environment},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal where it is one
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        )
        os.close(terminal)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.kill()
        self._child.wait()
        os.close(self._controller)

    def press(self, *keys: str) -> None:
        """Press keys one after the other: names of ``KEYS``, or characters that are typed."""
        while self._read(0):
            pass
        self._before = self.screen.text
        for key in keys:
            os.write(self._controller, KEYS.get(key, key).encode())

    def wait_for(self, *texts: str, gone: Sequence[str] = (), timeout_s: float = 60) -> str:
        """Read until the screen has changed since the last key, has all ``texts`` on it and nothing of ``gone``.

        Gives the whole screen; ``TimeoutError`` shows what is there.
        """
        end = time.monotonic() + timeout_s
        while not self._shows(texts, gone) or self._read(0):
            left = end - time.monotonic()
            if left <= 0 or not (self._shows(texts, gone) or self._read(left)):
                raise TimeoutError(f"{texts} without {tuple(gone)} are not on the screen:\n{self.screen.text}")
        return self.screen.text

    def _shows(self, texts: Sequence[str], gone: Sequence[str]) -> bool:
        screen = self.screen.text
        has_all = all(text in screen for text in texts) and not any(text in screen for text in gone)
        return has_all and screen != self._before

    def end(self, timeout_s: float = 60) -> int:
        """Read until the program ends; its exit status."""
        while self._read(timeout_s):
            pass
        return self._child.wait(timeout_s)

    def _read(self, timeout_s: float) -> bool:
        """Whether there was something to read before the time was over or the program ended."""
        if not select.select([self._controller], [], [], timeout_s)[0]:
            return False
        try:
            sent = os.read(self._controller, 65_536)
        except OSError:  # the other side has closed
            return False
        self.screen.feed(sent.decode(errors="replace"))
        return bool(sent)


_WIDTH, _HEIGHT, _EDGE = 8.4, 18, 12
_COLOURS: Final = ("#24292f", "#cf222e", "#1a7f37", "#9a6700", "#0969da", "#8250df", "#1b7c83", "#57606a")


def svg(screen: Screen, title: str) -> str:
    """The screen as an SVG file, which says ``title`` to those who cannot see it."""
    width, height = screen.columns * _WIDTH + 2 * _EDGE, screen.rows * _HEIGHT + 2 * _EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#ffffff" stroke="#d0d7de"/>',
    ]
    for number, row in enumerate(screen.cells()):
        lines += _drawn(row, _EDGE + number * _HEIGHT)
    return "\n".join([*lines, "</svg>", ""])


def _drawn(row: Sequence[Character], top: float) -> list[str]:
    """One row as texts of one style each, every one at its own place, so that columns stay columns."""
    found: list[str] = []
    start = 0
    for at in range(1, len(row) + 1):
        if at < len(row) and row[at].style == row[start].style:
            continue
        text, style = "".join(cell.text for cell in row[start:at]), row[start].style
        left, span = _EDGE + start * _WIDTH, (at - start) * _WIDTH
        if "reverse" in style:
            found.append(f'<rect x="{left:g}" y="{top:g}" width="{span:g}" height="{_HEIGHT}" fill="#24292f"/>')
        if text.strip():
            blanks = len(text) - len(text.lstrip())
            left, length = left + blanks * _WIDTH, len(text.strip()) * _WIDTH
            found.append(
                f'<text x="{left:g}" y="{top + 14:g}" textLength="{length:g}" xml:space="preserve"'
                f"{_attributes(style)}>{escape(text.strip())}</text>"
            )
        start = at
    return found


def _attributes(style: frozenset[str]) -> str:
    colour = next((_COLOURS[int(each[-1])] for each in sorted(style) if each.startswith("colour")), _COLOURS[0])
    fill = "#ffffff" if "reverse" in style else "#57606a" if "dim" in style else colour
    weight = ' font-weight="bold"' if "bold" in style else ""
    slant = ' font-style="italic"' if "italic" in style else ""
    return f' fill="{fill}"{weight}{slant}'
