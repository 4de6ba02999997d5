"""What a negotiation looks like to both players and to the spectator."""

from arena.chance import Chance
from arena.game import PlayerView
from arena.record import Player
from arena_game_negotiation.negotiation import Negotiation
from arena_scene import lines, touches_of


def shown(state, player):
    """What a terminal of 80 columns shows, below an empty line."""
    seen = state.observe(None if player is None else Player(player))
    return "\n".join(["", *lines(Negotiation().forms["scene"](seen), 80, False, True)])


def test_each_player_sees_what_its_share_is_worth():
    """The pool, one's own values and both shares of the offer stand in one table; the other's values do not."""
    state, _ = Negotiation().start(Chance(1), 2)
    state.apply({0: {"keep": {"book": 1, "hat": 1, "ball": 0}}})

    assert (
        shown(state, 0)
        == """
proposal 1 of 4
                     book  hat  ball  worth to you
to divide               2    1     3            10
one is worth to you     0    1     3
you would keep          1    1     0             1
the other would get     1    0     3"""
    )
    assert (
        shown(state, 1)
        == """
proposal 1 of 4
                     book  hat  ball  worth to you
to divide               2    1     3            10
one is worth to you     5    0     0
ALICE would keep        1    1     0
you would get           1    0     3             5"""
    )
    assert (
        shown(state, None)
        == """
proposal 1 of 4
                       book  hat  ball
to divide                 2    1     3
one is worth to ALICE     0    1     3
one is worth to BOB       5    0     0
ALICE would keep          1    1     0
the other would get       1    0     3"""
    )


def test_worth_of_what_is_kept_follows_the_form():
    """The sum beside the form weighs what is kept by what one of each kind is worth to the player."""
    game = Negotiation()
    state, _ = game.start(Chance(1), 2)
    decision = state.decision(Player(0)).asked(PlayerView(state, Player(0)), forms=game.forms)

    (worth,) = touches_of(game, decision).sums

    assert (worth.weights, worth.of) == ({"/keep/book": 0.0, "/keep/hat": 1.0, "/keep/ball": 3.0}, 10.0)
