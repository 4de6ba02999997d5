"""The view of an action without options: its fields below each other, what they mean together, and a last question."""

import json
from collections.abc import Callable
from typing import Any

import attrs
from arena.game import ABSENT, Illegal
from arena.record import JSON, canonical_json

from arena_agent_human.fields import Field, Row
from arena_agent_human.position import Looks
from arena_agent_human.scalars import Misread
from arena_agent_human.views import LEFT, STAY, Step, View, around, arrow, arrows, bold, cut, dim, fitting, red
from arena_agent_human.wording import wrapped


@attrs.frozen(kw_only=True)
class FormTask:
    """What a form is for: its title, the question at its end, what a value means, and why it would be refused.

    ``interpret`` gives the form in which a value is sent; ``done`` says what is made of it; ``problem`` is empty for a
    value that the rules accept.
    """

    title: str
    question: str
    interpret: Callable[[JSON], JSON | Illegal]
    words: Callable[[JSON], str]
    problem: Callable[[Any], str]
    done: Callable[[JSON], Step]


class FormView(View):
    """Asks field by field; up and down move, left and right change numbers and choices, Enter goes on."""

    def __init__(
        self,
        task: FormTask,
        field: Field,
        top: Callable[[Looks, int], list[str]],
        *,
        is_ready: bool = False,
        can_leave: bool = True,
        first: int = 0,
    ) -> None:
        self._task, self._field, self._top, self._can_leave = task, field, top, can_leave
        self._at = len(self._asked) if is_ready else min(first, len(self._asked))
        self._json: tuple[JSON] | None = None

    @property
    def _asked(self) -> list[Row]:
        return [row for row in self._field.rows(0) if row.is_asked]

    @property
    def _row(self) -> Row | None:
        """The line that is being filled in; ``None`` at the last question."""
        asked = self._asked
        return asked[self._at] if self._at < len(asked) else None

    @property
    def takes_text(self) -> bool:
        return self._row is not None

    @property
    def start(self) -> str:
        """The text with which the line that is being filled in begins."""
        return self._row.text if self._row else ""

    def letters(self) -> bool:
        """Whether letters belong to the line: texts and names are typed, numbers and choices need none."""
        row = self._row
        return row is not None and (row.scalar is None or not row.scalar.can_step or row.scalar.is_closed)

    def overtypes(self) -> bool:
        """Whether a number or a choice stands there, which is changed as a whole."""
        row = self._row
        return row is not None and row.scalar is not None and row.scalar.can_step

    def prompt(self, looks: Looks) -> str:
        row = self._row
        if row is None:
            keys = "[Enter: yes, e: edit, q: leave the match] "
            return fitting(looks, f"{self._task.question} {keys}", f"{self._task.question} [Enter, e, q] ")
        change = f", {arrows('horizontal', looks)}" if row.scalar is not None and row.scalar.can_step else ""
        away = ", Del removes it" if row.remove is not None else ""
        label = cut(row.label, 24, looks)
        return fitting(looks, f"{label} ({cut(row.hint, 36, looks)}{change}{away}): ", f"{label}: ")

    def lines(self, looks: Looks, text: str) -> list[str]:
        value, problem = self._outcome(text)
        told = self._told(value, problem, looks)
        rows, at = self._shown(looks, text)
        above = self._top(looks, max(3, looks.height - len(told) - min(len(rows), 12) - 3))
        room = looks.height - len(above) - len(told) - 3
        return [*above, "", bold(cut(self._task.title, looks.width, looks), looks), *around(rows, at, room), "", *told]

    def _shown(self, looks: Looks, text: str) -> tuple[list[str], int]:
        """All lines of the form, and which of them is being filled in."""
        rows = list(self._field.rows(0))
        asked = [at for at, row in enumerate(rows) if row.is_asked]
        focus = asked[self._at] if self._at < len(asked) else len(rows)
        width = min(28, max((2 * row.depth + len(row.label) for row in rows), default=0))
        found: list[str] = []
        for at, row in enumerate(rows):
            sign = arrow(looks) if at == focus else " "
            label = f"{'  ' * row.depth}{row.label}"
            held = text if at == focus else row.text
            mark = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}" if looks.is_unicode else ">"
            tail = f"  {row.hint} {mark} {held}" if row.scalar is not None else f"  {row.hint or row.note}"
            line = cut(f"{label:{width}}{tail}".rstrip(), looks.width - 2, looks)
            found.append(f"{sign} {bold(line, looks) if at == focus else line}")
        return found, min(focus, max(0, len(rows) - 1))

    def _told(self, value: Any, problem: str, looks: Looks) -> list[str]:
        """What the fields mean together, or what is missing; at most four lines."""
        if value is ABSENT:
            return [dim(line, looks) for line in wrapped(problem, looks.width)[:4]]
        words = wrapped(self._task.words(value), looks.width)[:3]
        return [*words, *(red(line, looks) for line in wrapped(problem, looks.width)[:2])] if problem else words

    def _outcome(self, text: str) -> tuple[Any, str]:
        """The value so far, ``ABSENT`` if it is not whole, and why it would be refused or what is missing."""
        row = self._row
        kept = row.scalar.text if row is not None and row.scalar is not None else ""
        try:
            if row is not None and row.scalar is not None:
                row.scalar.text = text
            value = self._json[0] if self._json is not None else self._field.value()
        except Misread as misread:
            return ABSENT, f"not whole yet: {misread}"
        finally:
            if row is not None and row.scalar is not None:
                row.scalar.text = kept
        if value is ABSENT:
            return ABSENT, "nothing is filled in yet"
        value = self._task.interpret(value)
        return value, self._task.problem(value)

    def key(self, name: str, text: str) -> Step | None:
        row = self._row
        if name == "escape":
            return LEFT if self._can_leave else STAY
        if row is None:
            return self._at_the_end(name)
        if name in ("up", "down"):
            self._keep(row, text)
            return self._go(-1 if name == "up" else 1)
        if name in ("left", "right"):
            return self._change(row, text, 1 if name == "right" else -1)
        if name == "tab":
            return self._complete(row, text)
        if name == "delete" and row.remove is not None:
            row.remove()
            return self._go(0)
        return self._enter(row, text) if name == "enter" else None

    def _at_the_end(self, name: str) -> Step:
        if name == "enter":
            value, problem = self._outcome("")
            return Step(message=problem) if value is ABSENT or problem else self._task.done(value)
        if name in ("e", "E", "up"):
            self._json = None
            self._at = 0 if name != "up" else max(0, len(self._asked) - 1)
            return Step(text=self.start, message="")
        return Step(out=None, message="Enter, e or q")

    def _enter(self, row: Row, text: str) -> Step:
        if text.lstrip()[:1] in ("{", "[") and self._takes_json(text):
            self._at = len(self._asked)
            return Step(text="", message="")
        if row.act is not None and text.strip():
            before = len(self._asked)
            row.act(text.strip())
            return (
                Step(text=self.start, message="") if len(self._asked) > before else Step(message="it is there already")
            )
        if row.scalar is not None:
            self._keep(row, text)
            try:
                row.scalar.value()
            except Misread as misread:
                return Step(text=self._left_of(row, text), message=f"{row.label}: {misread}")
        return self._go(1)

    def _left_of(self, row: Row, text: str) -> str:
        """What stays of a wrong entry: nothing of a number or a choice, all of a text that somebody wrote."""
        if row.scalar is None or not row.scalar.can_step:
            return text
        row.scalar.text = ""
        return ""

    def _takes_json(self, text: str) -> bool:
        """Whether the text is the whole action as JSON, which is then sent in place of the fields."""
        try:
            value = json.loads(text)
            canonical_json(value).encode()
        except (ValueError, RecursionError):
            return False
        self._json = (value,)
        return True

    def _keep(self, row: Row, text: str) -> None:
        if row.scalar is not None:
            row.scalar.text = text.strip()

    def _go(self, by: int) -> Step:
        self._at = max(0, min(self._at + by, len(self._asked)))
        return Step(text=self.start, message="")

    def _change(self, row: Row, text: str, by: int) -> Step | None:
        if row.scalar is None:
            if row.act is None or text or row.names or by < 0:
                return None
            row.act("")
            return Step(text=self.start, message="")
        if not row.scalar.can_step:
            return None
        self._keep(row, text)
        row.scalar.step(by)
        return Step(text=row.scalar.text, message="")

    def _complete(self, row: Row, text: str) -> Step:
        found = row.completions(text)
        if len(found) == 1:
            return Step(text=found[0], message="")
        shown = "  ".join(found[:30]) + (f"  and {len(found) - 30} more" if len(found) > 30 else "")
        return Step(message=shown or "nothing to complete here")
