"""The player of an open seat: hands each try to whoever asks for it, and takes one answer."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, TypeAlias, cast

import attrs
from arena.agent import PlayerAgent, Reply, Response, Seat
from arena.game import Decision, Illegal, Query
from arena.record import JSON, Action, canonical_json

from arena_web.open_seat import OpenSeat
from arena_web.seat_turn import form_json, told, turn_json

Message: TypeAlias = Mapping[str, Any]


class _Wrong(Exception):
    """A message that gets no answer: the status that HTTP has for it, what is wrong, and what to do."""

    def __init__(self, status: int, what: str, remedy: str = "", where: str = "turn") -> None:
        super().__init__(what)
        self.to_json = {"status": status, "where": where, "what": what, "remedy": remedy}


@attrs.define(eq=False)
class _Given:
    """An answer that came for a try: what was said, and what came of it once that is known."""

    said: str
    outcome: "asyncio.Future[Any]" = attrs.field(factory=lambda: asyncio.get_running_loop().create_future())


@attrs.define(eq=False)
class _Try:
    """A try that is asked: its decision, the news of its turn, when it began, and since when an answer is awaited."""

    decision: Decision
    news: list[dict[str, Any]]
    looked_up: Counter[str]
    began: float = attrs.field(factory=lambda: asyncio.get_running_loop().time())
    since: float = 0.0
    checks: int = 0
    free_look_ups: list[str] = attrs.field(factory=list[str])
    given: "asyncio.Future[Any] | None" = None
    found: "asyncio.Future[Any] | None" = None

    @property
    def number(self) -> tuple[int, int]:
        """Its turn and its place among the tries of the turn."""
        return self.decision.turn, self.decision.attempt

    @property
    def is_open(self) -> bool:
        """Whether an answer is waited for."""
        return self.given is not None and not self.given.done()


class SeatPlayer(PlayerAgent):
    """Plays one match for somebody outside; it waits in ``seat.once`` alone, so a replay asks nothing twice."""

    def __init__(self, agent: OpenSeat, seat: Seat) -> None:
        self._agent = agent
        self._seat = seat
        self._told: list[dict[str, Any]] = []
        self._try: _Try | None = None
        self._given: dict[tuple[int, int], _Given] = {}
        self._changed = asyncio.Event()
        self._queries = asyncio.Lock()
        self._is_over = False

    async def act(self, decision: Decision) -> Response:
        """Wait for an answer; look-ups are answered meanwhile, and all of it is journaled before it counts."""
        asked = self._try = self._asked(decision)
        self._refused_before(decision)
        try:
            while True:
                value: Any = await self._seat.once("answer", partial(self._wait, asked))
                if "query" not in value:
                    return self._reply(asked, value)
                await self._look_up(asked, value)
        except BaseException:
            self._cut_off(asked)
            raise

    async def receive(self, message: JSON) -> JSON:
        """Answer a request of the server that opened the seat to somebody: ``{"do": NAME, …}``."""
        said = cast("Any", message)
        try:
            return await self._ANSWERS[said["do"]](self, said)
        except _Wrong as wrong:
            return {"error": wrong.to_json}

    def close(self) -> None:
        """Let whoever waits for something go."""
        for given in self._given.values():
            given.outcome.cancel()
        self._is_over = True
        self._notify()

    # what happens to an answer

    def _asked(self, decision: Decision) -> _Try:
        before = self._try
        if before is not None and before.decision.turn == decision.turn:
            return _Try(decision, before.news, before.looked_up)
        news = [each for event in decision.news if (each := told(self._seat, event))]
        self._told += news
        return _Try(decision, news, Counter())

    async def _wait(self, asked: _Try) -> JSON:
        loop = asyncio.get_running_loop()
        asked.given, asked.since = loop.create_future(), loop.time()
        self._notify()
        return await asked.given

    def _reply(self, asked: _Try, value: Message) -> Reply:
        action = asked.decision.interpret(value["action"])
        given = self._given.setdefault(asked.number, _Given(_said(value)))
        if asked.decision.check(action) is None:
            _settle(given, {"accepted": True})
        elif (asked.decision.refusals_left or 2) <= 1:  # the policy acts, and this turn is asked no more
            _settle(given, self._refused(asked.decision, action))
        beside = {name: value[name] for name in ("checks", "look_ups", "note") if value.get(name)}
        return Reply(action=action, reasoning=value["reasoning"], note=beside or None)

    def _refused(self, decision: Decision, action: Action) -> Any:
        illegal = decision.check(action)
        left = decision.refusals_left
        return {
            "refused": True,
            "kind": "" if illegal is None else illegal.kind,
            "reason": "" if illegal is None else illegal.reason,
            "try": decision.attempt + 1,
            "refusals_left": None if left is None else left - 1,
        }

    def _refused_before(self, decision: Decision) -> None:
        """Tell who answered the try before what was wrong with it, as this one does."""
        given = self._given.get((decision.turn, decision.attempt - 1))
        if given is None:
            return
        rejected = decision.rejected[-1] if decision.rejected else None
        told = {
            "refused": True,
            "kind": rejected.kind if rejected else "illegal",
            "reason": rejected.reason if rejected else "",
            "try": decision.attempt,
            "refusals_left": decision.refusals_left,
        }
        _settle(given, told)

    async def _look_up(self, asked: _Try, value: Message) -> None:
        answer = await self._seat.query(value["query"], value["arguments"])
        if not isinstance(answer, Illegal) or answer.kind != "budget":  # as the referee counts
            asked.looked_up[value["query"]] += 1
        if asked.found is not None and not asked.found.done():
            asked.found.set_result(answer)

    def _cut_off(self, asked: _Try) -> None:
        """Close a try that is over; an answer that came too late to count is none."""
        given = self._given.get(asked.number)
        for each in (asked.given, asked.found, given and given.outcome):
            if each is not None:
                each.cancel()
        self._given.pop(asked.number, None)
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    # what is asked from outside

    async def _turn(self, said: Message) -> Any:
        """The open try of a turn after a number, or nothing within some seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + said["wait"]
        while True:
            changed, asked = self._changed, self._try
            if asked is not None and asked.is_open and asked.decision.turn > said["after"]:
                news = self._told if said["after"] < 0 else asked.news
                told = turn_json(self._seat, asked.decision, news, asked.looked_up)
                return {"turn": {**told, "waited_s": loop.time() - asked.began, "leaves_in_s": self._leaves_in(asked)}}
            left = end - loop.time()
            if left <= 0 or self._is_over:
                return {"turn": None}
            try:
                await asyncio.wait_for(changed.wait(), left)
            except TimeoutError:
                continue

    def _leaves_in(self, asked: _Try) -> float | None:
        """Seconds until the player leaves because nobody has answered."""
        if self._agent.absent != "leave":
            return None
        return asked.since + self._agent.absent_s - asyncio.get_running_loop().time()

    async def _form(self, said: Message) -> Any:
        asked = self._open(said)
        if said["form"] not in asked.decision.forms:
            forms = ", ".join(asked.decision.forms)
            raise _Wrong(404, f"there is no form {said['form'][:40]!r}", f"there is: {forms}", "form")
        return form_json(asked.decision, said["form"])

    async def _check(self, said: Message) -> Any:
        asked = self._open(said)
        if self._agent.checks == "none":
            raise _Wrong(403, "this benchmark lets nobody ask whether an action is legal", "send it as a try", "check")
        asked.checks += 1
        action = asked.decision.interpret(said["action"])
        illegal = asked.decision.check(action)
        if illegal is not None:
            return {"legal": False, "kind": illegal.kind, "reason": illegal.reason}
        return {"legal": True, "words": self._words(asked.decision, action)}

    def _words(self, decision: Decision, action: Action) -> str:
        if decision.options is not None:
            return decision.options.label(action)
        return self._seat.game.describe_action(decision, action) or canonical_json(action)

    async def _query(self, said: Message) -> Any:
        """Look up, one after another, because each is journaled at its place."""
        async with self._queries:
            asked = self._open(said)
            query = next((each for each in asked.decision.queries if each.name == said["name"]), None)
            if query is None:
                there = ", ".join(each.name for each in asked.decision.queries) or "nothing"
                raise _Wrong(404, f"there is no look-up {said['name'][:40]!r}", f"there is: {there}", "query")
            answer = await self._answer(asked, query, said["arguments"])
        if isinstance(answer, Illegal):
            return {"illegal": answer.reason}
        actions = self._seat.game.query_actions(asked.decision, query.name, answer)
        offered = [{"label": each.label, "action": each.action} for each in sorted(actions, key=lambda a: a.rank)]
        return {"answer": answer, "actions": offered}

    async def _answer(self, asked: _Try, query: Query, arguments: JSON) -> "JSON | Illegal":
        if self._agent.look_ups == "free":
            asked.free_look_ups.append(query.name)
            return query.answer(arguments)
        assert asked.given is not None  # it is open
        found = asked.found = asyncio.get_running_loop().create_future()
        asked.given.set_result({"query": query.name, "arguments": arguments})
        try:
            answer = await found
        except asyncio.CancelledError:
            if not found.cancelled():
                raise
            raise _answered(asked.decision.turn) from None
        while self._try is asked and not asked.is_open:  # until it is asked again
            await self._changed.wait()
        return answer

    async def _take(self, said: Message) -> Any:
        number = said["turn"], said["try"]
        async with self._queries:
            given = self._given.get(number)
            if given is None:
                asked = self._open(said)
                if asked.number != number:
                    raise _Wrong(409, f"turn {number[0]} is at try {asked.number[1]}", "ask for the turn again")
                assert asked.given is not None  # it is open
                given = self._given[number] = _Given(_said(said))
                asked.given.set_result(self._value(asked, said))
            elif given.said != _said(said):
                raise _answered(number[0])
        try:
            return await asyncio.shield(given.outcome)
        except asyncio.CancelledError:
            if not given.outcome.cancelled():
                raise
            raise _Wrong(409, f"turn {number[0]} was over before this answer counted", "ask for the turn") from None

    def _value(self, asked: _Try, said: Message) -> Any:
        """What is journaled of an answer: nothing that says where it came from."""
        seconds = asyncio.get_running_loop().time() - asked.began
        return {
            **{name: said[name] for name in ("action", "reasoning", "note")},
            "means": said["means"],
            "seconds": round(seconds, 1),
            "checks": asked.checks,
            "look_ups": asked.free_look_ups,
        }

    def _open(self, said: Message) -> _Try:
        """The try that is asked now, if it is of the turn that is meant."""
        asked = self._try
        if asked is None or asked.decision.turn != said["turn"] or not asked.is_open:
            was_asked = asked is not None and said["turn"] <= asked.decision.turn
            raise _answered(said["turn"]) if was_asked else _Wrong(409, f"turn {said['turn']} is not asked yet", "wait")
        return asked

    _ANSWERS: ClassVar[Mapping[str, Any]] = {
        "turn": _turn,
        "form": _form,
        "check": _check,
        "query": _query,
        "try": _take,
    }


def _answered(turn: int) -> _Wrong:
    return _Wrong(409, f"turn {turn} has been answered", "ask for the next turn")


def _said(message: Message) -> str:
    return canonical_json({name: message[name] for name in ("action", "reasoning", "note")})


def _settle(given: _Given, outcome: Any) -> None:
    if not given.outcome.done():
        given.outcome.set_result(outcome)
