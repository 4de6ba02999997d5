"""Orders are read in every usual notation, and what can mean two things is refused."""

import pytest
from arena_game_diplomacy import POWERS, STANDARD, OrderError, Position, legal_orders, read_order
from arena_game_diplomacy.rules.notation import parse_order

WRITTEN = {
    "A VIE - BUD": "A VIE - BUD",
    "A Vie-Bud": "A VIE - BUD",
    "  a   vie  -  bud ": "A VIE - BUD",
    "AVIE-BUD": "A VIE - BUD",
    "A VIE -> BUD": "A VIE - BUD",
    "A VIE → BUD": "A VIE - BUD",
    "A Vie\u2013Bud": "A VIE - BUD",
    "Army Vienna - Budapest": "A VIE - BUD",
    "F Nth C A Lon-Nwy": "F NTH C A LON - NWY",
    "Fleet North Sea convoys Army London - Norway": "F NTH C A LON - NWY",
    "A BUD S A VIE - GAL": "A BUD S A VIE - GAL",
    "A Bud supports A Vie - Gal": "A BUD S A VIE - GAL",
    "A BUD S A VIE": "A BUD S A VIE",
    "A BUD S A VIE H": "A BUD S A VIE",
    "A BUD H": "A BUD H",
    "A Bud holds": "A BUD H",
    "F STP/NC H": "F STP/NC H",
    "F Stp(nc) - BAR": "F STP/NC - BAR",
    "F St. Petersburg (north coast) - Barents Sea": "F STP/NC - BAR",
    "F Saint Petersburg NC H": "F STP/NC H",
    "F SPA SC S F MAR - LYO": "F SPA/SC S F MAR - LYO",
    "F SPA S F CON": "F SPA S F CON",
    "F ROM/WC - NAP": "F ROM - NAP",
    "A PAR - BUR VIA": "A PAR - BUR VIA",
    "A PAR - BUR via convoy": "A PAR - BUR VIA",
    "A PAR - BUR by convoy": "A PAR - BUR VIA",
    "A SWE R FIN": "A SWE R FIN",
    "A SWE retreats to FIN": "A SWE R FIN",
    "A SWE D": "A SWE D",
    "A Sweden disband": "A SWE D",
    "A PAR B": "A PAR B",
    "F STP/SC B": "F STP/SC B",
    "waive": "WAIVE",
    "F Mid-Atlantic Ocean - English Channel": "F MAO - ENG",
    "F mid atlantic ocean - ech": "F MAO - ENG",
}
ABBREVIATIONS = {
    "MID": "MAO",
    "NAT": "NAO",
    "NRG": "NWG",
    "GOL": "LYO",
    "GOB": "BOT",
    "TYN": "TYS",
    "ECH": "ENG",
    "WME": "WES",
    "EMS": "EAS",
    "EME": "EAS",
    "HEB": "HEL",
    "HBG": "HEL",
    "VIN": "VIE",
    "VNA": "VIE",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_order_is_read_whatever_case_spaces_and_names(text):
    """Every spelling comes to the same standard notation, which is read as itself."""
    order = parse_order(STANDARD, text)

    assert str(order) == WRITTEN[text]
    assert parse_order(STANDARD, str(order)) == order


def test_every_name_and_usual_abbreviation_of_a_province_is_read():
    """The three letters, the full name, and those other abbreviations that mean one province."""
    names = {name: name for name in STANDARD.provinces} | ABBREVIATIONS
    names |= {province.full_name: name for name, province in STANDARD.provinces.items()}

    for written, name in names.items():
        assert str(parse_order(STANDARD, f"A {written} H")) == f"A {name} H"


def test_no_spelling_without_spaces_can_be_read_as_another():
    """Every legal order of the opening says the same without its spaces."""
    for units in legal_orders(Position.opening()).values():
        for text in (text for texts in units.values() for text in texts):
            assert str(parse_order(STANDARD, text.replace(" ", ""))) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A LIV - YOR", "'LIV' can mean Livonia (LVN) or Liverpool (LVP)"),
        ("F NOT - ENG", "'NOT' can mean North Atlantic Ocean (NAO) or North Sea (NTH)"),
        ("F NTX - NWY", "no province called 'NTX' (did you mean 'NTH'?)"),
        ("A VIE", "cannot be read as an order such as 'A VIE - BUD' or 'A BUD S A VIE - GAL'"),
        ("", "cannot be read as an order such as 'A VIE - BUD' or 'A BUD S A VIE - GAL'"),
        ("F STP/EC - BOT", "STP has no coast EC, only NC and SC"),
        ("F NTH C A LON", "a convoy must say where the army goes, such as 'F NTH C A LON - NWY'"),
        ("A" * 201, "cannot be read: it has 201 characters"),
    ],
)
def test_what_cannot_be_read_says_why(text, reason):
    """What means nothing, or two things, is refused with one sentence."""
    with pytest.raises(OrderError) as refused:
        parse_order(STANDARD, text)

    assert str(refused.value) == reason


def test_nor_can_mean_five_provinces():
    """An abbreviation is never guessed."""
    with pytest.raises(OrderError, match=r"can mean North Africa .*, North Sea .* or Norway"):
        parse_order(STANDARD, "F NOR - SKA")


def _position(**units) -> Position:
    return Position.from_json({"phase": "S1901M", "units": units})


ILLEGAL = [
    ("A PAR - MAR", "there is no unit in PAR"),
    ("A LVP - EDI", "A LVP is a unit of ENGLAND"),
    ("F BRE - SPA", "F BRE does not touch SPA"),
    ("F BRE - MAO VIA", "only armies can be convoyed"),
    ("F MAO - SPA", "F MAO must say to which coast: SPA/NC or SPA/SC"),
    ("A GAS - POR VIA", ""),
    ("A GAS - MUN", "A GAS does not touch MUN, and no fleets could convoy it there"),
    ("A BUR - GAS VIA", "no fleets could convoy A BUR to GAS"),
    ("A GAS S A GAS", "A GAS cannot support itself"),
    ("A GAS S A LVP - YOR", "A GAS does not touch YOR"),
    ("F BRE S A GAS - PIC", "A GAS could not go to PIC if F BRE supports it"),
    ("A BUR S F BRE - PIC", ""),
    ("A GAS S F MAO - SPA/EC", "SPA has no coast EC, only NC and SC"),
    ("F BRE C A GAS - POR", "F BRE is no fleet at sea, and only those can convoy"),
    ("F MAO C F BRE - POR", "only armies can be convoyed, not F BRE"),
    ("F MAO C A GAS - NWY", "F MAO is in no chain of fleets that A GAS would need to get to NWY"),
    ("A GAS D", "a disband cannot be ordered in S1901M"),
    ("WAIVE", "a waive cannot be ordered in S1901M"),
]


@pytest.mark.parametrize(("text", "reason"), ILLEGAL)
def test_what_is_not_legal_says_why(text, reason):
    """An order that cannot succeed whatever others order is refused with one sentence; two of these are legal."""
    position = _position(FRANCE=["F BRE", "A GAS", "F MAO", "A BUR"], ENGLAND=["A LVP"])
    if not reason:
        assert str(read_order(text, position, "FRANCE")) == text
        return
    with pytest.raises(OrderError) as refused:
        read_order(text, position, "FRANCE")

    assert str(refused.value) == reason


def test_letters_and_coasts_are_those_of_the_units_that_are_there():
    """A wrong or missing letter, or a wrong coast of where a unit is, does not matter; a target gets its one coast."""
    position = _position(FRANCE=["F SPA/SC", "F GAS", "A MAR"], ITALY=["F LYO"])

    assert str(read_order("A SPA/NC - LYO", position, "FRANCE")) == "F SPA/SC - LYO"
    assert str(read_order("gas - spa", position, "FRANCE")) == "F GAS - SPA/NC"
    assert str(read_order("F MAR S A GAS - SPA", position, "FRANCE")) == "A MAR S F GAS - SPA"
    assert str(read_order("A MAR - SPA/NC", position, "FRANCE")) == "A MAR - SPA"
    assert str(read_order("F LYO S A SPA", position, "ITALY")) == "F LYO S F SPA/SC"


def test_an_army_that_cannot_walk_goes_by_convoy():
    """The standard notation says so, with or without being told."""
    position = _position(ENGLAND=["A YOR", "F NTH", "A BEL"])

    assert str(read_order("A YOR - NWY", position, "ENGLAND")) == "A YOR - NWY VIA"
    assert str(read_order("A BEL - HOL", position, "ENGLAND")) == "A BEL - HOL"
    assert str(read_order("A BEL - HOL VIA", position, "ENGLAND")) == "A BEL - HOL VIA"


def test_powers_are_those_of_the_map():
    """The constant is the same as the map's, in the sequence of the alphabet."""
    assert STANDARD.powers == POWERS == tuple(sorted(POWERS))
