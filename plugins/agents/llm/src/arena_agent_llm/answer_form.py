"""How a prompt says which actions are legal and what an answer looks like."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from arena.game import Decision
from arena.record import JSON

from arena_agent_llm.style import Style


def skeleton(style: Style, decision: Decision, *, is_listed: bool) -> str:
    """The form of the answer to one decision; ``is_listed`` says whether the legal actions are."""
    shape = style.shape_of(decision)
    if shape.form == "fields":
        return _fields(decision.schema, has_reasoning=style.reasoning)
    if style.answer == "action":
        action = None if decision.options is None else decision.options.actions[0]
        return _pattern(action) if isinstance(action, Mapping) else "<JSON value that fits the schema>"
    listed = "one of your legal actions, word for word" if is_listed else "your action"
    action = "<JSON value that fits the schema>" if decision.options is None else f'"<{listed}>"'
    if is_numbered(style, decision):
        action = "<the number of one of your legal actions>" if is_listed else "<a number>"
    reasoning = '"reasoning": "<your reasoning, in a few sentences>", ' if style.reasoning else ""
    return f"{{{reasoning}{json.dumps(shape.key)}: {action}}}"


def in_every_turn(style: Style) -> str:
    """The form of the answer to every decision, in a style that may show it in the system message."""
    reasoning = '"reasoning": "<your reasoning, in a few sentences>", ' if style.reasoning else ""
    return f'{{{reasoning}"action": "<your action>"}}'


def example(style: Style, decision: Decision) -> str:
    """A whole answer to a decision, with an action that is legal there and a placeholder for the reasoning."""
    action = decision.sample(Random(0))
    if decision.options is not None and not is_numbered(style, decision):
        action = decision.options.label(action)
    reasoning = {"reasoning": "<your reasoning, in a few sentences>"} if style.reasoning else {}
    return json.dumps({**reasoning, "action": action}, ensure_ascii=False)


def listed(style: Style, decision: Decision) -> str:
    """The legal actions: a line each, or all in one line where the style is brief."""
    assert decision.options is not None  # the caller asks for enumerated actions alone
    if style.actions in ("brief", "short"):
        labels = [option.label for option in decision.options]
        return (" | " if any(" " in label for label in labels) else " ").join(labels)
    mark = "{0.action}: {0.label}" if is_numbered(style, decision) else "- {0.label}"
    return "\n".join(map(mark.format, decision.options))


def is_numbered(style: Style, decision: Decision) -> bool:
    """Whether actions are listed by number: the style wants it, and all of them are whole numbers."""
    if style.actions != "numbers" or decision.options is None:
        return False
    return all(type(action) is int for action in decision.options.actions)


def _pattern(action: Mapping[str, JSON]) -> str:
    """The pattern of an action that is an object: its keys, with a placeholder for each value."""
    kinds = {int: "<whole number>", float: "<number>", str: '"<text>"', bool: "<true or false>"}
    return "{" + ", ".join(f"{json.dumps(key)}: {kinds.get(type(v), '<value>')}" for key, v in action.items()) + "}"


def _fields(schema: Any, *, has_reasoning: bool) -> str:
    """The pattern of an object with the fields of an action, and with the reasoning before them."""
    kinds = {"string": '"<text>"', "integer": "<whole number>", "number": "<number>", "array": "[…]", "object": "{…}"}
    properties: Any = schema.get("properties", {}) if isinstance(schema, Mapping) else {}
    fields = [f"{json.dumps(key)}: {kinds.get(each.get('type'), '<value>')}" for key, each in properties.items()]
    reasoning = ['"reasoning": "<your reasoning, in a few sentences>"'] if has_reasoning else []
    return "{" + ", ".join([*reasoning, *fields]) + "}"
