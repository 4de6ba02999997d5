"""What a match of TradeCraft looks like: phases, targets, hands and proposals."""

import pytest
from arena_scene import element_ids, lines, scene_faults

from .table import ACCEPT, DONE, PASS, Match, craft, propose

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
    """Phase, own target, what was proposed with its message, both hands as they would be, and as they are."""
    two.act(propose(2, {"stick": 2}, {"coal": 1}, "light for both"))

    assert (
        shown(two, 1)
        == """
decision  14 turns follow    1. proposal  2. decision  3. crafting
turn 1/15                    by player 1  [now: you]   later

your target  needed  held  missing
glass             9     0        9

player 1 proposes to player 2
from      to        what
player 1  player 2  2 stick
player 2  player 1  1 coal

player 1 → player 2: light for both

hands if this is accepted
item     player 2 (you)  player 1
coal             2 (-1)    1 (+1)
oak_log                         2
sand                  8
stick            2 (+2)    1 (-2)

hands
item     player 2 (you)  player 1
coal                  3
oak_log                         2
sand                  8
stick                           3"""
    )


def test_a_trade_marks_what_has_changed(two: Match):
    """Amounts that are others than before have a star, fractions are exact, and what becomes of them is said."""
    before = scene(two, 1)
    two.act(propose(2, {"stick": 2}, {"coal": 1}))
    two.act(ACCEPT)
    two.act(DONE, craft("glass", 1, sand=1, coal="1/8"))

    assert (
        shown(two, 1, before)
        == """
crafting  14 turns follow     1. proposal   2. decision  3. crafting
turn 1/15   crafts left 39    by player 1*  done*        [now: all craft*]

your target  needed  held  missing
glass             9     1        8

hands  of the others as last shown
item     player 2 (you)  player 1
coal              15/8*        1*
glass*               1*
oak_log                         2
sand                 7*
stick                2*        1*

Once all are done, fractions are cut off: 15/8 coal becomes 1."""
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


def test_a_proposal_between_two_others_is_not_shown():
    """The third player sees that somebody is to decide: not who, what was proposed, or hands as they would be."""
    three = Match([*TWO, {"sand": 1}], [*TARGETS, {"glass": 1}])
    three.act(propose(2, {"stick": 2}, {"coal": 1}, "light"))

    seen = shown(three, 2)

    assert "[now: somebody]" in seen
    assert "if this is accepted" not in seen
    assert "light" not in seen
    assert "[now: player 2]" in shown(three, 0)


def test_the_end_shows_all_targets(two: Match):
    """At the end everybody sees who has won, and what each wanted and held."""
    two.act(PASS)
    two.act(DONE, DONE)
    two.act(propose(1, {"coal": 1}, {}))
    two.act(ACCEPT)
    two.act(craft("torch", 4, stick=1, coal=1), DONE)
    two.act(DONE)

    seen = shown(two, 1)

    assert "won by player 1" in seen
    assert "player 1  torch        4     4        0" in seen
    assert "player 2  glass        9     0        9" in seen
