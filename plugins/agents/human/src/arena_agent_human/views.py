"""What a terminal with keys can show, one view at a time: pages to read, menus, and what they have in common.

A view knows no terminal: it says which lines stand on the screen and what a key does. ``arena_agent_human.keyboard``
draws the one on top and hands it the keys.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import attrs

from arena_agent_human.position import Looks
from arena_agent_human.wording import visible, wrapped

Then: TypeAlias = Callable[[Any], "Step"]


@attrs.frozen(kw_only=True)
class Step:
    """What a key leads to: the view's end with a ``value``, another view on top of it, another text, or a message.

    ``then`` gets the value of the view on top, ``None`` if it was left, and says how this one goes on. ``out`` ends
    the question with what was meant; the views stay as they are, for the case that the question is asked again.
    """

    is_done: bool = False
    value: Any = None
    out: Any = None
    text: str | None = None
    over: "View | None" = None
    then: Then | None = None
    message: str | None = None


ROOM: Final = 6
"""The fewest columns that are left behind a prompt."""

STAY: Final = Step(message="")
LEFT: Final = Step(is_done=True)


class View(ABC):
    """One screen: lines of text, and a line to type in where ``takes_text``."""

    @property
    def takes_text(self) -> bool:
        """Whether characters are typed into a line; else each is a key."""
        return False

    @abstractmethod
    def lines(self, looks: Looks, text: str) -> list[str]:
        """What stands above the line to type in, at most ``looks.height`` lines of ``looks.width`` columns."""

    def prompt(self, looks: Looks) -> str:
        """What stands before the text that is typed, or at the bottom of a view that takes none."""
        return ""

    def suggestion(self) -> str:
        """What Enter means while nothing has been typed; shown faintly behind the prompt."""
        return ""

    def letters(self) -> bool:
        """Whether ``r`` and ``?`` are letters here, even at the beginning of a line."""
        return False

    def overtypes(self) -> bool:
        """Whether what is typed first takes the place of the text that stood there."""
        return False

    @abstractmethod
    def key(self, name: str, text: str) -> Step | None:
        """What a key does: ``enter``, ``tab``, an arrow, ``escape``, or a character of a view that takes no text.

        ``None`` for a key that only moves within the text.
        """


class Scrolled:
    """Lines of which as many are shown as there is room for; the page keys move them."""

    def __init__(self) -> None:
        self._at = 0
        self._room = 1
        self._count = 0

    def shown(self, lines: Sequence[str], room: int, looks: Looks) -> list[str]:
        """The part of ``lines`` that fits into ``room`` lines, with a note on what is left out."""
        self._room, self._count = max(1, room - 1), len(lines)
        if len(lines) <= room or room < 2:
            self._at = 0
            return list(lines[:room])
        self._at = min(self._at, len(lines) - self._room)
        below = len(lines) - self._at - self._room
        more = f"{below} more lines below: PgDn" if below else f"{self._at} more lines above: PgUp"
        return [*lines[self._at : self._at + self._room], dim(f"\N{HORIZONTAL ELLIPSIS} {more}", looks)]

    def move(self, name: str) -> bool:
        """Whether the key moved the lines."""
        by = {"pagedown": self._room, "pageup": -self._room}.get(name)
        if by is None:
            return False
        self._at = max(0, min(self._at + by, self._count - self._room))
        return True


class PageView(View):
    """A text to read; Enter, Escape or ``q`` comes back to what was on the screen."""

    def __init__(self, title: str, lines: Callable[[Looks], Sequence[str]]) -> None:
        self._title, self._lines, self._scrolled = title, lines, Scrolled()

    def lines(self, looks: Looks, text: str) -> list[str]:
        shown = self._scrolled.shown(self._lines(looks), looks.height - 3, looks)
        return [bold(self._title, looks), "", *shown, ""]

    def prompt(self, looks: Looks) -> str:
        return "Enter: back"

    def key(self, name: str, text: str) -> Step:
        if name in ("down", " "):
            name = "pagedown"
        if name == "up":
            name = "pageup"
        if self._scrolled.move(name):
            return STAY
        return LEFT if name in ("enter", "escape", "q", "Q", "?", "r") else STAY


@attrs.frozen(kw_only=True)
class MenuItem:
    """One line of a menu: ``value`` is what choosing it gives; without one it cannot be chosen."""

    label: str
    detail: str = ""
    value: Any = None


class MenuView(View):
    """Items below each other; arrows and Enter choose, and so does an item's number."""

    def __init__(self, top: Callable[[Looks, int], list[str]], title: str, items: Sequence[MenuItem]) -> None:
        self._top, self.title, self._items, self._at = top, title, items, 0
        self._step(0)

    def lines(self, looks: Looks, text: str) -> list[str]:
        rows = self._rows(looks)
        above = self._top(looks, looks.height - min(len(rows), 12) - 3)
        room = looks.height - len(above) - 3
        return [*above, "", bold(cut(self.title, looks.width, looks), looks), *around(rows, self._at, room)]

    def _rows(self, looks: Looks) -> list[str]:
        width = max((len(item.label) for item in self._items), default=0)
        found: list[str] = []
        for at, item in enumerate(self._items):
            label = f"{at + 1:2} {item.label}" if not item.detail else f"{at + 1:2} {item.label:{width}}  {item.detail}"
            line = cut(label, looks.width - 3, looks)
            found.append(chosen(line, looks, is_chosen=at == self._at, is_faint=item.value is None))
        return found

    def prompt(self, looks: Looks) -> str:
        return fitting(looks, f"{arrows('vertical', looks)} and Enter, or a number; Esc: back", "Enter, Esc")

    def key(self, name: str, text: str) -> Step:
        if name in ("up", "left"):
            self._step(-1)
        elif name in ("down", "right", "tab"):
            self._step(1)
        elif name == "enter":
            return self._choose(self._at)
        elif name.isdecimal() and 1 <= int(name) <= len(self._items):
            return self._choose(int(name) - 1)
        elif name == "escape":
            return LEFT
        return STAY

    def _choose(self, at: int) -> Step:
        item = self._items[at]
        return (
            Step(is_done=True, value=item.value) if item.value is not None else Step(message=f"{item.label}: not now")
        )

    def _step(self, by: int) -> None:
        for step in range(1 if by else 0, len(self._items) + 1):
            at = (self._at + step * (by or 1)) % max(1, len(self._items))
            if self._items and self._items[at].value is not None:
                self._at = at
                return


def around(rows: Sequence[str], at: int, room: int) -> list[str]:
    """As many rows as there is room for, with the one that is chosen among them."""
    room = max(1, room)
    first = max(0, min(at - room // 2, len(rows) - room))
    return list(rows[first : first + room])


def chosen(line: str, looks: Looks, *, is_chosen: bool, is_faint: bool = False) -> str:
    """A line of a menu with the sign before it that says whether it is chosen."""
    if is_chosen:
        return f"{arrow(looks)} {reverse(line, looks)}"
    return f"  {dim(line, looks) if is_faint else line}"


def arrow(looks: Looks) -> str:
    """The sign before what is chosen."""
    return "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}" if looks.is_unicode else ">"


def arrows(which: str, looks: Looks) -> str:
    """The arrow keys in words or signs."""
    if looks.is_unicode:
        return "↑ ↓" if which == "vertical" else "← →"
    return "up, down" if which == "vertical" else "left, right"


def cut(text: str, width: int, looks: Looks) -> str:
    """A text in one line, shortened to ``width`` between words where it is too long."""
    text = visible(" ".join(text.split()) if "\n" in text else text)
    if len(text) <= width:
        return text
    dots = "\N{HORIZONTAL ELLIPSIS}" if looks.is_unicode else "..."
    kept = wrapped(text, max(10, width - len(dots) - 1))[0]
    return f"{kept[: width - len(dots) - 1]} {dots}"


def fitting(looks: Looks, prompt: str, short: str) -> str:
    """The prompt, or a shorter one where hardly anything could be typed behind it."""
    return prompt if len(prompt) <= looks.width - ROOM else short


def bold(text: str, looks: Looks) -> str:
    """The text in bold where the terminal has styles."""
    return f"\x1b[1m{text}\x1b[0m" if looks.has_colour and text else text


def dim(text: str, looks: Looks) -> str:
    """The text in a fainter style where the terminal has styles."""
    return f"\x1b[2m{text}\x1b[0m" if looks.has_colour and text else text


def reverse(text: str, looks: Looks) -> str:
    """The text in reversed colours where the terminal has styles."""
    return f"\x1b[7m{text}\x1b[0m" if looks.has_colour and text else text


def red(text: str, looks: Looks) -> str:
    """The text in red where the terminal has styles."""
    return f"\x1b[31m{text}\x1b[0m" if looks.has_colour and text else text
