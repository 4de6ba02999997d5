"""Converts plans and records of matches to the texts that a journal keeps."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final, cast

from arena.record import Event, MatchPlan, MatchRecord, encoder

_encode = encoder(allow_nan=False)

_TEXT: Final = frozenset({str})
_INTEGER: Final = frozenset({int})
_PLAYER: Final = frozenset({int, type(None)})
_AUDIENCE: Final = frozenset({tuple, type(None)})
_TABLE: Final = frozenset({dict})
_LEAVES: Final = frozenset({str, int, bool, type(None)})
_values: Final = dict[Any, Any].values
_chained: Final[Any] = chain.from_iterable


def plan_text(plan: MatchPlan) -> str:
    """A plan as the journal keeps it."""
    encode, _ = _msgspec()
    return encode(plan.to_json()).decode()


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


def _are_exact(events: Sequence[Event]) -> bool:
    """Whether msgspec writes events as ``json`` does."""
    if not events:
        return True
    columns: Any = zip(*events, strict=True)  # looking at all events at once takes a third of the time
    _, _, kinds, players, data, audiences = columns
    if not (
        _TEXT.issuperset(map(type, kinds))
        and _PLAYER.issuperset(map(type, players))
        and _AUDIENCE.issuperset(map(type, audiences))
        and _INTEGER.issuperset(map(type, _chained(filter(None, audiences))))
    ):
        return False
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
