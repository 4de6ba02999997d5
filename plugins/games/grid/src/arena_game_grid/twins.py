"""Twins: a game of the family in other words, symbols and coordinates, with the same game tree.

A model that learnt a game from texts knows its board, its names and its advice; a model that can play the game can also
play its twin. Twins hold the original's state and translate actions, one to one and in the same order, observations and
events. There are three kinds:

``numbers``: players take numbers, and so many that follow each other in equal steps end the game (cells are numbered so
that lines are such sequences); tic-tac-toe is number scrabble: three numbers that sum to 15.
``coordinates``: a board whose rows and columns have names in an order drawn from ``names``, never drawn as a board.
``story``: a garden with beds to plant, or tubes that balls fall into.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Forfeited, Form, Game, GameFacts, Illegal, Options, State
from arena.record import JSON, Action, GameEvent, Player, canonical_json
from attrs.validators import in_

from arena_game_grid.board import members
from arena_game_grid.game import Mnk, TicTacToe
from arena_game_grid.reskin import Reskin, told
from arena_game_grid.scene import place_id, twin_scene
from arena_game_grid.state import FORMAT, OUT_OF_BOUNDS, TAKEN, GridState

Kind: TypeAlias = Literal["numbers", "coordinates", "story"]
KINDS: Final[tuple[Kind, ...]] = ("numbers", "coordinates", "story")


def _is_plain(instance: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, Mnk):
        raise ValueError(f"a twin is made of a game of lines on a grid, not of {type(value).__name__}")
    if value.wraps != "none" or value.directions != "all":
        raise ValueError("there are twins only of boards with plain edges, on which lines in all directions count")


@attrs.frozen(kw_only=True)
class GridTwin(Game):
    """The same game as ``of`` in other words, with other names for places and actions."""

    of: Game = attrs.field(factory=TicTacToe, validator=_is_plain, metadata={"help": "the original"})
    kind: Kind = attrs.field(default="numbers", validator=in_(KINDS), metadata={"help": "how it is told"})
    names: int = attrs.field(default=0, metadata={"help": "seed of the names of rows and columns"})

    @property
    def original(self) -> Mnk:
        """The original with its checked type."""
        assert isinstance(self.of, Mnk)
        return self.of

    @property
    def twin_of(self) -> Game:
        return self.of

    @property
    def reskin(self) -> Reskin:
        """The names and texts of this twin, made from ``kind`` and ``names``."""
        return told(self.original.variant, self.kind, self.names)

    @property
    def title(self) -> str:
        """A title that does not give the original away."""
        return self.reskin.title

    @property
    def rules(self) -> str:
        """The rules in the twin's words."""
        return self.reskin.rules

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The players' names in the twin."""
        return self.reskin.seats

    def facts(self, players: int) -> GameFacts:
        """The facts of the original."""
        return self.of.facts(players)

    def actions(self, players: int) -> Sequence[Action]:
        """The original's actions, renamed, in the original's order."""
        return self.reskin.actions

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, and a scene in the twin's words; an image would show the board."""
        return {"text": self.reskin.text, "scene": partial(twin_scene, reskin=self.reskin)}

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """The options of a decision as places of the scene; where things fall, as buttons beside it."""
        if decision.options is None:
            return None
        if self.original.gravity:
            return arena_scene.Touches.of(decision.options, lambda _: ())
        ids = {
            canonical_json(action): place_id(place)
            for action, place in zip(self.reskin.actions, self.reskin.places, strict=True)
        }
        return arena_scene.Touches.of(decision.options, lambda option: (ids[canonical_json(option.action)],))

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Start the original and wrap its state."""
        state, events = self.of.start(chance, players)
        assert isinstance(state, GridState)
        return TwinState(state, self.reskin), events

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        """Describe a move in the twin's words."""
        data: Any = event.data
        if event.kind != "moved":
            return super().describe_event(event, player)
        return f"{self.reskin.seats[data['player']]}: {data['what']}"


class TwinState(State):
    """A state of the original, observed and acted on under other names."""

    __slots__ = ("base", "reskin")

    def __init__(self, base: GridState, reskin: Reskin) -> None:
        self.base = base
        self.reskin = reskin

    def to_act(self) -> Sequence[Player]:
        return self.base.to_act()

    def decision(self, player: Player) -> Decision:
        """The legal actions under the twin's names, in the original's order."""
        options = self.base.decision(player).options
        assert options is not None  # games on a grid list their actions
        legal = [self.reskin.renamed(action) for action in options.actions]
        return Decision(player=player, options=Options(legal, self.reskin.label))

    def observe(self, player: Player | None) -> JSON:
        """What each player has, by name; the observer, the player to move and the outcome."""
        base, reskin = self.base, self.reskin
        acting = base.to_act()
        taken: dict[str, JSON] = {
            seat: [reskin.places[cell] for cell in reskin.sorted(members(stones))]
            for seat, stones in zip(reskin.seats, base.stones, strict=True)
        }
        ended = "draw" if base.winner is None else f"{reskin.seats[base.winner]} won"
        return {
            "has": taken,
            "you": None if player is None else reskin.seats[player],
            "to_move": reskin.seats[acting[0]] if acting else None,
            "outcome": None if acting else ended,
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse with the original's kinds and the twin's words."""
        if player not in self.base.to_act():
            return Illegal("not-your-turn", "it is not your turn")
        meant = self.reskin.meant(action)
        if meant is None:
            kind = OUT_OF_BOUNDS if self.reskin.has_form(action) else FORMAT
            return Illegal(
                kind, f"expected an action such as {canonical_json(self.reskin.actions[0])}, and one there is"
            )
        if self.base.check(player, meant) is not None:
            return Illegal(TAKEN, f"{self.reskin.label(action)} is not free any more")
        return None

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        """Play one move of the original."""
        meant: dict[Player, Action | Forfeited] = {}
        for player, action in actions.items():
            found = self.reskin.meant(action)
            if found is None:
                raise RuleError(f"player {player!r}: {action!r} is not legal and should have been checked")
            meant[player] = found
        return [self._renamed(event) for event in self.base.apply(meant)]

    def _renamed(self, event: GameEvent) -> GameEvent:
        data: Any = event.data
        cell = (data["row"] - 1) * self.base.board.columns + data["column"] - 1
        return GameEvent(event.kind, {"player": data["player"], "what": self.reskin.places[cell]}, event.to)

    def returns(self) -> Sequence[float] | None:
        return self.base.returns()

    def transposition_key(self) -> JSON:
        return self.base.transposition_key()

    def clone(self) -> "TwinState":
        return TwinState(self.base.clone(), self.reskin)
