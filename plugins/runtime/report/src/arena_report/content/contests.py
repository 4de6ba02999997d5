"""Makes what standings are made from: the outcomes of matches, and what must be known of their games."""

from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import attrs
from arena.metric import Baseline
from arena.record import MatchRecord
from arena_engine import unswept_name
from arena_standings import Contest, GameKind

from arena_report.metrics.measured_rows import MOST_KNOWN

MOST_VARIANTS = 8
"""The most variants of one game that have a table each; more of them have one together."""


def game_kind(baseline: Baseline | None) -> GameKind:
    """What standings must know of a game; one of which nothing is known counts wins."""
    if baseline is None:
        return GameKind()
    return GameKind(
        kind="wins" if baseline.counts_wins else "pays",
        chance=baseline.chance,
        together=baseline.returns == "cooperative" or baseline.players == 1,
        unit=baseline.return_unit,
        low=baseline.min_return,
        high=baseline.max_return,
    )


def families_of(games: Iterable[str]) -> dict[str, str]:
    """The name under which the many variants of one game have a table together, by variant."""
    variants: dict[str, list[str]] = {}
    for game in dict.fromkeys(games):
        variants.setdefault(unswept_name(game), []).append(game)
    return {game: family for family, own in variants.items() if len(own) > MOST_VARIANTS for game in own}


def outcome(match: MatchRecord, block: str = "", played: str = "") -> Contest:
    """What a match with a result says of its players; ``block`` is that of its plan, unless it has another name.

    Players who were disqualified, forfeited or left are at fault. Where nobody is, and nobody was given a return, the
    match counts nowhere.
    """
    at_fault = match.at_fault
    ending = "forfeited" if at_fault else "finished"
    if at_fault and match.returns is None:
        ending = "disqualified"
    return Contest(
        game=match.game,
        block=block or match.plan.block,
        agents=match.agents,
        returns=match.returns,
        match=match.id,
        ending="infrastructure" if match.is_blameless else ending,
        at_fault=at_fault,
        played=played,
    )


class ContestReader:
    """Reads the outcomes of matches one by one; it remembers which agents repeat the same match."""

    def __init__(self) -> None:
        self._firsts: dict[tuple[str, tuple[str, ...]], tuple[tuple[float, ...], int, str] | None] = {}

    def contest(self, match: MatchRecord, block: str) -> Contest:
        """The outcome of a match, with a digest of what happened if all matches of these agents went alike so far."""
        return outcome(match, block, "" if match.returns is None else self._played(match))

    def _played(self, match: MatchRecord) -> str:
        """A digest of what happened, as long as all matches of these agents in these seats went alike."""
        key = (match.game, match.agents)
        found = (match.returns or (), match.steps)
        first = self._firsts.get(key, ())
        if first is None or (first and first[:2] != found):
            self._firsts[key] = None
            return ""
        digest = _digest(match)
        if first and first[2] != digest:
            self._firsts[key] = None
            return ""
        self._firsts[key] = (*found, digest)
        return digest


class KeptContests:
    """Outcomes of very many matches, in their order: what several have in common is kept once."""

    def __init__(self) -> None:
        self._kinds: list[Contest] = []
        self._places: dict[Hashable, int] = {}
        self._kind_of = array("I")
        self._blocks: list[str] = []
        self._matches: list[str] = []

    def add(self, contest: Contest) -> None:
        """Add the outcome of a match."""
        key = contest.game, contest.played, contest.agents, contest.returns, contest.ending, contest.at_fault
        place = self._places.get(key)
        if place is None:
            place = len(self._kinds)
            self._kinds.append(contest)
            if place < MOST_KNOWN:  # where hardly two are alike, looking for them costs more than it saves
                self._places[key] = place
        self._kind_of.append(place)
        self._blocks.append(contest.block)
        self._matches.append(contest.match)

    @property
    def games(self) -> set[str]:
        """The games that were played."""
        return {kind.game for kind in self._kinds}

    def kinds(self, baselines: Mapping[str, Baseline]) -> dict[str, GameKind]:
        """What standings must know of the games that were played."""
        return {game: game_kind(baselines.get(game)) for game in sorted(self.games)}

    def __len__(self) -> int:
        return len(self._blocks)

    def __iter__(self) -> Iterator[Contest]:
        for place, block, match in zip(self._kind_of, self._blocks, self._matches, strict=True):
            yield attrs.evolve(self._kinds[place], block=block, match=match)


def _digest(match: MatchRecord) -> str:
    """What happened in the match, without what players said of their reasons."""
    told = blake2b(digest_size=16)
    for event in match.events:
        data: Any = event.data
        if event.source == "referee":
            if event.kind != "played":
                continue
            data = data["action"]
        told.update(repr((event.kind, event.player, data)).encode("utf-8", "surrogatepass"))
    return told.hexdigest()
