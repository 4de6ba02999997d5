"""Games of one question: one player, one decision, one right answer, and one event that says how the answer was."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import arena_scene
import attrs
from arena.errors import RuleError
from arena.game import FORFEITED, Decision, Drawing, Forfeited, Game, GameFacts, Illegal, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

ANSWERER: Final = Player(0)


class SingleQuestion(ABC):
    """One question with its right answer, as an immutable value."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which the record knows the question; different questions have different names."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The question as the player reads it, complete."""

    @property
    @abstractmethod
    def schema(self) -> JSON:
        """The JSON schema of an answer."""

    @abstractmethod
    def refused(self, answer: Any) -> Illegal | None:
        """Why ``answer`` is none at all, or ``None``; a wrong answer is not refused."""

    @abstractmethod
    def sample(self, rng: Random) -> Action:
        """Draw an answer as somebody would who has not followed what happened."""

    @abstractmethod
    def judged(self, answer: Any) -> dict[str, JSON]:
        """What the event ``judged`` says of an answer, ``valid`` among it; ``None`` stands for no answer."""


@attrs.define(eq=False)
class SingleQuestionState(State):
    """A question that waits for its answer; a player who forfeits has given none, which is judged as well."""

    question: SingleQuestion
    verdict: Mapping[str, JSON] | None = None

    def opened(self) -> list[GameEvent]:
        """The event that asks the question, under the name by which the record knows it."""
        return [GameEvent("asked", {"question": self.question.name, "text": self.question.text}, EVERYONE)]

    def to_act(self) -> Sequence[Player]:
        return (ANSWERER,) if self.verdict is None else ()

    def decision(self, player: Player) -> Decision:
        """Asks for one JSON value of the question's schema."""
        question = self.question
        return Decision(player=player, phase="answer", action_schema=question.schema, sampler=question.sample)

    def observe(self, player: Player | None) -> JSON:
        """The text of the question; the same before and after the answer."""
        return {"question": self.question.text}

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse what is no answer at all; a wrong answer is legal."""
        if self.verdict is not None:
            return Illegal("over", "the question has been answered")
        return self.question.refused(action)

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Judge the answer, or that there is none."""
        answer = actions[ANSWERER]
        if answer is not FORFEITED and (refused := self.question.refused(answer)):
            raise RuleError(f"{self.question.name}: {refused.reason}")
        self.verdict = self.question.judged(None if answer is FORFEITED else answer)
        return [GameEvent("judged", self.verdict, EVERYONE)]

    def returns(self) -> Sequence[float] | None:
        """1 for the right answer, otherwise 0."""
        return None if self.verdict is None else (float(bool(self.verdict["valid"])),)

    def clone(self) -> State:
        return SingleQuestionState(self.question, self.verdict)


class SingleQuestionGame(Game):
    """A game for one player who answers one question and earns 1 if the answer is right."""

    is_drawn: bool
    """Whether the match's chance takes part in choosing the question."""

    def player_counts(self) -> Sequence[int]:
        """Always one, who answers."""
        return (1,)

    def seats(self, players: int) -> Sequence[str]:
        """The only seat is the one who answers."""
        return ("answerer",)

    def facts(self, players: int) -> GameFacts:
        """One step, after which the right answer has earned 1; to forfeit is to be wrong."""
        return GameFacts(
            chance=self.is_drawn,
            min_return=0.0,
            max_return=1.0,
            optimal_returns=(1.0,),
            optimal_source="each question has one right answer, which follows from its text",
            max_steps=1,
            on_forfeit="continue",
            forfeit_return=0.0,
            others_return=0.0,
            return_unit="right answers",
        )

    @property
    def forms(self) -> Mapping[str, Any]:
        """The question as its player reads it, with the form of the answer, as text and as a scene of that text."""
        return {"text": question_text, "scene": _drawn}

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """The name of the question, whose text the observation has, and the verdict in one word."""
        data: Any = event.data
        if event.kind == "asked":
            return data["question"]
        if event.kind == "judged":
            return "the answer is right" if data["valid"] else "the answer is wrong"
        return super().describe_event(event, player)


def question_text(observation: Any) -> str:
    """The text of the question in an observation."""
    return observation["question"]


def _drawn(observation: Any) -> Drawing:
    return Drawing(*arena_scene.text_scene("A question about a plan", question_text(observation)))
