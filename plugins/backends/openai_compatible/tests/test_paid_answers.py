"""What becomes of paid answers of every shape in a whole match, and what a provider refuses."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from arena_testing.fixtures.answer_shapes import UNKNOWN
from click.testing import CliRunner, Result

ACTION = "row 1, column 1"
FILE = """
seed: 3
games: {ttt: tic-tac-toe}
agents:
  own:
    use: llm
    OPTIONS
    backend: {use: openai-compatible, model: m, base-url: ADDRESS, can: [tools], adaptive-concurrency: false}
  random: random
schedule: {use: round-robin, repeats: 1, rotate-seats: false}
illegal-actions: {retries: 1}
"""


def run(server, options: str = "") -> Result:
    """Run the file above."""
    Path("bench.yaml").write_text(FILE.replace("ADDRESS", server.address).replace("OPTIONS", options))
    return CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", "-q"])


def record_of(done: Result):
    """The record of the one match, and its answers."""
    assert done.exit_code == 0, done.stderr
    with Journal.open(Path("run")) as journal:
        (record,) = journal.records()
        return record, journal.answers(record.plan.id)


def calls(arguments: object):
    """A server's answer that calls the tool of the request."""

    def answer(call) -> None:
        function = {"name": call.body["tools"][0]["function"]["name"], "arguments": arguments}
        call.says(None, tool_calls=[{"id": "c", "type": "function", "function": function}], finish="tool_calls")

    return answer


@pytest.mark.parametrize(
    "arguments", [json.dumps(json.dumps({"action": ACTION})), {"action": ACTION}], ids=["twice", "object"]
)
def test_arguments_of_a_tool_are_played_in_every_form(server, arguments):
    """JSON that was written twice, and an object, name the one action that they name."""
    server.plan = [calls(arguments)]

    record, _ = record_of(run(server, "tools: true"))

    played = next(event for event in record.played() if event.player == 0)
    assert played.data["label"] == ACTION
    assert played.data["try"] == 0


@pytest.mark.parametrize("name", ["no choices", "another field", "another object", "a list"])
def test_an_answer_of_no_known_shape_is_a_refusal_of_the_try(server, name):
    """It is asked for once, counted as it was told, kept as it came, and is no failure of the server."""
    shape = UNKNOWN[name]
    server.usually = lambda call: call.send(200, shape.body)

    record, answers = record_of(run(server))

    refused = record.refused()
    assert record.ending is Ending.FORFEIT_FORMAT
    assert {event.data["kind"] for event in refused} == {"unreadable"}
    assert all(event.data["reason"].startswith("the server's answer has no text: ") for event in refused)
    assert len(server.calls) == len(answers) == 2
    assert {json.loads(answer.value)["received"] for answer in answers} == {shape.completion.received}
    told = shape.completion.usage.prompt_tokens
    assert {(answer.counted, answer.prompt_tokens) for answer in answers} == {("provider", 100)} or not told


def test_a_model_that_declines_is_told_from_one_that_cannot_write(server):
    """Its words are in the record, and an action in them is not played."""
    message = {"refusal": json.dumps({"action": ACTION})}
    server.usually = lambda call: call.says(None, **message)

    record, _ = record_of(run(server))

    assert {event.data["kind"] for event in record.refused()} == {"declined"}
    assert record.ending is Ending.FORFEIT_FORMAT


def test_a_limit_for_a_day_stops_the_run_and_says_when_it_begins_anew(server):
    """As an account without credit does; it is asked once."""
    moment = datetime.now(UTC) + timedelta(hours=10)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(moment.timestamp() * 1000))}
    error = {"code": 429, "message": "Rate limit exceeded: free-models-per-day", "metadata": {"headers": headers}}
    server.usually = lambda call: call.send(429, {"error": error})

    done = run(server)

    assert done.exit_code == 3
    assert f"it begins anew at {moment:%Y-%m-%d %H:%M} UTC" in " ".join(done.stderr.split())
    assert len(server.calls) == 1


def test_a_prompt_that_is_flagged_is_refused_for_what_it_says(server):
    """Another key would not help."""
    about = {"reasons": ["violence"], "flagged_input": "attack"}
    error = {"code": 403, "message": "The model requires moderation. Your input was flagged.", "metadata": about}
    server.usually = lambda call: call.send(403, {"error": error})

    run(server)

    with Journal.open(Path("run")) as journal:
        (record,) = journal.records()
    assert "refuses the prompt for what it says" in record.failure.reason
    assert "use a key" not in record.failure.reason
