"""Adds labels, observations and events to OpenSpiel's games and states."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar

import arena_scene
import pyspiel
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import ABSENT, Absent, Decision, Game, State
from arena.record import EVERYONE, JSON, GameEvent, Player

from arena_game_openspiel.state import TERMINAL, SpielState


@lru_cache(maxsize=256, typed=True)
def load(name: str, **parameters: Any) -> pyspiel.Game:
    """OpenSpiel's game, made once for equal parameters."""
    return pyspiel.load_game(name, parameters)


@lru_cache(maxsize=1 << 14)
def moved(player: Player, action: int, label: str) -> GameEvent:
    """The public event of a move; equal moves share one event, which must not be changed."""
    return GameEvent("moved", {"player": player, "action": action, "label": label}, EVERYONE)


class SpielGame(Game):
    """A game of OpenSpiel; subclasses are frozen attrs classes whose fields are the parameters."""

    chance_mode: ClassVar[str] = "chance"
    """The name under which draws of chance are recorded."""

    @property
    def is_veiled(self) -> bool:
        """Whether moves are hidden information, so that each player learns only what ``glimpse`` shows it."""
        return False

    @property
    def pays_as_it_goes(self) -> bool:
        """Whether players earn rewards before the end."""
        return False

    @property
    def order(self) -> Sequence[int] | None:
        """The number that each of two players has in OpenSpiel, where it counts them in another order; else ``None``.

        For games in which players take turns and see everything. All other methods are given the players' own numbers.
        """
        return None

    def seats(self, players: int) -> Sequence[str]:
        """The players by number, counted from 1; the order in which they act first."""
        return tuple(f"player {p + 1}" for p in range(players))

    @abstractmethod
    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's game for this number of players."""

    @abstractmethod
    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The JSON that ``player`` observes; ``None`` stands for the spectator, who sees everything."""

    def public_view(self, engine: pyspiel.State) -> "JSON | Absent":
        """What a bystander sees; ``ABSENT`` if there is no such view, or if nothing is hidden."""
        return ABSENT

    def actions(self, players: int) -> Sequence[int]:
        """OpenSpiel's numbers of all actions."""
        return range(self.engine(players).num_distinct_actions())

    def begin(self, players: int, chance: Chance) -> pyspiel.State:
        """OpenSpiel's state before any draw of chance."""
        return self.engine(players).new_initial_state()

    def glimpse(self, engine: pyspiel.State, player: Player) -> str:
        """What one player sees, in games where ``is_veiled``: OpenSpiel's observation as text."""
        return engine.observation_string(player)

    @property
    def table(self) -> Sequence[str] | None:
        """The label of each action, by its number, if labels are the same in every position; else ``None``."""
        return None

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The label of a legal action, unique in this position: OpenSpiel's own."""
        return engine.action_to_string(player, action)

    def words(self, engine: pyspiel.State, player: Player, legal: Sequence[int]) -> Callable[[int], str]:
        """A function that returns the labels of this step's legal actions."""
        return partial(self.label, engine, player)

    def acted(self, engine: pyspiel.State, player: Player, action: int, label: str) -> list[GameEvent]:
        """The events of a move, made from the state before it."""
        return [moved(player, action, label)]

    def revealed(self, engine: pyspiel.State, actions: Mapping[Player, int], labels: list[str]) -> list[GameEvent]:
        """The events of simultaneous moves, made from the state before them."""
        return [moved(player, action, label) for (player, action), label in zip(actions.items(), labels, strict=True)]

    def dealt(self, engine: pyspiel.State, outcome: int) -> list[GameEvent]:
        """The events of a chance outcome, each with its recipients, made from the state before it."""
        return []

    def ended(self, engine: pyspiel.State) -> list[GameEvent]:
        """The events at the end of a match."""
        return []

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Why an integer is not legal here; the text must not reveal what ``player`` may not know."""
        return "it is not one of the legal actions of this turn"

    def resample_hidden(self, engine: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
        """A state that ``player`` cannot tell from this one, or ``None`` if none can be found."""
        return engine.clone()

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """Everything that affects what can still happen, if that is less than the history; else ``None``."""
        return None

    def status(self, engine: pyspiel.State, player: Player | None) -> dict[str, Any]:
        """The observer, the players to move and the outcome, by the names of the seats."""
        seats = self.seats(engine.num_players())
        told = seats if self.order is None else [seats[player] for player in self.order]
        current = engine.current_player()
        return {
            "you": None if player is None else seats[player],
            "to_move": told[current] if current >= 0 else None,
            "outcome": outcome(engine.returns(), told) if current == TERMINAL else None,
        }

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The elements of the scene that are touched to choose an option; none where it is a button beside it."""
        return ()

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """The options of a decision as elements of the scene; ``None`` where the game draws none."""
        if decision.options is None or "scene" not in self.forms:
            return None
        return arena_scene.Touches.of(
            decision.options, lambda option: self.path(option.action, option.label, decision.player)
        )

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Create OpenSpiel's state and make its first draws of chance."""
        counts = self.player_counts()
        if players not in counts:
            raise ConfigError(f"players: this game is for {_counts(counts)}, not for {players}")
        state = SpielState(self, self.begin(players, chance), chance)
        return state, state.open()

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "moved":
            return f"{self.name_of(data['player'])}: {data['label']}"
        return super().describe_event(event, player)

    def name_of(self, player: int) -> str:
        """The name of a seat; in no game does it depend on the number of players."""
        return self.seats(max(self.player_counts()))[player]


def outcome(returns: Sequence[float], seats: Sequence[str]) -> str:
    """Describe how a match ended."""
    best = max(returns)
    winners = [seat for seat, value in zip(seats, returns, strict=True) if value == best]
    return "draw" if len(winners) == len(seats) else f"{' and '.join(winners)} won"


def _counts(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low} players" if low == high else f"{low} to {high} players"
