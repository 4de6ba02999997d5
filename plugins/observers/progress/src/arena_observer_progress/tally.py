"""Counts what happens in a run, and says it in one line."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

import attrs
from arena.record import MatchRecord

SEPARATOR: Final = " · "

MOST_AGENTS: Final = 3
"""The most agents of one game whose points are shown."""


@attrs.define
class RunningScores:
    """The points of the agents in each game: 1 for each other agent that earned less in a match, 0.5 if as much.

    A match without returns is lost by those who failed in it against each of the others.
    """

    points: dict[str, dict[str, float]] = attrs.field(factory=dict[str, dict[str, float]])
    decided: set[str] = attrs.field(factory=set[str])
    latest: str = ""

    def add(self, record: MatchRecord) -> None:
        """Count a match that is over; one that nobody is to blame for, or of one agent alone, says nothing."""
        if record.is_blameless:
            return
        lost = [-float(player in record.at_fault) for player in range(len(record.agents))]
        earned: dict[str, float] = {}
        for agent, value in zip(record.agents, record.returns or lost, strict=True):
            earned[agent] = earned.get(agent, 0.0) + value
        if len(earned) < 2:
            return
        self.latest = record.game
        own = self.points.setdefault(record.game, {})
        for agent, value in earned.items():
            others = [other for name, other in earned.items() if name != agent]
            won = sum((value > other) + (value == other) / 2 for other in others) / len(others)
            own[agent] = own.get(agent, 0.0) + won
        if len(set(earned.values())) > 1:
            self.decided.add(record.game)

    def text(self, name: str = "") -> str:
        """The standing in the game whose match ended last: ``hex mcts 7 : 3 random``; empty while all are even.

        A game that is called ``name``, as the run is, is not named again.
        """
        if self.latest not in self.decided:
            return ""
        own = self.points[self.latest]
        game = "" if self.latest == name else f"{self.latest} "
        if len(own) == 2:
            (first, mine), (second, theirs) = sorted(own.items())
            return f"{game}{first} {mine:g} : {theirs:g} {second}"
        best = sorted(own.items(), key=lambda item: (-item[1], item[0]))[:MOST_AGENTS]
        return f"{game}{', '.join(f'{agent} {points:.3g}' for agent, points in best)}"


@attrs.frozen
class WaitingBatches:
    """Requests of one backend in batches: the first was sent ``since``, all are due ``until``, as POSIX times."""

    requests: int
    since: float
    until: float


@attrs.define
class Tally:
    """Counts since this attempt at the run began; ``earlier`` matches were finished by earlier attempts.

    ``batched`` are the requests that wait in batches at the moment, by backend.
    """

    planned: int = 0
    earlier: int = 0
    finished: int = 0
    failed: int = 0
    turns: int = 0
    refused: int = 0
    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    retries: int = 0
    batched: dict[str, WaitingBatches] = attrs.field(factory=dict[str, WaitingBatches])
    standings: RunningScores = attrs.field(factory=RunningScores)

    @property
    def done(self) -> int:
        """How many matches are over, in this attempt and earlier ones."""
        return self.earlier + self.finished

    def left_s(self, elapsed_s: float) -> float | None:
        """Seconds left if matches go on ending as fast as so far; ``None`` before the first has ended."""
        return elapsed_s / self.finished * (self.planned - self.done) if self.finished else None

    def line(self, name: str, elapsed_s: float, width: int, end: str = "") -> str:
        """All of it in one line of at most ``width`` columns, after ``elapsed_s`` seconds; ``end`` stands last.

        What does not fit is left out, the least important first.
        """
        left = self.left_s(elapsed_s)
        # Each part with its importance: what has the lowest goes first.
        parts = [
            (9, name),
            (8, f"{self.done:,}/{self.planned:,} matches"),
            (2, self._rate(elapsed_s)),
            (3, self._illegal()),
            (2, f"{_amount(self.tokens)} tokens" if self.calls else ""),
            (4, f"${self.cost_usd:,.2f}" if self.cost_usd >= 0.005 else ""),
            (1, f"{self.cached:,} from the cache" if self.cached else ""),
            (1, _several(self.retries, "retry", "retries") if self.retries else ""),
            (7, f"{self.failed:,} failed" if self.failed else ""),
            (7, self._in_batches()),
            (6, f"{_clock(left)} left" if left else ""),
            (5, self.standings.text(name)),
            (8, end),
        ]
        return _fitted([(importance, text) for importance, text in parts if text], width)

    def _in_batches(self) -> str:
        """How many requests wait in batches, since when and by when they are promised."""
        if not self.batched:
            return ""
        waiting = self.batched.values()
        requests, since = (
            sum(each.requests for each in waiting),
            datetime.fromtimestamp(min(each.since for each in waiting)),
        )
        until = datetime.fromtimestamp(max(each.until for each in waiting))
        return f"{requests:,} in batches since {since:%H:%M}, by {until:%a %H:%M} at most"

    def _rate(self, elapsed_s: float) -> str:
        """How fast matches end, per second, minute or hour, whichever is the first in which one does."""
        if not self.finished or elapsed_s <= 0:
            return ""
        per_s = self.finished / elapsed_s
        for unit, seconds in (("s", 1), ("min", 60)):
            if per_s * seconds >= 1:
                return f"{per_s * seconds:,.3g}/{unit}" if per_s * seconds < 1000 else f"{per_s * seconds:,.0f}/{unit}"
        return f"{per_s * 3600:.3g}/h"

    def _illegal(self) -> str:
        """The share of answers that were refused."""
        answers = self.turns + self.refused
        return f"{100 * self.refused / answers:.0f} % illegal" if answers else ""


def _fitted(parts: Iterable[tuple[int, str]], width: int) -> str:
    """The parts in one line; the least important ones go until it fits, and what is left is cut."""
    left = list(parts)
    while len(left) > 1 and len(_joined(left)) > width:
        left.remove(min(left, key=lambda part: part[0]))
    return _joined(left)[:width]


def _joined(parts: Sequence[tuple[int, str]]) -> str:
    return SEPARATOR.join(text for _, text in parts)


def _amount(number: int) -> str:
    for bound, divisor, unit in ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e4, 1e3, " k")):
        if number >= bound:
            return f"{number / divisor:.3g}{unit}"
    return f"{number:,}"


def _several(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
