"""A solver of TradeCraft: shortest crafting chains, fewest trades, and plans for two players who cooperate.

Pure and deterministic: limits are counts of searched nodes, never times. Every solution found has been replayed in
exact fractions; what cannot be settled within the limit is ``unknown``.
"""

from arena_game_tradecraft.solver.chain import NODES, Chain, shortest_chain
from arena_game_tradecraft.solver.joint import Joint, joint_plan, jointly_reachable
from arena_game_tradecraft.solver.plan import Plan, PlanTrade, PlanTurn, hands_by_turn, making, play, proposing
from arena_game_tradecraft.solver.trades import Shopping, Trades, fewest_trades, shopping

__all__ = [
    "NODES",
    "Chain",
    "Joint",
    "Plan",
    "PlanTrade",
    "PlanTurn",
    "Shopping",
    "Trades",
    "fewest_trades",
    "hands_by_turn",
    "joint_plan",
    "jointly_reachable",
    "making",
    "play",
    "proposing",
    "shopping",
    "shortest_chain",
]
