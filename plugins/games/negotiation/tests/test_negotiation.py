"""The rules of the negotiation."""

import pytest
from arena.chance import Chance
from arena.game import Illegal
from arena.record import Player
from arena.testing import check_game
from arena_game_negotiation.negotiation import Negotiation
from arena_game_negotiation.values import ways

ALICE, BOB = Player(0), Player(1)
KEEP = {"book": 1, "hat": 1, "ball": 0}


def start(**settings):
    return Negotiation(**settings).start(Chance(3), 2)


@pytest.mark.campaign
def test_contract_is_kept():
    """The game keeps the contract, and keeps its secrets where it was put to the test."""
    report = check_game(Negotiation(rounds=3), playouts=60)

    assert report.differing > 0


@pytest.mark.parametrize("items", [{"book": 2, "hat": 1, "ball": 3}, {"car": 1, "boat": 1}])
def test_pool_is_worth_the_same_to_both(items):
    """Each player's values make the pool worth the total."""
    state, _ = Negotiation(items=items).start(Chance(8), 2)

    assert [sum(own[name] * n for name, n in items.items()) for own in state.values] == [10, 10]


def test_ways_are_all_there_are():
    """Two kinds of which there are 1 and 2 come to 4 in three ways."""
    assert ways((1, 2), 4) == ((0, 2), (2, 1), (4, 0))


def test_agreement_divides_as_proposed():
    """Who accepts gets what the proposer does not keep."""
    state, _ = start()
    mine, theirs = state.values

    state.apply({ALICE: {"keep": KEEP, "message": "fair?"}})
    assert state.to_act() == (BOB,)
    state.apply({BOB: "accept"})

    assert state.returns() == (mine["book"] + mine["hat"], theirs["book"] + 3 * theirs["ball"])
    assert state.to_act() == ()


def test_rejection_passes_the_proposal_on_until_it_is_over():
    """Who rejects proposes next; after the last rejection nobody earns anything."""
    state, _ = start(rounds=2)

    state.apply({ALICE: {"keep": KEEP}})
    state.apply({BOB: "reject"})
    assert state.to_act() == (BOB,)
    assert state.returns() is None
    state.apply({BOB: {"keep": KEEP}})
    state.apply({ALICE: "reject"})

    assert state.returns() == (0.0, 0.0)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("accept", "schema"),
        ({"keep": {"book": 1}}, "missing"),
        ({"keep": {**KEEP, "hat": 2}}, "amount"),
        ({"keep": {**KEEP, "hat": True}}, "amount"),
        ({"keep": {**KEEP, "hat": 0.5}}, "amount"),
        ({"keep": {**KEEP, "cat": 1}}, "unknown-kind"),
        ({"keep": KEEP, "message": "x" * 301}, "too-long"),
        ({"keep": KEEP, "message": None}, "schema"),
        ({"keep": KEEP, "price": 3}, "schema"),
    ],
)
def test_what_is_no_proposal_is_refused(action, kind):
    """Every proposal that does not keep what there is is refused by kind, with a reason."""
    state, _ = start()

    refused = state.check(ALICE, action)
    assert refused.kind == kind
    assert refused.reason


def test_look_up_says_what_things_are_worth_to_oneself():
    """The look-up uses the asker's own values and refuses what is not in the pool."""
    state, _ = start()
    (query,) = state.decision(ALICE).queries

    assert query.answer({"book": 2}) == {"worth": 2 * state.values[0]["book"]}
    assert isinstance(query.answer({"cat": 1}), Illegal)


def test_values_that_cannot_be_are_refused():
    """A pool that cannot come to the total is a mistake of the benchmark file."""
    with pytest.raises(ValueError, match="no values of 2 × car, 4 × boat come to 7"):
        Negotiation(items={"car": 2, "boat": 4}, total=7)


def test_words_name_what_is_seen():
    """Players are told their own values and no others, the spectator both."""
    game = Negotiation()
    state, _ = game.start(Chance(3), 2)

    assert game.forms["text"](state.observe(BOB)).count("One is worth") == 1
    assert "to ALICE" in game.forms["text"](state.observe(None))
