"""Games of one player who is asked about 2×2 games."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from arena.chance import Chance
from arena.game import Form, Game, GameFacts, State
from arena.record import GameEvent, Player

from arena_game_two_by_two.examination import FORMS, ONE, RULES, SEVERAL, TOGETHER, Examination, Question, facts, tell


class Spectated(Game):
    """A game of one player, the spectator, who is asked about the games of others."""

    def player_counts(self) -> Sequence[int]:
        """One: the spectator."""
        return (1,)

    def seats(self, players: int) -> Sequence[str]:
        """By what it does."""
        return ("spectator",)

    def facts(self, players: int) -> GameFacts:
        """One question with one right answer."""
        return facts(1, is_drawn=False)

    def tell(self, event: GameEvent, player: Player | None) -> str:
        """Questions and answers in words."""
        return tell(event) or super().tell(event, player)


class Questions(Spectated):
    """Questions about equilibria; ``is_drawn`` says that chance picks them, ``is_together`` asks all at once."""

    is_together: bool = False
    is_drawn: bool = False

    @abstractmethod
    def questions(self, chance: Chance) -> tuple[Question, ...]:
        """What is asked in this match."""

    @abstractmethod
    def count(self) -> int:
        """How many questions that are."""

    @property
    def rules(self) -> str:
        """What the spectator is asked for; the same for all games of a kind."""
        return RULES + (SEVERAL if self.is_together else ONE)

    def facts(self, players: int) -> GameFacts:
        """As many questions with one right answer each."""
        return facts(1 if self.is_together else self.count(), is_drawn=self.is_drawn)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and an example of an answer."""
        return TOGETHER if self.is_together else FORMS

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Ask the first question, or all."""
        state = Examination(self.questions(chance), self.is_together)
        return state, state.announced()
