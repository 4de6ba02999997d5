"""A language model as a player: it asks, interprets the answer, and refuses rather than plays what was not meant."""

from collections.abc import Mapping

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, Reply, Response, Seat
from arena.backend import Backend, Completion, CompletionRequest, Message
from arena.game import Decision, Game, Illegal
from arena.record import JSON, canonical_json

from arena_agent_llm.answering import ModelSettings
from arena_agent_llm.enumerations import is_capped
from arena_agent_llm.outcomes import AnswerShape, QueryCall
from arena_agent_llm.prompts.answer_form import is_numbered
from arena_agent_llm.prompts.history import Memory, sides
from arena_agent_llm.prompts.parts import WrittenParts
from arena_agent_llm.prompts.prompt import PromptBuilder
from arena_agent_llm.replies.answer import understand
from arena_agent_llm.replies.query_calls import exchange, words
from arena_agent_llm.shape import answer_schema, tools


@attrs.frozen(kw_only=True)
class LLM(ModelSettings, Agent):
    """Asks a language model for each decision and reads the action from its answer, or refuses it with a reason."""

    backend: Backend = attrs.field(metadata={"help": "the model that is asked"})
    queries: bool = attrs.field(default=True, metadata={"help": "whether the model may use the game's look-ups"})

    def join(self, seat: Seat) -> PlayerAgent:
        return LLMPlayer(self, seat)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Require images if the form is one, and tools or constrained decoding if they are switched on."""
        return {"backend": self.abilities(game, players)}

    def forms(self) -> frozenset[str]:
        """The one form in which its prompt shows the position."""
        return frozenset({self.prompt.position_form})

    def prompt_version(self) -> str:
        """The version of its style's parts, with its own changes to them."""
        return self.prompt.compiled().version


class LLMPlayer(PlayerAgent):
    """Plays one seat of one match by asking its model; the prompt's unchanging part is written once."""

    def __init__(self, agent: LLM, seat: Seat) -> None:
        self._agent = agent
        self._seat = seat
        self._position_form = agent.prompt.position_form
        self._writer = PromptBuilder(agent.prompt, seat, has_tools=agent.by_tool(agent.backend))
        self._memory = Memory(
            agent.prompt,
            lambda event: seat.game.describe_event(event, seat.player),
            sides(seat.game, seat.players),
            self._writer.style.names,
        )
        self._reasoning_limit = agent.reasoning_limit if self._writer.style.reasoning else None
        self._asked = 0
        self._look_ups: tuple[Message, ...] = ()

    async def act(self, decision: Decision) -> Response:
        """Ask until the model decides; nothing is awaited before the first request is complete."""
        if self._memory.update(decision):
            self._asked, self._look_ups = 0, ()
        decision = self._writer.named(decision)
        numbered, shape = is_numbered(self._writer.style, decision), self._writer.style.shape_of(decision)
        asked = self._writer.ask(decision, self._memory.past, self._left(decision))
        while True:
            question = (asked.message, *self._look_ups)
            may_look_up = self._left(decision) > 0
            request = self._request(
                decision, question, asked.parts, may_look_up=may_look_up, numbered=numbered, shape=shape
            )
            completion = await self._seat.completions.complete(self._agent.backend, request)
            is_lenient = self._agent.parser == "lenient"
            understood = understand(
                completion,
                decision,
                is_lenient=is_lenient,
                may_look_up=may_look_up,
                is_numbered=numbered,
                shape=shape,
                takes=self._agent.takes,
                options=None if decision.options is None else self._writer.options(decision),
            )
            if not isinstance(understood, QueryCall):
                self._memory.said(question, words(completion))
                return self._signed(understood, request)
            self._look_ups += await self._look_up(understood, completion, decision)

    def _request(
        self,
        decision: Decision,
        question: tuple[Message, ...],
        parts: Mapping[str, str],
        *,
        may_look_up: bool,
        numbered: bool,
        shape: AnswerShape,
    ) -> CompletionRequest:
        system = self._writer.system
        # Drawn whether it is sent or not: the stream is the same for every backend, and repeated questions differ.
        seed = self._seat.rng.getrandbits(31)
        limit = self._reasoning_limit
        return self._agent.request(
            self._agent.backend,
            (*((system.message,) if system else ()), *self._memory.messages(), *question),
            seed,
            WrittenParts.together(
                system.parts if system else {}, parts, self._writer.look_up_parts() if self._look_ups else {}
            ),
            schema=(lambda: self._schema(decision, may_look_up=may_look_up, numbered=numbered, shape=shape))
            if self._writer.style.answer in ("object", "action", "fields")
            else None,
            tools=lambda: tools(
                decision, reasoning_limit=limit, may_look_up=may_look_up, is_numbered=numbered, shape=shape
            ),
        )

    def _schema(self, decision: Decision, *, may_look_up: bool, numbered: bool, shape: AnswerShape) -> JSON:
        """The schema of the answer; an answer that is the action itself has no object around it."""
        if shape.form == "action":
            return decision.schema
        limit = self._reasoning_limit
        return answer_schema(
            decision,
            reasoning_limit=limit,
            may_look_up=may_look_up,
            is_numbered=numbered,
            shape=shape,
            options=None if decision.options is None or numbered else self._writer.options(decision),
        )

    def _left(self, decision: Decision) -> int:
        if not (decision.queries and self._agent.queries) or self._writer.style.answer == "action":
            return 0
        return max(0, sum([query.limit for query in decision.queries]) - self._asked)

    async def _look_up(self, wanted: QueryCall, completion: Completion, decision: Decision) -> tuple[Message, ...]:
        """Run the query and return the exchange as it is added to the conversation."""
        self._asked += 1
        found = await self._seat.query(wanted.query, wanted.arguments, reasoning=wanted.reasoning)
        result = f"refused: {found.reason}" if isinstance(found, Illegal) else canonical_json(found)
        told = self._writer.tell(wanted.query, wanted.arguments, result, self._left(decision))
        return exchange(completion, told)

    def _signed(self, turn: Reply | Refusal, request: CompletionRequest) -> Response:
        if isinstance(turn, Refusal):
            return turn
        assert isinstance(turn.note, dict)
        made_of = {"parts": self._writer.style.version, "form": self._position_form}
        if self._agent.backend.enumeration_limit() is not None and is_capped(request):
            made_of["enumerations"] = "left-out"
        return Reply(action=turn.action, reasoning=turn.reasoning, note={**turn.note, **made_of})
