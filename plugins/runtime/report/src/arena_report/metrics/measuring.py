"""Runs metrics; one that raises is reported as failed, never as zero and never as absent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import attrs
from arena.calls import PluginCall, calling
from arena.catalog import Catalog
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.plugin import Plugin
from arena.tables import Section
from arena_engine import redacted
from arena_engine.foundation import shown

from arena_report.metrics.kept_measurements import KeptMeasurements
from arena_report.metrics.measured_rows import MeasuredMatches, MeasuredRows
from arena_report.metrics.runs import ReportedRun


@runtime_checkable
class ReadsJudgements(Protocol):
    """A metric that sums up what judges of others said: ``judged_by`` are the names of their plugins."""

    @property
    def judged_by(self) -> Sequence[str]:
        """The plugins of metrics whose judgements this one reads as if they were its own."""
        ...


def judgements(run: ReportedRun, name: str, metric: Metric) -> dict[str, list[Measurement]]:
    """What the judge of a metric measured in a run, by match id, and what those measured whose judgements it reads."""
    plugins = set(metric.judged_by) if isinstance(metric, ReadsJudgements) else set[str]()
    others = (entry for entry, plugin in _entries(run.settings.get("metrics")) if plugin in plugins and entry != name)
    found: dict[str, list[Measurement]] = {}
    for each in (name, *others):
        for match, measurements in run.journal.judgements(each).items():
            found.setdefault(match, []).extend(measurements)
    return found


def in_order(metrics: Mapping[str, Metric], runs: Iterable[ReportedRun], catalog: Catalog | None) -> dict[str, Metric]:
    """Metrics by the ``order`` of their plugins' descriptors; those of equal order stay as they are."""
    plugins = {entry.name: entry.plugin for entry in catalog.entries("metric")} if catalog else {}
    uses = dict(pair for run in runs for pair in _entries(run.settings.get("metrics")))

    def place(name: str) -> int:
        plugin = plugins.get(uses.get(name, name))
        return plugin.order if plugin else attrs.fields(Plugin).order.default

    return {name: metrics[name] for name in sorted(metrics, key=place)}


def _entries(metrics: Any) -> Iterator[tuple[str, str]]:
    """The names of a benchmark's metrics, each with its plugin's."""
    if isinstance(metrics, Mapping):
        for name, entry in cast("Mapping[str, Any]", metrics).items():
            yield name, _plugin(entry)
    for entry in cast("list[Any]", metrics) if isinstance(metrics, list) else []:
        yield _plugin(entry), _plugin(entry)


def _plugin(entry: Any) -> str:
    return str(cast("Any", entry).get("use") if isinstance(entry, Mapping) else entry).rpartition(":")[2]


class MetricRun:
    """One metric while a report is built. After its first error it is not called again; its section says why."""

    def __init__(self, name: str, metric: Metric, matches: MeasuredMatches | None = None) -> None:
        self.name = name
        self.rows = MeasuredRows(matches or MeasuredMatches())
        self.failure: str | None = None
        self._metric = metric
        self._measuring = self._call("measure")

    @property
    def wants_calls(self) -> bool:
        """Whether the metric needs to know how many tokens each completion used."""
        return self._metric.needs_calls

    def add(
        self,
        match: FinishedMatch,
        place: int | None = None,
        judged: Iterable[Measurement] = (),
        kept: KeptMeasurements | None = None,
    ) -> None:
        """Measure one match; ``judged`` are the measurements of the metric's judge.

        ``place`` is the match's among those that all metrics share, where it was added to them already. What is
        ``kept`` of the metric's measurements is not measured again. A metric that needs the game skips matches whose
        game cannot be built here; the judge's measurements are kept.
        """
        if self.failure is not None:
            return
        record = match.record
        if place is None:
            place = self.rows.matches.add(record, record.plan.block)
        try:
            with calling(self._measuring):
                self.rows.add(place, (*_measured(self._metric, match, kept), *judged), record)
        except Exception as error:  # the metric is a plugin
            self.failure = redacted(f"match {match.record.id!r}: {type(error).__name__}: {error}")

    def sections(self, table: Measurements) -> tuple[Section, ...]:
        """The metric's summary of its rows; ``table`` holds everything except these rows."""
        if self.failure is None:
            try:
                with calling(self._call("summarize")):
                    sections = tuple(self._metric.summarize(attrs.evolve(table, rows=self.rows)))
                if not all(type(section) is Section for section in sections):
                    raise TypeError(f"summarize returned {shown(list(sections))}; expected sections")
                return sections
            except Exception as error:  # the metric is a plugin
                self.failure = redacted(f"{type(error).__name__}: {error}")
            finally:
                self.rows.forget()
        return (failed(self.name, self.failure),)

    def _call(self, function: str) -> PluginCall:
        return PluginCall("metric", self.name, getattr(self._metric, function))


def failed(name: str, why: str) -> Section:
    """The section shown for a metric that could not be computed."""
    return Section(title=name, text=f"failed: {why}")


def measure_all(
    metric: Metric, matches: Iterable[FinishedMatch], judged: Mapping[str, Sequence[Measurement]] | None = None
) -> list[MeasurementRow]:
    """Every row of one metric over the matches that have a result; errors of the metric pass through.

    ``judged`` are its judge's measurements by match id. A metric that needs the game skips matches without one.
    """
    rows: list[MeasurementRow] = []
    for match in matches:
        if match.record.ending.is_result:
            found = (*_measured(metric, match), *(judged or {}).get(match.record.id, ()))
            rows += [MeasurementRow.of(measurement, match.record) for measurement in found]
    return rows


def _measured(metric: Metric, match: FinishedMatch, kept: KeptMeasurements | None = None) -> Iterable[Measurement]:
    if metric.needs_game and match.game is None:
        return ()
    return metric.measure(match) if kept is None else kept.measure(match)
