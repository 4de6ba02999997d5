"""One try of a turn as whoever takes the seat is told it, what was said, and what came of it."""

import asyncio
import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias, cast

import attrs
from arena.agent import Seat
from arena.game import ABSENT, Decision, Drawing, Image, Touchable
from arena.record import EVERYONE, JSON, GameEvent, canonical_json
from arena_scene import (
    element_ids,
    for_people,
    position_words,
    reason_words,
    said,
    scene_faults,
    scene_of,
    text_scene,
    titled,
    touches_faults,
)

from arena_web.foundation.seeing import is_own

Message: TypeAlias = Mapping[str, Any]
"""A request of the server, as JSON."""


class NoAnswer(Exception):
    """A message that gets no answer: the status that HTTP has for it, what is wrong, and what to do."""

    def __init__(self, status: int, what: str, remedy: str = "", where: str = "turn") -> None:
        super().__init__(what)
        self.to_json = {"status": status, "where": where, "what": what, "remedy": remedy}


@attrs.define(eq=False)
class Given:
    """An answer that came for a try: what was said, and what came of it once that is known."""

    said: str
    outcome: "asyncio.Future[Any]" = attrs.field(factory=lambda: asyncio.get_running_loop().create_future())

    def settle(self, outcome: Any) -> None:
        """Tell whoever gave the answer what came of it, once."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


@attrs.define(eq=False)
class SeatTry:
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


def answered(turn: int) -> NoAnswer:
    """What is said where a turn is not asked any more."""
    return NoAnswer(409, f"turn {turn} has been answered", "ask for the next turn")


def words_of(message: Message) -> str:
    """What an answer says, by which two are told apart."""
    return canonical_json({name: message[name] for name in ("action", "reasoning", "note")})


def turn_json(
    seat: Seat, decision: Decision, news: Sequence[Mapping[str, Any]], asked: Mapping[str, int] | None
) -> Any:
    """A try as JSON; ``asked`` says how often each look-up was made in this turn, ``None`` that none is counted."""
    options = decision.options
    text = _text(decision)
    scene = _scene(seat, decision, text)
    touches = _touches(seat, decision, scene)
    return {
        "turn": decision.turn,
        "try": decision.attempt,
        "phase": decision.phase,
        "observation": decision.observation,
        "text": position_words(text),
        "forms": list(decision.forms),
        "scene": scene,
        "options": None if options is None else [{"action": o.action, "label": o.label} for o in options],
        "schema": None if options is not None else _schema(decision, touches),
        "touches": touches,
        "queries": [
            {
                "name": query.name,
                "description": query.summary,
                "schema": query.schema,
                "left": None if asked is None else max(0, query.limit - asked.get(query.name, 0)),
            }
            for query in decision.queries
        ],
        "news": list(news),
        "rejected": [
            {
                "kind": each.kind,
                "reason": reason_words(each.reason),
                "answer": "" if each.action is ABSENT else action_words(seat, decision, cast("Any", each.action)),
            }
            for each in decision.rejected
        ],
        "refusals_left": decision.refusals_left,
        "say": _say(decision),
    }


def _schema(decision: Decision, touches: Any) -> JSON:
    """The schema of an action with the names that the game has for its places, for people."""
    names: Mapping[str, str] = touches.get("names", {}) if touches else {}
    schema = decision.schema
    return dict(titled(schema, names)) if isinstance(schema, Mapping) else schema


def told(seat: Seat, event: GameEvent) -> dict[str, Any] | None:
    """An event in words, whether it is the player's own doing, and whether not everybody was told it.

    ``None`` where the game has no words for it.
    """
    words = for_people(seat.game.describe_event(event, seat.player))
    if not words:
        return None
    return {"words": words, "is_own": is_own(event.data, seat.player), "is_private": event.to != EVERYONE}


def action_words(seat: Seat, decision: Decision, action: Any) -> str:
    """An action in words, whether it is legal or not."""
    if decision.options is not None:
        written = canonical_json(action)
        return next((o.label for o in decision.options if canonical_json(o.action) == written), "") or said(action)
    with suppress(Exception):  # the game is a plugin, and knows words for legal actions alone
        return for_people(seat.game.describe_action(decision, action)) or said(action)
    return said(action)


def drawn_answer(seat: Seat, decision: Decision, query: str, answer: JSON) -> dict[str, Any]:
    """The answer to a look-up as a scene, with what can be touched in it; empty where the game draws none."""
    with suppress(Exception):  # as below
        drawn = seat.game.query_scene(decision, query, answer)
        if drawn is not None and not scene_faults(drawn[0].data):
            return {"scene": drawn[0].data, "touches": _offered(drawn[1], drawn[0].data)}
    return {}


def form_json(decision: Decision, name: str) -> Any:
    """The position in one of the game's forms: a text, a scene, or a picture with its bytes in base64."""
    shown = decision.render(name)
    if isinstance(shown, Image):
        return {"media_type": shown.media_type, "data": base64.b64encode(shown.data).decode(), "alt": shown.alt}
    return {"scene": shown.data} if isinstance(shown, Drawing) else {"text": shown}


def _say(decision: Decision) -> str:
    if decision.rejected:
        return f"Not accepted: {reason_words(decision.rejected[-1].reason)}. Try again."
    if decision.attempt:
        return "That was not accepted. Try again."
    return f"It is your turn: {decision.phase}."


def _text(decision: Decision) -> str:
    shown = decision.render("text") if "text" in decision.forms else canonical_json(decision.observation)
    return shown if isinstance(shown, str) else canonical_json(decision.observation)


def _scene(seat: Seat, decision: Decision, text: str) -> Any:
    """The position as a scene; a game that cannot draw it has a box with its words."""
    with suppress(Exception):  # the game is a plugin, and its picture no reason to end a match
        return scene_of(seat.game.title, decision.forms, decision.observation)
    return text_scene(seat.game.title, text)[0]


def _touches(seat: Seat, decision: Decision, scene: Any) -> Any:
    """What can be touched in the scene; ``None`` where the game says nothing of it, or nothing that can be offered."""
    with suppress(Exception):  # as above
        return _offered(seat.game.touches(decision), scene)
    return None


def _offered(touchable: Touchable | None, scene: Any) -> Any:
    """What can be touched in a scene as JSON; ``None`` where that cannot be offered."""
    written = None if touchable is None else touchable.written()
    elements = element_ids(scene) if not scene_faults(scene) else frozenset[str]()
    return None if written is None or touches_faults(written, elements) else written
