"""Makes contests, from which verdicts are made, of the records of matches."""

from array import array
from collections.abc import Hashable, Iterator
from hashlib import blake2b
from typing import Any

from arena.record import MatchRecord

from arena_report.metrics.measured_rows import MOST_KNOWN
from arena_report.verdict.values import Contest


class ContestReader:
    """Reads the contests of matches one by one; it remembers which agents repeat the same match."""

    def __init__(self) -> None:
        self._firsts: dict[tuple[str, tuple[str, ...]], tuple[tuple[float, ...], int, str] | None] = {}

    def contest(self, match: MatchRecord, block: str) -> Contest | None:
        """The contest of a match, with the sum of the returns of each agent; ``None`` if it gave no returns."""
        if match.returns is None:
            return None
        return Contest.of(match, block=block, played=self._played(match))

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
    """Contests of very many matches, in their order: what several have in common is kept once."""

    def __init__(self) -> None:
        self._kinds: list[Contest] = []
        self._places: dict[Hashable, int] = {}
        self._kind_of = array("I")
        self._blocks: list[str] = []
        self._matches: list[str] = []

    def add(self, contest: Contest) -> None:
        """Add the contest of a match."""
        key = contest.game, contest.played, *contest.returns.items(), *contest.seats.items()
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

    def __iter__(self) -> Iterator[Contest]:
        for place, block, match in zip(self._kind_of, self._blocks, self._matches, strict=True):
            kind = self._kinds[place]
            yield Contest(
                game=kind.game, block=block, match=match, returns=kind.returns, seats=kind.seats, played=kind.played
            )


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
