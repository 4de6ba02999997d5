"""Line games on a rectangular grid, with Arena's own rules: tic-tac-toe, connect four, gomoku and their variants."""

from arena.plugin import Plugin

LICENCE = "Apache-2.0"

MNK = Plugin(
    factory="arena_game_grid.game:Mnk",
    summary="Any m,n,k-game: size, line length, gravity, exact lines, misère, directions, edges that meet.",
    example={"rows": 4, "columns": 4, "align": 3, "misere": True},
    licence=LICENCE,
)
GOMOKU = Plugin(
    factory="arena_game_grid.game:Gomoku",
    summary="Five stones in a line, on 15 by 15 unless another size is given.",
    example={"rows": 19, "columns": 19, "overline": False},
    licence=LICENCE,
)
TIC_TAC_TOE = Plugin(
    factory="arena_game_grid.game:TicTacToe",
    summary="Three marks in a line; moves by row and column.",
    licence=LICENCE,
)
CONNECT_FOUR = Plugin(
    factory="arena_game_grid.game:ConnectFour",
    summary="Drop discs; four in a line win; moves by column.",
    example={"rows": 6, "columns": 7},
    licence=LICENCE,
)
TWIN = Plugin(
    factory="arena_game_grid.twins:GridTwin",
    summary="A game of the family in other words, symbols and coordinates, with the same tree of play.",
    example={"of": {"use": "grid-connect-four"}, "kind": "story"},
    licence=LICENCE,
)
RANDOM = Plugin(
    factory="arena_game_grid.uniform:UniformOverCells",
    summary="names a cell or column drawn uniformly, taken ones included, as random play in grid-game competitions",
    licence=LICENCE,
)
COMPETITION = Plugin(
    factory="arena_game_grid.policy:Competition",
    summary="invalid moves as in grid-game competitions: warned, tried again, out after 3, 6 or 15; nobody's win",
    example={"limits": "code"},
    licence=LICENCE,
)

STYLES = "arena_game_grid:styles/"

LIST = Plugin(
    factory=STYLES + "list.yaml",
    summary="the eight parts of grid-game competitions, the position as a list of cells for each player",
    licence=LICENCE,
)
ILLUSTRATION = Plugin(
    factory=STYLES + "illustration.yaml",
    summary="the eight parts of grid-game competitions, the position as rows of symbols",
    licence=LICENCE,
)
IMAGE = Plugin(
    factory=STYLES + "image.yaml",
    summary="the eight parts of grid-game competitions, the position as a picture",
    licence=LICENCE,
)
