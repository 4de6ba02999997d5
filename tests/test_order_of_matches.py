"""A report is the same in whatever order the matches of its run were written or stand in the journal."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from arena_cli.application.group import group
from arena_engine import Journal
from arena_engine.journal.blocks import plan_blocks
from arena_engine.journal.database import Transaction
from arena_engine.journal.writer import Rows
from click.testing import CliRunner

from .feature_runs import played

RUNS = ("engines", "finished", "judged", "swept", "traded")


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is kept what random play earns, so that it is the same for all reports."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for the runs; each is played when the first test needs it."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def report(known: Path, monkeypatch: pytest.MonkeyPatch):
    """Makes the report on a run, as data."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(known))

    def made(run: Path) -> dict[str, Any]:
        done = CliRunner().invoke(group, ["report", str(run), "--json"], prog_name="arena")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return made


def shuffled(run: Path, seed: int, *, moves_places: bool) -> Path:
    """Write a run's matches in another order; with ``moves_places`` they stand in another one in the plan, too."""
    with Journal.open(run) as read:
        plans, header = list(read.plans()), read.header.id
        ended = [(text.encode(), row) for block in read.ended_blocks() for text, row in block.matches()]
    rng = random.Random(seed)
    rng.shuffle(ended)
    if moves_places:
        rng.shuffle(plans)
    with closing(sqlite3.connect(run / "journal.sqlite", isolation_level=None)) as journal, Transaction(journal):
        rows = Rows(journal, header)
        rows.clear_plans()
        rows.put_plans(plan_blocks(plans, is_packed=True))
        for text, summary in ended:
            rows.put_match(text, summary)
        rows.store()
    return run


def rounded(value: Any) -> Any:
    """The same data with numbers to nine digits after the point."""
    if isinstance(value, float):
        return round(value, 9) + 0.0
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


@pytest.mark.slow
@pytest.mark.parametrize("moves_places", [False, True], ids=["written", "placed"])
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.sample(slow=1)
def test_each_section_is_the_same_in_any_order(run: str, moves_places: bool, report, runs: Path, tmp_path: Path):
    """No number of any section depends on which match was written first, or on which stands first."""
    for name in ("asis", "other"):
        played.copy(run, runs, tmp_path / name)
    shuffled(tmp_path / "other" / run, 7, moves_places=moves_places)

    asis, other = report(tmp_path / "asis" / run), report(tmp_path / "other" / run)

    assert [each["title"] for each in other["sections"]] == [each["title"] for each in asis["sections"]]
    for one, same in zip(asis["sections"], other["sections"], strict=True):
        assert rounded(same) == rounded(one), one["title"]
    told = ["pairs"] if moves_places else list(asis["verdict"])  # games are told in the order in which they stand
    assert [rounded(other["verdict"][key]) for key in told] == [rounded(asis["verdict"][key]) for key in told]
