import re
from random import Random

import pytest
from arena.chance import Chance
from arena.game import Game
from arena.record import GameEvent, Player, canonical_json
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon
from arena_game_openspiel.dice_games.liars_dice import LiarsDice

from .conftest import viewers


def _labels(game, seed=0):
    state, _ = game.start(Chance(seed), 2)
    return {option.action: option.label for option in state.decision(state.to_act()[0]).options}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_labels_are_words_and_unique(game: Game, walk, seed):
    """No two legal actions of a decision share a label, and no label is empty or a bare number."""
    for place, step in enumerate(walk(game, seed)):
        if place % 3 == 0:
            for player in step.state.to_act():
                labels = [option.label for option in step.state.decision(player).options]
                assert len(set(labels)) == len(labels)
                assert all(re.search("[a-z/]", label, re.I) for label in labels)


@pytest.mark.parametrize("matches", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_backgammon_tells_the_order_of_play(walk, matches):
    """Actions that differ only in which die is played first have different labels."""
    for seed in range(matches):
        for step in walk(Backgammon(), seed):
            for player in step.state.to_act():
                labels = [option.label for option in step.state.decision(player).options]
                assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("game", "action", "label"),
    [
        (TicTacToe(), 5, "row 2, column 3"),
        (ConnectFour(), 3, "column D"),
        (Hex(rows=4, columns=5), 11, "b3"),
        (Go(size=9), 30, "D4"),
        (Go(size=9), 8, "J1"),
        (Go(size=9), 81, "pass"),
        (Chess(notation="san"), 2426, "e4"),
        (Chess(), 2426, "e2e4"),
        (LiarsDice(dice=1), 9, "bid 2 x face 4"),
        (KuhnPoker(), 0, "check"),
        (KuhnPoker(), 1, "bet 1 chip"),
        (LeducPoker(), 1, "check"),
        (LeducPoker(), 2, "bet 2 chips"),
        (Hanabi(), 6, "play card B"),
    ],
)
def test_known_labels(game, action, label):
    """The first actions of each game are called what a person would call them."""
    assert _labels(game)[action] == label


def test_hints_name_whom_they_tell():
    """A hint is addressed to a player by its name, not by its distance."""
    assert any(
        re.fullmatch(r"tell player 2 its (red|yellow) cards", text) for text in _labels(Hanabi(colours=2)).values()
    )


def test_each_event_has_words(game: Game, walk):
    """Every event of a match is told in a sentence to everybody who may see it, the spectator included."""
    for step in walk(game, seed=1):
        for event in step.events:
            for player in viewers(game):
                if event.is_visible(player):
                    words = game.describe_event(event, player)
                    assert words
                    assert not words.startswith(f"{event.kind}:"), words


def test_forms_show_any_position(game: Game, walk):
    """Each form draws what each player and the spectator see, also after JSON and at the end."""
    import json

    for place, step in enumerate(walk(game, seed=3)):
        if place < 4 or not step.state.to_act():
            for player in viewers(game):
                data = json.loads(canonical_json(step.state.observe(player)))
                assert all(form(data) for form in game.forms.values())


def test_boards_can_be_drawn():
    """Board games have an illustration with the names of rows and columns."""
    for game in (TicTacToe(), ConnectFour(), Hex(), Chess(), Go(), Backgammon()):
        assert "illustration" in game.forms
    state, _ = ConnectFour().start(Chance(0), 2)
    state.apply({0: 3})

    drawn = ConnectFour().forms["illustration"](state.observe(1))

    assert drawn.split("\n")[5:7] == ["1  . . . X . . .", "   A B C D E F G"]


def test_a_full_column_is_refused_in_words():
    """The reason for a refusal names the column."""
    state, _ = ConnectFour(rows=2, columns=3, align=3).start(Chance(0), 2)
    state.apply({0: 1})
    state.apply({1: 1})

    assert "column B is not legal: it is full" in state.check(0, 1).reason


def test_unknown_events_are_still_told(game: Game):
    """An event of another kind has words too."""
    assert game.describe_event(GameEvent("noted", [1], None), None)


@pytest.mark.parametrize("matches", [1, pytest.param(6, marks=pytest.mark.campaign)])
def test_moves_of_chess_are_written_by_their_squares(matches):
    """In all positions of random games each move has the text that the engine itself reads as that move."""
    game = Chess()
    for seed in range(matches):
        rng = Random(seed)
        state, _ = game.start(Chance(seed), 2)
        while acting := state.to_act():
            for option in state.decision(acting[0]).options:
                assert state.engine.parse_move_to_action(option.label) == option.action
            state.apply({acting[0]: state.decision(acting[0]).sample(rng)})


def test_decisions_over_few_labels_are_made_once():
    """Matches of a game with a handful of labels share their decisions; those of another board or player differ."""
    first, second, narrow = (
        game.start(Chance(seed), 2)[0] for seed, game in enumerate([ConnectFour()] * 2 + [_NARROW])
    )
    opening = first.decision(Player(0))

    assert second.decision(Player(0)) is opening is not narrow.decision(Player(0))
    first.apply({Player(0): 3})
    assert first.decision(Player(1)).player == 1
    assert [option.label for option in narrow.decision(Player(0)).options] == ["column A", "column B", "column C"]


_NARROW = ConnectFour(rows=4, columns=3, align=3)
