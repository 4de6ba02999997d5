"""One role of an agent: what it may do and how its model is asked."""

from typing import Literal

import attrs
from arena.backend import Backend
from arena.game import Decision
from arena_agent_llm.answering import ModelSettings
from arena_agent_llm.prompts.prompt import Prompt
from attrs.validators import ge


@attrs.frozen(kw_only=True)
class RolePrompt(Prompt):
    """A prompt in a style that introduces the role."""

    style: str = attrs.field(
        default="role",
        validator=attrs.fields(Prompt).style.validator,
        metadata=attrs.fields(Prompt).style.metadata,
    )


@attrs.frozen(kw_only=True)
class Role(ModelSettings):
    """What one role is told, which model plays it, and how often that model may be asked."""

    backend: Backend | None = attrs.field(
        default=None, metadata={"help": "the model that plays this role; unset: the agent's"}
    )
    prompt: RolePrompt = attrs.field(factory=RolePrompt)
    budget: int = attrs.field(
        default=8, validator=ge(1), metadata={"help": "completions in one try, or phase; the last one must answer"}
    )
    budget_per: Literal["try", "phase"] = attrs.field(
        default="try",
        metadata={
            "help": "what has a budget of its own; when a phase has spent its, a try is one completion that has to act"
        },
    )
    queries: bool | tuple[str, ...] = attrs.field(
        default=True, metadata={"help": "whether it may use the game's look-ups, or the names of those it may use"}
    )
    lasts: Literal["turn", "phase"] = attrs.field(
        default="turn", metadata={"help": "how long its note is kept before it is asked for another"}
    )
    note_limit: int = attrs.field(default=1_500, validator=ge(50), metadata={"help": "longest note, in characters"})

    def may_ask(self, name: str) -> bool:
        """Whether the role may make the query ``name``."""
        return self.queries if isinstance(self.queries, bool) else name in self.queries

    def sees(self, decision: Decision) -> frozenset[str]:
        """The names of the decision's queries that the role may make."""
        return frozenset(query.name for query in decision.queries if self.may_ask(query.name))
