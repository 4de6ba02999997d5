"""The contract carries every shape of game there is a small one for."""

import pytest
from arena.chance import Chance
from arena.game import FORFEITED, Game, Illegal
from arena.record import Player
from arena.testing import check_game

from .games_alone import Labyrinth, Route
from .games_board import TicTacToe
from .games_cards import Fireworks, KuhnPoker
from .games_tables import Auction, Proposals
from .games_together import POWERS, Letters, RockPaperScissors, Workshop

ALL = (
    TicTacToe(),
    KuhnPoker(),
    Fireworks(),
    RockPaperScissors(),
    Workshop(),
    Letters(),
    Proposals(),
    Auction(),
    Route(),
    Labyrinth(),
)


def begin(game: Game, seed: int = 0):
    """A match and what was told at its start."""
    return game.start(Chance(seed), game.player_counts()[0])


@pytest.mark.slow
@pytest.mark.parametrize("game", ALL, ids=lambda game: type(game).__name__)
@pytest.mark.sample(slow=1)
def test_game_keeps_the_contract(game):
    """Every game passes the check with nothing left untested, and where things are hidden, many truths differed."""
    report = check_game(game)

    assert (report.untested, report.cut) == ((), 0)
    assert report.differing > 20 or not game.facts(report.players[0]).hidden_information


@pytest.mark.slow
def test_same_seed_checks_the_same():
    """The check is reproducible by its seed."""
    assert check_game(KuhnPoker(), seed=5) == check_game(KuhnPoker(), seed=5)


def test_board_is_a_picture():
    """A board is drawn as an image by a pure function of the observation."""
    state, _ = begin(TicTacToe())
    state.apply({Player(0): 4})

    picture = TicTacToe().forms["image"](state.observe(None))

    assert picture.media_type == "image/png"
    assert picture.alt == "X at centre"


def test_hidden_card_is_told_to_its_holder():
    """In Kuhn poker each card is an event for one player."""
    _, events = begin(KuhnPoker())

    assert [event.to for event in events] == [(0,), (1,)]


def test_rewards_come_with_each_wave():
    """Rock, paper, scissors pays after each round, and the returns are the sum."""
    state, _ = begin(RockPaperScissors(rounds=2))

    state.apply({Player(0): "paper", Player(1): "rock"})
    first = state.rewards()
    state.apply({Player(0): "rock", Player(1): "rock"})

    assert (first, state.rewards(), state.returns()) == ((1.0, -1.0), (0.0, 0.0), (1.0, -1.0))


def test_one_is_done_and_the_other_goes_on():
    """In the workshop one player may be done while the other acts alone, as often as it likes."""
    state, _ = begin(Workshop())

    acting = [state.to_act()]
    state.apply({Player(0): "done", Player(1): "plank"})
    acting.append(state.to_act())
    state.apply({Player(1): "done"})
    acting.append(state.to_act())

    assert acting == [(0, 1), (1,), ()]


def test_crafting_is_unseen():
    """What a player crafts is told to nobody else, and the other's observation stays as it was."""
    state, _ = begin(Workshop())
    before = state.observe(Player(0))

    events = state.apply({Player(0): "done", Player(1): "plank"})

    assert [event.kind for event in events if event.is_visible(Player(0))] == ["finished"]
    assert state.observe(Player(0)) == {**before, "done": [0]}


def test_query_refuses_nonsense_with_a_reason():
    """A query answers what makes sense and refuses the rest; the state stays as it was."""
    state, _ = begin(Workshop())
    (recipe,) = state.decision(Player(0)).queries

    assert recipe.answer({"thing": "torch"}) == {"stick": 1}
    assert isinstance(recipe.answer({"thing": "gold"}), Illegal)


def test_letter_is_seen_by_its_two_ends():
    """A private letter is told to who wrote it and who gets it."""
    state, _ = begin(Letters())

    events = state.apply({p: {"ITALY": "peace?"} if p == 2 else {} for p in state.to_act()})

    assert [event.to for event in events if event.kind == "letter"] == [(2, 4)]
    assert [state.observe(Player(p))["letters"] for p in (0, 2, 4)] == [
        [],
        [["FRANCE", "ITALY", "peace?"]],
        [["FRANCE", "ITALY", "peace?"]],
    ]


def test_eliminated_player_is_not_to_act():
    """Who has lost its last army acts no more, and the others go on."""
    state, _ = begin(Letters(years=3))

    for _ in range(2):
        state.apply({p: {} for p in state.to_act()})
        events = state.apply({p: "hold" if p == 0 else "AUSTRIA" for p in state.to_act()})

    assert "eliminated" in [event.kind for event in events]
    assert state.to_act() == tuple(range(1, 7))


def test_power_that_left_holds():
    """A power that was put out writes nothing and holds, and the match goes on."""
    state, _ = begin(Letters())
    state.apply({p: {} for p in state.to_act()})

    (orders, *_) = state.apply({p: FORFEITED if p == 3 else "hold" for p in state.to_act()})

    assert orders.data == dict.fromkeys(POWERS, "hold")


def test_offer_is_seen_by_two_of_three():
    """The third player learns who talks to whom, but not what is offered."""
    state, _ = begin(Proposals())

    proposed, offer = state.apply({Player(0): {"partner": 2, "slices": 5}})

    assert (proposed.to, offer.to) == (None, (0, 2))
    assert [state.observe(Player(p))["offer"] for p in (0, 1, 2)] == [
        {"partner": 2, "slices": 5},
        None,
        {"partner": 2, "slices": 5},
    ]


def test_wrong_plan_is_a_result():
    """A plan that runs into a wall is legal, is judged, and earns nothing."""
    state, _ = begin(Route())

    assert state.check(Player(0), ["east"]) is None
    state.apply({Player(0): ["east"]})

    assert (state.returns(), state.observe(None)["verdict"]) == ((0.0,), "move 1 hits a wall")


def test_hands_of_others_are_seen():
    """In the game of hints a player sees every hand but its own."""
    state, _ = Fireworks().start(Chance(0), 3)

    assert [sorted(state.observe(Player(p))["hands"]) for p in range(3)] == [["1", "2"], ["0", "2"], ["0", "1"]]


def test_others_bid_on_when_one_is_put_out():
    """A bidder who was put out has left, and the auction ends among the others."""
    state, _ = begin(Auction())
    state.apply({Player(0): "raise"})

    state.apply({Player(1): FORFEITED})
    state.apply({Player(2): "pass"})

    assert state.returns() == [4.0, 0.0, 0.0]
