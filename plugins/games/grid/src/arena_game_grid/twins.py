"""Twins: a game of the family in other words, symbols and coordinates, with the same tree of play.

Who learnt a game from texts knows its board, its names and its advice; who can play it can play its twin. Twins hold
the original's state and translate: actions one to one, in the same order, and what is seen and told. Three kinds:

``numbers``: numbers are taken, and so many that follow each other in equal steps end the game (cells are numbered so
that lines are such sequences); tic-tac-toe is number scrabble: three numbers that sum to 15.
``coordinates``: a board whose rows and columns have names in an order drawn from ``names``, never drawn as a board.
``story``: a garden with beds to plant, or tubes that balls fall into.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Form, Game, GameFacts, Gone, Illegal, Options, State
from arena.record import JSON, Action, GameEvent, Player, canonical
from attrs.validators import in_

from arena_game_grid.board import members
from arena_game_grid.game import Mnk, TicTacToe
from arena_game_grid.state import FORMAT, OUT_OF_BOUNDS, TAKEN, GridState
from arena_game_grid.telling import Telling, told

Kind: TypeAlias = Literal["numbers", "coordinates", "story"]
KINDS: Final[tuple[Kind, ...]] = ("numbers", "coordinates", "story")


def _is_plain(instance: Any, attribute: Any, value: Any) -> None:
    if not isinstance(value, Mnk):
        raise ValueError(f"a twin is made of a game of lines on a grid, not of {type(value).__name__}")
    if value.wraps != "none" or value.directions != "all":
        raise ValueError("there are twins only of boards with plain edges, on which lines in all directions count")


@attrs.frozen(kw_only=True)
class GridTwin(Game):
    """The same game as ``of``, told in another way."""

    of: Game = attrs.field(factory=TicTacToe, validator=_is_plain, metadata={"help": "the original"})
    kind: Kind = attrs.field(default="numbers", validator=in_(KINDS), metadata={"help": "how it is told"})
    names: int = attrs.field(default=0, metadata={"help": "seed of the names of rows and columns"})

    @property
    def original(self) -> Mnk:
        """The original, as what it was checked to be."""
        assert isinstance(self.of, Mnk)
        return self.of

    @property
    def twin_of(self) -> Game:
        """The original."""
        return self.of

    @property
    def telling(self) -> Telling:
        """Names and words."""
        return told(self.original, self.kind, self.names)

    @property
    def title(self) -> str:
        """A name that does not give the original away."""
        return self.telling.title

    @property
    def rules(self) -> str:
        """The rules in the words of the twin."""
        return self.telling.rules

    def player_counts(self) -> Sequence[int]:
        """Two."""
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The players' names in the story."""
        return self.telling.seats

    def facts(self, players: int) -> GameFacts:
        """Those of the original."""
        return self.of.facts(players)

    def actions(self, players: int) -> Sequence[Action]:
        """The original's actions renamed, in the original's order."""
        return self.telling.actions

    @property
    def forms(self) -> Mapping[str, Form]:
        """Words only; a picture would show the board."""
        return {"text": self.telling.text}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """As the original."""
        state, events = self.of.start(chance, players)
        assert isinstance(state, GridState)
        return TwinState(state, self.telling), events

    def tell(self, event: GameEvent, player: Player | None) -> str:
        """A move in the words of the twin."""
        data: Any = event.data
        if event.kind != "moved":
            return super().tell(event, player)
        return f"{self.telling.seats[data['player']]}: {data['what']}"


class TwinState(State):
    """A state of the original, seen and acted on under other names."""

    __slots__ = ("base", "telling")

    def __init__(self, base: GridState, telling: Telling) -> None:
        self.base = base
        self.telling = telling

    def to_act(self) -> Sequence[Player]:
        """Who is to move."""
        return self.base.to_act()

    def decision(self, player: Player) -> Decision:
        """The legal actions under their other names, in the original's order."""
        options = self.base.decision(player).options
        assert options is not None  # games on a grid list their actions
        legal = [self.telling.renamed(action) for action in options.actions]
        return Decision(state=self, player=player, options=Options(legal, self.telling.label))

    def observe(self, player: Player | None) -> JSON:
        """What each player has, by name; who looks, who is to move and how it ended."""
        base, telling = self.base, self.telling
        acting = base.to_act()
        taken: dict[str, JSON] = {
            seat: [telling.places[cell] for cell in telling.sorted(members(stones))]
            for seat, stones in zip(telling.seats, base.stones, strict=True)
        }
        ended = "draw" if base.winner is None else f"{telling.seats[base.winner]} won"
        return {
            "has": taken,
            "you": None if player is None else telling.seats[player],
            "to_move": telling.seats[acting[0]] if acting else None,
            "outcome": None if acting else ended,
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse with the original's kinds and the twin's words."""
        if player not in self.base.to_act():
            return Illegal("not-your-turn", "it is not your turn")
        meant = self.telling.meant(action)
        if meant is None:
            kind = OUT_OF_BOUNDS if self.telling.has_form(action) else FORMAT
            return Illegal(kind, f"expected an action such as {canonical(self.telling.actions[0])}, and one there is")
        if self.base.check(player, meant) is not None:
            return Illegal(TAKEN, f"{self.telling.label(action)} is not free any more")
        return None

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        """Play one move of the original."""
        meant: dict[Player, Action | Gone] = {}
        for player, action in actions.items():
            found = self.telling.meant(action)
            if found is None:
                raise RuleError(f"player {player!r}: {action!r} is not legal and should have been checked")
            meant[player] = found
        return [self._renamed(event) for event in self.base.apply(meant)]

    def _renamed(self, event: GameEvent) -> GameEvent:
        data: Any = event.data
        cell = (data["row"] - 1) * self.base.board.columns + data["column"] - 1
        return GameEvent(event.kind, {"player": data["player"], "what": self.telling.places[cell]}, event.to)

    def returns(self) -> Sequence[float] | None:
        """Those of the original."""
        return self.base.returns()

    def position(self) -> JSON:
        """That of the original."""
        return self.base.position()

    def clone(self) -> "TwinState":
        """An independent copy."""
        return TwinState(self.base.clone(), self.telling)
