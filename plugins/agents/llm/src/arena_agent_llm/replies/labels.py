"""Matches what a model wrote for ``action`` against the options."""

import re
from collections.abc import Sequence

import attrs
from arena.game import Option
from arena.record import JSON, Action, canonical_json

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER_IN_LABEL = re.compile(r"-?[0-9]+")


@attrs.frozen
class ActionMatch:
    """The actions that fit: one is an answer, several are ambiguous, none is unknown."""

    actions: tuple[Action, ...]
    labels: tuple[str, ...] = ()


def meant(value: JSON, options: Sequence[Option], *, is_numbered: bool = False) -> ActionMatch:
    """Find the options that ``value`` names.

    It may be a label (exactly, or but for spaces and the case of words), an action as JSON, or an action's JSON text in
    a string that is no label. A number that is one action, and the only number in the label of another, names both;
    if actions were listed with their numbers (``is_numbered``) it names the action.
    """
    options = tuple(options)  # labels are made when they are read
    if isinstance(value, str):
        exact = [option for option in options if option.label == value or option.action == value]
        if len(exact) == 1 and exact[0].label == value:
            return ActionMatch((exact[0].action,))  # nearly always, and no JSON needs to be written
    labelled = _labelled(value, options) if isinstance(value, str) else []
    named: dict[str, Option] = {}
    by_text = {canonical_json(option.action): option for option in options}
    text = value.strip() if isinstance(value, str) else canonical_json(value)
    for option in labelled:
        named[canonical_json(option.action)] = option
    if (whole := canonical_json(value)) in by_text:
        named[whole] = by_text[whole]
    if not labelled and text in by_text:
        named[text] = by_text[text]
        if not is_numbered and _INTEGER.fullmatch(text):
            named |= {canonical_json(o.action): o for o in options if _NUMBER_IN_LABEL.findall(o.label) == [text]}
    return _meant(tuple(named.values()))


def _meant(found: Sequence[Option]) -> ActionMatch:
    labels = tuple(option.label for option in found) if len(found) > 1 else ()
    return ActionMatch(tuple(option.action for option in found), labels)


def _labelled(text: str, options: Sequence[Option]) -> list[Option]:
    exact = [option for option in options if option.label == text]
    if exact:
        return exact
    wanted = _relaxed(text)
    return [option for option in options if _relaxed(option.label) == wanted]


def _relaxed(label: str) -> str:
    """Normalise ``label``: strip and collapse spaces, and lower the case of plain words.

    Single letters and words with digits keep their case: bxc3 is a pawn's capture and Bxc3 a bishop's.
    """
    return " ".join(map(_relaxed_word, label.split()))


def _relaxed_word(word: str) -> str:
    return word.casefold() if _is_plain(word) else word


def _is_plain(word: str) -> bool:
    return sum(map(str.isalpha, word)) > 1 and not any(map(str.isdigit, word))
