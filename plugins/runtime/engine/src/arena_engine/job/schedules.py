"""The schedules that come with the engine.

A game for one player is played by each agent alone, whatever the schedule. With ``rotate_seats`` the seatings of one
set of agents share their deals, so chance cancels out when they are compared; ``all`` plays every order of the agents
instead of only moving each on by one seat, which makes a difference for three players or more. With ``in-turn`` each
repeat is played in one rotation and the next repeat in the next: seats are as even, and each match is an observation of
its own, as it should be in games without chance. ``paired`` says whether matches share deals at all. That
``is_by_repeat`` says that lineups come in the order of repeats, and in each repeat the same agents meet: so no plan
is held to be ordered, and the first repeat shows who plays.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any, ClassVar, Literal, TypeAlias

import attrs
from arena.errors import ConfigError
from arena.schedule import Lineup, Schedule, joined_names, rotations, select_agents
from attrs.validators import deep_iterable, ge, min_len, optional

Agents: TypeAlias = Mapping[str, frozenset[str]]
Seatings: TypeAlias = Iterable[tuple[str, ...]]
Rotation: TypeAlias = bool | Literal["all", "in-turn"]

_EVERYBODY = ","
"""What names the deals that are the same for all agents; no agent's name holds a comma."""

_ROTATION = (
    "play every seating in every rotation of seats, with the same deals unless paired says otherwise; all: in every "
    "order; in-turn: each repeat in one rotation"
)

_PAIRED = (
    "whether matches of the same agents in other seats share their deals; unless given they do, but not those of an "
    "open seat in a game that hides something"
)


def _repeats() -> Any:
    return attrs.field(default=1, validator=ge(1), metadata={"help": "how often each seating is played"})


def _paired() -> Any:
    return attrs.field(default=None, metadata={"help": _PAIRED})


@attrs.frozen(kw_only=True)
class RoundRobin(Schedule):
    """Every set of different agents plays; without rotation they are seated in alphabetical order."""

    is_by_repeat: ClassVar[bool] = True
    repeats: int = _repeats()
    rotate_seats: Rotation = attrs.field(default=True, metadata={"help": _ROTATION})
    paired: bool | None = _paired()

    def lineups(self, agents: Agents, players: int) -> Iterator[Lineup]:
        _check_enough(agents, players)
        return _seated(combinations(sorted(agents), players), self.repeats, self.rotate_seats)


@attrs.frozen(kw_only=True)
class AllPairings(Schedule):
    """Every order of every set of agents plays; ``with_itself`` lets an agent hold several seats."""

    is_by_repeat: ClassVar[bool] = True
    repeats: int = _repeats()
    ordered: bool = attrs.field(default=True, metadata={"help": "seat the same agents in every order"})
    with_itself: bool = attrs.field(default=False, metadata={"help": "let an agent hold several seats"})
    paired: bool | None = _paired()

    def lineups(self, agents: Agents, players: int) -> Iterator[Lineup]:
        names = sorted(agents)
        if self.with_itself:
            seatings = product(names, repeat=players) if self.ordered else combinations_with_replacement(names, players)
        else:
            _check_enough(agents, players)
            seatings = permutations(names, players) if self.ordered else combinations(names, players)
        return _seated(seatings, self.repeats, False)


@attrs.frozen(kw_only=True)
class Against(Schedule):
    """One agent, or each with a tag, plays against all agents of a pool; without rotation it has the first seat.

    Agents with the tag do not meet each other, and no agent plays against itself. With ``same_deals``, they get the
    same deals against the same opponents, so that variants of one agent can be compared deal by deal.
    """

    is_by_repeat: ClassVar[bool] = True
    agent: str = attrs.field(metadata={"help": "the name of an agent, or a tag"})
    pool: tuple[str, ...] = attrs.field(default=(), metadata={"help": "names and tags; empty: everybody else"})
    repeats: int = _repeats()
    rotate_seats: Rotation = attrs.field(default=True, metadata={"help": _ROTATION})
    paired: bool | None = _paired()
    same_deals: bool = attrs.field(
        default=False,
        metadata={"help": "deal the same to every agent of that side, to compare them deal by deal"},
    )

    def lineups(self, agents: Agents, players: int) -> Iterator[Lineup]:
        ours = select_agents([self.agent], agents, "schedule.agent")
        pool = select_agents(self.pool or agents, agents, "schedule.pool")
        theirs = sorted(name for name in pool if name not in ours)
        if len(theirs) < players - 1:
            raise ConfigError(
                f"schedule.pool: {players} players need {players - 1} opponents of {self.agent!r}, and there are "
                f"{len(theirs)} ({', '.join(theirs) or 'none'}); add agents, or use self-play"
            )
        if players == 1:
            found = _seated(((name,) for name in (*ours, *theirs)), self.repeats, False)
        else:
            seatings = ((our, *rest) for our in ours for rest in combinations(theirs, players - 1))
            found = _seated(seatings, self.repeats, self.rotate_seats)
        return (self._dealt(lineup, ours) for lineup in found) if self.same_deals else found

    def _dealt(self, lineup: Lineup, ours: Container[str]) -> Lineup:
        alone = len(lineup.agents) == 1  # then nobody is an opponent: all are given the same task
        names = sorted(self.agent if alone or name in ours else name for name in lineup.agents)
        return attrs.evolve(lineup, deals=joined_names(tuple(names)))


@attrs.frozen(kw_only=True)
class SelfPlay(Schedule):
    """Every agent plays against copies of itself, in all seats.

    With ``same_deals``, all agents get the same deals, so that they can be compared deal by deal.
    """

    is_by_repeat: ClassVar[bool] = True
    repeats: int = _repeats()
    same_deals: bool = attrs.field(
        default=False, metadata={"help": "deal the same to every agent, to compare them deal by deal"}
    )
    paired: bool | None = _paired()

    def lineups(self, agents: Agents, players: int) -> Iterator[Lineup]:
        found = _seated(((name,) * players for name in agents), self.repeats, False)
        return (attrs.evolve(lineup, deals=_EVERYBODY) for lineup in found) if self.same_deals else found


@attrs.frozen(kw_only=True)
class Fixed(Schedule):
    """Plays exactly the listed seatings: agents by player, which must fit every game with more than one player."""

    is_by_repeat: ClassVar[bool] = True
    seatings: tuple[tuple[str, ...], ...] = attrs.field(
        validator=[min_len(1), deep_iterable(min_len(1))], metadata={"help": "lists of agents, by player"}
    )
    repeats: int = _repeats()
    rotate_seats: Rotation = attrs.field(default=False, metadata={"help": _ROTATION})
    paired: bool | None = _paired()
    first_repeat: int = attrs.field(
        default=0,
        validator=ge(0),
        metadata={
            "help": "the number of the first repeat; of several games the one with lower numbers is played first"
        },
    )

    def lineups(self, agents: Agents, players: int) -> Iterator[Lineup]:
        problems: list[str] = []
        for i, seating in enumerate(self.seatings):
            if self.seatings.index(seating) < i:
                problems.append(f"schedule.seatings.{i}: {list(seating)!r} is there twice; raise repeats instead")
            if players > 1 and len(seating) != players:
                problems.append(f"schedule.seatings.{i}: expected {players} agents, got {list(seating)!r}")
            for name in seating:
                if name not in agents:
                    problems.append(f"schedule.seatings.{i}: no agent called {name!r} (agents: {', '.join(agents)})")
        if problems:
            raise ConfigError(problems)
        alone = dict.fromkeys((name,) for seating in self.seatings for name in seating)
        found = _seated(alone if players == 1 else self.seatings, self.repeats, self.rotate_seats)
        return (attrs.evolve(lineup, repeat=self.first_repeat + lineup.repeat) for lineup in found)


@attrs.frozen(kw_only=True)
class ByGame(Schedule):
    """Plays each game by a schedule of its own, found by the game's name or by one of its tags."""

    games: Mapping[str, Schedule] = attrs.field(
        validator=min_len(1), metadata={"help": "the name or a tag of games, and their schedule; the first that fits"}
    )
    otherwise: Schedule = attrs.field(factory=RoundRobin, metadata={"help": "for all other games"})
    repeats: int | None = attrs.field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "how often each seating is played, in place of what the schedules of games say"},
    )
    paired: bool | None = attrs.field(
        default=None,
        metadata={"help": "whether matches share their deals, in place of what the schedules of games say"},
    )

    def of_game(self, name: str, tags: Iterable[str]) -> Schedule:
        """The schedule of a game with these tags."""
        known = {name, *tags}
        found = next((schedule for key, schedule in self.games.items() if key in known), self.otherwise)
        if self.repeats is None or "repeats" not in attrs.fields_dict(type(found)):
            return found
        return attrs.evolve(found, repeats=self.repeats)

    def lineups(self, agents: Agents, players: int) -> Iterable[Lineup]:
        """The lineups of a game that is not named."""
        return self.of_game("", ()).lineups(agents, players)


def _seated(seatings: Seatings, repeats: int, rotation: Rotation) -> Iterator[Lineup]:
    given = tuple(seatings)
    for repeat in range(repeats):
        for seating in given:
            for agents in dict.fromkeys(_turned(seating, rotation, repeat)):
                yield Lineup(agents, repeat)


def _turned(seating: tuple[str, ...], rotation: Rotation, repeat: int) -> Seatings:
    if rotation == "all":
        return permutations(seating)
    if rotation == "in-turn":
        return (rotations(seating)[repeat % len(seating)],)
    return rotations(seating) if rotation else (seating,)


def _check_enough(agents: Agents, players: int) -> None:
    if len(agents) < players:
        raise ConfigError(
            f"schedule: {players} players need {players} different agents, and there are {len(agents)} "
            f"({', '.join(agents) or 'none'}); add agents, or use self-play or all-pairings with with-itself: true"
        )
