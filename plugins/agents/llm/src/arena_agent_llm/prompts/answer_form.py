"""How a prompt says which actions are legal and what an answer looks like."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.game import Decision, Option
from arena.record import JSON

from arena_agent_llm.prompts.style import Style

MOST_NAMED: Final = 4
"""As many legal actions as this are all named as examples of an answer."""

SPREAD: Final = 3
"""How many examples stand for more actions than that, from the first to the last."""


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


def examples(style: Style, decision: Decision) -> str:
    """Whole answers to a decision, with actions that are legal there and a placeholder for the reasoning.

    Few actions are all named, in the game's order, and of many some that lie far apart: a single one would be copied.
    Where actions cannot be enumerated the form of an answer stands in their place.
    """
    if decision.options is None:
        return in_every_turn(style)
    actions: Sequence[JSON] = decision.options.actions
    if len(actions) > MOST_NAMED:
        actions = [actions[round(at * (len(actions) - 1) / (SPREAD - 1))] for at in range(SPREAD)]
    if not is_numbered(style, decision):
        actions = [decision.options.label(action) for action in actions]
    reasoning = {"reasoning": "<your reasoning, in a few sentences>"} if style.reasoning else {}
    return " or ".join(json.dumps({**reasoning, "action": action}, ensure_ascii=False) for action in actions)


def listed(style: Style, decision: Decision, options: Sequence[Option]) -> str:
    """The legal actions: a line each, or all in one line where the style is brief."""
    if style.actions == "short":
        labels = [option.label for option in options]
        return (" | " if any(" " in label for label in labels) else " ").join(labels)
    if is_numbered(style, decision):
        return "\n".join([f"{option.action}: {option.label}" for option in options])
    return "\n".join([f"- {option.label}" for option in options])


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
