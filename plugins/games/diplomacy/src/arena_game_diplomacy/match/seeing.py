"""The observations of players and of the spectator, and what the events of a match say."""

from collections.abc import Mapping, Sequence
from typing import cast

from arena.record import JSON, Player

from arena_game_diplomacy.match.progress import Progress
from arena_game_diplomacy.rules.position import MOVEMENT, RETREATS, listed_retreats
from arena_game_diplomacy.rules.results import Result


def observe(state: Progress, player: Player | None) -> JSON:
    """The position, the results of the last orders, and the messages that ``player`` sent or received.

    ``results`` are those of the last movement phase and of the retreats and adjustments after it. ``declared`` and
    ``reports`` are the player's own; the spectator, for whom ``player`` is ``None``, sees everybody's.
    """
    position, terms = state.position, state.terms
    seen: dict[str, JSON] = {
        "phase": position.phase,
        "step": state.step,
        "round": state.round if state.step == "negotiate" else 0,
        "rounds": terms.negotiation_rounds if len(state.hands) > 1 else 0,
        "you": None if player is None else state.seats[player],
        "powers": [] if player is None else list(state.hands[player]),
        "hands": [list(hand) for hand in state.hands],
        "neutral": list(state.neutral),
        "disorder": [power for p in sorted(state.forfeited) for power in state.hands[p]],
        "units": {power: list(units) for power, units in position.units.items()},
        "centres": {power: list(names) for power, names in (position.centres or {}).items()},
        "influence": cast("JSON", state.influence_by_power()),
        "dislodged": listed_retreats(position.dislodged),
        "contested": list(position.contested),
        "results": [_results(result) for result in state.results],
        "messages": [message.to_json() for message in state.messages if message.is_visible(player)],
        "declared": [each.to_json() for each in state.declarations if player in (None, each.player)],
        "reports": [each.to_json() for each in state.reports if player in (None, each.player)],
        "message_limit": terms.message_limit,
        "messages_per_round": terms.messages_per_round,
        "win_centres": terms.win_centres,
        "first_year": terms.begins_in,
        "last_year": terms.last_year,
        "knowledge": terms.knowledge,
        "ended": None if state.end is None else ending(state),
    }
    return seen


def observe_public(state: Progress) -> JSON:
    """The position, the results of the last orders, and the messages that were sent to everybody.

    It does not say how far a phase is: nobody is told that a round of private messages is over.
    """
    seen = cast("dict[str, JSON]", observe(state, None))
    sent: list[JSON] = [message.to_json() for message in state.messages if message.to is None]
    return {**seen, "step": "orders", "round": 0, "messages": sent, "declared": [], "reports": []}


def _results(result: Result) -> JSON:
    """The part of a result that the position after it does not tell."""
    orders: dict[str, JSON] = {power: [each.to_json() for each in given] for power, given in result.orders.items()}
    return {"phase": result.phase, "orders": orders, "dislodged": listed_retreats(result.dislodged)}


def ending(state: Progress) -> dict[str, JSON]:
    """How the match ended; ``winner`` is the seat of who won alone, or the neutral power that did."""
    assert state.end is not None
    side, position = state.end.winner, state.position
    return {
        "reason": state.end.reason,
        "winner": None if side is None else "+".join(side),
        "winners": list(side or ()),
        "centres": {power: list(names) for power, names in (position.centres or {}).items() if names},
        "survivors": [power for power in position.board.powers if state.is_alive(power)],
    }


def missing(state: Progress, orders: Mapping[str, Sequence[str]], result: Result) -> dict[str, JSON]:
    """The units of each player's powers that needed an order and had none, before ``result`` is taken over.

    They held, were disbanded where they would have had to retreat, or went by civil disorder in an adjustment phase.
    """
    position = state.position
    found: dict[str, JSON] = {}
    for power in (power for hand in state.hands for power in hand):
        if position.kind == MOVEMENT:
            units: Sequence[str] = position.units[power]
        elif position.kind == RETREATS:
            units = [unit for unit, places in position.dislodged.get(power, {}).items() if places]
        else:
            units = [unit for unit in position.units[power] if unit not in result.units[power]]
        ordered = orders.get(power, ())
        without: list[JSON] = [unit for unit in units if not any(text.startswith(f"{unit} ") for text in ordered)]
        if without:
            found[power] = without
    return found
