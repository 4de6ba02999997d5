"""Whole runs through the command line, with a provider on the loopback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from arena.cli.group import group
from arena.journal import Journal
from arena.record import Ending
from click.testing import CliRunner, Result

ARENA = Path(sys.executable).parent / "arena"
CANARY = "sk-canary-0b7f43e1d2aa"


@pytest.fixture
def arena(tmp_path):
    """Runs ``arena`` in an empty directory."""

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(ARENA), *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def quick(provider, *more: object) -> list[object]:
    """tic-tac-toe between a hosted model and random play."""
    players = ["--game", "tic-tac-toe", "--agent", "openai/gpt-4o", "--agent", "random"]
    return ["run", *players, "--base-url", provider.address, "-o", "run", "-v", *more]


def assert_key_is_nowhere(done: subprocess.CompletedProcess[str], directory: Path, key: str) -> None:
    """Neither the streams nor any file of a run hold a key."""
    assert key not in done.stdout + done.stderr
    files = [path for path in directory.rglob("*") if path.is_file() and path.name != ".env"]
    assert files
    assert [path for path in files if key.encode() in path.read_bytes()] == []


def babble(call) -> None:
    """Answer with the key."""
    message = {"role": "assistant", "content": f"Your key is {call.key}."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    used = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    call.send(200, {"id": "1", "model": "gpt-4o", "choices": [choice], "usage": used})


def test_a_hosted_model_plays(arena, provider, tmp_path):
    """It plays to the end, its key in ``.env``; the journal holds its cost and all it said, but for the key it told."""
    (tmp_path / ".env").write_text(f"OPENAI_API_KEY={CANARY}\n")
    provider.key = CANARY
    provider.plan += [lambda call: call.fail(429, "slow down", Retry_After="0.01"), lambda call: call.drop(), babble]

    done = arena(*quick(provider, "-n", 2))

    assert done.returncode == 0, done.stderr
    with Journal.open(tmp_path / "run") as journal:
        records = list(journal.records())
        answers = [answer for record in records for answer in journal.answers(record.plan.id)]
    assert [record.ending for record in records] == [Ending.RULES] * 4
    assert len(answers) == len(provider.calls) - 2
    assert all(answer.cost_usd for answer in answers)
    assert any("Your key is [secret]." in answer.value for answer in answers)
    assert_key_is_nowhere(done, tmp_path / "run", CANARY)


def test_a_key_that_is_sent_back_is_shown_nowhere(arena, provider, tmp_path):
    """A server that repeats a wrong key fails the run in one sentence for each match, and the key is in no file."""
    provider.key = "another"

    done = arena(*quick(provider), OPENAI_API_KEY=CANARY)

    assert done.returncode == 1, done.stderr
    assert "refuses the key" in done.stderr
    assert "${OPENAI_API_KEY}" in done.stderr
    assert "Traceback" not in done.stderr
    assert {call.key for call in provider.calls} == {CANARY}
    assert_key_is_nowhere(done, tmp_path / "run", CANARY)


OWN = """
name: own
seed: 3
games: {ttt: tic-tac-toe}
agents:
  own:
    use: llm
    backend:
      use: litellm
      model: openai/my-model
      base-url: ADDRESS
      api-key: ${OWN_KEY}
      can: [schema, seed]
      prices: {input: 10, output: 20}
      extra: {top_k: 4}
  random: random
schedule: {use: round-robin, repeats: 1}
"""


@pytest.fixture
def own(provider, tmp_path, monkeypatch) -> Callable[..., Result]:
    """Runs the file above in this process."""
    monkeypatch.chdir(tmp_path)
    provider.key = CANARY
    Path("bench.yaml").write_text(OWN.replace("ADDRESS", provider.address))
    return lambda *arguments: CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", *arguments])


def test_a_file_names_server_key_and_prices(own, provider, tmp_path, monkeypatch):
    """A model on a server of one's own is played with and paid for as the file says."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own("-q")

    assert done.exit_code == 0, done.stderr
    assert all(call.body["top_k"] == 4 and "seed" in call.body for call in provider.calls)
    with Journal.open(tmp_path / "run") as journal:
        costs = [answer.cost_usd for record in journal.records() for answer in journal.answers(record.plan.id)]
    assert costs == pytest.approx([(100 * 10 + 5 * 20) / 1e6] * len(costs))


def test_the_money_is_counted_before_it_is_spent(own, provider):
    """A dry run estimates by the prices of the file and asks nobody."""
    done = own("--dry-run")

    assert done.exit_code == 0, done.stderr
    assert "$" in done.output
    assert provider.calls == []


def test_a_key_that_is_not_set_is_asked_for_before_the_run(own, tmp_path):
    """Nothing is written without it."""
    done = own()

    assert done.exit_code == 2
    assert "the environment variable OWN_KEY is not set" in done.stderr
    assert not (tmp_path / "run").exists()
