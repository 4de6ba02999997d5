"""The contract of a schedule, and the expansion of a benchmark into matches.

A schedule says who sits where and how often; ``expand`` makes matches of it. Everything in a ``MatchPlan`` is derived
from contents, never from a place in a list: adding a game, an agent or repeats changes no id and nobody's luck.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import factorial, prod
from typing import Protocol

import attrs

from arena.errors import ConfigError
from arena.record import MatchPlan, digest


@attrs.frozen
class Lineup:
    """Agents by player, and which of several matches between them this is.

    Lineups of one game and ``repeat`` share their deals if their agents are the same in whatever seats, or if they give
    the same name for it in ``deals``.
    """

    agents: tuple[str, ...]
    repeat: int = 0
    deals: str | None = None

    @property
    def pairing(self) -> str:
        """The agents without their seats."""
        return _pairing(self.agents)

    @property
    def rotation(self) -> int:
        """The place of this seating among all different seatings of the same agents, sorted by name.

        With two agents, 0 is alphabetical and 1 the other way round.
        """
        return _rotation(self.agents)


class Schedule(ABC):
    """Who plays whom: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def lineups(self, agents: Mapping[str, frozenset[str]], players: int) -> Iterable[Lineup]:
        """Who sits where, how often, in a game of ``players``; pure.

        ``agents`` maps the names of all agents, in the order of the benchmark, to their tags. A lineup given twice is
        played once. What lets agents be added and repeats be raised later: agents and repeats that stay must get the
        lineups they had. ``ConfigError`` where there are none, with ``schedule`` or ``schedule.PARAMETER`` as path.
        """


class _Played(Protocol):
    @property
    def players(self) -> int: ...


class _Tagged(Protocol):
    @property
    def tags(self) -> Iterable[str]: ...


class Contest(Protocol):
    """What of a benchmark decides which matches there are."""

    @property
    def seed(self) -> int:
        """Feeds all luck."""
        ...

    @property
    def games(self) -> Mapping[str, _Played]:
        """Games by name, with their number of players."""
        ...

    @property
    def agents(self) -> Mapping[str, _Tagged]:
        """Agents by name, with their tags."""
        ...

    @property
    def schedule(self) -> Schedule:
        """Who plays whom."""
        ...


def expand(benchmark: Contest) -> tuple[MatchPlan, ...]:
    """All matches of a benchmark, each once: first repeats before second ones, games in the order of the benchmark.

    ``ConfigError`` lists, for each game, why the schedule cannot seat its players.
    """
    games = tuple((game, entry.players) for game, entry in benchmark.games.items())
    agents = tuple((name, frozenset(entry.tags)) for name, entry in benchmark.agents.items())
    try:
        return _expanded(benchmark.seed, games, agents, benchmark.schedule)
    except TypeError:  # a schedule that cannot be hashed
        return _expanded.__wrapped__(benchmark.seed, games, agents, benchmark.schedule)


@lru_cache(maxsize=1)  # a benchmark is expanded to check it, to estimate it and to play it
def _expanded(
    seed: int,
    games: tuple[tuple[str, int], ...],
    agents: tuple[tuple[str, frozenset[str]], ...],
    schedule: Schedule,
) -> tuple[MatchPlan, ...]:
    tags = dict(agents)
    plans: dict[str, MatchPlan] = {}
    problems: list[str] = []
    for game, players in games:
        try:
            for lineup in schedule.lineups(tags, players):
                plan = _plan(seed, game, lineup)
                plans.setdefault(plan.id, plan)
        except ConfigError as error:
            problems += [f"{problem} (game {game!r})" for problem in error.problems]
    if problems:
        raise ConfigError(problems)
    return tuple(sorted(plans.values(), key=lambda plan: plan.repeat))


def chosen(references: Iterable[str], agents: Mapping[str, frozenset[str]], path: str) -> tuple[str, ...]:
    """The agents meant by names and tags, each once; ``ConfigError`` at ``path`` for what is neither."""
    found: dict[str, None] = {}
    for reference in references:
        tagged = [name for name, tags in agents.items() if reference in tags]
        if reference not in agents and not tagged:
            raise ConfigError(f"{path}: no agent or tag called {reference!r} (agents: {', '.join(agents)})")
        found |= dict.fromkeys([reference] if reference in agents else tagged)
    return tuple(found)


def _plan(seed: int, game: str, lineup: Lineup) -> MatchPlan:
    pairing, rotation = lineup.pairing, lineup.rotation
    return MatchPlan(
        id=f"{game}/{','.join(lineup.agents)}/{lineup.repeat}.{rotation}",
        game=game,
        agents=lineup.agents,
        pairing=pairing,
        repeat=lineup.repeat,
        rotation=rotation,
        chance_seed=digest("chance", seed, game, lineup.deals or pairing, lineup.repeat),
    )


@lru_cache(maxsize=1 << 12)  # every repeat has the same seatings
def _pairing(agents: tuple[str, ...]) -> str:
    return ",".join(sorted(agents))


@lru_cache(maxsize=1 << 12)
def _rotation(agents: tuple[str, ...]) -> int:
    left = Counter(agents)
    place = 0
    for agent in agents:
        for earlier in left:
            if earlier < agent and left[earlier]:
                place += _orders({**left, earlier: left[earlier] - 1})
        left[agent] -= 1
    return place


def _orders(counts: Mapping[str, int]) -> int:
    return factorial(sum(counts.values())) // prod(map(factorial, counts.values()))


def rotated(seating: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Every player moved on by one seat, until everybody has sat everywhere."""
    agents = tuple(seating)
    return tuple(agents[i:] + agents[:i] for i in range(len(agents)))
