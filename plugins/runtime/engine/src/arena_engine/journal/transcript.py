"""Splits a recorded match into turns, with the journal's entries for each try."""

from collections.abc import Iterable

import attrs
from arena.record import MatchHistory
from arena.turns import Try, Turn, turns

from arena_engine.journal.entries import JournalEntry
from arena_engine.journal.stored_json import checked_entry


@attrs.frozen(kw_only=True)
class TranscriptTry(Try):
    """One answer of an agent, and the journal's entries that led to it: completions and other input from outside."""

    answers: tuple[JournalEntry, ...] = ()


@attrs.frozen(kw_only=True)
class TranscriptTurn(Turn):
    """One player's turn, each try with its journal entries."""

    tries: tuple[TranscriptTry, ...]


def transcript(record: MatchHistory, answers: Iterable[JournalEntry] = ()) -> tuple[TranscriptTurn, ...]:
    """The turns of a match with the journal's entries of that match, each beside the try it belongs to."""
    by_try: dict[str, list[JournalEntry]] = {}
    for answer in map(checked_entry, answers):
        by_try.setdefault("/".join(answer.scope.split("/")[:3]), []).append(answer)

    def of_try(turn: Turn, tried: Try) -> TranscriptTry:
        scope = f"{turn.player}/{turn.turn}/{tried.data['try']}"
        return TranscriptTry(event=tried.event, answers=tuple(by_try.get(scope, ())))

    return tuple(
        TranscriptTurn(
            number=turn.number,
            step=turn.step,
            player=turn.player,
            turn=turn.turn,
            tries=tuple(of_try(turn, tried) for tried in turn.tries),
            queries=turn.queries,
        )
        for turn in turns(record)
    )
