"""Sound games with a fault planted in them."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import attrs
import pytest
from arena.chance import Chance
from arena.game import Decision, Form, Game, GameFacts, State
from arena.record import GameEvent
from arena.testing import ConformanceError, check_game


@attrs.frozen
class Planted(Game):
    """A sound game whose states are of another class, or whose facts, events or forms are changed."""

    sound: Game
    state: type[State] | None = None
    facts_changed: Mapping[str, Any] = attrs.field(factory=dict)
    told: Callable[[GameEvent], GameEvent] = lambda event: event
    forms_added: Mapping[str, Form] = attrs.field(factory=dict)

    @property
    def rules(self) -> str:
        return self.sound.rules

    def player_counts(self) -> Sequence[int]:
        return self.sound.player_counts()[:1]

    def seats(self, players: int) -> Sequence[str]:
        return self.sound.seats(players)

    def facts(self, players: int) -> GameFacts:
        return attrs.evolve(self.sound.facts(players), **self.facts_changed)

    @property
    def forms(self) -> Mapping[str, Form]:
        return {**self.sound.forms, **self.forms_added}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        state, events = self.sound.start(chance, players)
        if self.state is not None:
            state.__class__ = self.state
        return state, [self.told(event) for event in events]


def fault_of(game: Game) -> ConformanceError:
    """What the check says about ``game``."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game)
    return caught.value


def changed(decision: Decision, **fields: Any) -> Decision:
    """A decision like another one but for some of what a game says of it."""
    return Decision(**{name: getattr(decision, name) for name in signature(Decision).parameters} | fields)
