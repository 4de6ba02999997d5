"""Runs one role in one match: it reasons and queries the game until it answers or its budget is spent."""

from collections import Counter
from collections.abc import Mapping

import attrs
from arena.agent import Refusal, RefusalKind, Response, Seat
from arena.backend import Backend, Completion, CompletionRequest, Message
from arena.game import Decision, Illegal, Query
from arena.record import canonical_json, quoted
from arena_agent_llm.outcomes import QueryCall
from arena_agent_llm.prompts.answer_form import is_numbered
from arena_agent_llm.prompts.history import Memory, sides
from arena_agent_llm.prompts.moment import Shown
from arena_agent_llm.prompts.parts import NOTE as WRITTEN_BY, WrittenParts
from arena_agent_llm.prompts.prompt import PromptBuilder, PromptHistory, PromptMessage
from arena_agent_llm.replies.query_calls import exchange, words

from arena_agent_roles.form import ActionAnswer, AnswerFormat, Note, NoteAnswer
from arena_agent_roles.history import EventHistory
from arena_agent_roles.persona import Persona
from arena_agent_roles.role import Role


class RoleRunner:
    """A role's own context in one match: its prompt, its memory, this turn's queries, and its model."""

    def __init__(self, name: str, role: Role, backend: Backend, seat: Seat, persona: Persona | None) -> None:
        told = {"role": name, "persona": persona.words(name) if persona else ""}
        self.name = name
        self.role = role
        self._backend = backend
        self._seat = seat
        self._writer = PromptBuilder(role.prompt, seat, has_tools=role.by_tool(backend), more=told)
        self._memory = Memory(
            role.prompt, lambda event: seat.game.describe_event(event, seat.player), sides(seat.game, seat.players)
        )
        self._line = seat.completions.branch(name)
        self._look_ups: tuple[Message, ...] = ()
        self._window: int | None = None
        self._spent = 0

    @property
    def version(self) -> str:
        """The hash of the role's prompt."""
        return self._writer.style.version

    def update(self, decision: Decision, *, is_new_phase: bool) -> None:
        """Take in what is new in a decision; the results of queries are forgotten when a turn begins."""
        if self._memory.update(decision):
            self._look_ups = ()
        if is_new_phase:
            self._spent = 0

    async def play(
        self, decision: Decision, history: EventHistory, notes: Mapping[str, str], asked: Counter[str]
    ) -> Response:
        """Choose an action; ``asked`` counts the queries that the player made in this turn."""
        style, decision = self._writer.style, self._writer.named(decision)
        form = ActionAnswer(
            reasoning_limit=self.role.reasoning_limit if style.reasoning else None,
            is_lenient=self.role.parser == "lenient",
            is_numbered=is_numbered(style, decision),
            answer=style.shape_of(decision),
            takes=self.role.takes,
        )
        found = await self._answer(form, decision, history, self._told(notes), asked)
        assert not isinstance(found, Note)  # the form reads none
        return found

    async def write(
        self, decision: Decision, history: EventHistory, notes: Mapping[str, str], asked: Counter[str]
    ) -> Note | Refusal:
        """Write a note for the other roles."""
        form = NoteAnswer(limit=self.role.note_limit)
        return self._noted(await self._answer(form, decision, history, self._told(notes), asked))

    async def condense(self, decision: Decision, history: EventHistory, record: str) -> Note | Refusal:
        """Summarise ``record`` in at most half of the characters that the roles are shown."""
        form = NoteAnswer(limit=max(1, history.limit // 2))
        nothing = EventHistory(history.tell, history.limit)
        return self._noted(await self._answer(form, decision, nothing, {"condense": record}, None))

    def _told(self, notes: Mapping[str, str]) -> dict[str, str]:
        """The placeholders for the other roles' notes: all of them together, and each by its role."""
        others = {name: quoted(text) for name, text in notes.items() if name != self.name}
        together = "\n".join(f"{name}: {text}" for name, text in others.items())
        return {"notes": together, **{f"{WRITTEN_BY}{name}": text for name, text in others.items()}}

    def _noted(self, found: "Note | Response") -> Note | Refusal:
        if isinstance(found, Note):
            return found
        assert isinstance(found, Refusal)  # the form reads no action
        told = f"the role {self.name!r} wrote no note: {found.reason}"
        return Refusal(kind=found.kind, reason=told, text=found.text, reasoning=found.reasoning)

    async def _answer(
        self,
        form: AnswerFormat,
        decision: Decision,
        history: EventHistory,
        more: Mapping[str, str],
        asked: Counter[str] | None,
    ) -> Response | Note:
        more = {**form.words(has_tools=self.role.by_tool(self._backend)), **more}
        budget = self._budget()
        question = self._question(decision, history, more, asked, budget)
        for left in range(budget, 0, -1):
            self._spent += 1
            view = self._view(decision, asked, left)
            request = self._request(form, view, question)
            completion = await self._line.complete(self._backend, request)
            if completion.finish_reason == "context-length" and left > 1 and self._shorten(history):
                question = self._question(decision, history, more, asked, left - 1)
                continue
            found = form.read(completion, view, may_look_up=bool(view.queries))
            if not isinstance(found, QueryCall):
                self._memory.said((question.message, *self._look_ups), words(completion))
                return found
            assert asked is not None  # whoever may look nothing up is not read as if it did
            self._look_ups += await self._look_up(found, completion, decision, asked, left - 1)
        # The last completion may not look anything up, so that it always ends in an answer or a refusal.
        return Refusal(kind=RefusalKind.TOO_LONG, reason=f"the role {self.name!r} has spent its budget")

    def _budget(self) -> int:
        """The most completions of this try: at least one, so that a spent budget never costs an action."""
        return self.role.budget if self.role.budget_per == "try" else max(1, self.role.budget - self._spent)

    def _question(
        self,
        decision: Decision,
        history: EventHistory,
        more: Mapping[str, str],
        asked: Counter[str] | None,
        left: int,
    ) -> PromptMessage:
        def past(shown: Shown) -> PromptHistory:
            told = self._memory.past(shown)
            is_told = self.role.prompt.history == "compact"
            return attrs.evolve(told, history=history.text(self._window, shown)) if is_told else told

        return self._writer.ask(
            self._view(decision, asked, left), past, self._look_ups_left(decision, asked, left), more
        )

    def _view(self, decision: Decision, asked: Counter[str] | None, left: int) -> Decision:
        """The decision with only the queries that this role may still make."""
        open_ones: tuple[Query, ...] = ()
        if asked is not None and left > 1:
            open_ones = tuple(q for q in decision.queries if self.role.may_ask(q.name) and asked[q.name] < q.limit)
        return decision.with_news(decision.news, queries=open_ones)

    def _look_ups_left(self, decision: Decision, asked: Counter[str] | None, left: int) -> int:
        open_ones = self._view(decision, asked, left).queries
        return min(left - 1, sum(query.limit - (asked or Counter())[query.name] for query in open_ones))

    def _request(self, form: AnswerFormat, view: Decision, question: PromptMessage) -> CompletionRequest:
        system = self._writer.system
        may_look_up = bool(view.queries)
        return self.role.request(
            self._backend,
            (
                *((system.message,) if system else ()),
                *self._memory.messages(),
                question.message,
                *self._look_ups,
            ),
            # Drawn whether it is sent or not: the stream is the same for every backend.
            self._seat.rng.getrandbits(31),
            WrittenParts.together(
                system.parts if system else {},
                question.parts,
                self._writer.look_up_parts() if self._look_ups else {},
            ),
            schema=None if form.is_free else lambda: form.schema(view, may_look_up=may_look_up),
            tools=lambda: form.tools(view, may_look_up=may_look_up),
        )

    def _shorten(self, history: EventHistory) -> bool:
        """Halve how much of the history is shown from here on; ``False`` if nothing is left to leave out."""
        if self.role.prompt.history != "compact" or not (shown := len(history.text(self._window))):
            return False
        self._window = shown // 2
        return len(history.text(self._window)) < shown

    async def _look_up(
        self, wanted: QueryCall, completion: Completion, decision: Decision, asked: Counter[str], left: int
    ) -> tuple[Message, ...]:
        if wanted.query in self.role.sees(decision):
            asked[wanted.query] += 1
            found = await self._seat.query(
                wanted.query, wanted.arguments, reasoning=wanted.reasoning, note={"role": self.name}
            )
        else:
            found = Illegal("unknown-query", f"this role has no look-up {wanted.query[:40]!r}")
        result = f"refused: {found.reason}" if isinstance(found, Illegal) else canonical_json(found)
        remaining = self._look_ups_left(decision, asked, left)
        return exchange(completion, self._writer.tell(wanted.query, wanted.arguments, result, remaining))
