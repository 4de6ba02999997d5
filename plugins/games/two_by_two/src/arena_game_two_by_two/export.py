"""Writes all 144 games as JSON: ``python -m arena_game_two_by_two.export FILE``."""

import json
import sys
from pathlib import Path
from typing import Any

from arena_game_two_by_two.topology import GAMES, OrdinalGame


def games() -> dict[str, Any]:
    """Every game with its place, payoffs ``[A's choice][B's choice] = [A's, B's]``, equilibria and sister."""
    return {"games": [_entry(game) for game in sorted(GAMES.values(), key=lambda game: (game.row, game.column))]}


def _entry(game: OrdinalGame) -> dict[str, Any]:
    matrix = game.matrix
    return {
        "id": game.id,
        "name": game.name,
        "row": game.row,
        "col": game.column,
        "layer": game.layer,
        "payoffs": [[[matrix.a[i][j], matrix.b[i][j]] for j in (0, 1)] for i in (0, 1)],
        "nash": sorted(matrix.equilibria),
        "dominant_row": matrix.dominant_a,
        "dominant_col": matrix.dominant_b,
        "symmetric": game.is_symmetric,
        "sister": [game.sister.row, game.sister.column],
    }


def main(arguments: list[str]) -> int:
    """Write the file named by the only argument; returns the exit code."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m arena_game_two_by_two.export FILE\n")
        return 2
    Path(arguments[0]).write_text(json.dumps(games(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
