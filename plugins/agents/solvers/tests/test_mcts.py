"""OpenSpiel's Monte Carlo tree search as an agent."""

from typing import ClassVar

import pytest
from arena.errors import ConfigError
from arena.game import Game
from arena.testing import RANDOM, check_agent, playing
from arena_agent_solvers.mcts import Mcts
from arena_engine import Limits
from arena_game_openspiel.board_games.chess import Chess
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.go import Go
from arena_game_openspiel.board_games.hex import Hex
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.dice_games.backgammon import Backgammon
from arena_game_openspiel.strategic_games.matrix import MatchingPennies

from .nim import Nim


def test_mcts_keeps_the_contract_of_an_agent():
    """It plays legal actions only, and the same again when replayed from the same seed."""
    assert check_agent(Mcts(simulations=60), TicTacToe(), matches=2, is_legal=True).replies


def test_mcts_takes_the_win(play):
    """With two in a row and the third cell free it completes the line, and says that this is proved."""
    record = play(TicTacToe(), [Mcts(simulations=400), playing(3, 4, 8)], seed=1).over

    assert record.returns is not None
    assert record.returns[0] == 1.0
    *_, last = (event.data for event in record.played() if event.player == 0)
    assert dict(map(tuple, last["note"]["worths"]))[last["action"]] == 1.0
    assert last["note"]["line"][0] == last["action"]
    assert "simulations" in last["reasoning"]


@pytest.mark.slow  # backgammon has hundreds of options
def test_dice_are_searched_too(play):
    """Backgammon is searched over its dice, up to a limit of the match."""

    record = play(Backgammon(), [Mcts(simulations=4), RANDOM], seed=2, limits=Limits(max_steps=6)).over

    assert all(event.data["by"] == "agent" for event in record.played())


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Nim(), "plays games of OpenSpiel, and Nim is none"),
        (KuhnPoker(), "something is hidden"),
        (MatchingPennies(), "they move at the same time"),
    ],
)
def test_other_games_are_refused_with_the_reason(game: Game, why: str):
    """One sentence says why a game cannot be searched, before anything is played."""
    with pytest.raises(ConfigError, match=why):
        Mcts().needs(game, 2)


class MctsInThread(Mcts):
    """The same search in a thread of the run's process."""

    plays_in_own_process: ClassVar[bool] = False


@pytest.mark.campaign
@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Chess(), Backgammon(), Hex(), Go()])
def test_mcts_plays_the_same_in_a_process_of_its_own(play, game: Game):
    """With equal seeds, every move, visit and value is that of the search in a thread."""
    steps = Limits(max_steps=14)

    played = [
        [play(game, [kind(simulations=40), kind(simulations=9)], seed=s, limits=steps).over.events for s in (1, 2)]
        for kind in (MctsInThread, Mcts)
    ]

    assert Mcts.plays_in_own_process
    assert played[0] == played[1]
    assert len(played[0][0]) > 10
