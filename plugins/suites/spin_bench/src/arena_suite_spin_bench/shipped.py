"""The numbers that ship with the suites: what the paper printed, and what random play reached."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from arena.tables import Estimate
from arena_metric_statistics.means import normal
from arena_metric_statistics.proportions import share


@cache
def _read(name: str) -> Mapping[str, Any]:
    return tomllib.loads(files("arena_suite_spin_bench").joinpath(name).read_text(encoding="utf-8"))


def published(table: str) -> Sequence[Mapping[str, Any]]:
    """The rows that the paper printed in a table such as ``table-1``: numbers by column, and ``system``."""
    return _read("published.toml")[table]


def random_play(column: str, level: float) -> Estimate | None:
    """What random play reached in a column of Table 1, with its n; ``None`` where nobody measured it."""
    found = _read("references.toml").get(column)
    if found is None:
        return None
    if "hits" in found:
        return share([found["hits"]], [found["n"]], level=level, unit=found["unit"])
    return normal(found["value"], found["standard-error"], found["n"], level=level, unit=found["unit"])
