"""What a dear metric measured is kept in the user's cache, and nothing that lies there is trusted."""

import asyncio
import json
import shutil
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import arena
import attrs
import pytest
from arena.catalog import Catalog
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.tables import Section
from arena_engine import Journal
from arena_engine.execution.api import enlarge_run
from arena_engine.execution.runner import play_run
from arena_report import build
from arena_report.metrics import kept_measurements

MEASURED: list[str] = []


@attrs.frozen
class Dear(Metric):
    """A metric that says which matches it measured."""

    factor: int = 1
    is_tuple: bool = False

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        MEASURED.append(match.record.id)
        detail = (1, 2) if self.is_tuple else [1, 2]
        yield Measurement(name="steps", value=self.factor * len(match.record.events), detail=detail)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        rows = [(row.match, row.value, row.detail) for row in measurements.rows]
        yield Section(title="Dear", text=str(sorted(rows)))


def benchmark(repeats):
    return {
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"a": "random", "b": "first-legal"},
        "schedule": {"use": "round-robin", "repeats": repeats, "rotate-seats": False},
        "metrics": [],
    }


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of three matches."""
    return arena.run(benchmark(3), output=tmp_path_factory.mktemp("played") / "run").directory


@pytest.fixture
def run(played, tmp_path, monkeypatch):
    """A copy of this run, an empty cache, and every metric taken for dear."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_measurements, "DEAR_S", 0.0)
    return shutil.copytree(played, tmp_path / "run")


def reported(run: Path, metric: Metric):
    """The text of a metric's section, and the matches that were measured for it."""
    MEASURED.clear()
    with Journal.open(run) as journal:
        report = build([journal], {"dear": metric})
    return next(section.text for section in report.sections if section.title == "Dear"), list(MEASURED)


def entry(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "cache" / "arena" / "measured").iterdir()
    return path


@pytest.mark.slow
def test_second_report_measures_nothing(run):
    """A second report says the same and measures nothing; other parameters are measured for themselves."""
    first, measured = reported(run, Dear())

    assert len(measured) == 3
    assert reported(run, Dear()) == (first, [])
    assert len(reported(run, Dear(factor=2))[1]) == 3


@pytest.mark.slow
def test_run_that_grew_measures_what_is_new(run):
    """Of a run that grew only the matches that were added are measured."""
    _, old = reported(run, Dear())
    journal, larger = enlarge_run(run, 5, Catalog())
    with journal:
        asyncio.run(play_run(journal, larger, {}, lambda *_: None))

    text, measured = reported(run, Dear())

    assert len(measured) == 2
    assert not {*measured} & {*old}
    assert all(match in text for match in (*old, *measured))


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("damage", ["torn", "forged", "shapeless"])
def test_entry_that_is_not_sound_is_measured_again(run, tmp_path, damage):
    """An entry that is torn, was written by somebody else, or has measurements that cannot be, counts as absent."""
    first, _ = reported(run, Dear())
    path = entry(tmp_path)
    check, key, text = path.read_text().split("\n", 2)
    if damage == "torn":
        path.write_text(f"{check}\n{key}\n{text[: len(text) // 2]}")
    else:
        matches = json.loads(text)
        for mark_and_rows in matches.values():
            mark_and_rows[0 if damage == "forged" else 1] = 0 if damage == "forged" else [["steps", 1, 9, None, None]]
        content = f"{key}\n{json.dumps(matches)}"
        path.write_text(f"{sha256(content.encode()).hexdigest()}\n{content}")

    again, measured = reported(run, Dear())

    assert (again, len(measured)) == (first, 3)


@pytest.mark.slow
def test_what_would_come_back_as_something_else_is_not_kept(run, tmp_path):
    """A tuple would come back as a list, and so such measurements are not kept."""
    first, _ = reported(run, Dear(is_tuple=True))

    assert not (tmp_path / "cache" / "arena" / "measured").exists()
    assert reported(run, Dear(is_tuple=True)) == (first, [*MEASURED])


def test_cheap_metric_is_not_kept(run, tmp_path, monkeypatch):
    """What is sooner measured than read is not kept."""
    monkeypatch.setattr(kept_measurements, "DEAR_S", 60.0)

    reported(run, Dear())

    assert not (tmp_path / "cache" / "arena" / "measured").exists()
