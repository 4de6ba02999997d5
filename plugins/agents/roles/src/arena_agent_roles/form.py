"""The two forms of what a role answers: an action for the game, or a note for the roles after it."""

import json
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

import attrs
from arena.agent import Refusal, Reply
from arena.backend import Completion, Tool
from arena.game import Decision
from arena.record import JSON, RefusalKind
from arena_agent_llm.answer import AnswerForm, LookUp, answered, take_apart, understand
from arena_agent_llm.shape import answer_schema, note_schema, note_tools, tools

NOTE: Final = "note"
"""The key of a note in an answer, and the tool that writes it."""


@attrs.frozen
class Note:
    """What a role wrote for the others."""

    text: str


Found: TypeAlias = Reply | Note | LookUp | Refusal


class Form(Protocol):
    """How an answer is asked for and read; a free one is no JSON object, and cannot be forced by a schema."""

    @property
    def is_free(self) -> bool:
        """Whether the answer is anything but a JSON object."""
        ...

    def words(self, *, has_tools: bool) -> Mapping[str, str]:
        """Placeholders in the place of the decision's own."""
        ...

    def schema(self, decision: Decision, *, may_look_up: bool) -> JSON:
        """The schema of the answer."""
        ...

    def tools(self, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
        """The same as functions to call."""
        ...

    def read(self, completion: Completion, decision: Decision, *, may_look_up: bool) -> Found:
        """What is meant; never raises on anything a model says."""
        ...


@attrs.frozen(kw_only=True)
class ActionForm:
    """An action of the decision."""

    reasoning_limit: int | None
    is_lenient: bool
    is_numbered: bool
    answer: AnswerForm = "object"

    @property
    def is_free(self) -> bool:
        """Whether the style asks for something else than an object."""
        return self.answer != "object"

    def words(self, *, has_tools: bool) -> Mapping[str, str]:
        """None: the decision says it all."""
        return {}

    def schema(self, decision: Decision, *, may_look_up: bool) -> JSON:
        """That of an action."""
        return answer_schema(
            decision, reasoning_limit=self.reasoning_limit, may_look_up=may_look_up, is_numbered=self.is_numbered
        )

    def tools(self, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
        """Those that play an action."""
        return tools(
            decision, reasoning_limit=self.reasoning_limit, may_look_up=may_look_up, is_numbered=self.is_numbered
        )

    def read(self, completion: Completion, decision: Decision, *, may_look_up: bool) -> Found:
        """As the agent ``llm`` reads it."""
        return understand(
            completion,
            decision,
            is_lenient=self.is_lenient,
            may_look_up=may_look_up,
            is_numbered=self.is_numbered,
            form=self.answer,
        )


@attrs.frozen(kw_only=True)
class NoteForm:
    """A text of at most ``limit`` characters; prose without any object is one too, as a note binds nobody."""

    limit: int

    @property
    def is_free(self) -> bool:
        """No: it is asked for as an object."""
        return False

    def words(self, *, has_tools: bool) -> Mapping[str, str]:
        """The note in the place of the action."""
        wanted = json.dumps({NOTE: f"<your note for the other roles, at most {self.limit} characters>"})
        return {"schema": "", **({"tool": NOTE} if has_tools else {"answer": wanted})}

    def schema(self, decision: Decision, *, may_look_up: bool) -> JSON:
        """A table with the note."""
        return note_schema(NOTE, decision, limit=self.limit, may_look_up=may_look_up)

    def tools(self, decision: Decision, *, may_look_up: bool) -> tuple[Tool, ...]:
        """One that writes the note."""
        return note_tools(NOTE, decision, limit=self.limit, may_look_up=may_look_up)

    def read(self, completion: Completion, decision: Decision, *, may_look_up: bool) -> Found:
        """The note, or why there is none."""
        said = take_apart(completion, NOTE)
        found = answered(said, completion, NOTE, may_look_up=may_look_up)
        if isinstance(found, LookUp):
            return found
        is_prose = said.is_prose and isinstance(found, Refusal) and found.kind is RefusalKind.UNREADABLE
        if found is not None and not is_prose:
            return found
        text = said.text if is_prose else said.reading.value[NOTE]
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
