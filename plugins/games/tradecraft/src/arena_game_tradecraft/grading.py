"""Determines with the solver how hard a problem is."""

from typing import Final

from arena_game_tradecraft.difficulty import IMPOSSIBLE, UNKNOWN, Difficulty, Finding
from arena_game_tradecraft.problem import Problem
from arena_game_tradecraft.ruleset import RuleSet
from arena_game_tradecraft.solver import NODES, fewest_trades, jointly_reachable, shortest_chain

_NONE: Final = "none"


def grade(rules: RuleSet, problem: Problem, nodes: int = NODES) -> Difficulty:
    """What the solver proves about ``problem``; anything not settled within ``nodes`` is ``"unknown"``.

    A chain starts from everything that all players hold. Trades and kinds are those for one target alone, with all
    players helping and crafting whatever helps.
    """
    hands = [problem.hand(player) for player in range(problem.players)]
    chains: list[Finding] = []
    trades: list[Finding] = []
    kinds: list[Finding] = []
    for player, target in enumerate(problem.targets):
        chain = shortest_chain(rules, problem.together(), target, nodes=nodes)
        chains.append(_finding(chain.status, chain.length))
        if chain.status == _NONE:
            trades.append(IMPOSSIBLE)
            kinds.append(IMPOSSIBLE)
            continue
        least = fewest_trades(rules, hands, player, target, nodes=nodes)
        trades.append(_finding(least.status, least.trades))
        kinds.append(_finding(least.status, least.kinds))
    jointly = jointly_reachable(rules, hands, problem.targets, nodes=nodes)
    return Difficulty(tuple(chains), tuple(trades), tuple(kinds), UNKNOWN if jointly is None else jointly)


def _finding(status: str, least: int | None) -> Finding:
    if status == _NONE:
        return IMPOSSIBLE
    return UNKNOWN if least is None else least
