"""A terminal with keys: draws the view on top of a stack and hands it what is pressed, by prompt_toolkit."""

import sys
from collections.abc import Callable
from typing import Any, Final, TextIO

import attrs
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import AfterInput, BeforeInput
from prompt_toolkit.output import Output, create_output

from arena_agent_human.position import Looks
from arena_agent_human.views import Step, Then, View

WIDEST: Final = 120
"""The most columns that are used."""

_KEYS: Final = {
    "enter": "enter",
    "tab": "tab",
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "escape": "escape",
    "pageup": "pageup",
    "pagedown": "pagedown",
    "delete": "delete",
    "f1": "help",
    "f2": "rules",
    "f3": "look up",
    "c-c": "leave",
    "c-d": "leave",
}


@attrs.define(eq=False)
class Layer:
    """A view on the stack, with the text typed in it and what happens to the view below when it ends."""

    view: View
    then: Then | None = None
    text: str = ""


class KeyTerminal:
    """Draws on one stream and reads keys from another; both must be a terminal."""

    def __init__(self, source: TextIO | None = None, screen: TextIO | None = None) -> None:
        self._source, self._screen = source, screen
        self._message = ""

    def output(self) -> Output:
        """The terminal that is drawn on; it is not asked where its cursor is, which is known."""
        output = create_output(self._screen or sys.stderr)
        if hasattr(output, "enable_cpr"):
            output.enable_cpr = False  # pyright: ignore[reportAttributeAccessIssue]  # of Vt100_Output alone
        return output

    async def run(
        self,
        stack: list[Layer],
        shortcut: Callable[[str], Step | None],
        last: Callable[[Any, Looks], list[str]],
        looks: Callable[[int, int], Looks],
        *,
        is_new: bool,
    ) -> Any:
        """Show the view on top of ``stack`` until one says what is meant, and return that.

        ``shortcut`` is asked about keys that every view has; ``last`` are the lines that stay on the screen; ``looks``
        describes a terminal of so many columns and rows. With ``is_new`` what stands on the screen is scrolled away.
        """
        output = self.output()
        source = create_input(self._source or sys.stdin)
        running = _Running(stack, shortcut, last, looks, output)
        if is_new:
            output.write_raw("\r\n" * output.get_size().rows)
            clear_typeahead(source)
        output.cursor_goto(1, 1)
        output.erase_down()
        output.flush()
        try:
            return await running.application(source).run_async(handle_sigint=False)
        finally:
            running.drop()


class _Running:
    """One question on the screen, with what prompt_toolkit needs to draw it."""

    def __init__(
        self,
        stack: list[Layer],
        shortcut: Callable[[str], Step | None],
        last: Callable[[Any, Looks], list[str]],
        looks: Callable[[int, int], Looks],
        output: Output,
    ) -> None:
        self._stack, self._shortcut, self._last, self._looks, self._output = stack, shortcut, last, looks, output
        self._message = ""
        self._ended: list[str] | None = None
        self._is_fresh = True
        self._buffer = Buffer(multiline=False)
        prompt = [BeforeInput(self._prompt), AfterInput(self._suggestion)]
        self._line = Window(BufferControl(self._buffer, input_processors=prompt), height=1, wrap_lines=False)
        self._load(stack[-1].text)

    def drop(self) -> None:
        """Keep what has been typed, for the case that the question is shown again."""
        self._stack[-1].text = self._buffer.text

    def application(self, source: Any) -> Application[Any]:
        """The program of prompt_toolkit that shows this question."""
        text = FormattedTextControl(self._above, show_cursor=False)
        message = FormattedTextControl(lambda: self._message)
        below = HSplit([self._line, Window(message, height=1, dont_extend_height=True)])
        rows = [
            Window(text, wrap_lines=False, dont_extend_height=True),
            ConditionalContainer(below, Condition(lambda: self._ended is None)),
        ]
        application: Application[Any] = Application(
            layout=Layout(HSplit(rows), focused_element=self._line),
            key_bindings=self._bindings(),
            full_screen=False,
            input=source,
            output=self._output,
        )
        application.ttimeoutlen = 0.05  # how long a lone Escape is waited for
        return application

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key, name in _KEYS.items():
            bindings.add(key, eager=key == "escape")(lambda event, name=name: self._pressed(event, name))
        is_key = Condition(lambda: not self._top.takes_text)
        bindings.add(Keys.Any, filter=is_key)(lambda event: self._pressed(event, event.data))
        overtypes = Condition(lambda: self._top.takes_text and self._is_fresh and self._top.overtypes())
        bindings.add(Keys.Any, filter=overtypes)(self._overtype)
        is_first = Condition(lambda: self._is_first and not self._top.letters())
        for letter, name in (("?", "help"), ("r", "rules")):
            bindings.add(letter, filter=is_first)(lambda event, name=name: self._pressed(event, name))
        return bindings

    def _overtype(self, event: KeyPressEvent) -> None:
        if event.data.isprintable():
            self._load(event.data)
            self._is_fresh = False

    @property
    def _is_first(self) -> bool:
        """Whether a letter would be the first of a line."""
        return not self._buffer.text or (self._is_fresh and self._top.overtypes())

    @property
    def _top(self) -> View:
        return self._stack[-1].view

    @property
    def _size(self) -> Looks:
        size = self._output.get_size()
        return self._looks(min(size.columns, WIDEST), size.rows - 2)

    def _above(self) -> ANSI:
        lines = self._top.lines(self._size, self._buffer.text) if self._ended is None else self._ended
        return ANSI("\n".join(lines[: self._size.height]))

    def _prompt(self) -> StyleAndTextTuples:
        if self._ended is not None:
            return []
        return [("bold" if self._top.takes_text else "", self._top.prompt(self._size))]

    def _suggestion(self) -> StyleAndTextTuples:
        is_empty = self._ended is None and not self._buffer.text
        return [("italic", self._top.suggestion())] if is_empty else []

    def _load(self, text: str) -> None:
        self._buffer.set_document(Document(text, len(text)), bypass_readonly=True)
        self._is_fresh = True
        self._line.horizontal_scroll = 0  # a long text before may have moved the line's beginning out of sight

    def _pressed(self, event: KeyPressEvent, name: str) -> None:
        step = self._shortcut(name) if not _is_page(self._top) or name == "leave" else None
        if step is None:
            step = self._top.key(name, self._buffer.text)
        if step is None:
            self._moved(name)
        else:
            self._take(event.app, step)

    def _moved(self, name: str) -> None:
        """Move within the text, where the view has no use for the key."""
        if name in ("left", "right"):
            self._buffer.cursor_position += (
                self._buffer.document.get_cursor_left_position()
                if name == "left"
                else (self._buffer.document.get_cursor_right_position())
            )
        elif name == "delete":
            self._buffer.delete()

    def _take(self, application: Application[Any], step: Step) -> None:
        """Do what a step says; the end of a view is a step of the view below it."""
        if step.message is not None:
            self._message = step.message
        if step.out is not None:
            self._ended = self._last(step.out, self._size)
            self._load("")
            application.exit(result=step.out)
        elif step.over is not None:
            self._stack[-1].text = self._buffer.text
            self._stack.append(Layer(step.over, step.then, getattr(step.over, "start", "")))
            self._load(self._stack[-1].text)
        elif step.is_done and len(self._stack) > 1:
            ended = self._stack.pop()
            self._load(self._stack[-1].text)
            self._message = ""
            if ended.then is not None:
                self._take(application, ended.then(step.value))
        elif step.text is not None:
            self._load(step.text)


def _is_page(view: View) -> bool:
    return type(view).__name__ == "PageView"
