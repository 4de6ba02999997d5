"""The summary of a match that has ended: what a listing shows, so that it need not read records."""

import json
from collections.abc import Mapping
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
    def of(cls, record: MatchRecord) -> "MatchSummary":
        """Summarise what a record holds; usage and times are not part of it."""
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
        )

    def to_row(self) -> tuple[Any, ...]:
        """The columns of its row in the journal."""
        values = [getattr(self, name) for name in _FIELDS]
        values[2], values[4] = json.dumps(self.agents, ensure_ascii=False), str(self.ending)
        return tuple(values)

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> "MatchSummary":
        """Create a summary from the columns of its row."""
        values = dict(zip(_FIELDS, row, strict=True))
        values["agents"], values["ending"] = tuple(json.loads(values["agents"])), Ending(values["ending"])
        return cls(**values)


_FIELDS = tuple(field.name for field in attrs.fields(MatchSummary))


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
