"""One decision as a dialogue at a terminal with keys: what stands on the screen, and what can be asked or sent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

from arena.agent import Seat
from arena.game import ABSENT, Decision, Illegal, Query
from arena.record import JSON, Action
from arena_scene import reason_words, titled, touches_of

from arena_agent_human.choosing import Choosing, ChoosingView
from arena_agent_human.fields import Field
from arena_agent_human.form_view import FormTask, FormView
from arena_agent_human.keyboard import Layer
from arena_agent_human.memory import MatchMemory
from arena_agent_human.position import Looks, SeenPosition, answer_lines
from arena_agent_human.reading import Ask, HumanCommand, PlayCommand
from arena_agent_human.scalars import Misread
from arena_agent_human.schemas import FieldMaker
from arena_agent_human.views import LEFT, STAY, MenuItem, MenuView, PageView, Scrolled, Step, View, bold, cut, dim, red
from arena_agent_human.wording import in_words, names_in, said, usable, wrapped

LEAVE: Final = "leave"
"""What a dialogue ends with if the person leaves."""

_NEWS: Final = 5
"""The most lines of what has happened beside the position; the page of news has them all."""

_WIDE: Final = 40
"""The fewest columns in which more keys than that for help stand beside the game's name."""

HELP: Final = """\
Type what you want to play: its name, its last word or its beginning, a square such as b2, or its number, which \
it keeps for the whole match. A line that is unknown or can mean two things is never guessed.

← →        move over the options; in a form, change a number or a choice
Enter      play what is chosen or typed; in a form, go on to the next field
Tab        complete what is typed, or show what there is
↑ ↓        recall what you have typed; in a form or menu, move
Esc        back
PgUp PgDn  move the position, if it is too long for the screen
F1 or ?    this page
F2 or r    the rules
F3         look-ups: what you may ask the game before you act
Ctrl-C     leave; the match is kept

You can also type: rules, look, news, help, quit, and an action as JSON.
Where names begin with r, use F2 for the rules."""


class Dialogue:
    """The dialogue about one try of one decision."""

    def __init__(self, seat: Seat, decision: Decision, form: str, memory: MatchMemory) -> None:
        self._seat, self._decision, self._form, self._memory = seat, decision, form, memory
        self._asked: Counter[str] = Counter()
        self._scrolled = Scrolled()
        self._problems: set[str] = set()
        self._memory.names |= dict.fromkeys(names_in(decision.observation))
        self._position = SeenPosition(seat, decision, form, memory.drawing)
        memory.drawing = self._position.drawing
        self.stack = [Layer(self._root())]
        self.stack[0].text = getattr(self.stack[0].view, "start", "")

    def _root(self) -> View:
        if self._decision.options is not None:
            choosing = Choosing(
                decision=self._decision,
                numbers=self._memory.numbers,
                squares=self._position.squares,
                history=self._memory.history,
            )
            return ChoosingView(choosing, self.top, self._obey, self._look_up)
        ways = self._ways()
        if len(ways) == 1:
            return FormView(self._task, ways[0][1], self.top, can_leave=False)
        items = [MenuItem(label=label, value=at + 1) for at, (label, _, _) in enumerate(ways)]
        if self._decision.queries:
            items.append(MenuItem(label="look up …", value="look up"))
        return _RootMenu(self.top, "what do you do?", items, self._chosen)

    def answered(self, query: str, answer: JSON | Illegal) -> None:
        """Show the answer of a look-up on top of what was on the screen."""
        self._asked[query] += 1
        if isinstance(answer, Illegal):
            self.stack.append(Layer(PageView(f"look up: {query}", lambda looks: wrapped(answer.reason, looks.width))))
            self._asked[query] -= 1
            return
        self._memory.names |= dict.fromkeys(_names(answer))
        page = PageView(f"look up: {query}", partial(answer_lines, self._seat.game, self._decision, query, answer))
        actions = list(usable(answer, self._decision)) if self._decision.options is None else []
        if not actions:
            self.stack.append(Layer(page))
            return
        words = [in_words(self._seat.game, self._decision, action) for action in actions]
        items = [MenuItem(label=label, value=(action,)) for label, action in zip(words, actions, strict=True)]
        items.append(MenuItem(label="show the whole answer", value="page"))
        menu = MenuView(self.top, f"look up: {query} · Enter takes one", items)
        self.stack.append(Layer(menu, lambda value: self._used(value, page, menu)))

    def _used(self, value: Any, page: PageView, menu: MenuView) -> Step:
        if value is None:
            return STAY
        if value == "page":
            return Step(over=page, then=lambda _: STAY)
        field = FieldMaker(self._schema, self._proposed).field(self._schema)
        field.fill(value[0])
        return Step(over=FormView(self._task, field, self.top, is_ready=True), then=lambda _: STAY)

    @property
    def _proposed(self) -> tuple[str, ...]:
        return tuple(self._memory.names)

    # what stands on the screen

    def top(self, looks: Looks, room: int, option: str = "") -> list[str]:
        """Who plays what, the position, and what has happened since the last turn, in at most ``room`` lines.

        What the option with that label stands for is marked in the position.
        """
        news = self._newest(max(2, min(_NEWS, room // 4)), looks.width)
        refused = [
            red(line, looks)
            for rejected in self._decision.rejected[-1:]
            for line in wrapped(f"refused: {reason_words(rejected.reason)}", looks.width)
        ]
        below = [*([""] if news else []), *news, *refused, *self._problem_once(looks)]
        position, left = self._position.lines(looks, option), max(3, room - len(below) - 2)
        if len(position) > left:  # better close together than out of sight
            position = [line for line in position if line.strip()]
        return [self._header(looks), "", *self._scrolled.shown(position, left, looks), *below]

    def _newest(self, room: int, width: int) -> list[str]:
        """As many of the last things that have happened as there is room for, at least the very last."""
        found: list[str] = []
        for told in reversed(self._memory.news):
            lines = wrapped(told, width)
            if found and len(found) + len(lines) > room:
                break
            found = [*lines, *found]
        return found[-_NEWS:]

    def _problem_once(self, looks: Looks) -> list[str]:
        """What is wrong with the drawing, in the first decision in which it is."""
        problem = self._position.problem(looks)
        if not problem or (problem in self._memory.problems and problem not in self._problems):
            return []
        self._memory.problems.add(problem)
        self._problems.add(problem)
        return wrapped(problem, looks.width)[:4]

    def _header(self, looks: Looks) -> str:
        others = [name for player, name in enumerate(self._seat.agents or ()) if player != self._seat.player]
        against = f" · against {', '.join(dict.fromkeys(others))}" if others else ""
        keys = self._keys(looks)
        left = cut(f"{self._seat.game.title} · you are {self._seat.name}{against}", looks.width - len(keys) - 2, looks)
        return f"{bold(left, looks)}{' ' * (looks.width - len(left) - len(keys))}{dim(keys, looks)}"

    def _keys(self, looks: Looks) -> str:
        has_letters = self.stack[-1].view.letters() if getattr(self, "stack", None) else False
        if looks.width < _WIDE:
            return "help: F1" if has_letters else "help: ?"
        keys = "rules: F2  help: F1" if has_letters else "rules: r  help: ?"
        return f"look up: F3  {keys}" if self._decision.queries else keys

    def last(self, value: Any, looks: Looks) -> list[str]:
        """What stays on the screen while the others are to act."""
        if isinstance(value, PlayCommand):
            verb = "sent" if self._decision.options is None else "you play"
            what = f"{verb}: {in_words(self._seat.game, self._decision, value.action)}"
        elif isinstance(value, Ask):
            what = f"look up: {value.query}"
        else:
            what = "you have left"
        return [*self.top(looks, looks.height - 3), "", *wrapped(what, looks.width)[:3]]

    # keys that every view has

    def shortcut(self, name: str) -> Step | None:
        """What a key does wherever it is pressed; ``None`` for keys of the views."""
        if name == "leave":
            return self._leave()
        if name in ("help", "rules"):
            return self._obey(HumanCommand(name))
        if name == "look up":
            return self._look_up()
        return STAY if self._scrolled.move(name) else None

    def _leave(self) -> Step:
        items = [MenuItem(label="stay", value="stay"), MenuItem(label="leave", value=LEAVE)]
        title = "Leave the match? It is kept, and `arena resume` goes on with it."
        menu = MenuView(self.top, title, items)
        if isinstance(self.stack[-1].view, MenuView) and self.stack[-1].view.title == title:
            return Step(out=LEAVE)  # pressed again at the question
        return Step(over=menu, then=lambda value: Step(out=LEAVE) if value == LEAVE else STAY)

    def _obey(self, command: HumanCommand) -> Step:
        pages = {
            "rules": ("rules", lambda width: wrapped(self._seat.rules.strip(), width)),
            "help": ("what you can do", lambda width: wrapped(HELP, width)),
            "news": ("what has happened", lambda width: [li for t in self._memory.told for li in wrapped(t, width)]),
            "look": ("what you see, in words", self._in_words),
        }
        if command.name == "quit":
            return self._leave()
        if command.name == "?":
            return Step(text="", message="Tab shows the actions; F1 is help")
        title, lines = pages[command.name]
        return Step(
            text="", message="", over=PageView(f"{self._seat.game.title} · {title}", lambda looks: lines(looks.width))
        )

    def _in_words(self, width: int) -> list[str]:
        return self._position.words(width)

    # look-ups

    def _look_up(self) -> Step:
        if not self._decision.queries:
            return Step(message="there are no look-ups in this decision")
        items = [
            MenuItem(label=query.name, detail=f"{self._left(query)} left   {query.summary}", value=at + 1)
            if self._left(query) > 0
            else MenuItem(label=query.name, detail="0 left")
            for at, query in enumerate(self._decision.queries)
        ]
        return Step(over=MenuView(self.top, "look up", items), then=self._asks)

    def _left(self, query: Query) -> int:
        return query.limit - self._asked[query.name]

    def _asks(self, chosen: Any) -> Step:
        if chosen is None:
            return STAY
        query = self._decision.queries[chosen - 1]
        field = FieldMaker(query.schema, self._proposed).field(query.schema)
        is_ready = not any(row.is_asked for row in field.rows(0)) or _is_whole(field)
        task = FormTask(
            title=f"look up: {query.name}, {query.summary}",
            question="ask?",
            interpret=lambda value: value,
            words=lambda value: f"{query.name}: {said(value)}" if value else query.name,
            problem=lambda _: "",
            done=lambda value: Step(is_done=True, value=(value,)),
        )
        return Step(
            over=FormView(task, field, self.top, is_ready=is_ready),
            then=lambda value: STAY if value is None else Step(out=Ask(query.name, value[0])),
        )

    # actions without options

    @property
    def _task(self) -> FormTask:
        return FormTask(
            title="your action" if len(self._ways()) > 1 else f"your {self._decision.phase}",
            question="send?",
            interpret=self._decision.interpret,
            words=lambda action: in_words(self._seat.game, self._decision, action),
            problem=self._problem,
            done=lambda action: Step(out=PlayCommand(action)),
        )

    @property
    def _schema(self) -> Any:
        """The schema of the action, with the names that the game has for its places."""
        touches, schema = touches_of(self._seat.game, self._decision), self._decision.schema
        return schema if touches is None or not isinstance(schema, Mapping) else titled(schema, touches.names)

    def _problem(self, action: Action | Illegal) -> str:
        illegal = action if isinstance(action, Illegal) else self._decision.check(action)
        return "" if illegal is None else f"not allowed: {reason_words(illegal.reason)}"

    def _ways(self) -> list[tuple[str, Field, bool]]:
        """What a person may set out to do: label, fields, and whether they are filled in already."""
        schema = self._schema
        maker = FieldMaker(schema, self._proposed)
        found: list[tuple[str, Field, bool]] = []
        unnamed: list[int] = []
        for title, field in maker.starts(schema):
            value = self._whole(field)
            if value is ABSENT:
                found.append((f"{title} …", field, False))
                unnamed.append(len(found) - 1)
            else:
                words = in_words(self._seat.game, self._decision, value)
                is_ready = words == self._skips or not any(row.is_asked for row in field.rows(0))
                found.append((words if is_ready else f"{words} …", field, is_ready))
        if len(unnamed) == 1:  # the one thing that this phase is for
            _, field, is_ready = found[unnamed[0]]
            found[unnamed[0]] = (f"{self._decision.phase} …", field, is_ready)
        return sorted(found, key=lambda way: way[0] == self._skips)

    @property
    def _skips(self) -> str:
        """The action that does nothing in words, empty if there is none; it is sent without further questions."""
        skip = self._decision.skip
        return "" if skip is ABSENT else in_words(self._seat.game, self._decision, cast("Action", skip))

    def _whole(self, field: Field) -> Any:
        """The legal action that a field gives as it stands, ``ABSENT`` if there is none yet."""
        try:
            value = field.value()
        except Misread:
            return ABSENT
        if value is ABSENT:
            return ABSENT
        value = self._decision.interpret(value)
        return ABSENT if isinstance(value, Illegal) or self._decision.check(value) is not None else value

    def _chosen(self, value: Any) -> Step:
        if value == "look up":
            return self._look_up()
        _, field, is_ready = self._ways()[value - 1]
        asked = [row for row in field.rows(0) if row.is_asked]
        first = int(bool(asked) and bool(asked[0].text))  # the choice that was made in the menu
        return Step(over=FormView(self._task, field, self.top, is_ready=is_ready, first=first), then=lambda _: STAY)


class _RootMenu(MenuView):
    """A menu below which nothing lies: what is chosen comes on top of it."""

    def __init__(self, top: Any, title: str, items: Sequence[MenuItem], chosen: Any) -> None:
        super().__init__(top, title, items)
        self._chosen = chosen

    def key(self, name: str, text: str) -> Step | None:
        step = super().key(name, text)
        if step == LEFT:
            return STAY
        return self._chosen(step.value) if step is not None and step.is_done else step


def _is_whole(field: Field) -> bool:
    """Whether a field can be asked as it stands, since nothing in it must be said."""
    try:
        return field.value() is not ABSENT
    except Misread:
        return False


def _names(answer: JSON) -> Sequence[str]:
    """The names in the answer of a look-up that may be proposed where a name is typed."""
    found: list[str] = list(names_in(answer))
    if isinstance(answer, dict):
        for each in answer.values():
            if isinstance(each, list):
                found += [name for name in each if isinstance(name, str)]
    return found
