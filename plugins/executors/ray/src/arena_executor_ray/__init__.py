"""Matches on a Ray cluster: many workers play, one driver keeps the journal."""

from arena.plugin import Need, Plugin

RAY = Plugin(
    factory="arena_executor_ray.executor:Ray",
    summary="plays matches on a Ray cluster, or in several processes of this machine",
    needs=(Need("ray", "pip install ray"),),
    example={"workers": 4, "cpus_per_worker": 1},
    licence="Apache-2.0; Ray: Apache-2.0",
)
