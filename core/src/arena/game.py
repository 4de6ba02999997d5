"""The contract of a game: rules as pure functions, matches as deterministic states.

A game does no I/O, reads no clock, takes randomness only from the ``Chance`` it is given and knows nothing of models
or prompts. The same chance and the same actions give the same match on every machine.

The calls of one match, in order::

    state, events = game.start(chance, players=2)
    while state.to_act():                          # whose turn is it? several: they act at the same time
        actions = {p: ... for p in state.to_act()} # asked with state.decision(p), checked with state.check(p, a)
        events = state.apply(actions)              # one step
    state.returns()
"""

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from arena.chance import Chance
from arena.decision import Decision as Decision, PlayerView as PlayerView, Rejected as Rejected
from arena.errors import RuleError
from arena.options import (
    ABSENT as ABSENT,
    FORFEITED as FORFEITED,
    Absent as Absent,
    Drawing as Drawing,
    Entities as Entities,
    EntityStatus as EntityStatus,
    Forfeited as Forfeited,
    Form as Form,
    Illegal as Illegal,
    Image as Image,
    Option as Option,
    Options as Options,
    Query as Query,
    QueryAction as QueryAction,
    Touchable as Touchable,
)
from arena.record import JSON, Action, GameEvent, Player, canonical_json, visible


@attrs.frozen(kw_only=True)
class RandomReference:
    """What uniform random play of all players earns, by player, as a game states it; ``source`` says how it was found.

    ``n`` is how many matches it rests on, 0 if the values are exact. ``returns`` are the means with their standard
    ``errors``, none if exact; ``deviations`` are the standard deviations of the returns of one match where values are
    exact. ``wins`` is the share of matches that each player wins alone, ``draws`` the share in which several tie for
    the highest return, ``turns`` the mean number of actions.
    """

    returns: tuple[float, ...]
    errors: tuple[float, ...] = ()
    deviations: tuple[float, ...] = ()
    wins: tuple[float, ...]
    draws: float
    turns: float
    n: int
    source: str


@attrs.frozen(kw_only=True)
class GameFacts:
    """What is true of every match of a game with a given number of players.

    ``returns`` is ``"zero-sum"``, ``"constant-sum"``, ``"cooperative"`` (all players earn the same) or
    ``"general-sum"``. ``min_return`` and ``max_return`` bound what one player can earn, if known.
    ``optimal_returns`` is what each player earns when all play optimally (minimax value, equilibrium value, best
    score), if known, and ``optimal_source`` cites where that comes from. ``random`` is what random play earns; without
    it, reports play random matches. It must hold for the very parameters of the game. ``max_steps`` ends a match that
    has not ended by then; a game that can go on for ever must set it low enough to be played.

    ``outcome`` says what results are counted in: ``"win-loss"``, where only who earns more matters, or ``"payoff"``,
    where it matters how much, in ``return_unit`` (``"chips a hand"``); empty: see ``counts_wins``.

    ``on_forfeit`` says what happens when a player is eliminated by forfeit. ``"continue"``: the others go on, and
    ``apply`` gets ``FORFEITED`` for that player from then on. ``"end"``: the match is over, eliminated players earn
    ``forfeit_return`` and each other player ``others_return``.
    """

    simultaneous: bool = False
    hidden_information: bool = False
    chance: bool = False
    messages: bool = False
    returns: Literal["zero-sum", "constant-sum", "cooperative", "general-sum"] = "general-sum"
    min_return: float | None = None
    max_return: float | None = None
    optimal_returns: tuple[float, ...] | None = None
    optimal_source: str = ""
    random: RandomReference | None = None
    max_steps: int = 1_000
    on_forfeit: Literal["end", "continue"] = "end"
    forfeit_return: float = -1.0
    others_return: float = 1.0
    outcome: Literal["win-loss", "payoff", ""] = ""
    return_unit: str = "points"

    @property
    def counts_wins(self) -> bool:
        """Whether results are wins, draws and losses: as ``outcome`` says, else in zero-sum games from -1 to 1."""
        if self.outcome:
            return self.outcome == "win-loss"
        return self.returns == "zero-sum" and self.max_return == 1.0

    @property
    def is_deterministic_perfect_information(self) -> bool:
        """Whether nothing is hidden, there is no chance, and one player acts at a time."""
        return not (self.hidden_information or self.chance or self.simultaneous)


class State(ABC):
    """One match in progress: determined by game, chance and actions, and changed by ``apply`` alone."""

    @abstractmethod
    def to_act(self) -> Sequence[Player]:
        """The players who must act now, in order: several act simultaneously; none means the match is over."""

    @abstractmethod
    def decision(self, player: Player) -> Decision:
        """The decision of ``player``, who is to act. Must be cheap: called once per turn, before anything is read."""

    @abstractmethod
    def observe(self, player: Player | None) -> JSON:
        """What ``player`` sees; ``None`` is the spectator, who sees everything.

        Works in every position, the final one included, for players who act and those who do not.
        """

    def observe_public(self) -> JSON | Absent:
        """What a bystander sees, who knows nothing but the events addressed to everybody; ``public_view`` asks for it.

        ``ABSENT`` if there is no such view: in a game that hides nothing a bystander then sees ``observe(None)``.
        """
        return ABSENT

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Why ``action`` is not legal, or ``None``. Takes any JSON value and never raises.

        The default serves decisions with options. A game whose decisions have only a schema must override it.
        """
        options = self.decision(player).options
        if options is None:
            raise RuleError(f"{type(self).__name__} has a decision without options and does not override 'check'")
        wanted = canonical_json(action)
        if any(canonical_json(legal) == wanted for legal in options.actions):
            return None
        return Illegal("not-an-option", f"{visible(wanted[:80])} is none of the legal actions")

    @abstractmethod
    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Play one step: one checked action of every player to act, or ``FORFEITED`` for an eliminated player.

        Atomic: it either changes the state and returns what happened, or raises and changes nothing.
        """

    @abstractmethod
    def returns(self) -> Sequence[float] | None:
        """What each player has earned in all, once the match is over; ``None`` before."""

    def rewards(self) -> Sequence[float] | None:
        """What each player earned in the last step; over a match this sums to ``returns``.

        ``None`` in games without rewards for single steps.
        """
        return None

    def resample_hidden(self, player: Player, chance: Chance) -> "State | None":
        """A state that ``player`` cannot tell from this one, with hidden parts and future chance drawn from ``chance``.

        ``None`` if the game cannot do this. Search agents search from it. Deterministic games of perfect information
        need not implement it: there a copy does as well.
        """
        return None

    def transposition_key(self) -> JSON:
        """A key of this position: in positions with equal keys, the same can still happen and be earned.

        ``None`` if the game has none. Searches use it to recognise positions that they have seen before.
        """
        return None

    def clone(self) -> "State":
        """An independent copy: whatever is applied to one leaves the other alone."""
        return copy.deepcopy(self)


def public_view(state: State, facts: GameFacts) -> JSON | Absent:
    """What a bystander sees of a match; ``ABSENT`` if it sees no more than events that everybody is told."""
    seen = state.observe_public()
    return state.observe(None) if seen is ABSENT and not facts.hidden_information else seen


class Game(ABC):
    """Rules and parameters: an immutable value, best a ``@attrs.frozen`` class whose fields are the parameters."""

    @property
    def title(self) -> str:
        """The name of the game for people and models; by default the words of the class's name."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()

    @property
    @abstractmethod
    def rules(self) -> str:
        """The complete rules, for people and models; the same text for the whole match."""

    @property
    def has_rules(self) -> bool:
        """Whether ``rules`` explain the game; where they do not, it is marked ``rules: none`` wherever it is named."""
        return True

    @abstractmethod
    def player_counts(self) -> Sequence[int]:
        """The numbers of players that the game allows: ``range(2, 8)``, ``(2,)``."""

    @property
    def usual_players(self) -> int:
        """How many play where nobody names a number; by default the fewest that the game allows."""
        return min(self.player_counts())

    @abstractmethod
    def facts(self, players: int) -> GameFacts:
        """What is true of every match with this number of players."""

    def seats(self, players: int) -> Sequence[str]:
        """The players' names in the game: ``("X", "O")``, ``("FRANCE", …)``."""
        return tuple(f"player {p + 1}" for p in range(players))

    @property
    def round_event(self) -> str:
        """The kind of event with which a round begins, and the one before ends; without any, each step is a round."""
        return "round"

    @property
    def twin_of(self) -> "Game | None":
        """The game that this one retells in other words: the same actions under other names, the same returns.

        ``None`` if it is no such twin. Metrics compare results in a twin with those in its original.
        """
        return None

    def actions(self, players: int) -> Sequence[Action] | None:
        """All actions that can be an option in a match with this number of players, in an order that never changes.

        ``None`` if they are not known or cannot be listed. Learners use an action's position here as its number.
        """
        return None

    @property
    def forms(self) -> Mapping[str, Form]:
        """The ways to show an observation, by name; ``"text"`` always exists."""
        return {"text": _in_json}

    @abstractmethod
    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Set up a match. Deals, first boards and questions are events, addressed to those who may see them."""

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """Put an event that ``player`` may see into words, for people and models.

        What a player wrote is told as one line of JSON, by ``arena.record.quoted``: no text of theirs is the game's.
        """
        return f"{event.kind}: {_in_json(event.data)}"

    def describe_end(self, observation: JSON) -> str:
        """Why a match ended by the rules, as ``checkmate``, from an observation of its end; empty: nothing to say."""
        return ""

    def describe_action(self, decision: Decision, action: Action) -> str:
        """What a legal action of a decision without options means, in words; empty: its schema says enough."""
        return ""

    def query_actions(self, decision: Decision, query: str, answer: JSON) -> Sequence[QueryAction]:
        """What an answer that a look-up gave suggests to do; pages offer it, and models read the answer alone."""
        return ()

    def query_scene(self, decision: Decision, query: str, answer: JSON) -> tuple[Drawing, Touchable] | None:
        """What a look-up's answer looks like, and what can be touched in it; ``None``: people read it as a table."""
        return None

    def touches(self, decision: Decision) -> Touchable | None:
        """Which elements of the form ``scene`` are touched for each action; ``None``: people choose from a list.

        A pure function of what the decision holds for its player.
        """
        return None

    def names(self, observation: JSON) -> Sequence[Entities]:
        """How texts name the things in a player's observation; metrics use it to check what players say.

        Games whose option labels name everything need not implement it. It must use nothing but ``observation``.
        """
        return ()


def _in_json(value: JSON) -> str:
    return visible(canonical_json(value))
