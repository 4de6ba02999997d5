"""The two kinds of answer of a role: an action for the game, or a note for the roles after it."""

import json
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

import attrs
from arena.agent import Refusal, RefusalKind, Reply
from arena.backend import Completion, Tool
from arena.game import Decision
from arena.record import JSON
from arena_agent_llm.outcomes import OBJECT, AnswerShape, KeyValue, QueryCall, Takes
from arena_agent_llm.replies.answer import read_value, understand
from arena_agent_llm.shape import answer_schema, note_schema, note_tools, tools

NOTE: Final = "note"
"""The key of a note in an answer, and the tool that writes it."""


@attrs.frozen
class Note:
    """A text that a role wrote for the roles after it."""

    text: str


Found: TypeAlias = Reply | Note | QueryCall | Refusal


class AnswerFormat(Protocol):
    """How an answer is asked for and read."""

    @property
    def is_free(self) -> bool:
        """Whether the answer is anything but a JSON object, so that no schema can enforce it."""
        ...

    def words(self, *, has_tools: bool) -> Mapping[str, str]:
        """Placeholders that replace the decision's own."""
        ...

    def schema(self, decision: Decision, *, may_look_up: bool) -> JSON:
        """The JSON schema of the answer, with queries if ``may_look_up``."""
        ...

    def tools(self, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
        """The same answer as tools to call."""
        ...

    def read(self, completion: Completion, decision: Decision, *, may_look_up: bool) -> Found:
        """Interpret a completion; never raises, whatever a model says."""
        ...


@attrs.frozen(kw_only=True)
class ActionAnswer:
    """Answers with an action of the decision."""

    reasoning_limit: int | None
    is_lenient: bool
    is_numbered: bool
    answer: AnswerShape = OBJECT
    takes: Takes = "one"

    @property
    def is_free(self) -> bool:
        """Whether the style asks for anything but a JSON object."""
        return self.answer.form not in ("object", "fields")

    def words(self, *, has_tools: bool) -> Mapping[str, str]:
        """Return nothing, since the decision describes the action itself."""
        return {}

    def schema(self, decision: Decision, *, may_look_up: bool) -> JSON:
        """The JSON schema of the answer for this decision, with queries if ``may_look_up``."""
        return answer_schema(
            decision,
            reasoning_limit=self.reasoning_limit,
            may_look_up=may_look_up,
            is_numbered=self.is_numbered,
            shape=self.answer,
        )

    def tools(self, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
        """Tools that play an action, with queries if ``may_look_up``."""
        return tools(
            decision,
            reasoning_limit=self.reasoning_limit,
            may_look_up=may_look_up,
            is_numbered=self.is_numbered,
            shape=self.answer,
        )

    def read(self, completion: Completion, decision: Decision, *, may_look_up: bool) -> Found:
        """Read the action as the agent ``llm`` does."""
        return understand(
            completion,
            decision,
            is_lenient=self.is_lenient,
            may_look_up=may_look_up,
            is_numbered=self.is_numbered,
            shape=self.answer,
            takes=self.takes,
        )


@attrs.frozen(kw_only=True)
class NoteAnswer:
    """Answers with a text of at most ``limit`` characters; prose without an object counts too, as notes bind nobody."""

    limit: int

    @property
    def is_free(self) -> bool:
        """Always false, since a note is asked for as a JSON object."""
        return False

    def words(self, *, has_tools: bool) -> Mapping[str, str]:
        """The description of the note, in place of the action's."""
        wanted = json.dumps({NOTE: f"<your note for the other roles, at most {self.limit} characters>"})
        return {"schema": "", **({"tool": NOTE} if has_tools else {"answer": wanted})}

    def schema(self, decision: Decision, *, may_look_up: bool) -> JSON:
        """The JSON schema of an object with the note, with queries if ``may_look_up``."""
        return note_schema(NOTE, decision, limit=self.limit, may_look_up=may_look_up)

    def tools(self, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
        """A tool that writes the note, with queries if ``may_look_up``."""
        return note_tools(NOTE, decision, limit=self.limit, may_look_up=may_look_up)

    def read(self, completion: Completion, decision: Decision, *, may_look_up: bool) -> Found:
        """Return the note, a query, or a refusal that says why there is neither."""
        found = read_value(completion, NOTE, may_look_up=may_look_up)
        if not isinstance(found, KeyValue):
            return found
        text = found.value
        if not isinstance(text, str):
            return Refusal(
                kind=RefusalKind.UNREADABLE, reason=f"expected a text as {NOTE!r}", text=json.dumps(text)[:200]
            )
        if not text.strip():
            return Refusal(kind=RefusalKind.EMPTY, reason="the note is empty")
        if len(text) > self.limit:
            told = f"the note has {len(text):,} characters; write at most {self.limit:,}"
            return Refusal(kind=RefusalKind.UNREADABLE, reason=told, text=text[:200])
        return Note(text.strip())
