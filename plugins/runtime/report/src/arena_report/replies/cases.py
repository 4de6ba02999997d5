"""Turns a recorded decision into a labelled reply, the form in which replies are kept to test how they are read."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, cast

import attrs
from arena.agent import LAST_OF_SEVERAL
from arena.backend import Completion
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena.game import Decision
from arena.record import JSON, MatchRecord
from arena_engine import Journal, open_parts, transcript
from arena_engine.journal import TranscriptTry, TranscriptTurn

from arena_report.replies.differences import completions, is_last_of_several, recorded_decision

_ID: Final = re.compile(r"(?P<match>\S.*?) turn (?P<turn>[1-9]\d{0,8})(?: try (?P<attempt>[1-9]\d{0,8}))?", re.ASCII)


@attrs.frozen
class _Asked:
    """What an ID asks for; ``said`` is how an error about it begins. Turn and try count from 1."""

    said: str
    match: str
    turn: int
    attempt: int | None


def case_of(journal: Journal, catalog: Catalog, wanted: str) -> dict[str, JSON]:
    """One decision of a run as a labelled reply, ready for ``json.dumps``.

    ``wanted`` is ``MATCH turn N``, as an audit lists decisions, with `` try N`` behind where several tries of that turn
    were answered by a model. The labels say that the reply is refused and nothing was meant, until a person has judged
    it. ``ConfigError`` if there is no such decision, no model answered it, or its actions cannot be listed.
    """
    asked = _parsed(journal, wanted)
    record = _record(journal, asked)
    found = transcript(record, journal.answers(record.id))
    if asked.turn > len(found):
        raise ConfigError(f"{asked.said}: match {record.id!r} has {len(found)} turns; `arena audit` lists decisions")
    turn = found[asked.turn - 1]
    attempt = _attempt(asked, turn)
    tried = turn.tries[attempt - 1]
    decision = recorded_decision(open_parts(journal, catalog).game(record.game), record, turn)
    return {
        "id": f"{record.id} turn {turn.number} try {attempt}",
        "category": _category(tried),
        "language": "",
        **_legal(asked, decision),
        **_written(_deciding(tried)),
        "meant": None,
        "strict": "refuse",
        "lenient": "refuse",
        "why": "",
    }


def _parsed(journal: Journal, wanted: str) -> _Asked:
    said = f"--as-case {wanted!r}"
    found = _ID.fullmatch(" ".join(wanted.split()))
    if found is None:
        raise ConfigError(
            f"{said}: no ID of a decision; expected 'MATCH turn N' or 'MATCH turn N try N', as "
            f"`arena audit {journal.directory}` lists them"
        )
    attempt = found["attempt"]
    return _Asked(said, found["match"], int(found["turn"]), int(attempt) if attempt else None)


def _record(journal: Journal, asked: _Asked) -> MatchRecord:
    plans = {plan.id for plan in journal.plans()}
    if asked.match not in plans:
        raise ConfigError(
            f"{asked.said}: no match {asked.match!r}; `arena audit {journal.directory}` lists decisions, and "
            f"`arena replay {journal.directory}` all matches"
        )
    record = journal.record_of(asked.match)
    if record is None:
        raise ConfigError(f"{asked.said}: the match is not finished; go on with `arena resume {journal.directory}`")
    return record


def _attempt(asked: _Asked, turn: TranscriptTurn) -> int:
    """The number of the try that is meant, from 1, which a model answered."""
    answered = [number for number, tried in enumerate(turn.tries, 1) if completions(tried)]
    if not answered:
        raise ConfigError(f"{asked.said}: no model answered in this turn, so there is no reply to show")
    if asked.attempt is None:
        if len(answered) > 1:
            raise ConfigError(
                f"{asked.said}: a model answered {len(answered)} tries of this turn; write which, as in "
                f"'{asked.match} turn {turn.number} try {answered[-1]}' (there is: {_listed(answered)})"
            )
        return answered[0]
    if asked.attempt not in answered:
        raise ConfigError(
            f"{asked.said}: no model answered try {asked.attempt} of this turn (there is: {_listed(answered)})"
        )
    return asked.attempt


def _legal(asked: _Asked, decision: Decision) -> dict[str, JSON]:
    if decision.options is None:
        raise ConfigError(f"{asked.said}: the actions of this decision are too many to list, so it cannot be a case")
    actions = list(decision.options.actions)
    labels: list[JSON] = [option.label for option in decision.options]
    return {"legal": actions} if labels == actions else {"legal": actions, "labels": labels}


def _category(tried: TranscriptTry) -> str:
    """How the reply was read: the kind of its refusal, ``last-of-several``, or ``played``."""
    if tried.is_refused:
        return str(tried.data["kind"])
    return LAST_OF_SEVERAL if is_last_of_several(tried) else "played"


def _deciding(tried: TranscriptTry) -> Completion:
    """The completion that states the action: the last one of the main line, or of the role that acted.

    Where an agent's only completions are those of branches, the record's note or the refused text tells which decided.
    """
    found = completions(tried)
    note = tried.data.get("note")
    role = cast("Mapping[str, JSON]", note).get("role") if isinstance(note, Mapping) else None
    text = tried.data.get("text")
    for branch in ("", role):
        if own := [completion for name, completion in found if name == branch]:
            return own[-1]
    said = [completion for _, completion in found if text and completion.text == text]
    return said[-1] if said else found[-1][1]


def _written(completion: Completion) -> dict[str, JSON]:
    written: dict[str, JSON] = {"reply": completion.text}
    if completion.reasoning:
        written["reasoning"] = completion.reasoning
    if completion.tool_calls:
        written["tool_calls"] = [{"name": call.name, "arguments": call.arguments} for call in completion.tool_calls]
    if completion.finish_reason != ("tool-calls" if completion.tool_calls else "stop"):
        written["finish"] = completion.finish_reason
    return written


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(f"try {number}" for number in numbers)
