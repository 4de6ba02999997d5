"""Checks each value that a game or an agent hands over, once; they share nothing that either could change.

A value that cannot be taken is the game's fault: ``PluginError`` names the game, what it was asked, after how many
steps, and what is wrong with the answer. Agents get copies, and nothing of the game's own.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NoReturn, TypeAlias, cast

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.calls import Caller, PluginCall, caller_here, calling
from arena.chance import Chance
from arena.errors import BackendError, ConfigError, JournalError, PluginError, StopRun
from arena.game import Decision, Game, GameFacts, Illegal, Options, Query, Rejected, State
from arena.options import unshared
from arena.record import JSON, Action, Event, GameEvent, Player, canonical_json

from arena_engine.foundation.json_values import (
    options_fault,
    plain_copy,
    returns_fault,
    rewards_fault,
    shown,
)
from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import TaskCaller, call_of, calls_of
from arena_engine.job.stopping import Interrupted
from arena_engine.workers.player_messages import WorkerLost

_NOT_ITS_OWN: Final = (StopRun, JournalError, BackendError, ConfigError, PluginError, WorkerLost)
"""Errors that an agent passes on from its seat, and those that say already whose fault they are."""

UNCHANGING: Final = (str, int)
"""The types of actions that nobody can change, so that they need no copy."""


LONGEST_REASON: Final = 2_000
"""The most characters of the reason of a refusal."""

_LONGEST_ACTION: Final = 2_000
"""The most characters of a refused action, as JSON, that a record holds whole; the answer itself is kept elsewhere."""


def checked_response(name: str, response: Any) -> Response:
    """The response of an agent, with copies of its action and note; ``PluginError`` says what cannot be taken.

    ``name`` is the agent's in the benchmark.
    """
    if isinstance(response, Reply):
        if type(response.action) in UNCHANGING and response.note is None and type(response.reasoning) is str:
            return response
        _expect_text(name, "reasoning", response.reasoning)
        action, note = response.action, plain(name, "the note", response.note)
        if type(action) not in UNCHANGING:
            action = plain(name, "the action", action)
        return Reply(action=action, reasoning=response.reasoning, note=note)
    if not isinstance(response, Refusal):
        raise PluginError(f"agent {name!r}: act returned {shown(response)}; expected a Reply or a Refusal")
    if not isinstance(response.kind, RefusalKind):  # pyright: ignore[reportUnnecessaryIsInstance]  # a plugin made it
        raise PluginError(f"agent {name!r}: it refuses with the kind {shown(response.kind)}; expected a RefusalKind")
    for field in ("reason", "text", "reasoning"):
        _expect_text(name, field, getattr(response, field))
    return response if response.note is None else attrs.evolve(response, note=plain(name, "the note", response.note))


def rejection(asked: Decision, response: Response, illegal: Illegal | None) -> tuple[Rejected, dict[str, JSON]]:
    """What the player is told of an answer that is not played, and what the record says of it."""
    if isinstance(response, Refusal):
        rejected = Rejected(str(response.kind), _cut(response.reason))
        kind, said = response.kind, {"text": response.text} if response.text else {}
    else:
        assert illegal is not None  # a reply is refused because it is illegal
        rejected = Rejected(illegal.kind, _cut(illegal.reason), unshared(response.action))
        kind, said = RefusalKind.ILLEGAL, {"rule": rejected.kind, **_written(response.action)}
    told: dict[str, JSON] = {"kind": str(kind), "reason": rejected.reason, "turn": asked.turn, "try": asked.attempt}
    return rejected, told | said


def _cut(reason: str) -> str:
    """The reason of a refusal in at most 2,000 characters: its beginning and its end, and how much there was."""
    if len(reason) <= LONGEST_REASON:
        return reason
    told = f" … ({len(reason):,} characters in all) … "
    end = (LONGEST_REASON - len(told)) // 3
    return reason[: LONGEST_REASON - len(told) - end] + told + reason[-end:]


def _written(action: JSON) -> dict[str, JSON]:
    """A refused action, or the beginning of one that is very long."""
    text = canonical_json(action)
    if len(text) <= _LONGEST_ACTION:
        return {"action": action}
    return {"text": text[:_LONGEST_ACTION] + " …"}


def thought(name: str, reasoning: Any, note: Any) -> dict[str, Any]:
    """What an agent gave beside an action, a refusal or a query, as far as it gave anything; errors as above."""
    said = {"reasoning": reasoning} if _expect_text(name, "reasoning", reasoning) else {}
    return said if note is None else {**said, "note": plain(name, "the note", note)}


@attrs.frozen(eq=False)
class JoiningPlayer:
    """A player whose agent joins, for whoever watches how long that takes: until ``until``, by ``time.monotonic``."""

    acting: PluginCall
    until: float

    def is_over_time(self, now: float) -> bool:
        """Whether the time of a try has passed, by the clock of an event loop."""
        return now > self.until


def joined(
    name: str, agent: Agent, seat: Seat, here: Caller, context: RunContext, task: TaskCaller | None, limit: float | None
) -> PlayerAgent:
    """Let an agent join a match in the thread ``here``; ``PluginError`` if that fails or makes no ``PlayerAgent``.

    So it is if that takes longer than ``limit`` seconds, in which case it is interrupted; ``task`` is the current one.
    """
    here.call = call = call_of("agent", name, type(agent).join)
    joining = None if limit is None else JoiningPlayer(call, time.monotonic() + limit)
    if task is not None:
        task.player = joining
    try:
        player: Any = agent.join(seat)
    except Interrupted:
        context.check_stopped()
        raise _late(call, limit) from None
    except Exception as error:
        if joining is not None and joining.is_over_time(time.monotonic()):  # it may have made this of the interruption
            raise _late(call, limit) from None
        blame(name, f"join as player {seat.player}", error)
    finally:
        here.call = None
        if task is not None:
            task.player = None
    if joining is not None and joining.is_over_time(time.monotonic()):
        raise _late(call, limit)
    if not isinstance(player, PlayerAgent):
        raise PluginError(f"agent {name!r}: join returned {shown(player)}; expected a PlayerAgent")
    return player


def _late(call: PluginCall, limit: float | None) -> PluginError:
    return PluginError(f"{call.who} took longer to join than the {limit} s of turn-seconds")


def plain(name: str, what: str, value: Any) -> Any:
    """A copy of a JSON value from an agent; ``PluginError`` if it is none."""
    if value is None:
        return None
    try:
        return plain_copy(value)
    except ValueError as fault:
        raise PluginError(f"agent {name!r}: {what} {shown(value)} is no JSON value: {fault}") from None


def blame(name: str, what: str, error: Exception) -> NoReturn:
    """Raise an error that came out of an agent: as a ``PluginError`` that names the agent, if it is its own."""
    if isinstance(error, _NOT_ITS_OWN):
        raise error
    raise PluginError(f"agent {name!r}: {what} raised {type(error).__name__}: {error}") from error


def _expect_text(name: str, field: str, value: object) -> str:
    """A text of an agent's answer; ``PluginError`` if it is none."""
    if not isinstance(value, str):
        raise PluginError(f"agent {name!r}: the {field} of its answer is {shown(value)}; expected a text")
    return value


_ANY: Final = GameFacts()
_MOST_BEGUN: Final = 16
_Fields: TypeAlias = tuple[int, str, str, Player | None, JSON, tuple[Player, ...] | None]

event_of: Final = cast("Callable[[_Fields], Event]", partial(cast("Any", tuple).__new__, Event))
"""Makes an event of its six fields, in order and unchecked, in half the time of ``Event(…)``: matches make millions."""


class CheckedState:
    """The state of one match of the game that a benchmark calls ``name``.

    ``opening`` are the events of its start, ``steps`` the steps applied, ``has_step_rewards`` says whether the game has
    rewards for single steps. ``legality``, ``apply``, ``rewards`` and ``to_act`` are the own methods of the state, as
    nearly all time of a match goes there. Only the referee uses them, in the thread of the match, and notes in ``here``
    which of ``calls`` it makes; the note may stay until another plugin is called or something is awaited. Whatever they
    raise, ``broke_off`` is told and ``game_fault`` says so, and ``refuse_turn``, ``reason``, ``refuse_events`` and
    ``checked_rewards`` say what was wrong with what they returned. ``begun`` are decisions with which earlier matches
    began, whose labels need not be checked again.
    """

    __slots__ = (
        *("_begun", "_decide", "_facts", "_name", "_players", "_raised_in", "_state"),
        *("apply", "calls", "has_step_rewards", "here", "legality", "opening", "rewards", "steps", "to_act"),
    )

    def __init__(
        self, game: Game, facts: GameFacts, name: str, players: int, chance_seed: int, begun: set[Decision]
    ) -> None:
        self.steps = 0
        self._begun = begun
        self._name = name
        self._facts = facts
        self._players = players
        self.here = here = caller_here()
        here.call = call_of("game", name, type(game).start)
        try:
            started: Any = game.start(Chance(chance_seed), players)
        except Exception as error:
            self._raised("start", error)
        finally:
            here.call = None
        try:
            state, self.opening = started
        except (TypeError, ValueError):
            state = None
        if not isinstance(state, State):
            self._refuse("start", started, "expected a State and its events")
        self._state = state
        self.calls = calls_of(name, type(state))
        self._raised_in: list[tuple[Exception, PluginCall]] = []
        self.to_act, self._decide, self.legality, self.apply = state.to_act, state.decision, state.check, state.apply
        self.rewards = state.rewards
        self.has_step_rewards = type(state).rewards is not State.rewards

    def refuse_turn(self, acting: Any) -> Sequence[Player]:
        """Say what is wrong with these players to act; return them if nothing is."""
        if not isinstance(acting, Sequence):
            self._refuse("to_act", acting, "expected a sequence of players")
        players = cast("Sequence[Player]", acting)
        for place, player in enumerate(players):
            if fault := self._player_fault(player):
                self._refuse("to_act", players, fault)
            if player in players[:place]:
                self._refuse("to_act", players, f"player {player} is there twice")
        return players

    def decision(self, player: Player) -> Decision:
        """The decision of a player; if it has options, they are different actions."""
        self.here.call = self.calls.decision
        decision = self._decide(player)
        try:
            # The private fields hold what the properties say: in a match of a quick game, nearly all time goes here.
            if decision._player == player:  # pyright: ignore[reportPrivateUsage]
                options = decision._options  # pyright: ignore[reportPrivateUsage]
                if options is None:
                    return decision
                given: Any = options._actions  # pyright: ignore[reportPrivateUsage]  # a copy takes longer than this
                if (self.steps or decision in self._begun) and 0 < len(set(given)) == len(given):
                    return decision
        except (AttributeError, TypeError):  # no decision, or actions that do not fit into a set
            pass
        return self._checked_decision(player, decision)

    def _checked_decision(self, player: Player, decision: Any) -> Decision:
        if not isinstance(decision, Decision) or decision.player != player:
            self._refuse(f"decision({player})", decision, f"expected a Decision of player {player}")
        if not isinstance(decision.options, Options | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            self._refuse(f"decision({player})", decision.options, "expected Options or None")
        if decision.options is not None:
            if fault := options_fault(decision.options):
                self._refuse(f"decision({player})", [*decision.options.actions], fault)
            if not self.steps:  # later on, labels are checked where somebody reads them: they may take long to make
                self.here.call = self.calls.label
                self._check_labels(player, decision.options)
                if len(self._begun) < _MOST_BEGUN:
                    self._begun.add(decision)
        return decision

    def _check_labels(self, player: Player, options: Options) -> None:
        actions: Sequence[Any] = options.actions
        labels: list[Any] = list(map(options.label, actions))
        if len(set(labels)) == len(labels) and type(labels[0]) is str:
            return
        for place, label in enumerate(labels):
            if not isinstance(label, str):
                self._refuse(f"decision({player})", [*actions], f"the label {shown(label)} is no text")
            if label in labels[:place]:
                self._refuse(f"decision({player})", [*actions], f"two options have the label {label!r}")

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Why an action is not legal, or ``None``, for whoever asks in any thread."""
        here = caller_here()
        outer, here.call = here.call, self.calls.check
        try:
            return self.legality(player, action)
        finally:
            here.call = outer

    def reason(self, action: Action, found: object, options: Options | None) -> Illegal:
        """What ``check`` said of a refused action, which must be an ``Illegal`` with a reason, and what is legal.

        Of an object or a list the game has said what is wrong in it; anything else was shown as a label.
        """
        if not (isinstance(found, Illegal) and isinstance(found.reason, str) and isinstance(found.kind, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
            self._refuse(f"check of {shown(action)} is", found, "expected None or an Illegal")
        if options is None or isinstance(action, Mapping | list | tuple):
            return found
        self.here.call = self.calls.label
        said = found.reason.partition(" is not legal")[0]
        return attrs.evolve(found, reason=f"{_cut(found.reason)}; legal: {options.listed(said)}")

    def observe(self, player: Player | None) -> JSON:
        """A copy of what a player sees, as plain JSON."""
        seen = self._called(f"observe({player})", self.calls.observe, lambda: self._state.observe(player))
        return self._plain(f"observe({player})", seen)

    def answer(self, query: Query, arguments: JSON) -> JSON | Illegal:
        """The answer to a query, which shares nothing with the game."""
        found = self._called(f"query {query.name!r}", self.calls.decision, lambda: query.answer(arguments))
        return found if isinstance(found, Illegal) else self._plain(f"query {query.name!r}", found)

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

    def checked_rewards(self, rewards: Any) -> list[float]:
        """What each player earned in the last step, as floats; the sum is checked at the end of the match."""
        # Wrong rewards must not be written down, so that what can be said of one step alone is said at once.
        if fault := returns_fault(_ANY, rewards, self._players):
            self._refuse("rewards", rewards, fault.replace("the return of", "the reward of"))
        return [float(reward) for reward in rewards]

    def returns(self, events: Sequence[Event], *, is_over: bool = True) -> tuple[float, ...] | None:
        """What each player earned, checked against the facts and against the rewards among ``events``.

        In a match that is not over there may be no returns, ``None``.
        """
        self.here.call = self.calls.returns
        returns = self._state.returns()
        if returns is None and not is_over:
            return None
        if fault := returns_fault(self._facts, returns, self._players):
            self._refuse("returns", returns, fault)
        earned = tuple(map(float, cast("Sequence[float]", returns)))
        if self.has_step_rewards:
            rewards = [event.data for event in events if event.kind == "rewarded" and event.source == "referee"]
            if rewards and (fault := rewards_fault(cast("list[Sequence[float]]", rewards), earned)):
                self._refuse("returns", returns, fault)
        return earned

    def broke_off(self, error: Exception) -> None:
        """Note which call of the game has raised an error, if one has."""
        if self.here.call is not None:
            self._raised_in.append((error, self.here.call))

    def game_fault(self, error: Exception) -> str | None:
        """What to say of an error with which a match broke off; ``None`` if no call of the game raised it."""
        call = next((call for raised, call in self._raised_in if raised is error), None)
        return None if call is None else self._sentence(getattr(call.function, "__name__", "?"), error)

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        """A state of its own that a player cannot tell from this one; a copy if there is nothing hidden."""
        calls, state = self.calls, self._state
        found = self._called("resample_hidden", calls.resample_hidden, lambda: state.resample_hidden(player, chance))
        if found is None and self._facts.is_deterministic_perfect_information:
            found = self._called("clone", calls.clone, state.clone)
        if found is self._state:
            self._refuse("resample_hidden", found, "it is the match itself; expected another state")
        return found

    def _called(self, what: str, call: PluginCall, function: Callable[[], Any]) -> Any:
        try:
            with calling(call):
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
        raise PluginError(self._sentence(what, error)) from error

    def _sentence(self, what: str, error: Exception) -> str:
        return f"game {self._name!r}: {what} after step {self.steps} raised {type(error).__name__}: {error}"

    def _refuse(self, what: str, value: object, fault: str) -> NoReturn:
        raise PluginError(f"game {self._name!r}: {what} {shown(value)} after step {self.steps}: {fault}")
