"""Let metrics measure and summarize; one that breaks is reported as failed, never as zero and never as absent."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from arena.game import Game
from arena.metric import Measurement, Metric, Row, Section, Table, Use
from arena.record import MatchRecord


class Measuring:
    """One metric at work. After its first error it measures no more, and its section says why."""

    def __init__(self, name: str, metric: Metric) -> None:
        self.name = name
        self.rows: list[Row] = []
        self.failure: str | None = None
        self._metric = metric

    @property
    def looks_at_uses(self) -> bool:
        """Whether the metric wants to know what completions used."""
        return type(self._metric).measure_uses is not Metric.measure_uses

    def add(
        self,
        match: MatchRecord,
        block: str | None = None,
        judged: Iterable[Measurement] = (),
        game: Game | None = None,
        uses: Sequence[Use] = (),
    ) -> None:
        """Measure one match.

        ``judged`` is what the metric's judge found in it, ``game`` its game if that is here, ``uses`` its completions.
        """
        if self.failure is not None:
            return
        try:
            inspected = () if game is None else self._metric.inspect(match, game)
            used = self._metric.measure_uses(match, uses)
            for measurement in (*self._metric.measure(match), *inspected, *used, *judged):
                row = Row.of(measurement, match)
                self.rows.append(row if block in (None, row.block) else attrs.evolve(row, block=block))
        except Exception as error:  # the metric is a plugin
            self.failure = f"match {match.id!r}: {type(error).__name__}: {error}"

    def sections(self, table: Table) -> tuple[Section, ...]:
        """What the metric makes of its rows; ``table`` has everything but those."""
        if self.failure is None:
            try:
                return tuple(self._metric.summarize(attrs.evolve(table, rows=self.rows)))
            except Exception as error:  # the metric is a plugin
                self.failure = f"{type(error).__name__}: {error}"
        return (failed(self.name, self.failure),)


def failed(name: str, why: str) -> Section:
    """What stands in the place of a metric that could not be computed."""
    return Section(title=name, text=f"failed: {why}")


def measure_all(
    metric: Metric, records: Iterable[MatchRecord], judged: Mapping[str, Sequence[Measurement]] | None = None
) -> list[Row]:
    """Every row of one metric over the matches that have a result; whatever the metric raises passes."""
    rows: list[Row] = []
    for match in records:
        if match.ending.is_result:
            rows += [Row.of(m, match) for m in (*metric.measure(match), *(judged or {}).get(match.id, ()))]
    return rows
