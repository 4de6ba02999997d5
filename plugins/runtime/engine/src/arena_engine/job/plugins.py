"""The descriptors of the engine's own plugins: schedules, the default executor and the agent ``opening``."""

from arena.plugin import Plugin

LICENCE = "Apache-2.0"
"""The licence of all plugins of the engine, as an SPDX identifier."""

ROUND_ROBIN = Plugin(
    factory="arena_engine.job.schedules:RoundRobin",
    summary="every set of different agents plays",
    example={"repeats": 5},
    licence=LICENCE,
)
ALL_PAIRINGS = Plugin(
    factory="arena_engine.job.schedules:AllPairings",
    summary="every order of every set of agents plays, against themselves too where asked",
    example={"with_itself": True},
    licence=LICENCE,
)
AGAINST = Plugin(
    factory="arena_engine.job.schedules:Against",
    summary="one agent, or those with a tag, play against a pool",
    example={"agent": "random"},
    licence=LICENCE,
)
SELF_PLAY = Plugin(
    factory="arena_engine.job.schedules:SelfPlay",
    summary="every agent plays against copies of itself",
    example={"repeats": 10},
    licence=LICENCE,
)
FIXED = Plugin(
    factory="arena_engine.job.schedules:Fixed",
    summary="the seatings that are written down, and no others",
    example={"seatings": [["first", "second"]]},
    licence=LICENCE,
)
BY_GAME = Plugin(
    factory="arena_engine.job.schedules:ByGame",
    summary="each game, or those with a tag, by a schedule of its own",
    example={"games": {"chess": {"use": "round-robin", "repeats": 2}}, "otherwise": "self-play"},
    licence=LICENCE,
)
ASYNCIO = Plugin(
    factory="arena_engine.execution.asyncio_executor:Asyncio",
    summary="all matches in this process, plain engines in threads",
    licence=LICENCE,
)
OPENING = Plugin(
    factory="arena_engine.match.opening:Opening",
    summary="plays given moves first, then lets another agent play on; what `arena replay --branch` makes",
    example={"agent": "random", "moves": [[{"play": 4}], []]},
    licence=LICENCE,
)
