"""What a file says of a study: the text that is agreed to, the questions, and which matches are played."""

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

import attrs
from arena.record import canonical_json
from attrs.validators import ge

T = TypeVar("T")

Part: TypeAlias = Literal["before", "after"]
"""Whether questions are asked before the matches or after them."""

PARTS: Final[tuple[Part, ...]] = ("before", "after")

LONGEST_TEXT: Final = 10_000
"""No answer to a question has more characters."""

MOST: Final = 1e300
"""No number that is answered is greater, or less than its negative."""

STEPS: Final = 21
"""No scale has more steps."""

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
"""The name of a condition, or of a study."""

NO_CONSENT: Final = "the text that everybody agrees to before anything else; a study needs one"
"""What a consent is, for a study that has none."""


def _check_name(_: Any, attribute: Any, value: str) -> None:
    if not NAME.fullmatch(value):
        raise ValueError(f"expected letters, digits, - and _, got {value!r}")


def _check_text(_: Any, attribute: Any, value: str) -> None:
    if not value.strip():
        raise ValueError(f"it is empty; expected {attribute.metadata['help']}")


def _check_choices(question: "Question", _: Any, value: tuple[str, ...]) -> None:
    if question.kind != "choice":
        if value:
            raise ValueError(f"a {question.kind} has none; write kind: choice, or leave them out")
    elif len(value) < 2 or len({*value}) < len(value) or not all(each.strip() for each in value):
        raise ValueError(f"expected two or more different texts, got {list(value)!r}")


def _check_bound(question: "Question", attribute: Any, value: float | None) -> None:
    if question.kind not in ("scale", "number"):
        if value is not None:
            raise ValueError(f"a {question.kind} has none; write kind: scale or number, or leave it out")
    elif value is not None and not isfinite(value):
        raise ValueError(f"expected a number, got {value!r}")
    elif question.kind == "scale" and (value is None or not value.is_integer()):
        raise ValueError(f"expected a whole number at this end of the scale, got {value!r}")


def _check_high(question: "Question", attribute: Any, value: float | None) -> None:
    _check_bound(question, attribute, value)
    low = question.low
    if value is None or low is None or not isfinite(low):
        return
    if value <= low:
        raise ValueError(f"expected more than low, which is {low:g}, got {value:g}")
    if question.kind == "scale" and value - low >= STEPS:
        raise ValueError(f"expected a scale of at most {STEPS} steps, got {value - low + 1:g}; a number has no steps")


def _check_labels(question: "Question", _: Any, value: tuple[str, ...]) -> None:
    if not value:
        return
    if question.kind != "scale":
        raise ValueError(f"a {question.kind} has none; write kind: scale, or leave them out")
    steps = len(question.steps)
    if len(value) not in (2, steps):
        raise ValueError(f"expected words for both ends, or for each of the {steps} steps, got {len(value)}")


@attrs.frozen(kw_only=True)
class Question:
    """One question to a participant; ``low`` and ``high`` bound a scale, and a number where they are given."""

    name: str = attrs.field(validator=_check_name, metadata={"help": "what its column is called in an export"})
    ask: str = attrs.field(validator=_check_text, metadata={"help": "the question"})
    kind: Literal["choice", "scale", "text", "number"] = attrs.field(
        metadata={"help": "what is answered: choice, scale, text or number"}
    )
    choices: tuple[str, ...] = attrs.field(default=(), validator=_check_choices, metadata={"help": "of a choice"})
    low: float | None = attrs.field(default=None, validator=_check_bound, metadata={"help": "the least answer"})
    high: float | None = attrs.field(default=None, validator=_check_high, metadata={"help": "the greatest answer"})
    labels: tuple[str, ...] = attrs.field(
        default=(), validator=_check_labels, metadata={"help": "words for the ends of a scale, or for each step"}
    )
    required: bool = attrs.field(default=True, metadata={"help": "whether it must be answered"})

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps of a scale."""
        bounds = [bound for bound in (self.low, self.high) if bound is not None and isfinite(bound)]
        if self.kind != "scale" or len(bounds) < 2:
            return ()
        return tuple(range(int(bounds[0]), int(bounds[1]) + 1))

    def check(self, answer: Any) -> str:
        """What is wrong with an answer that is there, in words; empty where nothing is."""
        if self.kind == "choice":
            return "" if answer in self.choices else f"expected one of: {', '.join(self.choices)}"
        if self.kind == "text":
            fits = isinstance(answer, str) and len(answer) <= LONGEST_TEXT
            return "" if fits else f"expected a text of at most {LONGEST_TEXT:,} characters"
        is_number = type(answer) in (int, float) and abs(answer) <= MOST
        if self.kind == "scale":
            return "" if type(answer) is int and answer in self.steps else f"expected a step {self._bounds}"
        fits = is_number and not (self.low is not None and answer < self.low)
        fits = fits and not (self.high is not None and answer > self.high)
        return "" if fits else f"expected a number {self._bounds}".strip()

    @property
    def _bounds(self) -> str:
        least, most = ("" if bound is None else f"{bound:g}" for bound in (self.low, self.high))
        if least and most:
            return f"from {least} to {most}"
        return f"of at least {least}" if least else f"of at most {most}" if most else ""


def _check_seat(condition: "Condition", _: Any, value: int | None) -> None:
    most = len(condition.others)
    if value is not None and not 0 <= value <= most:
        raise ValueError(f"expected a player from 0 to {most}, got {value}")


@attrs.frozen(kw_only=True)
class Condition:
    """Matches that a participant plays: the game, against whom, how many, and in which seat."""

    game: Any = attrs.field(metadata={"help": "a game, as in a benchmark", "secrets": True})
    against: Any = attrs.field(
        metadata={"help": "the agent at the other seat, as in a benchmark, or a list by seat", "secrets": True}
    )
    matches: int = attrs.field(default=1, validator=ge(1), metadata={"help": "how many matches are played"})
    seat: int | None = attrs.field(
        default=None,
        validator=_check_seat,
        metadata={"help": "which player a participant is, from 0; without it each seat in turn"},
    )

    @property
    def others(self) -> tuple[Any, ...]:
        """The agents at the other seats, in their order."""
        against: Any = self.against
        return tuple(cast("list[Any]", against)) if isinstance(against, list | tuple) else (against,)


def _check_questions(_: Any, attribute: Any, value: tuple[Question, ...]) -> None:
    names = [question.name for question in value]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"asked twice: {', '.join(twice)}; each needs a name of its own")


def _check_conditions(_: Any, attribute: Any, value: Mapping[str, Condition]) -> None:
    if not value:
        raise ValueError(f"there is none; expected {attribute.metadata['help']}")
    wrong = [name for name in value if not NAME.fullmatch(name)]
    if wrong:
        raise ValueError(f"expected names of letters, digits, - and _, got {wrong[0]!r}")


def _questions(when: str) -> Any:
    return attrs.field(default=(), validator=_check_questions, metadata={"help": f"the questions {when} the matches"})


@attrs.frozen(kw_only=True)
class Study:
    """A study with people as players, as its file has it. ``title`` is what participants read."""

    name: str = attrs.field(validator=_check_name, metadata={"help": "what the study is called in files"})
    title: str = attrs.field(default="Study", validator=_check_text, metadata={"help": "what participants read on top"})
    consent: str = attrs.field(validator=_check_text, metadata={"help": NO_CONSENT})
    seed: int = attrs.field(metadata={"help": "the number from which orders and deals are drawn"})
    participants: int = attrs.field(validator=ge(1), metadata={"help": "how many links are made"})
    before: tuple[Question, ...] = _questions("before")
    after: tuple[Question, ...] = _questions("after")
    conditions: Mapping[str, Condition] = attrs.field(
        validator=_check_conditions, metadata={"help": "the conditions by name, each with game, against and matches"}
    )
    each: Literal["one", "all"] = attrs.field(
        default="all", metadata={"help": "whether each participant plays one condition, or all of them"}
    )
    limits: Mapping[str, Any] = attrs.field(
        factory=dict[str, Any], metadata={"help": "the limits of each participant's matches, as in a benchmark"}
    )
    illegal_actions: Any = attrs.field(default=None, metadata={"help": "what follows illegal actions, as there"})

    def questions(self, part: str) -> tuple[Question, ...]:
        """The questions before or after the matches."""
        return self.before if part == "before" else self.after

    @property
    def document(self) -> str:
        """All of it but the number of participants, as one text that is equal for equal studies."""
        plain: Any = attrs.asdict(self, filter=lambda field, _: field.name != "participants")
        return canonical_json(plain)
