"""Games played by OpenSpiel's engine; those with a payoff table are in ``matrix_games``."""

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

NEEDS = (Requirement("pyspiel", package="open-spiel"),)
LICENCE = "Apache-2.0"
REFERENCE = frozenset({"reference"})
"""The label of the games that serve as the reference for speed."""

WITHOUT_RULES = frozenset({"without-rules"})
"""The label of a plugin whose games may come without rules, for lists and examples of benchmark files."""

PGN = Plugin(
    factory="arena_game_openspiel.pgn:PgnExport",
    summary="one file with all games of chess in Portable Game Notation",
    requirements=(*NEEDS, Requirement("arena_report", package=full_name("game-openspiel[pgn]"))),
    licence=LICENCE,
)
TIC_TAC_TOE = Plugin(
    factory="arena_game_openspiel.board_games.tic_tac_toe:TicTacToe",
    summary="Three marks in a line win.",
    requirements=NEEDS,
    capabilities=REFERENCE,
    licence=LICENCE,
)
CONNECT_FOUR = Plugin(
    factory="arena_game_openspiel.board_games.connect_four:ConnectFour",
    summary="Drop discs; four in a line win.",
    requirements=NEEDS,
    capabilities=REFERENCE,
    licence=LICENCE,
    example={"rows": 6, "columns": 7, "align": 4},
)
KUHN_POKER = Plugin(
    factory="arena_game_openspiel.card_games.kuhn:KuhnPoker",
    summary="One card each and a single bet; the smallest poker.",
    requirements=NEEDS,
    capabilities=REFERENCE,
    licence=LICENCE,
)
LEDUC_POKER = Plugin(
    factory="arena_game_openspiel.card_games.leduc:LeducPoker",
    summary="One card each, one public card, two rounds of betting.",
    requirements=NEEDS,
    licence=LICENCE,
)
HEX = Plugin(
    factory="arena_game_openspiel.board_games.hex:Hex",
    summary="Connect your two sides of the board.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"rows": 5, "columns": 5},
)
CHESS = Plugin(
    factory="arena_game_openspiel.board_games.chess:Chess",
    summary="Chess by its usual rules.",
    requirements=NEEDS,
    licence=LICENCE,
)
GO = Plugin(
    factory="arena_game_openspiel.board_games.go:Go",
    summary="Go with area scoring, on boards up to 19 by 19.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"size": 9, "komi": 7.5},
)
HANABI = Plugin(
    factory="arena_game_openspiel.card_games.hanabi:Hanabi",
    summary="Build fireworks together with cards that only the others see.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"colours": 5, "ranks": 5},
)
LIARS_DICE = Plugin(
    factory="arena_game_openspiel.dice_games.liars_dice:LiarsDice",
    summary="Bid on dice you cannot see, or call the bluff.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"dice": 2, "faces": 6},
)
TEXAS_HOLDEM = Plugin(
    factory="arena_game_openspiel.card_games.holdem:TexasHoldem",
    summary="The poker of two hidden and five open cards, without a limit or with a fixed one.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"small_blind": 50, "big_blind": 100, "stack": 2000},
)
CHECKERS = Plugin(
    factory="arena_game_openspiel.board_games.checkers:Checkers",
    summary="Jump over the other player's men; who can capture must.",
    requirements=NEEDS,
    licence=LICENCE,
)
OTHELLO = Plugin(
    factory="arena_game_openspiel.board_games.othello:Othello",
    summary="Flank discs to turn them over; more discs win.",
    requirements=NEEDS,
    licence=LICENCE,
)
PIG = Plugin(
    factory="arena_game_openspiel.dice_games.pig:Pig",
    summary="Roll on, or stop and keep what you have rolled.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"target": 50},
)
NINE_MENS_MORRIS = Plugin(
    factory="arena_game_openspiel.board_games.morris:NineMensMorris",
    summary="Place and move men; three in a line take one of the other player's.",
    requirements=NEEDS,
    licence=LICENCE,
)
OWARE = Plugin(
    factory="arena_game_openspiel.board_games.oware:Oware",
    summary="Sow the seeds of a house; two or three at the end are captured.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"houses": 6, "seeds": 4},
)
BREAKTHROUGH = Plugin(
    factory="arena_game_openspiel.board_games.breakthrough:Breakthrough",
    summary="Bring one man to the other side of the board.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"rows": 6, "columns": 6},
)
PENTAGO = Plugin(
    factory="arena_game_openspiel.board_games.pentago:Pentago",
    summary="Put a stone and turn a quarter of the board; five in a row win.",
    requirements=NEEDS,
    licence=LICENCE,
)
DOTS_AND_BOXES = Plugin(
    factory="arena_game_openspiel.board_games.dots_and_boxes:DotsAndBoxes",
    summary="Draw lines; who completes a box has it and goes on.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"rows": 3, "columns": 3},
)
GOOFSPIEL = Plugin(
    factory="arena_game_openspiel.strategic_games.goofspiel:Goofspiel",
    summary="Bid cards for prizes, all at the same time; each card is played once.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"cards": 13},
)
FIRST_PRICE_AUCTION = Plugin(
    factory="arena_game_openspiel.strategic_games.auction:FirstPriceAuction",
    summary="Bid once, unseen; the highest bid gets the thing and pays what it bid.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"most": 10},
)
NIM = Plugin(
    factory="arena_game_openspiel.board_games.nim:Nim",
    summary="Take things from one heap at a time; the last thing loses, or wins.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"heaps": [3, 4, 5], "misere": False},
)
BLACKJACK = Plugin(
    factory="arena_game_openspiel.card_games.blackjack:Blackjack",
    summary="Hit or stand: come nearer to 21 than the dealer, alone.",
    requirements=NEEDS,
    licence=LICENCE,
)
BLOTTO = Plugin(
    factory="arena_game_openspiel.strategic_games.blotto:Blotto",
    summary="Spread coins over fields, all at the same time; more coins win a field.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"coins": 10, "fields": 3},
)
BARGAINING = Plugin(
    factory="arena_game_openspiel.strategic_games.bargaining:Bargaining",
    summary="Share things by offers in turn, without knowing their worth to the other.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"offers": 10},
)
GIN_RUMMY = Plugin(
    factory="arena_game_openspiel.card_games.gin_rummy:GinRummy",
    summary="Bring cards into melds, and knock when few are left over.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"knock": 10},
)
BACKGAMMON = Plugin(
    factory="arena_game_openspiel.dice_games.backgammon:Backgammon",
    summary="A race with dice.",
    requirements=NEEDS,
    licence=LICENCE,
    example={"scoring": "full"},
)
OPENSPIEL = Plugin(
    factory="arena_game_openspiel.library.generic:OpenSpiel",
    summary="Any other game of OpenSpiel, by name and parameters.",
    requirements=NEEDS,
    capabilities=WITHOUT_RULES,
    licence=LICENCE,
    example={"name": "clobber", "parameters": {"rows": 6, "columns": 6}},
)
