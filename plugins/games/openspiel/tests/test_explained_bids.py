"""Goofspiel by rules of our own, beside the engine: what may be bid, who gets what, and who wins."""

from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena_game_openspiel.goofspiel import Goofspiel

ORDERS = ("random", "ascending", "descending")


def check_goofspiel(seed: int) -> None:
    game = Goofspiel(cards=2 + seed % 12, prizes=ORDERS[seed % 3])
    players = 2 + seed % 4
    seats, letters = [f"player {n + 1}" for n in range(players)], "ABCDEFGHIJKLM"[: game.cards]
    hands, points = [[*letters] for _ in seats], [0] * players
    prizes = {"ascending": [*range(1, game.cards + 1)], "descending": [*range(game.cards, 0, -1)]}.get(game.prizes)
    opened, told = list[int](), list[Any]()
    state, events = game.start(Chance(seed), players)
    rng = Random(seed)
    for number in range(1, game.cards + 1):
        opened += [event.data["prize"] for event in events if event.kind == "opened"]
        is_last = number == game.cards
        if not is_last:
            prize = prizes[number - 1] if prizes else opened[-1]
            view = state.observe(0)
            assert (view["prize"], len(view["rounds"])) == (prize, number - 1)
            assert view["cards"] == dict(zip(seats, hands, strict=True))
            assert view["points"] == dict(zip(seats, points, strict=True))
            assert [*state.to_act()] == [*range(players)]
            options = [{o.label: o.action for o in state.decision(player).options} for player in range(players)]
            assert [[*own] for own in options] == [[f"card {letter}" for letter in hand] for hand in hands]
            bids = [rng.choice(hand) for hand in hands]
            events = state.apply({player: options[player][f"card {bid}"] for player, bid in enumerate(bids)})
        else:
            bids = [hand[0] for hand in hands]
            prize = sum(range(1, game.cards + 1)) - sum(own["prize"] for own in told)
        for hand, bid in zip(hands, bids, strict=True):
            hand.remove(bid)
        higher = [bid == max(bids) for bid in bids]
        winner = higher.index(True) if sum(higher) == 1 else None
        if winner is not None:
            points[winner] += prize
        told.append({"round": number, "prize": prize, "bids": bids, "winner": winner})
        assert all(event.to is None for event in events)
        revealed = [event.data for event in events if event.kind == "revealed"]
        assert revealed == told[-2:] if is_last else revealed[0] == told[-1]
    assert state.to_act() == ()
    assert list(state.observe(None)["points"].values()) == points
    best = [own == max(points) for own in points]
    won, lost = 1 / sum(best), -1 / max(1, players - sum(best))
    assert state.returns() == pytest.approx([0.0] * players if all(best) else [won if own else lost for own in best])


def test_goofspiel_is_played_by_the_rules_that_it_states():
    """Cards, prizes, points, events and ends are those of the rules, in some random matches."""
    for seed in range(12):
        check_goofspiel(seed)


@pytest.mark.slow
def test_goofspiel_is_played_by_the_rules_that_it_states_in_300_matches():
    """The same in 300 matches, with two to five players and two to thirteen cards in all orders."""
    for seed in range(300):
        check_goofspiel(seed)
