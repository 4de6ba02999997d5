"""One small run for each feature is played, and shows what its golden file says.

``python -m tests.feature_runs.played`` writes the golden files; ``feature_runs/played.py`` says what is in them.
"""

import difflib
from pathlib import Path

import pytest

from .feature_runs import played


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for the runs; each is played when the first test needs it."""
    return tmp_path_factory.mktemp("features")


@pytest.mark.parametrize("name", played.FEATURES)
@pytest.mark.sample(fast=1, slow=3)
def test_feature_shows_what_the_golden_file_says(name: str, runs: Path, tmp_path: Path):
    """The report and the exported matches of a run, and of a stopped one after it went on, are as the file says."""
    made = played.golden(name, runs, tmp_path)

    told = (played.GOLDEN / f"{name}.txt").read_text("utf-8")
    differing = difflib.unified_diff(told.splitlines(), made.splitlines(), f"golden/{name}.txt", "made", lineterm="")
    assert made == told, "\n".join([*differing][:60])


@pytest.mark.slow
def test_nothing_of_a_stopped_run_is_asked_twice(tmp_path: Path):
    """A run that a budget stopped and that goes on asks as often as one that nothing stops."""
    counts: list[int] = []
    for directory in (tmp_path / "stopped", tmp_path / "whole"):
        directory.mkdir()
        if directory.name == "stopped":
            played.play("stopped", directory)
            played.resume("stopped", directory)
        else:
            file = played.BENCHMARKS / "stopped.yaml"
            (directory / file.name).write_text(file.read_text("utf-8").replace("budget-calls: 17", "budget-calls: 500"))
            played.arena("run", file.name, "--output", "stopped", "--quiet", directory=directory)
        logs = [(directory / log).read_text("utf-8").splitlines() for log in ("words.log", "tools.log")]
        counts.append(sum(map(len, logs)))

    assert counts[0] == counts[1] > 17


@pytest.mark.slow
def test_a_filled_cache_leaves_nothing_to_pay(tmp_path: Path):
    """A report counts the tokens of the run that filled the cache, and none for a run that found it full."""
    played.play("cached-again", tmp_path)

    assert "tokens read anew" in played.shown("cached", tmp_path)
    assert "tokens read anew" not in played.shown("cached-again", tmp_path)


def test_every_golden_file_belongs_to_a_run():
    """There is one golden file for each run and no other."""
    assert {path.stem for path in played.GOLDEN.iterdir()} == {*played.FEATURES}
