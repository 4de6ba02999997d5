"""The summary of a match that has ended: what a listing shows, so that it need not read records."""

import json
from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, cast

import attrs
from arena.record import Ending, MatchRecord


@attrs.frozen(kw_only=True)
class MatchSummary:
    """One match that has ended, in short.

    ``winner`` is the player with the greatest return, ``None`` if several share it or there is no result. ``turns``
    counts actions that were played, ``substitutes`` those among them that no agent chose. Calls, tokens and dollars
    are the players', without what other runs paid; ``estimated_calls`` are those whose tokens are an estimate.
    ``started`` and ``ended`` are times in UTC, ``seconds`` what lay between them; ``None`` if not known.
    """

    match: str
    game: str
    agents: tuple[str, ...]
    pairing: str
    ending: Ending
    winner: int | None
    turns: int
    refusals: int
    substitutes: int
    calls: int = 0
    estimated_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    started: str | None = None
    ended: str | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, record: MatchRecord, started: datetime | None = None, ended: datetime | None = None) -> "MatchSummary":
        """Summarise what a record holds; usage is not part of it, and times are known to whoever played the match."""
        turns = refusals = substitutes = 0
        for event in record.events:
            if event.source == "referee":
                if event.kind == "played":
                    turns += 1
                    substitutes += cast("Mapping[str, Any]", event.data)["by"] != "agent"
                elif event.kind == "refused":
                    refusals += 1
        return cls(
            match=record.id,
            game=record.game,
            agents=record.agents,
            pairing=record.plan.pairing,
            ending=record.ending,
            winner=_winner(record),
            turns=turns,
            refusals=refusals,
            substitutes=substitutes,
            started=None if started is None else started.isoformat(timespec="milliseconds"),
            ended=None if ended is None else ended.isoformat(timespec="milliseconds"),
            seconds=None if started is None or ended is None else (ended - started).total_seconds(),
        )

    def to_row(self) -> tuple[Any, ...]:
        """The columns of its row in the journal."""
        values = [*_VALUES(self)]
        values[2], values[4] = json.dumps(self.agents, ensure_ascii=False), str(self.ending)
        return tuple(values)

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> "MatchSummary":
        """Create a summary from the columns of its row."""
        values = dict(zip(_FIELDS, row, strict=True))
        values["agents"], values["ending"] = tuple(json.loads(values["agents"])), Ending(values["ending"])
        return cls(**values)


_FIELDS = tuple(field.name for field in attrs.fields(MatchSummary))
_VALUES = attrgetter(*_FIELDS)


@attrs.frozen(kw_only=True)
class PairingTotals:
    """How many matches of a game between ``agents``, by seat, had one ending and winner, with sums over them."""

    game: str
    agents: tuple[str, ...]
    ending: Ending
    winner: int | None
    matches: int
    turns: int
    refusals: int
    substitutes: int


def _winner(record: MatchRecord) -> int | None:
    if not record.returns or not record.ending.is_result:
        return None
    most = max(record.returns)
    return record.returns.index(most) if record.returns.count(most) == 1 else None
