"""Hold'em against OpenSpiel's engine: stakes, words, cards, and what would end the process."""

import re
from random import Random

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena_game_openspiel.card_games.holdem import RANKS, TexasHoldem
from arena_game_openspiel.library.probe import fatal_end

KINDS = [TexasHoldem(), TexasHoldem(small_blind=7, big_blind=15, stack=333), TexasHoldem(betting="limit")]


def engine_paid(state):
    """What the engine says that everybody has paid."""
    told = re.search(r"PlayerContribution: ([0-9 ]+)", state.engine.observation_string(0))
    return [int(amount) for amount in told[1].split()]


def agrees(state, players):
    """Whether what is shown is what the engine has; each option costs what it says."""
    view = state.observe(None)
    assert list(view["paid"].values()) == engine_paid(state)
    assert view["pot"] == sum(engine_paid(state))
    for player in range(players):
        private = re.search(r"Private: ([^\]]*)", state.engine.observation_string(player))[1]
        wanted = {f"{card[0].replace('T', '10')}{card[1]}" for card in re.findall("..", private)}
        assert set(view["cards"][f"player {player + 1}"].split()) == wanted
    public = re.search(r"Public: ([^\]]*)", state.engine.information_state_string(0))[1]
    assert {*(view["public_card"] or "").split()} == {c.replace("T", "10") for c in re.findall("..", public)}
    for player in state.to_act():
        for option in state.decision(player).options:
            child = state.engine.child(option.action)
            cost = int(re.search(r"PlayerContribution: ([0-9 ]+)", child.observation_string(0))[1].split()[player])
            told = re.search(r"(\d+) chips?$", option.label)
            assert cost - engine_paid(state)[player] == (int(told[1]) if told else 0), option.label


def play(game, players, seed, check):
    """One random match; returns its state at the end."""
    state, _ = game.start(Chance(seed), players)
    rng = Random(seed)
    while acting := state.to_act():
        check(state, players)
        (player,) = acting
        options = [option.action for option in state.decision(player).options]
        state.apply({player: rng.choice(options if rng.random() < 0.3 else [o for o in options if o] or options)})
    check(state, players)
    paid = list(state.observe(None)["paid"].values())
    assert all(value == -paid[p] for p, value in enumerate(state.returns()) if value < 0)
    return state


@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_what_is_shown_is_what_the_engine_has(game):
    """Stakes, cards and the cost of every option, along random matches of the least and the most players."""
    for players in (min(game.player_counts()), max(game.player_counts())):
        for seed in range(3):
            play(game, players, seed, agrees)


@pytest.mark.campaign
@pytest.mark.parametrize("game", KINDS, ids=repr)
def test_what_is_shown_is_what_the_engine_has_in_300_matches(game):
    """The same along 300 random matches, since rare positions (all in, equal stakes) matter most; 20 s."""
    counts = list(game.player_counts())
    for seed in range(300):
        play(game, counts[seed % len(counts)], seed, agrees)


def test_the_best_hand_wins():
    """A pair of aces beats a pair of kings; equal hands share the pot."""

    def card(name):
        return 4 * RANKS.index(name[:-1]) + "cdhs".index(name[-1])

    def ended(*cards):
        state, _ = TexasHoldem().start(Chance(0, {at: card(name) for at, name in enumerate(cards)}), 2)
        while acting := state.to_act():
            state.apply({acting[0]: 1})
        return state

    board = ("2c", "7d", "9h", "J" + "s", "4c")
    won = ended("Ac", "Ad", "Kc", "Kd", *board)
    shared = ended("Ac", "Kd", "Ah", "Ks", *board)

    assert won.returns() == [100.0, -100.0]
    assert won.observe(1)["cards"] == {"player 1": "Ac Ad", "player 2": "Kc Kd"}
    assert shared.returns() == [0.0, 0.0]


def test_what_would_end_the_process_is_refused():
    """With a fixed limit OpenSpiel's own game ends the process for five players; here that is a mistake."""
    limit = TexasHoldem(betting="limit")
    assert list(limit.player_counts()) == [2, 3, 4]
    with pytest.raises(ConfigError, match="2 to 4 players, not for 6"):
        limit.start(Chance(0), 6)
    with pytest.raises(ConfigError, match="small-blind: expected at most the big blind, 100, got 200"):
        TexasHoldem(small_blind=200)
    with pytest.raises(ConfigError, match="stack: expected at least twice the big blind, 200 chips, got 150"):
        TexasHoldem(stack=150)

    ends = fatal_end("universal_poker", '{"betting":"limit","numPlayers":5,"blind":"50 100 0 0 0"}')
    assert ends.startswith("SIGSEGV")
    for players in TexasHoldem().player_counts():
        assert TexasHoldem().start(Chance(0), players)
