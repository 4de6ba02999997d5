"""What a benchmark will take, and what a model answers, before it is played; runs in a worker process with the keys."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, cast

import attrs
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena_cli import RunEstimate, asked_once
from arena_engine import Benchmark, installed_only, make_plugin, plan_matches

from arena_web.drafting import opened

Bounds = Sequence[float | None]
"""The least, what is likely, and the most; ``None`` is without a bound."""


def estimate(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """Matches, calls, money and time, in the lines of ``--dry-run``, and how many matches tell two agents apart."""
    benchmark = opened(asked, catalog)
    found = RunEstimate.of(benchmark)
    numbers = cast("Mapping[str, Any]", found.to_json())
    return {
        "matches": numbers["matches"],
        "calls": _sum(caller["calls"] for caller in (*numbers["agents"], *numbers["judges"])),
        "cost_usd": numbers["cost_usd"],
        "seconds": numbers["seconds"],
        "words": list(found.lines()),
        "power": _power(benchmark),
    }


def test(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """What the model of an agent answers to one short request, and how fast; it is really asked."""
    with installed_only():
        agent = make_plugin("agent", asked["agent"], catalog)
    backends = [*agent.backends().values()]
    if not backends:
        raise ConfigError("this agent asks no model; there is nothing to test")
    return attrs.asdict(asyncio.run(asked_once(backends[0])))


def _sum(ranges: Iterable[Bounds]) -> Bounds:
    columns = [*zip(*ranges, strict=True)] or [(0,)] * 3
    return [None if None in column else sum(filter(None, column)) for column in columns]


def _power(benchmark: Benchmark) -> list[str]:
    try:
        from arena_metric_outcomes.planned_power import planned_lines
    except ImportError:
        return ["how many matches tell two agents apart is said where playarena-web[power] is installed"]
    met: Counter[tuple[str, str]] = Counter()
    for plan in plan_matches(benchmark):
        met.update(combinations(sorted({*plan.agents}), 2))
    return list(planned_lines(met))
