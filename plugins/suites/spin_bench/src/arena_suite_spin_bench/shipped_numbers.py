"""The numbers that ship with the suites: what the paper printed, and what random play reached."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from arena.tables import Estimate
from arena_metric_statistics.means import mean, normal
from arena_metric_statistics.proportions import share

HIGHEST: Final = 25.0
"""The highest score of Hanabi."""


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
        hits = [True] * found["hits"] + [False] * (found["n"] - found["hits"])
        return share(hits, level=level, unit=found["unit"])
    value, error, n, unit = (found[name] for name in ("value", "standard-error", "n", "unit"))
    if error == 0:  # equal observations have an interval by the bounds of what is observed
        return mean([value] * n, level=level, bounds=(0.0, HIGHEST), unit=unit)
    return normal(value, error, n, level=level, bounds=(0.0, HIGHEST), unit=unit)
