"""Wraps environments of PettingZoo and Gymnasium as games."""

from arena.plugin import Plugin, Requirement

PETTINGZOO = Plugin(
    factory="arena_game_pettingzoo.pettingzoo_games:PettingZoo",
    summary="Any PettingZoo environment with discrete or text actions, by name or dotted path.",
    requirements=(Requirement("pettingzoo", package="pettingzoo"),),
    licence="Apache-2.0",
    example={"name": "pettingzoo.classic.rps_v2"},
)
GYMNASIUM = Plugin(
    factory="arena_game_pettingzoo.gymnasium_games:Gymnasium",
    summary="Any Gymnasium environment with discrete or text actions, as a game of one player.",
    requirements=(Requirement("gymnasium", package="gymnasium"),),
    licence="Apache-2.0",
    example={"name": "FrozenLake-v1", "parameters": {"map_name": "4x4"}},
)
