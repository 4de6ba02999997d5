"""Plays a game's rules for the referee, and checks each value that they hand over, once.

A value that cannot be taken is the game's fault: ``PluginError`` names the game, what it was asked, after how many
steps, and what is wrong with the answer. Agents get copies, and nothing of the game's own.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, cast

from arena.chance import Chance
from arena.errors import PluginError
from arena.game import Decision, Forfeited, Game, GameFacts, Illegal, Options, Query, State
from arena.record import JSON, Action, Event, GameEvent, Player

from arena_engine.match.values import json_fault, options_fault, plain_copy, returns_fault, rewards_fault, shown


class CheckedState:
    """The state of one match of the game that a benchmark calls ``name``; ``steps`` counts the steps applied.

    ``opening`` are the events of its start. Each method does what the method of ``State`` does, or raises
    ``PluginError``.
    """

    __slots__ = ("_acting", "_apply", "_decide", "_facts", "_owner", "_players", "_state", "opening", "steps")

    def __init__(self, game: Game, facts: GameFacts, name: str, players: int, chance_seed: int) -> None:
        self.steps = 0
        self._owner = f"game {name!r}"
        self._facts = facts
        self._players = players
        try:
            started: Any = game.start(Chance(chance_seed), players)
        except Exception as error:
            raise PluginError(f"{self._owner}: start raised {type(error).__name__}: {error}") from error
        if not isinstance(started, tuple) or [isinstance(x, State) for x in cast("Any", started)] != [True, False]:
            returned = shown(cast("Any", started))
            raise PluginError(f"{self._owner}: start returned {returned}; expected a State and its events")
        self._state, self.opening = cast("tuple[State, Sequence[GameEvent]]", started)
        self._acting, self._decide, self._apply = self._state.to_act, self._state.decision, self._state.apply

    @property
    def has_step_rewards(self) -> bool:
        """Whether the game says what each step earned."""
        return type(self._state).rewards is not State.rewards

    def to_act(self) -> Sequence[Player]:
        """The players who must act now: each is in the match, and none is there twice."""
        try:
            acting = self._acting()
            if len(acting) == 1 and type(player := acting[0]) is int and 0 <= player < self._players:
                return acting
            acting = tuple(acting)
        except Exception as error:
            self._raised("to_act", error)
        for place, player in enumerate(acting):
            if fault := self._player_fault(player):
                self._refuse("to_act", acting, fault)
            if player in acting[:place]:
                self._refuse("to_act", acting, f"player {player} is there twice")
        return acting

    def decision(self, player: Player) -> Decision:
        """The decision of a player; if it has options, they are different actions."""
        try:
            decision = self._decide(player)
            options = decision.options if isinstance(decision, Decision) else None  # pyright: ignore[reportUnnecessaryIsInstance]
            if options is not None and (fault := options_fault(options)):
                self._refuse(f"decision({player})", decision.phase, fault)
        except PluginError:
            raise
        except Exception as error:
            self._raised(f"decision({player})", error)
        if options is None and not isinstance(decision, Decision):  # pyright: ignore[reportUnnecessaryIsInstance]
            self._refuse(f"decision({player})", decision, "expected a Decision")
        if decision.player != player:
            self._refuse(f"decision({player})", decision.phase, f"it is the decision of player {decision.player}")
        return decision

    def label(self, options: Options, action: Action) -> str:
        """The label of an option."""
        label = self._call("the label of an option", lambda: options.label(action))
        if not isinstance(label, str):
            self._refuse(f"the label of {shown(action)}", label, "expected a text")
        return label

    def observe(self, player: Player | None) -> JSON:
        """A copy of what a player sees, as plain JSON."""
        seen = self._call(f"observe({player})", lambda: self._state.observe(player))
        return self._plain(f"observe({player})", seen)

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Why an action is not legal, or ``None``."""
        try:
            found = self._state.check(player, action)
        except Exception as error:
            if fault := json_fault(action):
                raise ValueError(f"the action {shown(action)} is no JSON value: {fault}") from None
            self._raised(f"check({player}, {shown(action)})", error)
        if not (found is None or isinstance(found, Illegal)):  # pyright: ignore[reportUnnecessaryIsInstance]
            self._refuse(f"check({player}, {shown(action)})", found, "expected None or an Illegal")
        return found

    def answer(self, query: Query, arguments: JSON) -> JSON | Illegal:
        """The answer to a query, which shares nothing with the game."""
        found = self._call(f"query {query.name!r}", lambda: query.answer(arguments))
        return found if isinstance(found, Illegal) else self._plain(f"query {query.name!r}", found)

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Play one step; the events are checked where they are published."""
        try:
            happened = self._apply(actions)
        except Exception as error:
            self._raised("apply", error)
        self.steps += 1
        return happened

    def refuse_events(self, happened: Any, error: Exception) -> NoReturn:
        """Say which of these events cannot be published, which failed with ``error``."""
        try:
            events = tuple(happened)
        except TypeError:
            self._refuse("the events", happened, "expected a sequence of GameEvent")
        for event in events:
            if not isinstance(event, GameEvent):
                self._refuse("an event", event, "expected a GameEvent")
            if event.to is not None and not isinstance(event.to, tuple):  # pyright: ignore[reportUnnecessaryIsInstance]
                self._refuse(f"the event {event.kind!r} to", event.to, "expected EVERYONE or a tuple of players")
            for player in event.to or ():
                if fault := self._player_fault(player):
                    self._refuse(f"the event {event.kind!r} to", event.to, fault)
        self._raised("the events", error)

    def rewards(self) -> list[float] | None:
        """What each player earned in the last step, as floats; the sum is checked at the end of the match."""
        rewards = self._call("rewards", self._state.rewards)
        if rewards is None:
            return None
        return self._call(f"rewards {shown(rewards)}", lambda: [float(reward) for reward in rewards])

    def returns(self, events: Sequence[Event], *, is_over: bool = True) -> tuple[float, ...] | None:
        """What each player earned, checked against the facts and against the rewards among ``events``.

        In a match that is not over there may be no returns, ``None``.
        """
        returns = self._call("returns", self._state.returns)
        if returns is None and not is_over:
            return None
        if fault := returns_fault(self._facts, returns, self._players):
            self._refuse("returns", returns, fault)
        earned = tuple(map(float, cast("Sequence[float]", returns)))
        if self.has_step_rewards:
            rewards = [e.data for e in events if e.kind == "rewarded" and e.source == "referee"]
            if rewards and (fault := rewards_fault(cast("list[Sequence[float]]", rewards), earned)):
                self._refuse("returns", returns, fault)
        return earned

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        """A state of its own that a player cannot tell from this one; a copy if there is nothing hidden."""
        found = self._call("resample_hidden", lambda: self._state.resample_hidden(player, chance))
        if found is None and self._facts.is_deterministic_perfect_information:
            found = self._call("clone", self._state.clone)
        if found is self._state:
            self._refuse("resample_hidden", found, "it is the match itself; expected another state")
        return found

    def _call(self, what: str, function: Callable[[], Any]) -> Any:
        try:
            return function()
        except Exception as error:
            self._raised(what, error)

    def _plain(self, what: str, value: Any) -> Any:
        try:
            return plain_copy(value)
        except ValueError as fault:
            self._refuse(what, value, f"no JSON value: {fault}")

    def _player_fault(self, player: object) -> str | None:
        if type(player) is int and 0 <= player < self._players:
            return None
        return f"{shown(player)} is none of the {self._players} players, counted from 0"

    def _raised(self, what: str, error: Exception) -> NoReturn:
        where = f"{self._owner}: {what} after step {self.steps}"
        raise PluginError(f"{where} raised {type(error).__name__}: {error}") from error

    def _refuse(self, what: str, value: object, fault: str) -> NoReturn:
        raise PluginError(f"{self._owner}: {what} {shown(value)} after step {self.steps}: {fault}")


def record_fault(game: str, events: Sequence[Event]) -> str | None:
    """Which of the events of a record cannot be written, and why; ``None`` if all can."""
    for event in events:
        owner = f"game {game!r}: the event {event.kind!r}" if event.source == "game" else f"the event {event.kind!r}"
        if fault := json_fault(event.kind) or json_fault(event.data):
            return f"{owner} {shown(event.data)} after step {event.step}: no JSON value: {fault}"
    return None
