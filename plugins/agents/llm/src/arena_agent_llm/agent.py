"""A language model as a player: asks, understands, and never plays what was not meant."""

from collections.abc import Mapping
from typing import Literal

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, Reply, Seat, Turn
from arena.backend import IMAGES, SCHEMA, SEED, TOOLS, Backend, Completion, CompletionRequest, Message, Sampling
from arena.chance import Chance
from arena.game import Decision, Game, Illegal, Picture
from arena.record import Player, canonical
from attrs.validators import ge, in_

from arena_agent_llm.answer import LOOK_UP, AnswerForm, LookUp, understand
from arena_agent_llm.history import Memory
from arena_agent_llm.prompt import Prompt, Writer, is_numbered
from arena_agent_llm.reader import split_thinking
from arena_agent_llm.shape import answer_schema, tools
from arena_agent_llm.tolerant import scrub


@attrs.frozen(kw_only=True)
class LLM(Agent):
    """Puts each decision to a language model and reads the action from its answer, or refuses it with a reason."""

    backend: Backend
    prompt: Prompt = attrs.field(factory=Prompt)
    parser: Literal["strict", "lenient"] = attrs.field(
        default="strict",
        validator=in_(("strict", "lenient")),
        metadata={"help": "lenient also takes a label from prose where there is no structured answer"},
    )
    constrained: Literal[True, False, "require"] = attrs.field(
        default=True,
        validator=in_((True, False, "require")),
        metadata={"help": "force the answer's form where the backend can; 'require' refuses backends that cannot"},
    )
    reasoning_limit: int = attrs.field(
        default=600, validator=ge(1), metadata={"help": "longest reasoning, in characters, where the form is forced"}
    )
    tools: bool = attrs.field(default=False, metadata={"help": "answer by a native tool call instead of JSON text"})
    queries: bool = attrs.field(default=True, metadata={"help": "whether the model may use the game's look-ups"})

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down; the prompt's unchanging part is written here."""
        return LLMPlayer(self, seat)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Pictures where the form is one, tools and constrained decoding where they are asked for."""
        asked = {
            IMAGES: any(_is_picture(game, form, players) for form in self.prompt.shown()),
            TOOLS: self.tools,
            SCHEMA: self.constrained == "require" and not self.tools,
        }
        return {"backend": frozenset(name for name, is_needed in asked.items() if is_needed)}

    def forms(self) -> frozenset[str]:
        """The one form its prompt shows."""
        return frozenset({self.prompt.form})


class LLMPlayer(PlayerAgent):
    """One player of one match."""

    def __init__(self, agent: LLM, seat: Seat) -> None:
        able = agent.backend.able()
        self._agent = agent
        self._seat = seat
        self._writer = Writer(agent.prompt, seat, has_tools=agent.tools)
        self._memory = Memory(agent.prompt, lambda event: seat.game.tell(event, seat.player))
        self._has_seed = SEED in able
        self._form: AnswerForm = self._writer.style.answer
        is_free = agent.tools or self._form != "object"
        self._is_constrained = bool(agent.constrained) and not is_free and SCHEMA in able
        self._reasoning_limit = agent.reasoning_limit if self._writer.style.reasoning else None
        self._asked = 0
        self._look_ups: tuple[Message, ...] = ()

    async def act(self, decision: Decision) -> Turn:
        """Ask until the model decides; nothing is awaited before the first request is complete."""
        if self._memory.hear(decision):
            self._asked, self._look_ups = 0, ()
        numbered = is_numbered(self._writer.style, decision)
        asked = self._writer.ask(decision, self._memory.past(), self._left(decision))
        while True:
            question = (asked.message, *self._look_ups)
            may_look_up = self._left(decision) > 0
            request = self._request(decision, question, asked.parts, may_look_up=may_look_up)
            completion = await self._seat.completions.complete(self._agent.backend, request)
            is_lenient = self._agent.parser == "lenient"
            understood = understand(
                completion,
                decision,
                is_lenient=is_lenient,
                may_look_up=may_look_up,
                is_numbered=numbered,
                form=self._form,
            )
            if not isinstance(understood, LookUp):
                self._memory.said(question, _words(completion))
                return self._signed(understood)
            self._look_ups += await self._look_up(understood, completion, decision)

    def _request(
        self, decision: Decision, question: tuple[Message, ...], parts: Mapping[str, str], *, may_look_up: bool
    ) -> CompletionRequest:
        system = self._writer.system
        # Drawn whether it is sent or not: the stream is the same for every backend, and repeated questions differ.
        seed = self._seat.rng.getrandbits(31)
        limit = self._reasoning_limit
        numbered = is_numbered(self._writer.style, decision)
        return CompletionRequest(
            messages=(*((system.message,) if system else ()), *self._memory.messages(), *question),
            sampling=Sampling(seed=seed if self._has_seed else None),
            schema=answer_schema(decision, reasoning_limit=limit, may_look_up=may_look_up, is_numbered=numbered)
            if self._is_constrained
            else None,
            tools=tools(decision, reasoning_limit=limit, may_look_up=may_look_up, is_numbered=numbered)
            if self._agent.tools
            else (),
            parts={
                **(system.parts if system else {}),
                **parts,
                **(self._writer.look_up_parts() if self._look_ups else {}),
            },
        )

    def _left(self, decision: Decision) -> int:
        if not self._agent.queries:
            return 0
        return max(0, sum(query.limit for query in decision.queries) - self._asked)

    async def _look_up(self, wanted: LookUp, completion: Completion, decision: Decision) -> tuple[Message, ...]:
        """Ask the game; the exchange as it is added to the conversation."""
        self._asked += 1
        found = await self._seat.query(wanted.query, wanted.arguments)
        result = f"refused: {found.reason}" if isinstance(found, Illegal) else canonical(found)
        told = self._writer.tell(wanted.query, wanted.arguments, result, self._left(decision))
        if not completion.tool_calls:
            return Message.of("assistant", _words(completion)), Message.of("user", told)
        answered = [call for call in completion.tool_calls if call.name == LOOK_UP][-1]
        calls = Message("assistant", (completion.text,) if completion.text else (), tool_calls=completion.tool_calls)
        ignored = "not answered: look one thing up at a time"
        answers = (
            Message("tool", (told if call is answered else ignored,), tool_call=call.id)
            for call in completion.tool_calls
        )
        return calls, *answers

    def _signed(self, turn: Reply | Refusal) -> Turn:
        if isinstance(turn, Refusal):
            return turn
        assert isinstance(turn.note, Mapping)
        made_of = {"parts": self._writer.style.version, "form": self._agent.prompt.form}
        return attrs.evolve(turn, note={**turn.note, **made_of})


def _words(completion: Completion) -> str:
    """What was answered, as text that can be sent again; thoughts are left out."""
    said, _ = split_thinking(scrub(completion.text))
    return said.strip() or "\n".join(scrub(call.arguments) for call in completion.tool_calls)


def _is_picture(game: Game, form: str, players: int) -> bool:
    """Whether a form renders pictures, seen from the first position; a form the game lacks is reported elsewhere."""
    if form == "text" or form not in game.forms:
        return False
    state, _ = game.start(Chance(0), players)
    player = next(iter(state.to_act()), Player(0))
    return isinstance(game.forms[form](state.observe(player)), Picture)
