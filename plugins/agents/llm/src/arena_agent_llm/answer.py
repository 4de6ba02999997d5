"""Turns a completion into an action, a query or a refusal; never raises, whatever a model says."""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

import attrs
from arena.agent import Refusal, Reply
from arena.backend import Completion
from arena.game import Decision
from arena.record import JSON, Action, RefusalKind, canonical_json

from arena_agent_llm.labels import ActionMatch, meant, mentioned
from arena_agent_llm.last_list import read_list
from arena_agent_llm.lenient_json import scrub
from arena_agent_llm.reader import Reading, read, split_thinking

SHOWN: Final = 2_000
"""The most characters of a refused text that the refusal keeps; the completion has the whole text."""

_FENCE = re.compile(r"```\w*\Z")

AnswerForm: TypeAlias = Literal["object", "action", "list", "text"]
"""Which part of an answer is the action: ``action`` in a JSON object, the object itself, a list, or the whole text."""

PLAY: Final = "play"
LOOK_UP: Final = "look_up"


@attrs.frozen
class QueryCall:
    """The model asks a query before it decides."""

    query: str
    arguments: JSON


Understood: TypeAlias = Reply | Refusal | QueryCall


@attrs.frozen
class ParsedCompletion:
    """A completion split into the structured answer, the text, and the reasoning."""

    reading: Reading
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
    is_numbered: bool = False,
    form: AnswerForm = "object",
) -> Understood:
    """Interpret a completion as an action, a query or a refusal.

    A native tool call takes precedence over the text, and the last call over earlier ones. ``may_look_up`` allows an
    answer ``{"query": …}``; ``is_numbered`` says that actions were listed with numbers. ``form`` says what is the
    action: by default the value under ``action`` in the last object, or the last object itself (``"action"``), the last
    ``"list"`` in the text, or the whole ``"text"``. ``is_lenient`` searches prose for a label if there is no structured
    answer at all.
    """
    said = take_apart(completion, find=_READERS[form])
    found = answered(said, completion, "action", may_look_up=may_look_up)
    if found is None:
        return _decide(said.reading.value["action"], said, decision, is_numbered)
    if isinstance(found, QueryCall):
        return found
    if is_lenient and said.is_prose and found.kind is RefusalKind.UNREADABLE and decision.options is not None:
        return _one_of(mentioned(said.text, decision.options), said, "lenient") or found
    return found


def answered(
    said: ParsedCompletion, completion: Completion, key: str, *, may_look_up: bool
) -> QueryCall | Refusal | None:
    """Return the query or refusal in this completion, or ``None`` if it holds an answer under ``key``."""
    problem = _problem(said, completion, may_look_up, key)
    value = said.reading.value
    if problem is None and "query" in value and key not in value:
        return QueryCall(scrub(str(value["query"])), value.get("arguments"))
    return problem


def object_in(completion: Completion) -> tuple[Mapping[str, JSON], str]:
    """Return the object that was answered, whatever it holds; or an empty one and why it cannot be trusted."""
    reading = take_apart(completion).reading
    if completion.finish_reason == "length":
        return {}, "truncated"
    if completion.finish_reason == "context-length":
        return {}, "the prompt was longer than the model takes"
    if reading.state != "whole":
        return {}, reading.problem
    if reading.twice is not None:
        return {}, f"the key {reading.twice!r} has two different values"
    return reading.value, ""


def _whole(text: str) -> Reading:
    said = text.strip()
    return Reading("whole", {"action": said}) if said else Reading("none", problem="the answer was empty")


def _bare(text: str) -> Reading:
    found = read(text)
    return attrs.evolve(found, value={"action": found.value}) if found.state == "whole" else found


_READERS: Final[Mapping[AnswerForm, Callable[[str], Reading]]] = {
    "object": read, "action": _bare, "list": read_list, "text": _whole,
}  # fmt: skip


def take_apart(completion: Completion, tool: str = PLAY, *, find: Callable[[str], Reading] = read) -> ParsedCompletion:
    """Split a completion into what was said, thought and answered.

    ``tool`` is the name of the native tool that may carry the answer; ``find`` finds an answer in a text.
    """
    text, thought = split_thinking(scrub(completion.text))
    thought = "\n\n".join(part for part in (scrub(completion.reasoning).strip(), thought) if part)
    if not completion.tool_calls:
        return ParsedCompletion(find(text), text, thought)
    plays = [call for call in completion.tool_calls if call.name == tool]
    call = (plays or completion.tool_calls)[-1]
    if call.name not in (tool, LOOK_UP):
        problem = f"there is no tool called {call.name[:100]!r}, call {tool!r}"
        return ParsedCompletion(Reading("broken", problem=scrub(problem)), text, thought, "tool")
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


def _refuse(
    kind: RefusalKind,
    reason: str,
    said: ParsedCompletion,
) -> Refusal:
    text = said.text if len(said.text) <= SHOWN else said.text[:SHOWN] + " …"
    return Refusal(kind=kind, reason=reason, text=text, reasoning=said.thought)
