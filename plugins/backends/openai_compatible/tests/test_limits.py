"""Whole runs against servers that refuse: limits that pass, limits of a day, overload, prompts that are too long."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from arena.record import Ending
from arena_cli.application.group import group
from arena_engine import Journal
from arena_testing.fixtures.chat_server import ChatCall, ChatServer, chat
from click.testing import CliRunner, Result

FILE = """
name: limits
seed: 3
games: {ttt: tic-tac-toe}
agents:
  own: {use: llm, backend: {use: openai-compatible, model: m, base-url: ADDRESS, max-attempts: 2}}
  random: random
MORE
schedule: {use: round-robin, repeats: 3}
"""
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo"}


@pytest.fixture
def run(server) -> Callable[..., Result]:
    """Runs the file above in this process."""
    Path("bench.yaml").write_text(FILE.replace("ADDRESS", server.address).replace("MORE\n", ""))
    return lambda *arguments: CliRunner().invoke(group, ["run", "bench.yaml", "-o", "run", "-q", *arguments])


def endings() -> list[Ending]:
    with Journal.open(Path("run")) as journal:
        return [record.ending for record in journal.records()]


def quota(seconds: float, named: str = "PerMinute") -> dict:
    """A limit of Google's interface, whose words are also those of an empty account, and whose body is a list."""
    said = f"You exceeded your current quota, please check your plan and billing details. Please retry in {seconds}s."
    violations = {"violations": [{"quotaId": f"GenerateRequests{named}PerProjectPerModel-FreeTier"}]}
    details = [violations, {**RETRY, "retryDelay": f"{int(seconds)}s"}]
    return [{"error": {"code": 429, "message": said, "status": "RESOURCE_EXHAUSTED", "details": details}}]


@pytest.mark.slow
def test_a_server_that_says_for_how_long_is_waited_for(run, server):
    """While the seconds that are left are told in words and details alone, few requests are sent, and none fails."""
    until = time.monotonic() + 2

    def behave(call: ChatCall) -> None:
        left = until - time.monotonic()
        call.send(429, quota(round(left, 2))) if left > 0.05 else chat(call)

    server.usually = behave
    done = run()

    assert done.exit_code == 0, done.stderr
    assert endings() == [Ending.RULES] * 6
    assert time.monotonic() > until
    refused = len(server.calls) - sum(1 for _ in answers())
    assert refused <= 12


def answers():
    with Journal.open(Path("run")) as journal:
        for record in journal.records():
            yield from journal.answers(record.plan.id)


DAYS = {
    "OpenRouter": (
        lambda at: {
            "code": 429,
            "message": "Rate limit exceeded: free-models-per-day",
            "metadata": {"headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(at * 1000))}},
        }
    ),
    "Groq": (
        lambda at: {
            "message": "Rate limit reached on requests per day (RPD): Limit 9, Used 9. Please try again in 9h59m59s.",
            "code": "rate_limit_exceeded",
        }
    ),
    "GitHub": (
        lambda at: {
            "code": "RateLimitReached",
            "message": "Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 36000 seconds.",
        }
    ),
}


@pytest.mark.parametrize("error", DAYS.values(), ids=DAYS)
def test_a_limit_of_a_day_stops_the_run_and_says_when_to_resume(run, server, error):
    """No match fails, hardly anything is asked, and the sentence holds the time at which the limit begins anew."""
    moment = datetime.now(UTC) + timedelta(hours=10)
    server.usually = lambda call: call.send(429, {"error": error(moment.timestamp())})

    done = run("--set", "limits.concurrency=4")

    said = " ".join(done.stderr.split())
    assert done.exit_code == 3, done.stderr
    assert any(
        f"it begins anew at {moment - timedelta(minutes=early):%Y-%m-%d %H:%M} UTC: resume then" in said
        for early in (0, 1)
    )
    assert len(server.calls) <= 4
    assert not endings()

    server.usually = chat
    resumed = CliRunner().invoke(group, ["resume", "run", "-q"])

    assert resumed.exit_code == 0, resumed.stderr
    assert endings() == [Ending.RULES] * 6


@pytest.mark.parametrize("where", ["here", pytest.param("in workers", marks=pytest.mark.slow)])
def test_a_limit_of_a_day_stops_only_the_agent_that_has_it(run, server, where):
    """Matches without it are played to their ends; its own are left as they were, and ``resume`` plays them."""
    day = {"error": {"code": 429, "message": "Rate limit exceeded: free-models-per-day"}}
    server.usually = lambda call: call.send(429, day) if call.body["model"] == "m" else chat(call)
    other = "  other: {use: llm, backend: {use: openai-compatible, model: n, base-url: ADDRESS}}\n"
    Path("bench.yaml").write_text(FILE.replace("MORE\n", other).replace("ADDRESS", server.address))
    workers = [] if where == "here" else ["--set", "executor={use: processes, workers: 2}"]

    done = run(*workers)

    assert done.exit_code == 3, done.stderr
    assert "takes no more of m today" in " ".join(done.stderr.split())
    assert endings() == [Ending.RULES] * 6
    assert sum(call.body["model"] == "m" for call in server.calls) <= 16

    server.usually = chat
    resumed = CliRunner().invoke(group, ["resume", "run", "-q"])

    assert resumed.exit_code == 0, resumed.stderr
    assert endings() == [Ending.RULES] * 18


PASSING = {
    "Groq's flex tier": (498, {"error": {"message": "Flex tier capacity exceeded", "code": "capacity_exceeded"}}),
    "something behind": (424, {"error": {"message": "Failed dependency: upstream worker restarted"}}),
    "Anthropic": (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    "overloaded": (503, {"error": {"message": "The model is overloaded", "code": "slow_down"}}),
    "a limit without a time": (429, {"error": {"message": "Service tier capacity exceeded for this model."}}),
    "in a success": (200, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("status", "body"), PASSING.values(), ids=PASSING)
def test_an_overload_is_asked_again(run, server, status, body):
    """After an answer that says so the match goes on and ends by the rules."""
    server.plan = [lambda call: call.send(status, body)]

    done = run("--set", "schedule.repeats=1")

    assert done.exit_code == 0, done.stderr
    assert endings() == [Ending.RULES] * 2


def test_a_prompt_that_is_too_long_is_the_players(run, server):
    """It is refused as ``too-long``, as often as the policy says, and is no failure that comes back on each resume."""
    said = "Input validation error: `inputs` must have less than 4096 tokens. Given: 5012"
    server.usually = lambda call: call.send(422, {"error": said, "error_type": "validation"})

    done = run("--set", "schedule.repeats=1")

    assert done.exit_code == 0, done.stderr
    assert Ending.INFRASTRUCTURE_FAILURE not in endings()
    with Journal.open(Path("run")) as journal:
        used = {
            (answer.prompt_tokens, answer.cost_usd) for r in journal.records() for answer in journal.answers(r.plan.id)
        }
    assert used == {(0, 0.0)}  # nothing was computed
    assert "estimated" not in done.stderr
    asked = len(server.calls)
    assert CliRunner().invoke(group, ["resume", "run", "-q"]).exit_code == 0
    assert len(server.calls) == asked


class Minute:
    """Answers so many requests in each minute of its clock, which may be short, and tells the rest in a body alone."""

    def __init__(self, most: int, minute_s: float) -> None:
        self.most, self.minute_s = most, minute_s
        self.began, self.taken, self.refused = time.monotonic(), dict[int, int](), 0
        self.lock = threading.Lock()

    def __call__(self, call: ChatCall) -> None:
        minute, past = divmod(time.monotonic() - self.began, self.minute_s)
        with self.lock:
            self.taken[int(minute)] = self.taken.get(int(minute), 0) + 1
            is_taken = self.taken[int(minute)] <= self.most
            self.refused += not is_taken
        chat(call) if is_taken else call.send(429, quota(round(self.minute_s - past + 0.005, 2)))


@pytest.mark.campaign
def test_a_run_against_limits_of_the_minute_takes_little_longer_than_they_do(run, server: ChatServer):
    """200 calls, 40 in a minute that has three seconds here: none fails, in at most 1.2 times the least time."""
    server.usually = limit = Minute(40, 3.0)

    done = run("--set", "schedule.repeats=25", "--set", "agents.own.backend.max-attempts=1")

    took_s, calls = time.monotonic() - limit.began, len(server.calls) - limit.refused
    least_s = (calls - 1) // 40 * 3.0
    assert done.exit_code == 0, done.stderr
    assert endings() == [Ending.RULES] * 50
    assert calls >= 150
    assert took_s <= 1.2 * least_s + 1.5  # reading the file, opening and closing the run
