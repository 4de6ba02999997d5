"""Prove that a metric keeps its contract."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs
from arena.game import Game
from arena.metric import FinishedMatch, MeasurementRow, Measurements, Metric, UnfinishedMatch
from arena.record import JSON, MatchRecord, canonical_json, derive_rng
from arena.tables import Estimate, Section, Table
from arena_engine.foundation import json_fault, measurement_fault

from arena_testing.fixtures.records import REFERENCES, sample_call_usage, sample_records, sample_unfinished
from arena_testing.foundation.conformance import ConformanceError


@attrs.frozen(kw_only=True)
class MetricReport:
    """The numbers of ``matches`` measured and of ``measurements``, and what the summary contains."""

    metric: str
    matches: int
    measurements: int
    sections: int
    tables: int
    estimates: int


def check_metric(
    metric: Metric, records: Iterable[MatchRecord] | None = None, game: Game | None = None
) -> MetricReport:
    """Measure ``records`` and summarise them in several ways; ``ConformanceError`` says what was found.

    Without ``records`` it uses sample matches with every possible ending. ``game``, which all matches must be of, is
    handed to the metric; a metric with ``needs_game`` measures nothing without it, and any other must work without it
    as well.

    Checked: measuring is pure and does not change records; summaries do not depend on the order of measurements; they
    work with no match, with one match and with matches that nobody won; every share is an ``Estimate`` that says how
    many observations it is based on.
    """
    matches = tuple(sample_records() if records is None else records)
    kept = random.getstate()
    games = {} if game is None else {match.game: game for match in matches}
    measured = [_measured(metric, match, game) for match in matches]
    rows = [row for found in measured for row in found]
    sections = _summary(metric, rows, "of all matches", games=games)
    _check_order(metric, rows, sections, games)
    _summary(metric, (), "of no matches")
    _summary(metric, (), "of matches without results", missing=sample_unfinished())
    _summary(metric, measured[0] if measured else (), "of one match", games=games)
    _summary(metric, [row for row in rows if row.is_forfeited], "of forfeited matches")
    for forfeits in ("with", "without"):
        _summary(metric, rows, f"{forfeits} forfeits", forfeits=forfeits, games=games)
    _check_level(_summary(metric, rows, "at 80 %", level=0.8, games=games))
    if random.getstate() != kept:
        raise ConformanceError("luck", "random numbers come from the global generator; draw them from the table's seed")
    return MetricReport(
        metric=repr(metric),
        matches=len(matches),
        measurements=len(rows),
        sections=len(sections),
        tables=sum(len(section.tables) for section in sections),
        estimates=sum(1 for section in sections for _ in _estimates(section)),
    )


def _measured(metric: Metric, match: MatchRecord, game: Game | None) -> list[MeasurementRow]:
    if metric.needs_game and game is None:
        return []
    before = canonical_json(match.to_json())
    finished = FinishedMatch(match, game, sample_call_usage(match) if metric.needs_calls else ())
    try:
        if not metric.needs_game:
            tuple(metric.measure(attrs.evolve(finished, game=None)))
        found, again = list(metric.measure(finished)), list(metric.measure(finished))
    except Exception as error:
        what = f"measure raises {type(error).__name__} for a match that ended by {match.ending}: {error}"
        raise ConformanceError("measure", what) from error
    for measurement in found:
        if fault := measurement_fault(measurement, match):
            raise ConformanceError("measure", fault)
    if found != again:
        raise ConformanceError("measure", f"measuring {match.id!r} twice gives different measurements")
    if canonical_json(match.to_json()) != before:
        raise ConformanceError("measure", f"measuring {match.id!r} changes its record")
    return [MeasurementRow.of(measurement, match) for measurement in found]


def _summary(
    metric: Metric,
    rows: Sequence[MeasurementRow],
    what: str,
    *,
    missing: Sequence[UnfinishedMatch] = (),
    **settings: Any,
) -> tuple[Section, ...]:
    table = Measurements(rows=tuple(rows), baselines=REFERENCES, missing=missing, **settings)
    try:
        sections, again = tuple(metric.summarize(table)), tuple(metric.summarize(table))
    except Exception as error:
        raise ConformanceError("summarize", f"a summary {what} raises {type(error).__name__}: {error}") from error
    for section in sections:
        for fault in _section_faults(section):
            raise ConformanceError("summarize", f"in a summary {what}, {fault}")
    if _plain(sections) != _plain(again):
        raise ConformanceError("summarize", f"a summary {what} differs the second time; seed it from the table")
    return sections


def _check_order(
    metric: Metric, rows: Sequence[MeasurementRow], sections: Sequence[Section], games: Mapping[str, Game]
) -> None:
    shuffled = list(rows)
    derive_rng("shuffle").shuffle(shuffled)
    for others in (shuffled, rows[::-1]):
        if _plain(_summary(metric, others, "of shuffled measurements", games=games)) != _plain(sections):
            raise ConformanceError("summarize", "a summary depends on the order of the measurements; sort them first")


def _check_level(sections: Sequence[Section]) -> None:
    for section in sections:
        for estimate in _estimates(section):
            if estimate.low is not None and estimate.level != 0.8:
                what = f"an estimate in {section.title!r} is at the level {estimate.level!r} where 0.8 is asked for"
                raise ConformanceError("level", what)


def _section_faults(section: Section) -> Iterator[str]:
    if not section.title:
        yield "a section has no title"
    for table in section.tables:
        yield from (f"the table {table.title!r} {fault}" for fault in _table_faults(table))
    for figure in section.figures:
        if figure.kind != "heat-map" and any(len(values) != len(figure.x) for values in figure.series.values()):
            yield f"the figure {figure.title!r} has a series that is not as long as its x"
    for estimate in _estimates(section):
        if fault := _estimate_fault(estimate):
            yield f"{estimate!r} {fault}"
    if fault := json_fault(_unstructured(section), "the section"):
        yield f"{fault}, so it cannot be written down"


def _table_faults(table: Table) -> Iterator[str]:
    names = [column.name for column in table.columns]
    if len(set(names)) < len(names):
        yield f"has two columns called the same in {names!r}"
    for row in table.rows:
        if len(row) != len(table.columns):
            yield f"has a row of {len(row)} cells and {len(table.columns)} columns"
        for column, cell in zip(table.columns, row, strict=False):
            if column.style == "share" and isinstance(cell, int | float):
                yield f"has {cell!r} for the share {column.name!r}; make it an Estimate with its n and interval"


def _estimates(section: Section) -> Iterator[Estimate]:
    for table in section.tables:
        yield from (cell for row in table.rows for cell in row if isinstance(cell, Estimate))
    for figure in section.figures:
        for values in figure.series.values():
            yield from (value for value in values if isinstance(value, Estimate))


def _estimate_fault(estimate: Estimate) -> str | None:
    low, value, high = estimate.low, estimate.value, estimate.high
    if type(estimate.n) is not int or estimate.n < 0:
        return f"rests on n = {estimate.n!r}"
    if value is not None and estimate.n == 0:
        return "has a value that rests on nothing"
    if low is None and high is not None:
        return "has an interval with an upper end alone"
    top = float("inf") if high is None else high
    if low is not None and value is not None and not low - 1e-9 <= value <= top + 1e-9:
        return "lies outside its own interval"
    return None


def _plain(sections: Sequence[Section]) -> str:
    """All sections as one text, numbers rounded so that the order of a sum does not show."""
    return canonical_json([_rounded(_unstructured(section)) for section in sections])


def _unstructured(section: Section) -> Any:
    return attrs.asdict(section)


def _rounded(value: Any) -> JSON:
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {str(key): _rounded(item) for key, item in value.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
