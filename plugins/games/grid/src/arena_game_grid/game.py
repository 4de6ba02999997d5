"""The m,n,k-games: one family of rules, and its three members with names of their own."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Decision, Entities, EntityStatus, Form, Game, GameFacts, State
from arena.record import GameEvent, Player
from attrs.validators import and_, ge, in_, le

from arena_game_grid.board import STEPS, Board, Directions, Wraps, has_line
from arena_game_grid.forms import illustration, limits, listing, notation, picture, short, short_actions, words
from arena_game_grid.random_play import RANDOM_PLAY
from arena_game_grid.rules import WORDS, rules
from arena_game_grid.scene import board_scene, path
from arena_game_grid.state import GridState
from arena_game_grid.variant import Variant


def _side(default: int, what: str) -> int:
    return attrs.field(default=default, validator=and_(ge(1), le(30)), metadata={"help": f"{what} of the board"})


def _align(default: int) -> int:
    return attrs.field(default=default, validator=ge(2), metadata={"help": "how many in a line end the game"})


def _gravity(default: bool) -> bool:
    return attrs.field(default=default, metadata={"help": "a move names a column, and what is put there falls"})


def _symbols(first: str, second: str) -> tuple[str, str]:
    return attrs.field(
        default=(first, second), validator=_check_symbols, metadata={"help": "one character for each player"}
    )


def _check_symbols(_: Any, attribute: Any, value: tuple[str, str]) -> None:
    if len(set(value)) < 2 or any(len(s) != 1 or not s.isprintable() or s in "e. " for s in value):
        raise ValueError(f"expected two different characters, not 'e', '.' or a space, got {value!r}")


_DRAWN_AS_THEY_ARE = (frozenset("XO"), frozenset("RY"), frozenset("BW"))
"""Symbols that the font tells apart."""

_HOLLOW = frozenset("○◯◦□▢△▽◇☆♡♤♢♧♔♕♖♗♘♙⚪⬜◻▫☐")
"""Symbols that are light themselves."""


def _are_told_apart(first: str, second: str) -> bool:
    """Whether a picture in which the font draws two symbols tells them apart."""
    if {first, second} in _DRAWN_AS_THEY_ARE:
        return True
    from arena_game_grid.drawing import are_told_apart  # Pillow is imported only where it is needed

    return are_told_apart(first, second)


@attrs.frozen(kw_only=True)
class Mnk(Game):
    """Two players take turns to fill cells of a grid; ``align`` own cells in a line end the game.

    Unless ``overline``, longer lines do not count. With ``misere`` the player who completes a line loses.
    ``directions`` says which lines count, ``wraps`` whether the left and right edges meet (``sideways``) or the upper
    and lower ones as well (``all``).
    """

    rows: int = _side(3, "height")
    columns: int = _side(3, "width")
    align: int = _align(3)
    gravity: bool = _gravity(False)
    overline: bool = attrs.field(default=True, metadata={"help": "whether lines that are longer count too"})
    misere: bool = attrs.field(default=False, metadata={"help": "whether a line loses instead of winning"})
    wraps: Wraps = attrs.field(
        default="none", validator=in_(("none", "sideways", "all")), metadata={"help": "which opposite edges meet"}
    )
    directions: Directions = attrs.field(
        default="all", validator=in_(tuple(STEPS)), metadata={"help": "which lines count"}
    )
    symbols: tuple[str, str] = _symbols("X", "O")
    picture_size: int = attrs.field(
        default=512, validator=and_(ge(64), le(4096)), metadata={"help": "width and height of pictures, in pixels"}
    )

    @directions.validator  # pyright: ignore[reportAttributeAccessIssue]
    def _check_line(self, _: Any, value: Directions) -> None:
        if not has_line(self.rows, self.columns, self.align, value, self.wraps):
            raise ValueError(f"no line of {self.align} fits on {self.rows} rows and {self.columns} columns")

    @picture_size.validator  # pyright: ignore[reportAttributeAccessIssue]
    def _check_picture(self, _: Any, value: int) -> None:
        if value < (least := 16 * (max(self.rows, self.columns) + 2)):
            raise ValueError(f"expected at least {least} pixels for {self.rows} by {self.columns} cells, got {value}")

    @property
    def title(self) -> str:
        """The size of the grid and the length of a line."""
        return f"{self.align} in a line on {self.rows} by {self.columns}"

    @property
    def rules(self) -> str:
        """The rules, with every variant that is switched on."""
        return rules(self.variant, self.discs)

    @property
    def discs(self) -> tuple[str, ...]:
        """The symbols that pictures show as a dark and as a light disc; empty where they show the symbols."""
        first, second = self.symbols
        if _are_told_apart(first, second):
            return ()
        return (second, first) if first in _HOLLOW and second not in _HOLLOW else (first, second)

    @cached_property
    def variant(self) -> Variant:
        """Size, rules, title and symbols, as matches, texts and pictures need them."""
        return Variant(
            title=self.title,
            rows=self.rows,
            columns=self.columns,
            align=self.align,
            gravity=self.gravity,
            overline=self.overline,
            misere=self.misere,
            wraps=self.wraps,
            directions=self.directions,
            symbols=self.symbols,
        )

    @property
    def board(self) -> Board:
        """The geometry, shared by all matches of equal games."""
        return self.variant.board

    @property
    def line_of_play(self) -> str:
        """What decides who wins, in one line: size, length of a line and variants; symbols and pictures do not."""
        kind = f"{self.rows} x {self.columns}, {self.align} in a line"
        variants = {
            "falling": self.gravity,
            "exactly": not self.overline,
            "misère": self.misere,
            f"wrapped {self.wraps}": self.wraps != "none",
            f"{self.directions} lines alone": self.directions != "all",
        }
        return ", ".join([kind, *(name for name, is_on in variants.items() if is_on)])

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """The players' symbols; the player with the first one begins."""
        return self.symbols

    def facts(self, players: int) -> GameFacts:
        """The facts of this size, with the returns of optimal play for sizes that are solved."""
        value, source = _solved(self)
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            optimal_returns=value,
            optimal_source=source,
            random=RANDOM_PLAY.get(self.line_of_play),
            max_steps=self.rows * self.columns,
        )

    def actions(self, players: int) -> Sequence[Mapping[str, int]]:
        """All cells in reading order, or all columns if discs fall."""
        return self.board.actions

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, the cells of each player, rows of symbols, an image, the greatest numbers, a scene, and short forms."""
        return {
            "text": words,
            "list": partial(listing, symbols=self.symbols),
            "illustration": illustration,
            "image": partial(picture, size=self.picture_size, shapes=self.discs),
            "limits": partial(limits, gravity=self.gravity),
            "scene": partial(board_scene, game=self.variant),
            "short": partial(short, symbols=self.symbols, gravity=self.gravity),
            "short-actions": partial(short_actions, gravity=self.gravity),
            "notation": partial(notation, gravity=self.gravity),
        }

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """The options of a decision as cells or columns of the scene."""
        if decision.options is None:
            return None
        return arena_scene.Touches.of(decision.options, lambda option: path(self.variant, option.action))

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        if players != 2:
            raise ConfigError(f"players: this game is for 2 players, not for {players}")
        return GridState(self.variant, self.board), ()

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind != "moved":
            return super().describe_event(event, player)
        place = f"row {data['row']}, column {data['column']}"
        where = f"column {data['column']}, down to row {data['row']}" if self.gravity else place
        return f"{self.symbols[data['player']]}: {where}"

    def describe_end(self, observation: Any) -> str:
        if observation["outcome"] == "draw":
            return "the board is full"
        line = f"{WORDS.get(self.align, self.align)} in a row"
        return f"the other made {line}" if self.misere else line

    def names(self, observation: Any) -> Sequence[Entities]:
        """Names of cells by row and column, and of columns if discs fall; a full column counts as taken."""
        grid: list[list[str]] = observation["board"]
        cells: dict[str, EntityStatus] = {
            f"{r} {c}": "taken" if symbol else "free"
            for r, row in enumerate(grid, start=1)
            for c, symbol in enumerate(row, start=1)
        }
        cell = Entities(kind="cell", pattern=r"row (\d+)(?:,? and|,)? column (\d+)", status=cells)
        if not self.gravity:
            return (cell,)
        columns: dict[str, EntityStatus] = {
            str(c): "taken" if symbol else "free" for c, symbol in enumerate(grid[0], start=1)
        }
        return cell, Entities(kind="column", pattern=r"column (\d+)", status=columns)


@attrs.frozen(kw_only=True)
class TicTacToe(Mnk):
    """Three marks in a line on 3 by 3."""

    @property
    def title(self) -> str:
        return "Tic-tac-toe"


@attrs.frozen(kw_only=True)
class ConnectFour(Mnk):
    """Drop discs; four in a line on 6 rows and 7 columns win."""

    rows: int = _side(6, "height")
    columns: int = _side(7, "width")
    align: int = _align(4)
    gravity: bool = _gravity(True)
    symbols: tuple[str, str] = _symbols("R", "Y")

    @property
    def title(self) -> str:
        return "Connect four"


@attrs.frozen(kw_only=True)
class Gomoku(Mnk):
    """Five stones in a line on 15 by 15 win; longer lines too unless ``overline`` is off."""

    rows: int = _side(15, "height")
    columns: int = _side(15, "width")
    align: int = _align(5)
    symbols: tuple[str, str] = _symbols("B", "W")

    @property
    def title(self) -> str:
        return "Gomoku"


_Known = tuple[tuple[float, float] | None, str]


def _solved(game: Mnk) -> _Known:
    """What both players earn with best play, and the source of that result."""
    if (game.directions, game.wraps) != ("all", "none"):
        return None, ""
    size = (game.rows, game.columns, game.align)
    if size == (3, 3, 3) and not game.gravity and game.overline:
        return (0.0, 0.0), "solved by exhaustive search: a draw"
    if size == (6, 7, 4) and game.gravity and game.overline and not game.misere:
        return (1.0, -1.0), "the first player wins (Allis 1988; Allen 1988)"
    if size == (15, 15, 5) and not game.gravity and game.overline and not game.misere:
        return (1.0, -1.0), "the first player wins (Allis, van den Herik and Huntjens 1993)"
    return None, ""
