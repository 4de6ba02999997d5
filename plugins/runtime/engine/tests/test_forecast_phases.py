"""What a benchmark will take, told apart by phase, seat, part of the match and part of the prompt, and otherwise."""

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from arena.catalog import Catalog
from arena.game import Game
from arena_engine.benchmark.benchmark import Benchmark, build_benchmark
from arena_engine.execution.capture import tokens_of
from arena_engine.forecast.forecast import RunForecast, estimate
from arena_engine.forecast.other_models import alternatives
from arena_game_negotiation.negotiation import Negotiation
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe

PRICE = 2.0


def bench(game: str, prompt: Mapping[str, Any] | None = None, **changes: Any) -> Benchmark:
    backend = {"use": "scripted", "price_usd_per_1k_tokens": PRICE, "max_tokens": 300}
    plain: dict[str, Any] = {
        "seed": 3,
        "games": {"game": game},
        "agents": {"model": {"use": "llm", "backend": backend, "prompt": prompt or {}}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": 4},
        "metrics": [],
        **changes,
    }
    return build_benchmark(plain, Catalog())


def with_game(made: Benchmark, game: Game) -> Benchmark:
    """The benchmark with another game in the place of its own."""
    return attrs.evolve(made, games={"game": attrs.evolve(made.games["game"], game=game)})


def calls(found: RunForecast) -> float:
    return sum(each.calls for each in found.phases)


def test_abbreviations_take_more_tokens_than_prose():
    """A list of provinces has about as many tokens again as its characters say; prose has none more."""
    assert tokens_of("The fleet sails to the sea.") == 27 / 4
    assert tokens_of("PAR: BRE, BUR, GAS, PIC") == 23 / 4 + 5


async def test_phases_sum_to_the_whole():
    """Calls of all phases and seats are those of the agent, prompts nearly, and parts are no more than prompts."""
    found = await estimate(bench("negotiation"), by_phase=True)

    (agent,) = found.agents
    assert {each.seat for each in found.phases} == set(Negotiation().seats(2))
    assert calls(found) == pytest.approx(agent.calls.likely)
    assert sum(each.prompt_tokens for each in found.phases) == pytest.approx(agent.prompt_tokens.likely, rel=0.1)
    for each in found.phases:
        assert 0.9 * each.prompt_tokens < sum(each.parts.values()) <= each.prompt_tokens
        assert {"rules", "observation", "answer"} <= each.parts.keys()


async def test_what_prompts_share_with_the_one_before_is_reused():
    """In brief that is all but a turn's own lines; with the form of the answer behind them it is less."""
    brief = await share_reused({"style": "brief"})
    direct = await share_reused({"style": "direct"})

    assert 0.9 < brief < 1
    assert 0 < direct < brief - 0.1


async def share_reused(prompt: Mapping[str, Any]) -> float:
    """The share of what is sent that is reused, with each seat counted in."""
    found = await estimate(bench("tic-tac-toe", prompt), by_phase=True)
    return sum(each.reused_tokens for each in found.phases) / sum(each.prompt_tokens for each in found.phases)


async def test_answers_are_at_least_the_action_and_at_most_what_is_allowed():
    """Tokens that are written have bounds, and so has what they cost."""
    (each, *_) = (await estimate(bench("negotiation"), by_phase=True)).phases

    assert 0 < each.answer_tokens.low <= each.answer_tokens.likely <= each.answer_tokens.high == 300 * each.calls
    assert each.cost_usd is not None
    assert each.cost_usd.low < each.cost_usd.likely < each.cost_usd.high
    price = PRICE / 1000
    assert each.cost_usd.likely == pytest.approx((each.prompt_tokens + each.answer_tokens.likely) * price)


@attrs.frozen
class Halves(TicTacToe):
    """Tic-tac-toe that names the halves of a match, and has a parameter worth comparing."""

    moves: int = attrs.field(default=9, metadata={"help": "how many moves of a match are played", "compared": (4, 9)})

    @property
    def forms(self):
        return {**super().forms, "period": lambda seen: "late" if str(seen).count("X") > 2 else "early"}

    def facts(self, players: int):
        return attrs.evolve(super().facts(players), max_steps=self.moves)


async def test_parts_of_a_match_are_those_of_the_games_own_words():
    """A game with the form ``period`` is told by it; in others there is one part without a name."""
    plain = await estimate(bench("tic-tac-toe"), by_phase=True)
    halves = await estimate(with_game(bench("tic-tac-toe"), Halves()), by_phase=True)

    assert {each.period for each in plain.phases} == {""}
    assert {each.period for each in halves.phases} == {"early", "late"}
    assert calls(halves) == pytest.approx(calls(plain))


async def test_settings_that_are_worth_comparing_are_forecast():
    """Each other value of a parameter that its plugin marks is forecast, in games and within agents."""
    made = with_game(bench("tic-tac-toe", {"history": "compact"}), Halves())

    found = {(each.parameter, each.value): each.forecast for each in await alternatives(made)}

    assert list(found) == [
        ("games.*.moves", 4),
        ("agents.*.prompt.history", "none"),
        ("agents.*.prompt.history", "transcript"),
    ]
    now = await estimate(made)
    none, transcript = (found["agents.*.prompt.history", value].agents[0] for value in ("none", "transcript"))
    assert found["games.*.moves", 4].agents[0].calls.likely < now.agents[0].calls.likely
    assert none.prompt_tokens.likely < now.agents[0].prompt_tokens.likely < transcript.prompt_tokens.likely


async def test_nothing_is_compared_where_no_model_is_asked():
    """What costs nothing has no cheaper way."""
    assert await alternatives(bench("tic-tac-toe", agents={"a": "random", "b": "first-legal"})) == ()


async def test_agents_that_differ_in_backends_alone_ask_the_same():
    """Equal prompts are rendered once; what they cost is told for each backend."""
    backend = {"use": "scripted", "price_usd_per_1k_tokens": PRICE, "max_tokens": 300}
    cheap = {"use": "llm", "backend": {**backend, "price_usd_per_1k_tokens": 1.0}}
    dear = {"use": "llm", "backend": backend}
    terse = {"use": "llm", "backend": backend, "prompt": {"style": "direct"}}

    found = await estimate(bench("tic-tac-toe", agents={"cheap": cheap, "dear": dear, "terse": terse}), by_phase=True)

    costs = {each.caller: each.cost_usd.likely for each in found.phases if each.seat == "X" and each.cost_usd}
    sent = {each.caller: each.prompt_tokens / each.calls for each in found.phases if each.seat == "X"}
    assert sent["cheap"] == sent["dear"] > sent["terse"]
    assert costs["dear"] > 1.9 * costs["cheap"]
