"""Builds a run's benchmark and asks agents about its turns; runs in a worker process.

Nothing is built here but registered plugins: code that a run names is for a person at a terminal to trust.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.catalog import Catalog
from arena_engine import Journal, open_benchmark


def check(asked: Mapping[str, Any], catalog: Catalog) -> None:
    """Build the benchmark of a run; ``ConfigError`` says what cannot be built here."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        open_benchmark(journal, catalog)
