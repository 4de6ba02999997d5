"""Converts match records to the texts that a journal keeps."""

from collections.abc import Sequence

from arena.record import Event, MatchRecord, encoder

_encode = encoder(allow_nan=False)


def record_text(record: MatchRecord) -> str:
    """A record as the journal keeps it: as JSON and without its plan, which stands in a table of its own.

    Raises ``TypeError``, ``ValueError`` or ``RecursionError`` if something in it is no JSON.
    """
    plain = record.to_json()
    del plain["plan"]
    return _encode(plain)


def events_text(events: Sequence[Event]) -> str:
    """Events as a record has them, as JSON; the same errors as ``record_text``."""
    return _encode(events)
