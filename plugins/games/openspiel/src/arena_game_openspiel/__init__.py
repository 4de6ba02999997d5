"""Games played by OpenSpiel's engine."""

from arena.plugin import Need, Plugin

NEEDS = (Need("pyspiel", "pip install open-spiel"),)
LICENCE = "Apache-2.0"
REFERENCE = frozenset({"reference"})
"""Games whose speed others are held against."""

TIC_TAC_TOE = Plugin(
    factory="arena_game_openspiel.tic_tac_toe:TicTacToe",
    summary="Three marks in a line win.",
    needs=NEEDS,
    capabilities=REFERENCE,
    licence=LICENCE,
)
CONNECT_FOUR = Plugin(
    factory="arena_game_openspiel.connect_four:ConnectFour",
    summary="Drop discs; four in a line win.",
    needs=NEEDS,
    capabilities=REFERENCE,
    licence=LICENCE,
    example={"rows": 6, "columns": 7, "align": 4},
)
KUHN_POKER = Plugin(
    factory="arena_game_openspiel.kuhn:KuhnPoker",
    summary="One card each and a single bet; the smallest poker.",
    needs=NEEDS,
    capabilities=REFERENCE,
    licence=LICENCE,
)
LEDUC_POKER = Plugin(
    factory="arena_game_openspiel.leduc:LeducPoker",
    summary="One card each, one public card, two rounds of betting.",
    needs=NEEDS,
    licence=LICENCE,
)
MATRIX_RPS = Plugin(
    factory="arena_game_openspiel.matrix:RockPaperScissors",
    summary="Rock-paper-scissors, once or in rounds.",
    needs=NEEDS,
    licence=LICENCE,
)
MATRIX_PD = Plugin(
    factory="arena_game_openspiel.matrix:PrisonersDilemma",
    summary="The prisoner's dilemma, once or in rounds with a known or an open end, with payoffs of your own.",
    needs=NEEDS,
    licence=LICENCE,
    example={"temptation": 10.0, "reward": 5.0, "punishment": 1.0, "sucker": 0.0},
)
MATCHING_PENNIES = Plugin(
    factory="arena_game_openspiel.matrix:MatchingPennies",
    summary="One wants the pennies to match, the other does not.",
    needs=NEEDS,
    licence=LICENCE,
)
MATRIX = Plugin(
    factory="arena_game_openspiel.matrix:AnyMatrix",
    summary="Any table of payoffs for two players who choose at the same time, once or in rounds.",
    needs=NEEDS,
    licence=LICENCE,
    example={
        "title": "The battle of the sexes",
        "rows": ["opera", "football"],
        "columns": ["opera", "football"],
        "payoffs": [[[3, 2], [0, 0]], [[0, 0], [2, 3]]],
    },
)
HEX = Plugin(
    factory="arena_game_openspiel.hex:Hex",
    summary="Connect your two sides of the board.",
    needs=NEEDS,
    licence=LICENCE,
    example={"rows": 5, "columns": 5},
)
CHESS = Plugin(
    factory="arena_game_openspiel.chess:Chess",
    summary="Chess by its usual rules.",
    needs=NEEDS,
    licence=LICENCE,
)
GO = Plugin(
    factory="arena_game_openspiel.go:Go",
    summary="Go with area scoring, on boards up to 19 by 19.",
    needs=NEEDS,
    licence=LICENCE,
    example={"size": 9, "komi": 7.5},
)
HANABI = Plugin(
    factory="arena_game_openspiel.hanabi:Hanabi",
    summary="Build fireworks together with cards that only the others see.",
    needs=NEEDS,
    licence=LICENCE,
    example={"colours": 5, "ranks": 5},
)
LIARS_DICE = Plugin(
    factory="arena_game_openspiel.liars_dice:LiarsDice",
    summary="Bid on dice you cannot see, or call the bluff.",
    needs=NEEDS,
    licence=LICENCE,
    example={"dice": 2, "faces": 6},
)
BACKGAMMON = Plugin(
    factory="arena_game_openspiel.backgammon:Backgammon",
    summary="A race with dice.",
    needs=NEEDS,
    licence=LICENCE,
    example={"scoring": "full"},
)
OPENSPIEL = Plugin(
    factory="arena_game_openspiel.generic:OpenSpiel",
    summary="Any other game of OpenSpiel, by name and parameters.",
    needs=NEEDS,
    licence=LICENCE,
    example={"name": "breakthrough", "parameters": {"rows": 6, "columns": 6}},
)
