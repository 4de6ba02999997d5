"""Whether all players can hold their targets at once, and a plan with the fewest turns in which two of them do.

What all players hold may be pooled: with enough turns, one player can be given everything, craft in one phase, and hand
the rest back. So all targets can be held together exactly if there is a chain to them from all hands combined.

A plan has more constraints: proposers take turns, fractions are rounded down after each turn, and a match ends as soon
as somebody holds its target, so nobody may before all do. Between two players either may propose a trade, and a
proposal moves any number of kinds, so anything can be exchanged in every turn.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

import attrs

from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.solver.chain import NODES, shortest_chain
from arena_game_tradecraft.solver.plan import Plan, hands_by_turn
from arena_game_tradecraft.solver.program import Status
from arena_game_tradecraft.solver.scope import Stock, scope, stock, together
from arena_game_tradecraft.solver.stages import Stages
from arena_game_tradecraft.solver.trades import in_turns

MOST_TURNS: Final = 4
"""The most turns of a plan that is searched for; if longer ones are allowed, finding none is inconclusive."""


@attrs.frozen
class Joint:
    """The fewest turns, and a plan that takes them."""

    status: Status
    turns: int | None = None
    plan: Plan | None = None


def jointly_reachable(
    rules: RuleSet,
    hands: Sequence[Mapping[str, Fraction | int]],
    targets: Sequence[Mapping[str, Fraction | int]],
    *,
    nodes: int = NODES,
) -> bool | None:
    """Whether all hands together can become all targets together; ``None`` if that is not settled."""
    status = shortest_chain(rules, together(hands), together(targets), nodes=nodes).status
    return None if status == "unknown" else status == "found"


def joint_plan(
    rules: RuleSet,
    hands: Sequence[Mapping[str, Fraction | int]],
    targets: Sequence[Mapping[str, Fraction | int]],
    *,
    max_turns: int = 15,
    order: Sequence[int] = (0, 1),
    winners: Sequence[int] = (0, 1),
    nodes: int = NODES,
) -> Joint:
    """The fewest turns after which the ``winners`` of two players hold their targets, with nobody winning earlier."""
    if len(hands) != 2:
        raise ValueError(f"hands: expected those of two players, got {len(hands)}")
    return _planned(
        rules,
        tuple(map(stock, hands)),
        tuple(map(stock, targets)),
        max_turns,
        tuple(order),
        tuple(sorted(winners)),
        nodes,
    )


@lru_cache(maxsize=1024)
def _planned(
    rules: RuleSet,
    hands: tuple[Stock, ...],
    targets: tuple[Stock, ...],
    max_turns: int,
    order: tuple[int, ...],
    winners: tuple[int, ...],
    nodes: int,
) -> Joint:
    held, wanted = [dict(hand) for hand in hands], [dict(target) for target in targets]
    ready = _ready(held, wanted)
    if ready:
        return Joint("found", 0, Plan()) if set(winners) <= ready else Joint("none")
    goal = together(wanted[player] for player in winners)
    pooled = shortest_chain(rules, together(held), goal, nodes=nodes)
    within = scope(rules, stock(together(held)), tuple(sorted(goal)))
    if pooled.status == "none" or within is None:
        return Joint("none")
    for turns in range(1, min(max_turns, MOST_TURNS) + 1):
        stages = Stages(within, held, {p: wanted[p] for p in winners}, one_kind=False, avoided=wanted)
        found = stages.solve(turns, nodes, crafts_first=False)
        if found.status == "unknown":
            return Joint("unknown")
        if found.status == "found":
            plan = in_turns(found.stages, order, 2)
            return (
                Joint("found", turns, plan) if _wins(hands_by_turn(held, plan), wanted, winners) else Joint("unknown")
            )
    return Joint("none" if max_turns <= MOST_TURNS and within.is_bounded else "unknown")


def _wins(
    seen: list[tuple[Mapping[str, Fraction], ...]], targets: Sequence[Mapping[str, Fraction]], winners: Sequence[int]
) -> bool:
    return not any(_ready(hands, targets) for hands in seen[:-1]) and _ready(seen[-1], targets) >= set(winners)


def _ready(hands: Sequence[Mapping[str, Fraction]], targets: Sequence[Mapping[str, Fraction]]) -> set[int]:
    """The players who hold their targets."""
    return {
        player
        for player, (hand, target) in enumerate(zip(hands, targets, strict=True))
        if all(hand.get(item, 0) >= amount for item, amount in target.items())
    }
