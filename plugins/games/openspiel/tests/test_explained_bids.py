"""Games of bidding by rules of our own, beside the engine: what may be bid, who gets what, and who wins."""

from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.record import EVERYONE
from arena_game_openspiel.auction import FirstPriceAuction
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


def check_auction(seed: int) -> None:
    game, players, rng = FirstPriceAuction(most=2 + seed % 12), 2 + seed % 4, Random(seed)
    seats = [f"player {n + 1}" for n in range(players)]
    state, events = game.start(Chance(seed), players)
    assert [event.to for event in events] == [(n,) for n in range(players)]
    values, bids = [event.data["value"] for event in events], list[int]()
    assert all(1 <= value <= game.most for value in values)
    for turn in range(players):
        assert [*state.to_act()] == [turn]
        options = {option.label: option.action for option in state.decision(turn).options}
        assert list(options) == [f"bid {n}" for n in range(values[turn])]
        for player in range(players):
            view = state.observe(player)
            assert view["values"] == {seat: values[n] if n == player else None for n, seat in enumerate(seats)}
            assert view["bids"] == {seats[n]: bid if n == player else None for n, bid in enumerate(bids)}
            assert view["to_move"] == seats[turn]
        bids.append(rng.randrange(values[turn]))
        events = state.apply({turn: options[f"bid {bids[-1]}"]})
        told = [(event.kind, event.to) for event in events if event.kind != "sold"]
        assert told == [("moved", (turn,)), ("sealed", EVERYONE)]
    (sold,) = [event.data for event in events if event.kind == "sold"]
    assert sold["bids"] == bids
    winner = sold["winner"]
    assert bids[winner] == max(bids)
    assert state.returns() == [float(values[n] - bids[n]) if n == winner else 0.0 for n in range(players)]
    assert [*state.observe(0)["values"].values()] == [values[0], *[None] * (players - 1)]
    assert [*state.observe(0)["bids"].values()] == bids


def test_auctions_are_held_by_the_rules_that_they_state():
    """What is seen and offered, who gets the thing and what is earned are as the rules say, in some random matches."""
    for seed in range(12):
        check_auction(seed)


@pytest.mark.slow
def test_auctions_are_held_by_the_rules_that_they_state_in_300_matches():
    """The same in 300 matches, with two to five players."""
    for seed in range(300):
        check_auction(seed)


def test_each_of_equal_bids_may_get_the_thing():
    """Chance draws among the highest bids: over 40 matches in which all bid nothing each of three gets it."""
    winners = set[int]()
    for seed in range(40):
        state, _ = FirstPriceAuction().start(Chance(seed), 3)
        while acting := state.to_act():
            events = state.apply({acting[0]: 0})
        winners.add(events[-1].data["winner"])
    assert winners == {0, 1, 2}


def test_goofspiel_is_played_by_the_rules_that_it_states():
    """Cards, prizes, points, events and ends are those of the rules, in some random matches."""
    for seed in range(12):
        check_goofspiel(seed)


@pytest.mark.slow
def test_goofspiel_is_played_by_the_rules_that_it_states_in_300_matches():
    """The same in 300 matches, with two to five players and two to thirteen cards in all orders."""
    for seed in range(300):
        check_goofspiel(seed)
