"""Plans, records and summaries of matches as the texts that a journal keeps: encoded where a match was played."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple, cast

import attrs
from arena.record import Ending, Event, Failure, MatchPlan, MatchRecord, Player, encoder

from arena_engine.foundation.json_values import json_fault, shown
from arena_engine.journal.stored_json import record_from

_encode = encoder(allow_nan=False)

_TEXT: Final = frozenset({str})
_INTEGER: Final = frozenset({int})
_PLAYER: Final = frozenset({int, type(None)})
_AUDIENCE: Final = frozenset({tuple, type(None)})
_TABLE: Final = frozenset({dict})
_LEAVES: Final = frozenset({str, int, bool, type(None)})
_values: Final = dict[Any, Any].values
_chained: Final[Any] = chain.from_iterable


def record_bytes(record: MatchRecord) -> bytes:
    """A record as the journal keeps it: as JSON in UTF-8 and without its plan, which stands in a table of its own.

    Raises ``TypeError``, ``ValueError`` or ``RecursionError`` if something in it is no JSON.
    """
    plain = record.to_json()
    del plain["plan"]
    encode, raw = _msgspec()
    try:
        if _are_exact(record.events):
            return encode({**plain, "returns": raw(_encode(record.returns).encode())})
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass  # json may write it, and says what is wrong if it does not
    return _encode(plain).encode()


def events_text(events: Sequence[Event]) -> str:
    """Events as a record has them, as JSON; the same errors as ``record_bytes``."""
    return _encode(events)


@cache
def _msgspec() -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    """The encoder of msgspec, and what marks a part that is JSON already; loaded when it is first used."""
    import msgspec

    return msgspec.json.Encoder().encode, msgspec.Raw


def _are_exact(events: Sequence[tuple[Any, ...]]) -> bool:
    """Whether msgspec writes events as ``json`` does."""
    if not events:
        return True
    columns: Any = zip(*events, strict=True)  # looking at all events at once takes a third of the time
    _, _, kinds, players, data, audiences = columns
    if not (
        _TEXT.issuperset(map(type, kinds))
        and _PLAYER.issuperset(map(type, players))
        and _AUDIENCE.issuperset(map(type, audiences))
        and (not any(audiences) or _INTEGER.issuperset(map(type, _chained(filter(None, audiences)))))
    ):
        return False
    return _are_exact_data(data)


def _are_exact_data(data: Sequence[Any]) -> bool:
    """Whether msgspec writes the data of events as ``json`` does."""
    return (
        _TABLE.issuperset(map(type, data))
        and _TEXT.issuperset(map(type, _chained(data)))
        and _LEAVES.issuperset(map(type, _chained(map(_values, data))))
    ) or all(map(_is_exact, data))


def _is_exact(value: object) -> bool:
    """Whether a value is made of nothing but types that msgspec writes as ``json`` does.

    Floats are not among them, and subclasses, sets, dates and attrs classes are written where ``json`` refuses them.
    """
    kind = type(value)
    if kind is dict:
        items = cast("dict[Any, Any]", value)
        if not _TEXT.issuperset(map(type, items)):
            return False
        return _LEAVES.issuperset(map(type, items.values())) or all(map(_is_exact, items.values()))
    if kind is list or kind is tuple:
        items = cast("list[Any]", value)
        return _LEAVES.issuperset(map(type, items)) or all(map(_is_exact, items))
    return kind in _LEAVES


UNDECIDED: Final = -2
"""The winner of a match that a limit cut off before anybody was given a return, where nobody is at fault."""


@attrs.frozen(kw_only=True)
class MatchSummary:
    """One match that has ended, in short.

    ``winner`` is the player with the greatest return, ``None`` if several share it or there is no result, and
    negative (``UNDECIDED``) if a limit cut the match off before anybody was given a return and nobody is at fault;
    ``at_fault`` are the players who failed, as ``MatchRecord.at_fault`` says, ``refused`` those with an answer that
    was refused. ``turns`` counts actions that were played, ``substitutes`` those among them that no agent chose.
    Calls, tokens and dollars are the players', without what other runs paid; ``estimated_calls`` are those whose
    tokens are an estimate. ``started`` and ``ended`` are times in UTC, ``seconds`` what lay between them; ``None``
    if not known.
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
    at_fault: tuple[Player, ...] = ()
    refused: tuple[Player, ...] = ()

    @property
    def tokens(self) -> int:
        """The tokens of prompts and completions."""
        return self.prompt_tokens + self.completion_tokens

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> "MatchSummary":
        """Create a summary from the columns of its row."""
        values = dict(zip(_FIELDS, row, strict=True))
        values["agents"], values["ending"] = tuple(json.loads(values["agents"])), Ending(values["ending"])
        values |= {name: tuple(json.loads(values[name])) for name in ("at_fault", "refused")}
        return cls(**values)


_FIELDS = tuple(field.name for field in attrs.fields(MatchSummary))


def summary_row(record: MatchRecord, started: datetime | None = None, ended: datetime | None = None) -> tuple[Any, ...]:
    """The columns of a match's summary, as the fields of ``MatchSummary`` are ordered, from what its record holds.

    Usage is not part of a record and stays 0; times are known to whoever played the match. The row is made without the
    object, which would take longer than writing a short match down.
    """
    played = substitutes = 0
    refused: list[int] = []
    for _, source, kind, player, data, _ in record.events:
        if source != "referee":
            continue
        if kind == "played":
            played += 1
            substitutes += cast("Mapping[str, Any]", data)["by"] != "agent"
        elif kind == "refused":
            refused.append(cast("int", player))
    plan = record.plan
    about = (plan.id, plan.game, _text(plan.agents), plan.pairing, str(record.ending), _winner(record))
    who = _text(record.at_fault), _text(tuple(sorted(set(refused))))
    return (*about, played, len(refused), substitutes, 0, 0, 0, 0, None, *_times(started, ended), *who)


def _times(started: datetime | None, ended: datetime | None) -> tuple[str | None, str | None, float | None]:
    """When a match was started and when it ended, as texts, and the seconds between."""
    return (
        None if started is None else started.isoformat(timespec="milliseconds"),
        None if ended is None else ended.isoformat(timespec="milliseconds"),
        None if started is None or ended is None else (ended - started).total_seconds(),
    )


@lru_cache(1_000)
def _text(values: tuple[str | int, ...]) -> str:
    return json.dumps(values, ensure_ascii=False)


@attrs.frozen(kw_only=True)
class PairingTotals:
    """How many matches of a game between ``agents``, by seat, had one ending, winner and players at fault.

    ``turns``, ``refusals`` and ``substitutes`` are sums over them.
    """

    game: str
    agents: tuple[str, ...]
    ending: Ending
    winner: int | None
    at_fault: tuple[Player, ...]
    matches: int
    turns: int
    refusals: int
    substitutes: int


def _winner(record: MatchRecord) -> int | None:
    if record.ending.is_result and record.is_blameless:
        return UNDECIDED
    if not record.returns or not record.ending.is_result:
        return None
    most = max(record.returns)
    return record.returns.index(most) if record.returns.count(most) == 1 else None


class EncodedMatch(NamedTuple):
    """The record of a match as bytes, and the columns of its summary; both travel between processes as they are.

    ``text`` is the record's JSON in UTF-8, without its plan. ``summary`` has the fields of ``MatchSummary``; what the
    match used is not in it, since the journal counts that.
    """

    text: bytes
    summary: tuple[Any, ...]

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.summary[0]

    @property
    def ending(self) -> Ending:
        """How the match ended."""
        return Ending(self.summary[4])

    @classmethod
    def of(cls, record: MatchRecord, started: datetime | None = None) -> "EncodedMatch":
        """Encode a match that has just ended and was ``started`` at that time.

        A record that holds something that is no JSON becomes a failed one that says what.
        """
        ended = None if started is None else datetime.now(UTC)
        try:
            return cls(record_bytes(record), summary_row(record, started, ended))
        except (TypeError, ValueError, RecursionError) as error:
            reason = record_fault(record.game, record.events) or f"it cannot be written down as JSON: {error}"
            failed = MatchRecord(
                plan=record.plan, seats=(), ending=Ending.FAILED, returns=None, failure=Failure(reason)
            )
            return cls(record_bytes(failed), summary_row(failed, started, ended))

    @classmethod
    def by_rules(
        cls,
        plan: MatchPlan,
        turns: int,
        seats: tuple[str, ...],
        returns: tuple[float, ...],
        steps: int,
        events: Sequence[tuple[Any, ...]],
        happened: Sequence[Any],
        started: datetime | None,
    ) -> "EncodedMatch | None":
        """What ``of`` makes of a match that ended by its rules, without making its record; ``None`` if it cannot.

        ``events`` are the fields of ``Event``; each of the ``turns`` is an agent's own, and none of its tries was
        refused. ``happened`` are the data of the game's events; all else in them is made of texts and whole numbers.
        """
        encode, raw = _msgspec()
        try:
            if not _are_exact_data(happened):
                return None
            earned = raw(_encode(returns).encode())
            text = encode(
                {
                    "seats": seats,
                    "ending": "rules",
                    "returns": earned,
                    "gone": (),
                    "waves": steps,
                    "events": events,
                    "failure": None,
                }
            )
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None
        times = _times(started, None if started is None else datetime.now(UTC))
        most = max(returns)
        winner = returns.index(most) if returns.count(most) == 1 else None
        about = (plan.id, plan.game, _text(plan.agents), plan.pairing, "rules", winner)
        return cls(text, (*about, turns, 0, 0, 0, 0, 0, 0, None, *times, _text(()), _text(())))

    def record(self, plan: MatchPlan) -> MatchRecord:
        """The record again, for whoever reads it before it is in the journal."""
        return record_from({**json.loads(self.text), "plan": {**plan.to_json(), "agents": [*plan.agents]}})


def record_fault(game: str, events: Sequence[Event]) -> str | None:
    """Which of the events of a record cannot be written, and why; ``None`` if all can."""
    for event in events:
        owner = f"game {game!r}: the event {event.kind!r}" if event.source == "game" else f"the event {event.kind!r}"
        if fault := json_fault(event.kind) or json_fault(event.data):
            return f"{owner} {shown(event.data)} after step {event.step}: no JSON value: {fault}"
    return None
