"""A match that a check plays itself: its state, what was done, and what each player has seen of it."""

import copy
from collections.abc import Collection, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

import attrs

from arena.chance import Chance
from arena.game import GONE, Game, State
from arena.record import JSON, GameEvent, Player, canonical
from arena.testing.conformance import ConformanceError, Forced, Line, Wave, reported
from arena.testing.values import copied, json_fault


@attrs.define(eq=False)
class Walk:
    """One match under examination.

    ``seen`` holds, by player, a hash of all the player saw and did so far: equal hashes, equal histories. ``story``
    is a canonical text per wave of everything that happened, the deal being the first.
    """

    game: Game
    players: int
    seed: int
    forced: Forced
    chance: Chance
    state: State
    seen: list[bytes]
    waves: list[Wave] = attrs.field(factory=list[Wave])
    story: list[str] = attrs.field(factory=list[str])
    draws: list[int] = attrs.field(factory=list[int])
    told: list[tuple[GameEvent, str]] = attrs.field(factory=list[tuple[GameEvent, str]])
    earned: list[float] | None = None

    @classmethod
    def begin(cls, game: Game, players: int, seed: int, forced: Forced | None = None) -> "Walk":
        """Deal a match."""
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
    def line(self) -> Line:
        """How to get here again."""
        return Line(self.game, self.players, self.seed, self.forced, tuple(self.waves))

    @property
    def to_act(self) -> Sequence[Player]:
        """Who must act."""
        return self.state.to_act()

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return not self.state.to_act()

    def step(self, wave: Wave) -> Sequence[GameEvent]:
        """Play one wave and see what happens."""
        self.waves.append(wave)
        for player, action in wave.items():
            self._see(player, ["did", "gone" if action is GONE else ["action", action]])
        events = self.state.apply(wave)
        self._tell(events)
        rewards = self.state.rewards()
        if rewards is not None:
            self.earned = [a + b for a, b in zip(self.earned or [0.0] * self.players, rewards, strict=True)]
        return events

    def draw_wave(self, rng: Random, gone: Collection[Player] = ()) -> Wave:
        """A wave of random legal actions; ``GONE`` for those who are."""
        decide = self.state.decision
        return {p: GONE if p in gone else copied(decide(p).sample(rng)) for p in self.state.to_act()}

    def fork(self) -> "Walk":
        """An independent walk from here, on a clone of the state."""
        other = copy.copy(self)
        other.state = self.state.clone()
        other.seen, other.waves, other.story = list(self.seen), list(self.waves), list(self.story)
        other.draws, other.told = list(self.draws), list(self.told)
        other.earned = None if self.earned is None else list(self.earned)
        return other

    def _tell(self, events: Sequence[GameEvent]) -> None:
        for event in events:
            if fault := _event_fault(event, self.players):
                raise ConformanceError("events", fault, line=self.line)
            self.told.append((event, canonical(event.data)))
            for player in range(self.players):
                if event.is_visible(Player(player)):
                    self._see(Player(player), [event.kind, event.data, None if event.to is None else list(event.to)])
        told: JSON = [[e.kind, e.data, None if e.to is None else list(e.to)] for e in events]
        self.story.append(canonical([told, list(self.state.to_act())]))
        self.draws.append(len(self.chance.trace))

    def _see(self, player: Player, what: JSON) -> None:
        self.seen[player] = blake2b(self.seen[player] + canonical(what).encode(), digest_size=16).digest()


def play_random(game: Game, players: int, seed: int, rng: Random, limit: int) -> Walk:
    """Play random legal actions until the match is over or ``limit`` waves are played."""
    walk: Walk | None = None
    with reported(lambda: Line(game, players, seed, {}, ()) if walk is None else walk.line):
        walk = Walk.begin(game, players, seed)
        while not walk.is_over and len(walk.waves) < limit:
            walk.step(walk.draw_wave(rng))
        return walk


def replay(game: Game, players: int, line: Line) -> Walk:
    """Play a line again from its start, with actions as a journal would give them back."""
    walk = Walk.begin(game, players, line.seed, line.forced)
    for wave in line.waves:
        walk.step(fresh(wave))
    return walk


def fresh(wave: Wave) -> Wave:
    """A copy of ``wave`` that shares nothing with it."""
    return {p: action if action is GONE else copied(action) for p, action in wave.items()}


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
