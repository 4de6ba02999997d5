"""What the players of Diplomacy without a model order, and that they keep the contract of agents."""

from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from arena.agent import Agent
from arena.errors import ConfigError
from arena.record import Ending
from arena.testing import REFERENCE_GAME, check_agent
from arena_agent_diplomacy.chatty import DiplomacyChatty
from arena_agent_diplomacy.greedy import DiplomacyGreedy
from arena_agent_diplomacy.hold import DiplomacyHold
from arena_agent_diplomacy.movement import OrderPlan, success
from arena_agent_diplomacy.reserves import build_orders, disband_orders, retreat_orders
from arena_agent_diplomacy.values import Side, distances
from arena_game_diplomacy import STANDARD, Position, legal_orders
from arena_game_diplomacy.game import Diplomacy
from arena_testing.fixtures.play_match import play

AGENTS = [DiplomacyHold(), DiplomacyGreedy(), DiplomacyChatty(breaks=0.5)]


def side(phase: str, units: dict[str, list[str]], centres: dict[str, list[str]], **more: Any) -> Side:
    """The side of France in a position, in which all others are passive unless ``more`` says otherwise."""
    given = {key: more.pop(key) for key in ("dislodged", "contested") if key in more}
    position = Position.from_json({"phase": phase, "units": units, "centres": centres, **given})
    return Side(position, frozenset({"FRANCE"}), **{"passive": frozenset({"GERMANY", "ITALY", "ENGLAND"}), **more})


def all_but(*names: str) -> list[str]:
    """The centres of the map without some."""
    return [name for name in STANDARD.centres if name not in names]


def ordered(of: Side, seed: int = 0) -> dict[str, str]:
    """The orders that France gets."""
    return OrderPlan(of, legal_orders(of.position)["FRANCE"], Random(seed)).complete()


def test_distances_are_those_of_the_unit():
    """An army walks, a fleet sails from its own coast, and neither gets where the other only can."""
    assert distances(STANDARD, "A PAR")["MUN"] == 2
    assert "LON" not in distances(STANDARD, "A PAR")
    assert distances(STANDARD, "F BRE")["LON"] == 2
    assert "MUN" not in distances(STANDARD, "F BRE")
    assert distances(STANDARD, "F STP/NC")["NWY"] == 1
    assert distances(STANDARD, "F STP/SC")["NWY"] > 2


def test_a_unit_alone_takes_an_empty_centre():
    """An army one move away from a centre of nobody goes there."""
    assert ordered(side("S1901M", {"FRANCE": ["A MAR"]}, {"FRANCE": ["MAR", "PAR", "BRE"]})) == {"A MAR": "A MAR - SPA"}


def test_a_centre_that_is_held_is_attacked_with_support():
    """Two armies dislodge a unit that holds: one goes and the other supports it."""
    units = {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]}

    orders = ordered(side("F1901M", units, {"FRANCE": all_but("MUN"), "GERMANY": ["MUN"]}))

    assert set(orders.values()) in ({"A BUR - MUN", "A RUH S A BUR - MUN"}, {"A RUH - MUN", "A BUR S A RUH - MUN"})


def test_nobody_leaves_a_centre_before_it_changes_hands():
    """In autumn a unit that stands on a centre of somebody else stays there."""
    units = {"FRANCE": ["A SPA", "A BEL"]}

    orders = ordered(side("F1901M", units, {"FRANCE": all_but("SPA", "BEL", "GRE")}))

    assert orders == {"A SPA": "A SPA H", "A BEL": "A BEL H"}


def test_an_army_crosses_the_sea():
    """An army that gets nowhere by land is convoyed by a fleet, where all centres of its island are its own."""
    units = {"ENGLAND": ["A LON", "F NTH"]}
    centres = {"ENGLAND": ["LON", "EDI", "LVP"]}
    position = Position.from_json({"phase": "S1901M", "units": units, "centres": centres})

    of = Side(position, frozenset({"ENGLAND"}))
    orders = OrderPlan(of, legal_orders(position)["ENGLAND"], Random(0)).complete()

    assert orders["A LON"].endswith(" VIA")
    assert orders["F NTH"] == f"F NTH C {orders['A LON'].removesuffix(' VIA')}"


def test_a_threatened_centre_is_kept():
    """Where an enemy can come, the unit on the centre stays and the other one helps it, unless the enemy only holds."""
    units = {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A PIC"]}
    of = side("F1901M", units, {"FRANCE": ["PAR"], "ENGLAND": all_but("PAR")}, friends=frozenset({"ENGLAND"}))

    threatened = ordered(attrs.evolve(of, passive=frozenset()))

    assert threatened == {"A PAR": "A PAR H", "A GAS": "A GAS S A PAR"}
    assert ordered(of) != threatened


def test_no_two_units_go_to_one_province():
    """Of what a side orders nothing bounces off itself, and no unit swaps its place with another."""
    position = Position.opening()
    for power in STANDARD.powers:
        for seed in range(10):
            of = Side(position, frozenset({power}))
            orders = OrderPlan(of, legal_orders(position)[power], Random(seed)).complete()
            ends = [order.split(" - ")[1][:3] if " - " in order[:9] else unit[2:5] for unit, order in orders.items()]
            assert len(set(ends)) == len(orders) == len(position.units[power])


def test_orders_that_are_given_are_kept():
    """What a unit has promised stands, and others plan around it."""
    of = side("S1901M", {"FRANCE": ["A MAR", "A GAS"]}, {"FRANCE": ["MAR", "PAR", "BRE"]})
    legal = legal_orders(of.position)["FRANCE"]

    orders = OrderPlan(of, legal, Random(0), {"A GAS": "A GAS - SPA"}).complete()

    assert orders["A GAS"] == "A GAS - SPA"
    assert orders["A MAR"] in ("A MAR S A GAS - SPA", "A MAR - PIE", "A MAR - BUR", "A MAR - GAS")


def test_friends_are_not_attacked_and_empty_provinces_not_entered():
    """No order goes to where a friend stands or owns a centre, or to what is to be empty."""
    units = {"FRANCE": ["A BUR", "A RUH", "A MAR"], "GERMANY": ["A MUN"]}
    centres = {"GERMANY": ["MUN", "KIE", "HOL", "BEL"]}

    of = side("S1901M", units, centres, friends=frozenset({"GERMANY"}), empty=frozenset({"SPA", "PIC"}))

    assert of.closed == {"MUN", "KIE", "HOL", "BEL", "SPA", "PIC"}
    for seed in range(20):
        assert not any(f"- {name}" in order for name in of.closed for order in ordered(of, seed).values())


@pytest.mark.parametrize(
    ("strength", "resistance", "rivals", "chance"),
    [(1, 0, 0, 1.0), (1, 1, 0, 0.0), (2, 1, 0, 1.0), (1, 0, 1, 0.65), (2, 0, 1, 1.0), (2, 1, 2, 0.4225)],
)
def test_the_chance_of_an_order_counts_who_may_oppose_it(strength: int, resistance: int, rivals: int, chance: float):
    """Each rival opposes it on its own; what nobody can resist is certain."""
    assert success(strength, resistance, rivals) == pytest.approx(chance)


def test_a_retreat_goes_to_the_best_place():
    """A dislodged unit takes a centre if it can, two do not take the same one, and else a unit is disbanded."""
    dislodged = {"FRANCE": {"A GAS": ["SPA", "BUR"], "A MAR": ["SPA"], "A PIE": []}}
    of = side("F1901R", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR"]}, dislodged=dislodged)

    orders = retreat_orders(of, legal_orders(of.position)["FRANCE"])

    assert sorted(order for order in orders.values() if "SPA" in order) in (["A GAS R SPA"], ["A MAR R SPA"])
    assert orders["A PIE"] == "A PIE D"
    assert len(orders) == 3


def test_builds_are_what_gets_to_centres():
    """England builds fleets, since armies of its island get nowhere; one unit each place, and no more than it may."""
    position = Position.from_json(
        {
            "phase": "W1901A",
            "units": {"ENGLAND": ["F NTH"]},
            "centres": {"ENGLAND": ["LON", "EDI", "LVP"]},
        }
    )
    of = Side(position, frozenset({"ENGLAND"}))

    orders = build_orders(of, legal_orders(position)["ENGLAND"], 2)

    assert sorted(orders.values())[:2] == sorted(order for order in orders.values() if order.startswith("F "))[:2]
    assert list(orders.values()).count("WAIVE") == 1
    assert orders.keys() == {"EDI", "LON", "LVP"}


def test_the_least_useful_units_are_disbanded():
    """A fleet in a far sea goes before the army that stands beside a centre to be taken."""
    of = side("W1901A", {"FRANCE": ["A BUR", "F BAR"]}, {"FRANCE": ["PAR"]})

    assert disband_orders(of, "FRANCE", 1) == {"F BAR": "F BAR D"}


@pytest.mark.sample(fast=1, slow=2)
@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: type(agent).__name__)
@pytest.mark.parametrize(
    "game",
    [
        Diplomacy(hands=(("FRANCE",), ("ITALY", "TURKEY")), negotiation_rounds=2, last_year=1902, knowledge="asked"),
        Diplomacy(hands=(("ENGLAND",),), last_year=1902),
    ],
    ids=["two-players", "alone"],
)
def test_players_keep_the_contract_of_agents(agent: Agent, game: Diplomacy):
    """In every seat, beside random players and itself, all they do is legal, and replays the same."""
    players = game.player_counts()[0]

    assert check_agent(agent, game, players, matches=1, is_legal=True).replies > 0


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: type(agent).__name__)
def test_other_games_are_refused(agent: Agent):
    """What is no Diplomacy is refused before anything is played."""
    with pytest.raises(ConfigError, match="plays diplomacy, and"):
        agent.needs(REFERENCE_GAME, 2)


def test_holding_units_hold(tmp_path: Path):
    """Seven players who hold end as they began, without a message, with every unit ordered."""
    record = play(Diplomacy(last_year=1902), [DiplomacyHold()] * 7, tmp_path).over

    results = [event.data for event in record.events if event.kind == "adjudicated"]
    assert record.ending is Ending.RULES
    assert {one["result"] for result in results for orders in result["orders"].values() for one in orders} == {"ok"}
    assert not any(result["missing"] for result in results)
    assert not any(event.kind == "message" for event in record.events)
    assert {power: tuple(units) for power, units in results[-1]["units"].items()} == Position.opening().units


@pytest.mark.slow
def test_the_greedy_player_says_nothing_and_plays_the_same_again(tmp_path: Path):
    """A match is a function of its seed, and another seed makes another match."""
    game = Diplomacy(last_year=1902, negotiation_rounds=1)
    events = [
        [
            (event.kind, event.data)
            for event in play(game, [DiplomacyGreedy()] * 7, tmp_path / name, seed=seed).over.events
        ]
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    ]

    assert events[0] == events[1] != events[2]
    assert not any(kind == "message" for kind, _ in events[0])
