"""Whole runs through the command line, with a provider on the loopback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from arena.errors import ConfigError
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal, make_plugin, run as play_benchmark
from arena_engine.benchmark.yaml_data import read_value
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
    players = ["--game", "tic-tac-toe", "--agent", "litellm:openai/gpt-4o", "--agent", "random"]
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_key_that_is_sent_back_is_shown_nowhere(arena, provider, tmp_path):
    """A server that repeats a wrong key fails the run in one sentence, and the key is in no file and no stream."""
    provider.key = "another"

    done = arena(*quick(provider), OPENAI_API_KEY=CANARY)

    assert done.returncode == 1, done.stderr
    assert done.stderr.count("refuses the key") == 2, "when it happens, and as what came of the run"
    assert "${OPENAI_API_KEY}" in " ".join(done.stderr.split())
    assert "Traceback" not in " ".join(done.stderr.split())
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


@pytest.mark.campaign
def test_a_file_names_server_key_and_prices(own, provider, tmp_path, monkeypatch):
    """A model on a server of one's own is played with and paid for as the file says."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own("-q")

    assert done.exit_code == 0, done.stderr
    assert all(call.body["top_k"] == 4 and "seed" in call.body for call in provider.calls)
    with Journal.open(tmp_path / "run") as journal:
        costs = [answer.cost_usd for record in journal.records() for answer in journal.answers(record.plan.id)]
    assert costs == pytest.approx([(100 * 10 + 5 * 20) / 1e6] * len(costs))


@pytest.mark.slow
def test_the_money_is_counted_before_it_is_spent(own, provider):
    """A dry run estimates by the prices of the file and asks nobody."""
    done = own("--dry-run")

    assert done.exit_code == 0, done.stderr
    assert "$" in done.output
    assert provider.calls == []


@pytest.mark.slow
def test_a_key_that_is_not_set_is_asked_for_before_the_run(own, tmp_path):
    """Nothing is written without it."""
    done = own()

    assert done.exit_code == 2
    assert "the environment variable OWN_KEY is not set" in done.stderr
    assert not (tmp_path / "run").exists()


def failures(done: Result) -> list[str]:
    """What the command line says about matches that failed; nothing of it is a traceback."""
    assert done.exit_code == 1, done.stderr
    assert "Traceback" not in done.output
    said = done.stderr.replace("\n  ", " ")  # a long sentence is broken, and goes on further in
    return [line for line in said.splitlines() if " failed: " in line and not line.startswith("Doubts: ")]


def reject(call) -> None:
    """Answer that there is no such model."""
    call.fail(404, "The model does not exist", "model_not_found")


@pytest.mark.campaign
def test_a_wrong_key_stops_one_agent_until_it_is_mended(own, provider, tmp_path, monkeypatch):
    """One sentence and a call or two, however many matches; the others are played, and resuming plays the rest."""
    monkeypatch.setenv("OWN_KEY", "sk-wrong-0123456789")

    done = own("--set", "agents.other=first-legal", "--set", "schedule.repeats=20")

    (said,) = failures(done)
    assert said.startswith("80 matches failed: LiteLLM: ")
    assert "refuses the key (Incorrect API key provided: ${OWN_KEY}" in said
    assert said.endswith("correct ${OWN_KEY}")
    assert len(provider.calls) <= 16
    with Journal.open(tmp_path / "run") as journal:
        assert sum(ending.is_result for ending in journal.endings().values()) == 40

    monkeypatch.setenv("OWN_KEY", CANARY)
    resumed = CliRunner().invoke(group, ["resume", "run", "-q"])

    assert resumed.exit_code == 0, resumed.stderr
    with Journal.open(tmp_path / "run") as journal:
        assert {record.ending for record in journal.records()} == {Ending.RULES}
        assert len(list(journal.records())) == 120


@pytest.mark.campaign
def test_an_unknown_model_stops_its_matches(own, provider, monkeypatch):
    """The server's no to the first calls is one sentence, and nobody else asks."""
    monkeypatch.setenv("OWN_KEY", CANARY)
    provider.usually = reject

    done = own("--set", "schedule.repeats=30")

    (said,) = failures(done)
    assert "60 matches failed: " in said
    assert "knows no openai/my-model (The model does not exist); correct model or base-url" in said
    assert len(provider.calls) <= 16


CLOSED = ("--set", "agents.own.backend.base-url=http://127.0.0.1:9/v1")


@pytest.mark.campaign
def test_a_server_that_is_closed_is_found_before_the_run(own, monkeypatch, tmp_path):
    """One sentence names it, and nothing is written."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own(*CLOSED)

    assert done.exit_code == 2
    assert " ".join(done.stderr.split()) == (
        "arena: agents.own.backend: the server at http://127.0.0.1:9/v1 takes no connection (Connection refused); "
        "start it or correct base-url (--no-check begins all the same)"
    )
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_from_python_a_closed_server_is_found_before_the_run(own, monkeypatch, tmp_path):
    """``arena.run`` raises before it makes the run's directory; without the check it plays."""
    monkeypatch.setenv("OWN_KEY", CANARY)
    changes = (CLOSED[1], "agents.own.backend.max-attempts=1")

    with pytest.raises(ConfigError, match="takes no connection"):
        play_benchmark("bench.yaml", output="run", overrides=changes)

    assert not (tmp_path / "run").exists()
    assert play_benchmark("bench.yaml", output="run", overrides=changes, check=False).outcome.exit_status == 1


@pytest.mark.campaign
def test_a_server_that_closes_stops_its_matches(own, monkeypatch):
    """Where nobody listens any more the first matches try again, and no match after them does."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own(
        *("--no-check", *CLOSED),
        *("--set", "agents.own.backend.max-attempts=2", "--set", "schedule.repeats=50"),
    )

    (said,) = failures(done)
    assert "100 matches failed: " in said
    assert said.endswith(
        "http://127.0.0.1:9/v1 cannot be reached (Connection error); start the server or correct base-url (2 tries)"
    )


@pytest.mark.parametrize(("then", "ending"), [("forfeit", Ending.FORFEIT_FORMAT), ("random", Ending.RULES)])
@pytest.mark.slow
def test_a_prompt_that_is_too_long_is_recorded_and_the_policy_decides(
    own, provider, tmp_path, monkeypatch, then, ending
):
    """It is an answer in the journal, a refusal of its own kind in the match, and then what the benchmark says."""
    monkeypatch.setenv("OWN_KEY", CANARY)
    provider.usually = lambda call: call.fail(400, "maximum context length is 9 tokens", "context_length_exceeded")

    done = own("-q", "--set", f"illegal-actions={{retries: 1, then: {then}}}")

    assert done.exit_code == 0, done.stderr
    with Journal.open(tmp_path / "run") as journal:
        records = list(journal.records())
        answers = [answer for record in records for answer in journal.answers(record.plan.id)]
    assert {record.ending for record in records} == {ending}
    refused = [event.data["kind"] for record in records for event in record.events if event.kind == "refused"]
    assert refused == ["too-long"] * len(answers)
    assert len(answers) == len(provider.calls) >= 2


@pytest.mark.slow
def test_money_cannot_bound_what_has_no_price(own, provider, tmp_path, monkeypatch):
    """A budget in money asks for prices, or for a budget in tokens, before anything is written."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own("--set", "agents.own.backend.prices=null", "--set", "limits.budget-usd=1")

    assert done.exit_code == 2
    assert " ".join(done.stderr.split()) == (
        "arena: bench.yaml:8: agents.own.backend: nobody knows its price, which limits.budget-usd needs; "
        "give its prices, or set limits.budget-tokens instead"
    )
    assert not (tmp_path / "run").exists()
    tokens = ("--set", "agents.own.backend.prices=null", "--set", "agents.own.backend.max-tokens=20")
    assert own("-q", *tokens, "--set", "limits.budget-tokens=2000").exit_code == 3
    assert len(provider.calls) >= 2


@pytest.mark.slow
def test_a_missing_key_of_a_known_provider_is_found_before_the_run(own, monkeypatch, tmp_path):
    """One sentence names the variable the provider is known to need, and nothing is written."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own("--set", "agents.own.backend={use: litellm, model: openai/gpt-4o}")

    assert done.exit_code == 2
    assert " ".join(done.stderr.split()) == (
        "arena: agents.own.backend: no key for openai/gpt-4o: the environment does not hold OPENAI_API_KEY; "
        "set it or put it into .env (--no-check begins all the same)"
    )
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "settings",
    ["model: openai/gpt-4o, api-key: '${OWN_KEY}'", "model: bedrock/amazon.nova-lite-v1:0", "model: ollama/llama3"],
    ids=["a key of one's own", "a login", "no key at all"],
)
@pytest.mark.slow
def test_a_provider_that_may_do_without_a_variable_is_not_refused(settings, monkeypatch):
    """A key in the file, a profile of the machine or a server without keys are no reason to stop."""
    monkeypatch.setenv("OWN_KEY", CANARY)
    benchmark = f"{{use: litellm, {settings}}}"

    backend = make_plugin("backend", read_value(benchmark, "here"))

    assert list(backend.obstacles()) == []


@pytest.mark.slow
def test_a_missing_key_is_one_sentence_without_the_check(own, monkeypatch):
    """The variable is named once, however many matches there are."""
    monkeypatch.setenv("OWN_KEY", CANARY)

    done = own(
        *("--no-check", "--set", "agents.own.backend={use: litellm, model: openai/gpt-4o}"),
        *("--set", "schedule.repeats=20"),
    )

    (said,) = failures(done)
    assert said == (
        "40 matches failed: LiteLLM: no key for openai/gpt-4o: "
        "the environment does not hold OPENAI_API_KEY; set it or put it into .env"
    )
