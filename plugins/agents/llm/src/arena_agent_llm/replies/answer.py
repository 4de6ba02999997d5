"""Turns a completion into an action, a look-up or a refusal; never raises, whatever a model says."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from arena.agent import LAST_OF_SEVERAL, Refusal, RefusalKind, Reply
from arena.backend import Completion
from arena.game import Decision, Illegal, Option
from arena.record import JSON, Action, canonical_json

from arena_agent_llm.outcomes import OBJECT, AnswerShape, KeyValue, QueryCall, Takes, Understood
from arena_agent_llm.replies.asked import Asked
from arena_agent_llm.replies.reader import Answer, Reading


def understand(
    completion: Completion,
    decision: Decision,
    *,
    is_lenient: bool,
    may_look_up: bool,
    is_numbered: bool = False,
    shape: AnswerShape = OBJECT,
    takes: Takes = "one",
    options: Sequence[Option] | None = None,
) -> Understood:
    """Interpret a completion as an action, a query or a refusal.

    ``may_look_up`` allows an answer ``{"query": …}``; ``is_numbered`` says that actions were listed with numbers.
    ``shape`` says what is the action. ``is_lenient`` also reads a label that is the last line. ``takes`` says what
    happens to several answers. ``options`` are those of the decision, if somebody has read them already.
    """
    options = options or decision.options
    read: dict[str, Action | Illegal] = {}

    def interpret(value: JSON) -> Action | Illegal:
        written = canonical_json(value)
        if written not in read:
            read[written] = decision.interpret(value, is_numbered=is_numbered)
        return read[written]

    def resolve(value: JSON) -> JSON:
        found = interpret(value)
        return value if isinstance(found, Illegal) else found

    asked = Asked(
        keys=_keys(decision, shape),
        form=shape.form,
        may_look_up=may_look_up,
        takes=takes,
        resolve=resolve,
        options=() if options is None else options,
    )
    reading = Reading(completion, asked)
    found = reading.answer()
    if is_lenient and isinstance(found, Refusal) and reading.is_prose and (label := reading.lenient()) is not None:
        reasoning = "\n\n".join(part for part in (reading.thought, reading.text) if part)
        found = Answer(value=label, reasoning=reasoning, form="lenient")
    if not isinstance(found, Answer):
        return found
    if isinstance(action := interpret(found.value), Illegal):
        return reading.refuse(RefusalKind(action.kind), action.reason)
    form = LAST_OF_SEVERAL if found.is_last_of_several else found.form
    return Reply(action=action, reasoning=found.reasoning, note={"answer": form})


def read_value(completion: Completion, key: str, *, may_look_up: bool) -> KeyValue | QueryCall | Refusal:
    """Return what stands under ``key``, which is also the name of the tool; prose without an object counts too."""
    reading = Reading(completion, Asked(keys=(key,), tool=key, may_look_up=may_look_up))
    found = reading.answer()
    if isinstance(found, Answer):
        return KeyValue(found.value)
    return KeyValue(reading.text, is_prose=True) if isinstance(found, Refusal) and reading.is_prose else found


def object_in(completion: Completion, keys: Sequence[str]) -> tuple[Mapping[str, JSON], str]:
    """Return the object that was answered and holds one of ``keys``; or an empty one and why it cannot be trusted."""
    found = read_object(completion, keys)
    return ({}, found.reason) if isinstance(found, Refusal) else (found, "")


def read_object(completion: Completion, keys: Sequence[str]) -> Mapping[str, JSON] | Refusal:
    """Return the object that was answered and holds one of ``keys``, or the refusal that says why there is none."""
    reading = Reading(completion, Asked(keys=tuple(keys), form="action"))
    found = reading.answer()
    if isinstance(found, Refusal) and found.kind is RefusalKind.TRUNCATED:
        return attrs.evolve(found, reason="truncated")
    if isinstance(found, Refusal):
        return found
    assert isinstance(found, Answer)  # no look-up was offered
    assert isinstance(found.value, Mapping)
    return found.value


def _keys(decision: Decision, shape: AnswerShape) -> tuple[str, ...]:
    """The keys that an answer may hold, of which it holds one."""
    if shape.form not in ("action", "fields"):
        return (shape.key,)
    if decision.options is not None:
        actions = (action for action in decision.options.actions if isinstance(action, Mapping))
        return tuple(sorted({str(key) for action in actions for key in action}))
    schema: Any = decision.action_schema
    properties: Any = schema.get("properties") if isinstance(schema, Mapping) else None
    return tuple(map(str, properties)) if isinstance(properties, Mapping) else ()
