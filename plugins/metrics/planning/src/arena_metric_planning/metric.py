"""The metric ``planning``, with the measures of SPIN-Bench's planning, recall and tracking."""

from collections.abc import Iterable, Iterator, Sequence

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.tables import Estimate, Section, Table

from arena_metric_planning.correlations import Correlations
from arena_metric_planning.errors import error_figures, error_table, published_table
from arena_metric_planning.lengths import over_length
from arena_metric_planning.plans import PlanTables
from arena_metric_planning.questions import QuestionTables
from arena_metric_planning.results import family, plan_results, question_results, random_share
from arena_metric_planning.twins import twin_table
from arena_metric_planning.verdicts import PLAN, RECALL, TRACKING, measured

_PLANNING = (
    "Measures of SPIN-Bench (Yao et al. 2025): accuracy, look-ahead, and classes of errors. Reference plans are those "
    "shipped with the tasks, or beside your own. Single tasks are in exports and replays. Games that a sweep over "
    "tasks made of one count as one game."
)


@attrs.frozen(kw_only=True)
class PlanningScores(Metric):
    """Accuracy, look-ahead, error classes and correlations of planning; recall and tracking over length.

    Everything is read from the event ``judged`` with which the games ``planning``, ``planning-recall`` and
    ``planning-tracking`` end, and from the refusals before it.
    """

    marked: tuple[str, ...] = attrs.field(
        default=(), metadata={"help": "domains whose correlations are also shown without the others"}
    )
    published: bool = attrs.field(
        default=True, metadata={"help": "show what SPIN-Bench printed beside whole plans of several domains"}
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One measurement for each match of planning, recall or tracking."""
        return measured(match.record)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """A section each for planning, recall and tracking, if there is anything of it."""
        rows = [row for row in measurements.rows if measurements.forfeits != "without" or not row.is_forfeited]
        if not rows:
            yield Section(title="Planning", text="There is no match of planning, recall or tracking.")
        if any(row.name == PLAN for row in rows):
            yield self._planning(rows, measurements)
        for kind, title, what in ((RECALL, "Recall", "steps of the trajectory"), (TRACKING, "Tracking", "moves")):
            yield from _questions(kind, title, what, rows, measurements)

    def _planning(self, rows: Sequence[MeasurementRow], measurements: Measurements) -> Section:
        results, level = plan_results(rows), measurements.level
        plans = PlanTables(results, _random(PLAN, rows, measurements), level)
        correlations = Correlations(results, self.marked, level, measurements.seed)
        lengths, curves = over_length("Accuracy over length", "steps of the reference plan", results, level)
        tables = [*plans.tables(), error_table(results, level), *lengths, *correlations.tables()]
        if (twins := twin_table(results, level)).rows:
            tables.append(twins)
        whole = {result.domain for result in results if result.mode == "plan"}
        if self.published and len(whole) > 1:
            tables.append(published_table(level))
        figures = (*error_figures(results), *curves, *correlations.figures())
        return Section(title="Planning", tables=tuple(map(_without_game, tables)), figures=figures, text=_PLANNING)


def _questions(
    kind: str, title: str, what: str, rows: Sequence[MeasurementRow], measurements: Measurements
) -> Iterator[Section]:
    results, level = question_results(rows, kind), measurements.level
    if results:
        made = QuestionTables(title, results, _random(kind, rows, measurements), level, has_sets=kind == RECALL)
        lengths, curves = over_length(f"{title} over length", what, results, level)
        tables = tuple(map(_without_game, (*made.tables(), *lengths)))
        yield Section(title=title, tables=tables, figures=curves)


def _random(kind: str, rows: Sequence[MeasurementRow], measurements: Measurements) -> dict[str, Estimate | None]:
    """What random play earns in each game, its parts by a sweep taken together."""
    games: dict[str, set[str]] = {}
    for row in rows:
        if row.name == kind:
            games.setdefault(family(row.game), set()).add(row.game)
    return {game: random_share(parts, measurements) for game, parts in games.items()}


def _without_game(table: Table) -> Table:
    """The table without the column of games if it says the same in all rows."""
    if table.columns[0].name != "game" or len({row[0] for row in table.rows}) > 1:
        return table
    return attrs.evolve(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows))
