"""The summary of a match that has ended: what a listing shows, so that it need not read records."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
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

    @property
    def tokens(self) -> int:
        """The tokens of prompts and completions."""
        return self.prompt_tokens + self.completion_tokens

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> "MatchSummary":
        """Create a summary from the columns of its row."""
        values = dict(zip(_FIELDS, row, strict=True))
        values["agents"], values["ending"] = tuple(json.loads(values["agents"])), Ending(values["ending"])
        return cls(**values)


_FIELDS = tuple(field.name for field in attrs.fields(MatchSummary))


def summary_row(record: MatchRecord, started: datetime | None = None, ended: datetime | None = None) -> tuple[Any, ...]:
    """The columns of a match's summary, as the fields of ``MatchSummary`` are ordered, from what its record holds.

    Usage is not part of a record and stays 0; times are known to whoever played the match. The row is made without the
    object, which would take longer than writing a short match down.
    """
    played = refused = substitutes = 0
    for _, source, kind, _, data, _ in record.events:
        if source != "referee":
            continue
        if kind == "played":
            played += 1
            substitutes += cast("Mapping[str, Any]", data)["by"] != "agent"
        elif kind == "refused":
            refused += 1
    plan = record.plan
    about = (plan.id, plan.game, _text(plan.agents), plan.pairing, str(record.ending), _winner(record))
    times = (
        None if started is None else started.isoformat(timespec="milliseconds"),
        None if ended is None else ended.isoformat(timespec="milliseconds"),
        None if started is None or ended is None else (ended - started).total_seconds(),
    )
    return (*about, played, refused, substitutes, 0, 0, 0, 0, None, *times)


@lru_cache(1_000)
def _text(agents: tuple[str, ...]) -> str:
    return json.dumps(agents, ensure_ascii=False)


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
