"""Interprets a typed line: an action, a query, a command, or nothing clear."""

import json
from typing import Final, TypeAlias

import attrs
from arena.game import Decision, Options
from arena.record import JSON, Action, canonical_json

COMMANDS: Final = {
    "?": "list the legal actions",
    "rules": "show the rules again",
    "look": "show what you see again",
    "help": "show this list",
    "quit": "leave; the run stops and can be resumed here",
}


@attrs.frozen
class PlayCommand:
    """The line names exactly one action."""

    action: Action


@attrs.frozen
class Ask:
    """The line asks the game a query: ``ask NAME`` or ``ask NAME JSON``."""

    query: str
    arguments: JSON


@attrs.frozen
class HumanCommand:
    """The line is one of ``COMMANDS``."""

    name: str


@attrs.frozen
class Unclear:
    """The line does not mean exactly one thing; ``problem`` says why."""

    problem: str


Read: TypeAlias = PlayCommand | Ask | HumanCommand | Unclear


def read(line: str, decision: Decision, *, is_numbered: bool) -> Read:
    """Interpret ``line`` as exactly one thing, or as unclear.

    It may be a command (preceded by a colon if a label has the same name), the number of an action if a numbered list
    is shown, a label (ignoring spaces and the case of words), or an action as JSON.
    """
    text = line.strip()
    options = decision.options
    is_label = options is not None and any(option.label == text for option in options)
    if text.removeprefix(":") in COMMANDS and not is_label:
        return HumanCommand(text.removeprefix(":"))
    if not text:
        return Unclear("nothing was typed")
    if decision.queries and text.split()[0] == "ask" and not is_label:
        return _ask(text, decision)
    return _free(text, decision) if options is None else _listed(text, options, is_numbered=is_numbered)


def _listed(text: str, options: Options, *, is_numbered: bool) -> Read:
    if is_numbered and text.isdecimal() and text.isascii():
        number = int(text) if len(text) < 10 else 0
        if 1 <= number <= len(options):
            return PlayCommand(options.actions[number - 1])
        return Unclear(f"there is no {text[:20]} in the list, it has {len(options)} actions")
    same = [o for o in options if o.label == text] or [o for o in options if _folded(o.label) == _folded(text)]
    named = {canonical_json(o.action): o.action for o in same}
    found, value = _json(text)
    if found and (wanted := canonical_json(value)) in (legal := {canonical_json(a): a for a in options.actions}):
        named[wanted] = legal[wanted]
    if len(named) == 1:
        return PlayCommand(next(iter(named.values())))
    if not named:
        return Unclear(f"{text[:60]!r} is none of your actions")
    return Unclear(f"{text[:60]!r} can mean {' or '.join(options.label(action) for action in named.values())}")


def _free(text: str, decision: Decision) -> Read:
    """Interpret an action if none are listed: JSON, or plain text if the schema asks for a string."""
    found, value = _json(text)
    schema = decision.schema
    if isinstance(schema, dict) and schema.get("type") == "string" and not (found and isinstance(value, str)):
        return PlayCommand(text)
    meant = decision.interpret(value if found else text)
    return PlayCommand(meant) if found or meant != text else Unclear(f"{text[:60]!r} is not JSON")


def _ask(text: str, decision: Decision) -> Read:
    _, name, *rest = [*text.split(maxsplit=2), ""][:3]
    if not name:
        return Unclear("write: ask NAME, or: ask NAME JSON")
    wanted = next((query.schema for query in decision.queries if query.name == name), None)
    nothing: JSON = {} if isinstance(wanted, dict) and wanted.get("type") == "object" else None
    found, arguments = _json(rest[0]) if rest and rest[0] else (True, nothing)
    return Ask(name, arguments) if found else Unclear(f"the arguments {rest[0][:60]!r} are not JSON")


def _json(text: str) -> tuple[bool, JSON]:
    try:
        value = json.loads(text)
        canonical_json(value).encode()
    except (ValueError, RecursionError):
        return False, None
    return True, value


def _folded(label: str) -> str:
    """Normalise spaces and case in ``label``; codes keep their case, since bxc3 is not Bxc3."""
    return " ".join(map(_folded_word, label.split()))


def _folded_word(word: str) -> str:
    is_plain = sum(map(str.isalpha, word)) > 1 and not any(map(str.isdigit, word))
    return word.casefold() if is_plain else word
