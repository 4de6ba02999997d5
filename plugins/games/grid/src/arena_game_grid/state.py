"""One match on a grid.

Two bit sets are kept for each player: the cells it holds, and the cells that would complete a line of its own. So it is
known before a move whether it wins, and a move changes the second set only along the lines through its cell.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.errors import RuleError
from arena.game import Decision, Illegal, Options, State
from arena.record import JSON, Action, GameEvent, Player, canonical_json

from arena_game_grid.board import Board, members
from arena_game_grid.variant import Variant

FIRST: Final = (Player(0),)
SECOND: Final = (Player(1),)
NOBODY: Final = ()

FORMAT: Final = "format"
"""The kind of refusal for an action that is not an object with exactly the keys asked for."""
OUT_OF_BOUNDS: Final = "out-of-bounds"
"""The kind of refusal for a row or column that does not exist."""
TAKEN: Final = "taken"
"""The kind of refusal for a cell that is taken, or a column that is full."""


class GridState(State):
    """One match in progress.

    ``stones`` and ``completing`` are bit sets by player: cells held, and free cells that would complete a line. Falling
    discs may not reach such a cell at once; see ``winning_actions``. ``legal`` are the actions now, in order; the list
    is shared and must not be changed. ``winner`` is ``None`` while nobody has won.
    """

    __slots__ = ("_turn", "board", "completing", "legal", "stones", "variant", "winner")

    def __init__(self, variant: Variant, board: Board) -> None:
        self.variant = variant
        self.board = board
        self.stones: tuple[int, int] = (0, 0)
        self.completing: tuple[int, int] = (0, 0)
        self.winner: Player | None = None
        self.legal: list[Any] = list(board.actions)
        self._turn: tuple[Player, ...] = FIRST

    def to_act(self) -> Sequence[Player]:
        return self._turn

    def decision(self, player: Player) -> Decision:
        """The free cells in reading order, or the columns that are not full."""
        if player not in self._turn:
            raise RuleError(f"player {player!r} is not to act")
        return Decision(player=player, options=Options(self.legal, self.board.label))

    def observe(self, player: Player | None) -> JSON:
        """The board by rows from the top, ``""`` for empty cells; the observer, the player to move and the outcome."""
        variant, width = self.variant, self.board.columns
        cells = [""] * self.board.cells
        for symbol, stones in zip(variant.symbols, self.stones, strict=True):
            for cell in members(stones):
                cells[cell] = symbol
        return {
            "board": [cells[start : start + width] for start in range(0, len(cells), width)],
            "you": None if player is None else variant.symbols[player],
            "to_move": variant.symbols[self._turn[0]] if self._turn else None,
            "outcome": None if self._turn else self._outcome(),
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse with one of three kinds: ``format``, ``out-of-bounds``, ``taken``."""
        if player not in self._turn:
            return Illegal("not-your-turn", "it is not your turn")
        found = self.cell_of(action)
        return found if isinstance(found, Illegal) else None

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        if tuple(actions) != self._turn or not actions:
            raise RuleError(f"a step takes one action of each of {list(self._turn)}, not of {list(actions)}")
        (player,) = self._turn
        cell = self.cell_of(actions[player])
        if isinstance(cell, Illegal):
            raise RuleError(f"player {player!r}: {actions[player]!r} is not legal and should have been checked")
        self.place(cell)
        return (self.board.events[player][cell],)

    def place(self, cell: int) -> None:
        """Fill a playable cell for the player to move; the fast way for searches, which checks nothing."""
        board, bit, player = self.board, 1 << cell, self._turn[0]
        first, second = self.stones
        has_line = self.completing[player] & bit
        if player:
            own = second = second | bit
        else:
            own = first = first | bit
        taken = first | second
        self.stones = first, second
        self.legal = self._left(cell, taken)
        if has_line:
            self.winner = Player(1 - player) if self.variant.misere else player
            self._turn = NOBODY
        elif taken == board.full:
            self._turn = NOBODY
        else:
            self._turn = FIRST if player else SECOND
        one, two = self.completing
        found, missing_one = 0, board.align - 1
        for axis, lines in board.axes[cell]:
            if (axis & own).bit_count() >= missing_one:
                for line in lines:
                    held = line & own
                    if held.bit_count() == missing_one:
                        found |= line ^ held
        if found or one or two:
            one, two = (one, two | found) if player else (one | found, two)
            self.completing = self._counting(one & ~taken, two & ~taken, player, own)

    def returns(self) -> Sequence[float] | None:
        """1 for the winner and -1 for the loser, or 0 for both."""
        if self._turn:
            return None
        if self.winner is None:
            return (0.0, 0.0)
        return (-1.0, 1.0) if self.winner else (1.0, -1.0)

    def transposition_key(self) -> JSON:
        """The cells of both players, which also determine whose turn it is."""
        return f"{self.stones[0]:x}/{self.stones[1]:x}"

    def clone(self) -> "GridState":
        other = GridState(self.variant, self.board)
        other.stones, other.completing, other.winner = self.stones, self.completing, self.winner
        other.legal, other._turn = self.legal, self._turn
        return other

    def __reduce__(self) -> Any:
        # without the board, which is shared and a thousand times as large, and the actions, which are its own
        return _restored, (self.variant, self.stones, self.completing, self.winner, self._turn)

    def cell_of(self, action: Any) -> "int | Illegal":
        """The cell that an action fills, or the reason why it is illegal."""
        board = self.board
        if board.gravity:
            return self._landing(action)
        try:
            row, column = action["row"], action["column"]
            is_written = len(action) == 2 and type(row) is int and type(column) is int
        except (TypeError, KeyError, IndexError):
            is_written, row, column = False, 0, 0
        if not is_written:
            return Illegal(FORMAT, _expected('{"row": …, "column": …}', action))
        if not (1 <= row <= board.rows and 1 <= column <= board.columns):
            where = f"rows go from 1 to {board.rows} and columns from 1 to {board.columns}"
            return Illegal(OUT_OF_BOUNDS, f"there is no row {row}, column {column}: {where}")
        cell = (row - 1) * board.columns + column - 1
        if (self.stones[0] | self.stones[1]) >> cell & 1:
            return Illegal(TAKEN, f"row {row}, column {column} is already taken")
        return cell

    def _landing(self, action: Any) -> "int | Illegal":
        board = self.board
        try:
            column = action["column"]
            is_written = len(action) == 1 and type(column) is int
        except (TypeError, KeyError, IndexError):
            is_written, column = False, 0
        if not is_written:
            return Illegal(FORMAT, _expected('{"column": …}', action))
        if not 1 <= column <= board.columns:
            return Illegal(OUT_OF_BOUNDS, f"there is no column {column}: columns go from 1 to {board.columns}")
        free = board.column_cells[column - 1] & ~(self.stones[0] | self.stones[1])
        if not free:
            return Illegal(TAKEN, f"column {column} is already full")
        return free.bit_length() - 1  # rows are counted from the top, so the lowest cell is the highest bit

    def _left(self, cell: int, taken: int) -> list[Any]:
        """The legal actions after ``cell`` was filled."""
        board, legal = self.board, self.legal
        if board.gravity:
            if cell >= board.columns:  # only in the top row does a disc fill its column
                return legal
            return [board.actions[c] for c in range(board.columns) if not taken >> c & 1]
        left = legal.copy()  # never changed in place: decisions and copies of the state share it
        del left[cell - (taken & (1 << cell) - 1).bit_count()]
        return left

    def _counting(self, one: int, two: int, player: int, own: int) -> tuple[int, int]:
        """The cells that still complete a line after a stone of ``player`` that can make a line too long."""
        if self.variant.overline:
            return one, two
        mine = sum(1 << c for c in members(two if player else one) if _completes(self.board, own | 1 << c, c))
        return (one, mine) if player else (mine, two)

    def _outcome(self) -> str:
        return "draw" if self.winner is None else f"{self.variant.symbols[self.winner]} won"


def _restored(
    variant: Variant,
    stones: tuple[int, int],
    completing: tuple[int, int],
    winner: Player | None,
    turn: tuple[Player, ...],
) -> GridState:
    state = GridState(variant, variant.board)
    state.stones, state.completing, state.winner, state._turn = stones, completing, winner, turn
    taken = stones[0] | stones[1]
    state.legal = [action for number, action in enumerate(variant.board.actions) if not taken >> number & 1]
    return state


def winning_actions(state: GridState, player: Player) -> tuple[Action, ...]:
    """The actions with which ``player`` would win at once if it were to move, in the order of the options.

    There are none once the match is over, and none in misère games, where a line loses: see ``losing_actions``.
    """
    return () if state.variant.misere else _finishing(state, player)


def losing_actions(state: GridState, player: Player) -> tuple[Action, ...]:
    """The actions with which ``player`` would lose at once if it were to move; only misère games have any."""
    return _finishing(state, player) if state.variant.misere else ()


def _finishing(state: GridState, player: Player) -> tuple[Action, ...]:
    if not state.to_act():
        return ()
    board = state.board
    cells = state.completing[player] & board.playable(state.stones[0] | state.stones[1])
    if board.gravity:
        return tuple(board.action(cell) for cell in sorted(members(cells), key=lambda cell: cell % board.columns))
    return tuple(map(board.action, members(cells)))


def _completes(board: Board, own: int, cell: int) -> bool:
    """Whether a line through ``cell`` would count if ``own`` held it."""
    return any(own & (line | beyond) == line for line, beyond in board.lines[cell])


def _expected(shape: str, action: Any) -> str:
    text = canonical_json(action)
    shown = text if len(text) <= 100 else text[:100] + "…"
    return f"expected {shape} with whole numbers and no other key, got {shown}"
