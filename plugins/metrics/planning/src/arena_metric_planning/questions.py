"""Tables of recall and tracking: how many questions were answered rightly, beside random and perfect answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs
from arena.tables import Cell, Column, Estimate, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text

from arena_metric_planning.plans import PERFECT, RANDOM
from arena_metric_planning.results import QuestionResult, accuracy, by_agent, exactly, in_as_many, mean_of, share_of


@attrs.frozen
class QuestionTables:
    """Tables of the questions of one kind; ``random`` is what random answers earn, by game."""

    title: str
    results: Sequence[QuestionResult]
    random: Mapping[str, Estimate | None]
    level: float
    has_sets: bool
    """Whether answers are sets, which can be partly right."""

    def tables(self) -> Iterator[Table]:
        """The table by agent, and for sets those by domain and by the number of properties."""
        yield self._by_agent()
        if self.has_sets:
            yield self._by("domain", lambda result: result.domain)
            yield self._by("properties", lambda result: f"{result.properties}")

    def _by_agent(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for (game, agent), own in by_agent(self.results).items():
            rows.append((game, agent, len(own), *self._cells(own)))
        blank = (None,) * (len(self._columns()) - 1)
        for game in dict.fromkeys(result.game for result in self.results):
            asked = len({result.unit for result in self.results if result.game == game})
            if (random := self.random.get(game)) is not None:
                rows.append((game, RANDOM, asked, in_as_many(random, asked, "questions"), *blank))
            rows.append((game, PERFECT, asked, exactly(1.0, asked, "questions"), *blank))
        return Table(
            title=f"{self.title} by agent",
            columns=(*text("game", "agent"), *counts("matches"), *self._columns()),
            rows=tuple(rows),
            note="Matches about one question are one observation. Unanswered questions count as wrong.",
        )

    def _by(self, name: str, key: Callable[[QuestionResult], str]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for (game, agent), own in by_agent(self.results).items():
            for value in sorted({key(result) for result in own}, key=_number_first):
                each = [result for result in own if key(result) == value]
                rows.append((game, value, agent, len(each), *self._cells(each)))
        columns = (*text("game", name, "agent"), *counts("matches"), *self._columns())
        return Table(title=f"{self.title} by {name}", columns=columns, rows=tuple(rows))

    def _columns(self) -> tuple[Column, ...]:
        sets = numbers("F1", "precision", "recall") if self.has_sets else ()
        return (*shares("accuracy", "unanswered"), *sets)

    def _cells(self, own: Sequence[QuestionResult]) -> tuple[Cell, ...]:
        cells: tuple[Cell, ...] = (
            accuracy(own, self.level),
            share_of(own, [not result.is_answered for result in own], self.level),
        )
        if not self.has_sets:
            return cells
        parts = ([r.f1 for r in own], [r.precision for r in own], [r.recall for r in own])
        return (*cells, *(mean_of(own, values, self.level, (0.0, 1.0)) for values in parts))


def _number_first(value: str) -> tuple[int, str]:
    return (int(value), "") if value.isdecimal() else (0, value)
