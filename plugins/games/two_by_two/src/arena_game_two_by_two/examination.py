"""Questions about 2×2 games that one player answers, one by one or all at once."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import attrs
from arena.errors import RuleError
from arena.game import Decision, Drawing, Forfeited, Form, GameFacts, Illegal, State
from arena.record import EVERYONE, JSON, NOBODY, Action, GameEvent, Player, canonical_json

from arena_game_two_by_two.answer import SCHEMA, pairs, read
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.scene import told_scene

SOLVER: Final = Player(0)

RULES: Final = """\
You are a spectator of games between two players, A and B, who choose at the same time and without talking to each \
other. A has the choices A1 and A2, B has the choices B1 and B2, so there are four choice combinations: (A1, B1), \
(A1, B2), (A2, B1) and (A2, B2). Each player wants the best for itself. For each game you are asked for the most \
possible choice combination or combinations. If all combinations are equally possible, your answer is the empty list."""

TASK: Final = """\
What is or are the most possible choice combination or combinations? If all choice combinations are equally possible, \
the answer holds none."""

ONE: Final = '\n\nAn answer is a list of pairs, for instance [["A1", "B2"]].'

SEVERAL: Final = """\


You are given several games at once. Your answer is a list with one entry for each game, in their order; each entry is \
a list of pairs, for instance [[["A1", "B2"]], []] for two games."""


@attrs.frozen
class Question:
    """A question's text and its only right answer.

    ``game`` is the game's name in the topology, ``form`` the kind of question. ``cells`` says which combinations of
    that game the combinations 1 to 4 of the text are, if names were exchanged. ``notes`` are kept in the record.
    """

    text: str
    right: Choices
    game: str
    form: str
    cells: tuple[int, ...] = (1, 2, 3, 4)
    notes: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON])

    def named(self, choices: Choices) -> list[int]:
        """Convert ``choices`` to combinations of the original game."""
        return sorted(self.cells[n - 1] for n in choices)

    @property
    def record(self) -> dict[str, JSON]:
        """The data of the record, in the cells of the original game."""
        return {"game": self.game, "form": self.form, "right": self.named(self.right), **self.notes}


@attrs.define(eq=False)
class QuestionState(State):
    """Questions that wait for an answer; ``is_together`` asks all of them at once.

    The return is 1 if all answers are right, otherwise 0. ``earlier`` are the answers so far.
    """

    questions: tuple[Question, ...]
    is_together: bool = False
    earlier: list[Choices] = attrs.field(factory=list)

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions to be answered now."""
        at = len(self.earlier)
        return self.questions[at:] if self.is_together else self.questions[at : at + 1]

    def to_act(self) -> Sequence[Player]:
        """The one player, until all questions are answered."""
        return (SOLVER,) if self.asked else ()

    def decision(self, player: Player) -> Decision:
        """Asks for a list of pairs, or for a list of such lists."""
        count = len(self.questions)
        together: JSON = {"type": "array", "items": SCHEMA, "minItems": count, "maxItems": count}
        return Decision(
            player=player,
            phase="answer",
            action_schema=together if self.is_together else SCHEMA,
            sampler=self._sample,
            aliases=self._written,
        )

    def observe(self, player: Player | None) -> JSON:
        """The text of the questions asked, and how many questions there are."""
        return {
            "questions": [question.text for question in self.asked],
            "number": len(self.earlier) + 1,
            "of": len(self.questions),
            "answered": [pairs(choices) for choices in self.earlier],
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse an answer that cannot be read; a wrong answer is legal."""
        if not self.asked:
            return Illegal("over", "every question has been answered")
        found = self._read(action)
        if isinstance(found, Illegal):
            return found
        if canonical_json(self._written(action)) == canonical_json(action):
            return None
        return Illegal(
            "not-a-list-of-pairs", f"expected {canonical_json(self._written(action))}, got {canonical_json(action)}"
        )

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Record the answers; the next question follows."""
        found = self._read(actions[SOLVER])
        if isinstance(found, Illegal):
            raise RuleError(f"two-by-two: {found.reason}")
        events: list[GameEvent] = []
        for question, choices in zip(self.asked, found, strict=True):
            self.earlier.append(choices)
            events.append(GameEvent("answered", {"pairs": pairs(choices)}, EVERYONE))
            graded = {"number": len(self.earlier), "named": question.named(choices), **question.record}
            events.append(GameEvent("graded", {**graded, "is_right": choices == question.right}, NOBODY))
        if self.asked:
            events.extend(self.announced())
        return events

    def announced(self) -> list[GameEvent]:
        """The events that show the questions asked in this step."""
        events: list[GameEvent] = []
        for number, question in enumerate(self.asked, start=len(self.earlier) + 1):
            events.append(GameEvent("asked", {"number": number, "text": question.text}, EVERYONE))
            events.append(GameEvent("posed", {"number": number, "of": len(self.questions), **question.record}, NOBODY))
        return events

    def returns(self) -> Sequence[float] | None:
        """1 if every answer was right."""
        if self.asked:
            return None
        return (float(all(c == q.right for c, q in zip(self.earlier, self.questions, strict=True))),)

    def clone(self) -> State:
        return QuestionState(self.questions, self.is_together, list(self.earlier))

    def resample_hidden(self, player: Player, chance: object) -> None:
        """``None``, since no player can know the right answer."""
        return

    def _read(self, action: Any) -> list[Choices] | Illegal:
        if not self.is_together:
            found = read(action)
            return found if isinstance(found, Illegal) else [found]
        count = len(self.questions)
        if not isinstance(action, Sequence) or isinstance(action, str) or len(action) != count:
            return Illegal("not-one-answer-each", f"expected a list of {count} answers, one for each game, in order")
        answers = [read(answer) for answer in action]
        for number, answer in enumerate(answers, start=1):
            if isinstance(answer, Illegal):
                return Illegal(answer.kind, f"answer {number}: {answer.reason}")
        return [answer for answer in answers if not isinstance(answer, Illegal)]

    def _written(self, action: Any) -> Action:
        """The answer in canonical form if it can be read, else the answer itself."""
        found = self._read(action)
        if isinstance(found, Illegal):
            return action
        answers = [pairs(choices) for choices in found]
        return answers if self.is_together else answers[0]

    def _sample(self, rng: Random) -> Action:
        """Name each combination with probability one half."""
        answers = [pairs(Choices(n for n in range(1, 5) if rng.random() < 0.5)) for _ in self.asked]
        return answers if self.is_together else answers[0]


def facts(questions: int, *, is_drawn: bool) -> GameFacts:
    """The facts of so many questions: returns are 0 or 1, and optimal play earns 1."""
    return GameFacts(
        chance=is_drawn,
        returns="general-sum",
        min_return=0.0,
        max_return=1.0,
        optimal_returns=(1.0,),
        optimal_source="the pure equilibria, enumerated",
        max_steps=questions,
        forfeit_return=0.0,
        others_return=0.0,
        return_unit="right answers",
    )


def text(observation: Any) -> str:
    """The questions as text, numbered if there are several."""
    asked = observation["questions"]
    if not asked:
        return "Every question has been answered."
    if len(asked) == 1:
        return asked[0]
    return "\n\n".join(f"Game {i}\n\n{question}" for i, question in enumerate(asked, start=1))


def scene(observation: Any) -> Drawing:
    """The questions with their tables drawn, and what was answered so far."""
    named = (", ".join(f"({a}, {b})" for a, b in own) or "none" for own in observation["answered"])
    return told_scene("Questions about 2×2 games", text(observation), named)


FORMS: Final[Mapping[str, Form]] = {
    "text": text,
    "example": lambda observation: '[("Ax", "By")]',
    "scene": scene,
}
TOGETHER: Final[Mapping[str, Form]] = {
    "text": text,
    "example": lambda observation: '[[("Ax", "By")], ...]',
    "scene": scene,
}
"""Forms that show the questions, and an example of an answer in Python."""


def tell(event: GameEvent) -> str | None:
    """Describe the events of question games."""
    data: Any = event.data
    if event.kind == "asked":
        return f"game {data['number']}:\n{data['text']}"
    if event.kind == "answered":
        named = ", ".join(f"({a}, {b})" for a, b in data["pairs"])
        return f"you answered {named}" if named else "you answered with the empty list"
    return None
