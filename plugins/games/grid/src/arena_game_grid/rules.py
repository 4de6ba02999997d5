"""The rules of a grid game in words, with exactly the variants that are switched on."""

from collections.abc import Sequence

from arena_game_grid.variant import Variant

WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}

LINES = {
    "all": "across, upright or along a diagonal",
    "straight": "across or upright; diagonals do not count",
    "diagonal": "along a diagonal; lines across and upright do not count",
}


def rules(game: Variant, discs: Sequence[str]) -> str:
    """The complete rules for this size and these variants; ``discs`` are the symbols that pictures show as discs."""
    first, second = game.symbols
    number = WORDS.get(game.align, str(game.align))
    parts = [
        f"{game.title} is played by {first} and {second} on a grid of {game.rows} rows and {game.columns} columns that "
        f"is empty at the start. Rows are numbered 1 to {game.rows} from top to bottom, columns 1 to {game.columns} "
        f"from left to right. {first} moves first; then the players take turns. {_move(game)} There is no passing.",
        f"{_ending(game, number)}{_edges(game)} If all cells are full and nobody has such a line, the game is a draw. "
        "Both players see the whole board.",
        "The winner earns 1 and the loser -1; a draw earns both 0.",
    ]
    if discs:
        dark, light = discs
        parts.append(f"Pictures show the pieces of {dark} as dark discs and those of {light} as light ones.")
    return "\n\n".join(parts)


def _move(game: Variant) -> str:
    if game.gravity:
        return (
            "A move names a column that is not full: a piece of one's own falls to the lowest empty cell of that "
            "column and stays there."
        )
    return "A move puts a piece of one's own on an empty cell, where it stays."


def _ending(game: Variant, number: str) -> str:
    verb = "lose" if game.misere else "win"
    if game.overline:
        line = f"{number} of your pieces, or more, stand next to each other in a straight line"
    else:
        line = f"exactly {number} of your pieces, and not more, stand next to each other in a straight line"
    return f"You {verb} as soon as {line}: {LINES[game.directions]}."


def _edges(game: Variant) -> str:
    sideways = f" The left and the right edge meet: column 1 is next to column {game.columns}, and lines go on there."
    if game.wraps == "sideways":
        return sideways
    if game.wraps == "all":
        return f"{sideways} So do the upper and the lower edge: row 1 is next to row {game.rows}."
    return ""
