import pytest
from arena.chance import Chance
from arena.game import Game
from arena.record import canonical_json
from arena_game_openspiel.card_games.blackjack import Blackjack
from arena_game_openspiel.card_games.gin_rummy import GinRummy
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.holdem import TexasHoldem
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.liars_dice import LiarsDice
from arena_game_openspiel.strategic_games.auction import FirstPriceAuction
from arena_game_openspiel.strategic_games.bargaining import Bargaining

from .conftest import fewest


def _face(state, player):
    decision = state.decision(player) if player in state.to_act() else None
    options = [[o.action, o.label] for o in decision.options] if decision else None
    return canonical_json([state.observe(player), options, [str(state.check(player, a)) for a in range(-1, 30)]])


@pytest.mark.parametrize(
    ("game", "player", "twins"),
    [
        (KuhnPoker(), 0, [{0: 1, 1: 0}, {0: 1, 1: 2}]),
        (KuhnPoker(), 1, [{0: 0, 1: 1}, {0: 2, 1: 1}]),
        (LeducPoker(), 0, [{0: 2, 1: 0}, {0: 2, 1: 5}]),
        (LeducPoker(), 0, [{0: 2, 1: 0}, {0: 3, 1: 0}]),
        (LiarsDice(dice=2), 0, [{0: 1, 1: 2, 2: 3, 3: 4}, {0: 1, 1: 2, 2: 5, 3: 5}]),
        (LiarsDice(dice=2), 1, [{0: 1, 1: 2, 2: 3, 3: 4}, {0: 0, 1: 0, 2: 3, 3: 4}]),
        (TexasHoldem(), 0, [{0: 8, 1: 9, 2: 10, 3: 11}, {0: 8, 1: 9, 2: 50, 3: 3}]),
        (TexasHoldem(), 1, [{0: 8, 1: 9, 2: 10, 3: 11}, {0: 0, 1: 51, 2: 10, 3: 11}]),
        (FirstPriceAuction(), 0, [{0: 6, 1: 2}, {0: 6, 1: 9}]),
        (FirstPriceAuction(), 1, [{0: 6, 1: 2}, {0: 3, 1: 2}]),
        (Blackjack(), 0, [{2: 7}, {2: 40}]),
        (Bargaining(), 0, [{0: 0}, {0: 14}]),
        (Bargaining(), 1, [{0: 1}, {0: 133}]),
        (GinRummy(), 0, [dict(enumerate([*range(10), other, *range(10, 20)])) for other in (50, 51)]),
        (GinRummy(), 1, [dict(enumerate([other, *range(20)])) for other in (50, 51)]),
        (Hanabi(), 0, [{0: 0}, {0: 4}]),
    ],
)
def test_twin_deals_look_the_same(game, player, twins):
    """Two deals that differ only in what a player does not see show it the same, word for word."""
    seen = []
    for forced in twins:
        state, events = game.start(Chance(3, {**forced}), fewest(game))
        told = [[e.kind, e.data] for e in events if e.is_visible(player)]
        seen.append((canonical_json(told), _face(state, player)))

    if game == Hanabi():  # later draws depend on what is left, so only the player's own sight of them is compared
        hands = [game.start(Chance(3, {**forced}), 2)[0].observe(0)["hands"]["player 1"] for forced in twins]
        assert hands[0] == hands[1]
    else:
        assert seen[0] == seen[1]


def test_the_spectator_sees_every_card(hidden: Game):
    """The spectator's view has nothing hidden in it."""
    state, _ = hidden.start(Chance(0), fewest(hidden))
    view = state.observe(None)

    assert view["you"] is None
    if isinstance(hidden, Hanabi):
        assert all(card["card"] for hand in view["hands"].values() for card in hand)
    elif isinstance(hidden, Blackjack):
        assert all(view["dealer"])
    else:
        (shown,) = {"cards", "dice", "hands", "values", "worth"} & view.keys()
        assert all(view[shown].values())


def test_players_see_their_own_and_nothing_else():
    """In poker a player sees its own card; in Hanabi every card but its own."""
    state, _ = KuhnPoker().start(Chance(0, {0: 2, 1: 0}), 2)
    assert state.observe(0)["cards"] == {"player 1": "K", "player 2": None}
    assert state.observe(1)["cards"] == {"player 1": None, "player 2": "J"}

    state, _ = Hanabi().start(Chance(0), 3)
    hands = state.observe(1)["hands"]
    assert [all(card["card"] is None for card in hands[f"player {n}"]) for n in (1, 2, 3)] == [False, True, False]


def test_deals_go_to_those_who_see_them():
    """Cards are told to their holder in poker, to all but their holder in Hanabi."""
    _, events = KuhnPoker().start(Chance(0), 3)
    assert [(e.kind, e.data["player"], e.to) for e in events] == [("dealt", p, (p,)) for p in range(3)]

    _, events = Hanabi().start(Chance(0), 3)
    deals = [e for e in events if e.kind == "dealt"]
    assert len(deals) == 15
    assert all(e.to == tuple(p for p in range(3) if p != e.data["player"]) for e in deals)


def test_a_played_card_is_shown_to_everybody():
    """In Hanabi the card that leaves a hand is told to its holder too."""
    state, _ = Hanabi().start(Chance(0), 2)
    card = state.observe(None)["hands"]["player 1"][1]["card"]

    played = state.apply({0: 6})[0]

    assert played.to is None
    assert played.data["card"] == card


def test_a_hint_tells_the_positions():
    """A hint names all cards that fit, and these alone."""
    state, _ = Hanabi().start(Chance(0), 2)
    hand = state.observe(0)["hands"]["player 2"]
    option = next(o for o in state.decision(0).options if "of rank 1" in o.label)

    told = state.apply({0: option.action})[0]

    assert told.data["cards"] == [card["position"] for card in hand if card["card"][1] == "1"]
    known = state.observe(1)["hands"]["player 2"]
    assert [card["position"] for card in known if card["may_be"]["ranks"] == [1]] == told.data["cards"]


@pytest.mark.sample(fast=12, slow=61)
@pytest.mark.parametrize("seed", range(4))
def test_imagined_states_cannot_be_told_apart(game: Game, walk, seed):
    """What a player imagines looks to it like the real state and can be played to its end."""
    players = fewest(game)
    for place, step in enumerate(walk(game, seed)):
        if place % 5 or not step.state.to_act():
            continue
        for player in step.state.to_act():
            other = step.state.resample_hidden(player, Chance(place))
            assert other is not None
            assert _face(other, player) == _face(step.state, player)
            before = canonical_json([step.state.observe(p) for p in range(players)])
            other.apply({p: other.decision(p).options.actions[0] for p in other.to_act()})
            assert canonical_json([step.state.observe(p) for p in range(players)]) == before


def test_imagination_draws_the_hidden_parts_anew(hidden: Game):
    """Over several draws the hidden parts differ, and equal chances imagine the same."""
    state, _ = hidden.start(Chance(0), fewest(hidden))
    truths = [canonical_json(state.resample_hidden(0, Chance(seed)).observe(None)) for seed in range(12)]

    assert len(set(truths)) > 1
    assert truths[3] == canonical_json(state.resample_hidden(0, Chance(3)).observe(None))
