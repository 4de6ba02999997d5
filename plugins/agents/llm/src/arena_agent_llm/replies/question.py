"""What is asked of a model, what may be its answer in a completion, and what is."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import attrs
from arena.backend import Message
from arena.game import Option
from arena.record import JSON

from arena_agent_llm.outcomes import PLAY, AnswerForm, QueryCall
from arena_agent_llm.replies.objects import Found

Takes: TypeAlias = Literal["one", "last"]
"""Whether several answers are refused, or the last of them is taken, as published systems do."""


def _same(value: JSON) -> JSON:
    return value


@attrs.frozen(kw_only=True)
class Asked:
    """What was asked for, and how the answers to it are compared.

    ``keys`` are those of which an answer holds one; ``whole`` if the object is the answer and not what stands under the
    key. ``resolve`` turns a value into what it means, so that two ways to write one action agree; ``is_legal`` says
    whether a value is an action that may be played, ``label`` how one is called. ``others`` are the options besides a
    chosen value. ``prompt`` is what the model was asked, ``noun`` what reasons call an answer.
    """

    keys: tuple[str, ...]
    form: AnswerForm = "object"
    tool: str = PLAY
    noun: str = "answer"
    may_look_up: bool = False
    takes: Takes = "one"
    prompt: Sequence[Message] = ()
    resolve: Callable[[JSON], JSON] = _same
    is_legal: Callable[[JSON], bool] = attrs.field(default=lambda _: False)
    label: Callable[[JSON], str] = attrs.field(default=lambda value: value if isinstance(value, str) else "")
    others: Callable[[JSON], Sequence[Option]] = attrs.field(default=lambda _: ())


@attrs.frozen(kw_only=True)
class Candidate:
    """Something that may be the answer; ``found`` is where it stands in the text, ``None`` for a native call."""

    value: JSON
    whole: JSON
    found: Found | None = None
    query: QueryCall | None = None
    twice: frozenset[str] = frozenset()
    is_both: bool = False


@attrs.frozen(kw_only=True)
class Answer:
    """The answer in a completion; ``is_last_of_several`` if the rule would have refused it but for ``takes: last``."""

    value: JSON
    reasoning: str
    is_native: bool = False
    is_last_of_several: bool = False
