"""What a benchmark will take, before anything is paid for."""

import json
from typing import Any

import pytest
from arena.benchmark import Benchmark, from_plain
from arena.catalog import Catalog
from arena.estimate import estimate, first_request
from arena.runner import work_of
from arena.schedule import expand
from arena.spending import Forecast, Range


def bench(**changes: Any) -> Benchmark:
    plain: dict[str, Any] = {
        "seed": 3,
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 10},
        "metrics": [],
        **changes,
    }
    return from_plain(plain, Catalog())


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
    assert agent.agent == "model"
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
    plans = expand(bench())

    found = await estimate(bench(), done=[plan.id for plan in plans[:15]])

    assert found.matches == 5
    assert (await estimate(bench(), done=[plan.id for plan in plans])).decisions == Range()


async def test_later_prompts_hold_what_happened():
    """A prompt in the middle of a match tells what everybody did before."""
    made = bench()
    plans = expand(made)
    plan = next(p for p in plans if p.agents[0] == "model")
    work = work_of(made, plans)

    first = await first_request(work, plan, 0)
    third = await first_request(work, plan, 0, turns=2)

    assert first is not None
    assert third is not None
    assert "X: row" not in first.request.messages[-1].text
    assert third.request.messages[-1].text.count("X: row") == 2
    assert third.request.messages[-1].text.count("O: row") == 2


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
