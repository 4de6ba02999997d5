"""Hands of poker: what they are called, which is better, and who takes the pot with what."""

from random import Random

import pytest
from arena.chance import Chance
from arena_game_openspiel.card_games.hand_names import hand_name, strength, won
from arena_game_openspiel.card_games.holdem import TexasHoldem
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker

ORDER = (
    ("Ah Kd 9c 5s 3h 2d 7c", "ace high"),
    ("2h 2d 9c 5s 3h Kd 7c", "pair of twos"),
    ("Ah Ad 9c 5s 3h Kd 7c", "pair of aces"),
    ("6h 6d 5c 5s 3h Kd 3c", "two pairs, sixes and fives"),
    ("6h 6d 6c 5s 3h Kd 9c", "three sixes"),
    ("Ah 2d 3c 4s 5h Kd 9c", "straight, five high"),
    ("10h Jd Qc Ks Ah 3d 9c", "straight, ace high"),
    ("2h 5h 9h Jh Qh Ad 3c", "flush, queen high"),
    ("Kh Kd Kc 10s 10h 3d 3c", "full house, kings over tens"),
    ("4h 4d 4c 4s Ah 3d 9c", "four fours"),
    ("5h 6h 7h 8h 9h Ad Ac", "straight flush, nine high"),
    ("10s Js Qs Ks As 2d 2c", "royal flush"),
)
"""Seven cards each, from the worst hand to the best."""


@pytest.mark.parametrize(("cards", "name"), ORDER)
def test_best_five_of_seven_are_named(cards, name):
    """The best five of seven cards have the name that players give them."""
    assert hand_name(cards.split()) == name


def test_hands_are_ranked_as_usual():
    """A hand further down the usual list is the stronger one."""
    assert [cards for cards, _ in sorted(ORDER, key=lambda own: strength(own[0].split()))] == [c for c, _ in ORDER]


@pytest.mark.parametrize("game", [TexasHoldem(), LeducPoker(), KuhnPoker()])
def test_who_is_said_to_win_is_who_is_paid(game):
    """In random matches the sentence at the end names exactly those who did not lose by the engine's count."""
    told = set()
    for seed in range(60):
        state, _ = game.start(Chance(seed), 2)
        rng = Random(seed)
        while state.to_act():
            (player,) = state.to_act()
            state.apply({player: state.decision(player).sample(rng)})
        sentence = won(state.observe(None))
        returns = state.returns()
        best = [f"player {number + 1}" for number, earned in enumerate(returns) if earned == max(returns)]
        assert sentence.startswith(f"{' and '.join(best)} {'take' if len(best) == 1 else 'share'}"), sentence
        told.add("folded" in sentence)

    assert told == {True, False}
