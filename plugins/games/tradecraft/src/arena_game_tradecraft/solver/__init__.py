"""A solver of TradeCraft: shortest crafting chains, fewest trades, and plans for two players who work together.

Pure and deterministic: limits are counts of searched nodes, never times. What is found has been played again in exact
fractions; what cannot be settled within the limit is ``unknown``.
"""

from arena_game_tradecraft.solver.chain import NODES, Chain, shortest_chain

__all__ = ["NODES", "Chain", "shortest_chain"]
