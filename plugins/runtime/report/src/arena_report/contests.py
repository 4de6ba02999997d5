"""Makes contests, from which verdicts are made, of the records of matches."""

from hashlib import blake2b
from typing import Any, Final

from arena.record import MatchRecord

from arena_report.verdict.values import Contest

MOST_KNOWN: Final = 4_096
"""So many different results are recognised when they come again; more are kept one by one."""


class ContestReader:
    """Reads the contests of matches one by one; it remembers which agents repeat the same match."""

    def __init__(self) -> None:
        self._alike: dict[tuple[str, tuple[str, ...], tuple[float, ...]], Contest] = {}
        self._firsts: dict[tuple[str, tuple[str, ...]], tuple[tuple[float, ...], int, str] | None] = {}

    def contest(self, match: MatchRecord, block: str) -> Contest | None:
        """The contest of a match, with the sum of the returns of each agent; ``None`` if it gave no returns."""
        if match.returns is None:
            return None
        played = self._played(match)
        key = (match.game, match.agents, match.returns)
        alike = self._alike.get(key)
        if alike is None:
            alike = Contest.of(match, block=block, played=played)
            if len(self._alike) < MOST_KNOWN:
                self._alike[key] = alike
            return alike
        # What is the same in many matches is kept once.
        return Contest(
            game=alike.game, block=block, match=match.id, returns=alike.returns, seats=alike.seats, played=played
        )

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
