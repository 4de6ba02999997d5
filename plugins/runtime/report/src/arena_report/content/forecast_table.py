"""Compares what a run was estimated to take with what it took."""

from collections.abc import Iterator, Mapping, Sequence

from arena.tables import Cell, Column, Section, Table
from arena_engine.journal import Forecast, Range

from arena_report.content.run_facts import UNKNOWN, Completeness, played_s
from arena_report.metrics.runs import ReportedRun

ESTIMATE = "estimate"
"""The journal's metadata key for the forecast."""


def estimates(runs: Sequence[ReportedRun], progress: Sequence[Completeness]) -> Iterator[Section]:
    """Yield a section for each run that was estimated before it was played."""
    for run, reached in zip(runs, progress, strict=True):
        raw = run.journal.metadata(ESTIMATE)
        if isinstance(raw, Mapping):
            forecast = Forecast.from_json(raw)
            title = "Estimate and actual" if run.is_alone else f"Estimate and actual: {run.label}"
            view = compare(reached, forecast, len(run.journal.attempts()), played_s(run.journal))
            yield Section(title=title, tables=(view,))


def compare(run: Completeness, forecast: Forecast, attempts: int, seconds: Sequence[float]) -> Table:
    """Compare one run with its forecast; ``seconds`` may be shorter than ``attempts`` if some were killed."""
    totals = run.totals
    is_priced = not totals.calls or totals.unpriced_calls < totals.calls
    is_counted = not totals.calls or totals.prompt_tokens > 0
    written = forecast.completion_tokens
    known = len(seconds) == attempts
    rows: tuple[tuple[Cell, ...], ...] = (
        ("matches", f"{forecast.matches:,}", f"{run.results:,}"),
        ("decisions", format_range(forecast.decisions), f"{run.turns:,}"),
        ("calls", format_range(forecast.calls), f"{totals.calls:,}"),
        ("prompt tokens", format_range(forecast.prompt_tokens), f"{totals.prompt_tokens:,}" if is_counted else UNKNOWN),
        (
            "completion tokens",
            "no bound" if written is None else f"at most {format_number(written)}",
            f"{totals.completion_tokens:,}" if is_counted else UNKNOWN,
        ),
        (
            "money",
            UNKNOWN if forecast.cost_usd is None else format_usd(forecast.cost_usd),
            _spent(totals.cost_usd) if is_priced else UNKNOWN,
        ),
        ("time", format_seconds(forecast.seconds), f"{'' if known else 'at least '}{duration(sum(seconds))}"),
    )
    columns = (
        Column(name="what", title=" "),
        Column(name="estimated", title="estimated"),
        Column(name="actual", title="actual"),
    )
    note = "Estimated before anything was asked: likely (least to most). The most counts every retry."
    if run.results < forecast.matches:
        note += f" {forecast.matches - run.results:,} of the matches have no result yet."
    return Table(title="What the run takes", columns=columns, rows=rows, note=note)


def format_range(of: Range) -> str:
    """The likely number and its bounds: ``120 (80 to 200)``."""
    return f"{format_number(of.likely)} ({format_number(of.low)} to {format_number(of.high)})"


def format_number(number: float) -> str:
    """A number as text, rounded to three significant digits: ``12.3 k``."""
    for bound, divisor, unit in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if number >= bound:
            return f"{number / divisor:.3g} {unit}"
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.1f}"


def format_usd(of: Range) -> str:
    """A price between two bounds, in US dollars."""
    return "$0, runs on this machine" if of.high == 0 else f"${_cents(of.low)} to ${_cents(of.high)}"


def format_seconds(of: Range) -> str:
    """A duration between two bounds; a single one if both read the same."""
    low, high = duration(of.low), duration(of.high)
    return f"{low} to {high}" if low != high else low


def duration(seconds: float) -> str:
    """A number of seconds as text, in the unit that fits."""
    if seconds < 60:
        return pluralize(max(1, round(seconds)), "second") if seconds >= 1 else "less than a second"
    if seconds < 2 * 3600:
        return pluralize(round(seconds / 60), "minute")
    return f"{seconds / 3600:,.1f} hours"


def pluralize(number: int, thing: str, plural: str = "") -> str:
    """A number with its noun: ``1 match``, ``2 matches``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {plural or thing + 's'}"


def _spent(dollars: float) -> str:
    return f"${dollars:.4f}" if dollars else "nothing"


def _cents(dollars: float) -> str:
    return f"{dollars:.2f}" if dollars >= 1 or dollars == 0 else f"{dollars:.2g}"
