"""Whole runs through the command line, with a server on the loopback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from click.testing import CliRunner, Result

CANARY = "sk-canary-71c2ee40a9bd"
FILE = """
name: own
seed: 3
games: {ttt: tic-tac-toe}
agents:
  own:
    use: llm
    backend:
      use: openai-compatible
      model: m
      base-url: ADDRESS
      api-key: ${OWN_KEY}
      prices: {input: 10, output: 20}
      cache-prompt: true
      concurrency: 4
  random: random
schedule: {use: round-robin, repeats: 3}
"""


@pytest.fixture
def own(server, tmp_path, monkeypatch) -> Callable[..., Result]:
    """Runs the file above in this process."""
    monkeypatch.setenv("OWN_KEY", CANARY)
    server.key = CANARY
    Path("bench.yaml").write_text(FILE.replace("ADDRESS", server.address))
    return lambda *arguments: CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", *arguments])


def files_with(text: str, directory: Path) -> list[Path]:
    """The files of a run that hold a text; there are some to look into."""
    files = [path for path in directory.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes()]


def test_a_file_is_played_and_paid_for_as_it_says(own, server, tmp_path):
    """Answers are forced by the schema, the cost is in the journal, each player of a match has a key for the cache."""
    server.plan.append(lambda call: call.says(json.dumps({"reasoning": f"My key is {call.key}.", "action": "x"})))

    done = own("-q")

    assert done.exit_code == 0, done.stderr
    assert all("response_format" in call.body and "seed" in call.body for call in server.calls)
    with Journal.open(tmp_path / "run") as journal:
        records = list(journal.records())
        answers = [answer for record in records for answer in journal.answers(record.plan.id)]
    assert [record.ending for record in records] == [Ending.RULES] * 6
    assert len(answers) == len(server.calls)
    assert {round(answer.cost_usd or 0, 9) for answer in answers} == {(100 * 10 + 5 * 20) / 1e6}
    assert len({call.body["prompt_cache_key"] for call in server.calls}) == 6
    assert any("My key is [secret]." in answer.value for answer in answers)
    assert files_with(CANARY, tmp_path / "run") == []


def test_a_streamed_run_is_the_same_run(own, server, tmp_path):
    """Matches are the same with and without; in the journal each streamed answer has the time to its first token."""
    streamed = own("-q", "--set", "agents.own.backend.stream=true")
    plain = CliRunner().invoke(group, ["run", "bench.yaml", "-o", "plain", "-q"])

    assert (streamed.exit_code, plain.exit_code) == (0, 0), streamed.stderr + plain.stderr
    events, hashes, waited = [], [], []
    for name in ("run", "plain"):
        with Journal.open(tmp_path / name) as journal:
            records = list(journal.records())
            answers = [answer for record in records for answer in journal.answers(record.plan.id)]
        events.append({record.plan.id: record.events for record in records})
        hashes.append(sorted(answer.request_hash for answer in answers))
        waited.append({"first_token_s" in json.loads(answer.value) for answer in answers})
    assert events[0] == events[1]
    assert hashes[0] == hashes[1]
    assert waited == [{True}, {False}]


def test_a_quota_that_is_used_up_stops_the_run_as_a_cap_does(own, server, tmp_path):
    """No match fails, what was in flight is kept, and resuming asks for nothing that was answered."""
    spent = [lambda call: call.fail(429, f"No quota for {call.key}", "insufficient_quota")]
    server.plan = [server.usually] * 5 + spent * 20

    done = own("-q", "--set", "limits.concurrency=4")

    said = " ".join(done.stderr.split())
    assert done.exit_code == 3, done.stderr
    assert "the account of ${OWN_KEY} has no credit left for m" in said
    assert "No quota for ${OWN_KEY}" in said
    assert CANARY not in said
    assert len(server.calls) <= 5 + 4
    with Journal.open(tmp_path / "run") as journal:
        assert all(ending.is_result for ending in journal.endings().values())
        kept = {(match, scope) for match in {p.id for p in journal.plans()} for scope in journal.recorded(match)}
    assert len(kept) == 5

    server.plan = []
    asked = len(server.calls)
    resumed = CliRunner().invoke(group, ["resume", "run", "-q"])

    assert resumed.exit_code == 0, resumed.stderr
    with Journal.open(tmp_path / "run") as journal:
        records = list(journal.records())
        answers = [answer for record in records for answer in journal.answers(record.plan.id)]
    assert [record.ending for record in records] == [Ending.RULES] * 6
    assert len(answers) == 5 + len(server.calls) - asked
    assert files_with(CANARY, tmp_path / "run") == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "base-url=http://127.0.0.1:9/v1/chat/completions",
            "expected the address before /chat/completions, which is added; write 'http://127.0.0.1:9/v1'",
        ),
        ("schema=xml", "xml"),
        ("base-url=http://me:hunter22@127.0.0.1:9/v1", "a credential is written out"),
        ("api-key=sk-1234567890", "${"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence(own, server, tmp_path, change, said):
    """Nothing is asked or written, and the exit code is 2."""
    done = own("--set", f"agents.own.backend.{change}")

    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert "hunter22" not in done.stderr
    assert server.calls == []
    assert not (tmp_path / "run").exists()


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("agent", ["openai/gpt-4o", "hosted_vllm/gpt-4o", "gpt-4o"])
def test_a_model_by_name_is_asked_directly(server, tmp_path, agent):
    """With an address, the server's own name of the model is sent, without what names the protocol."""
    players = ["--game", "tic-tac-toe", "--agent", agent, "--agent", "random"]

    done = CliRunner().invoke(group, ["run", *players, "--base-url", server.address, "-q", "-o", "run"])

    assert done.exit_code == 0, done.stderr
    assert {call.body["model"] for call in server.calls} == {"gpt-4o"}
    with Journal.open(tmp_path / "run") as journal:
        assert "playarena-backend-openai-compatible" in str(journal.header)


def test_a_key_that_is_missing_is_found_before_the_run(own, tmp_path):
    """The variable of a known provider is named."""
    done = own("--set", "agents.own.backend={use: openai-compatible, model: gpt-4o}")

    assert done.exit_code == 2
    assert " ".join(done.stderr.split()) == (
        "arena: agents.own.backend: no key for gpt-4o: the environment does not hold OPENAI_API_KEY; "
        "set it or put it into .env (--no-check begins all the same)"
    )
    assert not (tmp_path / "run").exists()


def test_a_key_in_a_file_is_found(server, tmp_path):
    """``.env`` in the working directory holds keys, too."""
    (tmp_path / ".env").write_text(f"KEY_IN_FILE={CANARY}\n")
    server.key = CANARY
    Path("bench.yaml").write_text(FILE.replace("ADDRESS", server.address).replace("OWN_KEY", "KEY_IN_FILE"))

    done = CliRunner().invoke(group, ["check-agents", "bench.yaml"])

    assert done.exit_code == 0, done.output
    assert {call.key for call in server.calls} == {CANARY}
