"""The first rule by which answers were read: the last object in a text counts, as a whole.

Frozen, with ``answer_rule_1_reader``: runs that began under it go on under it, and nothing else uses it. If the last
object is broken or cut off there is no answer, whatever comes before it; braces that open no object are prose.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

import attrs
from arena.agent import Refusal, Reply
from arena.backend import Completion
from arena.game import Decision, Options
from arena.record import JSON, Action, RefusalKind, canonical_json

from arena_agent_llm.answer_rule_1_reader import LastObject, read, read_list, split_thinking
from arena_agent_llm.labels import ActionMatch, label_pattern, meant, relaxed
from arena_agent_llm.lenient_json import scrub
from arena_agent_llm.outcomes import LOOK_UP, PLAY, AnswerForm, KeyValue, QueryCall, Understood, refusal

WORDS: Final[Mapping[str, str]] = {
    "Answer with one JSON object, on a line of its own: your reasoning first and then your action, and nothing": (
        "Answer with one JSON object, your reasoning first and then your action, and nothing"
    ),
    "Answer with one JSON object, on a line of its own, and nothing": "Answer with one JSON object and nothing",
    "as one JSON object of this form, on a line of its own, and nothing": "as one JSON object of this form and nothing",
}
"""What prompts say now, and what they said."""

_FENCE = re.compile(r"```\w*\Z")
_ACTION_WORD = re.compile(r"\baction\b", re.IGNORECASE)
_TAIL: Final = 2_000


@attrs.frozen
class ParsedCompletion:
    """A completion split into the structured answer, the text, and the thought."""

    reading: LastObject
    text: str
    thought: str
    form: Literal["json", "tool"] = "json"

    @property
    def is_prose(self) -> bool:
        """Whether the text has no structured answer at all, not even a broken one."""
        return self.reading.state == "none" and self.form == "json"

    @property
    def reasoning(self) -> str:
        """The answer's own ``reasoning``, or else the prose before it, preceded by any hidden thinking."""
        own = self.reading.value.get("reasoning")
        if own is None:
            is_in_text = self.form == "json" and self.reading.state == "whole"
            before = self.text[: self.reading.start] if is_in_text else self.text
            own = _FENCE.sub("", before.rstrip()).strip()
        words = own if isinstance(own, str) else canonical_json(own)
        return "\n\n".join(part for part in (self.thought, words) if part)


def understand(
    completion: Completion,
    decision: Decision,
    *,
    is_lenient: bool,
    may_look_up: bool,
    is_numbered: bool,
    form: AnswerForm,
) -> Understood:
    """Interpret a completion as an action, a query or a refusal, as runs of the first rule did."""
    said = _take_apart(completion, find=_READERS[form])
    found = _answered(said, completion, "action", may_look_up=may_look_up)
    if found is None:
        return _decide(said.reading.value["action"], said, decision, is_numbered)
    if isinstance(found, QueryCall):
        return found
    if is_lenient and said.is_prose and found.kind is RefusalKind.UNREADABLE and decision.options is not None:
        return _one_of(mentioned(said.text, decision.options), said, "lenient") or found
    return found


def _answered(
    said: ParsedCompletion, completion: Completion, key: str, *, may_look_up: bool
) -> QueryCall | Refusal | None:
    problem = _problem(said, completion, may_look_up, key)
    value = said.reading.value
    if problem is None and "query" in value and key not in value:
        return QueryCall(scrub(str(value["query"])), value.get("arguments"))
    return problem


def _whole(text: str) -> LastObject:
    said = text.strip()
    return LastObject("whole", {"action": said}) if said else LastObject("none", problem="the answer was empty")


def _bare(text: str) -> LastObject:
    found = read(text)
    return attrs.evolve(found, value={"action": found.value}) if found.state == "whole" else found


def _take_apart(
    completion: Completion, tool: str = PLAY, *, find: Callable[[str], LastObject] = read
) -> ParsedCompletion:
    text, thought = split_thinking(scrub(completion.text))
    thought = "\n\n".join(part for part in (scrub(completion.reasoning).strip(), thought) if part)
    if not completion.tool_calls:
        return ParsedCompletion(find(text), text, thought)
    plays = [call for call in completion.tool_calls if call.name == tool]
    call = (plays or completion.tool_calls)[-1]
    if call.name not in (tool, LOOK_UP):
        problem = f"there is no tool called {call.name[:100]!r}, call {tool!r}"
        return ParsedCompletion(LastObject("broken", problem=scrub(problem)), text, thought, "tool")
    return ParsedCompletion(read(scrub(call.arguments)), text, thought, "tool")


def _problem(said: ParsedCompletion, completion: Completion, may_look_up: bool, key: str) -> Refusal | None:
    reading = said.reading
    is_answer = reading.state == "whole" and (key in reading.value or (may_look_up and "query" in reading.value))
    if is_answer and reading.twice is not None:
        return _refuse(RefusalKind.AMBIGUOUS, f"the key {reading.twice!r} has two different values", said)
    if is_answer and may_look_up and "query" in reading.value and key in reading.value:
        return _refuse(RefusalKind.AMBIGUOUS, f"the answer has both 'query' and {key!r}; give one of them", said)
    if is_answer:
        return None
    if completion.finish_reason == "context-length":
        return _refuse(RefusalKind.TOO_LONG, "the prompt was longer than the model takes", said)
    if completion.finish_reason == "length":
        return _refuse(RefusalKind.TRUNCATED, "the answer was cut off before it was complete; be shorter", said)
    if completion.finish_reason == "content-filter":
        return _refuse(RefusalKind.EMPTY, "the provider's content filter withheld the answer", said)
    if not said.text.strip() and said.form == "json":
        return _refuse(RefusalKind.EMPTY, "the answer was empty", said)
    if reading.state == "whole":
        keys = ", ".join(repr(key[:40]) for key in list(reading.value)[:5])
        return _refuse(
            RefusalKind.UNREADABLE, f"the JSON object in the answer has no key {key!r} (it has: {keys})", said
        )
    return _refuse(RefusalKind.UNREADABLE, reading.problem, said)


def _decide(value: JSON, said: ParsedCompletion, decision: Decision, is_numbered: bool) -> Reply | Refusal:
    if decision.options is None:
        return _play(decision.interpret(value), said, said.form)
    # What names no option is played as it is, so that the game says what is wrong with it.
    return _one_of(meant(value, decision.options, is_numbered=is_numbered), said, said.form) or _play(
        value, said, said.form
    )


def _one_of(found: ActionMatch, said: ParsedCompletion, form: str) -> Reply | Refusal | None:
    if not found.actions:
        return None
    if len(found.actions) == 1:
        return _play(found.actions[0], said, form)
    labels = ", ".join(repr(label) for label in found.labels[:5])
    return _refuse(RefusalKind.AMBIGUOUS, f"it is not clear which of {labels} is meant; write one, word for word", said)


def _play(action: Action, said: ParsedCompletion, form: str) -> Reply:
    return Reply(action=action, reasoning=said.reasoning, note={"answer": form})


def _refuse(kind: RefusalKind, reason: str, said: ParsedCompletion) -> Refusal:
    return refusal(kind, reason, said.text, said.thought)


def read_value(completion: Completion, key: str, *, may_look_up: bool) -> KeyValue | QueryCall | Refusal:
    """Return what stands under ``key``, which is also the name of the tool; prose without an object counts too."""
    said = _take_apart(completion, key)
    found = _answered(said, completion, key, may_look_up=may_look_up)
    if found is None:
        return KeyValue(said.reading.value[key])
    is_prose = said.is_prose and isinstance(found, Refusal) and found.kind is RefusalKind.UNREADABLE
    return KeyValue(said.text, is_prose=True) if is_prose else found


def mentioned(text: str, options: Options) -> ActionMatch:
    """Find the options that are named after the last word "action", or else in the last line."""
    mentions = list(_ACTION_WORD.finditer(text))
    tail = text[mentions[-1].end() :] if mentions else (text.strip().splitlines() or [""])[-1]
    by_label = {relaxed(option.label): option for option in options if option.label.strip()}
    if len(tail) > _TAIL or len(by_label) < len(options) or not by_label:
        return ActionMatch(())
    named = [relaxed(mention) for mention in label_pattern(by_label).findall(tail)]
    if not all(mention in by_label for mention in named):  # a few letters match another whose folded form differs
        return ActionMatch(())
    found = [by_label[mention] for mention in named]
    return ActionMatch(tuple(o.action for o in found), tuple(o.label for o in found))


_READERS: Final[Mapping[AnswerForm, Callable[[str], LastObject]]] = {
    "object": read, "action": _bare, "fields": _bare, "list": read_list, "text": _whole,
}  # fmt: skip
