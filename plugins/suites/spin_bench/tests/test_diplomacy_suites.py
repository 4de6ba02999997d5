"""The suites of Diplomacy and their styles: who plays what, what is asked, and which part of an answer is played."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import arena
import pytest
from arena.record import MatchRecord
from arena_engine import Benchmark, Journal, load_benchmark, plan_matches
from arena_engine.execution.capture import requests_of_player
from arena_engine.execution.runner import job_for
from arena_game_diplomacy.game import Diplomacy
from arena_suite_spin_bench.diplomacy_results import TESTED

AGENTS = (2, 3, 4, 5)
SUITES = (
    "spin-diplomacy-basic",
    *(f"spin-diplomacy-agents-{number}" for number in AGENTS),
    "spin-diplomacy-negotiation",
    "spin-diplomacy-ablation",
)
SEATS = {
    "gpt-4o-seat": {2: "AEFG", 3: "AEF", 4: "IT", 5: "AE"},
    "gpt-4-turbo-seat": {3: "GI", 4: "AE", 5: "R"},
    "haiku-seat": {4: "FG", 5: "IT"},
    "o1-preview-seat": {5: "F"},
}
"""Table 6 by the first letters of powers."""


def game_of(benchmark: Benchmark, name: str) -> Diplomacy:
    return cast("Diplomacy", benchmark.games[name].game)


@pytest.mark.sample(fast=6)
@pytest.mark.parametrize("name", SUITES)
def test_ten_retries_and_then_civil_disorder(name: str):
    """Eleven answers in all; who forfeits has no orders any more, and the others go on."""
    benchmark = load_benchmark(f"suite:{name}")

    assert (benchmark.illegal_actions.retries, benchmark.illegal_actions.then) == (10, "forfeit")
    for entry in benchmark.games.values():
        assert entry.game.facts(entry.players).on_forfeit == "continue"


def test_basic_skill_is_france_alone():
    """Six neutral powers, no talk, 18 centres, to 1920."""
    benchmark = load_benchmark("suite:spin-diplomacy-basic")
    game = game_of(benchmark, "basic")

    assert game.powers_of(benchmark.games["basic"].players) == (("FRANCE",),)
    assert (game.negotiation_rounds, game.win_centres, game.last_year, game.knowledge) == (0, 18, 1920, "asked")


@pytest.mark.parametrize("number", AGENTS)
def test_seats_are_those_of_the_paper(number: int):
    """Every named seat holds its powers of Table 6, the tested agent the rest; without talk and with three rounds."""
    benchmark = load_benchmark(f"suite:spin-diplomacy-agents-{number}")
    tested = {name for name, entry in benchmark.agents.items() if "tested" in entry.tags}

    for plan in plan_matches(benchmark):
        hands = dict(zip(plan.agents, game_of(benchmark, plan.game).powers_of(number), strict=True))
        assert [frozenset(powers) for name, powers in hands.items() if name in tested] == [TESTED[number][0]]
        for name in hands.keys() - tested:
            assert "".join(sorted(power[0] for power in hands[name])) == SEATS[name][number]
    games = [game_of(benchmark, name) for name in ("silent", "talking")]
    assert [game.negotiation_rounds for game in games] == [0, 3]
    assert {game.win_centres for game in games} == {{2: 25, 3: 20}.get(number, 18)}


def test_negotiation_seats_six_agents_in_all_seven_powers():
    """The entry of GPT-4o holds two powers, and everybody plays each power once."""
    benchmark = load_benchmark("suite:spin-diplomacy-negotiation")
    plans = plan_matches(benchmark)

    assert len(plans) == 7
    assert all(len(plan.agents) == 7 and plan.agents.count("gpt-4o-seat") == 2 for plan in plans)
    for name in benchmark.agents:
        seats = sorted(seat for plan in plans for seat, agent in enumerate(plan.agents) if agent == name)
        assert seats == sorted([*range(7)] * (2 if name == "gpt-4o-seat" else 1))


def test_ablation_asks_for_a_report_in_two_of_three_ways():
    """Steps and report, the report alone, neither: styles and games fit each other."""
    benchmark = load_benchmark("suite:spin-diplomacy-ablation")

    found = {
        plan.agents[0]: (benchmark.agents[plan.agents[0]].agent.prompt.style, game_of(benchmark, plan.game).knowledge)  # type: ignore[attr-defined]  # a model's
        for plan in plan_matches(benchmark)
    }
    assert found == {
        "steps-and-report": ("spin-diplomacy", "asked"),
        "report-alone": ("spin-diplomacy-no-chain", "asked"),
        "neither": ("spin-diplomacy-no-facts", "none"),
    }


def test_duplicate_plays_all_powers_against_the_same_field():
    """Each tested agent has every seat once a repeat; its seven matches are one block, the same for all tested ones."""
    benchmark = load_benchmark("suite:diplomacy-duplicate")
    plans = plan_matches(benchmark)

    for name in ("greedy", "hold"):
        own = [plan for plan in plans if name in plan.agents]
        assert sorted(plan.agents.index(name) for plan in own) == sorted([*range(7)] * 3)
        assert all(sorted(set(plan.agents) - {name}) == [f"field-{n}" for n in range(1, 7)] for plan in own)
    assert len({plan.chance_seed for plan in plans}) == 3


REPORT = {
    "location": ["BRE", "MAR", "PAR"],
    "unit": ["A MAR", "A PAR", "F BRE"],
    "adjacent": {"PAR": ["BRE", "BUR", "GAS", "PIC"]},
    "attackable": ["BUR"],
    "attack_analysis": {"BUR": 1},
}
TALK = """{"reasoning": "ask first", "trust": [{"power": "ENGLAND", "level": "low", "why": "a fleet"}],
"strategy": "peace in the west", "messages": [{"from": "FRANCE", "to": ["ENGLAND"], "text": "Keep ENG empty."}]}"""
ORDERS = """I look at the west. Nobody guards Burgundy at the moment. I go there.

{"reasoning": "it is free", "report": %s, "orders": {"A PAR": "A PAR - BUR", "F BRE": "F Bre-MAO"}}"""
WINTER = '{"reasoning": "an army", "orders": {"PAR": "A PAR B"}}'
RETREAT = '{"reasoning": "away", "orders": {"A BUR": "A BUR R GAS"}}'
PLAIN = '{"reasoning": "it is free", "orders": {"A PAR": "A PAR - BUR"}}'


def says(**texts: str) -> dict[str, Any]:
    """A backend that answers by phase, which it finds in the form of the answer."""
    marks = {
        "talk": "trust is low",
        "retreat": "were dislodged",
        "winter": "It is winter",
        "orders": "A unit that you leave out holds",
    }
    rules = [{"when": f"(?i){marks[name]}", "say": text} for name, text in texts.items()]
    return {"use": "scripted", "rules": rules}


def played(
    directory: Path, game: Mapping[str, Any], *agents: Mapping[str, Any], steps: int = 99, retries: int = 0
) -> MatchRecord:
    """One match of agents in the order of the seats, or the first steps of it."""
    names = [f"player-{number}" for number in range(len(agents))]
    benchmark = {
        "seed": 1,
        "games": {"diplomacy": {"use": "diplomacy", "last-year": 1901, **game}},
        "agents": dict(zip(names, agents, strict=True)),
        "schedule": {"use": "fixed", "seatings": [names]},
        "illegal-actions": {"retries": retries, "then": "skip"},
        "limits": {"max-steps": steps},
        "metrics": [],
    }
    run = arena.run(benchmark, output=directory / "run")
    with Journal.open(run.directory) as journal:
        return next(iter(journal.records()))


def model(style: str = "spin-diplomacy", **more: Any) -> dict[str, Any]:
    return {"use": "llm", "constrained": False, "prompt": {"style": style, "history": "none"}, **more}


def actions(record: MatchRecord, player: int = 0) -> Iterator[Mapping[str, Any]]:
    return (cast("Mapping[str, Any]", event.data) for event in record.played() if event.player == player)


def test_the_papers_answer_is_read_in_talk_and_orders(tmp_path: Path):
    """Trust, strategy, messages and orders are played, the report is in the record, the reason is the reasoning."""
    backend = says(talk=TALK, orders=ORDERS % str(REPORT).replace("'", '"'))
    game = {"hands": [["FRANCE"], ["ENGLAND"]], "negotiation-rounds": 1, "knowledge": "asked"}

    record = played(tmp_path, game, {**model(), "backend": backend}, {"use": "diplomacy-hold"}, steps=2)

    talk, orders, *_ = actions(record)
    assert [event.data for event in record.refused()] == []
    assert talk["action"]["messages"][0]["text"] == "Keep ENG empty."
    assert talk["action"]["strategy"] == "peace in the west"
    assert talk["action"]["trust"][0]["level"] == "low"
    assert orders["action"] == {"orders": {"A PAR": "A PAR - BUR", "F BRE": "F BRE - MAO"}, "report": REPORT}
    assert orders["reasoning"].endswith("it is free")
    reports = [event for event in record.events if event.kind == "report" and event.to == (0,)]
    assert cast("Mapping[str, Any]", reports[0].data)["report"] == REPORT


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("style", ["spin-diplomacy", "spin-diplomacy-no-chain", "spin-diplomacy-no-facts"])
def test_orders_stand_under_their_key_where_no_report_is_asked(tmp_path: Path, style: str):
    """In orders, retreats and builds of games without reports the action is what stands under ``orders``."""
    start = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]},
        "centres": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"]},
    }
    attack = '{"reasoning": "now", "orders": {"A MUN": "A MUN - BUR", "A RUH": "A RUH S A MUN - BUR"}}'
    game = {"hands": [["FRANCE"], ["GERMANY"]], "negotiation-rounds": 0, "start": start}
    hold = '{"reasoning": "stay", "orders": {"A BUR": "A BUR H"}}'

    france = {**model(style), "backend": says(retreat=RETREAT, winter=WINTER, orders=hold)}
    germany = {**model(style), "backend": says(winter='{"reasoning": "", "orders": {}}', orders=attack)}
    record = played(tmp_path, game, france, germany)

    assert [event.data for event in record.refused()] == []
    assert [action["action"] for action in actions(record)] == [
        {"A BUR": "A BUR H"},
        {"A BUR": "A BUR R GAS"},
        {"PAR": "A PAR B"},
    ]


@pytest.mark.parametrize("style", ["spin-diplomacy", "direct"])
def test_constrained_answers_are_legal(tmp_path: Path, style: str):
    """A model that is held to the schema can write no illegal order, in the paper's form and in the plain one."""
    game = {"hands": [["FRANCE"], ["ENGLAND"]], "negotiation-rounds": 1, "knowledge": "asked"}
    agent = {**model(style), "constrained": True, "backend": {"use": "scripted"}}

    record = played(tmp_path, game, agent, {"use": "diplomacy-hold"})

    assert [event.data for event in record.refused()] == []
    orders = next(action["action"] for action in actions(record) if "orders" in action["action"])
    assert set(orders) <= {"orders", "report"}


def prompts(style: str, parts: Mapping[str, Any] | None = None, **game: Any) -> dict[str, str]:
    """The last message of the user by phase, as a player of England and France is asked in its first year."""
    settings = {"use": "diplomacy", "hands": [["FRANCE", "ENGLAND"], ["GERMANY"]], "last-year": 1901, **game}
    agent = {**model(style), "backend": {"use": "scripted"}}
    agent["prompt"]["parts"] = dict(parts or {})
    benchmark = load_benchmark(
        {"seed": 1, "games": {"d": settings}, "agents": {"a": agent}, "schedule": "self-play", "metrics": []}
    )
    plans = plan_matches(benchmark)
    captured = asyncio.run(requests_of_player(job_for(benchmark, plans), plans[0], 0))
    return {
        captured.turns[request.turn].phase: "\n".join(message.text for message in request.request.messages)
        for request in captured.requests
        if request.turn in captured.turns
    }


def test_the_power_is_named_in_every_prompt():
    """Each prompt says in the message of the turn whom one plays."""
    found = prompts("spin-diplomacy", **{"negotiation-rounds": 1, "knowledge": "asked"})

    assert {"negotiate", "orders"} <= found.keys()
    assert all("You play FRANCE+ENGLAND. The board:" in text for text in found.values())


def test_steps_and_report_are_what_the_ablation_leaves_out():
    """The first variant drops the steps of talk and of orders, the second one the report as well."""
    asked = {"negotiation-rounds": 1, "knowledge": "asked"}
    full, no_chain = prompts("spin-diplomacy", **asked), prompts("spin-diplomacy-no-chain", **asked)
    neither = prompts("spin-diplomacy-no-facts", **{"negotiation-rounds": 1})

    assert all("Think it through" in full[phase] for phase in ("negotiate", "orders"))
    assert not any("Think it through" in text for found in (no_chain, neither) for text in found.values())
    assert all('"report"' in found["orders"] for found in (full, no_chain))
    assert not any("report" in text for text in neither.values())


def test_position_borders_and_legal_orders_can_be_left_out():
    """A part that is dropped takes its text away and leaves the others."""
    whole = prompts("spin-diplomacy")["orders"]
    bare = prompts("spin-diplomacy", {"borders": False, "legal-orders": False, "position": False})["orders"]

    for mark in ("Where armies can go from each place", "Your legal orders:", "The board:"):
        assert mark in whole
        assert mark not in bare


def test_refused_answers_are_told_with_the_reason(tmp_path: Path):
    """The next try names the power and says what was wrong, and what the unit may do."""
    told = r"You play FRANCE, and your earlier answers in this phase were refused:\n- .*A PAR - LON.*A PAR - BUR"
    rules = [
        {"when": told, "say": '{"reasoning": "nearer", "orders": {"A PAR": "A PAR - BUR"}}'},
        {"when": ".", "say": '{"reasoning": "far", "orders": {"A PAR": "A PAR - LON"}}'},
    ]
    game = {"hands": [["FRANCE"]], "negotiation-rounds": 0}
    agent = {**model(), "backend": {"use": "scripted", "rules": rules}}

    record = played(tmp_path, game, agent, steps=1, retries=1)

    (refused,) = record.refused()
    assert refused.data["kind"] == "illegal"
    assert [action["action"] for action in actions(record)] == [{"A PAR": "A PAR - BUR"}]
