"""Turn a completion into an action, a look-up or a refusal; never raises on anything a model says."""

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

import attrs
from arena.agent import Refusal, Reply
from arena.backend import Completion
from arena.game import Decision
from arena.record import JSON, Action, RefusalKind, canonical

from arena_agent_llm.labels import Meant, meant, mentioned
from arena_agent_llm.literal import read_list
from arena_agent_llm.reader import Reading, read, split_thinking
from arena_agent_llm.tolerant import scrub

SHOWN: Final = 2_000
"""Characters of a refused text that are kept beside the refusal; the whole text is the completion's."""

_FENCE = re.compile(r"```\w*\Z")

AnswerForm: TypeAlias = Literal["object", "action", "list", "text"]
"""What in an answer is the action: the ``action`` of a JSON object, a list, or the whole text."""

PLAY: Final = "play"
LOOK_UP: Final = "look_up"


@attrs.frozen
class LookUp:
    """The model wants to know something before it decides."""

    query: str
    arguments: JSON


Understood: TypeAlias = Reply | Refusal | LookUp


@attrs.frozen
class Said:
    """A completion taken apart: the structured answer, the text, and what is reasoning."""

    reading: Reading
    text: str
    thought: str
    form: Literal["json", "tool"] = "json"

    @property
    def is_prose(self) -> bool:
        """Whether there is no structured answer at all, not even a broken one."""
        return self.reading.state == "none" and self.form == "json"

    @property
    def reasoning(self) -> str:
        """The answer's own ``reasoning``, or the prose before it, after what was thought."""
        own = self.reading.value.get("reasoning")
        if own is None:
            is_in_text = self.form == "json" and self.reading.state == "whole"
            before = self.text[: self.reading.start] if is_in_text else self.text
            own = _FENCE.sub("", before.rstrip()).strip()
        words = own if isinstance(own, str) else canonical(own)
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
    """What the model means to do.

    A native tool call counts before the text, and the last call before the others. ``may_look_up`` lets an answer
    ``{"query": …}`` through; ``is_numbered`` says that actions were listed with their numbers. ``form`` takes the last
    object itself for the ``"action"``, or the last ``"list"`` in the text, or the whole ``"text"``, in the place of a
    JSON object with the action in it. ``is_lenient`` searches prose for a label where there is no structured answer at
    all.
    """
    said = take_apart(completion, find=_READERS[form])
    found = answered(said, completion, "action", may_look_up=may_look_up)
    if found is None:
        return _decide(said.reading.value["action"], said, decision, is_numbered)
    if isinstance(found, LookUp):
        return found
    if is_lenient and said.is_prose and found.kind is RefusalKind.UNREADABLE and decision.options is not None:
        return _one_of(mentioned(said.text, decision.options), said, "lenient") or found
    return found


def answered(said: Said, completion: Completion, key: str, *, may_look_up: bool) -> LookUp | Refusal | None:
    """``None`` where there is an answer with ``key``, for whoever asked to understand; else a look-up or a refusal."""
    problem = _problem(said, completion, may_look_up, key)
    value = said.reading.value
    if problem is None and "query" in value and key not in value:
        return LookUp(scrub(str(value["query"])), value.get("arguments"))
    return problem


def object_in(completion: Completion) -> tuple[Mapping[str, JSON], str]:
    """The object that was answered, whatever is in it; or an empty one and why it cannot be relied on."""
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


def take_apart(completion: Completion, tool: str = PLAY, *, find: Callable[[str], Reading] = read) -> Said:
    """What was said, thought and answered.

    ``tool`` is the native tool by which an answer may come, ``find`` what finds it in a text.
    """
    text, thought = split_thinking(scrub(completion.text))
    thought = "\n\n".join(part for part in (scrub(completion.reasoning).strip(), thought) if part)
    if not completion.tool_calls:
        return Said(find(text), text, thought)
    plays = [call for call in completion.tool_calls if call.name == tool]
    call = (plays or completion.tool_calls)[-1]
    if call.name not in (tool, LOOK_UP):
        problem = f"there is no tool called {call.name[:100]!r}, call {tool!r}"
        return Said(Reading("broken", problem=scrub(problem)), text, thought, "tool")
    return Said(read(scrub(call.arguments)), text, thought, "tool")


def _problem(said: Said, completion: Completion, may_look_up: bool, key: str) -> Refusal | None:
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


def _decide(value: JSON, said: Said, decision: Decision, is_numbered: bool) -> Reply | Refusal:
    if decision.options is None:
        return _play(decision.interpret(value), said, said.form)
    # What names no option is played as it is, so that the game says what is wrong with it.
    return _one_of(meant(value, decision.options, is_numbered=is_numbered), said, said.form) or _play(
        value, said, said.form
    )


def _one_of(found: Meant, said: Said, form: str) -> Reply | Refusal | None:
    if not found.actions:
        return None
    if len(found.actions) == 1:
        return _play(found.actions[0], said, form)
    labels = ", ".join(repr(label) for label in found.labels[:5])
    return _refuse(RefusalKind.AMBIGUOUS, f"it is not clear which of {labels} is meant; write one, word for word", said)


def _play(action: Action, said: Said, form: str) -> Reply:
    return Reply(action=action, reasoning=said.reasoning, note={"answer": form})


def _refuse(
    kind: RefusalKind,
    reason: str,
    said: Said,
) -> Refusal:
    text = said.text if len(said.text) <= SHOWN else said.text[:SHOWN] + " …"
    return Refusal(kind=kind, reason=reason, text=text, reasoning=said.thought)
