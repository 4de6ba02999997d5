"""Random play: orders of which many help each other, and a little talk.

Orders drawn uniformly and independently are nearly all supports and convoys of what nobody ordered, so that random
matches would hardly hold a supported attack, a support that is cut, or a convoy. Here about half of a player's units
help another one of its units to move, where units stand so that they can.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from arena_game_diplomacy.match.pacts import Pact, Statement, write
from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.convoys import possible_chains
from arena_game_diplomacy.rules.legal import legal_orders
from arena_game_diplomacy.rules.notation import parse_order
from arena_game_diplomacy.rules.position import ADJUSTMENTS, MOVEMENT, Position, builds_left

HELPERS: Final = 0.5
"""The share of a player's units that shall support or convoy a move of its own, where so many can."""

UNGUIDED: Final = 0.05
"""How often no unit of a player is made to help another one."""

MOVERS: Final = 0.5
"""The share of the other units that move without a convoy; all others get any legal order."""

TALKS: Final = 0.2
"""How often a random player says anything in a round of negotiation."""

UnitOrders = Mapping[str, Sequence[str]]
Move = tuple[str, str]
"""A unit without its coast, and the province to which it moves."""


def sample_orders(
    position: Position, powers: Iterable[str], rng: Random, legal: Mapping[str, UnitOrders] | None = None
) -> dict[str, str]:
    """Draw a legal order for every unit of ``powers`` that has any, by unit, and by home place for builds.

    ``legal`` is ``legal_orders(position)``, for who has it already. Of the orders of a movement phase about half are
    supports or convoys of a move that is drawn as well, where units stand so that they can be; every legal order can be
    drawn. As many units are disbanded as must be, and at most as many built as may be.
    """
    legal = legal_orders(position) if legal is None else legal
    by_power = {power: legal.get(power, {}) for power in powers}
    if position.kind == MOVEMENT:
        return _movement(position.board, {unit: o for orders in by_power.values() for unit, o in orders.items()}, rng)
    due = builds_left(position) if position.kind == ADJUSTMENTS else {}
    drawn: dict[str, str] = {}
    for power, orders in by_power.items():
        of_power = {unit: rng.choice(choices) for unit, choices in orders.items()}
        drawn |= _as_many_as_due(of_power, due[power], rng) if power in due else of_power
    return drawn


def _as_many_as_due(drawn: dict[str, str], due: int, rng: Random) -> dict[str, str]:
    """Leave out disbands, or waive builds, that are too many; disbands are due where ``due`` is negative."""
    if due < 0:
        return {unit: drawn[unit] for unit in rng.sample(sorted(drawn), -due)}
    built = [home for home, order in drawn.items() if order != "WAIVE"]
    return drawn | dict.fromkeys(rng.sample(built, max(0, len(built) - due)), "WAIVE")


def _movement(board: BoardMap, orders: UnitOrders, rng: Random) -> dict[str, str]:
    """One order for each unit: moves and orders that help them until enough help, then anything for the others."""
    moves: dict[Move, list[str]] = {}
    helping: list[tuple[Move, bool, dict[str, str]]] = []
    convoys: dict[Move, dict[str, str]] = {}
    for unit, choices in orders.items():
        for text in choices:
            order = parse_order(board, text)
            move = ((order.helped or unit)[:5], (order.target or "")[:3])
            match order.kind:
                case "move":
                    moves.setdefault(move, []).append(text)
                case "support" if order.target:
                    helping.append((move, False, {unit: text}))
                case "convoy":
                    convoys.setdefault(move, {})[unit] = text
                case _:
                    pass
    helping += [(move, True, chain) for move, able in convoys.items() if (chain := _chain(board, move, able))]
    rng.shuffle(helping)
    units = {unit[:5]: unit for unit in orders}
    drawn: dict[str, str] = {}
    missing = 0 if rng.random() < UNGUIDED else round(HELPERS * len(orders))
    for move, by_sea, helpers in helping:
        ways = [text for text in moves.get(move, ()) if drawn.get(units[move[0]], text) == text]
        # A support does not send an army to sea, but helps one that is on its way.
        ways = [text for text in ways if by_sea or text in drawn.values() or not text.endswith(" VIA")]
        if ways and len(helpers) <= missing and helpers.keys().isdisjoint(drawn):
            drawn |= {units[move[0]]: rng.choice(ways), **helpers}
            missing -= len(helpers)
    for unit, choices in orders.items():
        by_itself = [text for text in choices if text.startswith(f"{unit} - ") and not text.endswith(" VIA")]
        drawn.setdefault(unit, rng.choice(by_itself if by_itself and rng.random() < MOVERS else choices))
    return {unit: drawn[unit] for unit in orders}


def _chain(board: BoardMap, move: Move, able: Mapping[str, str]) -> dict[str, str]:
    """The orders of fleets, of those that can convoy an army, that bring it to its target; nothing if they cannot."""
    by_sea = {unit[2:]: unit for unit in able}
    found = next(possible_chains(board, move[0][2:], move[1], by_sea.keys()), frozenset[str]())
    return {by_sea[sea]: able[by_sea[sea]] for sea in sorted(found)}


def sample_talk(
    powers: Sequence[str], others: Sequence[str], phase: str, limit: int, rng: Random
) -> list[dict[str, str | list[str]]]:
    """Draw the messages of a random player for one round of negotiation: none as a rule, else one short sentence.

    ``powers`` are the living powers of the player and ``others`` all other living ones. What is said offers peace until
    the end of the year, or agrees to it, as far as ``limit`` characters allow.
    """
    if not powers or not others or rng.random() >= TALKS:
        return []
    said = Statement(rng.choice(("propose", "agree")), Pact("peace", until=f"F{phase[1:5]}"))
    recipient = rng.choice([*others, "GLOBAL"])
    return [{"from": rng.choice(powers), "to": [recipient], "text": write(said)[:limit]}]
