"""What the reading of a completion can come to: an action, a look-up, or a refusal."""

from typing import Final, Literal, TypeAlias

import attrs
from arena.agent import Refusal, RefusalKind, Reply
from arena.record import JSON

SHOWN: Final = 2_000
"""The most characters of a refused text that the refusal keeps; the completion has all of it."""

THOUGHT: Final = 20_000
"""The most characters of what was thought that a refusal keeps."""

PLAY: Final = "play"
LOOK_UP: Final = "look_up"

AnswerForm: TypeAlias = Literal["object", "action", "fields", "list", "text"]
"""Which part of an answer is the action: ``action`` in a JSON object, the object itself, the object without its field
``reasoning``, a list, or the whole text."""

Takes: TypeAlias = Literal["one", "last"]
"""Whether several answers are refused, or the last of them is taken, as published systems do."""

ACTION: Final = "action"
"""The key of the action in an answer that is an object, if a style names no other."""


@attrs.frozen
class AnswerShape:
    """What an answer to one decision looks like; ``key`` is that of the action where the form is ``object``."""

    form: AnswerForm = "object"
    key: str = ACTION


OBJECT: Final = AnswerShape()
"""An object that holds the action under ``action``."""


@attrs.frozen
class QueryCall:
    """The model asks a query before it decides; ``reasoning`` is what it thought beside it."""

    query: str
    arguments: JSON
    reasoning: str = attrs.field(default="", eq=False)


@attrs.frozen
class KeyValue:
    """What stands under the key that was asked for; ``is_prose`` if the answer was a text without any object."""

    value: JSON
    is_prose: bool = False


Understood: TypeAlias = Reply | Refusal | QueryCall


def refusal(kind: RefusalKind, reason: str, text: str, thought: str = "") -> Refusal:
    """A refusal that keeps the beginning of what was said and thought."""
    return Refusal(kind=kind, reason=reason, text=_begun(text, SHOWN), reasoning=_begun(thought, THOUGHT))


def _begun(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + " …"
