"""What core itself brings to the catalog, described as lightly as any other plugin."""

from arena.plugin import Plugin

LICENCE = "Apache-2.0"
"""The licence of everything here."""

ROUND_ROBIN = Plugin(
    factory="arena.schedules:RoundRobin",
    summary="every set of different agents plays",
    example={"repeats": 5},
    licence=LICENCE,
)
ALL_PAIRINGS = Plugin(
    factory="arena.schedules:AllPairings",
    summary="every order of every set of agents plays, against themselves too where asked",
    example={"with_itself": True},
    licence=LICENCE,
)
AGAINST = Plugin(
    factory="arena.schedules:Against",
    summary="one agent, or those with a tag, play against a pool",
    example={"agent": "random"},
    licence=LICENCE,
)
SELF_PLAY = Plugin(
    factory="arena.schedules:SelfPlay",
    summary="every agent plays against copies of itself",
    example={"repeats": 10},
    licence=LICENCE,
)
FIXED = Plugin(
    factory="arena.schedules:Fixed",
    summary="the seatings that are written down, and no others",
    example={"seatings": [["first", "second"]]},
    licence=LICENCE,
)
ASYNCIO = Plugin(
    factory="arena.local:Asyncio", summary="all matches in this process, plain engines in threads", licence=LICENCE
)
PROGRESS = Plugin(factory="arena.progress:Progress", summary="how far the run is, on standard error", licence=LICENCE)
OPENING = Plugin(
    factory="arena.opening:Opening",
    summary="plays given moves first, then lets another agent play on; what `arena replay --branch` makes",
    example={"agent": "random", "moves": [[{"play": 4}], []]},
    licence=LICENCE,
)
