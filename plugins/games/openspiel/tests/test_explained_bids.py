"""Games of bidding by rules of our own, beside the engine: what may be bid, who gets what, and who wins."""

from itertools import product
from random import Random
from typing import Any

import pytest
from arena.chance import Chance
from arena.record import EVERYONE
from arena_game_openspiel.strategic_games.auction import FirstPriceAuction
from arena_game_openspiel.strategic_games.bargaining import Bargaining
from arena_game_openspiel.strategic_games.blotto import Blotto
from arena_game_openspiel.strategic_games.goofspiel import Goofspiel

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


def check_blotto(seed: int) -> None:
    rng, players = Random(seed), 2 + seed % 4
    game = Blotto(coins=1 + seed % 9, fields=2 + seed % 3)
    seats, fields = [f"player {n + 1}" for n in range(players)], "ABCD"[: game.fields]
    ways = [way for way in product(range(game.coins + 1), repeat=game.fields) if sum(way) == game.coins]
    state, events = game.start(Chance(seed), players)
    assert ([*events], [*state.to_act()]) == ([], [*range(players)])
    options = {option.label: option.action for option in state.decision(0).options}
    assert set(options) == {", ".join(f"{name} {n}" for name, n in zip(fields, way, strict=True)) for way in ways}
    assert state.observe(0)["placed"] == {}
    placed = [rng.choice(ways) for _ in seats]
    labels = [", ".join(f"{name} {n}" for name, n in zip(fields, way, strict=True)) for way in placed]
    (told,) = state.apply({player: options[label] for player, label in enumerate(labels)})
    winners = [own.index(max(own)) if own.count(max(own)) == 1 else None for own in zip(*placed, strict=True)]
    assert (told.to, told.data) == (EVERYONE, {"placed": [[*way] for way in placed], "winners": winners})
    view: Any = state.observe(1)
    assert view["placed"] == {seat: [*way] for seat, way in zip(seats, placed, strict=True)}
    assert view["winners"] == [None if own is None else seats[own] for own in winners]
    won = [winners.count(player) for player in range(players)]
    assert view["won"] == dict(zip(seats, won, strict=True))
    best = [own == max(won) for own in won]
    gain, loss = 1 / sum(best), -1 / max(1, players - sum(best))
    assert state.returns() == pytest.approx([0.0] * players if all(best) else [gain if own else loss for own in best])


def check_bargaining(seed: int) -> None:
    rng, game, seats = Random(seed), Bargaining(offers=2 + seed % 5), ("player 1", "player 2")
    state, events = game.start(Chance(seed), 2)
    (laid, *valued) = events
    things, worth = laid.data["things"], [event.data["worth"] for event in valued]
    assert [event.to for event in events] == [EVERYONE, (0,), (1,)]
    assert all(1 <= many <= 5 for many in things.values())
    assert 5 <= sum(things.values()) <= 7
    assert all(sum(own[thing] * many for thing, many in things.items()) == 10 for own in worth)
    assert all(worth[0][thing] or worth[1][thing] for thing in things)
    offers, agreed = list[Any](), False
    while not agreed and len(offers) < game.offers:
        me = len(offers) % 2
        assert [*state.to_act()] == [me]
        for player, seat in enumerate(seats):
            view: Any = state.observe(player)
            assert view["things"] == things
            assert view["worth"] == {own: worth[player] if own == seat else None for own in seats}
            assert view["offers"] == [{"by": seats[n % 2], "keeps": keeps} for n, keeps in enumerate(offers)]
        options = {option.label: option.action for option in state.decision(me).options}
        ways = [dict(zip(things, way, strict=True)) for way in product(*(range(n + 1) for n in things.values()))]
        words = {", ".join(f"{n} {thing}{'s' * (n != 1)}" for thing, n in way.items()): way for way in ways}
        assert set(options) == {f"keep {told}" for told in words} | ({"accept"} if offers else set())
        agreed = bool(offers) and rng.random() < 0.3
        told = rng.choice(sorted(words))
        events = state.apply({me: options["accept" if agreed else f"keep {told}"]})
        offers += [] if agreed else [words[told]]
    assert state.to_act() == ()
    if not agreed:
        assert (events[-1].data, state.returns()) == ({"shares": None}, [0.0, 0.0])
        return
    keeper = (len(offers) - 1) % 2
    shares = [offers[-1], {thing: many - offers[-1][thing] for thing, many in things.items()}]
    shares = shares if keeper == 0 else shares[::-1]
    assert events[-1].data == {"shares": dict(zip(seats, shares, strict=True))}
    assert state.returns() == [
        float(sum(own[t] * n for t, n in share.items())) for own, share in zip(worth, shares, strict=True)
    ]
    assert state.observe(0)["worth"] == {"player 1": worth[0], "player 2": None}


CHECKS = [check_auction, check_goofspiel, check_blotto, check_bargaining]


@pytest.mark.parametrize("check", CHECKS)
def test_bids_are_made_by_the_rules_that_they_state(check):
    """What is seen and offered, who gets what and what is earned are as the rules say, in some random matches."""
    for seed in range(12):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.sample(slow=1)
def test_bids_are_made_by_the_rules_that_they_state_in_300_matches(check):
    """The same in 300 matches each, with two to five players where a game allows them, in all sizes."""
    for seed in range(300):
        check(seed)


def test_each_of_equal_bids_may_get_the_thing():
    """Chance draws among the highest bids: over 40 matches in which all bid nothing each of three gets it."""
    winners = set[int]()
    for seed in range(40):
        state, _ = FirstPriceAuction().start(Chance(seed), 3)
        while acting := state.to_act():
            events = state.apply({acting[0]: 0})
        winners.add(events[-1].data["winner"])
    assert winners == {0, 1, 2}
