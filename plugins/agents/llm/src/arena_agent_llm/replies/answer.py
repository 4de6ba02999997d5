"""Turns a completion into an action, a look-up or a refusal; never raises, whatever a model says."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from arena.agent import LAST_OF_SEVERAL, Refusal, RefusalKind, Reply
from arena.backend import Completion, Message
from arena.game import Decision, Illegal, Option
from arena.record import JSON, Action, canonical_json

from arena_agent_llm.outcomes import ACTION, OBJECT, AnswerShape, KeyValue, QueryCall, Understood
from arena_agent_llm.replies import standing
from arena_agent_llm.replies.lenient_json import QUICKLY, parse, scrub
from arena_agent_llm.replies.question import Answer, Asked, Takes
from arena_agent_llm.replies.reader import QUERY, REASONING, Reading, folded, withheld
from arena_agent_llm.replies.thought import is_unmarked


def understand(
    completion: Completion,
    decision: Decision,
    *,
    is_lenient: bool,
    may_look_up: bool,
    is_numbered: bool = False,
    shape: AnswerShape = OBJECT,
    prompt: Sequence[Message] = (),
    takes: Takes = "one",
    options: Sequence[Option] | None = None,
) -> Understood:
    """Interpret a completion as an action, a query or a refusal.

    ``may_look_up`` allows an answer ``{"query": …}``; ``is_numbered`` says that actions were listed with numbers.
    ``shape`` says what is the action. ``is_lenient`` reads a label from prose if there is nothing structured at all.
    ``prompt`` is what was asked, ``takes`` what happens to several answers. ``options`` are those of the decision, if
    somebody has read them already.
    """
    if (nothing := withheld(completion)) is not None:
        return nothing
    meaning = _Meaning(decision, is_numbered, options)
    if (bare := _bare(completion, meaning, shape, may_look_up)) is not None:
        return bare
    asked = Asked(
        keys=_keys(decision, shape),
        form=shape.form,
        noun=ACTION,
        may_look_up=may_look_up,
        takes=takes,
        prompt=prompt,
        resolve=meaning.resolve,
        is_legal=meaning.is_legal,
        label=meaning.label,
        others=meaning.others,
    )
    reading = Reading(completion, asked)
    found = reading.answer()
    if isinstance(found, Answer):
        return _decide(found, reading, meaning)
    is_prose = is_lenient and isinstance(found, Refusal) and found.kind is RefusalKind.UNREADABLE and reading.is_prose
    if is_prose and decision.options is not None:
        named = standing.announced(reading.text, tuple(decision.options))
        reasoning = "\n\n".join(part for part in (reading.thought, reading.text) if part)
        if len(named) == 1:
            return _reply(named[0].action, reasoning, "lenient")
        if named:
            labels = ", ".join([repr(option.label) for option in named[:5]])
            reason = f"it is not clear which of {labels} is meant; write one, word for word"
            return reading.refuse(RefusalKind.AMBIGUOUS, reason)
    return found


def _bare(completion: Completion, meaning: "_Meaning", shape: AnswerShape, may_look_up: bool) -> Reply | None:
    """The reply of an answer that is one object, holds nothing but reasoning and a legal action, and stands alone.

    Most answers are such, where the form is forced, and ``Reading`` says the same of them: there is nothing else that
    could be the answer, and there are no words that could take it away.
    """
    said = scrub(completion.text).strip()
    is_short = len(said) <= QUICKLY and said[:1] == "{" and said[-1:] == "}"
    if (
        not meaning.is_listed
        or shape.form != "object"
        or completion.tool_calls
        or not is_short
        or not is_unmarked(said)
    ):
        return None
    read = parse(said, 0, is_relaxed=True)
    is_whole = not read.problem and not read.twice and read.end == len(said)
    if not is_whole or shape.key not in read.value or not read.value.keys() <= {shape.key, REASONING}:
        return None
    own = read.value.get(REASONING, "")
    if not isinstance(own, str) or (may_look_up and shape.key == QUERY):
        return None
    if not meaning.is_legal(value := read.value[shape.key]):
        return None
    reasoning = "\n\n".join(part for part in (scrub(completion.reasoning).strip(), own) if part)
    return _reply(meaning.resolve(value), reasoning, "json")


def read_value(
    completion: Completion,
    key: str,
    *,
    may_look_up: bool,
    prompt: Sequence[Message] = (),
) -> KeyValue | QueryCall | Refusal:
    """Return what stands under ``key``, which is also the name of the tool; prose without an object counts too."""
    reading = Reading(completion, Asked(keys=(key,), tool=key, may_look_up=may_look_up, prompt=prompt))
    found = reading.answer()
    if isinstance(found, Answer):
        return KeyValue(found.value)
    is_prose = isinstance(found, Refusal) and found.kind is RefusalKind.UNREADABLE and reading.is_prose
    return KeyValue(reading.text, is_prose=True) if is_prose else found


def object_in(
    completion: Completion, keys: Sequence[str], prompt: Sequence[Message] = ()
) -> tuple[Mapping[str, JSON], str]:
    """Return the object that was answered and holds one of ``keys``; or an empty one and why it cannot be trusted."""
    found = read_object(completion, keys, prompt)
    return ({}, found.reason) if isinstance(found, Refusal) else (found, "")


def read_object(
    completion: Completion, keys: Sequence[str], prompt: Sequence[Message] = ()
) -> Mapping[str, JSON] | Refusal:
    """Return the object that was answered and holds one of ``keys``, or the refusal that says why there is none."""
    reading = Reading(completion, Asked(keys=tuple(keys), form="action", prompt=prompt))
    found = reading.answer()
    if isinstance(found, Answer) and isinstance(found.value, Mapping):
        return found.value
    if isinstance(found, Refusal) and found.kind is RefusalKind.TRUNCATED:
        return attrs.evolve(found, reason="truncated")
    if isinstance(found, Refusal):
        return found
    return reading.refuse(RefusalKind.UNREADABLE, "there is no JSON object in the answer")


class _Meaning:
    """What values mean in one decision, as its game reads them."""

    def __init__(self, decision: Decision, is_numbered: bool, options: Sequence[Option] | None) -> None:
        self._decision = decision
        self._options = options or decision.options
        self._is_numbered = is_numbered
        self._read: dict[str, Action | Illegal] = {}
        self.is_listed = self._options is not None

    def read(self, value: JSON) -> Action | Illegal:
        """The action that a value means, as it is written or else with full-width forms written plainly."""
        written = canonical_json(value)
        if written not in self._read:
            self._read[written] = self._interpreted(value)
        return self._read[written]

    def _interpreted(self, value: JSON) -> Action | Illegal:
        found = self._decision.interpret(value, is_numbered=self._is_numbered)
        if self._options is None or not isinstance(found, Illegal) or (plain := folded(value)) == value:
            return found
        plainer = self._decision.interpret(plain, is_numbered=self._is_numbered)
        return found if isinstance(plainer, Illegal) else plainer

    def resolve(self, value: JSON) -> JSON:
        """The action that a value means; the value itself if it means none."""
        found = self.read(value)
        return value if isinstance(found, Illegal) else found

    def is_legal(self, value: JSON) -> bool:
        """Whether a value means one legal action."""
        found = self.read(value)
        if isinstance(found, Illegal):
            return False
        if self._options is None:
            return self._decision.check(found) is None
        return any(canonical_json(option.action) == canonical_json(found) for option in self._options)

    def label(self, value: JSON) -> str:
        """The words for the action that a value means; the value itself if that is a text."""
        if self._decision.options is not None and self.is_legal(value):
            return self._decision.options.label(self.resolve(value))
        return value if isinstance(value, str) else ""

    def others(self, value: JSON) -> Sequence[Option]:
        """The options that a value does not mean."""
        if self._options is None:
            return ()
        chosen = canonical_json(self.resolve(value))
        return [option for option in self._options if canonical_json(option.action) != chosen]


def _keys(decision: Decision, shape: AnswerShape) -> tuple[str, ...]:
    """The keys of which an answer holds one."""
    if shape.form not in ("action", "fields"):
        return (shape.key,)
    if decision.options is not None:
        actions = (action for action in decision.options.actions if isinstance(action, Mapping))
        return tuple(sorted({str(key) for action in actions for key in action}))
    schema: Any = decision.action_schema
    properties: Any = schema.get("properties") if isinstance(schema, Mapping) else None
    return tuple(map(str, properties)) if isinstance(properties, Mapping) else ()


def _decide(answer: Answer, reading: Reading, meaning: _Meaning) -> Reply | Refusal:
    form = LAST_OF_SEVERAL if answer.is_last_of_several else "tool" if answer.is_native else "json"
    found = meaning.read(answer.value)
    if isinstance(found, Illegal):
        return reading.refuse(RefusalKind(found.kind), found.reason)
    return _reply(found, answer.reasoning, form)


def _reply(action: Action, reasoning: str, form: str) -> Reply:
    return Reply(action=action, reasoning=reasoning, note={"answer": form})
