"""The fewest trades for one player's target when everybody helps, and what a player lacks for its own chain.

A trade is an accepted proposal that moves at most one kind of item each way, in any amount. Anybody may craft before,
between and after trades. As for chains, an integer program that ignores the order gives a bound; programs of successive
stages, with as many trades as the bound and then more, decide.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final, Literal

import attrs

from arena_game_tradecraft.rules.crafting import floored
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.solver.chain import NODES, TIE, Chain, apply_recipes, shortest_chain
from arena_game_tradecraft.solver.plan import Plan, PlanTrade, PlanTurn, hands_by_turn
from arena_game_tradecraft.solver.program import Program, Status
from arena_game_tradecraft.solver.scope import Scope, Stock, scope, stock, together
from arena_game_tradecraft.solver.stages import Stage, Stages, Terms

MORE_TRADES: Final = 3
"""The most trades by which a plan may exceed the bound that ignores the order."""


@attrs.frozen
class Trades:
    """The least number of trades, and of kinds that change hands; each ``None`` if it is unknown.

    ``plan`` has the fewest trades, and can be played in a match whose proposers take turns in the order given.
    """

    status: Status
    trades: int | None = None
    kinds: int | None = None
    plan: Plan | None = None


def fewest_trades(
    rules: RuleSet,
    hands: Sequence[Mapping[str, Fraction | int]],
    player: int,
    target: Mapping[str, Fraction | int],
    *,
    nodes: int = NODES,
    order: Sequence[int] | None = None,
) -> Trades:
    """The fewest trades after which ``player`` can hold ``target``; ignores the targets of others and turn limits."""
    order = tuple(range(len(hands)) if order is None else order)
    return _fewest(rules, tuple(map(stock, hands)), player, stock(target), nodes, order)


@lru_cache(maxsize=4096)
def _fewest(
    rules: RuleSet, hands: tuple[Stock, ...], player: int, target: Stock, nodes: int, order: tuple[int, ...]
) -> Trades:
    held, wanted = [dict(hand) for hand in hands], dict(target)
    alone = shortest_chain(rules, held[player], wanted, nodes=nodes)
    if alone.status != "none":
        crafts = tuple(alone.crafts if p == player else () for p in range(len(hands)))
        turns = (PlanTurn(None, crafts),) if alone.crafts else ()
        return Trades(alone.status, 0, 0, Plan(turns)) if alone.status == "found" else Trades("unknown")
    within = scope(rules, stock(together(held)), tuple(wanted))
    if within is None:
        return Trades("none")
    status, bound = _bound(within, held, player, wanted, "trades", nodes)
    if status != "found":
        return Trades(status if within.is_bounded else "unknown")
    for number in range(max(1, bound), bound + MORE_TRADES + 1):
        found = Stages(within, held, {player: wanted}, one_kind=True).solve(number, nodes, crafts_first=True)
        if found.status == "found":
            plan = in_turns(found.stages, order, len(hands))
            if not _holds(hands_by_turn(held, plan)[-1][player], wanted):
                return Trades("unknown")
            kinds = _kinds(within, held, player, wanted, number, found.kinds, nodes)
            return Trades("found", number, kinds, plan)
        if found.status == "unknown":
            break
    return Trades("unknown")


def _kinds(
    within: Scope,
    hands: list[dict[str, Fraction]],
    player: int,
    target: Mapping[str, Fraction],
    trades: int,
    found: int,
    nodes: int,
) -> int | None:
    """The fewest kinds that change hands, in any number of trades; ``None`` if that is not settled."""
    status, bound = _bound(within, hands, player, target, "kinds", nodes)
    for number in range(trades + 1, trades + MORE_TRADES):
        if status != "found" or found == bound:
            break
        more = Stages(within, hands, {player: target}, one_kind=True).solve(number, nodes, crafts_first=True)
        found = min(found, more.kinds) if more.status == "found" else found
    return found if status == "found" and found == bound else None


def _bound(
    within: Scope,
    hands: Sequence[Mapping[str, Fraction]],
    player: int,
    target: Mapping[str, Fraction],
    of: Literal["trades", "kinds"],
    nodes: int,
) -> tuple[Status, int]:
    """A lower bound on trades, or kinds: what would suffice if order did not matter."""
    program, players = Program(), range(len(hands))
    terms: list[dict[str, Terms]] = [{item: [] for item in within.items} for _ in players]
    trades = {pair: program.column(of == "trades") for pair in combinations(players, 2)}
    changed = {item: program.column(of == "kinds", 1) for item in within.items}
    for giver, taker in permutations(players, 2):
        moved: Terms = [(trades[min(giver, taker), max(giver, taker)], 1)]
        for item in within.items:
            amount = program.column(upper=within.limits[item])
            is_moved = program.column(upper=1)
            program.row([(is_moved, within.limits[item]), (amount, -1)])
            program.row([(changed[item], 1), (is_moved, -1)])
            moved.append((is_moved, -1))
            terms[giver][item].append((amount, -1))
            terms[taker][item].append((amount, 1))
        program.row(moved)
    for p in players:
        apply_recipes(program, within, [program.column() for _ in within.recipes], terms[p])
        for item, sums in terms[p].items():
            program.row(sums, float((target.get(item, 0) if p == player else 0) - hands[p].get(item, 0)))
    solved = program.solve(nodes)
    if solved.status != "found":
        return solved.status, 0
    return "found", sum(map(solved.whole, (trades if of == "trades" else changed).values()))


def in_turns(stages: Sequence[Stage], order: Sequence[int], players: int) -> Plan:
    """Spread the stages over turns in which players propose in this ``order``, waiting until it is a trader's turn."""
    turns: list[PlanTurn] = []
    idle = tuple(() for _ in range(players))
    for stage in stages:
        traders = sorted({player for pair in stage.moves for player in pair})
        while traders and order[len(turns) % len(order)] not in traders:
            turns.append(PlanTurn(None, idle))
        trade = None
        if traders:
            proposer = order[len(turns) % len(order)]
            partner = next(player for player in traders if player != proposer)
            given = {pair: dict(sorted(items.items())) for pair, items in stage.moves.items()}
            trade = PlanTrade(proposer, partner, given.get((proposer, partner), {}), given.get((partner, proposer), {}))
        if trade or any(stage.crafts):
            turns.append(PlanTurn(trade, stage.crafts))
    return Plan(tuple(turns))


def _holds(hand: Mapping[str, Fraction], target: Mapping[str, Fraction]) -> bool:
    return all(hand.get(item, 0) >= amount for item, amount in target.items())


@attrs.frozen
class Shopping:
    """What a player lacks for its own chain: what to get from each other player, and the ``chain`` after that.

    It has as few kinds as possible, and among those solutions the fewest crafts.
    """

    status: Status
    lacks: tuple[Mapping[str, int], ...] = ()
    chain: Chain = attrs.field(factory=lambda: Chain("unknown"))

    @property
    def kinds(self) -> int:
        """The number of kinds to get, counted for each other player."""
        return sum(map(len, self.lacks))


def shopping(
    rules: RuleSet,
    hand: Mapping[str, Fraction | int],
    others: Sequence[Mapping[str, Fraction | int]],
    target: Mapping[str, Fraction | int],
    *,
    nodes: int = NODES,
) -> Shopping:
    """What a player needs of the whole items that ``others`` hold, to craft ``target`` by itself."""
    whole = [stock(floored({item: Fraction(n) for item, n in other.items()})) for other in others]
    return _shopping(rules, stock(hand), tuple(whole), stock(target), nodes)


@lru_cache(maxsize=8192)
def _shopping(rules: RuleSet, hand: Stock, others: tuple[Stock, ...], target: Stock, nodes: int) -> Shopping:
    held, stocks, wanted = dict(hand), [dict(other) for other in others], dict(target)
    within = scope(rules, stock(together([held, *stocks])), tuple(wanted))
    if within is None:
        return Shopping("none")
    program = Program()
    terms: dict[str, Terms] = {item: [] for item in within.items}
    got: list[dict[str, int]] = []
    for other in stocks:
        got.append({item: program.column(TIE, int(n)) for item, n in other.items() if item in terms})
        for item, column in got[-1].items():
            is_got = program.column(_KIND, 1)
            program.row([(is_got, int(other[item])), (column, -1)])
            terms[item].append((column, 1))
    times = [program.column(TIE) for _ in within.recipes]
    for most, column in zip(within.most, times, strict=True):
        crafts = program.column(1)
        program.row([(crafts, most), (column, -1)])
    apply_recipes(program, within, times, terms)
    for item, sums in terms.items():
        program.row(sums, float(wanted.get(item, 0) - held.get(item, 0)))
    solved = program.solve(nodes)
    if solved.status != "found":
        return Shopping(solved.status if within.is_bounded else "unknown")
    lacks = tuple({item: n for item, column in columns.items() if (n := solved.whole(column))} for columns in got)
    chain = shortest_chain(rules, together([held, *lacks]), wanted, nodes=nodes)
    return Shopping("found" if chain.status == "found" else "unknown", lacks, chain)


_KIND: Final = 100.0
"""The cost of getting a kind, against 1 for a craft."""
