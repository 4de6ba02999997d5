"""Converts match records to the texts that a journal keeps, and says what in a record cannot be kept."""

from arena.record import Ending, Failure, MatchRecord, encoder

_encode = encoder(allow_nan=False)


def record_text(record: MatchRecord) -> str:
    """A record as the journal keeps it: as JSON and without its plan, which stands in a table of its own.

    Raises ``TypeError``, ``ValueError`` or ``RecursionError`` if something in it is no JSON.
    """
    plain = record.to_json()
    del plain["plan"]
    return _encode(plain)


def unrecordable(record: MatchRecord, error: Exception) -> MatchRecord:
    """The record of a match that failed because something in ``record`` cannot be kept; its failure says what."""
    what = next((each for each in _parts(record) if _reason(each[1])), ("the record", None))
    reason = f"game {record.game!r}: {what[0]} cannot be recorded: {_reason(what[1]) or error}"
    return MatchRecord(plan=record.plan, seats=(), ending=Ending.FAILED, returns=None, failure=Failure(reason))


def _parts(record: MatchRecord) -> "list[tuple[str, object]]":
    agents = record.agents
    events = [
        (
            f"the event {event.kind!r} after step {event.step}"
            + ("" if event.player is None else f", of agent {agents[event.player]!r},"),
            event.data,
        )
        for event in record.events
    ]
    return [*events, ("the list of returns", record.returns), ("the list of seats", record.seats)]


def _reason(value: object) -> str:
    """Why a value is no JSON that can be kept, or ``""``."""
    try:
        _encode(value).encode()
    except UnicodeEncodeError:
        return "a text in it holds half of a surrogate pair, which is no character; give whole characters"
    except ValueError as error:
        if "digits" in str(error):
            return "a whole number in it has more than 4,300 digits; give it as a text"
        if "Circular" in str(error):
            return "it contains itself; give a copy that ends"
        return "a number in it is not finite; give null instead"
    except TypeError as error:
        return f"it is no JSON ({error})"
    except RecursionError:
        return "it is nested too deeply; give less than 1,000 levels"
    return ""
