"""The decision of each step: the schema of its action, other ways to write it, and random legal actions."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, cast

from arena.game import Decision, Illegal
from arena.record import JSON, Player

from arena_game_diplomacy.knowledge.report_reading import plain_report
from arena_game_diplomacy.knowledge.reports import FIELDS, report_fault, report_schema
from arena_game_diplomacy.knowledge.truth import Situation, random_report
from arena_game_diplomacy.match.ordering import OwnOrders
from arena_game_diplomacy.match.progress import Progress
from arena_game_diplomacy.match.sampling import sample_orders, sample_talk
from arena_game_diplomacy.match.talk import LEVELS, SILENCE, Speaker

NEGOTIATE: Final = "negotiate"
ORDERS: Final = "orders"
RETREATS: Final = "retreats"
ADJUSTMENTS: Final = "adjustments"

_DECLARES: Final = 0.1
"""How often a random player declares its plans in a round."""

_STRATEGIES: Final = ("attack", "defend", "wait")


def decision(state: Progress, player: Player) -> Decision:
    """The decision of ``player``, who must be one of those to act."""
    return Decision(
        player=player,
        phase=state.step,
        action_schema=_schema(state, player),
        sampler=lambda rng: _sample(state, player, rng),
        aliases=lambda value: read(state, player, value),
        skip=_nothing(state),
    )


def check(state: Progress, player: Player, action: JSON) -> Illegal | None:
    """Why the rules refuse ``action``, or ``None``; the reason is that of what it means, if it can be read."""
    illegal = _illegal(state, player, action)
    return illegal and (_illegal(state, player, _meant(state, player, action)) or illegal)


def read(state: Progress, player: Player, value: Any) -> JSON:
    """The legal action that ``value`` means, where it is written otherwise; anything else unchanged."""
    if _illegal(state, player, value) is None:
        return value
    meant = _meant(state, player, value)
    return meant if _illegal(state, player, meant) is None else value


def _illegal(state: Progress, player: Player, action: JSON) -> Illegal | None:
    if state.step == NEGOTIATE:
        return state.speaker(player).check(action)
    own = state.own_orders(player)
    if not _asks_report(state):
        return own.check(action)
    if not isinstance(action, Mapping) or "orders" not in action or set(action) - {"orders", "report"}:
        return Illegal("schema", 'expected {"orders": {UNIT: ORDER, …}, "report": {…}}')
    if "report" in action and (fault := report_fault(action["report"])):
        return Illegal("schema", fault)
    return own.check(cast("Mapping[str, JSON]", action)["orders"])


def _meant(state: Progress, player: Player, value: Any) -> JSON:
    """What ``value`` means as an action, as far as it can be read; it need not be legal."""
    if state.step == NEGOTIATE:
        return state.speaker(player).read(value)
    own = state.own_orders(player)
    if not _asks_report(state):
        return own.read(value)
    if not isinstance(value, Mapping) or not set(value) & {"orders", "report"}:
        return {"orders": own.read(value)} if isinstance(value, Mapping | list | tuple) else value
    meant = {**value, "orders": own.read(value.get("orders", {}))}
    if "report" in meant:
        meant["report"] = plain_report(meant["report"], FIELDS, state.position.board)
        if meant["report"] is None:
            del meant["report"]
    return meant


def orders_and_report(state: Progress, action: JSON) -> tuple[Mapping[str, str], JSON]:
    """The orders of a checked action, and the report that came with it, if any."""
    given = cast("Mapping[str, Any]", action)
    return (given["orders"], given.get("report")) if _asks_report(state) else (given, None)


def _asks_report(state: Progress) -> bool:
    return state.step == ORDERS and state.terms.knowledge == "asked"


def _nothing(state: Progress) -> JSON:
    """The action that does nothing: no messages, or no orders."""
    if state.step == NEGOTIATE:
        return dict(SILENCE)
    return {"orders": {}} if _asks_report(state) else {}


def _schema(state: Progress, player: Player) -> JSON:
    if state.step == NEGOTIATE:
        return state.speaker(player).schema
    orders = state.own_orders(player).schema
    if not _asks_report(state):
        return orders
    properties: JSON = {"orders": orders, "report": report_schema()}
    return {"type": "object", "properties": properties, "required": ["orders"], "additionalProperties": False}


def _sample(state: Progress, player: Player, rng: Random) -> JSON:
    phase = state.position.phase
    if state.step == NEGOTIATE:
        return _words(state.speaker(player), phase, rng)
    own: OwnOrders = state.own_orders(player)
    orders = sample_orders(state.position, own.powers, rng, own.phase.by_power)
    if not _asks_report(state):
        return orders
    situation = Situation(state.position, state.influence_by_power())
    return {"orders": orders, "report": random_report(situation, own.powers, rng)}


def _words(speaker: Speaker, phase: str, rng: Random) -> JSON:
    """Random words for one round: silence as a rule; now and then a message, a strategy, or trust in somebody."""
    said = sample_talk(speaker.powers, speaker.others, phase, speaker.message_limit, rng)
    words: dict[str, JSON] = {"messages": said[: speaker.messages_per_round]}
    if rng.random() < _DECLARES:
        words["strategy"] = rng.choice(_STRATEGIES)[: speaker.message_limit]
        words["trust"] = [{"power": rng.choice(speaker.others), "level": rng.choice(LEVELS)}]
    return words
