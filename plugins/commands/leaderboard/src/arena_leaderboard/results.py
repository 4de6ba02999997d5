"""Results of a pairing: what came of so many matches of two agents in one game and one form of prompt."""

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

import attrs

Key = Literal["pairing", "agent", "opponent", "game", "form"]
KEYS: tuple[Key, ...] = get_args(Key)


@attrs.frozen(kw_only=True)
class Seat:
    """What happened to whoever sat in one of the two seats; ``moves`` are all it tried, of which ``invalid`` failed.

    ``cancelled`` matches were cut off by a limit, without a winner.
    """

    matches: int = 0
    wins: int = 0
    disqualifications: int = 0
    draws: int = 0
    cancelled: int = 0
    moves: int = 0
    invalid: int = 0

    def __add__(self, other: "Seat") -> "Seat":
        ours, theirs = attrs.astuple(self), attrs.astuple(other)
        return Seat(**{f.name: a + b for f, a, b in zip(attrs.fields(Seat), ours, theirs, strict=True)})


@attrs.frozen(kw_only=True)
class Result:
    """Matches of two agents in the same seats, from one place.

    ``id`` names it and ``match_ids`` its matches, where they are known. ``source`` says where it comes from,
    ``contributor`` and ``date`` what a submission says of itself. ``version`` is that of the prompt.
    """

    id: str
    match_ids: frozenset[str] = frozenset()
    source: str
    game: str
    form: str
    version: str = ""
    agents: tuple[str, str]
    seats: tuple[Seat, Seat]
    contributor: str = ""
    date: str = ""

    @property
    def ids(self) -> frozenset[str]:
        """Whatever would be counted twice if it came up again."""
        return self.match_ids | {self.id}


@attrs.frozen(kw_only=True)
class Line:
    """Results added up; fields of the key that were not asked for are empty.

    ``first`` and ``second`` add up what happened in the two seats: to ``agent`` where lines go by agent, else to
    whoever sat there. With ``has_own_seats`` these are different matches, otherwise the same.
    """

    game: str = ""
    form: str = ""
    version: str = ""
    agent: str = ""
    opponent: str = ""
    first: Seat = Seat()
    second: Seat = Seat()
    sources: tuple[str, ...] = ()
    has_own_seats: bool = False

    @property
    def draws(self) -> int:
        """How many matches were drawn."""
        return self.first.draws + (self.second.draws if self.has_own_seats else 0)

    @property
    def cancelled(self) -> int:
        """How many matches were cut off."""
        return self.first.cancelled + (self.second.cancelled if self.has_own_seats else 0)


def distinct(results: Iterable[Result]) -> tuple[list[Result], list[tuple[Result, Result]]]:
    """Each once, and those that are left out with the one that has an id of theirs: the one of more matches."""
    kept: list[Result] = []
    left: list[tuple[Result, Result]] = []
    seen: dict[str, Result] = {}
    for result in sorted(results, key=lambda result: -result.seats[0].matches):
        known = next((seen[own] for own in sorted(result.ids) if own in seen), None)
        if known is None:
            kept.append(result)
            seen |= dict.fromkeys(result.ids, result)
        else:
            left.append((result, known))
    return kept, left


def lines(results: Iterable[Result], by: Iterable[Key]) -> list[Line]:
    """Results added up by some of their fields, best first: by wins per match in both seats together.

    ``agent`` and ``opponent`` count a match for both of its agents, once as the agent and once as the opponent;
    ``pairing`` keeps who sat where.
    """
    wanted = frozenset(by)
    found: dict[Line, Line] = {}
    for result in results:
        for key, first, second in _shares(result, wanted):
            line = found.get(key, key)
            sources = tuple(dict.fromkeys((*line.sources, result.source)))
            found[key] = attrs.evolve(line, first=line.first + first, second=line.second + second, sources=sources)
    return sorted(found.values(), key=_place)


def _shares(result: Result, wanted: frozenset[Key]) -> Iterator[tuple[Line, Seat, Seat]]:
    key = Line(game=result.game if "game" in wanted else "", form=result.form if "form" in wanted else "")
    (one, other), (first, second) = result.agents, result.seats
    if "pairing" in wanted:
        yield attrs.evolve(key, version=result.version, agent=one, opponent=other), first, second
    elif wanted & {"agent", "opponent"}:
        yield _of(key, one, other, wanted), first, Seat()
        yield _of(key, other, one, wanted), Seat(), second
    else:
        yield key, first, second


def _of(key: Line, agent: str, opponent: str, wanted: frozenset[Key]) -> Line:
    return attrs.evolve(
        key,
        agent=agent if "agent" in wanted else "",
        opponent=opponent if "opponent" in wanted else "",
        has_own_seats=True,
    )


def _place(line: Line) -> tuple[object, ...]:
    both = line.first + line.second
    return line.game, line.form, -both.wins / max(both.matches, 1), line.agent, line.opponent
