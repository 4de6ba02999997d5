"""The metric ``diplomacy-knowledge``: how much of what players report of positions is right, by field and power."""

from collections.abc import Iterable
from typing import Final

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.tables import Section

from arena_metric_diplomacy.grouping import wanted
from arena_metric_diplomacy.knowledge_reports import REPORT, measured
from arena_metric_diplomacy.knowledge_results import knowledge_results
from arena_metric_diplomacy.knowledge_tables import by_agent, by_field, by_power, figures, games_of

_TEXT: Final = (
    "F1 of what players reported beside their orders, or of single questions: twice the true positives over twice the "
    "true positives, the false positives and the false negatives, each summed over all reports. One-hop fields are "
    "read off the position or the map, multi-hop fields combine them. A missing report leaves everything out, and is "
    "counted."
)


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
        results = knowledge_results(row for row in wanted(measurements) if row.name == REPORT)
        if not results:
            yield Section(title="Knowledge", text="No player was asked for a report of what it knows.")
            return
        games = games_of(results, measurements.level)
        tables = (by_agent(games), by_field(games), by_power(games))
        yield Section(title="Knowledge", tables=tables, figures=tuple(figures(games)), text=_TEXT)
