"""Runs that an older Arena has written show the same, go on the same and are made larger the same, to the byte.

What is compared is told in ``old_runs/shown.py``; ``old_runs/make.py`` has made the folders and the golden files.
"""

import difflib
from collections.abc import Mapping
from pathlib import Path

import pytest
from arena_engine.running import runner
from arena_game_grid import random_play as grid_random_play
from arena_game_openspiel import random_play as openspiel_random_play

from .old_runs import shown

RENAMED: Mapping[str, str] = {
    '"adapts": ': '"adaptive-concurrency": ',
    '"answers": 10': '"max-answers": 10',
    '"attempts": ': '"max-attempts": ',
    '"imagines": ': '"resample_hidden": ',
    '"longest-wait-s": ': '"max-retry-wait-s": ',
    '"longest_wait_s": ': '"max-retry-wait-s": ',
    '"tells_agents": ': '"reveal_agents": ',
    '"total": ': '"max-refusals": ',
    '"waves": ': '"max-steps": ',
    "the player was put out": "the player was eliminated",
    "put out of the match": "eliminated by forfeit",
}
"""Words that users see and that are called otherwise than in the golden files: the old text, and the new one.

Keys of a benchmark have the names of now wherever its settings are shown.
"""

SAID_ANEW: Mapping[str, str] = {
    " and longest-wait-s is ": " and max-retry-wait-s is ",
}
"""The same for what is said when a run goes on; what was said before stands in its journal."""

FOLDERS = sorted(folder.name for folder in shown.RUNS.iterdir())


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is kept what random play earns, for all runs."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, known: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to be in, and nothing in the environment that changes what is shown."""
    for name in ("ARENA_DISABLE", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(known))
    for stated in (grid_random_play, openspiel_random_play):  # games of then did not state what random play earns
        for name in [*stated.RANDOM_PLAY]:
            monkeypatch.delitem(stated.RANDOM_PLAY, name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def golden(run: str, name: str) -> str:
    """What a golden file says, its prose in the words of this version; data, but for what is told of it, stays."""
    told = (shown.GOLDEN / run / name).read_bytes().decode()
    data, mark, prose = told.partition("[standard error]\n") if Path(name).suffix in shown.DATA else ("", "", told)
    is_anew = Path(name).stem in ("larger", "resumed")
    for old, new in {**RENAMED, **(SAID_ANEW if is_anew else {})}.items():
        prose = prose.replace(old, new)
    return data + mark + prose


def check(run: str, made: Mapping[str, str]) -> None:
    """Fail with the lines that differ from golden files."""
    differing: list[str] = []
    for name, text in made.items():
        if text != (told := golden(run, name)):
            lines = told.splitlines(), text.splitlines()
            found = [*difflib.unified_diff(*lines, f"golden/{run}/{name}", "made", lineterm="")]
            differing += found[:40] or [f"golden/{run}/{name}: only the ends of lines differ"]
    if differing:
        pytest.fail("\n".join(differing), pytrace=False)


@pytest.mark.parametrize(("run", "name"), [(run, name) for run in FOLDERS for name in shown.views(run)])
@pytest.mark.sample(fast=14, slow=16)
def test_old_run_shows_the_same(run, name, tmp_path):
    """Reports, exports, replays and audits of an old run are the same to the byte."""
    shown.put(run, tmp_path)

    check(run, {name: shown.view(run, name)})


@pytest.mark.parametrize("run", FOLDERS)
@pytest.mark.sample(fast=3)
def test_old_run_is_only_read(run, tmp_path):
    """Looking at an old run changes nothing in its journal."""
    shown.put(run, tmp_path)
    before = (tmp_path / run / "journal.sqlite").read_bytes()

    for name in ("matches.jsonl", "replay.text", "audit.text"):
        shown.view(run, name)

    assert (tmp_path / run / "journal.sqlite").read_bytes() == before


@pytest.mark.parametrize("run", FOLDERS)
@pytest.mark.sample(fast=3)
def test_old_run_goes_on_the_same(run, tmp_path):
    """An old run that is resumed comes to the same matches, answers, requests and hashes, and keeps those it had."""
    shown.put(run, tmp_path)
    before = shown.answers(tmp_path / run)

    check(run, shown.resumed(run))

    assert before <= shown.answers(tmp_path / run)


def test_nothing_of_an_old_run_is_asked_twice(tmp_path):
    """A backend that counts its calls is asked only for what an old journal does not hold."""
    shown.put("stopped", tmp_path)
    before = shown.answers(tmp_path / "stopped")

    shown.resumed("stopped")

    asked = [line for log in ("words.log", "tools.log") for line in (tmp_path / log).read_text("utf-8").splitlines()]
    assert len(before) > 0
    assert len(asked) == len(shown.answers(tmp_path / "stopped") - before)


@pytest.mark.parametrize("run", sorted(shown.LARGER))
def test_old_run_is_made_larger_the_same(run, tmp_path):
    """An old run that is extended by an old benchmark file comes to the same, and keeps what was answered."""
    shown.put(run, tmp_path)
    before = shown.answers(tmp_path / run)

    check(run, shown.larger(run))

    assert before <= shown.answers(tmp_path / run)


@pytest.fixture
def first_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let new runs ask and read as they did when the golden files were made."""
    monkeypatch.setattr(runner, "ANSWER_RULE", 1)


@pytest.mark.parametrize("run", sorted(shown.ANEW))
@pytest.mark.usefixtures("first_rule")
@pytest.mark.sample(fast=2)
def test_old_benchmark_plays_the_same(run, tmp_path):
    """An old benchmark file gives the journal that it gave: matches, requests, hashes, answers and judgements."""
    shown.put(run, tmp_path)

    told = shown.anew(run, "anew")

    assert shown.journal(tmp_path / "anew") == shown.journal(tmp_path / run), told


@pytest.mark.usefixtures("first_rule")
def test_cache_is_written_the_same(tmp_path):
    """The answers that runs share are kept under the same names and as the same bytes."""
    shown.put("cached", tmp_path)

    shown.anew("cached", "anew")

    assert files(tmp_path / shown.CACHE) == files(shown.HERE / shown.CACHE)


@pytest.mark.usefixtures("first_rule")
def test_cache_of_old_runs_is_used(tmp_path):
    """A run that finds the answers of an old cache asks nothing."""
    shown.put("cached-again", tmp_path)

    shown.anew("cached-again", "anew")

    assert {line.split()[3] for line in shown.answers(tmp_path / "anew")} == {"cached"}


@pytest.mark.parametrize("run", FOLDERS)
def test_folder_is_one_file(run):
    """The folders that are kept hold a journal and nothing else."""
    assert [file.name for file in (shown.RUNS / run).iterdir()] == ["journal.sqlite"]


@pytest.mark.parametrize("run", FOLDERS)
def test_every_golden_file_is_compared(run):
    """No golden file is left behind by what made it."""
    assert {path.name for path in (shown.GOLDEN / run).iterdir()} == shown.names(run)


def files(directory: Path) -> dict[str, bytes]:
    """Every file of a directory by its path."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
