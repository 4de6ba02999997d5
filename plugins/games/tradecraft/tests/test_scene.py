"""What a match of TradeCraft looks like: phases, targets, hands and proposals."""

import pytest
from arena_scene import element_ids, lines, scene_faults

from .table import ACCEPT, DONE, Match, craft, propose

TWO = [{"oak_log": 2, "stick": 3}, {"coal": 3, "sand": 8}]
TARGETS = [{"torch": 4}, {"glass": 9}]


@pytest.fixture
def two() -> Match:
    """Two players; the first proposes first."""
    return Match(TWO, TARGETS)


def scene(match: Match, player: int | None):
    """The drawing of what a player sees."""
    return match.game.forms["scene"](match.seen(player))


def shown(match: Match, player: int | None, before=None) -> str:
    """What a terminal of 80 columns shows, below an empty line."""
    return "\n".join(["", *lines(scene(match, player), 80, False, True, before=before)])


def test_the_partner_sees_the_proposal(two: Match):
    """Phase, own target, both hands with one's own first, and what was proposed with its message."""
    two.act(propose(2, {"stick": 2}, {"coal": 1}, "light for both"))

    assert (
        shown(two, 1)
        == """
decision  player 1 proposes
turn 1/15

your target  needed  held  missing
glass             9     0        9

hands
item     player 2 (you)  player 1
coal                  3
oak_log                         2
sand                  8
stick                           3

player 1 proposes to player 2
from      to        what
player 1  player 2  2 stick
player 2  player 1  1 coal

player 1 → player 2: light for both"""
    )


def test_a_trade_marks_what_has_changed(two: Match):
    """Amounts that are others than before have a star; fractions are exact; the own hand is what is held by now."""
    before = scene(two, 1)
    two.act(propose(2, {"stick": 2}, {"coal": 1}))
    two.act(ACCEPT)
    two.act(DONE, craft("glass", 1, sand=1, coal="1/8"))

    assert (
        shown(two, 1, before)
        == """
crafting
turn 1/15   crafts left in this turn 39

your target  needed  held  missing
glass             9     1        8

hands  of the others as last shown
item     player 2 (you)  player 1
coal              15/8*        1*
glass                1*
oak_log                         2
sand                 7*
stick                2*        1*"""
    )


def test_a_player_sees_neither_the_others_target_nor_its_crafts(two: Match):
    """Only the spectator sees all targets; what others craft is not shown before the phase ends."""
    two.act(propose(2, {"stick": 1}, {}))
    two.act(ACCEPT)
    two.act(craft("oak_planks", 4, oak_log=1), DONE)

    assert "torch" not in str(scene(two, 1).data)
    assert "oak_planks" not in str(scene(two, 1).data)
    assert {"torch", "glass", "oak_planks"} <= set(shown(two, None).split())


def test_amounts_can_be_touched(two: Match):
    """What a player holds of an item has an id of its own, and the scene is sound in every phase."""
    for action in (propose(2, {}, {}, "hello"), ACCEPT):
        for player in (0, 1, None):
            assert scene_faults(scene(two, player).data) == ()
        assert {"stick@0", "coal@1", "item-sand"} <= element_ids(scene(two, 0).data)
        two.act(action)
