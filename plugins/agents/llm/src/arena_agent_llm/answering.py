"""Settings and requests shared by all agents that ask a model."""

from collections.abc import Callable, Mapping
from typing import Literal

import attrs
from arena.backend import IMAGES, SCHEMA, SEED, TOOLS, Backend, CompletionRequest, Message, Sampling, Tool
from arena.chance import Chance
from arena.game import Game, Image
from arena.record import JSON, Player
from attrs.validators import ge, in_

from arena_agent_llm.enumerations import capped
from arena_agent_llm.outcomes import Takes
from arena_agent_llm.prompts.prompt import Prompt


@attrs.frozen(kw_only=True)
class ModelSettings:
    """How to ask a model and read its answer: fields that agents inherit; never used alone."""

    prompt: Prompt = attrs.field(factory=Prompt)
    parser: Literal["strict", "lenient"] = attrs.field(
        default="strict",
        validator=in_(("strict", "lenient")),
        metadata={"help": "lenient also takes a label from prose where there is no structured answer"},
    )
    takes: Takes = attrs.field(
        default="one",
        validator=in_(("one", "last")),
        metadata={"help": "last: of several answers the last one is played, as published systems do; it is marked"},
    )
    constrained: Literal[True, False, "require"] = attrs.field(
        default=True,
        validator=in_((True, False, "require")),
        metadata={"help": "force the answer's form where the backend can; 'require' refuses backends that cannot"},
    )
    reasoning_limit: int = attrs.field(
        default=600, validator=ge(1), metadata={"help": "longest reasoning, in characters, where the form is forced"}
    )
    tools: Literal[True, False, "auto"] = attrs.field(
        default="auto",
        validator=in_((True, False, "auto")),
        metadata={
            "help": "answer by a native tool call; auto: where the backend takes tools and cannot force a schema"
        },
    )

    def by_tool(self, backend: Backend) -> bool:
        """Whether answers are asked for as calls of a tool, by a style that can say so."""
        if self.tools != "auto":
            return self.tools
        able = backend.supports()
        is_needed = bool(self.constrained) and TOOLS in able and SCHEMA not in able
        return is_needed and "tool" in self.prompt.compiled().names

    def abilities(self, game: Game, players: int) -> frozenset[str]:
        """The capabilities its backend must have: images, tools or constrained decoding, as far as settings ask for
        them.
        """
        asked = {
            IMAGES: any(_is_picture(game, form, players) for form in self.prompt.shown()),
            TOOLS: self.tools is True,
            SCHEMA: self.constrained == "require" and self.tools is not True,
        }
        return frozenset(name for name, is_needed in asked.items() if is_needed)

    def request(
        self,
        backend: Backend,
        messages: tuple[Message, ...],
        seed: int,
        parts: Mapping[str, str],
        *,
        schema: Callable[[], JSON] | None,
        tools: Callable[[], tuple[Tool, ...]],
    ) -> CompletionRequest:
        """Build the request for a question from these settings, as far as ``backend`` supports them.

        ``schema`` is ``None`` if the answer is not a JSON object, so that none can be enforced. Where it enumerates
        more than the backend takes, plain texts stand in the place of enumerated ones.
        """
        able = backend.supports()
        has_tools = self.by_tool(backend)
        is_forced = schema and self.constrained and not has_tools and SCHEMA in able
        request = CompletionRequest(
            messages=messages,
            sampling=Sampling(seed=seed if SEED in able else None),
            schema=schema() if schema and is_forced else None,
            tools=tools() if has_tools else (),
            parts=parts,
        )
        return capped(request, backend.enumeration_limit())


def _is_picture(game: Game, form: str, players: int) -> bool:
    """Whether a form renders images, judged by the first position; ``False`` if the game lacks the form."""
    if form == "text" or form not in game.forms:
        return False
    state, _ = game.start(Chance(0), players)
    player = next(iter(state.to_act()), Player(0))
    return isinstance(game.forms[form](state.observe(player)), Image)
