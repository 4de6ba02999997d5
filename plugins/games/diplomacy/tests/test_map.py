"""The standard map, held against what is known of the published board."""

from collections import Counter

from arena_game_diplomacy import POWERS, STANDARD, Position, legal_orders
from arena_game_diplomacy.rules.convoys import chains

NEUTRAL = {"BEL", "BUL", "DEN", "GRE", "HOL", "NWY", "POR", "RUM", "SER", "SPA", "SWE", "TUN"}


def test_counts_are_those_of_the_board():
    """75 provinces: 14 inland, 42 coastal, 19 seas; 34 centres, of which 22 are home and 12 neutral."""
    kinds = Counter(province.kind for province in STANDARD.provinces.values())
    homes = Counter(STANDARD.provinces[name].home_of for name in STANDARD.centres)

    assert kinds == {"inland": 14, "coastal": 42, "sea": 19}
    assert len(STANDARD.centres) == 34
    assert {name for name in STANDARD.centres if STANDARD.provinces[name].home_of is None} == NEUTRAL
    assert homes == {None: 12, "RUSSIA": 4} | dict.fromkeys(set(POWERS) - {"RUSSIA"}, 3)


def test_borders_are_symmetric_and_counted():
    """111 borders for armies and 141 for fleets, where a coast counts as a place of its own."""
    for borders, count in ((STANDARD.army_borders, 111), (STANDARD.fleet_borders, 141)):
        assert all(start in borders[end] for start, near in borders.items() for end in near)
        assert all(start not in near for start, near in borders.items())
        assert sum(map(len, borders.values())) == 2 * count


def test_places_fit_their_provinces():
    """Armies stand on land, fleets at sea and on coasts, and three provinces have two coasts."""
    coasts = {name: province.coasts for name, province in STANDARD.provinces.items() if province.coasts}

    assert coasts == {"BUL": ("EC", "SC"), "SPA": ("NC", "SC"), "STP": ("NC", "SC")}
    assert set(STANDARD.army_borders) == {n for n, found in STANDARD.provinces.items() if found.kind != "sea"}
    assert {STANDARD.province_of[place] for place in STANDARD.fleet_borders} == {
        name for name, province in STANDARD.provinces.items() if province.kind != "inland"
    }


def test_borders_that_are_often_wrong():
    """Each of these has been wrong on some map."""
    fleets, armies = STANDARD.fleet_borders, STANDARD.army_borders

    assert "NAO" in fleets["LVP"]
    assert "IRI" not in fleets["CLY"]
    assert "NWY" in armies["STP"]
    assert "NWY" in fleets["STP/NC"]
    assert {"BAL", "HEL"} <= fleets["KIE"]
    assert {"AEG", "BLA"} <= fleets["CON"]
    assert "BUL" in armies["CON"]
    assert "SWE" in armies["DEN"]
    assert "SWE" in fleets["DEN"]
    assert "LYO" not in fleets["SPA/NC"]
    for start, end in (("ROM", "VEN"), ("ANK", "SMY"), ("EDI", "LVP"), ("WAL", "YOR")):
        assert end in armies[start]
        assert end not in fleets[start]


def test_opening_has_22_units_and_94_direct_moves():
    """Every power has three units, Russia four, each in a home centre of its own."""
    opening = Position.opening()
    orders = [text for units in legal_orders(opening).values() for texts in units.values() for text in texts]

    assert {power: len(units) for power, units in opening.units.items()} == dict.fromkeys(POWERS, 3) | {"RUSSIA": 4}
    for province, (power, _) in opening.occupied.items():
        assert STANDARD.provinces[province].home_of == power
    assert len([text for text in orders if text.split()[2] == "-"]) == 94


def test_distances_go_over_land_and_water_alike():
    """Silesia is two steps from Sweden, by Prussia and the Baltic or Berlin and the Baltic."""
    assert STANDARD.distances["VIE"]["VIE"] == 0
    assert STANDARD.distances["VIE"]["BUD"] == 1
    assert STANDARD.distances["PRU"]["SWE"] == 2
    assert all(len(steps) == 75 for steps in STANDARD.distances.values())


def test_chains_hold_no_fleet_too_many():
    """Around Britain an army goes by the north or by the south; where one sea is enough, none is put before it."""
    assert set(chains(STANDARD, "LVP", "EDI")) == {
        frozenset({"NAO", "NWG"}),
        frozenset({"IRI", "ENG", "NTH"}),
        frozenset({"NAO", "MAO", "ENG", "NTH"}),
    }
    assert chains(STANDARD, "SEV", "ANK") == (frozenset({"BLA"}),)
    assert chains(STANDARD, "VIE", "LON") == ()
    assert chains(STANDARD, "LON", "LON") == ()
