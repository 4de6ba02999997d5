"""The board as a picture: the same each time, with everything on it, as SVG and as PNG."""

import random
from io import BytesIO
from xml.etree import ElementTree

import pytest
from arena_game_diplomacy import POWERS, Position, adjudicate, legal_orders
from arena_game_diplomacy.pictures.drawing import draw, draw_png
from arena_game_diplomacy.pictures.map_form import map_form
from arena_game_diplomacy.pictures.symbols import COLOURS, FAILED
from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"
BATTLE = Position.from_json(
    {
        "phase": "F1903M",
        "units": {
            "ENGLAND": ["A YOR", "F NTH", "F NWG"],
            "AUSTRIA": ["A TYR", "F TRI"],
            "ITALY": ["A VEN"],
            "RUSSIA": ["F STP/NC", "A SEV"],
            "TURKEY": ["F BLA"],
        },
        "centres": {"ENGLAND": ["LON", "EDI"], "ITALY": ["VEN"], "RUSSIA": ["STP", "SEV"]},
    }
)
ORDERS = {
    "ENGLAND": ["A YOR - NWY", "F NTH C A YOR - NWY", "F NWG H"],
    "AUSTRIA": ["A TYR - VEN", "F TRI S A TYR - VEN"],
    "ITALY": ["A VEN H"],
    "RUSSIA": ["F STP/NC - NWY", "A SEV - RUM"],
    "TURKEY": ["F BLA S A SEV - RUM"],
}


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def hints(svg: str) -> list[str]:
    """What a reader sees who points at a line of an order."""
    return [title.text or "" for path in ElementTree.fromstring(svg).iter(f"{SVG}path") for title in path]


def lines(svg: str, hint: str) -> list[dict[str, str]]:
    paths = ElementTree.fromstring(svg).iter(f"{SVG}path")
    return [path.attrib for path in paths if any(title.text == hint for title in path)]


def test_the_opening_shows_everything():
    """All names, the phase, each power with its centres, and a letter on each unit and each owned centre are there."""
    opening = Position.opening()
    found = texts(draw(opening))

    assert set(opening.board.provinces) <= set(found)
    assert "Spring 1901, movement" in found
    for power in POWERS:
        centres = opening.centres[power]
        assert found.count(power[0]) == 1 + len(opening.units[power]) + len(centres)
        assert power.capitalize() in found
        assert str(len(centres)) in found


def test_drawing_is_pure():
    """The same position and orders give the same bytes, and nothing of what is given changes."""
    before = (BATTLE.to_json(), {power: list(texts) for power, texts in ORDERS.items()})
    result = adjudicate(BATTLE, ORDERS)

    assert draw(BATTLE, result) == draw(BATTLE, result) == draw(Position.from_json(before[0]), result)
    assert draw_png(BATTLE, result) == draw_png(BATTLE, result)
    assert (BATTLE.to_json(), ORDERS) == before


def test_each_order_is_drawn_in_its_own_way():
    """Moves are solid, failed ones dashed and red, supports dotted, convoys a wave; the army goes through the fleet."""
    svg = draw(BATTLE, adjudicate(BATTLE, ORDERS))

    (move,) = lines(svg, "RUSSIA: A SEV - RUM")
    assert "stroke-dasharray" not in move
    (failed,) = lines(svg, "RUSSIA: F STP/NC - NWY (bounced)")
    assert (failed["stroke"], failed["stroke-dasharray"]) == (FAILED, "8 6")
    (support,) = lines(svg, "TURKEY: F BLA S A SEV - RUM")
    assert support["stroke-dasharray"] == "0 5"
    (convoy,) = lines(svg, "ENGLAND: F NTH C A YOR - NWY")
    assert "stroke-dasharray" not in convoy
    assert len(hints(svg)) == 7  # holds are rings around their units


def test_a_convoyed_army_goes_through_the_fleet():
    """The arrow of a convoyed army passes the fleet; the same move without a convoy does not."""
    alone = {"ENGLAND": ["A YOR - NWY"]}
    convoyed, straight = (draw(BATTLE, orders) for orders in ({"ENGLAND": ORDERS["ENGLAND"]}, alone))

    assert lines(convoyed, "ENGLAND: A YOR - NWY") != lines(straight, "ENGLAND: A YOR - NWY")


def test_dislodged_units_stand_beside():
    """After the orders, the unit that must retreat is drawn in a red ring beside the one that has dislodged it."""
    result = adjudicate(BATTLE, ORDERS)
    assert result.next is not None
    svg = draw(result.next, result)

    rings = [each for each in ElementTree.fromstring(svg).iter(f"{SVG}circle") if each.get("stroke") == FAILED]
    assert len(rings) == 1
    assert "after Fall 1903, movement" in texts(svg)
    assert "Fall 1903, retreats" in texts(svg)
    assert "ITALY owns VEN; has no unit. A VEN is dislodged." in svg


def test_builds_and_disbands_are_marked():
    """A build has a plus in a ring, and what is taken off a cross; a waived build is nothing."""
    winter = Position.from_json(
        {
            "phase": "W1901A",
            "units": {"FRANCE": ["A PAR"], "ITALY": ["A VEN", "F NAP"]},
            "centres": {"FRANCE": ["PAR", "BRE", "MAR"], "ITALY": ["VEN"]},
        }
    )
    orders = {"FRANCE": ["F BRE B", "WAIVE"], "ITALY": ["F NAP D"]}
    plain, marked = draw(winter), draw(winter, adjudicate(winter, orders))

    assert texts(marked).count("F") == texts(plain).count("F") + 1
    assert texts(marked).count("I") == texts(plain).count("I") + 1
    assert "built, taken off" in texts(marked)
    assert "built, taken off" not in texts(plain)


def test_orders_that_cannot_be_read_are_left_out():
    """An order that names no places draws nothing, and what it says gets nowhere."""
    odd = {"FRANCE": ["<script>alert(1)</script>", "A PAR - MOON", "\ud800", "\x1b[31m"], "NOBODY": ["A PAR - BUR"]}

    assert hints(draw(Position.opening(), odd)) == []


def test_texts_are_escaped():
    """What has a meaning in SVG, or cannot be in it, is written as text or replaced."""
    from arena_game_diplomacy.pictures.shapes import Drawing, Label, Stroke
    from arena_game_diplomacy.pictures.svg import svg

    bad = "<b>\ud800 & \x1b[0m\"'"
    made = svg(Drawing(9, 9, bad, (Label((1, 2), bad, 9, "#000"), Stroke(((0, 0), (1, 1)), "#000", hint=bad))))

    root = ElementTree.fromstring(made.encode())
    assert {text for text in root.itertext() if text.strip()} == {"<b>\ufffd & \ufffd[0m\"'"}


def test_influence_and_ownership_tint_land():
    """Land of a power has its colour, stronger where it owns the centre; the seas never have one."""
    plain = draw(BATTLE)
    tinted = draw(BATTLE, (), {"ENGLAND": ["YOR", "NTH"]})

    assert plain != tinted
    fills = [{path.get("fill") for path in ElementTree.fromstring(svg).iter(f"{SVG}path")} for svg in (plain, tinted)]
    assert len(fills[1] - fills[0]) == 1
    assert tinted.count(next(iter(fills[1] - fills[0]))) == 1


def test_png_shows_the_board():
    """The PNG has the size of the board, few enough colours for a palette, and the colours of all powers."""
    image = Image.open(BytesIO(draw_png(Position.opening())))

    assert (image.format, image.mode, image.size) == ("PNG", "P", (1200, 1170))
    colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 20)}
    for power in POWERS:
        wanted = bytes.fromhex(COLOURS[power].fill[1:])
        assert min(sum(abs(a - b) for a, b in zip(wanted, colour, strict=True)) for colour in colours) < 24


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("seed", range(3))
def test_random_play_can_be_drawn(seed):
    """Every phase of random play is drawn, with its orders before and after they are carried out."""
    rng = random.Random(seed)
    position = Position.opening()
    for _ in range(10):
        orders = {
            power: [rng.choice(each) for each in units.values()] for power, units in legal_orders(position).items()
        }
        result = adjudicate(position, orders)
        for shown in (position, result.next):
            ElementTree.fromstring(draw(shown, result))
        position = result.next


def view(**more) -> dict:
    """An observation of the game, as far as the map shows it."""
    result = adjudicate(BATTLE, ORDERS)
    assert result.next is not None
    position = result.next.to_json()
    seen = {name: position[name] for name in ("phase", "units", "centres", "dislodged")}
    talk = [{"from": "ITALY", "to": ["FRANCE"], "text": "hush"}]
    return seen | {"influence": {}, "results": [result.to_json()], "messages": talk} | more


def test_form_shows_svg_to_people_and_png_to_players():
    """The spectator's observation becomes an SVG, a player's a PNG; both say in words what they show."""
    result = adjudicate(BATTLE, ORDERS)
    for_people, for_player = map_form(view(powers=[])), map_form(view(powers=["ITALY"]))

    assert for_people.media_type == "image/svg+xml"
    assert for_people.data.decode() == draw(result.next, [result], {})
    assert for_player.media_type == "image/png"
    assert for_player.data.startswith(b"\x89PNG")
    assert for_people.alt == for_player.alt
    assert "A VEN is dislodged" in for_people.alt
    assert b"hush" not in for_people.data


def test_form_needs_no_results_and_no_centres():
    """The first observation of a match has no results, and a match can be played without centres."""
    shown = map_form(view(results=[], centres=None, dislodged={}, phase="S1901M"))

    assert b"Spring 1901, movement" in shown.data
    assert b"centres" not in shown.data


def test_orders_without_results_are_drawn_as_given():
    """Orders that nobody has adjudicated look like orders that succeed."""
    assert hints(draw(BATTLE, {"RUSSIA": ["F STP/NC - NWY"]})) == ["RUSSIA: F STP/NC - NWY"]


def test_several_phases_lead_to_a_position():
    """The orders of a movement phase and of the retreats after it are drawn together, and the title names both."""
    first = adjudicate(BATTLE, ORDERS)
    assert first.next is not None
    second = adjudicate(first.next, {"ITALY": ["A VEN R ROM"]})
    assert second.next is not None
    svg = draw(second.next, [first, second])

    assert {"AUSTRIA: A TYR - VEN", "ITALY: A VEN R ROM"} <= set(hints(svg))
    assert "after Fall 1903, movement; Fall 1903, retreats" in texts(svg)


def test_a_unit_without_a_retreat_is_crossed_out():
    """What is destroyed because it can go nowhere is still to be seen after the phase, pale and crossed out."""
    units = {"AUSTRIA": ["A TYR", "F TRI"], "ITALY": ["A VEN"], "FRANCE": ["A PIE", "A TUS", "A ROM", "A APU"]}
    result = adjudicate(Position.from_json({"phase": "S1903M", "units": units}), {"AUSTRIA": ORDERS["AUSTRIA"]})
    assert result.next is not None

    assert result.dislodged["ITALY"] == {"A VEN": ()}
    assert texts(draw(result.next, result)).count("I") == 2  # in the legend, and on the unit
    assert texts(draw(result.next)).count("I") == 1
