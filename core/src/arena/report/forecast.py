"""What a run was estimated to take beside what it took."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from arena.journal import Journal
from arena.metric import Cell, Column, Section, TableView
from arena.report.facts import UNKNOWN, Progress
from arena.report.runs import Run
from arena.spending import Forecast, Range

ESTIMATE = "estimate"
"""The name under which a journal keeps the forecast."""

SECONDS = "seconds"
"""The name under which it keeps how long each attempt played."""


def played_s(journal: Journal) -> list[float]:
    """How long each attempt at a run played that came to an end of its own."""
    return [float(seconds) for seconds in cast("list[float]", journal.noted(SECONDS) or [])]


def estimates(runs: Sequence[Run], progress: Sequence[Progress]) -> Iterator[Section]:
    """A section for each run that was estimated before it was played."""
    for run, reached in zip(runs, progress, strict=True):
        raw = run.journal.noted(ESTIMATE)
        if isinstance(raw, Mapping):
            forecast = Forecast.from_json(raw)
            title = "Estimate and actual" if run.is_alone else f"Estimate and actual: {run.label}"
            view = beside(reached, forecast, len(run.journal.attempts()), played_s(run.journal))
            yield Section(title=title, tables=(view,))


def beside(run: Progress, forecast: Forecast, attempts: int, seconds: Sequence[float]) -> TableView:
    """One run; ``seconds`` are those of its ``attempts`` that came to an end of their own."""
    totals = run.totals
    is_priced = not totals.calls or totals.unpriced_calls < totals.calls
    is_counted = not totals.calls or totals.prompt_tokens > 0
    written = forecast.completion_tokens
    known = len(seconds) == attempts
    rows: tuple[tuple[Cell, ...], ...] = (
        ("matches", f"{forecast.matches:,}", f"{run.results:,}"),
        ("decisions", amount(forecast.decisions), f"{run.turns:,}"),
        ("calls", amount(forecast.calls), f"{totals.calls:,}"),
        ("prompt tokens", amount(forecast.prompt_tokens), f"{totals.prompt_tokens:,}" if is_counted else UNKNOWN),
        (
            "completion tokens",
            "no bound" if written is None else f"at most {short(written)}",
            f"{totals.completion_tokens:,}" if is_counted else UNKNOWN,
        ),
        (
            "money",
            UNKNOWN if forecast.cost_usd is None else money(forecast.cost_usd),
            f"${totals.cost_usd:.4f}" if is_priced else UNKNOWN,
        ),
        ("time", time(forecast.seconds), f"{'' if known else 'at least '}{duration(sum(seconds))}"),
    )
    columns = (
        Column(name="what", title=" "),
        Column(name="estimated", title="estimated"),
        Column(name="actual", title="actual"),
    )
    note = "Estimated before anything was asked: likely (least to most). The most counts every retry."
    if run.results < forecast.matches:
        note += f" {forecast.matches - run.results:,} of the matches have no result yet."
    return TableView(title="What the run takes", columns=columns, rows=rows, note=note)


def amount(of: Range) -> str:
    """A number between two bounds."""
    return f"{short(of.likely)} ({short(of.low)} to {short(of.high)})"


def short(number: float) -> str:
    """A number in three digits."""
    for bound, divisor, unit in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if number >= bound:
            return f"{number / divisor:.3g} {unit}"
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.1f}"


def money(of: Range) -> str:
    """US dollars between two bounds."""
    return "$0, runs on this machine" if of.high == 0 else f"${_cents(of.low)} to ${_cents(of.high)}"


def time(of: Range) -> str:
    """A duration between two bounds."""
    low, high = duration(of.low), duration(of.high)
    return f"{low} to {high}" if low != high else low


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 60:
        return counted(max(1, round(seconds)), "second") if seconds >= 1 else "less than a second"
    if seconds < 2 * 3600:
        return counted(round(seconds / 60), "minute")
    return f"{seconds / 3600:,.1f} hours"


def counted(number: int, thing: str, plural: str = "") -> str:
    """``1 match``, ``2 matches``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {plural or thing + 's'}"


def _cents(dollars: float) -> str:
    return f"{dollars:.2f}" if dollars >= 1 or dollars == 0 else f"{dollars:.2g}"
