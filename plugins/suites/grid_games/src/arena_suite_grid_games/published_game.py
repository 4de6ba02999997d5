"""A published game of LLM-Game-Benchmark as a value: who played, how it ended, and the moves if they are known."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import attrs
from arena_command_leaderboard.results import SeatResult

NO_RESULT: Final = "networkerror"
"""The original's word for a game that a network error ended, which counts as no result."""

RESULTS: Final = ("winner1st", "winner2nd", "draw", "disqualified1st", "disqualified2nd", "Cancelled", NO_RESULT)
"""The original's words for how a game ended."""

NO_FORM: Final = "-"
"""What stands for the form of matches in which nobody looks at one."""

VALID: Final = "Valid"
"""The original's word for a move that was played."""

_INVALID: Final = {"Already Taken": "InvalidAlreadyTaken", "Invalid Format": "InvalidFormat"} | {
    "Out of Bounds": "OutOfBounds"
}
"""The columns that count invalid moves, by the word for a move's outcome."""

_OF_OBJECTS: Final = ("Player", "Row", "Column", "Outcome")
_OF_ROWS: Final = ("MovePlayer", "MoveRow", "MoveCol", "MoveOutcome")
"""The names of a move's player, place and outcome, in JSON and in CSV."""

_UNSAFE: Final = re.compile(r"[^\w.-]")


@attrs.frozen
class PublishedMove:
    """One try to move; ``player`` is 0 or 1, ``row`` and ``column`` count from 1 and are -1 if there is none."""

    player: int
    row: int
    column: int
    outcome: str
    response: str


@attrs.frozen(kw_only=True)
class PublishedGame:
    """A game as a file has it: ``uuid`` and ``number`` are empty and 0 where the file does not tell its session.

    ``tries`` and ``invalid`` count by player what was tried, and what of it was invalid; ``moves`` is empty where the
    file has no moves.
    """

    uuid: str = ""
    number: int = 0
    moment: str
    game: str
    form: str
    version: str = ""
    agents: tuple[str, str]
    result: str
    tries: tuple[int, int]
    invalid: tuple[int, int]
    moves: tuple[PublishedMove, ...] = attrs.field(default=(), repr=False)
    source: str = ""

    @property
    def stem(self) -> str:
        """What the original's file names and keys say of the game, with characters that no file name has left out."""
        return plain("_".join((self.game, self.form, *self.agents, self.result, self.moment)))

    @property
    def has_result(self) -> bool:
        """Whether the game ended otherwise than by a network error."""
        return self.result != NO_RESULT

    @property
    def id(self) -> str:
        """An id that is the same in whatever file the game is."""
        return str(uuid5(NAMESPACE_URL, f"llm-game-benchmark/{self.stem}"))

    def seat(self, player: int) -> SeatResult:
        """The counts of one player; of a game without a result nothing else is counted."""
        if not self.has_result:
            return SeatResult(no_result=1)
        seat = ("1st", "2nd")[player]
        return SeatResult(
            matches=1,
            wins=int(self.result == f"winner{seat}"),
            disqualifications=int(self.result == f"disqualified{seat}"),
            draws=int(self.result == "draw"),
            cancelled=int(self.result == "Cancelled"),
            moves=self.tries[player],
            invalid=self.invalid[player],
        )


def plain(stem: str) -> str:
    """A name of files or a key, so that two writings of it are equal: some characters become underscores in files."""
    return _UNSAFE.sub("_", stem)


def of_row(raw: Mapping[str, Any], moves: Sequence[PublishedMove], source: str) -> PublishedGame:
    """A game from its columns; ``ValueError`` says which of them cannot be understood."""
    result = str(raw["Result"])
    if result not in RESULTS:
        raise ValueError(f"Result is {result!r}; expected one of {', '.join(RESULTS)}")
    return PublishedGame(
        uuid=str(raw["UUID"]),
        number=_whole(raw, "GameNumber"),
        moment=str(raw["DateTime"]),
        game=str(raw["GameType"]),
        form=str(raw["PromptType"]),
        version=str(raw["PromptVersion"] or ""),
        agents=(str(raw["Player1"]), str(raw["Player2"])),
        result=result,
        tries=(_whole(raw, "Player1Moves"), _whole(raw, "Player2Moves")),
        invalid=(_invalid(raw, 1), _invalid(raw, 2)),
        moves=tuple(moves),
        source=source,
    )


def of_moves(words: Sequence[str], moves: Sequence[PublishedMove], source: str) -> PublishedGame:
    """A game from the words of its key (game, form, first, second, result, time) and the list of its moves."""
    game, form, first, second, result, moment = words
    tried = Counter(move.player for move in moves)
    invalid = Counter(move.player for move in moves if move.outcome != VALID)
    return PublishedGame(
        moment=moment,
        game=game,
        form=form,
        agents=(first, second),
        result=result,
        tries=(tried[0], tried[1]),
        invalid=(invalid[0], invalid[1]),
        moves=tuple(moves),
        source=source,
    )


def move_of(raw: Mapping[str, Any], *, is_row: bool = False) -> PublishedMove:
    """A move from its keys, which are others in rows of CSV files; ``ValueError`` for what is none."""
    player_, row_, column_, outcome_ = _OF_ROWS if is_row else _OF_OBJECTS
    try:
        outcome, player = str(raw[outcome_]), _whole(raw, player_)
        row, column = _whole(raw, row_), _whole(raw, column_)
    except KeyError:
        missing = [name for name in (player_, row_, column_, outcome_) if name not in raw]
        raise ValueError(f"no {', '.join(missing)}; expected the keys of a move") from None
    if outcome != VALID and outcome not in _INVALID:
        raise ValueError(f"{outcome_} is {outcome!r}; expected one of {', '.join((VALID, *_INVALID))}")
    if player not in (1, 2):
        raise ValueError(f"{player_} is {player}; expected 1 or 2")
    return PublishedMove(player - 1, row, column, outcome, str(raw.get("Response") or ""))


def _invalid(raw: Mapping[str, Any], number: int) -> int:
    return sum(_whole(raw, f"Player{number}{kind}") for kind in _INVALID.values())


def _whole(raw: Mapping[str, Any], column: str) -> int:
    try:
        return int(raw[column])
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{column} is {raw[column]!r}; expected a whole number") from None
