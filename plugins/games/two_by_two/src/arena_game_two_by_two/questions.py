"""The base of all games in which one player answers questions about 2×2 games."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import arena_scene
import attrs
from arena.chance import Chance
from arena.game import Decision, Form, Game, GameFacts, State
from arena.record import Action, GameEvent, Player

from arena_game_two_by_two.examination import (
    FORMS,
    ONE,
    RULES,
    SEVERAL,
    TOGETHER,
    Question,
    QuestionState,
    facts,
    tell,
    text,
)
from arena_game_two_by_two.scene import combination_touches


class QuestionGame(Game):
    """A game of one player, the spectator, who answers questions about the games of others."""

    def player_counts(self) -> Sequence[int]:
        """Always one, the spectator."""
        return (1,)

    def seats(self, players: int) -> Sequence[str]:
        """The only seat is the spectator."""
        return ("spectator",)

    def facts(self, players: int) -> GameFacts:
        """One question with one right answer."""
        return facts(1, is_drawn=False)

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """Questions and answers in words."""
        return tell(event) or super().describe_event(event, player)


@attrs.frozen
class EquilibriumQuestions(QuestionGame):
    """Questions about equilibria; ``is_drawn`` says if chance selects them, ``is_together`` if all come at once."""

    is_together: ClassVar[bool] = False
    is_drawn: ClassVar[bool] = False

    @abstractmethod
    def questions(self, chance: Chance) -> tuple[Question, ...]:
        """The questions of one match; may draw from ``chance``."""

    @abstractmethod
    def count(self) -> int:
        """The number of questions in a match."""

    @property
    def rules(self) -> str:
        """What the spectator has to do; the same for all games of a kind."""
        return RULES + (SEVERAL if self.is_together else ONE)

    def facts(self, players: int) -> GameFacts:
        """The facts of ``count`` questions, each with one right answer."""
        return facts(1 if self.is_together else self.count(), is_drawn=self.is_drawn)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and an example of an answer."""
        return TOGETHER if self.is_together else FORMS

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """The cells of the tables as answers, where each question has one."""
        seen: Any = decision.observation
        return combination_touches(text(seen), len(seen["questions"]), are_together=self.is_together)

    def describe_action(self, decision: Decision, action: Action) -> str:
        """The combinations that an answer names."""
        answers: Any = action if self.is_together else [action]
        told = (", ".join(f"({a}, {b})" for a, b in own) or "none" for own in answers)
        return "; ".join(f"game {n}: {own}" if self.is_together else own for n, own in enumerate(told, start=1))

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Ask the first question, or all."""
        state = QuestionState(self.questions(chance), self.is_together)
        return state, state.announced()
