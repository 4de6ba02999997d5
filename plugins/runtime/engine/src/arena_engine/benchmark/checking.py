"""Checks a benchmark that somebody is still writing: every mistake with its path, instead of an error."""

from collections.abc import Mapping
from typing import Any

import attrs
from arena.catalog import Catalog
from arena.errors import ConfigError, PluginError

from arena_engine.benchmark.benchmark import Benchmark, attempt
from arena_engine.benchmark.composition import compose
from arena_engine.benchmark.documents import inline_document
from arena_engine.benchmark.problems import BenchmarkProblem


@attrs.frozen(kw_only=True)
class CheckedBenchmark:
    """What came of the plain data of a benchmark: the ``benchmark``, or the ``problems`` that keep it from being one.

    Paths are as they are written in the data, and the texts are those of ``load_benchmark``.
    """

    benchmark: Benchmark | None = None
    problems: tuple[BenchmarkProblem, ...] = ()


def check_benchmark(plain: Mapping[str, Any], catalog: Catalog) -> CheckedBenchmark:
    """Compose and build a benchmark as ``load_benchmark`` does, and tell every mistake; raises nothing for those."""
    try:
        composed = compose(inline_document(plain), catalog, fills_in_metrics=True)
    except ConfigError as error:
        return CheckedBenchmark(problems=tuple(map(BenchmarkProblem.parse, error.problems)))
    except PluginError as error:
        return CheckedBenchmark(problems=(BenchmarkProblem(("extends",), str(error)),))
    built, problems = attempt(composed, catalog)
    if problems or built is None:
        return CheckedBenchmark(problems=tuple(dict.fromkeys(map(composed.as_written, problems))))
    return CheckedBenchmark(benchmark=built)
