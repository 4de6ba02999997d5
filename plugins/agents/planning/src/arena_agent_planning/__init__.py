"""Players of planning tasks that need no model: lines that every table of planning needs."""

from arena.plugin import Plugin

LICENCE = "Apache-2.0"

REFERENCE = Plugin(
    factory="arena_agent_planning.reference:Reference",
    summary="plays the plan that is shipped with a planning task",
    capabilities=frozenset({"resample-hidden"}),
    licence=LICENCE,
)
RANDOM_WALK = Plugin(
    factory="arena_agent_planning.walks:RandomWalk",
    summary="does what can be done, at random, until the goal of a planning task is reached or its steps are over",
    licence=LICENCE,
)
GREEDY = Plugin(
    factory="arena_agent_planning.walks:Greedy",
    summary="climbs hills in planning tasks: does what leaves the fewest parts of the goal unmet",
    licence=LICENCE,
)
FAST_DOWNWARD = Plugin(
    factory="arena_agent_planning.programs:FastDownward",
    summary="plays what your own Fast Downward finds, a program that is run beside",
    example={"limit-s": 60},
    licence=LICENCE,
)
ENHSP = Plugin(
    factory="arena_agent_planning.programs:Enhsp",
    summary="plays what your own ENHSP finds, a program that is run beside; it reads tasks with numbers",
    example={"limit-s": 60},
    licence=LICENCE,
)
