"""The metric ``diplomacy-knowledge``: how much of what players report of positions is right, by field and power."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.tables import Cell, Estimate, Figure, Section, Table
from arena_game_diplomacy.knowledge import ONE_HOP, FieldScore
from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_statistics.resampling import bootstrap

from arena_metric_diplomacy.grouping import detail, wanted
from arena_metric_diplomacy.reports import REPORT, measured, shown_fields

RANDOM_ANSWERS: Final = "random answers"
"""The name in tables of reports that are drawn evenly."""

TRUTH: Final = "the truth"
"""The name in tables of reports in which everything is right."""

ONE: Final = "one-hop"
MULTI: Final = "multi-hop"

_ONE_OF_MANY: Final = re.compile(r"\[(?:field|power|number|seed)=[^\]]*\]")
"""What a sweep over questions adds to the name of a game."""

_TEXT: Final = (
    "F1 of what players reported beside their orders, or of single questions: twice the true positives over twice the "
    "true positives, the false positives and the false negatives, each summed over all reports. One-hop fields are "
    "read off the position or the map, multi-hop fields combine them. A missing report leaves everything out, and is "
    "counted."
)


@attrs.frozen(kw_only=True)
class KnowledgeResult:
    """The reports of one agent in one match for the same powers, added up.

    ``unit`` names what is independent: matches that share their deals, or that ask the same question, are not.
    """

    game: str
    agent: str
    powers: str
    match: str
    unit: str
    reports: int
    missing: int
    scores: Mapping[str, FieldScore]
    random: Mapping[str, FieldScore]


@attrs.frozen(kw_only=True)
class DiplomacyKnowledge(Metric):
    """How much of what players report of positions of Diplomacy is right, by field and power.

    The factual knowledge checks of SPIN-Bench (Yao et al. 2025), section 4.3.2 and figure 4.
    """

    skip_two_coasts: bool = attrs.field(
        default=False,
        metadata={"help": "leave out what borders on units in BUL, SPA and STP, as the original does"},
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row for each report that a player was asked for."""
        return measured(match.record, skip_two_coasts=self.skip_two_coasts)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables by agent, by field and by power, and a figure each of one-hop and multi-hop fields."""
        results = _results(row for row in wanted(measurements) if row.name == REPORT)
        if not results:
            yield Section(title="Knowledge", text="No player was asked for a report of what it knows.")
            return
        shown = _Shown(results, measurements.level, measurements.seed)
        tables = (shown.by_agent(), shown.by_field(), shown.by_power())
        yield Section(title="Knowledge", tables=tables, figures=tuple(shown.figures()), text=_TEXT)


@attrs.frozen
class _Shown:
    """Tables and figures of results."""

    results: Sequence[KnowledgeResult]
    level: float
    seed: int

    @property
    def fields(self) -> tuple[str, ...]:
        return shown_fields({field for result in self.results for field in result.scores})

    def by_agent(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        parts = (*self._hops(), *((field, (field,)) for field in self.fields))
        for game, results in _grouped(self.results, lambda result: result.game).items():
            for agent, own in _grouped(results, lambda result: result.agent).items():
                reports, missing = (sum(getattr(each, name) for each in own) for name in ("reports", "missing"))
                rows.append((game, agent, reports, missing, *(self._f1(own, among) for _, among in parts)))
            reports = sum(each.reports for each in results)
            rows.append((game, RANDOM_ANSWERS, reports, 0, *(self._random(results, among) for _, among in parts)))
            rows.append((game, TRUTH, reports, 0, *(_exactly(reports) for _ in parts)))
        columns = (*text("game", "agent"), *counts("reports", "missing"), *numbers(*(name for name, _ in parts)))
        return Table(title="Knowledge by agent", columns=columns, rows=tuple(rows))

    def by_field(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for game, results in _grouped(self.results, lambda result: result.game).items():
            for agent, own in _grouped(results, lambda result: result.agent).items():
                for field in self.fields:
                    total = _total(own, (field,))
                    tally = (total.hits, total.extra, total.missing)
                    f1 = self._f1(own, (field,)), self._random(results, (field,))
                    rows.append((game, agent, ONE if field in ONE_HOP else MULTI, field, *tally, *f1))
        columns = (
            *text("game", "agent", "hops", "field"),
            *counts("true positives", "false positives", "false negatives"),
            *numbers("F1", "F1 of random answers"),
        )
        return Table(title="Knowledge by field", columns=columns, rows=tuple(rows))

    def by_power(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        keys = _grouped(self.results, lambda result: (result.game, result.powers, result.agent))
        for key, own in keys.items():
            rows.append((*key, sum(each.reports for each in own), *(self._f1(own, (field,)) for field in self.fields)))
        columns = (*text("game", "powers", "agent"), *counts("reports"), *numbers(*self.fields))
        return Table(title="Knowledge by power", columns=columns, rows=tuple(rows))

    def figures(self) -> Iterator[Figure]:
        """F1 of each field by agent, as in the paper's figure 4, one-hop and multi-hop fields apart."""
        for game, results in _grouped(self.results, lambda result: result.game).items():
            agents = _grouped(results, lambda result: result.agent)
            for hops, among in self._hops():
                series = {agent: tuple(self._f1(own, (field,)) for field in among) for agent, own in agents.items()}
                series[RANDOM_ANSWERS] = tuple(self._random(results, (field,)) for field in among)
                yield Figure(
                    kind="bar",
                    title=f"{game}: knowledge, {hops}",
                    x=among,
                    series=series,
                    y_title="F1",
                    references={TRUTH: 1.0},
                    note="Intervals resample matches.",
                )

    def _hops(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        one = tuple(field for field in self.fields if field in ONE_HOP)
        multi = tuple(field for field in self.fields if field not in ONE_HOP)
        return tuple((name, among) for name, among in ((ONE, one), (MULTI, multi)) if among)

    def _f1(self, own: Sequence[KnowledgeResult], among: Sequence[str]) -> Estimate:
        return self._estimate([(each.unit, _sum(each.scores, among)) for each in own])

    def _random(self, own: Sequence[KnowledgeResult], among: Sequence[str]) -> Estimate:
        return self._estimate([(each.unit, _sum(each.random, among)) for each in own])

    def _estimate(self, scores: Sequence[tuple[str, FieldScore]]) -> Estimate:
        """F1 of all scores together, with an interval by resampling matches."""
        kept = [(unit, 2.0 * s.hits, float(2 * s.hits + s.extra + s.missing)) for unit, s in scores if s.f1 is not None]
        units, values, bases = zip(*kept, strict=True) if kept else ((), (), ())
        return bootstrap(values, bases=bases, clusters=units, level=self.level, seed=self.seed)


def _results(rows: Iterable[MeasurementRow]) -> list[KnowledgeResult]:
    """The reports of each agent in each match for the same powers, added up."""
    found: dict[tuple[str, ...], list[MeasurementRow]] = {}
    for row in rows:
        powers = ", ".join(detail(row)["powers"])
        unit = detail(row)["question"] or row.block
        found.setdefault((_ONE_OF_MANY.sub("", row.game), str(row.agent), powers, row.match, unit), []).append(row)
    return [
        KnowledgeResult(
            game=game,
            agent=agent,
            powers=powers,
            match=match,
            unit=unit,
            reports=len(own),
            missing=sum(detail(row)["is_missing"] for row in own),
            scores=_added(detail(row)["scores"] for row in own),
            random=_added(detail(row)["random"] for row in own),
        )
        for (game, agent, powers, match, unit), own in sorted(found.items())
    ]


def _added(scores: Iterable[Mapping[str, Sequence[int]]]) -> dict[str, FieldScore]:
    total: dict[str, FieldScore] = {}
    for each in scores:
        for field, tally in each.items():
            total[field] = total.get(field, FieldScore()) + FieldScore(*tally)
    return total


def _sum(scores: Mapping[str, FieldScore], among: Sequence[str]) -> FieldScore:
    return sum((scores[field] for field in among if field in scores), FieldScore())


def _total(results: Iterable[KnowledgeResult], among: Sequence[str]) -> FieldScore:
    return sum((_sum(each.scores, among) for each in results), FieldScore())


def _grouped(
    results: Iterable[KnowledgeResult], key: Callable[[KnowledgeResult], Any]
) -> dict[Any, list[KnowledgeResult]]:
    found: dict[Any, list[KnowledgeResult]] = {}
    for result in results:
        found.setdefault(key(result), []).append(result)
    return dict(sorted(found.items()))


def _exactly(n: int) -> Estimate:
    return Estimate(value=1.0, n=n, unit="reports", method="no interval: known")
