"""Which matches are asked for: by game, agent, ending, by what they had, and by text in labels and reasons."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
from arena.record import Ending, MatchRecord, visible
from arena.turns import turns
from arena_engine import Journal, MatchFilter, matching_ids

from arena_web.foundation.errors import bad_input

HAS: Final[Mapping[str, str]] = {
    "refusal": "has_refusals",
    "substitute": "has_substitutes",
    "forfeit": "is_forfeited",
    "refused-winner": "has_refused_winner",
}
"""What a match may have had, by the word for it."""

RESULTS: Final = ("won", "lost", "drawn")
"""What may have come of a match; won and lost are so for an agent that is named."""

HITS: Final = 3
"""Of no match are more places told."""

AROUND: Final = 60
"""So many characters before and behind what was sought are told."""

LONGEST: Final = 200
"""Nothing longer is sought."""


def match_filter(query: Mapping[str, Any]) -> MatchFilter:
    """The filter that ``game``, ``agent``, ``ending``, ``result`` and ``has`` make, each a text that may be empty."""
    has = [word for word in str(query.get("has") or "").split(",") if word]
    for word in has:
        if word not in HAS:
            raise bad_input("has", f"no such thing as {word[:80]!r}", f"there is: {', '.join(HAS)}")
    flags: dict[str, Any] = {**{HAS[word]: True for word in has}, **_result(query)}
    return MatchFilter(
        games=tuple(filter(None, (str(query.get("game") or ""),))),
        agents=tuple(filter(None, (str(query.get("agent") or ""),))),
        endings=tuple(_ending(word) for word in str(query.get("ending") or "").split(",") if word),
        **flags,
    )


def _result(query: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields ``result`` and ``agent`` ask of who won."""
    word, agent = str(query.get("result") or ""), str(query.get("agent") or "")
    if word and word not in RESULTS:
        raise bad_input("result", f"no such result as {word[:80]!r}", f"there is: {', '.join(RESULTS)}")
    if word in ("won", "lost") and not agent:
        raise bad_input("result", f"{word} by nobody that is named", "name an `agent` as well")
    return {"is_drawn": True} if word == "drawn" else {f"{word}_by": agent} if word else {}


def sought_text(query: Mapping[str, Any]) -> str:
    """The text that is sought, as it is compared; an answer of 400 where it is too long."""
    text = str(query.get("text") or "").strip()
    if len(text) > LONGEST:
        raise bad_input("text", f"more than {LONGEST} characters", "a part of it is enough")
    return text.casefold()


def _ending(word: str) -> Ending:
    try:
        return Ending(word)
    except ValueError:
        raise bad_input(
            "ending", f"no such ending as {word[:80]!r}", f"there is: {', '.join(map(str, Ending))}"
        ) from None


@attrs.frozen
class Hit:
    """Where a text was found: in which turn, counted from 0, or in none of them; in what, and what stands around it."""

    turn: int | None
    kind: str
    text: str


def hits_of(record: MatchRecord, sought: str) -> list[Hit]:
    """The first places of a match whose label or reason holds a text, which is in lower case."""
    if not any(sought in text.casefold() for text in _texts(record)):
        return []  # told apart by turns only where there is something
    found: list[Hit] = []
    for turn in turns(record):
        for each in turn.tries:
            for kind in ("label", "reason"):
                if sought in (text := visible(str(each.data.get(kind, "")))).casefold():
                    found.append(Hit(turn.number - 1, kind, _around(text, sought)))
    reason = record.failure.reason if record.failure else ""
    if sought in reason.casefold():
        found.append(Hit(None, "reason", _around(visible(reason), sought)))
    return found[:HITS]


def _texts(record: MatchRecord) -> Iterator[str]:
    for event in (*record.played(), *record.refused()):
        data: Any = event.data
        yield from (visible(str(data[kind])) for kind in ("label", "reason") if kind in data)
    if record.failure:
        yield record.failure.reason


def _around(text: str, sought: str) -> str:
    place = text.casefold().find(sought)
    begin, end = max(0, place - AROUND), place + len(sought) + AROUND
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def filtered_records(journal: Journal, wanted: MatchFilter, sought: str) -> Iterator[MatchRecord]:
    """The records of the matches that a filter leaves, in the order of the plan; of the others none is read."""
    if wanted == MatchFilter():
        records = journal.records()
    else:
        ids = matching_ids(journal, wanted)
        found = (journal.record_of(id_) for id_ in journal.match_ids() if id_ in ids)
        records = (record for record in found if record is not None)
    return (record for record in records if not sought or hits_of(record, sought))
