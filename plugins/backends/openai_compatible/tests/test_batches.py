"""Whole runs that ask in batches, with a server on the loopback that speaks OpenAI's protocol or Anthropic's."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from arena_testing.fixtures.batch_server import BatchServer, serving_batches
from click.testing import CliRunner, Result

CANARY = "sk-canary-5b2d61c07f"
PAGE = next(p for p in Path(__file__).parents if (p / "docs" / "servers.md").is_file()) / "docs" / "servers.md"
BLOCKS = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)]
QUICK = {"batch": True, "batch-collect-s": 0.05, "batch-poll-s": 0.02, "api-key": "${BATCH_KEY}", "max-attempts": 3}
WAYS = {
    "openai": {"use": "openai-compatible", "model": "m"},
    "anthropic": {"use": "litellm", "model": "anthropic/claude-sonnet-4-5"},
}


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with serving_batches() as found:
        found.answer = answer
        found.looks = 0
        yield found


def schema_of(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """What forces an answer, as OpenAI's protocol has it or Anthropic's."""
    if form := body.get("response_format"):
        return form["json_schema"]["schema"]
    return body["output_format"]["schema"]


def answer(body: Mapping[str, Any]) -> str:
    fields = schema_of(body)["properties"]
    return json.dumps({name: each["enum"][0] if "enum" in each else "so" for name, each in fields.items()})


@pytest.fixture(params=WAYS)
def way(request) -> str:
    return request.param


@pytest.fixture
def run(server, way, monkeypatch) -> Callable[..., Result]:
    """Runs three matches of tic-tac-toe in this process; keywords are more settings of the backend."""
    monkeypatch.setenv("BATCH_KEY", CANARY)

    def play(*arguments: str, **more: Any) -> Result:
        address = server.address if way == "openai" else server.host
        backend = {**WAYS[way], "base-url": address, "prices": {"input": 10, "output": 20}, **QUICK, **more}
        agents = {"own": {"use": "llm", "backend": backend}, "other": "first-legal"}
        games = {"games": {"ttt": "tic-tac-toe"}, "agents": agents, "seed": 3, "name": "batches"}
        schedule = {"schedule": {"use": "round-robin", "repeats": 3, "rotate-seats": False}}
        Path("bench.yaml").write_text(yaml.safe_dump({**games, **schedule}))
        return CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", *arguments])

    return play


def endings() -> list[Ending]:
    with Journal.open(Path("run")) as journal:
        return [record.ending for record in journal.records()]


def test_matches_share_batches_at_half_the_price(run, server, way):
    """Each turn of three matches is one batch, the key goes along, and the cost is half of what the prices say."""
    done = run("-q")

    assert done.exit_code == 0, done.output
    assert [len(made.lines) for made in server.batches] == [3] * len(server.batches)
    assert all(CANARY in key for key in server.keys)
    assert not any("stream" in body for made in server.batches for body in made.lines.values())
    with Journal.open(Path("run")) as journal:
        totals = journal.totals()
    calls = sum(len(made.lines) for made in server.batches)
    assert (totals.calls, totals.prompt_tokens, totals.completion_tokens) == (calls, 100 * calls, 5 * calls)
    assert totals.cost_usd == pytest.approx(calls * (100 * 10 + 5 * 20) / 1e6 / 2)
    assert not any(CANARY.encode() in path.read_bytes() for path in Path("run").rglob("*") if path.is_file())


def test_a_line_that_expires_is_asked_again_alone(run, server):
    """Of a batch that expires in part, only the lines without an answer are asked again."""
    server.answer = lambda body: None if len(server.batches) == 1 and body is last(server) else answer(body)

    done = run("-q")

    assert done.exit_code == 0, done.output
    assert set(endings()) == {Ending.RULES}
    with Journal.open(Path("run")) as journal:
        assert sum(len(made.lines) for made in server.batches) == journal.totals().calls + 1


def last(server: BatchServer) -> Mapping[str, Any]:
    return [*server.batches[0].lines.values()][-1]


REFUSALS = {
    "openai": {"message": "Unrecognized request argument supplied: seed", "type": "invalid_request_error"},
    "anthropic": {"message": "temperature: this model does not support it", "type": "invalid_request_error"},
}


def test_a_refused_parameter_is_learned_for_the_next_batch(run, server, way):
    """Lines that are refused for a parameter are asked without it, and no match ends for it."""
    name = "seed" if way == "openai" else "temperature"

    def refuses(body: Mapping[str, Any]) -> Any:
        return (400, {"error": REFUSALS[way]} if way == "openai" else REFUSALS[way]) if name in body else answer(body)

    server.answer = refuses
    done = run("-q", temperature=0.5)

    assert done.exit_code == 0, done.output
    assert set(endings()) == {Ending.RULES}
    assert [name in body for body in server.batches[0].lines.values()] == [True] * 3
    assert not any(name in body for made in server.batches[1:] for body in made.lines.values())


TOO_LONG = {
    "openai": {"message": "This model's maximum context length is 10 tokens", "code": "context_length_exceeded"},
    "anthropic": {"message": "prompt is too long: 12 tokens > 10 maximum", "type": "invalid_request_error"},
}


def test_a_prompt_that_is_too_long_is_the_players(run, server, way):
    """A line that is refused for its length ends its match as it would have ended it alone."""
    error = TOO_LONG[way]
    server.answer = lambda body: (400, {"error": error} if way == "openai" else error)

    done = run("-q")

    assert done.exit_code in (0, 1), done.output
    assert set(endings()) == {Ending.FORFEIT_FORMAT}
    assert len(server.batches) == 4  # the tries of one turn


def test_a_server_without_batches_is_told_before_anything_is_paid(run, server):
    """Where the server has no such endpoint, nothing is sent to a model, and one sentence says what to do."""
    server.fault = lambda method, path: (404, {"detail": "Not Found"})

    done = run()

    assert done.exit_code == 2
    assert "has no endpoint for batches (status 404); leave out batch: true" in " ".join(done.output.split())
    assert server.batches == []


@pytest.mark.parametrize("status", [404, 405])
@pytest.mark.parametrize("way", ["openai"], indirect=True)
def test_a_server_that_takes_no_files_is_told_before_anything_is_paid(run, server, status):
    """OpenAI's batches are files: a server that has batches and takes no files is told in one sentence."""
    server.fault = lambda method, path: (status, {"detail": "no"}) if path == "/v1/files" else None

    done = run()

    said = " ".join(done.output.split())
    assert done.exit_code == 2, said
    assert f"has no endpoint /files, in which it would get a batch (status {status}); leave out batch: true" in said
    assert server.batches == []


@pytest.mark.parametrize("way", ["openai"], indirect=True)
def test_a_server_that_lists_no_files_may_take_them(run, server):
    """Where files are taken and not listed, the run is played."""
    server.fault = lambda method, path: (405, {"detail": "no"}) if (method, path) == ("GET", "/v1/files") else None

    done = run("-q")

    assert done.exit_code == 0, done.output
    assert server.batches


@pytest.mark.parametrize("code", ["billing_hard_limit_reached", "insufficient_quota"])
@pytest.mark.parametrize("way", ["openai"], indirect=True)
def test_an_empty_account_stops_the_run(run, server, code):
    """A batch that fails as a whole for want of credit stops the run as at a cap, and a resumed run pays once."""
    failure = {"code": code, "message": "Billing hard limit has been reached.", "line": None, "param": None}
    server.failure = lambda: failure if server.batches else None

    done = run()

    said = " ".join(done.output.split())
    assert done.exit_code == 3, said
    assert "the account of ${BATCH_KEY} has no credit left" in said
    assert "and resume" in said
    assert len(server.batches) == 1
    with Journal.open(Path("run")) as journal:
        assert (journal.totals().calls, journal.sent_batches()) == (0, [])
    server.failure = lambda: None
    server.batches.clear()
    again = CliRunner().invoke(group, ["resume", "run", "-q"])
    assert again.exit_code == 0, again.output
    with Journal.open(Path("run")) as journal:
        assert journal.totals().calls == sum(len(made.lines) for made in server.batches)


@pytest.mark.parametrize("way", ["openai"], indirect=True)
def test_a_full_queue_is_waited_for(run, server):
    """A batch that has no room among those that wait is sent again, whole, and no match ends for it."""
    full = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m. Limit: 90,000 tokens."}
    server.failure = lambda: full if len(server.batches) < 3 else None

    done = run("-q")

    assert done.exit_code == 0, done.output
    assert set(endings()) == {Ending.RULES}
    assert [len(made.lines) for made in server.batches[:3]] == [3, 3, 3]
    with Journal.open(Path("run")) as journal:
        assert journal.totals().calls == sum(len(made.lines) for made in server.batches[2:])


WRONG = {
    "too long": ({"batch-collect-s": 86_401}, "batch-collect-s: expected 0 to 86400 seconds (a day), got 86401"),
    "before": ({"batch-collect-s": -1}, "batch-collect-s: expected 0 to 86400 seconds (a day), got -1"),
    "days": ({"batch-poll-s": 86_401}, "batch-poll-s: expected 1 to 86400 seconds, got 86401"),
    "not at all": ({"batch-poll-s": 0}, "batch-poll-s: expected 1 to 86400 seconds, got 0"),
    "too often": (
        {"batch-poll-s": 0.5, "base-url": "https://models.example.org/v1"},
        "batch-poll-s: expected 1 to 86400 seconds, got 0.5",
    ),
    "no batch": (
        {"batch": False, "batch-poll-s": 30},
        "batch-collect-s: only requests in batches have it; write batch",
    ),
    "nor a look": (
        {"batch": False, "batch-collect-s": 10},
        "batch-poll-s: only requests in batches have it; write batch",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_settings_that_make_no_sense_are_told_before_the_start(run, server, case):
    """Times out of their bounds, and times of batches without batches, are one sentence each."""
    more, told = WRONG[case]

    done = run(**more)

    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert server.paths == []


def test_check_agents_asks_directly(run, server, way):
    """The command says that it pays the price of single calls, and its bound counts with it."""
    run("--dry-run")
    plain = Path("bench.yaml").read_text()
    dear = CliRunner().invoke(group, ["check-agents", "bench.yaml", "--at-most", "0.000001"])
    alone = yaml.safe_load(plain)
    for name in ("batch", "batch-collect-s", "batch-poll-s"):
        del alone["agents"]["own"]["backend"][name]
    Path("bench.yaml").write_text(yaml.safe_dump(alone))
    single = CliRunner().invoke(group, ["check-agents", "bench.yaml", "--at-most", "0.000001"])
    Path("bench.yaml").write_text(plain)
    done = CliRunner().invoke(group, ["check-agents", "bench.yaml"])

    assert dear.output == single.output  # the same sum, which is more than that
    assert "this asks directly and pays the full price, twice that of a batch" in " ".join(done.output.split())
    assert server.batches == []


def test_a_refused_key_is_told_before_anything_is_paid(run, server):
    """The list of batches is asked for with the key."""
    server.fault = lambda method, path: (401, {"error": {"message": "invalid x-api-key", "type": "auth"}})

    done = run()

    assert done.exit_code == 2
    assert "refuses the key" in " ".join(done.output.split())
    assert server.batches == []


def test_the_dry_run_tells_how_many_batches(run, server):
    """What waiting costs is said beforehand, and nothing is sent for it."""
    done = run("--dry-run")

    said = " ".join(done.output.split())
    assert re.search(r"batches: own in [\d.]+ \(\d to \d+\) batches one after another, at half the price", said)
    assert "`prices` are those of single calls; the money here is half of it" in said
    assert server.paths == []


@pytest.mark.parametrize("executor", [{"use": "processes", "workers": 2}])
@pytest.mark.slow
def test_workers_share_batches(run, server, executor, way):
    """Matches in several processes are lines of the same batches."""
    run("--dry-run")
    plain = yaml.safe_load(Path("bench.yaml").read_text())
    Path("bench.yaml").write_text(yaml.safe_dump({**plain, "executor": executor}))

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", "-q"])

    assert done.exit_code == 0, done.output
    assert max(len(made.lines) for made in server.batches) == 3


def test_a_stream_is_no_batch(server):
    """Two settings that exclude each other are told as a mistake of the file."""
    backend = {**WAYS["openai"], "base-url": server.address, "batch": True, "stream": True}
    agents = {"own": {"use": "llm", "backend": backend}, "other": "random"}
    plain = {"name": "b", "games": {"t": "tic-tac-toe"}, "agents": agents, "schedule": {"use": "round-robin"}}
    Path("bench.yaml").write_text(yaml.safe_dump(plain))

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run"])

    assert done.exit_code == 2
    assert "leave out stream: true" in done.output


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.get("batch")], ids=lambda block: block["use"])
def test_blocks_of_the_page_play(server, block, monkeypatch):
    """The page's own lines play a match, with the address of this server."""
    monkeypatch.setenv("BATCH_KEY", CANARY)
    address = server.address if block["use"] == "openai-compatible" else server.host
    agents = {"own": {"use": "llm", "backend": {**block, **QUICK, "base-url": address}}, "other": "first-legal"}
    plain = {"name": "b", "games": {"t": "tic-tac-toe"}, "agents": agents, "schedule": {"use": "round-robin"}}
    Path("bench.yaml").write_text(yaml.safe_dump(plain))

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", "-q"])

    assert done.exit_code == 0, done.output
    assert set(endings()) == {Ending.RULES}
