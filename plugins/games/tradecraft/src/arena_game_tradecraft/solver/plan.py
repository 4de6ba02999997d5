"""Plans: who proposes what to whom in each turn, and what everybody crafts afterwards."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import cast

import attrs
from arena.record import JSON, Action, Player

from arena_game_tradecraft.match.state import TradeState
from arena_game_tradecraft.rules.amounts import write_amounts
from arena_game_tradecraft.rules.crafting import Amounts, Craft, apply_craft, floored


@attrs.frozen
class PlanTrade:
    """The proposer's ``offer`` for the partner's ``request``, in whole amounts; players are numbered from 0."""

    proposer: int
    partner: int
    offer: Mapping[str, int]
    request: Mapping[str, int]


@attrs.frozen
class PlanTurn:
    """An accepted trade, or none, followed by the crafts of each player in order."""

    trade: PlanTrade | None
    crafts: tuple[tuple[Craft, ...], ...]


@attrs.frozen
class Plan:
    """Turns from the start of a match, or from the beginning of a later turn."""

    turns: tuple[PlanTurn, ...] = ()

    @property
    def trades(self) -> int:
        """The number of turns with a trade."""
        return sum(turn.trade is not None for turn in self.turns)

    @property
    def kinds(self) -> frozenset[str]:
        """The items that change hands."""
        return frozenset(item for turn in self.turns if turn.trade for item in (*turn.trade.offer, *turn.trade.request))


def hands_by_turn(hands: Sequence[Mapping[str, Fraction | int]], plan: Plan) -> list[tuple[Amounts, ...]]:
    """Everybody's hand at the start and after each turn; ``ValueError`` if the plan cannot be played."""
    held: list[Amounts] = [{item: Fraction(n) for item, n in hand.items() if n} for hand in hands]
    found = [tuple(held)]
    for number, turn in enumerate(plan.turns, 1):
        if turn.trade:
            held = _traded(held, turn.trade, number)
        for player, crafts in enumerate(turn.crafts):
            for craft in crafts:
                after = apply_craft(held[player], craft)
                if after is None:
                    raise ValueError(f"turn {number}: player {player} does not hold {dict(craft.inputs)!r}")
                held[player] = after
        held = [floored(hand) for hand in held]
        found.append(tuple(held))
    return found


def _traded(held: list[Amounts], trade: PlanTrade, number: int) -> list[Amounts]:
    after = [dict(hand) for hand in held]
    for giver, taker, items in (
        (trade.proposer, trade.partner, trade.offer),
        (trade.partner, trade.proposer, trade.request),
    ):
        for item, amount in items.items():
            if held[giver].get(item, 0) < amount:
                raise ValueError(f"turn {number}: player {giver} does not hold {amount} {item}")
            after[giver][item] -= amount
            after[taker][item] = after[taker].get(item, Fraction(0)) + amount
    return [{item: n for item, n in hand.items() if n} for hand in after]


def proposing(trade: PlanTrade, seats: Sequence[str], message: str = "") -> Action:
    """The action that proposes a trade."""
    return {
        "partner": seats[trade.partner],
        "offer": dict(sorted(trade.offer.items())),
        "request": dict(sorted(trade.request.items())),
        "message": message,
    }


def making(craft: Craft) -> Action:
    """The action that does a craft."""
    return {"inputs": write_amounts(craft.inputs), "output": {craft.recipe.output: craft.amount}}


def play(state: TradeState, plan: Plan) -> TradeState:
    """Return a copy of ``state``, which is at the beginning of a turn, after playing ``plan`` by the rules.

    ``RuleError`` if the rules forbid a turn of the plan; ends early if the match does.
    """
    state = state.clone()
    for turn in plan.turns:
        if state.returns() is not None:
            break
        if state.phase == "propose":
            proposer, trade = cast("Player", state.proposer), turn.trade
            passed: Action = {"partner": None, "offer": {}, "request": {}, "message": ""}
            state.apply({proposer: passed if trade is None else proposing(trade, state.reader.seats)})
            if trade is not None:
                state.apply({Player(trade.partner): {"accept": True, "message": ""}})
        left = [list(crafts) for crafts in turn.crafts]
        while state.phase == "craft" and (acting := state.to_act()):
            number = state.turn
            done: JSON = {"done": True}
            state.apply({p: making(left[p].pop(0)) if left[p] else done for p in acting})
            if state.turn != number:
                break
    return state
