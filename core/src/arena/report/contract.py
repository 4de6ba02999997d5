"""What a report is, and the contract of a report format."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path

import attrs

from arena.metric import Section
from arena.record import JSON


@attrs.frozen(kw_only=True)
class Move:
    """One answer of one agent: an action that was played, or one that was not.

    ``outcome`` is ``"played"``, ``"refused"``, ``"withheld"`` (the match ended before it was applied) or ``"gone"``.
    ``by`` is ``"agent"``, or the policy that put in a substitute. ``text`` is the action in words, or why it was
    refused. All texts are as the model wrote them: a format that interprets any character must escape them.
    """

    wave: int
    player: str
    outcome: str
    text: str
    turn: int | None = None
    attempt: int = 0
    by: str = "agent"
    reasoning: str = ""


@attrs.frozen(kw_only=True)
class MatchView:
    """One match for a list of matches; ``players`` are agents with their seats.

    ``moves`` is ``None`` where the report leaves them out for its size.
    """

    id: str
    game: str
    players: tuple[str, ...]
    ending: str
    returns: tuple[float, ...] | None
    turns: int
    refusals: int
    substitutes: int
    reason: str = ""
    moves: tuple[Move, ...] | None = None


@attrs.frozen(kw_only=True)
class Report:
    """What one or several runs say.

    ``sections`` are the results, metric by metric; ``facts`` are about the runs themselves: what was played, with which
    plugins and models, and what it is held against. ``settings`` are the resolved benchmarks by run. ``matches`` lists
    the first of ``match_count`` matches. ``notes`` must be shown: they limit what the numbers mean.
    """

    title: str
    sections: tuple[Section, ...]
    facts: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    settings: Mapping[str, JSON] = attrs.field(factory=dict[str, JSON])
    matches: tuple[MatchView, ...] = ()
    match_count: int = 0


class ReportFormat(ABC):
    """A way to write a report to a file: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def write(self, report: Report, path: Path) -> None:
        """Write ``report`` to ``path``, replacing what is there; equal reports give equal bytes.

        ``OSError`` passes.
        """
