"""The contract of a schedule: which agents meet, in which seats, and how often.

The engine turns its lineups into matches. Everything in a ``MatchPlan`` is derived from contents, never from a position
in a list: adding a game, an agent or repeats changes no id and no deal.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import factorial, prod

import attrs

from arena.errors import ConfigError


@attrs.frozen
class Lineup:
    """The agents of one match by player, and its number among the repeats of this lineup.

    Lineups of one game and ``repeat`` share deals if their agents are the same, in whatever seats, or their ``deals``;
    a schedule whose parameter ``paired`` is ``False`` has no two that share them.
    """

    agents: tuple[str, ...]
    repeat: int = 0
    deals: str | None = None

    @property
    def pairing(self) -> str:
        """The sorted names of the agents, without regard to their seats."""
        return joined_names(tuple(sorted(self.agents)))

    @property
    def rotation(self) -> int:
        """The place of this seating among all different seatings of the same agents, sorted by name.

        With two agents, 0 is alphabetical and 1 the other way round.
        """
        return _rotation(self.agents)


class Schedule(ABC):
    """The configuration of a schedule: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def lineups(self, agents: Mapping[str, frozenset[str]], players: int) -> Iterable[Lineup]:
        """The lineups of a game with ``players`` seats; pure.

        ``agents`` maps the names of all agents, in the order of the benchmark, to their tags. A lineup given twice is
        played once. A run can be extended by agents and repeats only if the old ones keep the lineups they had.
        ``ConfigError`` if there are none, with ``schedule`` or ``schedule.PARAMETER`` as path.
        """


@lru_cache(maxsize=1 << 12)  # every repeat has the same seatings
def joined_names(names: tuple[str, ...]) -> str:
    """The names with commas between them, for ids; one within a name that no space follows is written ``%2C``."""
    apart = (name.replace("%", "%25").replace(", ", "\0").replace(",", "%2C").replace("\0", ", ") for name in names)
    return ",".join(apart)


def select_agents(references: Iterable[str], agents: Mapping[str, frozenset[str]], path: str) -> tuple[str, ...]:
    """The agents that names and tags stand for, each once; ``ConfigError`` at ``path`` for what is neither."""
    found: dict[str, None] = {}
    for reference in references:
        tagged = [name for name, tags in agents.items() if reference in tags]
        if reference not in agents and not tagged:
            raise ConfigError(f"{path}: no agent or tag called {reference!r} (agents: {', '.join(agents)})")
        found |= dict.fromkeys([reference] if reference in agents else tagged)
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def _rotation(agents: tuple[str, ...]) -> int:
    left, place = Counter(agents), 0
    for agent in agents:
        for earlier in left:
            if earlier < agent and left[earlier]:
                others = {**left, earlier: left[earlier] - 1}.values()
                place += factorial(sum(others)) // prod(map(factorial, others))
        left[agent] -= 1
    return place


def rotations(seating: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """All seatings that arise when every agent moves on by one seat; each agent gets each seat once."""
    return tuple((*seating[i:], *seating[:i]) for i in range(len(seating)))
