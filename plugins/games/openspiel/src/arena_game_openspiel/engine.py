"""What an OpenSpiel game is here: words, observations and events for the engine's positions."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

import pyspiel
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Game, State
from arena.record import EVERYONE, JSON, GameEvent, Player

from arena_game_openspiel.state import TERMINAL, SpielState


@lru_cache(maxsize=256, typed=True)
def load(name: str, **parameters: Any) -> pyspiel.Game:
    """The engine's game, made once for equal parameters."""
    return pyspiel.load_game(name, parameters)


@lru_cache(maxsize=1 << 14)
def moved(player: Player, action: int, label: str) -> GameEvent:
    """The public event of a move; equal moves share one event, which nobody may change."""
    return GameEvent("moved", {"player": player, "action": action, "label": label}, EVERYONE)


class SpielGame(Game):
    """A game of OpenSpiel; subclasses are frozen attrs classes whose fields are the parameters."""

    luck: ClassVar[str] = "chance"
    """What draws are called in the record of chance."""

    @property
    def is_veiled(self) -> bool:
        """Whether nothing is told of a wave but to each player what ``glimpse`` shows it."""
        return False

    @property
    def pays_as_it_goes(self) -> bool:
        """Whether something is earned before the end."""
        return False

    @abstractmethod
    def engine(self, players: int) -> pyspiel.Game:
        """The engine's game for so many players."""

    @abstractmethod
    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """What ``player`` sees; ``None`` sees everything."""

    def actions(self, players: int) -> Sequence[int]:
        """The engine's numbers."""
        return range(self.engine(players).num_distinct_actions())

    def begin(self, players: int, chance: Chance) -> pyspiel.State:
        """The engine's state before anything is dealt."""
        return self.engine(players).new_initial_state()

    def glimpse(self, engine: pyspiel.State, player: Player) -> str:
        """The engine's text for a player of a veiled game."""
        raise NotImplementedError

    @property
    def table(self) -> Sequence[str] | None:
        """The words of each action, by its number, where they are the same in every position."""
        return None

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The words of a legal action in this position, unique among them."""
        raise NotImplementedError

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """A way to put the legal actions of this wave into words."""
        return partial(self.label, engine, player)

    def acted(self, engine: pyspiel.State, player: Player, action: int, label: str) -> list[GameEvent]:
        """What is told of a move; ``engine`` stands before it."""
        return [moved(player, action, label)]

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """What is told of moves made at the same time; ``engine`` stands before them."""
        return [moved(player, action, label) for (player, action), label in zip(actions.items(), labels, strict=True)]

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """What is told of an outcome of chance, and to whom; ``engine`` stands before it."""
        return []

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """What is told when the match is over."""
        return []

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Why an integer is not legal here, in words that hold nothing ``player`` may not know."""
        return "it is not one of the legal actions of this turn"

    def imagine(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """A state of the engine that ``player`` cannot tell from this one."""
        return engine.clone()

    def position(self, engine: pyspiel.State) -> JSON:
        """What decides everything that can still happen, where that is not the whole history."""
        return None

    def status(self, engine: pyspiel.State, player: Player | None) -> dict[str, Any]:
        """Who looks, who is to move and how it ended, in the names of the seats."""
        seats = self.seats(engine.num_players())
        current = engine.current_player()
        return {
            "you": None if player is None else seats[player],
            "to_move": seats[current] if current >= 0 else None,
            "outcome": outcome(engine.returns(), seats) if current == TERMINAL else None,
        }

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Set up the engine and let it deal."""
        counts = self.player_counts()
        if players not in counts:
            raise ConfigError(f"players: this game is for {_counts(counts)}, not for {players}")
        state = SpielState(self, self.begin(players, chance), chance)
        return state, state.open()

    def tell(self, event: GameEvent, player: Player | None) -> str:
        """Put a move into words."""
        data: Any = event.data
        if event.kind == "moved":
            return f"{self.name_of(data['player'])}: {data['label']}"
        return super().tell(event, player)

    def name_of(self, player: int) -> str:
        """The name of a seat, which in no game depends on how many play."""
        return self.seats(max(self.player_counts()))[player]


def outcome(returns: Sequence[float], seats: Sequence[str]) -> str:
    """How a match ended, in words."""
    best = max(returns)
    winners = [seat for seat, value in zip(seats, returns, strict=True) if value == best]
    return "draw" if len(winners) == len(seats) else f"{' and '.join(winners)} won"


def _counts(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low} players" if low == high else f"{low} to {high} players"
