import pytest
from arena.testing import check_game
from arena_game_openspiel.board_games.breakthrough import Breakthrough
from arena_game_openspiel.board_games.checkers import Checkers
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.dots_and_boxes import DotsAndBoxes
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.morris import NineMensMorris
from arena_game_openspiel.board_games.nim import Nim
from arena_game_openspiel.board_games.othello import Othello
from arena_game_openspiel.board_games.oware import Oware
from arena_game_openspiel.board_games.pentago import Pentago
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.blackjack import Blackjack
from arena_game_openspiel.card_games.gin_rummy import GinRummy
from arena_game_openspiel.card_games.hanabi import Hanabi
from arena_game_openspiel.card_games.holdem import TexasHoldem
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.card_games.leduc import LeducPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon
from arena_game_openspiel.dice_games.liars_dice import LiarsDice
from arena_game_openspiel.dice_games.pig import Pig
from arena_game_openspiel.library.generic import OpenSpiel
from arena_game_openspiel.strategic_games.auction import FirstPriceAuction
from arena_game_openspiel.strategic_games.bargaining import Bargaining
from arena_game_openspiel.strategic_games.blotto import Blotto
from arena_game_openspiel.strategic_games.goofspiel import Goofspiel
from arena_game_openspiel.strategic_games.matrix import MatchingPennies, PrisonersDilemma, RockPaperScissors

from .conftest import fewest

OPEN = [
    TicTacToe(),
    ConnectFour(),
    RockPaperScissors(),
    PrisonersDilemma(),
    MatchingPennies(),
    Hex(rows=5, columns=5),
    Chess(),
    Go(size=5),
    Nim(),
    Blotto(),
    Checkers(),
    Othello(),
    Pig(target=15),
    NineMensMorris(),
    Oware(),
    Breakthrough(rows=6, columns=5),
    Pentago(),
    DotsAndBoxes(),
    Goofspiel(cards=5),
]
HIDDEN = [
    KuhnPoker(),
    LeducPoker(),
    LiarsDice(),
    Hanabi(colours=2, ranks=3),
    TexasHoldem(),
    TexasHoldem(betting="limit"),
    FirstPriceAuction(),
    Blackjack(),
    Bargaining(),
    GinRummy(),
]
NAMES = ("clobber", "oshi_zumo", "phantom_ttt", "dark_hex", "tiny_hanabi", "universal_poker")
LONG_NAMES = ("hearts", "gin_rummy", "oh_hell", "kriegspiel", "battleship", "spades", "laser_tag", "pig")
LONG = [
    KuhnPoker(),
    LeducPoker(),
    LiarsDice(dice=2),
    Hanabi(),
    Backgammon(),
    Backgammon(scoring="full"),
    Hex(),
    Go(),
    *map(OpenSpiel, LONG_NAMES),
]


@pytest.mark.campaign
@pytest.mark.parametrize("game", OPEN, ids=repr)
def test_open_games_keep_the_contract(game):
    """Named games in which nothing is hidden pass every shipped check."""
    assert check_game(game).steps


@pytest.mark.slow
@pytest.mark.parametrize("game", HIDDEN, ids=repr)
@pytest.mark.sample(slow=1)
def test_hidden_games_leak_nothing(game):
    """Named games with hidden parts pass every shipped check, and the check for leaks had something to compare."""
    assert check_game(game, fewest(game)).differing > 10


@pytest.mark.parametrize("game", [*HIDDEN, *OPEN], ids=repr)
@pytest.mark.sample(fast=2, slow=4)
def test_few_matches_of_each_game_keep_the_contract(game):
    """In one match or three each named game ends in time, is the same again and from copies, and refuses the rest."""
    matches = 3 if game in HIDDEN else 1  # in one alone there may be nothing to be told apart
    assert check_game(game, fewest(game), playouts=matches).steps


@pytest.mark.campaign
def test_backgammon_keeps_the_contract():
    """Backgammon passes every shipped check; fewer matches, for its decisions have hundreds of options; 20 s."""
    assert check_game(Backgammon(), playouts=2).steps


@pytest.mark.slow
@pytest.mark.parametrize("game", [*map(OpenSpiel, NAMES)], ids=repr)
@pytest.mark.sample(slow=1)
def test_games_by_name_keep_the_contract(game):
    """So do games that are only named."""
    assert check_game(game, min(game.player_counts()), playouts=8).steps


@pytest.mark.campaign
@pytest.mark.parametrize("game", LONG, ids=repr)
def test_long_games_keep_the_contract(game):
    """Looked at with more matches, and with as many players as may play."""
    assert check_game(game, thorough=isinstance(game, KuhnPoker | LeducPoker | LiarsDice)).steps
