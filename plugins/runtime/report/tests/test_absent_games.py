"""A report on a run whose game is not installed, and on one whose references are not known yet."""

import asyncio

import attrs
import pytest
from arena.catalog import Catalog
from arena_engine import Journal, load_benchmark, recorded_games
from arena_engine.execution.runner import create_run, play_run
from arena_engine.references.recorded_games import GAMES, describe_games
from arena_engine.references.reference_cache import references_folder
from arena_game_openspiel.random_play import RANDOM_PLAY
from arena_report import baselines_of, build

DIST = "playarena-game-openspiel"
TAKES = f"{DIST}, which is disabled: take {DIST!r} out of ARENA_DISABLE"


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def run(tmp_path):
    """A run of two games of one distribution, played to its end."""
    benchmark = load_benchmark(
        {
            "games": {"ttt": "tic-tac-toe", "kuhn": "kuhn-poker"},
            "agents": {"random": "random", "first": "first-legal"},
            "schedule": {"use": "round-robin", "repeats": 5},
            "metrics": ["outcomes", "optimality"],
        }
    )
    with create_run(benchmark, tmp_path / "run") as journal:
        asyncio.run(play_run(journal, benchmark, {}, lambda name, hook, error: None))
    return tmp_path / "run"


def report(run, monkeypatch=None, **options):
    """A report, without the games if there is a ``monkeypatch`` to disable them with."""
    if monkeypatch:
        monkeypatch.setenv("ARENA_DISABLE", DIST)
    with Journal.open(run) as journal:
        return build([journal], catalog=Catalog(), **options)


def outcomes(found):
    """All tables of the metric of results."""
    return [table for section in found.sections if section.title == "Outcomes" for table in section.tables]


@pytest.mark.campaign
def test_without_the_games_all_results_are_there(run, monkeypatch):
    """Every number is what it is with them: results, and what random and optimal play earn."""
    whole, found = report(run), report(run, monkeypatch)

    assert outcomes(found) == outcomes(whole)
    assert found.facts[1] == whole.facts[1]
    assert found.verdict == whole.verdict
    assert found.failures == ()


@pytest.mark.slow
def test_what_needs_the_games_says_so_in_one_line_each(run, monkeypatch):
    """One line for the boards and one for each metric, however many games are missing."""
    assert report(run, monkeypatch).notes == (f"optimality needs {TAKES}",)
    assert report(run, monkeypatch, boards=True).notes == (f"boards need {TAKES}", f"optimality needs {TAKES}")


@pytest.fixture
def unstated(monkeypatch):
    """Games do not state what random play earns, so that it is played and kept."""
    for name in [*RANDOM_PLAY]:
        monkeypatch.delitem(RANDOM_PLAY, name)


def forget(run):
    """Take away what the journal says of its games, as in runs of before."""
    with Journal.open(run, write=True) as journal:
        journal.set_metadata(GAMES, None)


@pytest.mark.campaign
def test_an_older_run_has_everything_but_the_references(run, monkeypatch):
    """Who won is told by the returns; that one player's gain is another's loss is seen in them."""
    wins = {row[:6] for row in outcomes(report(run))[0].rows}
    forget(run)

    found = report(run, monkeypatch)

    assert {row[:6] for row in outcomes(found)[0].rows} == wins
    assert all(row[-1] is None for row in outcomes(found)[0].rows)
    assert [note for note in found.notes if "reference" in note] == [
        f"no random reference for {game!r}, since it needs {TAKES}" for game in ("ttt", "kuhn")
    ]


@pytest.mark.campaign
@pytest.mark.usefixtures("unstated")
def test_references_that_nobody_knows_yet_are_not_waited_for(run):
    """Without time for them there are none, and a sentence says how to get them; with time, they are kept."""
    forget(run)
    folder = references_folder()
    assert folder
    for path in folder.iterdir():
        path.unlink()

    found = report(run, seconds=0)
    assert "no random reference yet for 'ttt', 'kuhn'; `arena report RUN --full` plays them" in found.notes
    assert all(row[-1] is None for row in outcomes(found)[0].rows)
    assert list(folder.iterdir()) == []

    assert [note for note in report(run).notes if "reference" in note] == []
    assert len(list(folder.iterdir())) == 2
    assert all(row[-1].n == 400 for row in outcomes(report(run, seconds=0))[0].rows)


@pytest.mark.campaign
@pytest.mark.usefixtures("unstated")
def test_references_of_the_run_outlive_the_cache(run):
    """What the journal says is enough: nothing is played again, whatever became of the cache."""
    folder = references_folder()
    assert folder
    for path in folder.iterdir():
        path.unlink()

    found = report(run)

    assert all(row[-1].n == 400 for row in outcomes(found)[0].rows)
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("unstated")
def test_a_reference_of_few_matches_is_told(run, tmp_path):
    """Where the time was over, the number of matches is said, and the next report has more."""
    forget(run)
    agents = {"random": "random", "first": "first-legal"}
    benchmark = load_benchmark({"games": {"chess": "chess"}, "agents": agents, "metrics": []})
    games = {name: attrs.evolve(entry, plugins=()) for name, entry in benchmark.games.items()}
    told: list[str] = []

    found = baselines_of(games, told.append, seconds=1e-3)

    assert found["chess"].random_n == 1
    assert told == ["the random reference of 'chess' rests on 1 match so far"]


@pytest.mark.campaign
@pytest.mark.usefixtures("unstated")
def test_a_folder_that_takes_nothing_is_one_note(run, tmp_path, monkeypatch):
    """The report is whole, and says once that nothing can be kept."""
    forget(run)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    found = report(run)

    assert all(row[-1].n == 400 for row in outcomes(found)[0].rows)
    assert found.notes == (
        f"random references cannot be kept ({tmp_path}/file/arena/references: Not a directory), "
        "so every report plays them again",
    )


def test_what_the_journal_says_is_what_the_game_says(run):
    """The baselines that are read back are those that the installed games give."""
    with Journal.open(run) as journal:
        recorded = {name: each.baseline for name, each in recorded_games(journal).items()}
        benchmark = load_benchmark(journal.header.benchmark)

    assert recorded == baselines_of(benchmark.games)
    assert describe_games(benchmark.games).keys() == recorded.keys()
