import copy
from importlib.metadata import distribution
from random import Random

import pytest
from arena.chance import Chance
from arena.errors import ConfigError, RuleError, StaleDecision
from arena.game import Game
from arena.record import canonical_json

from .conftest import fewest


def test_most_players_can_play(hidden: Game, walk):
    """The greatest number of players a game allows can play it."""
    players = max(hidden.player_counts())

    *_, last = walk(hidden, players=players)

    assert len(last.state.returns()) == players


def test_another_seed_gives_another_deal(hidden: Game):
    """Hidden games deal differently from another seed."""
    deals = {canonical_json([e.data for e in hidden.start(Chance(seed), fewest(hidden))[1]]) for seed in range(20)}

    assert len(deals) > 3


def test_who_is_not_to_act_is_refused(game: Game, walk):
    """Checks answer whoever asks, also when it is not its turn or the match is over."""
    *_, last = walk(game)

    assert last.state.check(0, 0).kind == "not-your-turn"


def test_a_deep_copy_is_on_its_own():
    """A deep copy of a position goes on the same and leaves its original alone."""
    from arena_game_openspiel.card_games.kuhn import KuhnPoker

    state, _ = KuhnPoker().start(Chance(0), 2)
    other = copy.deepcopy(state)
    before = canonical_json(state.observe(0))
    step = {player: other.decision(player).sample(Random(0)) for player in other.to_act()}

    events = other.apply(step)

    assert canonical_json(state.observe(0)) == before
    assert state.apply(step) == events


def test_unchecked_actions_change_nothing():
    """A step that was not checked raises and leaves the position as it was."""
    from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe

    state, _ = TicTacToe().start(Chance(0), 2)
    for step in ({}, {0: 9}, {0: True}, {1: 0}, {0: 0, 1: 1}):
        with pytest.raises(RuleError):
            state.apply(step)
    assert state.observe(None)["board"] == [["", "", ""]] * 3


def test_labels_die_with_their_wave(walk):
    """Words that depend on the position cannot be read once it is gone."""
    from arena_game_openspiel.board_games.chess import Chess

    state, _ = Chess().start(Chance(0), 2)
    decision = state.decision(0)
    state.apply({0: decision.options.actions[0]})

    with pytest.raises(StaleDecision):
        decision.options.label(decision.options.actions[0])


def test_wrong_number_of_players_is_refused(game: Game):
    """A number of players that the game does not take is a mistake of the configuration."""
    with pytest.raises(ConfigError, match="players"):
        game.start(Chance(0), 99)


def test_every_entry_point_loads():
    """Each name of the distribution, offered by hook or not, leads to a class that takes its example."""
    from arena_game_openspiel.matrix_games import arena_games

    points = [p for p in distribution("playarena-game-openspiel").entry_points if p.group == "arena.games"]
    plugins = {**{point.name: point.load() for point in points}, **arena_games()}

    assert len(plugins) == 31
    for plugin in plugins.values():
        assert isinstance(plugin.load()(**plugin.example), Game)
        assert plugin.summary


def test_rewards_add_up_to_the_score(walk):
    """Hanabi pays for each card and takes everything back with the last life."""
    from arena_game_openspiel.card_games.hanabi import Hanabi

    for seed in range(5):
        steps = list(walk(Hanabi(), seed))
        # the state is the same object throughout, so rewards are read as the match is played again
        rewards = [step.state.rewards()[0] for i, step in enumerate(walk(Hanabi(), seed)) if i]
        assert sum(rewards) == steps[-1].state.returns()[0]
