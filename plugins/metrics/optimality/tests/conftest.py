"""Judged matches, with a cache of equilibria of their own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from arena.agent import Agent
from arena.game import Game
from arena.metric import FinishedMatch, MeasurementRow, Measurements
from arena.record import MatchRecord
from arena.tables import Section
from arena.testing import play
from arena_metric_optimality.optimality import Optimality


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where equilibria are kept while these tests run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "equilibria-of-all-tests"))


@pytest.fixture
def matches(tmp_path: Path) -> Callable[..., list[MatchRecord]]:
    """Play some matches: ``matches(game, agents, count)``, each with a seed and a block of its own."""

    def run(game: Game, agents: Sequence[Agent], count: int = 1, **options: Any) -> list[MatchRecord]:
        import attrs

        records = []
        for n in range(count):
            record = play(game, agents, tmp_path / f"{len(list(tmp_path.iterdir()))}", seed=n, **options).over
            plan = attrs.evolve(record.plan, id=f"game/{n}", repeat=n)
            records.append(attrs.evolve(record, plan=plan))
        return records

    return run


@pytest.fixture
def judged() -> Callable[..., Section]:
    """What the metric says of matches of one game: ``judged(game, records)``."""

    def run(game: Game, records: Sequence[MatchRecord], metric: Optimality | None = None) -> Section:
        made = metric or Optimality()
        rows = [MeasurementRow.of(m, record) for record in records for m in made.measure(FinishedMatch(record, game))]
        (section,) = made.summarize(Measurements(rows=rows, games={"game": game}))
        return section

    return run
