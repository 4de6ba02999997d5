"""Interprets a typed line: an action, a query, a command, or nothing clear."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import attrs
from arena.errors import JournalError
from arena.game import Decision, Illegal, Option
from arena.record import JSON, Action, canonical_json

from arena_agent_human.numbers import ActionNumbers

COMMANDS: Final = {
    "?": "list the legal actions",
    "rules": "show the rules again",
    "look": "show what you see again",
    "help": "show this list",
    "quit": "leave; the run stops and can be resumed here",
}

_SQUARES: Final = re.compile(r"([A-Za-z][0-9]+)+|[A-Za-z]")
"""Coordinates, which mean the same in capitals; moves such as ``Bxc3`` do not."""


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


def recorded(meant: PlayCommand | Ask) -> JSON:
    """What is journaled of an answer: what it means, whatever was typed for it."""
    if isinstance(meant, PlayCommand):
        return {"play": meant.action}
    return {"ask": meant.query, "arguments": meant.arguments}


def read_recorded(given: JSON) -> PlayCommand | Ask:
    """The meaning of a journaled answer; ``JournalError`` if it is none."""
    match given:
        case {"play": action, **others} if not others:
            return PlayCommand(action)
        case {"ask": str(query), "arguments": arguments, **others} if not others:
            return Ask(query, arguments)
    raise JournalError(f"{canonical_json(given)[:60]} is no answer of a person; the run was written by another Arena")


NO_NAMES: Final[Mapping[str, str]] = {}


def read(line: str, decision: Decision, numbers: ActionNumbers | None, squares: Mapping[str, str] = NO_NAMES) -> Read:
    """Interpret ``line`` as exactly one thing, or as unclear.

    It may be a command (preceded by a colon if a label has the same name), the number of an action if ``numbers`` are
    shown, an action's label, last words or beginning (ignoring spaces and the case of words), its square, or another
    way to write it that ``Decision.interpret`` knows. ``squares`` has the coordinates of labels that are places on a
    board.
    """
    text = line.strip()
    options = decision.options
    is_label = options is not None and any(plain_label(option) == text for option in options)
    if text.removeprefix(":") in COMMANDS and not is_label:
        return HumanCommand(text.removeprefix(":"))
    if not text:
        return Unclear("nothing was typed")
    if decision.queries and text.split()[0] == "ask" and not is_label:
        return _ask(text, decision)
    return _free(text, decision) if options is None else _listed(text, decision, numbers, squares)


def names_of(option: Option, squares: Mapping[str, str]) -> Iterator[str]:
    """The ways to write an option in full: its square, its label, and the label's last words."""
    if square := squares.get(option.label):
        yield square
    words = plain_label(option).split()
    yield from (" ".join(words[at:]) for at in range(len(words)))
    yield option.label


def plain_label(option: Option) -> str:
    """The label of an option; a text that a game has given no label stands without its quotation marks."""
    is_quoted = isinstance(option.action, str) and option.label == canonical_json(option.action)
    return str(option.action) if is_quoted else option.label


def _listed(text: str, decision: Decision, numbers: ActionNumbers | None, squares: Mapping[str, str]) -> Read:
    options = list(decision.options or ())
    if numbers is not None and text.isdecimal() and text.isascii():
        return _numbered(int(text[:9]), options, numbers)
    named = {canonical_json(option.action): option.action for option in _named(text, options, squares)}
    if len(named) == 1:
        return PlayCommand(next(iter(named.values())))
    if not named:
        found, value = _json(text)
        return _played(decision, value if found else text)
    labels = [option.label for option in options if canonical_json(option.action) in named]
    more = f" and {len(labels) - 4} more" if len(labels) > 4 else ""
    return Unclear(f"{text[:60]!r} can mean {' or '.join(labels[:4])}{more}")


def _played(decision: Decision, value: JSON) -> Read:
    """The action that a value means, if it is legal."""
    meant = decision.interpret(value)
    if isinstance(meant, Illegal):
        return Unclear(meant.reason)
    illegal = decision.check(meant)
    return PlayCommand(meant) if illegal is None else Unclear(illegal.reason)


def _numbered(number: int, options: Sequence[Option], numbers: ActionNumbers) -> Read:
    for option in options:
        if numbers.of(option.action) == number:
            return PlayCommand(option.action)
    if label := numbers.label(number):
        return Unclear(f"{number} is {label}, which you cannot do now")
    return Unclear(f"there is no action {number}")


def _named(text: str, options: Sequence[Option], squares: Mapping[str, str]) -> Sequence[Option]:
    """The options that a text names: in full, else without regard to the case of words, else by their beginning."""
    same: Callable[[str, str], bool] = lambda typed, name: typed == name  # noqa: E731
    begins: Callable[[str, str], bool] = lambda typed, name: name.startswith(typed)  # noqa: E731
    for fits in (same, begins):
        labels = [option for option in options if fits(text, option.label)]
        if labels and (fits is same or len(labels) == 1):
            return labels
        for spelt in (str, _folded):
            typed = spelt(text)
            found = [o for o in options if any(fits(typed, spelt(name)) for name in names_of(o, squares))]
            if found:
                return found
    return ()


def completions(text: str, decision: Decision, squares: Mapping[str, str]) -> list[str]:
    """The names of options that begin with what has been typed; for each option the first that does."""
    typed = _folded(text.strip())
    found: list[str] = []
    for option in decision.options or ():
        names = (name for name in names_of(option, squares) if _folded(name).startswith(typed))
        found += [name for name in [next(names, "")] if name]
    return found


def _free(text: str, decision: Decision) -> Read:
    """Interpret an action if none are listed: JSON, or plain text if the schema asks for a string."""
    found, value = _json(text)
    schema = decision.schema
    if isinstance(schema, dict) and schema.get("type") == "string" and not (found and isinstance(value, str)):
        return PlayCommand(text)
    meant = decision.interpret(value if found else text)
    if isinstance(meant, Illegal):
        return Unclear(meant.reason)
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
    return word.casefold() if is_plain or _SQUARES.fullmatch(word) else word
