"""Forms of observations, rules and names: what a prompt can be made of."""

import json
from typing import Any

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import PlayerView
from arena.record import Player
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.rules.legal import legal_orders
from arena_game_diplomacy.showing.forms import FORMS, position_of
from arena_scene import element_ids, titled, touches_faults

FRANCE = Player(2)
PARTS = ("position", "results", "talk", "legal-orders", "borders", "schema")


def ordering(**parameters):
    """A state in which orders are due, and its game."""
    game = Diplomacy(**{"negotiation_rounds": 0} | parameters)
    players = max(game.player_counts())
    return game.start(Chance(0), players)[0]


def test_parts_say_one_thing_each():
    """Position, legal orders and borders are parts of their own, so that a style can leave each out."""
    seen = ordering().observe(FRANCE)
    shown = {name: FORMS[name](seen) for name in PARTS}

    assert "A PAR - BUR" not in shown["position"]
    assert "FRANCE: units A MAR, A PAR, F BRE; centres (3) BRE, MAR, PAR" in shown["position"]
    assert "A PAR - BUR" in shown["legal-orders"]
    assert "SPA/SC: LYO, MAO, MAR, POR, WES" in shown["borders"]
    assert shown["talk"] == shown["results"] == "null"
    assert "A PAR - BUR" not in shown["schema"]


def test_whole_text_holds_all_but_the_borders():
    """The text is the position, what came of the last orders, the talk, and the legal orders."""
    state = ordering()
    state.apply({Player(p): {"A PAR": "A PAR - BUR"} if p == FRANCE else {} for p in range(7)})
    seen = state.observe(FRANCE)

    text = FORMS["text"](seen)

    for part in ("position", "results", "legal-orders"):
        assert FORMS[part](seen) in text
    assert "FRANCE: A PAR - BUR" in text
    assert "null" not in text


def test_legal_orders_are_those_of_the_rules():
    """Each legal order of each own unit is shown, and no other."""
    state = ordering()

    shown = FORMS["legal-orders"](state.observe(FRANCE)).splitlines()[1:]

    expected = [f"  {unit}: {', '.join(orders)}" for unit, orders in legal_orders(state.position)["FRANCE"].items()]
    assert shown == expected


def test_schema_in_words_fits_the_actions():
    """The short schema has the keys of the one that is enforced, with plain texts for orders."""
    state = ordering()

    short = json.loads(FORMS["schema"](state.observe(FRANCE)))

    enforced = state.decision(FRANCE).action_schema
    assert short["properties"] == {unit: {"type": "string"} for unit in enforced["properties"]}
    talking = Diplomacy().start(Chance(0), 7)[0]
    assert json.loads(FORMS["schema"](talking.observe(FRANCE))) == talking.decision(FRANCE).action_schema


def test_spectators_are_shown_no_orders_to_give():
    """Who plays nothing has no legal orders and no schema."""
    seen = ordering().observe(None)

    assert FORMS["legal-orders"](seen) == FORMS["schema"](seen) == "null"
    assert "You play" not in FORMS["text"](seen)


def test_position_can_be_had_from_an_observation():
    """An observation holds the whole position."""
    state = ordering()

    assert position_of(state.observe(FRANCE)) == state.position


def test_list_names_every_province_that_matters():
    """The list has a line for each unit and each centre."""
    lines = FORMS["list"](ordering().observe(FRANCE)).splitlines()

    assert "PAR (Paris): A PAR of FRANCE, centre of FRANCE" in lines
    assert "BEL (Belgium): centre of nobody" in lines


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({}, "there are 3 rounds of negotiation"),
        ({"negotiation_rounds": 1, "message_limit": 77}, "there is one round of negotiation"),
        ({"message_limit": 77}, "messages of at most 77 characters"),
        ({"negotiation_rounds": 0}, "cannot talk"),
        ({"win_centres": 25, "hands": [["FRANCE"], ["ITALY", "TURKEY"]]}, "at least 25 supply centres"),
        ({"scoring": "draw-size", "last_year": 1908}, "after the year 1908, and all who survive share 1 equally"),
    ],
)
def test_rules_say_what_the_parameters_set(parameters, told):
    """Everything that a parameter changes is in the rules."""
    assert told in Diplomacy(**parameters).rules


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"hands": [["FRANCE"], ["FRANCE"]]}, "hands: FRANCE is in two places"),
        ({"hands": [["PRUSSIA"]]}, "hands: no power called 'PRUSSIA' (did you mean 'RUSSIA'?)"),
        ({"hands": [[]]}, "hands: expected at least one power for each player"),
        ({"last_year": 1900}, "last-year: the match begins in 1901"),
        ({"start": {"phase": "S1901M"}}, "start: units: missing"),
        ({"start": {"phase": "S1901M", "units": {"FRANCE": ["A NTX"]}}}, "start: units.FRANCE[0]"),
        ({"start": {"phase": "S1901M", "units": {}}}, "start: nobody has a unit"),
        ({"start": {"phase": "S1901M", "units": {"ITALY": ["A ROM"]}}, "hands": ["FRANCE"]}, "FRANCE has nothing"),
    ],
)
def test_wrong_parameters_are_refused(parameters, problem):
    """What does not fit is said in one sentence with the name of the parameter."""
    with pytest.raises(ConfigError) as caught:
        Diplomacy(**parameters)

    assert problem in str(caught.value)


def test_hands_may_be_written_short():
    """A power alone is a hand of one, in any letters; with fewer players than powers the rest is neutral."""
    game = Diplomacy(hands=["france", ["Italy", "TURKEY"]])

    assert list(game.player_counts()) == [2]
    assert game.seats(2) == ("FRANCE", "ITALY+TURKEY")
    assert Diplomacy().seats(3) == ("AUSTRIA", "ENGLAND", "FRANCE")


def test_every_power_is_usually_played():
    """Where nobody names a number, each power has a player; hands have as many players as there are of them."""
    assert Diplomacy().usual_players == 7
    assert Diplomacy(hands=["france", ["Italy", "TURKEY"]]).usual_players == 2


def test_talk_is_asked_for_by_its_own_names():
    """What can be touched in a negotiation is sound, and people are asked for no sender where they have one power."""
    game = Diplomacy()
    state = game.start(Chance(0), 7)[0]
    asked = state.decision(FRANCE).asked(PlayerView(state, FRANCE), forms=game.forms)
    touches = game.touches(asked)
    scene: Any = asked.render("scene")

    entry = titled(asked.schema, touches.names)["properties"]["messages"]["items"]

    assert touches_faults(touches.written(), element_ids(scene.data)) == ()
    assert (entry["title"], list(entry["properties"])) == ("message", ["to", "text"])


def test_facts_say_what_is_hidden():
    """Without talk and reports nothing is hidden; with neutral powers returns add up to less than 1."""
    assert Diplomacy(negotiation_rounds=0).facts(7).hidden_information is False
    assert Diplomacy().facts(7).hidden_information is True
    assert Diplomacy().facts(7).returns == "constant-sum"
    assert Diplomacy().facts(3).returns == "general-sum"
    assert Diplomacy(negotiation_rounds=0, last_year=1902).facts(7).max_steps == 10


def test_names_are_found_in_texts():
    """Provinces and powers are found by their names, and what the player sees of them is known."""
    import re

    provinces, powers = Diplomacy().names(ordering().observe(FRANCE))

    text = "I move A PAR to BUR, then Burgundy to Marseilles and A XYZ; war with Germany was par for the course."
    found = [match[0] for match in re.finditer(rf"\b(?:{provinces.pattern})\b", text, re.IGNORECASE)]
    assert found == ["PAR", "BUR", "Burgundy", "Marseilles", "XYZ"]
    assert provinces.status["par"] == provinces.status["paris"] == "held"
    assert provinces.status["mun"] == "taken"
    assert provinces.status["burgundy"] == "free"
    assert powers.status["france"] == "held"
    assert powers.status["germany"] == "taken"
