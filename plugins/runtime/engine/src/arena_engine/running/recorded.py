"""Rebuilds the benchmark of a run from the plain data in its journal."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from arena.catalog import Catalog

from arena_engine.benchmark.benchmark import Benchmark, build_benchmark
from arena_engine.benchmark.composition import compose
from arena_engine.benchmark.documents import inline_document
from arena_engine.benchmark.renaming import renamed_plain
from arena_engine.journal.journal import Journal


def recorded_plain(journal: Journal, catalog: Catalog | None = None) -> Mapping[str, Any]:
    """The plain data of a run's benchmark, as its journal holds it, with renamed keys under their current names."""
    return renamed_plain(cast("Mapping[str, Any]", journal.header.benchmark), catalog)


def open_benchmark(journal: Journal, catalog: Catalog | None = None, *, overrides: Iterable[str] = ()) -> Benchmark:
    """Build the benchmark of a run from its journal, adding no defaults; ``overrides`` are ``path=value``.

    ``ConfigError`` lists what cannot be built here, such as a plugin that is no longer installed.
    """
    catalog = catalog or Catalog()
    recorded = inline_document(journal.header.benchmark, is_recorded=True)
    composed = compose(recorded, catalog, overrides=overrides)
    return build_benchmark(composed, catalog)
