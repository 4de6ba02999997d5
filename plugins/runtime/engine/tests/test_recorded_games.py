"""A journal says what its games are, so that the run can be read where they are not installed."""

import asyncio

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import JournalError
from arena.installing import install_line
from arena_engine import Journal, load_benchmark, recorded_games
from arena_engine.benchmark.recorded_benchmark import open_parts
from arena_engine.execution.runner import create_run, extend_run, play_run, resume_run
from arena_engine.references.recorded_games import GAMES, MOST_CHARACTERS, event_key, event_words


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def plain(*games: str) -> dict:
    return {
        "games": {game: game for game in games},
        "agents": {"random": "random", "first": "first-legal"},
        "schedule": {"use": "round-robin", "repeats": 1},
        "metrics": [],
    }


def played(journal, benchmark):
    """What the journal of a run says of its games once the run has been played."""
    asyncio.run(play_run(journal, benchmark, {}, lambda name, hook, error: None))
    return recorded_games(journal)


def test_a_run_begins_with_what_its_games_are(tmp_path):
    """Facts, seats, random and optimal play are in the journal, and words of events."""
    benchmark = load_benchmark(plain("tic-tac-toe", "kuhn-poker"))
    with create_run(benchmark, tmp_path / "run") as journal:
        found = played(journal, benchmark)

    game = found["tic-tac-toe"]
    assert (game.title, game.players, game.is_enough) == ("Tic-tac-toe", 2, True)
    assert (game.baseline.random_n, game.baseline.seats, game.baseline.optimal) == (0, ("X", "O"), (0.0, 0.0))
    assert game.baseline.random == benchmark.games["tic-tac-toe"].game.facts(2).random.returns
    assert game.baseline.random_source == "all matches enumerated"
    assert game.baseline.has_winners
    moved = {"action": 4, "label": "row 2, column 2", "player": 0}
    assert game.words[event_key("moved", moved)] == "X: row 2, column 2"
    assert found["kuhn-poker"].baseline.return_unit == benchmark.games["kuhn-poker"].game.facts(2).return_unit


@pytest.mark.slow
def test_new_games_of_a_run_are_described_too(tmp_path):
    """Where a run is extended, and where it was begun by an Arena that wrote nothing of games."""
    benchmark = load_benchmark(plain("tic-tac-toe"))
    with create_run(benchmark, tmp_path / "run") as journal:
        assert list(played(journal, benchmark)) == ["tic-tac-toe"]
        journal.set_metadata(GAMES, {})
    with resume_run(tmp_path / "run", Catalog())[0] as journal:
        assert list(played(journal, benchmark)) == ["tic-tac-toe"]

    benchmark = load_benchmark(plain("tic-tac-toe", "kuhn-poker"))
    with extend_run(tmp_path / "run", benchmark) as journal:
        assert list(played(journal, benchmark)) == ["tic-tac-toe", "kuhn-poker"]


def test_an_older_run_says_nothing_of_its_games(tmp_path):
    """That is no error."""
    with create_run(load_benchmark(plain("tic-tac-toe")), tmp_path / "run") as journal:
        journal.set_metadata(GAMES, None)

        assert recorded_games(journal) == {}


GOOD = {"title": "G", "players": 2, "seats": ["a", "b"], "facts": {}, "random": None, "digest": None, "words": {}}
RANDOM = {"returns": [0, 0], "errors": [0, 0], "n": 4, "wins": [0, 0], "draws": 1, "turns": 2, "is_enough": True}


@pytest.mark.sample(fast=11)
@pytest.mark.parametrize(
    "said",
    [
        [GOOD],
        "text",
        {"g": None},
        {"g": {**GOOD, "players": 3}},
        {"g": {**GOOD, "players": 0, "seats": []}},
        {"g": {**GOOD, "seats": [1, 2]}},
        {"g": {**GOOD, "facts": {"returns": "zero"}}},
        {"g": {**GOOD, "facts": {"max_return": "high"}}},
        {"g": {**GOOD, "words": {"k": 1}}},
        {"g": {**GOOD, "words": []}},
        {"g": {**GOOD, "random": {**RANDOM, "returns": [0]}}},
        {"g": {**GOOD, "random": {**RANDOM, "n": "many"}}},
        {"g": {key: value for key, value in GOOD.items() if key != "digest"}},
    ],
)
def test_what_is_no_description_is_one_error(tmp_path, said):
    """A journal may come from anybody."""
    with create_run(load_benchmark(plain("tic-tac-toe")), tmp_path / "run") as journal:
        journal.set_metadata(GAMES, {"g": {**GOOD, "random": RANDOM, "facts": {"later": 1}}})
        assert recorded_games(journal)["g"].baseline.random_n == 4

        journal.set_metadata(GAMES, said)
        with pytest.raises(JournalError, match="of another shape"):
            recorded_games(journal)


def test_words_are_bounded():
    """A game of endless talk fills no journal, and without time there are no words."""
    game = load_benchmark(plain("chess")).games["chess"].game

    found = event_words(game, 2, 60.0)

    assert 100 < len(found) <= 300
    assert sum(len(key) + len(words) for key, words in found.items()) <= MOST_CHARACTERS
    assert len(event_words(game, 2, 0.0)) <= 1


def test_what_an_absent_game_takes_is_said(tmp_path, monkeypatch):
    """It is installed and switched off, or not installed at all; the distribution is that of the run."""
    create_run(load_benchmark(plain("tic-tac-toe")), tmp_path / "run").close()

    dist = "playarena-game-openspiel"
    monkeypatch.setenv("ARENA_DISABLE", dist)
    with Journal.open(tmp_path / "run") as journal:
        assert open_parts(journal).absent == {
            "tic-tac-toe": f"{dist}, which is disabled: take {dist!r} out of ARENA_DISABLE"
        }
        provenance = tuple({**each, "dist": "acme-games"} for each in journal.header.provenance)
        journal.header = attrs.evolve(journal.header, provenance=provenance)
        assert open_parts(journal).absent == {
            "tic-tac-toe": f"acme-games, which is not installed: {install_line('acme-games')}"
        }
