"""One turn with everything that was asked and answered in it, for whoever may know that."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from arena.record import canonical_json
from arena.turns import Turn, turns
from arena_engine import Journal, JournalEntry, completion_from_text
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import not_found
from arena_web.foundation.kept_values import LongTexts
from arena_web.foundation.seeing import ALL, told_without_game
from arena_web.held.positions import Problem
from arena_web.held.run_state import open_run
from arena_web.matches.match_page import action_words, entries, number_of
from arena_web.matches.open_match import OpenMatch, open_match

LONGEST_PART: Final = 1_000_000
"""So many characters of a text are sent at once."""


async def turn(site: Site, asked: ApiRequest) -> Any:
    """One turn: what was asked, what was answered, how that was read, what was looked up, and what was told."""
    return await turn_of(site, await run_in_threadpool(open_match, site, asked), asked.path["turn"])


async def turn_of(site: Site, found: OpenMatch, name: str) -> Any:
    """One turn of an open match, by its number in an address."""
    number = number_of("turn", name)
    lines, _ = await entries(site, found)
    if number >= len(lines):
        raise not_found("turn", f"there is no turn {number}", f"there are {len(lines):,} turns")
    line = lines[number]
    if line.turn is None:
        empty: dict[str, Any] = {"asked": [], "asked_is_new_from": 0, "calls": [], "tries": [], "look_ups": []}
        read: dict[str, Any] = {"read_as": {"action": None, "refusal": None}, "worths": None, "notes": {}}
        return {"turn": number, "player": None, **empty, **read, "told": list(line.told)}
    told = await _told_after(site, found, line.turn)
    return {"turn": number, **await run_in_threadpool(_turn, site.texts, found, line.turn), "told": told}


async def text(site: Site, asked: ApiRequest) -> Any:
    """A part of a long text of a match."""
    return await text_of(site, await run_in_threadpool(open_match, site, asked), asked)


async def text_of(site: Site, found: OpenMatch, asked: ApiRequest) -> Any:
    """The part of a long text of an open match that a request names; none where not all of it may be seen."""
    begin, length = asked.query["from"], asked.query["length"]
    whole = await run_in_threadpool(_text, site, found, asked.path["digest"]) if found.view == ALL else None
    if whole is None:
        raise not_found("text", "this match has no text with this digest", "take the digest that a turn gives")
    return {"text": whole[begin : begin + length], "from": begin, "length": len(whole)}


def _text(site: Site, found: OpenMatch, digest: str) -> str | None:
    with open_run(found.run) as journal:
        match = found.place.id

        def search() -> Iterator[str]:
            for each in turns(found.history):
                for entry in journal.answers(match, f"{each.player}/{each.turn}"):
                    yield from _texts_of(entry)
                yield from (canonical_json(cast("Any", event.data)["answer"]) for event in each.queries)

        return site.texts.get((found.source.header, match), digest, search)


def _texts_of(entry: JournalEntry) -> Iterator[str]:
    if entry.kind == "once":
        yield entry.value
    if entry.kind not in ("completion", "cached"):
        return
    yield from (_message_text(message) for message in json.loads(entry.request)["messages"])
    completion = completion_from_text(entry.value)
    yield completion.text or completion.received
    yield completion.reasoning


async def _told_after(site: Site, found: OpenMatch, played: Turn) -> list[Any]:
    """What the view was told once the turn's step was applied; before the first one, what the match began with too."""
    timeline = await site.positions.timeline(found.source, found.view)
    if isinstance(timeline, Problem):
        words = await run_in_threadpool(_without_game, found)
        wanted = words[played.step + 1 : played.step + 2] if found.view == ALL else []
        return [{"text": line, "seen_by": []} for line in wanted if line]
    steps = (0, played.step + 1) if played.number == 1 else (played.step + 1,)
    return [told for position in timeline if position["step"] in steps for told in position["told"]]


def _without_game(found: OpenMatch) -> list[str]:
    with open_run(found.run) as journal:
        return told_without_game(journal, found.history, found.view)


def _turn(texts: LongTexts, found: OpenMatch, played: Turn) -> dict[str, Any]:
    with open_run(found.run) as journal:
        where = (journal.header.id, found.place.id)
        answers = journal.answers(found.place.id, f"{played.player}/{played.turn}")
        asked = _messages(answers)
        before = _messages(_answers_before(journal, found, played))
        notes = played.tries[-1].data.get("note")
        return {
            "player": played.player,
            "asked": [_message(texts, where, message) for message in asked],
            "asked_is_new_from": _equal(before, asked),
            "calls": [call_of(texts, where, entry) for entry in answers],
            "tries": [try_of(each.data, is_refused=each.is_refused) for each in played.tries],
            "read_as": {
                "action": action_words(played) or None,
                "refusal": _refusal(played.tries[-1].data) if played.tries[-1].is_refused else None,
            },
            "look_ups": [look_up_of(texts, where, event.data) for event in played.queries],
            "worths": _worths(notes),
            "notes": notes if isinstance(notes, Mapping) else {},
        }


def _answers_before(journal: Journal, found: OpenMatch, played: Turn) -> Sequence[JournalEntry]:
    """The answers of the same player's turn before."""
    earlier = [each for each in turns(found.history) if each.player == played.player and each.number < played.number]
    return journal.answers(found.place.id, f"{played.player}/{earlier[-1].turn}") if earlier else ()


def _messages(answers: Sequence[JournalEntry]) -> list[Any]:
    """The messages of the last prompt among answers, which is the longest of a conversation."""
    asked = [entry for entry in answers if entry.kind in ("completion", "cached")]
    return json.loads(asked[-1].request)["messages"] if asked else []


def _equal(before: Sequence[Any], after: Sequence[Any]) -> int:
    """How many messages at the beginning are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(before), len(after)))


def _message(texts: LongTexts, where: Any, message: Mapping[str, Any]) -> Any:
    images = sum(not isinstance(part, str) for part in message["parts"])
    return {"role": message["role"], "text": texts.cut(where, _message_text(message)), "images": images}


def _message_text(message: Mapping[str, Any]) -> str:
    return "".join(p if isinstance(p, str) else f"[{p['media_type']}: {p['alternative']}]" for p in message["parts"])


def call_of(texts: LongTexts, where: Any, entry: JournalEntry) -> Any:
    """A call of a model, or another input from outside, as it is sent."""
    try_ = (*entry.scope.split("/"), "", "", "")[2]
    base: dict[str, Any] = {"try": try_, "scope": entry.scope, "request_hash": entry.request_hash, "seconds": None}
    empty: dict[str, Any] = {"model": "", "sampling": {}, "tokens": None, "reasoning": None, "tool_calls": []}
    if entry.kind not in ("completion", "cached"):
        kind = {"once": "input"}.get(entry.kind, entry.kind)
        value = entry.value if entry.kind == "once" else ""
        return {**base, "kind": kind, **empty, "cost": None, "answer": texts.cut(where, value)}
    completion, request = completion_from_text(entry.value), json.loads(entry.request)
    return {
        **base,
        "kind": "asked" if entry.kind == "completion" else "cached",
        "model": completion.model,
        "sampling": request.get("sampling", {}),
        "tokens": {"prompt": entry.prompt_tokens, "completion": entry.completion_tokens, "counted": entry.counted},
        "cost": entry.cost_usd,
        "answer": texts.cut(where, completion.text or completion.received),
        "reasoning": texts.cut(where, completion.reasoning) if completion.reasoning else None,
        "tool_calls": [{"name": call.name, "arguments": call.arguments[:2_000]} for call in completion.tool_calls],
        "finish_reason": completion.finish_reason,
    }


def try_of(data: Mapping[str, Any], *, is_refused: bool) -> Any:
    """A try as it is sent: the action, or why it was refused."""
    return {
        "try": str(data.get("try", "")),
        "action": None if is_refused else data.get("label", canonical_json(data["action"])),
        "refusal": _refusal(data) if is_refused else None,
        "reasoning": str(data.get("reasoning") or "")[:2_000] or None,
    }


def _refusal(data: Mapping[str, Any]) -> Any:
    return {"kind": data["kind"], "reason": data["reason"]}


def look_up_of(texts: LongTexts, where: Any, data: Any) -> Any:
    """A look-up with its answer as it is sent."""
    answer = texts.cut(where, canonical_json(data.get("answer")))
    return {"query": data.get("name"), "arguments": data.get("arguments"), "answer": answer}


def _worths(note: Any) -> Any:
    found = cast("Mapping[str, Any]", note).get("worths") if isinstance(note, Mapping) else None
    pairs = cast("Iterable[tuple[Any, ...]]", found) if isinstance(found, list) else ()
    return [{"action": action, "worth": worth} for action, worth, *_ in pairs] or None
