"""What a journal keeps of an answer from outside, and how its JSON texts are read and checked."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import NoneType
from typing import Any, Final, Literal, TypeVar, cast

import attrs
from arena.agent import RefusalKind
from arena.errors import JournalError
from arena.record import Ending, Event, Failure, MatchPlan, MatchRecord

from arena_engine.foundation.json_values import Exactly, fits, shaped, shortened
from arena_engine.journal.packing import PLAIN


@attrs.frozen(kw_only=True)
class JournalEntry:
    """One answer from outside, as it is stored in the journal.

    ``scope`` says where in the match it was needed: ``player/turn/try/branch…/number`` for an agent's completions.
    ``kind`` is ``completion``, ``cached`` (a completion that another run paid for), ``once`` (any other input),
    ``late`` (the try ran out of time at this point) or ``left`` (the player got up at this point). ``request_hash``
    identifies the request; ``request`` and ``value`` are JSON texts. Tokens and cost stand in ``value`` as the provider
    said them, and here so that SQL can sum them.

    ``counted`` says whose the tokens of a completion are: the ``provider``'s, the ``larger`` of its total and the sum
    of its parts where they differ, or ``estimated`` from above where it gave no count that can be true; ``unknown`` in
    older runs, ``""`` for what is no completion. ``is_doubtful``, which is not stored, says that other answers of its
    match were lost, so that the match may not come to this question again.
    """

    match: str
    scope: str
    kind: Literal["completion", "cached", "once", "late", "left"]
    request_hash: str = ""
    request: str = ""
    value: str = "null"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    counted: Literal["provider", "larger", "estimated", "unknown", ""] = ""
    is_doubtful: bool = False

    def to_row(self) -> tuple[Any, ...]:
        """The columns of its row in the journal."""
        cost = None if self.cost_usd is None else float(self.cost_usd)
        return (
            *(self.match, self.scope, self.kind, self.request_hash, PLAIN, self.request, self.value),
            *(self.prompt_tokens, self.completion_tokens, cost, self.counted),
        )

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> "JournalEntry":
        """Create an entry from the columns of its row."""
        match, scope, kind, request_hash, _, request, value, prompt, completion, cost, counted = row
        return cls(
            match=match,
            scope=scope,
            kind=kind,
            request_hash=request_hash,
            request=request,
            value=value,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost_usd=cost,
            counted=counted,
        )


@attrs.frozen
class Reservation:
    """What one call to a model may use at most, written before it is sent and removed when it is answered or refused.

    ``number`` counts the calls of one scope. One that stays was sent and never answered.
    """

    match: str
    scope: str
    number: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


T = TypeVar("T")

LEVELS: Final = 200
"""How deep lists and tables may lie in each other in a journal; more than a benchmark's, for what games add."""

_STEPS_WITHOUT_EVENTS: Final = 100
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKET: Final = re.compile(r"[^\[\]{}]+")


def parsed(text: Any, what: str, make: Callable[[Any], T] = lambda raw: raw) -> T:
    """Make something of a JSON text; ``JournalError`` says that ``what`` is of another shape, and why."""
    try:
        if _is_too_deep(text):
            raise ValueError(f"it has more than {LEVELS} levels")
        return make(json.loads(text))
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
        why = f"no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
        raise JournalError(
            f"{what} is of another shape than Arena writes ({shortened(why)}); "
            "this is no run of Arena, or a damaged one"
        ) from None


def ending_from(word: str) -> Ending:
    """The ending of this name; ``JournalError`` if there is none."""
    return _ENDINGS.get(word) or parsed(f'"{word}"', "an ending", Ending)


def plan_from(text: str) -> MatchPlan:
    """Create a plan from its JSON text; ``JournalError`` if it is of another shape."""
    return parsed(text, "a plan", shaped(_PLAN, "plan", MatchPlan.from_json))


def record_of(plan: MatchPlan, text: str) -> MatchRecord:
    """Create the record of a planned match from its JSON text; ``JournalError`` if it is of another shape."""
    if not _is_too_deep(text):
        with suppress(TypeError, ValueError, RecursionError):
            record = _record_decoder()(plan, text)
            _check_numbers(record)
            if _are_sound(record.events, len(record.agents), record.steps):
                return record
    whole = {**plan.to_json(), "agents": [*plan.agents]}
    return parsed(text, "a record", lambda raw: record_from({**raw, "plan": whole}))


@cache
def _record_decoder() -> Callable[[MatchPlan, str], MatchRecord]:
    """What reads records and most of their shape, in a third of the time; loaded when it is needed."""
    import msgspec

    players, number = tuple[int, ...], int | float
    event = tuple[int, Literal["game", "referee"], str, int | None, Any, players | None]
    fields = [
        *(("seats", tuple[str, ...]), ("ending", Ending), ("returns", tuple[number, ...] | None)),
        ("forfeited", players, msgspec.field(name="gone")),
        ("steps", int, msgspec.field(name="waves")),
        *(("events", list[event]), ("failure", list[str] | None)),
    ]
    decode = cast("Callable[[str], Any]", msgspec.json.Decoder(msgspec.defstruct("Record", fields)).decode)

    def record(plan: MatchPlan, text: str) -> MatchRecord:
        raw = decode(text)
        return MatchRecord(
            plan=plan,
            seats=raw.seats,
            ending=raw.ending,
            returns=raw.returns,
            forfeited=raw.forfeited,
            steps=raw.steps,
            events=tuple(map(Event._make, raw.events)),
            failure=raw.failure and Failure(*raw.failure),
        )

    return record


def record_from(raw: Any) -> MatchRecord:
    """Create a record from its JSON; ``ValueError`` or ``LookupError`` if it is of another shape."""
    fits(raw, _RECORD, "record")
    return _checked_record(MatchRecord.from_json(raw))


def _checked_record(record: MatchRecord) -> MatchRecord:
    _check_numbers(record)
    for event in record.events:
        _check_event(event, range(len(record.agents)))
    if any(not 0 <= event.step <= record.steps for event in record.events):
        raise ValueError("record: it has an event of a step that nobody has played")
    return record


def _check_numbers(record: MatchRecord) -> None:
    players = range(len(record.agents))
    if not players or len(record.seats) not in (0, len(players)):
        raise ValueError(f"record: {len(record.seats)} seats for {len(players)} agents")
    if record.returns is not None and len(record.returns) != len(players):
        raise ValueError(f"record: {len(record.returns)} returns for {len(players)} agents")
    if any(player not in players for player in record.forfeited):
        raise ValueError("record: somebody has forfeited who does not play")
    # A step may leave no event, where only players act who are out; but nobody plays so many of them.
    if not 0 <= record.steps <= _STEPS_WITHOUT_EVENTS * (len(record.events) + 1):
        raise ValueError(f"record: it counts {record.steps} steps, and has {len(record.events)} events")


def _are_sound(events: Sequence[Event], players: int, steps: int) -> bool:
    """Whether events whose types are right are what Arena writes; ``_check_event`` says what is wrong with others."""
    for step, source, kind, who, data, to in events:
        if not 0 <= step <= steps or (who is not None and not 0 <= who < players):
            return False
        if to and not 0 <= min(to) <= max(to) < players:
            return False
        if source == "referee" and kind in _REFEREE and not (kind == "played" and _is_action(data) and who is not None):
            try:
                _check_event(Event(step, source, kind, who, data, to), range(players))
            except ValueError:
                return False
    return True


def events_from(raw: Any, players: int) -> list[Event]:
    """Create the events of a match that is not over from their JSON; the same errors as ``record_from``."""
    fits(raw, _RECORD["events"], "events")
    events = [Event.from_json(each) for each in raw]
    for event in events:
        _check_event(event, range(players))
    return events


def entry_from(row: Sequence[Any]) -> JournalEntry:
    """Create an entry from its row; ``JournalError`` if a column is of another kind."""
    entry = JournalEntry.from_row(row)
    plain = {name: getattr(entry, name) for name in _ENTRY_FIELDS}
    parsed("null", _called(entry), lambda _: fits(plain, _ENTRY, "answer"))
    return entry


def checked_entry(entry: JournalEntry) -> JournalEntry:
    """Return the entry; ``JournalError`` if its request or its value is of another shape."""
    if entry.kind in ("completion", "cached"):
        parsed(entry.request, _called(entry), shaped(REQUEST, "request"))
        parsed(entry.value, _called(entry), shaped(COMPLETION, "completion"))
    elif entry.kind == "once":
        parsed(entry.value, _called(entry))
    return entry


def _called(entry: JournalEntry) -> str:
    return f"an answer of match {shortened(repr(entry.match))}"


_ENDINGS: Final = {str(ending): ending for ending in Ending}
_PLAN: Final = {
    "id": str,
    "game": str,
    "agents": [str],
    "pairing": str,
    "repeat": int,
    "rotation": int,
    "chance_seed": int,
}
_RECORD: Final = {
    "plan": _PLAN,
    "seats": [str],
    "ending": frozenset(map(str, Ending)),
    "returns": (NoneType, [float]),
    "gone": [int],
    "waves": int,
    "events": [[object]],
    "failure": (NoneType, [str]),
}
_TRY: Final = {"turn": int, "try": int, "label?": str, "text?": str, "reasoning?": str}
_KINDS: Final = frozenset(map(str, RefusalKind))
_REFEREE: Final[Mapping[str, Any]] = {
    "played": {**_TRY, "action": object, "by": str},
    "withheld": {**_TRY, "action": object, "by": str},
    "refused": {**_TRY, "kind": _KINDS, "reason": str},
    "queried": {"name": str, "reasoning?": str},
    "gone": {"kind": _KINDS | {"left"}},
    "rewarded": [float],
}

_ACTION: Final = frozenset({"action", "turn", "try", "by", "label"})

_ENTRY_FIELDS: Final = tuple(field.name for field in attrs.fields(JournalEntry) if field.name != "is_doubtful")
_ENTRY: Final = {
    **dict.fromkeys(("match", "scope", "request_hash", "request", "value"), str),
    "kind": frozenset({"completion", "cached", "once", "late", "left"}),
    **dict.fromkeys(("prompt_tokens", "completion_tokens"), int),
    "cost_usd": (NoneType, float),
    "counted": frozenset({"provider", "larger", "estimated", "unknown", ""}),
}

HEADER: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("id", "name", "created", "core", "python", "platform"), str),
    "seed": int,
    "benchmark": (NoneType, {"games?": {}, "agents?": {}, "name?": str}),
    "provenance": [dict.fromkeys(("kind", "name", "dist", "version"), str)],
    "unpaired?": [[str, str]],
}
"""The shape of a header."""

REQUEST: Final = {"messages": [{"role": str, "parts": [(str, {"media_type": str, "alternative": str})]}]}
"""The shape of a request."""

COMPLETION: Final = Exactly(
    {
        "text": str,
        "usage": [int, int, (NoneType, int), (NoneType, int)],
        "finish_reason": str,
        "finish_word?": str,
        "difference?": int,
        "reasoning?": str,
        "model?": str,
        "fingerprint?": (NoneType, str),
        "cost_usd?": (NoneType, float),
        "tool_calls?": [[str, str, str]],
        "logprobs?": object,
        "received?": str,
        "first_token_s?": (NoneType, float),
        "sent_as?": [str],
    }
)
"""The shape of a completion."""

MEASUREMENTS: Final = [
    Exactly(
        {
            "name": str,
            "value": (NoneType, bool, float, str),
            "player": (NoneType, int),
            "turn": (NoneType, int),
            "detail": object,
        }
    )
]
"""The shape of what a judge has measured."""


_RANGE: Final = Exactly(dict.fromkeys(("low", "likely", "high"), float))
_FORECAST: Final = Exactly(
    {
        "matches": int,
        **dict.fromkeys(("decisions", "calls", "prompt_tokens", "seconds"), _RANGE),
        "completion_tokens": (NoneType, float),
        "cost_usd": (NoneType, _RANGE),
    }
)
KEPT_DICTIONARY: Final = Exactly({"of": str, "text": str})
"""The shape of a dictionary by which texts are packed."""

SENT_BATCH: Final = Exactly({"began": str, "id": str, "lines": [[str, str, str]]})
"""The shape of a batch that was sent."""

METADATA: Final[Mapping[str, Any]] = {
    "seconds": [float],
    "estimate": _FORECAST,
    "repaired": [str],
    "watched": [str],
    "packing": str,
    "planned": int,
}
"""The shapes of what is kept about a whole run, by key; a key that is not here may hold anything."""


def _check_event(event: Event, players: range) -> None:
    step, source, named, who, data, to = event
    kind: Any = named
    if not isinstance(kind, str) or source not in ("game", "referee") or type(step) is not int:
        raise ValueError("record: an event without step, source and kind")
    if who is not None and (type(who) is not int or who not in players):
        raise ValueError(f"record: an event of player {shortened(repr(who))}, who does not play")
    if to is not None and any(type(player) is not int or player not in players for player in to):
        raise ValueError("record: an event for somebody who does not play")
    if source == "referee" and kind in _REFEREE:
        fits(data, _REFEREE[kind], f"record: what the referee notes as {kind!r}")
        if who is None and kind != "rewarded":
            raise ValueError(f"record: nobody is named in what the referee notes as {kind!r}")
        if kind == "rewarded" and len(cast("list[Any]", data)) != len(players):
            raise ValueError("record: rewards for another number of players")


def _is_action(data: Any) -> bool:
    """Whether this is what the referee notes of an action that was played with a label and no text, as most are."""
    if type(data) is not dict:
        return False
    noted = cast("dict[Any, Any]", data)
    return (
        _ACTION.issuperset(noted)
        and "action" in noted
        and type(noted.get("turn")) is int
        and type(noted.get("try")) is int
        and type(noted.get("by")) is str
        and type(noted.get("label", "")) is str
    )


def _is_too_deep(text: Any) -> bool:
    """Whether brackets lie deeper in each other than ``LEVELS``, told without parsing the text."""
    if not isinstance(text, str) or text.count("[") + text.count("{") <= LEVELS:
        return False
    left = _NO_BRACKET.sub("", _STRING.sub("", text))
    for _ in range(LEVELS):
        if not left:
            return False
        left = left.replace("[]", "").replace("{}", "")
    return bool(left)
