"""Results of two agents in one game with one form of prompt, and how they are summed up."""

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

import attrs
from arena.errors import ArenaError

Key = Literal["pairing", "agent", "opponent", "game", "form"]
KEYS: tuple[Key, ...] = get_args(Key)


@attrs.frozen(kw_only=True)
class SeatResult:
    """Counts for one of the two seats; ``moves`` are all answers tried, of which ``invalid`` were refused.

    ``disqualifications`` are matches that the player lost by its own invalid responses and nobody won. ``cancelled``
    matches were ended by a limit that nobody is to blame for. Those with ``no_result`` (a network error in the
    original) are counted beside ``matches``, not among them, and nothing else of them counts.
    """

    matches: int = 0
    wins: int = 0
    disqualifications: int = 0
    draws: int = 0
    cancelled: int = 0
    moves: int = 0
    invalid: int = 0
    no_result: int = 0

    def __add__(self, other: "SeatResult") -> "SeatResult":
        ours, theirs = attrs.astuple(self), attrs.astuple(other)
        return SeatResult(**{f.name: a + b for f, a, b in zip(attrs.fields(SeatResult), ours, theirs, strict=True)})


@attrs.frozen(kw_only=True)
class Result:
    """Matches of two agents in the same seats, from one source.

    ``id`` identifies it and ``match_ids`` its matches, if they are known. ``source`` names the run or file,
    ``contributor`` and ``date`` are what a submission says of itself. ``version`` is that of the prompt.
    """

    id: str
    match_ids: frozenset[str] = frozenset()
    source: str
    game: str
    form: str
    version: str = ""
    agents: tuple[str, str]
    seats: tuple[SeatResult, SeatResult]
    contributor: str = ""
    date: str = ""

    @property
    def ids(self) -> frozenset[str]:
        """All ids by which the same result could be recognized when it appears again."""
        return self.match_ids | {self.id}

    def is_within(self, other: "Result") -> bool:
        """Whether ``other`` may hold all of its matches: of the same game and agents, with no fewer of each outcome."""
        if (self.game, self.form, self.agents) != (other.game, other.form, other.agents):
            return False
        return all(
            getattr(mine, name) <= getattr(theirs, name)
            for mine, theirs in zip(self.seats, other.seats, strict=True)
            for name in ("matches", "wins", "disqualifications", "draws", "cancelled")
        )


@attrs.frozen(kw_only=True)
class RankingLine:
    """Results summed up; key fields that were not asked for are empty.

    ``first`` and ``second`` sum up the two seats: of ``agent`` if lines are grouped by agent, else of whoever played
    there. With ``has_own_seats`` the two cover different matches, otherwise the same ones.
    """

    game: str = ""
    form: str = ""
    version: str = ""
    agent: str = ""
    opponent: str = ""
    first: SeatResult = SeatResult()
    second: SeatResult = SeatResult()
    sources: tuple[str, ...] = ()
    has_own_seats: bool = False

    @property
    def draws(self) -> int:
        """How many matches were drawn, each counted once."""
        return self.first.draws + (self.second.draws if self.has_own_seats else 0)

    @property
    def cancelled(self) -> int:
        """How many matches were ended by a limit, each counted once."""
        return self.first.cancelled + (self.second.cancelled if self.has_own_seats else 0)

    @property
    def no_result(self) -> int:
        """How many matches have no result, each counted once."""
        return self.first.no_result + (self.second.no_result if self.has_own_seats else 0)


def distinct(results: Iterable[Result]) -> tuple[list[Result], list[tuple[Result, Result]]]:
    """The results without duplicates, and each duplicate with the result it repeats, which has more matches.

    ``ArenaError`` names two of them that say different things of the same matches.
    """
    kept: list[Result] = []
    left: list[tuple[Result, Result]] = []
    seen: dict[str, Result] = {}
    for result in sorted(results, key=lambda result: -result.seats[0].matches):
        known = next((seen[own] for own in sorted(result.ids) if own in seen), None)
        if known is None:
            kept.append(result)
            seen |= dict.fromkeys(result.ids, result)
        else:
            if not result.is_within(known):
                raise ArenaError(
                    f"{result.source} and {known.source} say different things of the same matches "
                    f"({min(result.ids & known.ids)}); leave one of them out"
                )
            left.append((result, known))
    return kept, left


def lines(results: Iterable[Result], by: Iterable[Key]) -> list[RankingLine]:
    """Results summed up by some of their fields, best first: by wins per match in both seats together.

    ``agent`` and ``opponent`` count a match for both of its agents, once as the agent and once as the opponent;
    ``pairing`` keeps the agents in their seats.
    """
    wanted = frozenset(by)
    found: dict[RankingLine, RankingLine] = {}
    for result in results:
        for key, first, second in _shares(result, wanted):
            line = found.get(key, key)
            sources = tuple(dict.fromkeys((*line.sources, result.source)))
            found[key] = attrs.evolve(line, first=line.first + first, second=line.second + second, sources=sources)
    return sorted(found.values(), key=_place)


def _shares(result: Result, wanted: frozenset[Key]) -> Iterator[tuple[RankingLine, SeatResult, SeatResult]]:
    key = RankingLine(game=result.game if "game" in wanted else "", form=result.form if "form" in wanted else "")
    (one, other), (first, second) = result.agents, result.seats
    if "pairing" in wanted:
        yield attrs.evolve(key, version=result.version, agent=one, opponent=other), first, second
    elif wanted & {"agent", "opponent"}:
        yield _of(key, one, other, wanted), first, SeatResult()
        yield _of(key, other, one, wanted), SeatResult(), second
    else:
        yield key, first, second


def _of(key: RankingLine, agent: str, opponent: str, wanted: frozenset[Key]) -> RankingLine:
    return attrs.evolve(
        key,
        agent=agent if "agent" in wanted else "",
        opponent=opponent if "opponent" in wanted else "",
        has_own_seats=True,
    )


def _place(line: RankingLine) -> tuple[object, ...]:
    both = line.first + line.second
    return line.game, line.form, -both.wins / max(both.matches, 1), line.agent, line.opponent
