"""The JSON schema of an answer, for constrained decoding and for tools."""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.backend import Tool
from arena.game import Decision, Option
from arena.record import JSON

from arena_agent_llm.outcomes import LOOK_UP, OBJECT, PLAY, AnswerShape

_DEFINITIONS = ("$defs", "definitions")


def answer_schema(
    decision: Decision,
    *,
    reasoning_limit: int | None,
    may_look_up: bool,
    is_numbered: bool,
    shape: AnswerShape = OBJECT,
    options: Sequence[Option] | None = None,
) -> JSON:
    """The schema of a whole answer; ``reasoning_limit`` is in characters, ``None`` leaves the reasoning out.

    ``options`` are those of the decision, if somebody has read them already.
    """
    answer = _play(decision, reasoning_limit, is_numbered, shape, options)
    return _or_look_up(answer, decision, may_look_up=may_look_up)


def note_schema(key: str, decision: Decision, *, limit: int, may_look_up: bool) -> JSON:
    """The schema of an answer that is a text of at most ``limit`` characters under ``key``."""
    note = _table({key: {"type": "string", "minLength": 1, "maxLength": limit}})
    return _or_look_up(note, decision, may_look_up=may_look_up)


def tools(
    decision: Decision,
    *,
    reasoning_limit: int | None,
    may_look_up: bool,
    is_numbered: bool,
    shape: AnswerShape = OBJECT,
) -> tuple[Tool, ...]:
    """The same answer as tools to call."""
    play = Tool(PLAY, "Play your action.", _play(decision, reasoning_limit, is_numbered, shape))
    return _beside_look_up(play, decision, may_look_up=may_look_up)


def note_tools(key: str, decision: Decision, *, limit: int, may_look_up: bool) -> tuple[Tool, ...]:
    """A note as a tool to call, which has the name of its key."""
    schema = _table({key: {"type": "string", "minLength": 1, "maxLength": limit}})
    return _beside_look_up(Tool(key, "Write it down.", schema), decision, may_look_up=may_look_up)


def _or_look_up(answer: dict[str, JSON], decision: Decision, *, may_look_up: bool) -> JSON:
    if not may_look_up:
        return answer
    definitions = {key: answer.pop(key) for key in _DEFINITIONS if key in answer}
    return {"anyOf": [answer, *(_look_up(query.name, query.schema) for query in decision.queries)], **definitions}


def _beside_look_up(answer: Tool, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
    if not may_look_up:
        return (answer,)
    summary = " ".join(f"{query.name}: {query.summary}." for query in decision.queries)
    properties: JSON = {"query": {"enum": [query.name for query in decision.queries]}, "arguments": {}}
    look_up = Tool(LOOK_UP, f"Look something up. {summary}", _table(properties))
    return (answer, look_up)


def _play(
    decision: Decision,
    reasoning_limit: int | None,
    is_numbered: bool,
    shape: AnswerShape,
    options: Sequence[Option] | None = None,
) -> dict[str, JSON]:
    reasoning: dict[str, JSON] = {}
    if reasoning_limit is not None:
        reasoning["reasoning"] = {"type": "string", "maxLength": reasoning_limit}
    if decision.options is not None:
        named = decision.options.actions if is_numbered else [option.label for option in options or decision.options]
        return _table({**reasoning, shape.key: {"enum": list(named)}})
    schema: Any = decision.schema
    if not isinstance(schema, Mapping):
        return _table({**reasoning, shape.key: schema})
    if shape.form == "fields" and isinstance(schema.get("properties"), Mapping):
        required: Sequence[str] = (*reasoning, *schema.get("required", ()))
        return {**schema, "properties": {**reasoning, **schema["properties"]}, "required": list(required)}
    # References in the game's schema start at its root, which is the answer's root too only if they move there.
    definitions = {key: schema[key] for key in _DEFINITIONS if key in schema}
    action = {key: value for key, value in schema.items() if key not in definitions}
    return {**_table({**reasoning, shape.key: action}), **definitions}


def _look_up(name: str, schema: JSON) -> JSON:
    is_plain = isinstance(schema, Mapping) and not any(key in schema for key in _DEFINITIONS)
    return _table({"query": {"const": name}, "arguments": schema if is_plain else {}})


def _table(properties: Mapping[str, JSON]) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
