"""The contract of a game: rules as pure functions, matches as deterministic states.

A game package does no I/O, reads no clock, draws luck only from the ``Chance`` it is given and knows nothing of
models or prompts. The same chance and the same actions give the same match on every machine.

How a match goes, seen from the game::

    state, events = game.start(chance, players=2)
    while state.to_act():                          # whose turn is it? several: they act at the same time
        actions = {p: ... for p in state.to_act()} # asked with state.decision(p), checked with state.check(p, a)
        events = state.apply(actions)              # one wave
    state.returns()
"""

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import attrs

from arena.chance import Chance
from arena.decision import (
    ABSENT,
    GONE,
    Absent,
    Decision,
    Form,
    Gone,
    Illegal,
    Option,
    Options,
    Picture,
    Query,
    Rejected,
)
from arena.errors import RuleError
from arena.record import JSON, Action, GameEvent, Player, canonical

__all__ = [
    "ABSENT",
    "GONE",
    "Absent",
    "Decision",
    "Form",
    "Game",
    "GameFacts",
    "Gone",
    "Illegal",
    "Names",
    "Option",
    "Options",
    "Picture",
    "Query",
    "Rejected",
    "State",
]


@attrs.frozen(kw_only=True)
class GameFacts:
    """What is true of every match of a game with a given number of players.

    ``returns`` is ``"zero-sum"``, ``"constant-sum"``, ``"cooperative"`` (all players earn the same) or
    ``"general-sum"``. ``least_return`` and ``greatest_return`` bound what one player can earn, where known.
    ``optimal_returns`` is what each player earns when all play optimally (minimax value, equilibrium value, best
    score), where known; say in ``optimal_source`` where it comes from. ``wave_limit`` ends a match that has not
    ended by then; a game that can go on for ever must set it low enough to be played.

    ``on_forfeit`` says what happens when a player is put out: ``"continue"``, the others go on and ``apply`` gets
    ``GONE`` for it from then on, or ``"end"``, the match is over, those put out earn ``forfeit_return`` and each
    other player ``others_return``.
    """

    simultaneous: bool = False
    hidden_information: bool = False
    chance: bool = False
    messages: bool = False
    returns: Literal["zero-sum", "constant-sum", "cooperative", "general-sum"] = "general-sum"
    least_return: float | None = None
    greatest_return: float | None = None
    optimal_returns: tuple[float, ...] | None = None
    optimal_source: str = ""
    wave_limit: int = 1_000
    on_forfeit: Literal["end", "continue"] = "end"
    forfeit_return: float = -1.0
    others_return: float = 1.0

    @property
    def is_open(self) -> bool:
        """Whether everybody knows everything: nothing is hidden, there is no luck, and one player acts at a time."""
        return not (self.hidden_information or self.chance or self.simultaneous)


Standing: TypeAlias = Literal["free", "taken", "held", "elsewhere", "unknown"]


@attrs.frozen(kw_only=True)
class Names:
    """How texts name one kind of thing in a position, so that what a player says can be held against what it sees.

    ``kind`` is a word for such a thing (``"cell"``). ``shape`` is a regular expression, searched between word
    boundaries and without regard to case, that finds whatever is written like a name of the kind, also where nothing
    is called so. A name is what the groups of ``shape`` caught, in lower case and joined by spaces; without groups,
    all of it. ``known`` has every name there is and how the thing stands to the player who looks: it is ``"free"`` to
    be taken, ``"taken"``, ``"held"`` by the player itself or certainly ``"elsewhere"``; or that is ``"unknown"``.
    """

    kind: str
    shape: str
    known: Mapping[str, Standing]


class State(ABC):
    """One match in progress. Deterministic in game, chance and actions; changed by ``apply`` alone."""

    @abstractmethod
    def to_act(self) -> Sequence[Player]:
        """Who must act now, in player order: several act at the same time, nobody means the match is over."""

    @abstractmethod
    def decision(self, player: Player) -> Decision:
        """What ``player``, who is to act, may do now. Cheap: called once per turn, before anything is read."""

    @abstractmethod
    def observe(self, player: Player | None) -> JSON:
        """What ``player`` sees, to act or not; ``None`` is the spectator who sees everything.

        Works in every position, the final one included.
        """

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Why ``action`` is not legal, or ``None``. Takes any JSON value and never raises.

        The default serves decisions with options. A game whose decisions have only a schema must override it.
        """
        options = self.decision(player).options
        if options is None:
            raise RuleError(f"{type(self).__name__} has a decision without options and does not override 'check'")
        wanted = canonical(action)
        if any(canonical(legal) == wanted for legal in options.actions):
            return None
        return Illegal("not-an-option", f"{wanted} is not one of the legal actions")

    @abstractmethod
    def apply(self, actions: Mapping[Player, Action | Gone]) -> Sequence[GameEvent]:
        """Play one wave: exactly one checked action of every player to act, ``GONE`` for those put out.

        Atomic: it either changes the state and returns what happened, or raises and changes nothing.
        """

    @abstractmethod
    def returns(self) -> Sequence[float] | None:
        """What each player has earned in all, once the match is over; ``None`` before."""

    def rewards(self) -> Sequence[float] | None:
        """What each player earned in the last wave, in games that pay as they go; they sum to ``returns``."""
        return None

    def imagine(self, player: Player, chance: Chance) -> "State | None":
        """A state that ``player`` cannot tell from this one: hidden parts and all future luck drawn from ``chance``.

        ``None`` where the game cannot do this. Search agents think on it. Games with nothing hidden, no luck and no
        simultaneous moves need not implement it: there a copy is all there is to imagine.
        """
        return None

    def position(self) -> JSON:
        """What this position comes down to: where it is equal, all that can still happen and be earned is, too.

        ``None`` where the game does not say. Searches recognise positions by it that they have seen before.
        """
        return None

    def clone(self) -> "State":
        """An independent copy: whatever is applied to one leaves the other alone."""
        return copy.deepcopy(self)


class Game(ABC):
    """Rules and parameters: an immutable value, best a ``@attrs.frozen`` class whose fields are the parameters."""

    @property
    def title(self) -> str:
        """What the game is called, for people and models; the words of the class's name unless it says more."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()

    @property
    @abstractmethod
    def rules(self) -> str:
        """The complete rules, for people and models; the same text for the whole match."""

    @abstractmethod
    def player_counts(self) -> Sequence[int]:
        """How many may play: ``range(2, 8)``, ``(2,)``."""

    @abstractmethod
    def facts(self, players: int) -> GameFacts:
        """What is true of every match with so many players."""

    def seats(self, players: int) -> Sequence[str]:
        """The players' names in the game: ``("X", "O")``, ``("FRANCE", …)``."""
        return tuple(f"player {p}" for p in range(players))

    @property
    def twin_of(self) -> "Game | None":
        """The game that this one is in other words: the same actions under other names, the same returns.

        ``None`` where it is a game of its own. Metrics hold results in a twin beside those in its original.
        """
        return None

    def actions(self, players: int) -> Sequence[Action] | None:
        """Every action that is an option anywhere in a match of so many players, in an order that never changes.

        ``None`` where they are not known or cannot be listed. Learners number actions by their place in it.
        """
        return None

    @property
    def forms(self) -> Mapping[str, Form]:
        """Ways to show an observation, by name; ``"text"`` is always there."""
        return {"text": canonical}

    @abstractmethod
    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Set up a match. Deals, first boards and questions are events, seen by those who may see them."""

    def tell(self, event: GameEvent, player: Player | None) -> str:
        """Put an event that ``player`` may see into words, for people and models."""
        return f"{event.kind}: {canonical(event.data)}"

    def names(self, observation: JSON) -> Sequence[Names]:
        """How texts name the things in an observation of a player; checks of what players say use it.

        Games whose labels say it all need not implement it. It must hold nothing that is not in ``observation``.
        """
        return ()
