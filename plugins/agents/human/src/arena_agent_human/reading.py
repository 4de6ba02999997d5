"""What a typed line means: an action, a look-up, a command, or nothing clear."""

import json
from typing import Final, TypeAlias

import attrs
from arena.game import Decision, Options
from arena.record import JSON, Action, canonical

COMMANDS: Final = {
    "?": "list the legal actions",
    "rules": "show the rules again",
    "look": "show what you see again",
    "help": "show this list",
    "quit": "leave; the run stops and can be resumed here",
}


@attrs.frozen
class Play:
    """The line names one action."""

    action: Action


@attrs.frozen
class Ask:
    """The line asks the game something: ``ask NAME`` or ``ask NAME JSON``."""

    query: str
    arguments: JSON


@attrs.frozen
class Command:
    """The line is one of ``COMMANDS``."""

    name: str


@attrs.frozen
class Unclear:
    """The line cannot be taken for exactly one thing; ``problem`` says why."""

    problem: str


Read: TypeAlias = Play | Ask | Command | Unclear


def read(line: str, decision: Decision, *, is_numbered: bool) -> Read:
    """Take ``line`` for exactly one thing, or for nothing.

    It may be a command (with a colon before it where a label has its name), the number of an action in the list where
    one is shown, a label (but for spaces and the case of words), or an action as JSON.
    """
    text = line.strip()
    options = decision.options
    is_label = options is not None and any(option.label == text for option in options)
    if text.removeprefix(":") in COMMANDS and not is_label:
        return Command(text.removeprefix(":"))
    if not text:
        return Unclear("nothing was typed")
    if decision.queries and text.split()[0] == "ask" and not is_label:
        return _ask(text, decision)
    return _free(text, decision) if options is None else _listed(text, options, is_numbered=is_numbered)


def _listed(text: str, options: Options, *, is_numbered: bool) -> Read:
    if is_numbered and text.isdecimal() and text.isascii():
        number = int(text) if len(text) < 10 else 0
        if 1 <= number <= len(options):
            return Play(options.actions[number - 1])
        return Unclear(f"there is no {text[:20]} in the list, it has {len(options)} actions")
    same = [o for o in options if o.label == text] or [o for o in options if _folded(o.label) == _folded(text)]
    named = {canonical(o.action): o.action for o in same}
    found, value = _json(text)
    if found and (wanted := canonical(value)) in (legal := {canonical(a): a for a in options.actions}):
        named[wanted] = legal[wanted]
    if len(named) == 1:
        return Play(next(iter(named.values())))
    if not named:
        return Unclear(f"{text[:60]!r} is none of your actions")
    return Unclear(f"{text[:60]!r} can mean {' or '.join(options.label(action) for action in named.values())}")


def _free(text: str, decision: Decision) -> Read:
    """An action where none are listed: JSON; plain text too where the schema wants a text."""
    found, value = _json(text)
    schema = decision.schema
    if isinstance(schema, dict) and schema.get("type") == "string" and not (found and isinstance(value, str)):
        return Play(text)
    meant = decision.interpret(value if found else text)
    return Play(meant) if found or meant != text else Unclear(f"{text[:60]!r} is not JSON")


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
        canonical(value).encode()
    except (ValueError, RecursionError):
        return False, None
    return True, value


def _folded(label: str) -> str:
    """``label`` without what carries no meaning; codes keep their case: bxc3 is not Bxc3."""
    return " ".join(map(_folded_word, label.split()))


def _folded_word(word: str) -> str:
    is_plain = sum(map(str.isalpha, word)) > 1 and not any(map(str.isdigit, word))
    return word.casefold() if is_plain else word
