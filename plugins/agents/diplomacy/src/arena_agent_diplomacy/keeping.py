"""Orders of a player that is bound by pacts: which of them it keeps, and what it does to keep or to break them."""

from collections.abc import Iterable, Mapping
from random import Random

import attrs
from arena_game_diplomacy.match.pacts import Agreement, Pact, judge_pact
from arena_game_diplomacy.rules.notation import parse_order

from arena_agent_diplomacy.movement import OrderPlan
from arena_agent_diplomacy.observation import SeenPosition
from arena_agent_diplomacy.values import Side


@attrs.frozen
class Terms:
    """The agreements of one movement phase: those that a player keeps, those it breaks, and those of its partners."""

    kept: tuple[Agreement, ...] = ()
    broken: tuple[Agreement, ...] = ()
    of_partners: tuple[Agreement, ...] = ()

    @classmethod
    def drawn(cls, agreements: Iterable[Agreement], seen: SeenPosition, breaks: float, rng: Random) -> "Terms":
        """The terms of a phase, in which the player breaks each agreement that binds it with a probability."""
        in_force = [agreement for agreement in agreements if agreement.in_force(seen.position.phase)]
        own = [agreement for agreement in in_force if agreement.bound in seen.own and agreement.partner not in seen.own]
        broken = tuple(agreement for agreement in own if breaks > 0 and rng.random() < breaks)
        kept = tuple(agreement for agreement in own if agreement not in broken)
        return cls(kept, broken, tuple(agreement for agreement in in_force if agreement.partner in seen.own))

    def side(self, seen: SeenPosition) -> Side:
        """The player's side, which is at peace with whom it keeps the peace, and leaves empty what is to be empty."""
        friends = (agreement.partner for agreement in self.kept if agreement.pact.kind == "peace")
        return seen.side(frozenset(friends), frozenset(p for kept in self.kept for p in kept.pact.provinces))


def bound_orders(seen: SeenPosition, terms: Terms, rng: Random) -> dict[str, str]:
    """Orders of a movement phase that keep what is to be kept, and break what is to be broken where any order can."""
    helped = [agreement.pact for agreement in terms.of_partners if agreement.pact.kind == "support"]
    side = terms.side(seen)
    promised = {pact.unit: order for pact in helped if (order := _helped_order(seen, pact, side))}
    for agreement in terms.kept:
        if agreement.pact.kind == "support":
            able = supporters(seen, agreement.bound, agreement.pact)
            promised |= next(({unit: order} for unit, order in able.items() if unit not in promised), {})
    orders = OrderPlan(side, seen.choices, rng, promised).complete()
    for agreement in terms.broken:
        if agreement.pact.kind != "support" and not _breaks(seen, agreement, orders.values()):
            orders |= _breach(seen, terms, agreement, fixed=promised)
    return orders


def supporters(seen: SeenPosition, power: str, pact: Pact) -> dict[str, str]:
    """The units of an own power that can give the support of a pact, and the orders that do."""
    agreement = Agreement(pact, power, "", seen.position.phase)
    verdicts = {u: judge_pact(agreement, seen.position, {power: texts}) for u, texts in seen.legal[power].items()}
    return {unit: verdict.orders[0] for unit, verdict in verdicts.items() if verdict and verdict.is_kept}


def _helped_order(seen: SeenPosition, pact: Pact, side: Side) -> str:
    """The order of an own unit that somebody has promised to support; empty if it has none that its side may give."""
    orders = (parse_order(seen.position.board, text) for text in seen.choices.get(pact.unit, ()))
    wanted = (
        order for order in orders if order.kind in ("hold", "move") and (order.target or "")[:3] == pact.target[:3]
    )
    return next((str(order) for order in wanted if (order.target or "")[:3] not in side.closed), "")


def _breaks(seen: SeenPosition, agreement: Agreement, orders: Iterable[str]) -> bool:
    """Whether one of these orders, if it is the bound power's, is against a pact of peace or of empty provinces."""
    own = seen.legal[agreement.bound]
    given = [order for order in orders if parse_order(seen.position.board, order).unit in own]
    verdict = judge_pact(agreement, seen.position, {agreement.bound: given})
    return agreement.pact.kind != "support" and verdict is not None and not verdict.is_kept


def _breach(seen: SeenPosition, terms: Terms, agreement: Agreement, fixed: Mapping[str, str]) -> dict[str, str]:
    """The order of one unit that breaks an agreement and keeps all that are to be kept: a move, or else some help.

    Nothing where there is no such order; ``fixed`` units keep theirs.
    """
    side, pulls = seen.side(), seen.side().pulls()
    ways: list[tuple[bool, float, str, str]] = []
    for unit, texts in seen.legal[agreement.bound].items():
        for text in texts if unit not in fixed else ():
            if _breaks(seen, agreement, [text]) and not any(_breaks(seen, kept, [text]) for kept in terms.kept):
                order = parse_order(seen.position.board, text)
                after = f"{unit[0]} {order.target}" if order.kind == "move" else unit
                ways.append((order.kind == "move", side.worth(after, pulls), unit, text))
    return {unit: text for *_, unit, text in sorted(ways)[-1:]}
