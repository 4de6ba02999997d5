"""Orders of a player: what is legal, what is read, and why something is refused."""

import pytest
from arena.chance import Chance
from arena.record import Player
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.rules.adjudication import adjudicate
from arena_game_diplomacy.rules.legal import legal_orders

FRANCE = Player(0)
WINTER = {
    "phase": "W1905A",
    "units": {"FRANCE": ["A BUR", "F MAO"], "RUSSIA": ["A MOS", "A SEV", "F BLA"], "ITALY": ["A ROM"]},
    "centres": {"FRANCE": ["PAR", "BRE", "MAR", "SPA"], "RUSSIA": ["SEV"], "ITALY": ["ROM", "VEN"]},
}
BEATEN = {
    "phase": "S1905R",
    "units": {"GERMANY": ["A BUR"]},
    "centres": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "dislodged": {"FRANCE": {"A BUR": ["GAS", "PAR"]}},
}


def state_of(start=None, hands=("FRANCE",), **parameters):
    """A state in which the first of these hands gives orders."""
    settings = {"negotiation_rounds": 0, "start": start, "hands": list(hands)} | parameters
    return Diplomacy(**settings).start(Chance(0), len(hands))[0]


def test_schema_lists_the_legal_orders():
    """The schema enumerates exactly the legal orders of each unit, and requires none."""
    state = state_of()

    schema = state.decision(FRANCE).action_schema

    expected = {unit: {"enum": list(orders)} for unit, orders in legal_orders(state.position)["FRANCE"].items()}
    assert schema == {"type": "object", "properties": expected, "additionalProperties": False}


def test_every_legal_order_is_accepted():
    """Each legal order of each unit is accepted, alone and in other notations."""
    state = state_of(hands=[["FRANCE", "RUSSIA"]])
    decision = state.decision(FRANCE)

    for power in ("FRANCE", "RUSSIA"):
        for unit, orders in legal_orders(state.position)[power].items():
            for order in orders:
                assert state.check(FRANCE, {unit: order}) is None
                assert decision.aliases([order.lower()]) == {unit: order}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["A Par-Bur", "a mar s a par - bur"], {"A PAR": "A PAR - BUR", "A MAR": "A MAR S A PAR - BUR"}),
        ({"A Paris": "army paris - burgundy"}, {"A PAR": "A PAR - BUR"}),
        ({"a par": "- BUR", "F BRE": "H"}, {"A PAR": "A PAR - BUR", "F BRE": "F BRE H"}),
        ({"A PAR": "A PAR - BUR", "F BRE": None}, {"A PAR": "A PAR - BUR"}),
        ({"FRANCE": ["A PAR H", "A MAR H"]}, {"A PAR": "A PAR H", "A MAR": "A MAR H"}),
        ({"orders": ["A PAR H"]}, {"A PAR": "A PAR H"}),
        ([], {}),
    ],
)
def test_other_ways_to_write(written, meant):
    """Lists, other notations, orders without their unit and objects by power are read as what they mean."""
    state = state_of()

    assert state.decision(FRANCE).aliases(written) == meant
    assert state.check(FRANCE, meant) is None


@pytest.mark.parametrize(
    ("orders", "reason"),
    [
        ({"A PAR": "A PAR - LON"}, "A PAR does not touch LON"),
        ({"A PAR": "A PAR - LON"}, "A PAR may: A PAR H, A PAR - BRE, A PAR - BUR"),
        ({"A PAR": "A PAR - BUR", "a mar": "A MAR - LON"}, "A MAR does not touch LON"),
        ({"A PAR": "A MAR - BUR"}, "'A MAR - BUR' is no order of A PAR here"),
        ({"A PAR": "dance"}, "cannot be read as an order"),
        ({"A PAR": 7}, "the order of A PAR is 7, not a text"),
        ({"A MUN": "A MUN H"}, "'A MUN' is nothing of yours to be ordered; there is: A MAR, A PAR, F BRE"),
        (["A MUN H"], "A MUN is a unit of GERMANY; yours are A MAR, A PAR, F BRE"),
        (["A PAR H", "A MAR - LON"], "A MAR may: A MAR H, A MAR - BUR"),
        (["A PAR - LIV"], "can mean"),
        (["A PAR H", "A PAR - BUR"], "A PAR has two orders"),
        ("A PAR H", "expected an object from units to orders"),
        (None, "expected an object from units to orders"),
    ],
)
def test_illegal_orders_are_refused_with_a_reason(orders, reason):
    """One illegal order refuses the answer, says why, and names what the unit may do; nothing of it is read."""
    state = state_of()

    refused = state.check(FRANCE, orders)

    assert refused is not None
    assert reason in refused.reason
    assert state.decision(FRANCE).aliases(orders) is orders


def test_units_left_out_hold():
    """A unit without an order holds, and the record says that it had none."""
    state = state_of()

    (told, *_) = state.apply({FRANCE: {"A PAR": "A PAR - BUR"}})

    assert told.data["missing"] == {"FRANCE": ["A MAR", "F BRE"]}
    assert state.position.units["FRANCE"] == ("A BUR", "A MAR", "F BRE")


def test_order_of_keys_changes_nothing():
    """The same orders in another sequence give the same record."""
    orders = {"A PAR": "A PAR - BUR", "F BRE": "F BRE - MAO", "A MAR": "A MAR H"}

    records = [
        state_of().apply({FRANCE: dict(sequence)})[0].data
        for sequence in (orders.items(), reversed(list(orders.items())))
    ]

    assert records[0] == records[1]


def test_retreats():
    """A dislodged unit goes where it may, in any notation; elsewhere is refused."""
    state = state_of(BEATEN, ("FRANCE", "GERMANY"))

    assert state.to_act() == (FRANCE,)
    assert state.decision(FRANCE).aliases(["A Bur - Gas"]) == {"A BUR": "A BUR R GAS"}
    assert "only to GAS, PAR" in state.check(FRANCE, {"A BUR": "A BUR R MAR"}).reason
    state.apply({FRANCE: {"A BUR": "A BUR R GAS"}})
    assert state.position.units["FRANCE"] == ("A GAS",)


def test_adjustments():
    """Who may build says so by home centre, who must disband by unit; too many of either are refused."""
    state = state_of(WINTER, ("FRANCE", "RUSSIA", "ITALY"), last_year=1906)
    russia, italy = Player(1), Player(2)
    assert state.to_act() == (FRANCE, russia, italy)
    assert state.decision(FRANCE).action_schema["properties"]["BRE"] == {"enum": ["A BRE B", "F BRE B", "WAIVE"]}

    three = {"PAR": "A PAR B", "BRE": "F BRE B", "MAR": "A MAR B"}
    assert "FRANCE may build 2, not 3" in state.check(FRANCE, three).reason
    all_three = {unit: f"{unit} D" for unit in state.position.units["RUSSIA"]}
    assert "RUSSIA must disband 2, not 3" in state.check(russia, all_three).reason
    builds = state.decision(FRANCE).aliases(["F BRE B", "WAIVE"])
    told = state.apply({FRANCE: builds, russia: {"F BLA": "F BLA D"}, italy: {"VEN": "WAIVE"}})

    assert builds == {"BRE": "F BRE B"}
    assert told[0].data["missing"] == {"RUSSIA": ["A MOS"]}
    assert state.position.units["FRANCE"] == ("A BUR", "F BRE", "F MAO")
    assert state.position.units["RUSSIA"] == ("A SEV",)


def test_waived_builds_are_told_as_such():
    """Builds that are waived are ``ok`` in the record, even where every home centre is mentioned."""
    state = state_of(WINTER, ("FRANCE",), last_year=1906)

    (told, *_) = state.apply({FRANCE: {"BRE": "WAIVE", "MAR": "A MAR B", "PAR": "WAIVE"}})

    assert [(each["order"], each["result"]) for each in told.data["orders"]["FRANCE"]] == [
        ("A MAR B", "ok"),
        ("WAIVE", "ok"),
    ]


def test_match_follows_the_adjudicator():
    """A phase of a match is what the public function says of its position and orders."""
    state = state_of(hands=["FRANCE", "GERMANY"])
    before, orders = state.position, {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR", "A BER - MUN"]}

    (told, *_) = state.apply(
        {
            FRANCE: {"A PAR": "A PAR - BUR"},
            Player(1): {"A MUN": "A MUN - BUR", "A BER": "A BER - MUN"},
        }
    )

    expected = adjudicate(before, orders).to_json()
    given = {power: sorted(each["order"] for each in told.data["orders"][power]) for power in orders}
    assert given == {power: sorted(texts) for power, texts in orders.items()}
    assert {key: told.data[key] for key in ("units", "next", "contested", "winner")} == {
        key: expected[key] for key in ("units", "next", "contested", "winner")
    }
