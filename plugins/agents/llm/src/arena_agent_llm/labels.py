"""Matches what a model wrote for ``action`` against the options."""

import re
from collections.abc import Iterable
from typing import Final

import attrs
from arena.game import Options
from arena.record import JSON, Action, canonical_json

TAIL: Final = 2_000
"""The lenient parser looks at no more characters than this."""

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER_IN_LABEL = re.compile(r"-?[0-9]+")
_ACTION_WORD = re.compile(r"\baction\b", re.IGNORECASE)


@attrs.frozen
class ActionMatch:
    """The actions that fit: one is an answer, several are ambiguous, none is unknown."""

    actions: tuple[Action, ...]
    labels: tuple[str, ...] = ()


def meant(value: JSON, options: Options, *, is_numbered: bool = False) -> ActionMatch:
    """Find the options that ``value`` names.

    It may be a label (exactly, or but for spaces and the case of words), an action as JSON, or an action's JSON text in
    a string that is no label. A number that is one action, and the only number in the label of another, names both;
    if actions were listed with their numbers (``is_numbered``) it names the action.
    """
    named: dict[str, Action] = {}
    by_text = {canonical_json(action): action for action in options.actions}
    labelled = _labelled(value, options) if isinstance(value, str) else []
    text = value.strip() if isinstance(value, str) else canonical_json(value)
    for action in labelled:
        named[canonical_json(action)] = action
    if (whole := canonical_json(value)) in by_text:
        named[whole] = by_text[whole]
    if not labelled and text in by_text:
        named[text] = by_text[text]
        if not is_numbered and _INTEGER.fullmatch(text):
            named |= {
                canonical_json(o.action): o.action for o in options if _NUMBER_IN_LABEL.findall(o.label) == [text]
            }
    return _meant(named.values(), options)


def mentioned(text: str, options: Options) -> ActionMatch:
    """Find the options that are named in the tail of ``text``: after the last word "action", or else in the last line.

    A label counts if it stands as whole words and not inside a longer label; each mention counts, so a label written
    twice is as ambiguous as two labels. If the tail is longer than ``TAIL`` characters nothing counts.
    """
    tail = _tail(text)
    by_label = {_relaxed(option.label): option for option in options if option.label.strip()}
    if len(tail) > TAIL or len(by_label) < len(options) or not by_label:
        return ActionMatch(())
    longest_first = sorted(by_label, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(_pattern, longest_first))})(?!\w)")
    mentions = [_relaxed(mention) for mention in pattern.findall(tail)]
    if not all(mention in by_label for mention in mentions):  # a few letters match another whose folded form differs
        return ActionMatch(())
    found = [by_label[mention] for mention in mentions]
    return ActionMatch(tuple(o.action for o in found), tuple(o.label for o in found))


def _meant(actions: Iterable[Action], options: Options) -> ActionMatch:
    found = tuple(actions)
    return ActionMatch(found, tuple(options.label(action) for action in found) if len(found) > 1 else ())


def _labelled(text: str, options: Options) -> list[Action]:
    exact = [option.action for option in options if option.label == text]
    if exact:
        return exact
    wanted = _relaxed(text)
    return [option.action for option in options if _relaxed(option.label) == wanted]


def _relaxed(label: str) -> str:
    """Normalise ``label``: strip and collapse spaces, and lower the case of plain words.

    Single letters and words with digits keep their case: bxc3 is a pawn's capture and Bxc3 a bishop's.
    """
    return " ".join(map(_relaxed_word, label.split()))


def _relaxed_word(word: str) -> str:
    return word.casefold() if _is_plain(word) else word


def _is_plain(word: str) -> bool:
    return sum(map(str.isalpha, word)) > 1 and not any(map(str.isdigit, word))


def _pattern(label: str) -> str:
    words = (rf"(?i:{re.escape(word)})" if _is_plain(word) else re.escape(word) for word in label.split())
    return r"\s+".join(words)


def _tail(text: str) -> str:
    mentions = list(_ACTION_WORD.finditer(text))
    if mentions:
        return text[mentions[-1].end() :]
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""
