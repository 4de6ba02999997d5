"""The drawing of the standard map: who touches whom, where units stand, and that the script makes this file."""

import json
import runpy
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest
from arena_game_diplomacy import STANDARD
from arena_game_diplomacy.pictures.outlines import Point, Ring, standard_outlines

SCRIPT = Path(__file__).parents[1] / "scripts" / "make_outlines.py"
BOARD = standard_outlines()


def edges(ring: Ring) -> set[frozenset[Point]]:
    return {frozenset(pair) for pair in pairwise((*ring, ring[0]))}


def is_inside(point: Point, ring: Ring) -> bool:
    x, y = point
    crossed = False
    for a, b in pairwise((*ring, ring[0])):
        if (a[1] > y) != (b[1] > y) and x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]:
            crossed = not crossed
    return crossed


def test_provinces_touch_in_the_drawing_where_they_do_on_the_map():
    """Two outlines share a stretch of border exactly if an army or a fleet can go from one province to the other."""
    lines = {name: edges(outline.ring) for name, outline in BOARD.provinces.items()}
    drawn = {frozenset(pair) for pair in combinations(lines, 2) if lines[pair[0]] & lines[pair[1]]}

    of = STANDARD.province_of
    steps = [*STANDARD.army_borders.items(), *STANDARD.fleet_borders.items()]
    meant = {frozenset((of[place], of[other])) for place, others in steps for other in others}
    assert drawn == meant


def test_borders_are_long_enough_to_be_seen():
    """Each border of the drawing is at least eight pixels long."""
    lines = {name: edges(outline.ring) for name, outline in BOARD.provinces.items()}
    shared = {pair: lines[pair[0]] & lines[pair[1]] for pair in combinations(lines, 2)}
    lengths = {pair: sum(dist(*edge) for edge in found) for pair, found in shared.items() if found}

    assert {pair: length for pair, length in lengths.items() if length < 8} == {}


@pytest.mark.campaign
def test_no_outlines_overlap():
    """Every point of the board is in one province, or in none where there is land that nobody can enter."""
    lands = BOARD.impassable
    for x in range(3, BOARD.width, 12):
        for y in range(3, BOARD.height, 12):
            point = (x + 0.13, y + 0.17)
            found = [name for name, outline in BOARD.provinces.items() if is_inside(point, outline.ring)]
            assert len(found) == 1 or (not found and any(is_inside(point, land) for land in lands)), (point, found)


@pytest.mark.parametrize("name", sorted(STANDARD.provinces))
def test_everything_stands_in_its_province(name):
    """A unit, on whatever coast, the name and the mark of a centre stand in their own province, away from its edge."""
    outline, province = BOARD.provinces[name], STANDARD.provinces[name]

    assert set(outline.coasts) == set(province.coasts)
    assert (outline.centre is not None) == province.is_centre
    places = [outline.unit, *outline.coasts.values(), *([outline.centre] if outline.centre else ())]
    for place in places:
        assert is_inside(place, outline.ring)
        assert min(dist(place, corner) for corner in outline.ring) > 5
    assert is_inside(outline.label, outline.ring)
    assert BOARD.unit_at(name) == outline.unit
    assert all(BOARD.unit_at(f"{name}/{coast}") == at for coast, at in outline.coasts.items())


def test_drawing_has_the_provinces_of_the_map():
    """There is an outline for each of the 75 provinces and for nothing else."""
    assert set(BOARD.provinces) == set(STANDARD.provinces)
    assert len(BOARD.provinces) == 75


@pytest.mark.campaign
def test_script_makes_the_file():
    """The lines drawn by hand give the file of the package, up to how a machine rounds."""
    made = runpy.run_path(str(SCRIPT))
    written = json.loads(made["OUTLINES"].read_text("utf-8"))
    again = json.loads(made["outlines"](made["LINES"].read_text("utf-8")))

    assert again["provinces"].keys() == written["provinces"].keys()
    for name, outline in again["provinces"].items():
        ring = written["provinces"][name]["ring"]
        assert len(outline["ring"]) == len(ring)
        assert max(dist(a, b) for a, b in zip(outline["ring"], ring, strict=True)) < 0.5
        assert dist(outline["unit"], written["provinces"][name]["unit"]) < 3


def test_script_says_which_line_is_missing():
    """Lines that do not join into a ring are refused with the place where they end."""
    made = runpy.run_path(str(SCRIPT))

    with pytest.raises(ValueError, match=r"^AAA: 0 lines go on from \(3\.0, 4\.0\), expected one$"):
        made["outlines"]("AAA -: 1/2 3/4\n")
