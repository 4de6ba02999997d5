"""What a benchmark will take, before anything is paid for."""

import asyncio
import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Response, Seat
from arena.backend import Backend, CompletionRequest, Message
from arena.catalog import Catalog
from arena.game import Decision
from arena_engine.benchmark.benchmark import Benchmark, build_benchmark
from arena_engine.execution.capture import requests_of_player
from arena_engine.execution.runner import create_run, job_for, play_run
from arena_engine.forecast.forecast import estimate, first_request
from arena_engine.job.planning import plan_matches
from arena_engine.journal.usage import Forecast, Range, UsageTotals


def bench(**changes: Any) -> Benchmark:
    plain: dict[str, Any] = {
        "seed": 3,
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 10},
        "metrics": [],
        **changes,
    }
    return build_benchmark(plain, Catalog())


def played(made: Benchmark, directory: Path) -> UsageTotals:
    """What a whole run takes in truth."""
    with create_run(made, directory) as journal:
        outcome = asyncio.run(play_run(journal, made, {}, lambda *fault: pytest.fail(str(fault))))
        assert outcome.exit_status == 0
        return journal.totals()


def holds(estimated: Range, actual: float) -> bool:
    """Whether an estimate is as uncertain as it says."""
    return estimated.low <= actual <= estimated.high


async def test_matches_are_counted_and_decisions_bounded():
    """Tic-tac-toe ends after five to nine moves, and every estimate lies between."""
    found = await estimate(bench())

    assert found.matches == 20
    (game,) = found.games
    assert 5 <= game.per_match.low <= game.per_match.likely <= game.per_match.high <= 10
    assert found.decisions.likely == pytest.approx(20 * game.per_match.likely)


async def test_only_agents_with_models_ask():
    """Random play asks nobody; a model asks once a decision, and with every retry at most."""
    found = await estimate(bench(illegal_actions={"retries": 1}))

    (agent,) = found.agents
    assert agent.caller == "model"
    assert found.decisions.low < 2 * agent.calls.low + 20
    assert agent.calls.high <= 2 * 20 * 5
    assert agent.prompt_tokens.low < agent.prompt_tokens.likely < agent.prompt_tokens.high
    assert agent.completion_tokens == agent.calls.high * 512
    assert (await estimate(bench(agents={"a": "random", "b": "first-legal"}))).agents == ()


async def test_money_where_prices_are_known():
    """A backend that names its price is priced: at least the prompts, at most everything that may be written."""
    model = {"use": "llm", "backend": {"use": "scripted", "price_usd_per_1k_tokens": 2.0}}
    (agent,) = (await estimate(bench(agents={"model": model, "random": "random"}))).agents

    assert agent.cost_usd is not None
    assert agent.cost_usd.low == pytest.approx(agent.prompt_tokens.low * 0.002)
    assert agent.cost_usd.high == pytest.approx((agent.prompt_tokens.high + agent.completion_tokens) * 0.002)


async def test_estimate_repeats():
    """The same benchmark is estimated the same, but for the seconds."""
    first, second = await estimate(bench()), await estimate(bench())

    assert (first.games, first.agents) == (second.games, second.agents)


async def test_finished_matches_cost_nothing():
    """What need not be played is not counted."""
    plans = plan_matches(bench())

    found = await estimate(bench(), done=[plan.id for plan in plans[:15]])

    assert found.matches == 5
    assert (await estimate(bench(), done=[plan.id for plan in plans])).decisions == Range()


async def test_later_prompts_hold_what_happened():
    """A prompt in the middle of a match tells what everybody did before."""
    made = bench()
    plans = plan_matches(made)
    plan = next(p for p in plans if p.agents[0] == "model")
    job = job_for(made, plans)

    first = await first_request(job, plan, 0)
    third = await first_request(job, plan, 0, turns=2)

    assert first is not None
    assert third is not None
    assert "X: row" not in first.request.messages[-1].text
    assert third.request.messages[-1].text.count("X: row") == 2
    assert third.request.messages[-1].text.count("O: row") == 2


@attrs.frozen
class Fragile(Agent):
    """Asks, and raises whatever is answered."""

    backend: Backend

    def join(self, seat: Seat) -> PlayerAgent:
        return FragilePlayer(self, seat)


@attrs.frozen
class FragilePlayer(PlayerAgent):
    agent: Fragile
    seat: Seat

    async def act(self, decision: Decision) -> Response:
        await self.seat.completions.complete(
            self.agent.backend, CompletionRequest(messages=(Message.of("user", "Well?"),))
        )
        raise ValueError("that is no move")


async def test_an_agent_that_breaks_is_estimated_all_the_same():
    """What it asks is counted; the fault is told where it plays."""
    plans = plan_matches(made := bench())
    job = job_for(made, plans)
    (backend,) = job.agents["model"].backends().values()
    broken = attrs.evolve(job, agents={**job.agents, "model": Fragile(backend)})

    probe = await requests_of_player(broken, plans[0], plans[0].agents.index("model"))

    assert len(probe.by_turn()) >= 2
    assert [len(turn) for turn in probe.by_turn()] == [1] * len(probe.by_turn())
    assert str(probe.failure) == "that is no move"


async def test_recorded_lengths_take_the_place_of_random_ones():
    """Where enough matches were played their lengths count, and the estimate says so."""
    found = await estimate(bench(), recorded={"ttt": [(3, 2)] * 4 + [(5, 4)]})
    few = await estimate(bench(), recorded={"ttt": [(9, 9)] * 4})

    (game,) = found.games
    assert game.recorded == 5
    assert game.decisions == (Range(3, 3.4, 5), Range(2, 2.4, 4))
    assert few.games[0].recorded == 0
    assert few.games[0].per_match.high <= 10


async def test_forecast_is_kept_as_plain_data():
    """The sums over all agents survive the way through a journal."""
    made = (await estimate(bench())).forecast()

    assert Forecast.from_json(json.loads(json.dumps(made.to_json()))) == made
    assert made.calls.likely > 0
    assert made.completion_tokens is not None


@pytest.mark.slow
def test_transcripts_are_estimated_with_all_they_repeat(tmp_path):
    """Runs take what was estimated, and that a transcript takes so much more than no history is foreseen."""
    likely, actual = [], []
    for history in ("none", "transcript"):
        model = {"use": "llm", "backend": {"use": "scripted"}, "prompt": {"history": history}}
        made = bench(agents={"model": model, "random": "random"})
        forecast, taken = asyncio.run(estimate(made)).forecast(), played(made, tmp_path / history)
        assert holds(forecast.calls, taken.calls)
        assert holds(forecast.prompt_tokens, taken.prompt_tokens)
        assert taken.completion_tokens <= forecast.completion_tokens
        likely.append(forecast.prompt_tokens.likely / forecast.calls.likely)
        actual.append(taken.prompt_tokens / taken.calls)

    assert actual[1] > 1.4 * actual[0]
    assert likely[1] / likely[0] == pytest.approx(actual[1] / actual[0], rel=0.25)


async def test_transcripts_grow_beyond_what_was_rehearsed():
    """Where matches are known to be twice as long, a transcript takes more than twice as much."""
    model = {"use": "llm", "backend": {"use": "scripted"}, "prompt": {"history": "transcript"}}
    made = bench(agents={"model": model, "random": "random"})

    short, long = [await estimate(made, recorded={"ttt": [(turns, turns)] * 5}) for turns in (5, 10)]

    assert long.agents[0].calls.likely == 2 * short.agents[0].calls.likely
    assert long.agents[0].prompt_tokens.likely > 2.5 * short.agents[0].prompt_tokens.likely


@pytest.mark.slow
def test_judges_are_counted(tmp_path):
    """A judge of each reason and one of each round are estimated to ask as often as they do, and not for nothing."""
    say = '{"reasoning": "Rock is strong, and nobody expects it again.", "action": "rock"}'
    judge = {"use": "scripted", "price_usd_per_1k_tokens": 1.0}
    made = bench(
        games={"rps": {"use": "matrix-rps", "rounds": 5}},
        agents={
            "model": {"use": "llm", "backend": {"use": "scripted", "rules": [{"when": ".", "say": say}]}},
            "random": "random",
        },
        metrics={
            "types": {"use": "reasoning-judge", "backend": judge},
            "manners": {"use": "judge", "backend": judge},
        },
    )

    found = asyncio.run(estimate(made))
    taken = played(made, tmp_path / "run")

    forecast = found.forecast()
    assert [judge.caller for judge in found.judges] == ["types", "manners"]
    assert [judge.calls.low for judge in found.judges] == [0, 100]
    assert forecast.calls.likely == taken.calls == 300
    assert holds(forecast.prompt_tokens, taken.prompt_tokens)
    assert taken.completion_tokens <= forecast.completion_tokens
    assert all(judge.cost_usd.high > 0 for judge in found.judges)


async def test_a_run_that_only_judges_ask_in_is_estimated():
    """Where no agent asks a model, a judge still does; it has no reasons to read then."""
    metrics = {"types": {"use": "reasoning-judge", "backend": {"use": "scripted"}}}
    manners = {"manners": {"use": "judge", "backend": {"use": "scripted"}}}
    agents = {"a": "random", "b": "first-legal"}

    silent = await estimate(bench(agents=agents, metrics=metrics))
    judged = await estimate(bench(agents=agents, metrics=manners))

    assert silent.callers == ()
    assert judged.agents == ()
    assert judged.judges[0].calls.low > 0
    assert judged.seconds.high > silent.seconds.high
