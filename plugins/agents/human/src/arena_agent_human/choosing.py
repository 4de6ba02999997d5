"""The view of a decision with options: the position, and one line to choose in."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs
from arena.game import Decision

from arena_agent_human.numbers import ActionNumbers
from arena_agent_human.position import Looks
from arena_agent_human.reading import HumanCommand, PlayCommand, Unclear, completions, plain_label, read
from arena_agent_human.views import STAY, Step, View, arrows, cut, dim, fitting, reverse

LOOK_UP: Final = "look up"
"""What is typed or chosen to ask the game something before one acts."""


@attrs.frozen(kw_only=True)
class Choosing:
    """What a person chooses from: the decision, the numbers of its actions, and what squares are called."""

    decision: Decision
    numbers: ActionNumbers
    squares: Mapping[str, str]
    history: list[str]

    def short_names(self) -> list[str]:
        """A name for each option: its square, the one word that differs in all of them, or its label."""
        labels = [plain_label(option) for option in self.decision.options or ()]
        before = {label.rpartition(" ")[0] for label in labels}
        last = [label.rpartition(" ")[2] for label in labels]
        if len(labels) > 1 and len(before) == 1 and not any(map(str.isdecimal, last)):
            return last
        return [self.squares.get(label, label) for label in labels]


class ChoosingView(View):
    """Left and right move over the options, typing names one, Enter plays, Tab completes, up and down recall."""

    def __init__(
        self,
        choosing: Choosing,
        top: Callable[[Looks, int, str], list[str]],
        obey: Callable[[HumanCommand], Step],
        look_up: Callable[[], Step],
    ) -> None:
        self._choosing, self._top, self._obey, self._look_up = choosing, top, obey, look_up
        self._options = list(choosing.decision.options or ())
        self._names = choosing.short_names()
        if choosing.decision.queries:
            self._names.append(LOOK_UP)
        self._at: int | None = 0 if len(self._names) == 1 else None
        self._recalled = len(choosing.history)
        self._tabbed: tuple[str, ...] = ()
        self._looks: Looks | None = None

    @property
    def takes_text(self) -> bool:
        return True

    def lines(self, looks: Looks, text: str) -> list[str]:
        self._looks = looks
        options = self._listed(looks)
        label = self._options[self._at].label if self._at is not None and self._at < len(self._options) else ""
        above = self._top(looks, looks.height - len(options) - 1, label)
        return [*above, "", *options]

    def prompt(self, looks: Looks) -> str:
        letters = [name for name in self._names if name != LOOK_UP]
        is_range = len(letters) > 2 and all(len(name) == 1 for name in letters)
        range_ = f"{letters[0]}\N{EN DASH}{letters[-1]}, or " if is_range else "a name, or "
        return fitting(looks, f"your move ({range_}{arrows('horizontal', looks)} and Enter): ", "your move: ")

    def suggestion(self) -> str:
        return "" if self._at is None else self._full(self._at)

    def letters(self) -> bool:
        """Whether an option's name begins with a letter that would be a key."""
        return any(name[:1] in ("r", "R", "?") for name in self._names)

    def key(self, name: str, text: str) -> Step | None:
        if name in ("left", "right"):
            if text:
                return None
            self._move(1 if name == "right" else -1)
            return Step(text="", message="")
        if name in ("up", "down"):
            return self._recall(-1 if name == "up" else 1)
        if name == "tab":
            return self._complete(text)
        if name == "escape":
            self._at = None
            return Step(text="", message="")
        return self._enter(text.strip()) if name == "enter" else STAY

    def _enter(self, text: str) -> Step:
        if not text:
            if self._at is None:
                return Step(message="choose with the arrows, or type a name")
            return self._look_up() if self._at == len(self._options) else self._play(self._at)
        self._choosing.history.append(text)
        self._recalled = len(self._choosing.history)
        if self._choosing.decision.queries and len(text) > 1 and LOOK_UP.startswith(text.casefold()):
            return self._look_up()
        match read(text, self._choosing.decision, self._choosing.numbers, self._choosing.squares):
            case HumanCommand() as command:
                return self._obey(command)
            case Unclear(problem):
                return Step(text="", message=self._corrected(text, problem))
            case meant:
                return Step(out=meant)

    def _corrected(self, text: str, problem: str) -> str:
        """What is wrong with an entry and what is possible, in one line of the terminal."""
        tail = "; Tab shows all"
        if "is none of the legal actions" in problem:
            names = ", ".join(name for name in self._names if name != LOOK_UP)
            problem = f"{text[:20]!r} is not possible; you can play {names}"
        return problem if self._looks is None else f"{cut(problem, self._looks.width - len(tail), self._looks)}{tail}"

    def _play(self, at: int) -> Step:
        return Step(out=PlayCommand(self._options[at].action))

    def _move(self, by: int) -> None:
        count = len(self._names)
        if count:
            self._at = ((0 if by > 0 else count - 1) if self._at is None else self._at + by) % count

    def _recall(self, by: int) -> Step:
        history = self._choosing.history
        self._recalled = max(0, min(self._recalled + by, len(history)))
        return Step(text=history[self._recalled] if self._recalled < len(history) else "", message="")

    def _complete(self, text: str) -> Step:
        found = completions(text, self._choosing.decision, self._choosing.squares)
        if not found:
            return Step(message=f"nothing begins with {text!r}")
        common = _common(found)
        shown = "  ".join(found[:40]) + (f"  and {len(found) - 40} more" if len(found) > 40 else "")
        return Step(text=common if len(common) > len(text) else text, message="" if len(found) == 1 else shown)

    def _full(self, at: int) -> str:
        return LOOK_UP if at == len(self._options) else plain_label(self._options[at])

    def _listed(self, looks: Looks) -> list[str]:
        """The options in columns, with their numbers; of very many those around the one that is chosen."""
        cells = [
            f"{self._choosing.numbers.of(option.action)} {name}"
            for option, name in zip(self._options, self._names, strict=False)
        ]
        cells += self._names[len(self._options) :]
        width = min(max(map(len, cells), default=0), looks.width - 4)
        in_row = max(1, (looks.width - 2) // (width + 3))
        rows = [range(at, min(at + in_row, len(cells))) for at in range(0, len(cells), in_row)]
        room = max(2, min(len(rows), looks.height // 4))
        first = max(0, min((self._at or 0) // in_row - room // 2, len(rows) - room))
        lines = ["".join(self._cell(cells[at], width, looks, at) for at in row) for row in rows[first : first + room]]
        if len(rows) > room:
            more = f"  {len(self._options)} options in all; Tab completes what you type"
            lines.append(dim(cut(more, looks.width, looks), looks))
        return lines

    def _cell(self, cell: str, width: int, looks: Looks, at: int) -> str:
        cell = cut(cell, width, looks)
        if at == self._at:
            return f"[{reverse(cell, looks)}]{' ' * (width - len(cell) + 1)}"
        return f" {cell}{' ' * (width - len(cell) + 2)}"


def _common(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    return first[: min(len(first), len(last)) if same is None else same]
