"""Tables and figures of what players know: F1 by agent, by field and by power, beside random answers and the truth."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from arena.tables import Cell, Estimate, Figure, Table
from arena_game_diplomacy.knowledge.truth import FIELDS, ONE_HOP, WORST_CASE, FieldScore
from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_statistics.means import ratio

from arena_metric_diplomacy.knowledge_results import KnowledgeResult

RANDOM_ANSWERS: Final = "random answers"
"""The name in tables of reports that are drawn evenly."""

TRUTH: Final = "the truth"
"""The name in tables of reports in which everything is right."""

ONE: Final = "one-hop"
MULTI: Final = "multi-hop"

Key = Callable[[KnowledgeResult], Any]


@attrs.frozen
class KnowledgeOfGame:
    """The results of one game, and how F1 of them is estimated."""

    game: str
    results: Sequence[KnowledgeResult]
    level: float

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that were asked for, in their order; the worst case stands last."""
        asked = {field for result in self.results for field in result.scores}
        return tuple(field for field in (*FIELDS, WORST_CASE) if field in asked)

    @property
    def hops(self) -> Mapping[str, tuple[str, ...]]:
        """The fields that were asked for, one-hop and multi-hop ones apart."""
        parts = {ONE: [f for f in self.fields if f in ONE_HOP], MULTI: [f for f in self.fields if f not in ONE_HOP]}
        return {name: tuple(among) for name, among in parts.items() if among}

    def by(self, key: Key) -> dict[Any, list[KnowledgeResult]]:
        """The results by agent, say, in alphabetical order."""
        found: dict[Any, list[KnowledgeResult]] = {}
        for result in self.results:
            found.setdefault(key(result), []).append(result)
        return dict(sorted(found.items()))

    def f1(self, own: Sequence[KnowledgeResult], among: Sequence[str]) -> Estimate:
        """F1 of some fields of some results together."""
        return self._estimate(own, [_sum(each.scores, among) for each in own])

    def random(self, among: Sequence[str]) -> Estimate:
        """F1 of some fields in random answers about the same positions."""
        return self._estimate(self.results, [_sum(each.random, among) for each in self.results])

    def _estimate(self, own: Sequence[KnowledgeResult], scores: Sequence[FieldScore]) -> Estimate:
        """F1 is a ratio of sums, and its units are matches, blocks of them, or the positions of questions."""
        totals: dict[str, FieldScore] = {}
        for each, score in zip(own, scores, strict=True):
            totals[each.unit] = totals.get(each.unit, FieldScore()) + score
        kept = [score for score in totals.values() if score.f1 is not None]
        values = [2.0 * score.hits for score in kept]
        bases = [float(2 * score.hits + score.extra + score.missing) for score in kept]
        unit = "positions" if own[0].is_question else "blocks"
        if unit == "blocks" and len({each.match for each in own}) == len(totals):
            unit = "matches"
        return ratio(values, bases, level=self.level, bounds=(0.0, 1.0), unit=unit)


def games_of(results: Sequence[KnowledgeResult], level: float) -> list[KnowledgeOfGame]:
    """The results by game, in alphabetical order."""
    names = sorted({result.game for result in results})
    return [KnowledgeOfGame(name, [each for each in results if each.game == name], level) for name in names]


def by_agent(games: Iterable[KnowledgeOfGame]) -> Table:
    """One-hop and multi-hop fields together, with random answers and the truth below the agents of each game."""
    rows: list[tuple[Cell, ...]] = []
    for each in games:
        parts = [each.hops.get(name) for name in (ONE, MULTI)]
        for agent, own in each.by(lambda result: result.agent).items():
            reports, missing = _reports(own), sum(result.missing for result in own)
            rows.append(
                (each.game, agent, reports, missing, *(each.f1(own, among) if among else None for among in parts))
            )
        reports = _reports(each.results)
        random = (each.random(among) if among else None for among in parts)
        rows.append((each.game, RANDOM_ANSWERS, reports, 0, *random))
        rows.append((each.game, TRUTH, reports, 0, *(_exactly(reports) if among else None for among in parts)))
    columns = (*text("game", "agent"), *counts("reports", "missing"), *numbers(ONE, MULTI))
    return Table(title="Knowledge by agent", columns=columns, rows=tuple(rows))


def by_field(games: Iterable[KnowledgeOfGame]) -> Table:
    """What is counted of each field, and its F1; the numbers of the paper's figure 4."""
    rows: list[tuple[Cell, ...]] = []
    for each in games:
        for hops, among in each.hops.items():
            for field in among:
                for agent, own in each.by(lambda result: result.agent).items():
                    total = sum((_sum(result.scores, (field,)) for result in own), FieldScore())
                    tally = (total.hits, total.extra, total.missing)
                    rows.append((each.game, hops, field, agent, *tally, each.f1(own, (field,))))
                rows.append((each.game, hops, field, RANDOM_ANSWERS, None, None, None, each.random((field,))))
    tallies = counts("true positives", "false positives", "false negatives")
    columns = (*text("game", "hops", "field", "agent"), *tallies, *numbers("F1"))
    return Table(title="Knowledge by field", columns=columns, rows=tuple(rows))


def by_power(games: Sequence[KnowledgeOfGame]) -> Table:
    """F1 of each field by seat, or by the power that questions are about, and agent."""
    fields = tuple(field for field in (*FIELDS, WORST_CASE) if any(field in each.fields for each in games))
    rows: list[tuple[Cell, ...]] = []
    for each in games:
        for (powers, agent), own in each.by(lambda result: (result.powers, result.agent)).items():
            cells = (each.f1(own, (field,)) if field in each.fields else None for field in fields)
            rows.append((each.game, powers, agent, _reports(own), *cells))
    columns = (*text("game", "powers", "agent"), *counts("reports"), *numbers(*fields))
    return Table(title="Knowledge by power", columns=columns, rows=tuple(rows))


def figures(games: Iterable[KnowledgeOfGame]) -> Iterator[Figure]:
    """F1 of each field by agent, as in the paper's figure 4, one-hop and multi-hop fields apart."""
    for each in games:
        agents = each.by(lambda result: result.agent)
        for hops, among in each.hops.items():
            series = {agent: tuple(each.f1(own, (field,)) for field in among) for agent, own in agents.items()}
            series[RANDOM_ANSWERS] = tuple(each.random((field,)) for field in among)
            yield Figure(
                kind="bar",
                title=f"{each.game}: knowledge, {hops}",
                x=among,
                series=series,
                y_title="F1",
                references={TRUTH: 1.0},
                note="Intervals: over matches or positions.",
            )


def _reports(own: Iterable[KnowledgeResult]) -> int:
    return sum(result.reports for result in own)


def _sum(scores: Mapping[str, FieldScore], among: Sequence[str]) -> FieldScore:
    return sum((scores[field] for field in among if field in scores), FieldScore())


def _exactly(n: int) -> Estimate:
    return Estimate(value=1.0, n=n, unit="reports", method="no interval: known")
