"""What the board games of OpenSpiel share: two players who see everything, and who win, lose or draw."""

from collections.abc import Sequence
from typing import ClassVar

from arena.game import GameFacts

from arena_game_openspiel.engine.game import SpielGame


class BoardGame(SpielGame):
    """A board game for two; subclasses are frozen attrs classes that say their engine, rules, labels and boards."""

    seat_names: ClassVar[tuple[str, str]]
    """The seats, the one that moves first before the other."""

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The seats by the names that the rules give them; the first one moves first."""
        return self.seat_names

    def facts(self, players: int) -> GameFacts:
        """A win is worth 1, a loss -1 and a draw 0, whatever the board counts."""
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            max_steps=self.engine(players).max_game_length(),
        )
