"""Positions in JSON: read back as written, and refused with one sentence where they cannot be."""

import json

import pytest
from arena_game_diplomacy import Position, PositionError

REFUSED = [
    (5, "the position: expected an object, got 5"),
    ({"units": {}}, "phase: expected one such as S1901M, F1901R or W1901A, got None"),
    ({"phase": "S1901A", "units": {}}, "phase: expected one such as S1901M, F1901R or W1901A, got 'S1901A'"),
    ({"phase": "S1901M"}, "units: missing; expected an object of lists by power"),
    ({"phase": "S1901M", "unit": {}}, "no key called 'unit' (did you mean 'units'?)"),
    ({"phase": "S1901M", "units": []}, "units: expected an object, got a list"),
    ({"phase": "S1901M", "units": {"FRANKE": []}}, "units: no power called 'FRANKE' (did you mean 'FRANCE'?)"),
    ({"phase": "S1901M", "units": {"FRANCE": [], "France": []}}, "units.FRANCE: given twice"),
    ({"phase": "S1901M", "units": {"FRANCE": "A PAR"}}, "units.FRANCE: expected a list, got 'A PAR'"),
    ({"phase": "S1901M", "units": {"FRANCE": [7]}}, "units.FRANCE[0]: expected a text, got 7"),
    (
        {"phase": "S1901M", "units": {"ENGLAND": ["F NTX"]}},
        "units.ENGLAND[0]: no province called 'NTX' (did you mean 'NTH'?)",
    ),
    (
        {"phase": "S1901M", "units": {"RUSSIA": ["F STP"]}},
        "units.RUSSIA[0]: a fleet in STP needs its coast: STP/NC or STP/SC",
    ),
    ({"phase": "S1901M", "units": {"FRANCE": ["A MAO"]}}, "units.FRANCE[0]: an army cannot be in MAO (sea)"),
    ({"phase": "S1901M", "units": {"FRANCE": ["F PAR"]}}, "units.FRANCE[0]: a fleet cannot be in PAR (inland)"),
    (
        {"phase": "S1901M", "units": {"FRANCE": ["PAR"]}},
        "units.FRANCE[0]: expected a unit such as 'A VIE' or 'F STP/SC', got 'PAR'",
    ),
    (
        {"phase": "S1901M", "units": {"FRANCE": ["A SPA"], "ITALY": ["F SPA/SC"]}},
        "units.ITALY: F SPA/SC and A SPA of FRANCE cannot both be in SPA",
    ),
    ({"phase": "S1901M", "units": {}, "centres": {"FRANCE": ["BUR"]}}, "centres.FRANCE[0]: BUR is no supply centre"),
    (
        {"phase": "S1901M", "units": {}, "centres": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}},
        "centres.ITALY: PAR and PAR of FRANCE cannot both be in PAR",
    ),
    (
        {"phase": "S1901M", "units": {}, "dislodged": {"FRANCE": {"A PAR": []}}},
        "dislodged: only a retreat phase has dislodged units, and S1901M is none",
    ),
    (
        {"phase": "S1901R", "units": {}, "dislodged": {"FRANCE": {"A PAR": ["MUN"]}}},
        "dislodged.FRANCE.A PAR[0]: A PAR cannot retreat to MUN, which it does not touch",
    ),
    (
        {"phase": "S1901R", "units": {"ITALY": ["A BUR"]}, "dislodged": {"FRANCE": {"A PAR": ["BUR"]}}},
        "dislodged.FRANCE.A PAR[0]: BUR holds a unit",
    ),
    ({"phase": "S1901M", "units": {}, "contested": ["XYZ"]}, "contested[0]: no province called 'XYZ'"),
    ({"phase": "S1901M", "units": {}, "win-centres": 0}, "win-centres: expected a number from 1, got 0"),
    ({"phase": "S1901M", "units": {}, "win-centres": True}, "win-centres: expected a number from 1, got True"),
]


@pytest.mark.parametrize(("value", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_position_that_cannot_be_read_says_where_and_why(value, reason):
    """The path leads to what is wrong, and a close name is suggested."""
    with pytest.raises(PositionError) as refused:
        Position.from_json(value)

    assert str(refused.value) == reason


def test_position_is_read_in_any_spelling():
    """Units and powers are read as orders are; what is missing is nothing."""
    position = Position.from_json(
        {
            "phase": "F1905R",
            "units": {"russia": ["f stp(sc)", "Army Moscow"]},
            "dislodged": {"Turkey": {"F ank": ["arm"]}},
        }
    )

    assert position.units["RUSSIA"] == ("A MOS", "F STP/SC")
    assert position.units["TURKEY"] == ()
    assert position.dislodged == {"TURKEY": {"F ANK": ("ARM",)}}
    assert position.centres is None
    assert (position.kind, position.year, position.win_centres) == ("R", 1905, 18)


def test_position_is_written_and_read_back():
    """Nothing is lost on the way, and powers that have nothing are left out."""
    position = Position.from_json(
        {
            "phase": "S1902R",
            "units": {"ITALY": ["A TRI"]},
            "centres": {"ITALY": ["ROM"], "AUSTRIA": ["TRI"]},
            "dislodged": {"AUSTRIA": {"A TRI": ["ALB", "BUD"], "F ALB": []}},
            "contested": ["SER"],
            "win-centres": 20,
        }
    )
    record = json.loads(json.dumps(position.to_json()))

    assert Position.from_json(record) == position
    assert record["dislodged"] == {"AUSTRIA": {"A TRI": ["ALB", "BUD"], "F ALB": []}}
    assert (record["contested"], record["win-centres"]) == (["SER"], 20)
    assert record["units"] == {"ITALY": ["A TRI"]}


def test_opening_begins_in_any_year():
    """The year can be chosen; 34 centres less the neutral ones are owned."""
    opening = Position.opening(1933)

    assert opening.phase == "S1933M"
    assert opening.centres is not None
    assert sum(map(len, opening.centres.values())) == 22
    assert Position.from_json(opening.to_json()) == opening
