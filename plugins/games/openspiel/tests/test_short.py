"""The short forms of games: the position in a line, and a word for each action, in the order of the options."""

from collections.abc import Iterator
from random import Random

import pytest
from arena.chance import Chance
from arena.game import Game, State
from arena.record import Player
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker

SMALL = ConnectFour(rows=4, columns=5, align=3)


def positions(game: Game, players: int = 2, matches: int = 30) -> Iterator[tuple[State, Player]]:
    """Every decision of some random matches."""
    for seed in range(matches):
        rng = Random(seed)
        state, _ = game.start(Chance(seed), players)
        while acting := state.to_act():
            for player in acting:
                yield state, player
            state.apply({player: state.decision(player).sample(rng) for player in acting})


def named(game: Game, state: State, player: Player, form: str = "short-actions") -> dict[str, str]:
    """The short name of each action, by its label."""
    names = str(game.forms[form](state.observe(player))).split()
    options = state.decision(player).options
    assert options is not None
    return dict(zip((option.label for option in options), names, strict=True))


def test_cells_of_tic_tac_toe_go_by_letter_and_number():
    """The letter is the column, the number the row, both counted as in the rules."""
    for state, player in positions(TicTacToe()):
        for label, name in named(TicTacToe(), state, player).items():
            row, column = (int(word) for word in label.replace(",", "").split()[1::2])
            assert name == f"{'abc'[column - 1]}{row}"


@pytest.mark.parametrize("game", [SMALL, ConnectFour()])
def test_columns_of_connect_four_go_by_their_letters(game):
    """A full column has no name, and the others keep theirs."""
    for state, player in positions(game):
        assert all(label == f"column {name}" for label, name in named(game, state, player).items())


@pytest.mark.parametrize("players", [2, 3])
def test_bets_of_kuhn_poker_go_by_their_first_word(players):
    """Check, bet, fold and call, whatever went before."""
    for state, player in positions(KuhnPoker(), players):
        assert all(label.split()[0] == name for label, name in named(KuhnPoker(), state, player).items())


@pytest.mark.parametrize("players", [2, 3])
def test_bets_of_leduc_poker_go_by_their_first_word(players):
    """Fold, check, call, bet and raise, in both rounds, with the amounts left to the rules."""
    for state, player in positions(LeducPoker(), players):
        assert all(label.split()[0] == name for label, name in named(LeducPoker(), state, player).items())


@pytest.mark.parametrize("game", [KuhnPoker(), LeducPoker()])
def test_hands_in_a_line_tell_all_and_nothing_hidden(game):
    """A line holds the player's own card, the public one, the pot and all bets, and no other card."""
    for state, player in positions(game):
        seen = state.observe(player)
        line = str(game.forms["short"](seen))
        assert "\n" not in line
        assert line.startswith(f"card {seen['cards'][seen['you']]}; ")
        assert f"pot {seen['pot']}" in line
        assert all(f"{seat}: {words}" in line for bets in seen["betting"] for seat, words in bets)
        assert ("public" in line) == ("public_card" in seen)


@pytest.mark.parametrize(
    ("game", "moves", "line"),
    [
        (TicTacToe(), [], "X: -. O: -"),
        (TicTacToe(), [4, 0, 8], "X: b2 c3. O: a1"),
        (SMALL, [], "A -, B -, C -, D -, E -"),
        (SMALL, [2, 2, 1], "A -, B X, C XO, D -, E -"),
        (Hex(rows=3, columns=3), [0, 5], "X: a1. O: c2"),
        (Go(size=5), [0, 24], "Black: A1. White: E5"),
        (Chess(), [], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ],
)
def test_positions_in_a_line_that_repeats_no_rule(game, moves, line):
    """The form ``short`` holds the position alone; what its names mean stands in ``notation``, or in the rules."""
    state, _ = game.start(Chance(0), 2)
    for move in moves:
        (player,) = state.to_act()
        state.apply({player: move})

    assert game.forms["short"](state.observe(0)) == line


def test_repeated_position_of_chess_is_counted_in_its_line():
    """The third time is a draw, so that the second one matters."""
    state, _ = Chess().start(Chance(0), 2)
    for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
        (player,) = state.to_act()
        options = state.decision(player).options
        assert options is not None
        state.apply({player: next(option.action for option in options if option.label == move)})

    assert str(Chess().forms["short"](state.observe(0))).endswith(" w KQkq - 4 3 (occurred 2 times)")


def test_positions_that_differ_to_a_player_differ_in_the_line():
    """Two different observations of a player never share a line: nothing that matters is left out."""
    for game in (TicTacToe(), SMALL, KuhnPoker(), LeducPoker()):
        lines: dict[str, str] = {}
        for state, player in positions(game):
            seen = state.observe(player)
            shown = f"{player} {game.forms['short'](seen)}"
            assert lines.setdefault(shown, str(seen)) == str(seen)
