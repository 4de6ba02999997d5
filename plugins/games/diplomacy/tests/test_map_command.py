"""``arena diplomacy map``: positions in, pictures out."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

OPENING = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}}
BOUNCE = OPENING | {"orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}}


def lines(*objects: object) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in objects)


def test_a_position_becomes_an_svg(arena):
    """Without orders the board has none; the path is printed."""
    Path("in.jsonl").write_text(lines(OPENING), "utf-8")
    done = arena("diplomacy", "map", "in.jsonl", "-o", "map.svg")

    assert (done.exit_code, done.stdout, done.stderr) == (0, "map.svg\n", "")
    text = Path("map.svg").read_text("utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "Spring 1901, movement" in text
    assert "stroke-dasharray" not in text


def test_orders_are_adjudicated_and_drawn(arena):
    """Two armies that bounce are two failed arrows; standard input is read."""
    done = arena("diplomacy", "map", "-o", "map.svg", stdin=lines(BOUNCE))

    assert done.exit_code == 0, done.stderr
    assert "FRANCE: A PAR - BUR (bounced)" in Path("map.svg").read_text("utf-8")


def test_several_positions_get_numbers(arena):
    """Each line has a file of its own, and the ending of the name says what is written."""
    done = arena("diplomacy", "map", "-o", "map.PNG", stdin=lines(OPENING, BOUNCE))

    assert done.stdout == "map-1.PNG\nmap-2.PNG\n"
    assert Path("map-1.PNG").read_bytes().startswith(b"\x89PNG")
    assert Path("map-1.PNG").read_bytes() != Path("map-2.PNG").read_bytes()


def test_nothing_in_nothing_out(arena):
    """Empty input gives no file."""
    done = arena("diplomacy", "map", "-o", "map.svg", stdin="\n")

    assert (done.exit_code, done.stdout) == (0, "")
    assert not Path("map.svg").exists()


@pytest.mark.parametrize(
    ("given", "output", "said"),
    [
        (lines(OPENING), "map.gif", "--output map.gif: expected a file that ends in .svg or .png"),
        (lines(OPENING), "map", "--output map: expected a file that ends in .svg or .png"),
        (lines(OPENING, {"phase": "S1901M", "units": {"FRANCE": ["A NTX"]}}), "m.svg", "line 2: units.FRANCE[0]: "),
        ("{", "m.svg", "line 1: expected an object of JSON"),
        (lines(OPENING | {"orders": []}), "m.svg", "line 1: orders: expected an object of lists by power"),
        (lines(OPENING), "none/m.svg", "--output none/m.svg: cannot be written (No such file or directory)"),
    ],
)
def test_what_cannot_be_is_one_sentence(arena, given, output, said):
    """An unreadable position, another ending or a place that is not there end with code 2, and nothing is written."""
    done = arena("diplomacy", "map", "-o", output, stdin=given)

    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert done.stderr.count("arena: ") == 1
    assert not Path(output).exists()
