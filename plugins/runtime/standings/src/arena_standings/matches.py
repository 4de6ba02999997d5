"""What standings are made from: the facts of games, and matches with what they returned."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

import attrs

MatchEnding = Literal["finished", "disqualified", "forfeited", "infrastructure", "cancelled"]
"""How a match ended; the last two are nobody's fault, and such matches count nowhere."""

BLAMELESS = frozenset({"infrastructure", "cancelled"})
"""The endings that no player is to blame for."""


@attrs.frozen(kw_only=True)
class GameKind:
    """What must be known of a game to compare its players.

    ``kind`` is ``"wins"`` where returns only say who won, and ``"pays"`` where their size counts. Without ``chance``
    nothing is dealt or drawn, so that matches share no deals. ``together`` says that all players share one return, or
    that there is only one player: what one team earned is compared with what another earned. ``low`` and ``high`` are
    the least and the greatest return, where they are known, and ``unit`` is what returns are counted in.
    """

    kind: Literal["wins", "pays"] = "wins"
    chance: bool = True
    together: bool = False
    unit: str = "points"
    low: float | None = None
    high: float | None = None


@attrs.frozen(kw_only=True)
class Contest:
    """One match: who sat where, what it returned, and who is to blame if it did not end by its rules.

    ``agents`` and ``returns`` are by seat; ``returns`` are ``None`` where nobody was given one. ``block`` is shared by
    matches that share their deals. ``at_fault`` are the seats whose own answers ended the match, by disqualification or
    forfeit. ``played`` is equal for two matches in which everything happened alike, and empty if that is not known.
    """

    game: str
    block: str
    agents: tuple[str, ...]
    returns: tuple[float, ...] | None
    match: str = ""
    ending: MatchEnding = "finished"
    at_fault: tuple[int, ...] = ()
    played: str = ""

    def __attrs_post_init__(self) -> None:
        if self.ending not in get_args(MatchEnding):
            raise ValueError(f"ending: expected one of {', '.join(get_args(MatchEnding))}, got {self.ending!r}")
        if self.returns is not None and len(self.returns) != len(self.agents):
            raise ValueError(f"returns: expected {len(self.agents)}, one for each seat, got {len(self.returns)}")
        if any(not 0 <= seat < len(self.agents) for seat in self.at_fault):
            raise ValueError(f"at_fault: expected seats from 0 to {len(self.agents) - 1}, got {list(self.at_fault)}")

    @property
    def counts(self) -> bool:
        """Whether the match says anything of its players."""
        return self.ending not in BLAMELESS and (self.returns is not None or bool(self.at_fault))

    @property
    def is_disqualified(self) -> bool:
        """Whether somebody lost the match by its own answers and nobody won it."""
        return self.counts and self.returns is None

    @property
    def earned(self) -> dict[str, float]:
        """The return of each agent, summed over its seats; empty without returns."""
        found: dict[str, float] = {}
        for agent, value in zip(self.agents, self.returns or (), strict=False):
            found[agent] = found.get(agent, 0.0) + value
        return found


@attrs.frozen
class Repetition:
    """Agents that repeated their matches in a game, and how many of them were different."""

    game: str
    agents: tuple[str, ...]
    matches: int
    different: int


def without_repeats(
    contests: Iterable[Contest], random: Collection[str], families: Mapping[str, str] | None = None
) -> tuple[list[Contest], list[Repetition]]:
    """Keep one of each match where all repeats of it are alike; different ones of the same agents are one block.

    That is so only if in each order of seats, in a game and all its variants, every match of these agents went alike,
    as it does between agents that leave nothing to chance: matches of others may well be alike now and then, and count.
    So do those of agents in ``random``, whose short matches are often alike. ``families`` names the game of a variant.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Contest]] = defaultdict(list)
    for contest in contests:
        family = (families or {}).get(contest.game, contest.game)
        groups[family, tuple(sorted(set(contest.agents)))].append(contest)
    kept: list[Contest] = []
    found: list[Repetition] = []
    for (family, agents), own in groups.items():
        ways: dict[tuple[object, ...], dict[str, Contest]] = defaultdict(dict)
        for contest in own:
            ways[contest.game, contest.agents].setdefault(contest.played, contest)
        is_repeated = all(contest.played for contest in own) and len(own) > len(ways) == sum(map(len, ways.values()))
        if not is_repeated or not set(agents).isdisjoint(random):
            kept += own
            continue
        different = [each for alike in ways.values() for each in alike.values()]
        kept += [attrs.evolve(each, block=f"{each.game}/alike/{'/'.join(agents)}") for each in different]
        found.append(Repetition(family, agents, len(own), len(different)))
    return kept, found


def connected(contests: Iterable[Contest], games: Mapping[str, GameKind]) -> list[tuple[str, ...]]:
    """The agents in groups that met, by way of others too, the largest group first; each by name.

    Agents that play apart in one game are compared with each other by what they earned, so they are one group.
    """
    parent: dict[str, str] = {}

    def root(agent: str) -> str:
        while parent.setdefault(agent, agent) != agent:
            agent = parent[agent]
        return agent

    apart: dict[str, str] = {}
    for contest in contests:
        if not contest.counts:
            for agent in contest.agents:
                root(agent)
            continue
        own = sorted(set(contest.agents))
        if games[contest.game].together:
            if len(own) > 1:
                for agent in own:
                    root(agent)
                continue
            own = [apart.setdefault(contest.game, own[0]), own[0]]
        first = root(own[0])
        for agent in own[1:]:
            parent[root(agent)] = first
    parts: dict[str, list[str]] = defaultdict(list)
    for agent in sorted(parent):
        parts[root(agent)].append(agent)
    return [tuple(part) for part in sorted(parts.values(), key=lambda part: (-len(part), part))]


def seat_gap(agents: Sequence[str], i: str, j: str) -> int:
    """1 if ``i`` has the first of two seats and ``j`` the second, −1 the other way round, 0 in any other match."""
    return 1 if tuple(agents) == (i, j) else -1 if tuple(agents) == (j, i) else 0


def pairs_of(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every two names, once."""
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            yield first, second
