"""What is asked of a model, and how answers to it are compared."""

import re
from collections.abc import Callable, Sequence
from typing import Final

import attrs
from arena.game import Option
from arena.record import JSON, canonical_json

from arena_agent_llm.outcomes import ACTION, PLAY, AnswerForm, Takes

QUERY: Final = "query"
REASONING: Final = "reasoning"
ROOM: Final = 2_000
"""No more characters than this are read of a sentence, or of what may be another answer."""

_SENTENCE = re.compile(
    r"(?<=[.!?\u061f\u06d4\u0964])[*_\"')\u201d\u00bb]*\s+|(?<=[\u3002\uff01\uff1f])[\u201d\u300d\uff09]*|\n+"
)
_UNSPACED = "\u2e80"


def _same(value: JSON) -> JSON:
    return value


@attrs.frozen(kw_only=True)
class Asked:
    """What was asked for.

    An answer holds one of ``keys`` (none: any object), and no keys but those and ``reasoning``. ``resolve`` turns a
    value into the action that it names, so that two ways to write one agree; ``options`` are all that may be chosen.
    """

    keys: tuple[str, ...] = ()
    form: AnswerForm = "object"
    tool: str = PLAY
    may_look_up: bool = False
    takes: Takes = "one"
    resolve: Callable[[JSON], JSON] = _same
    options: Sequence[Option] = ()

    @property
    def skeleton(self) -> str:
        """The form of an answer with a placeholder, which no model plays by copying; empty for many keys."""
        return f': {{"{self.keys[0]}": "<\u2026>"}}' if self.form == "object" and self.keys else ""

    @property
    def known(self) -> tuple[str, ...]:
        """The keys of which an answer or a look-up holds one."""
        return (*self.keys, QUERY) if self.may_look_up else self.keys

    def meant(self, value: JSON, *, is_native: bool = False) -> JSON:
        """The part of an object that is the action."""
        if not isinstance(value, dict) or not self.keys:
            return value
        if self.form == "object" or (is_native and self.form == "action"):
            return next(value[key] for key in (*self.keys, ACTION) if key in value)
        return {key: each for key, each in value.items() if key != REASONING or key in self.keys}

    def is_same(self, value: JSON, other: JSON) -> bool:
        """Whether two values name one action."""
        return value == other or canonical_json(self.resolve(value)) == canonical_json(self.resolve(other))

    def label(self, value: JSON) -> str:
        """The label of the action that a value names; without options the value itself, if it is a text or a number."""
        if not self.options:
            return str(value) if isinstance(value, str | int) else ""
        named = canonical_json(self.resolve(value))
        return next((option.label for option in self.options if canonical_json(option.action) == named), "")

    def is_legal(self, value: JSON) -> bool:
        """Whether a value names one of the options."""
        return bool(self.options and self.label(value))

    def labels_in(self, sentence: str, *, beside: JSON = None) -> list[str]:
        """The labels in a sentence; none if the one of the action ``beside`` is among them."""
        if beside is not None and mentions(sentence, self.label(beside)):
            return []
        said = sentence.casefold()
        known = (option.label for option in self.options if option.label.strip().casefold() in said)
        return [label for label in known if mentions(sentence, label)]


def mentions(text: str, label: str) -> bool:
    """Whether a label stands in a text as a whole word; one letter or digit alone only where punctuation follows it.

    Plain words in any case; single letters and words with digits as they are, and languages without spaces anywhere.
    """
    label = label.strip()
    if sum(map(str.isalpha, label)) > 1 and not any(map(str.isdigit, label)):
        text, label = text.casefold(), label.casefold()
    at = text.find(label) if label else -1
    while at >= 0:
        end = at + len(label)
        if not _joined(text[at - 1 : at], label[0]) and not _joined(label[-1], text[end : end + 1]):
            behind = text[end:].lstrip("\"'*_`)\u201d\u00bb ")[:1]
            if len(label) > 1 or label > _UNSPACED or not (behind.isalnum() or (behind and behind in "+-/=")):
                return True
        at = text.find(label, at + 1)
    return False


def _joined(left: str, right: str) -> bool:
    is_word = (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
    return is_word and left < _UNSPACED and right < _UNSPACED


def sentences(text: str) -> list[str]:
    """The last sentences of a text; a line that ends ends a sentence."""
    return [part.strip() for part in _SENTENCE.split(text.strip()[-ROOM:]) if part and part.strip()]
