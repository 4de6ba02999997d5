"""The games as they are named, and a way to play them at random."""

from collections.abc import Callable, Iterator
from random import Random

import attrs
import pytest
from arena.chance import Chance
from arena.game import Game, State
from arena.record import GameEvent, Player
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
from arena_game_openspiel.strategic_games.auction import FirstPriceAuction
from arena_game_openspiel.strategic_games.bargaining import Bargaining
from arena_game_openspiel.strategic_games.blotto import Blotto
from arena_game_openspiel.strategic_games.goofspiel import Goofspiel
from arena_game_openspiel.strategic_games.matrix import AnyMatrix, MatchingPennies, PrisonersDilemma, RockPaperScissors

NAMED: dict[str, Game] = {
    "tic-tac-toe": TicTacToe(),
    "connect-four": ConnectFour(),
    "kuhn-poker": KuhnPoker(),
    "leduc-poker": LeducPoker(),
    "matrix-rps": RockPaperScissors(),
    "matrix-pd": PrisonersDilemma(),
    "matching-pennies": MatchingPennies(),
    "matrix-pd-known-end": PrisonersDilemma(rounds=3),
    "matrix-pd-open-end": PrisonersDilemma(rounds=50, continues=0.7),
    "matrix": AnyMatrix(
        title="The market",
        rows=("enter", "stay out"),
        columns=("fight", "yield", "bribe"),
        payoffs=(((-1, 0), (2, 1), (1, 1.5)), ((0, 3), (0, 3), (0, 2))),
        roles=("entrant", "incumbent"),
    ),
    "hex": Hex(),
    "chess": Chess(),
    "go": Go(),
    "hanabi": Hanabi(),
    "liars-dice": LiarsDice(dice=2),
    "backgammon": Backgammon(),
    "checkers": Checkers(),
    "othello": Othello(),
    "pig": Pig(target=20),
    "nine-mens-morris": NineMensMorris(),
    "oware": Oware(),
    "breakthrough": Breakthrough(),
    "pentago": Pentago(),
    "dots-and-boxes": DotsAndBoxes(),
    "goofspiel": Goofspiel(cards=6),
    "first-price-auction": FirstPriceAuction(),
    "openspiel-nim": Nim(),
    "blackjack": Blackjack(),
    "blotto": Blotto(),
    "bargaining": Bargaining(),
    "gin-rummy": GinRummy(),
    "texas-holdem": TexasHoldem(),
    "texas-holdem-limit": TexasHoldem(betting="limit"),
}

HIDDEN = (
    *("kuhn-poker", "leduc-poker", "hanabi", "liars-dice", "texas-holdem", "texas-holdem-limit"),
    *("first-price-auction", "blackjack", "bargaining", "gin-rummy"),
)


@attrs.frozen
class Step:
    """A position of a random match, and what was told since the one before."""

    state: State
    events: tuple[GameEvent, ...]

    def seen(self, player: Player | None) -> list[GameEvent]:
        return [event for event in self.events if event.is_visible(player)]


Walk = Callable[..., Iterator[Step]]


def fewest(game: Game) -> int:
    """The number of players that most tests play a game with."""
    return min(game.player_counts())


def viewers(game: Game) -> list[Player | None]:
    """The spectator, and each player of a match of the fewest."""
    return [None, *(Player(p) for p in range(fewest(game)))]


@pytest.fixture(params=list(NAMED))
def game(request: pytest.FixtureRequest) -> Game:
    """Each named game in turn."""
    return NAMED[request.param]


@pytest.fixture(params=HIDDEN)
def hidden(request: pytest.FixtureRequest) -> Game:
    """Each named game in which something is hidden."""
    return NAMED[request.param]


@pytest.fixture
def walk() -> Walk:
    """All positions of one match played at random, from the first to the last."""

    def play(game: Game, seed: int = 0, players: int | None = None, chance: Chance | None = None) -> Iterator[Step]:
        state, events = game.start(chance or Chance(seed), players or fewest(game))
        rng = Random(seed)
        yield Step(state, tuple(events))
        while acting := state.to_act():
            step = {player: state.decision(player).sample(rng) for player in acting}
            yield Step(state, tuple(state.apply(step)))

    return play
