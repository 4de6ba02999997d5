"""Chooses the metrics of a report: those asked for, those of the benchmarks, and those that are in every report."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from arena.catalog import Catalog, Status
from arena.errors import ConfigError
from arena.metric import Metric
from arena.tables import Section
from arena_engine import RecordedParts, make_plugin

from arena_report.metrics.baselines import GameOfRun
from arena_report.metrics.measuring import failed
from arena_report.metrics.runs import ReportedRun

ALWAYS = "always"
"""The capability of metrics that are in every report, even if no benchmark names them."""


class ReportInput(Protocol):
    """The parts of a benchmark that a report needs."""

    @property
    def games(self) -> Mapping[str, GameOfRun]:
        """The games of the benchmark, by the names it gives them."""
        ...

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """The metrics of the benchmark, by name."""
        ...

    @property
    def level(self) -> float:
        """The confidence level of all intervals, such as 0.95."""
        ...


def make_metrics(names: Iterable[str], catalog: Catalog) -> dict[str, Metric]:
    """Create metrics by their plugins' names; raises ``ConfigError`` listing those that cannot be created."""
    made: dict[str, Metric] = {}
    problems: list[str] = []
    for name in names:
        try:
            made[name] = make_plugin("metric", name, catalog)
        except ConfigError as error:
            problems += [f"{name}: {problem}" for problem in error.problems]
    if problems:
        raise ConfigError(problems)
    return made


def wanted_metrics(names: Sequence[str], found: Iterable[ReportInput | str], catalog: Catalog) -> dict[str, Metric]:
    """Metrics as the first benchmark that has them configures them, or with their defaults."""
    made: dict[str, Metric] = {}
    for benchmark in found:
        if not isinstance(benchmark, str):
            made = {**{name: benchmark.metrics[name] for name in names if name in benchmark.metrics}, **made}
    return {**make_metrics([name for name in names if name not in made], catalog), **made}


def metrics_of_every_report(catalog: Catalog, chosen: Mapping[str, Metric]) -> dict[str, Metric]:
    """The usable metrics that belong in every report, without those whose class was chosen already."""
    classes = {type(metric) for metric in chosen.values()}
    usable = [e for e in catalog.entries("metric") if e.status is Status.OK]
    wanted = [e for e in usable if e.plugin and ALWAYS in e.plugin.capabilities and e.load() not in classes]
    return make_metrics([entry.name for entry in wanted], catalog)


def metrics_of(
    runs: Sequence[ReportedRun], usable: Mapping[str, ReportInput | str], metrics: Mapping[str, Metric] | None
) -> tuple[dict[str, Metric], list[Section]]:
    """The metrics to compute, and a section for each requested metric that cannot be computed."""
    if metrics is not None:
        return dict(metrics), []
    chosen: dict[str, Metric] = {}
    lost: dict[str, Section] = {}
    for run in runs:
        benchmark = usable[run.label]
        if isinstance(benchmark, str):
            named = _named(run.settings.get("metrics"))
            lost |= {name: failed(name, f"run {run.label!r}: {benchmark}") for name in named}
        else:
            chosen = {**benchmark.metrics, **chosen}
            if isinstance(benchmark, RecordedParts):
                named = [name for name in _named(run.settings.get("metrics")) if name not in benchmark.metrics]
                why = [problem for problem in benchmark.problems if not problem.startswith("games.")]
                lost |= {name: failed(name, "; ".join(why or benchmark.problems)) for name in named}
    return chosen, [section for name, section in lost.items() if name not in chosen]


def _named(plain: Any) -> list[str]:
    if isinstance(plain, Mapping):
        return [str(name) for name in cast("Mapping[str, Any]", plain)]
    entries = cast("list[Any]", plain) if isinstance(plain, list) else []
    return [str(cast("Any", entry).get("use") if isinstance(entry, Mapping) else entry) for entry in entries]
