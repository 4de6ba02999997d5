"""A match that a check plays without a referee, with its state, its actions and what each player has seen."""

import copy
from collections.abc import Collection, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

import attrs
from arena.chance import Chance
from arena.game import FORFEITED, Game, State
from arena.record import JSON, Action, GameEvent, Player, canonical_json
from arena_engine.foundation import json_fault

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, Forced, Step, reported
from arena_testing.foundation.values import copied


@attrs.define(eq=False)
class Playthrough:
    """One match that a check plays step by step.

    ``seen`` holds, by player, a hash of everything the player saw and did so far: equal hashes mean equal histories.
    ``public`` is the same for a bystander, who knows what all players were told.
    ``story`` has one canonical text per step with everything that happened; the first text is the deal. ``told`` are
    all events with the texts of their data.
    """

    game: Game
    players: int
    seed: int
    forced: Forced
    chance: Chance
    state: State
    seen: list[bytes]
    steps: list[Step] = attrs.field(factory=list[Step])
    story: list[str] = attrs.field(factory=list[str])
    draws: list[int] = attrs.field(factory=list[int])
    told: list[tuple[GameEvent, str]] = attrs.field(factory=list[tuple[GameEvent, str]])
    earned: list[float] | None = None
    public: bytes = b""

    @classmethod
    def begin(cls, game: Game, players: int, seed: int, forced: Forced | None = None) -> "Playthrough":
        """Start a match; ``forced`` fixes outcomes of chance, all others come from ``seed``."""
        chance = Chance(seed, forced)
        state, events = game.start(chance, players)
        walk = cls(game, players, seed, forced or {}, chance, state, [b""] * players)
        walk._tell(events)
        return walk

    def __repr__(self) -> str:
        return str(self.line)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis and IPython would print every field instead

    @property
    def line(self) -> ActionSequence:
        """The actions and chance outcomes that lead to this position."""
        return ActionSequence(self.game, self.players, self.seed, self.forced, tuple(self.steps))

    def line_until(self, step: int) -> ActionSequence:
        """The actions and chance outcomes that lead to the position before step ``step``."""
        return ActionSequence(self.game, self.players, self.seed, self.forced, tuple(self.steps[:step]))

    @property
    def to_act(self) -> Sequence[Player]:
        """The players who must act, as the state gives them."""
        return self.state.to_act()

    @property
    def is_over(self) -> bool:
        """Whether no player has to act any more."""
        return not self.state.to_act()

    def step(self, step: Step) -> Sequence[GameEvent]:
        """Apply the actions of one step; returns the events they cause."""
        self.steps.append(step)
        for player, action in step.items():
            self._see(player, ["did", "gone" if action is FORFEITED else ["action", action]])
        events = self.state.apply(step)
        self._tell(events)
        rewards = self.state.rewards()
        if rewards is not None:
            self.earned = [a + b for a, b in zip(self.earned or [0.0] * self.players, rewards, strict=True)]
        return events

    def draw_step(self, rng: Random, gone: Collection[Player] = ()) -> Step:
        """Draw a random legal action for every player to act; players in ``gone`` get ``FORFEITED``."""
        return {p: FORFEITED if p in gone else copied(self._sampled(p, rng)) for p in self.state.to_act()}

    def fork(self) -> "Playthrough":
        """An independent playthrough that starts from here, on a clone of the state."""
        other = copy.copy(self)
        other.state = self.state.clone()
        other.seen, other.steps, other.story = list(self.seen), list(self.steps), list(self.story)
        other.draws, other.told = list(self.draws), list(self.told)
        other.earned = None if self.earned is None else list(self.earned)
        return other

    def _sampled(self, player: Player, rng: Random) -> Action:
        decision = self.state.decision(player)
        if decision.options is not None and not len(decision.options):
            what = "the player is to act and has no option"
            raise ConformanceError("options", what, player=player, line=self.line)
        try:
            return decision.sample(rng)
        except Exception as error:
            if decision.options is not None:
                raise
            what = f"sample finds no action ({type(error).__name__}: {error})"
            raise ConformanceError("schema", what, player=player, line=self.line) from error

    def _tell(self, events: Sequence[GameEvent]) -> None:
        for event in events:
            if fault := _event_fault(event, self.players):
                raise ConformanceError("events", fault, line=self.line)
            self.told.append((event, canonical_json(event.data)))
            if event.to is None or len(event.to) == self.players:
                self.public = _hashed(self.public, [event.kind, event.data])
            for player in range(self.players):
                if event.is_visible(Player(player)):
                    self._see(Player(player), [event.kind, event.data, None if event.to is None else list(event.to)])
        told: JSON = [[e.kind, e.data, None if e.to is None else list(e.to)] for e in events]
        self.story.append(canonical_json([told, list(self.state.to_act())]))
        self.draws.append(len(self.chance.trace))

    def _see(self, player: Player, what: JSON) -> None:
        self.seen[player] = _hashed(self.seen[player], what)


def play_random(game: Game, players: int, seed: int, rng: Random, limit: int) -> Playthrough:
    """Play random legal actions until the match is over or ``limit`` steps are played."""
    walk: Playthrough | None = None
    with reported(lambda: ActionSequence(game, players, seed, {}, ()) if walk is None else walk.line):
        walk = Playthrough.begin(game, players, seed)
        while not walk.is_over and len(walk.steps) < limit:
            walk.step(walk.draw_step(rng))
        return walk


def replay(game: Game, players: int, line: ActionSequence) -> Playthrough:
    """Play ``line`` again from its start, with its actions as JSON would give them back (lists for tuples)."""
    walk = Playthrough.begin(game, players, line.seed, line.forced)
    for step in line.steps:
        walk.step(fresh(step))
    return walk


def fresh(step: Step) -> Step:
    """A copy of ``step`` that shares nothing with it."""
    return {p: action if action is FORFEITED else copied(action) for p, action in step.items()}


def _hashed(before: bytes, what: JSON) -> bytes:
    return blake2b(before + canonical_json(what).encode(), digest_size=16).digest()


def _event_fault(event: object, players: int) -> str | None:
    if not isinstance(event, GameEvent):
        return f"{event!r} is not a GameEvent"
    if not isinstance(event.kind, str) or not event.kind:  # pyright: ignore[reportUnnecessaryIsInstance]
        return f"the event {event!r} has no kind"
    if fault := json_fault(event.data, "data"):
        return f"the event {event.kind!r} cannot be written down: {fault}"
    if event.to is None:
        return None
    if not isinstance(event.to, tuple):  # pyright: ignore[reportUnnecessaryIsInstance]
        return f"the event {event.kind!r} is addressed to {event.to!r}, which is no tuple of players"
    strangers = [p for p in event.to if type(p) is not int or not 0 <= p < players]
    if strangers or len(set(event.to)) < len(event.to):
        return f"the event {event.kind!r} is addressed to {event.to!r}, which names somebody twice or who is not there"
    return None
