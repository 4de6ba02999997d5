"""What is shipped for authors' tests: fixtures, golden playthroughs, and nothing that slows pytest down."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import attrs
import pytest
from arena.agent import Agent
from arena.backend import CompletionRequest, Message
from arena.catalog import Catalog
from arena.errors import BackendError
from arena.record import Player
from arena.testing import RANDOM, check_backend, golden_playthrough, sample_records
from arena_engine.benchmark.benchmark import build_benchmark
from arena_report.formats.exports import jsonl

from .games_cards import KuhnPoker
from .games_together import RockPaperScissors

GOLDEN = """\
KuhnPoker(), seed 3, 2 players: player 1, player 2

  RULES

start
  player 1: dealt "king"
      dealt: "king"
  player 2: dealt "queen"
      dealt: "queen"

wave 1
  player 1 sees
      {"bids":[],"cards":{"0":"king"}}
  player 1 does "bet" ("bet")
  everybody: bid [0,"bet"]
      bid: [0,"bet"]

wave 2
  player 2 sees
      {"bids":["bet"],"cards":{"1":"queen"}}
  player 2 does "call" ("call")
  everybody: bid [1,"call"]
      bid: [1,"call"]
  everybody: shown ["king","queen"]
      shown: ["king","queen"]

over after 2 waves
  player 1 earns 2
  player 2 earns -2
"""


def test_golden_playthrough_says_who_saw_what():
    """A playthrough names for each event who saw it, what those to act saw, and what everybody earned."""
    assert golden_playthrough(KuhnPoker(), seed=3) == GOLDEN.replace("RULES", KuhnPoker().rules)


def test_golden_playthrough_can_be_short():
    """A playthrough of a long game can be cut."""
    assert golden_playthrough(RockPaperScissors(), steps=1).endswith("\nnot over after 1 waves\n")


def test_playout_fixture(playout):
    """``playout`` plays a random match to its end, or as far as it is wanted."""
    assert playout(KuhnPoker()).is_over
    assert len(playout(RockPaperScissors(), steps=2).steps) == 2


def test_chance_fixture(chance):
    """``chance`` makes luck of a seed."""
    state, _ = KuhnPoker().start(chance(1), 2)

    assert state.to_act() == (Player(0),)


def test_run_dir_fixture(run_dir, play):
    """``play`` writes its journal into ``run_dir``."""
    play(KuhnPoker(), [RANDOM, RANDOM])

    assert [file.name for file in run_dir.glob("*.sqlite")] == ["journal.sqlite"]


def test_journal_fixture(journal, tmp_path):
    """``journal`` writes a run with every ending there is, or with the matches it is given; several side by side."""
    every, one = journal(), journal(sample_records()[:1], directory=tmp_path / "one")

    assert tuple(every.records()) == sample_records()
    assert len(list(jsonl(one.records()))) == 1


async def test_empty_journal_fixture(journal):
    """A test that is a coroutine gets an empty journal, which it can write into."""
    made = journal(())
    made.set_metadata("weather", "rain")
    await made.flush()

    assert made.metadata("weather") == "rain"
    assert made.planned() == 0


async def test_scripted_backend_fixture(scripted_backend):
    """``scripted_backend`` answers in turn and round again, raises errors, and keeps what it was asked."""
    backend = scripted_backend("yes", BackendError("busy"))
    requests = [CompletionRequest(messages=(Message.of("user", text),)) for text in ("one", "two", "three")]
    connection = await backend.connect()

    first = await connection.complete(requests[0])
    with pytest.raises(BackendError, match="busy"):
        await connection.complete(requests[1])
    third = await connection.complete(requests[2])

    assert (first.text, third.text) == ("yes", "yes")
    assert backend.requests == requests


def test_scripted_backend_keeps_the_contract(scripted_backend):
    """What stands in for a model in tests passes the check of every backend."""
    assert check_backend(scripted_backend("one two three four five")).completions == 9


@attrs.frozen
class Poker(KuhnPoker):
    """Poker with a parameter."""

    stake: int = attrs.field(default=1, metadata={"help": "coins in the pot"})


@attrs.frozen
class Idle(Agent):
    """An agent of this test's own."""

    def join(self, seat):
        return RANDOM.join(seat)


def test_installed_plugin_fixture(installed_plugin):
    """A class of the test's own is found by its name, with the defaults and the line that are given."""
    installed_plugin("agent", "my-idle", Idle)
    installed_plugin("game", "my-poker", Poker, summary="as a test needs it", preset={"stake": 3})
    games = {"dear": "my-poker", "cheap": {"use": "my-poker", "stake": 1}}

    made = build_benchmark({"games": games, "agents": {"idle": "my-idle"}, "schedule": "self-play"}, Catalog())

    assert [entry.game for entry in made.games.values()] == [Poker(stake=3), Poker(stake=1)]
    assert Catalog().get("game", "my-poker").summary == "as a test needs it"


def test_installed_plugin_is_gone_after_its_test(tmp_path):
    """Nothing of an installed plugin is left when the test that installed it is over."""
    from arena_testing.fixtures.distributions import installed

    with installed(tmp_path) as site:
        site.add_plugin("game", "my-poker", Poker)
        assert Catalog().has("game", "my-poker")

    assert not Catalog().has("game", "my-poker")
    assert "test_game_my_poker" not in sys.modules


@pytest.mark.campaign
def test_installed_plugin_is_gone_where_the_search_path_changes(tmp_path):
    """A test that prepends to the search path once a plugin is installed leaves nothing behind either."""
    (tmp_path / "test_two.py").write_text("""
from arena.catalog import Catalog

class Own:
    pass

def test_one(installed_plugin, monkeypatch, tmp_path):
    installed_plugin("game", "my-own", Own)
    monkeypatch.syspath_prepend(tmp_path)
    assert Catalog().has("game", "my-own")

def test_two():
    assert not Catalog().has("game", "my-own")
""")

    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "test_two.py"], cwd=tmp_path, capture_output=True)

    assert ended.returncode == 0, ended.stdout.decode()


def test_plugin_imports_nothing_heavy():
    """The pytest plugin is loaded in every run of pytest and brings nothing of Arena along."""
    program = (
        "import sys, pytest; before = set(sys.modules); import arena_testing.pytest_plugin; "
        "print(sorted(n for n in set(sys.modules) - before if not n.startswith('_')))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert set(eval(found)) <= {"arena_testing", "arena_testing.pytest_plugin", "importlib.metadata"}


def test_model_is_asked_over_http(model_server):
    """A model behind a server answers who has its key, refuses others in words, and waits once it has answered some."""
    model = model_server(lambda body: body["messages"][-1]["content"].upper(), key="sk-1", free=1)

    answers = [asked(model.address, key) for key in ("sk-2", "sk-1")]
    waiting = ThreadPoolExecutor().submit(asked, model.address, "sk-1")
    before = waiting.done(), len(model.requests)
    model.released.set()

    assert "Incorrect API key provided: sk-2" in answers[0]["error"]["message"]
    assert answers[1]["choices"][0]["message"]["content"] == "HELLO"
    assert before == (False, 2)
    assert waiting.result() == answers[1]
    assert len(model.requests) == 3


def asked(address, key):
    """What a model says to a greeting."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hello"}]}).encode()
    request = Request(f"{address}/chat/completions", body, {"Authorization": f"Bearer {key}"})
    try:
        with urlopen(request) as answer:
            return json.loads(answer.read())
    except HTTPError as error:
        return json.loads(error.read())
