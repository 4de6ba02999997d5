"""The player of an open seat: hands each try to whoever asks for it, and takes one answer."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal, cast

from arena.agent import PlayerAgent, Reply, Response, Seat
from arena.game import Decision, Illegal, Query
from arena.record import JSON, Action
from arena_scene import reason_words

from arena_web.open_seat.seat_turn import (
    Given,
    Message,
    NoAnswer,
    SeatTry,
    action_words,
    answered,
    drawn_answer,
    form_json,
    told,
    turn_json,
    words_of,
)


class SeatPlayer(PlayerAgent):
    """Plays one match for somebody outside; it waits in ``seat.once`` alone, so a replay asks nothing twice.

    Where nobody answers, it leaves after ``leaves_after_s`` seconds; ``None``: it does not.
    """

    def __init__(
        self, seat: Seat, *, leaves_after_s: float | None, look_ups: Literal["as-models", "free"], may_check: bool
    ) -> None:
        self._leaves_after_s = leaves_after_s
        self._look_ups = look_ups
        self._may_check = may_check
        self._seat = seat
        self._told: list[dict[str, Any]] = []
        self._try: SeatTry | None = None
        self._given: dict[tuple[int, int], Given] = {}
        self._changed = asyncio.Event()
        self._turns = asyncio.Lock()  # one after another, since a look-up closes the try for a moment
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
        except NoAnswer as wrong:
            return {"error": wrong.to_json}

    def close(self) -> None:
        """Let whoever waits for something go."""
        for given in self._given.values():
            given.outcome.cancel()
        self._is_over = True
        self._notify()

    # what happens to an answer

    def _asked(self, decision: Decision) -> SeatTry:
        before = self._try
        if before is not None and before.decision.turn == decision.turn:
            return SeatTry(decision, before.news, before.looked_up)
        news = [each for event in decision.news if (each := told(self._seat, event))]
        self._told += news
        return SeatTry(decision, news, Counter())

    async def _wait(self, asked: SeatTry) -> JSON:
        loop = asyncio.get_running_loop()
        asked.given, asked.since = loop.create_future(), loop.time()
        self._notify()
        return await asked.given

    def _reply(self, asked: SeatTry, value: Message) -> Reply:
        action, illegal = _judged(asked.decision, value["action"])
        given = self._given.setdefault(asked.number, Given(words_of(value)))
        if illegal is None:
            given.settle({"accepted": True})
        elif (asked.decision.refusals_left or 2) <= 1:  # the policy acts, and this turn is asked no more
            given.settle(self._refused(asked.decision, illegal))
        beside = {name: value[name] for name in ("checks", "look_ups", "note") if value.get(name)}
        return Reply(action=action, reasoning=value["reasoning"], note=beside or None)

    def _refused(self, decision: Decision, illegal: Illegal) -> Any:
        left = decision.refusals_left
        return {
            "refused": True,
            "kind": illegal.kind,
            "reason": reason_words(illegal.reason),
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
            "reason": reason_words(rejected.reason) if rejected else "",
            "try": decision.attempt,
            "refusals_left": decision.refusals_left,
        }
        given.settle(told)

    async def _look_up(self, asked: SeatTry, value: Message) -> None:
        answer = await self._seat.query(value["query"], value["arguments"])
        if not isinstance(answer, Illegal) or answer.kind != "budget":  # as the referee counts
            asked.looked_up[value["query"]] += 1
        if asked.found is not None and not asked.found.done():
            asked.found.set_result(answer)

    def _cut_off(self, asked: SeatTry) -> None:
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
                counted = None if self._look_ups == "free" else asked.looked_up
                told = turn_json(self._seat, asked.decision, news, counted)
                return {"turn": {**told, "waited_s": loop.time() - asked.began, "leaves_in_s": self._leaves_in(asked)}}
            left = end - loop.time()
            if left <= 0 or self._is_over:
                return {"turn": None}
            try:
                await asyncio.wait_for(changed.wait(), left)
            except TimeoutError:
                continue

    def _leaves_in(self, asked: SeatTry) -> float | None:
        """Seconds until the player leaves because nobody has answered."""
        if self._leaves_after_s is None:
            return None
        return asked.since + self._leaves_after_s - asyncio.get_running_loop().time()

    async def _form(self, said: Message) -> Any:
        async with self._turns:
            asked = self._open(said)
        if said["form"] not in asked.decision.forms:
            forms = ", ".join(asked.decision.forms)
            raise NoAnswer(404, f"there is no form {said['form'][:40]!r}", f"there is: {forms}", "form")
        return form_json(asked.decision, said["form"])

    async def _check(self, said: Message) -> Any:
        async with self._turns:
            asked = self._open(said)
        if not self._may_check:
            raise NoAnswer(403, "this benchmark lets nobody ask if an action is legal", "send it as a try", "check")
        asked.checks += 1
        action, illegal = _judged(asked.decision, said["action"])
        if illegal is not None:
            return {"legal": False, "kind": illegal.kind, "reason": reason_words(illegal.reason)}
        return {"legal": True, "words": self._words(asked.decision, action)}

    def _words(self, decision: Decision, action: Action) -> str:
        return action_words(self._seat, decision, action)

    async def _query(self, said: Message) -> Any:
        """Look up, one after another, because each is journaled at its place."""
        async with self._turns:
            asked = self._open(said)
            query = next((each for each in asked.decision.queries if each.name == said["name"]), None)
            if query is None:
                there = ", ".join(each.name for each in asked.decision.queries) or "nothing"
                raise NoAnswer(404, f"there is no look-up {said['name'][:40]!r}", f"there is: {there}", "query")
            answer = await self._answer(asked, query, said["arguments"])
        if isinstance(answer, Illegal):
            return {"illegal": reason_words(answer.reason)}
        actions = self._seat.game.query_actions(asked.decision, query.name, answer)
        offered = [{"label": each.label, "action": each.action} for each in sorted(actions, key=lambda a: a.rank)]
        return {"answer": answer, "actions": offered, **drawn_answer(self._seat, asked.decision, query.name, answer)}

    async def _answer(self, asked: SeatTry, query: Query, arguments: JSON) -> "JSON | Illegal":
        if self._look_ups == "free":
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
            raise answered(asked.decision.turn) from None
        while self._try is asked and not (asked.is_open or self._is_over):  # until it is asked again
            await self._changed.wait()
        return answer

    async def _take(self, said: Message) -> Any:
        number = said["turn"], said["try"]
        async with self._turns:
            given = self._given.get(number)
            if given is None:
                asked = self._open(said)
                if asked.number != number:
                    raise NoAnswer(409, f"turn {number[0]} is at try {asked.number[1]}", "ask for the turn again")
                assert asked.given is not None  # it is open
                given = self._given[number] = Given(words_of(said))
                asked.given.set_result(self._value(asked, said))
            elif given.said != words_of(said):
                raise answered(number[0])
        try:
            return await asyncio.shield(given.outcome)
        except asyncio.CancelledError:
            if not given.outcome.cancelled():
                raise
            raise NoAnswer(409, f"turn {number[0]} was over before this answer counted", "ask for the turn") from None

    def _value(self, asked: SeatTry, said: Message) -> Any:
        """What is journaled of an answer: nothing that says where it came from."""
        seconds = asyncio.get_running_loop().time() - asked.began
        return {
            **{name: said[name] for name in ("action", "reasoning", "note")},
            "means": said["means"],
            "seconds": round(seconds, 1),
            "checks": asked.checks,
            "look_ups": asked.free_look_ups,
        }

    def _open(self, said: Message) -> SeatTry:
        """The try that is asked now, if it is of the turn that is meant."""
        asked = self._try
        if asked is None or asked.decision.turn != said["turn"] or not asked.is_open:
            was_asked = asked is not None and said["turn"] <= asked.decision.turn
            raise (
                answered(said["turn"]) if was_asked else NoAnswer(409, f"turn {said['turn']} is not asked yet", "wait")
            )
        return asked

    _ANSWERS: ClassVar[Mapping[str, Any]] = {
        "turn": _turn,
        "form": _form,
        "check": _check,
        "query": _query,
        "try": _take,
    }


def _judged(decision: Decision, value: JSON) -> tuple[Action, Illegal | None]:
    """The action that was sent, and why it is refused: one of those that the turn lists, or what names one."""
    meant = value if decision.check(value) is None else decision.interpret(value)
    action = value if isinstance(meant, Illegal) else meant
    return action, decision.check(action)
