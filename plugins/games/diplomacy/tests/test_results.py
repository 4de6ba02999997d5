"""What an adjudication says of each order, and what phase comes next."""

import pytest
from arena_game_diplomacy import Position, adjudicate, legal_orders


def told(result) -> dict[str, tuple[str, bool]]:
    """The word for each order, and whether its unit was dislodged."""
    return {one.order: (one.result, one.dislodged) for results in result.orders.values() for one in results}


def phase(name: str, units, orders, **more):
    """The result of orders in a position."""
    return adjudicate(Position.from_json({"phase": name, "units": units, **more}), orders)


def test_one_result_for_each_order_in_its_place():
    """Orders that were read have the standard notation, others the text that was given; missing ones have no result."""
    result = phase(
        "S1901M", {"FRANCE": ["A PAR", "A MAR", "F BRE"]}, {"FRANCE": ["a mar-gas", "A Foo - x", "A BRE-PAR"]}
    )

    assert [(one.order, one.result) for one in result.orders["FRANCE"]] == [
        ("A MAR - GAS", "ok"),
        ("A Foo - x", "illegal"),
        ("F BRE - PAR", "illegal"),
    ]
    assert result.units["FRANCE"] == ("A GAS", "A PAR", "F BRE")


def test_reasons_name_who_was_in_the_way():
    """A bounce says against whom, a cut who attacked, a support that matches nothing what was ordered instead."""
    units = {"FRANCE": ["A PAR", "A MAR", "A GAS"], "GERMANY": ["A MUN", "A RUH", "A BEL"], "ITALY": ["A PIE"]}
    orders = {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A MAR - BUR"],
        "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A BEL S A RUH - HOL"],
        "ITALY": ["A PIE - MAR"],
    }
    result = phase("S1901M", units, orders)

    assert {one.order: (one.result, one.reason) for results in result.orders.values() for one in results} == {
        "A PAR - BUR": ("bounced", "A MUN went there with more strength"),
        "A MAR S A PAR - BUR": ("cut", "A PIE attacked the supporting unit"),
        "A GAS S A MAR - BUR": ("void", "A MAR was not ordered to go to BUR"),
        "A MUN - BUR": ("ok", ""),
        "A RUH S A MUN - BUR": ("ok", ""),
        "A BEL S A RUH - HOL": ("void", "A RUH was not ordered to go to HOL"),
        "A PIE - MAR": ("bounced", "A MAR was not dislodged"),
    }


def test_words_for_units_that_are_dislodged():
    """A hold is ok although its unit is dislodged, and an illegal order stays illegal."""
    units = {"AUSTRIA": ["A TRI", "A VIE", "A SER"], "ITALY": ["A VEN", "A TYR", "F ADR"], "TURKEY": ["A BUL", "A GRE"]}
    orders = {
        "AUSTRIA": ["A TRI H", "A SER - MOS", "A VIE S A TRI"],
        "ITALY": ["A VEN - TRI", "F ADR S A VEN - TRI", "A TYR - VIE"],
        "TURKEY": ["A BUL - SER", "A GRE S A BUL - SER"],
    }
    result = phase("S1901M", units, orders)

    assert told(result)["A TRI H"] == ("ok", True)
    assert told(result)["A SER - MOS"] == ("illegal", True)
    assert told(result)["A VIE S A TRI"] == ("cut", False)
    assert told(result)["A TYR - VIE"] == ("bounced", False)
    assert result.dislodged == {"AUSTRIA": {"A SER": ("ALB", "BUD", "RUM"), "A TRI": ("ALB", "BUD")}}


def test_words_for_convoys():
    """A convoy that matches is ok even where its fleet is dislodged, and then the army has no convoy."""
    units = {"ENGLAND": ["A LON", "F NTH"], "GERMANY": ["F HEL", "F SKA"], "FRANCE": ["F ENG"]}
    orders = {
        "ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"],
        "GERMANY": ["F HEL - NTH", "F SKA S F HEL - NTH"],
        "FRANCE": ["F ENG C A LON - BEL"],
    }
    result = phase("S1901M", units, orders)

    assert told(result)["A LON - NWY VIA"] == ("no-convoy", False)
    assert told(result)["F NTH C A LON - NWY"] == ("ok", True)
    assert told(result)["F ENG C A LON - BEL"] == ("void", False)


def test_a_convoy_that_fails_by_paradox_is_cut():
    """The army then has no convoy, and cuts nothing."""
    units = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
    orders = {"ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"], "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"]}

    assert told(phase("S1901M", units, orders)) == {
        "F LON S F WAL - ENG": ("ok", False),
        "F WAL - ENG": ("ok", False),
        "A BRE - LON VIA": ("no-convoy", False),
        "F ENG C A BRE - LON": ("cut", True),
    }


def test_dislodged_unit_with_nowhere_to_go_needs_no_retreat_phase():
    """Its list is empty, and the next phase is the one after."""
    units = {"FRANCE": ["F POR"], "ITALY": ["F SPA/SC", "F MAO"]}
    result = phase("S1901M", units, {"ITALY": ["F SPA/SC - POR", "F MAO S F SPA/SC - POR"]})

    assert result.dislodged == {"FRANCE": {"F POR": ()}}
    assert result.to_json()["dislodged"] == {"FRANCE": {"F POR": []}}
    assert result.next is not None
    assert result.next.phase == "F1901M"


RETREAT = {
    "units": {"RUSSIA": ["F ANK", "F CON"]},
    "dislodged": {"TURKEY": {"F BLA": ["ARM", "BUL/EC", "RUM"], "A SMY": ["ARM", "SYR"]}},
}


@pytest.mark.parametrize(
    ("orders", "units", "words"),
    [
        (["F BLA - RUM", "A SMY R SYR"], ("A SYR", "F RUM"), ["ok", "ok"]),
        (["F BLA R ARM", "A SMY R ARM"], (), ["bounced", "bounced"]),
        (["F BLA - BUL", "A SMY D"], ("F BUL/EC",), ["ok", "ok"]),
        (["F BLA - RUM", "F BLA D"], (), ["void", "void"]),
        (["F BLA S A SMY - ARM", "A SMY - CON"], (), ["illegal", "illegal"]),
        ([], (), []),
    ],
)
def test_retreats(orders, units, words):
    """A dash is read as R; who meets another, is told two things or nothing, is disbanded."""
    result = phase("S1901R", orders={"TURKEY": orders}, **RETREAT)

    assert result.units["TURKEY"] == units
    assert [one.result for one in result.orders["TURKEY"]] == words
    assert result.next is not None
    assert result.next.phase == "F1901M"


def test_legal_retreats_are_the_places_that_were_told():
    """And to be disbanded, which is all that is left to a unit with nowhere to go."""
    position = Position.from_json({"phase": "S1901R", **RETREAT})

    assert legal_orders(position)["TURKEY"] == {
        "A SMY": ("A SMY R ARM", "A SMY R SYR", "A SMY D"),
        "F BLA": ("F BLA R ARM", "F BLA R BUL/EC", "F BLA R RUM", "F BLA D"),
    }


@pytest.mark.parametrize(
    ("orders", "built", "words"),
    [
        (["A MOS B", "F STP/NC B"], ("A MOS", "F STP/NC"), ["ok", "ok"]),
        (["A MOS B", "WAIVE"], ("A MOS",), ["ok", "ok"]),
        (["WAIVE", "A MOS B", "A STP B"], ("A MOS", "A STP"), ["void", "ok", "ok"]),
        (["A MOS B", "A STP B", "F SEV B"], ("A MOS", "A STP"), ["ok", "ok", "void"]),
        (["A STP B", "F STP/SC B"], ("A STP",), ["ok", "void"]),
        (["F STP B", "A WAR B", "A UKR D", "A MOS H"], (), ["illegal"] * 4),
        ([], (), []),
    ],
)
def test_builds(orders, built, words):
    """Builds in empty home centres of one's own, the first ones where there are too many; others can be waived."""
    centres = {"RUSSIA": ["MOS", "STP", "SEV", "RUM"], "TURKEY": ["WAR"]}
    result = phase("W1901A", {"RUSSIA": ["A UKR", "A GAL"]}, {"RUSSIA": orders}, centres=centres)

    assert result.units["RUSSIA"] == tuple(sorted(("A GAL", "A UKR", *built)))
    assert [one.result for one in result.orders["RUSSIA"]] == words
    assert result.next is not None
    assert result.next.phase == "S1902M"


def test_disbands_too_many_are_void_and_missing_ones_made_up():
    """The first legal ones count; who says too little loses the unit farthest from home."""
    centres = {"ITALY": ["ROM"], "TURKEY": ["CON"]}
    units = {"ITALY": ["A ROM", "A VEN"], "TURKEY": ["A CON", "A RUH", "A BUL"]}
    orders = {"ITALY": ["A ROM D", "A VEN D"], "TURKEY": ["A BUL D"]}
    result = phase("W1901A", units, orders, centres=centres)

    assert told(result) == {"A ROM D": ("ok", False), "A VEN D": ("void", False), "A BUL D": ("ok", False)}
    assert result.units == Position("W1901A", {"ITALY": ("A VEN",), "TURKEY": ("A CON",)}).units


def test_centres_change_hands_after_autumn_only():
    """In spring nobody gains; in autumn who stands on a centre does, and then builds if it has room."""
    units, centres = {"FRANCE": ["A SPA"], "GERMANY": ["A PAR"]}, {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]}
    spring = phase("S1901M", units, {}, centres=centres)
    autumn = phase("F1901M", units, {}, centres=centres)

    assert spring.centres["FRANCE"] == ("BRE", "PAR")
    assert autumn.centres["FRANCE"] == ("BRE", "SPA")
    assert autumn.centres["GERMANY"] == ("MUN", "PAR")
    assert autumn.next is not None
    assert autumn.next.phase == "W1901A"


def test_centres_change_hands_only_after_retreats():
    """Where somebody retreats in autumn, ownership waits for it."""
    units = {"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["A TRI"]}
    centres = {"AUSTRIA": ["TRI"], "ITALY": ["VEN"]}
    fought = phase("F1901M", units, {"ITALY": ["A TYR - TRI", "A VEN S A TYR - TRI"]}, centres=centres)

    assert fought.next is not None
    assert (fought.next.phase, fought.centres["AUSTRIA"]) == ("F1901R", ("TRI",))

    over = adjudicate(fought.next, {"AUSTRIA": ["A TRI - SER"]})

    assert over.centres["AUSTRIA"] == ("SER",)
    assert over.centres["ITALY"] == ("TRI", "VEN")
    assert over.next is not None
    assert over.next.phase == "S1902M", "everybody has as many units as centres"


def test_no_winter_where_nobody_can_build():
    """A power with centres to spare and no empty home centre does not hold up the others."""
    units, centres = {"TURKEY": ["A CON"]}, {"TURKEY": ["CON", "BUL"]}
    result = phase("F1901M", units, {}, centres=centres)

    assert result.next is not None
    assert result.next.phase == "S1902M"


def test_nothing_is_owned_without_centres():
    """Then no centres change hands, and no winter comes."""
    result = phase("F1901M", {"TURKEY": ["A BUL"]}, {})

    assert result.to_json()["centres"] == {}
    assert result.next is not None
    assert result.next.phase == "S1902M"
    assert "centres" not in result.next.to_json()


def test_who_has_enough_centres_wins():
    """After autumn the one with most centres wins if it has enough; two with as many go on."""
    centres = {"FRANCE": ["PAR", "MAR", "BRE"], "ITALY": ["ROM", "VEN"]}
    units = {"FRANCE": ["A PAR", "A MAR", "F BRE"], "ITALY": ["A NAP"]}
    won = phase("F1901M", units | {"ITALY": ["A ROM"]}, {}, centres=centres, **{"win-centres": 3})
    tied = phase("F1901M", units, {}, centres=centres, **{"win-centres": 3})

    assert (won.winner, won.next) == ("FRANCE", None)
    assert won.to_json()["next"] is None
    assert tied.winner is None
    assert tied.next is not None
    assert tied.next.win_centres == 3


def test_orders_of_nobody_are_illegal():
    """A power that is not on the map has results too."""
    result = phase("S1901M", {"FRANCE": ["A PAR"]}, {"FRANKE": ["A PAR - BUR"]})

    (one,) = result.orders["FRANKE"]
    assert (one.result, one.reason) == ("illegal", "no power called 'FRANKE' (did you mean 'FRANCE'?)")


def test_the_last_year_has_no_next():
    """Years have four digits."""
    assert phase("W9999A", {"FRANCE": ["A PAR"]}, {}, centres={"FRANCE": ["PAR"]}).next is None
