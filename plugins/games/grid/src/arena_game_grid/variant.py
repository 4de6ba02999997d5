"""One game of the family as its matches, rules and pictures need it."""

import attrs

from arena_game_grid.board import Board, Directions, Wraps, board


@attrs.frozen(kw_only=True)
class Variant:
    """The size and the rules of a game, with its title and the symbols of its players; see ``Mnk``."""

    title: str
    rows: int
    columns: int
    align: int
    gravity: bool
    overline: bool
    misere: bool
    wraps: Wraps
    directions: Directions
    symbols: tuple[str, str]

    @property
    def board(self) -> Board:
        """The geometry, shared by all matches of equal games."""
        return board(self.rows, self.columns, self.align, self.gravity, self.overline, self.directions, self.wraps)
