"""Plays the matches of a run on a Ray cluster: many workers play, one driver writes the journal."""

from arena.plugin import Plugin, Requirement

RAY = Plugin(
    factory="arena_executor_ray.executor:Ray",
    summary="plays matches on a Ray cluster, or in several processes of this machine",
    requirements=(Requirement("ray", package="ray"),),
    example={"workers": 4, "cpus_per_worker": 1},
    licence="Apache-2.0; Ray: Apache-2.0",
)
