"""Answers of look-ups as pictures: recipes drawn, what else of the hand would do, and names that lead on."""

from typing import Any

import pytest
from arena.game import Decision, PlayerView
from arena.record import Player
from arena_scene import element_ids, filled, lines, scene_faults, touches_faults

from .table import DONE, PASS, Match

HANDS = [{"coal": 1, "oak_log": 4, "raw_tin": 3, "stick": 1}, {"sand": 8, "coal": 3}]
TARGETS = [{"tin_ingot": 3, "torch": 4}, {"glass": 8}]


@pytest.fixture
def crafting() -> Match:
    """A match in whose crafting phase the first player holds two kinds of fuel."""
    match = Match(HANDS, TARGETS)
    match.act(PASS)
    return match


def asked(match: Match, player: int = 0) -> Decision:
    """The decision of a player as its agent gets it."""
    view = PlayerView(match.state, Player(player))
    return match.state.decision(Player(player)).asked(view, forms=match.game.forms)


def looked_up(match: Match, name: str, **arguments: Any) -> tuple[Decision, Any, Any]:
    """The decision, the answer of a look-up, and its picture."""
    decision = asked(match)
    query = next(own for own in decision.queries if own.name == name)
    answer = query.answer(arguments)
    return decision, answer, match.game.query_scene(decision, name, answer)


def shown(drawn: Any) -> str:
    """What a terminal of 80 columns shows."""
    return "\n".join(lines(drawn[0], 80, False, True))


def form_after(decision: Decision, drawn: Any, *labels: str) -> list[Any]:
    """The form after touching what is called so, one after another."""
    fills = {own["label"]: own for own in drawn[1].written()["fills"]}
    value, found = None, list[Any]()
    for label in labels:
        value = filled(decision.schema, value, fills[label]["do"])
        found.append(value)
    return found


def test_crafts_that_lead_to_the_target_come_first(crafting: Match):
    """What is part of the target is first, then what leads to it; the sentence says how far it is."""
    decision, answer, drawn = looked_up(crafting, "possible_crafts")

    offered = sorted(crafting.game.query_actions(decision, "possible_crafts", answer), key=lambda own: own.rank)

    assert [own.label for own in offered] == [
        "craft 1 tin_ingot from 1/8 coal, 1 raw_tin: part of your target",
        "craft 1 tin_ingot from 1/8 coal, 1 raw_tin: part of your target",
        "craft 4 torch from 1 coal, 1 stick: part of your target",
        "craft 1 charcoal from 1/8 coal, 1 oak_log: 1 craft from your target",
        "craft 4 oak_planks from 1 oak_log",
    ]
    assert shown(drawn).startswith("1 tin_ingot  part of your target, up to 3 times")


def test_tags_are_filled_by_what_is_held(crafting: Match):
    """Each held member of a tag stands in its own amount, and touching it crafts with that; then times go on."""
    decision, _, drawn = looked_up(crafting, "possible_crafts")

    assert "[1/8 coal]    [2/3 oak_log]    [1 raw_tin]" in shown(drawn)
    with_coal, with_log, twice, most, again = form_after(
        decision,
        drawn,
        "craft 1 tin_ingot from 1/8 coal, 1 raw_tin",
        "craft 1 tin_ingot from 2/3 oak_log, 1 raw_tin",
        "once more: 1 tin_ingot",
        "as often as you can: 1 tin_ingot",
        "once less: 1 tin_ingot",
    )
    assert with_coal == {"inputs": {"coal": "1/8", "raw_tin": 1}, "output": {"tin_ingot": 1}}
    assert with_log == {"inputs": {"oak_log": "2/3", "raw_tin": 1}, "output": {"tin_ingot": 1}}
    assert twice == {"inputs": {"oak_log": "4/3", "raw_tin": 2}, "output": {"tin_ingot": 2}}
    assert most == {"inputs": {"oak_log": 2, "raw_tin": 3}, "output": {"tin_ingot": 3}}
    assert again == twice
    assert all(decision.check(value) is None for value in (with_coal, with_log, twice, most))


def test_names_lead_to_their_own_look_ups(crafting: Match):
    """What goes into a recipe, what an item goes into, its tags and their members are looked up by touching them."""
    links: dict[str, list[str]] = {}
    for name, arguments in (("item", {"item": "torch"}), ("tag", {"tag": "#fuel"}), ("search", {"text": "torch"})):
        _, _, (_, touches) = looked_up(crafting, name, **arguments)
        links[name] = [own["label"] for own in touches.written()["fills"]]

    assert links["item"] == ["look up #coal or charcoal", "look up stick", "look up lantern"]
    assert links["tag"][:3] == ["look up coal", "look up oak_log", "look up stick"]
    assert links["search"] == ["look up torch"]


def test_every_answer_is_a_sound_picture(crafting: Match):
    """All look-ups are drawn soundly in every phase, and nothing fills a form that is not for a craft."""
    for _ in range(2):
        for query in asked(crafting).queries:
            decision, _, (drawing, touches) = looked_up(crafting, query.name, **query.example)
            assert scene_faults(drawing.data) == ()
            assert touches_faults(touches.written(), element_ids(drawing.data)) == ()
            assert decision.phase == "craft" or not any("do" in own for own in touches.written().get("fills", ()))
        if crafting.state.phase == "craft":
            crafting.act(DONE, DONE)
            crafting.act(PASS)
            crafting.act(DONE, DONE)
    assert crafting.state.phase == "propose"
