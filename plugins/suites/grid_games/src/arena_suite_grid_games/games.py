"""One match as LLM-Game-Benchmark tells it: who moved where, what was invalid and why, and how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast

import attrs
from arena.game import Form, Game, Picture
from arena.record import Ending, MatchRecord, canonical
from arena.replay import positions
from arena.turns import table

Outcome = Literal["Valid", "Already Taken", "Out of Bounds", "Invalid Format"]

OUTCOMES: Final[Mapping[str, Outcome]] = {"taken": "Already Taken", "out-of-bounds": "Out of Bounds"}
"""The kinds of refusal of the games, in the original's words; all others are an invalid format."""

GAME: Final = (
    *("UUID", "DateTime", "GameType", "PromptType", "PromptVersion", "GameNumber", "Player1", "Player2", "Result"),
    *("GameDuration", "TotalMoves", "Player1Moves", "Player2Moves", "Player1MovesPerWin", "Player2MovesPerWin"),
    *("Player1InvalidAlreadyTaken", "Player2InvalidAlreadyTaken", "Player1InvalidFormat", "Player2InvalidFormat"),
    *("Player1OutOfBounds", "Player2OutOfBounds"),
)
"""The original's columns of a game."""

MOVES: Final = (
    *(*GAME, "MoveNumber", "MovePlayer", "MoveRow", "MoveCol", "MoveOutcome", "CurrentStatus", "Response"),
    "FinalGameState",
)
"""The original's columns of a move."""


@attrs.frozen(kw_only=True)
class Move:
    """One try. ``row`` and ``column`` are counted from 1, -1 where there is none; ``status`` is the board before it."""

    number: int
    player: int
    row: int
    column: int
    outcome: Outcome
    status: str
    response: str


@attrs.frozen(kw_only=True)
class Played:
    """A match with all its tries, and the boards before each and at the end, as text and as pictures."""

    uuid: str
    moment: str
    game: str
    form: str
    version: str
    number: int
    agents: tuple[str, str]
    result: str
    moves: tuple[Move, ...]
    final: str
    boards: tuple[str, ...]
    pictures: tuple[bytes, ...] = attrs.field(repr=False)

    @property
    def stem(self) -> str:
        """The name of its files, without an ending."""
        players = (agent.replace("/", "_") for agent in self.agents)
        return "_".join((self.game, self.form, *players, self.result, self.moment))

    def row(self) -> dict[str, Any]:
        """The columns of a game. How long it took is left empty: a journal has no clock."""
        tried = Counter(move.player for move in self.moves)
        failed = Counter((move.player, move.outcome) for move in self.moves)
        won = {"winner1st": 1, "winner2nd": 2}.get(self.result)
        values: tuple[Any, ...] = (
            *(self.uuid, self.moment, self.game, self.form, self.version, self.number, *self.agents, self.result),
            *(None, len(self.moves), tried[1], tried[2], *(tried[p] if won == p else 0 for p in (1, 2))),
            *(failed[p, outcome] for outcome in ("Already Taken", "Invalid Format", "Out of Bounds") for p in (1, 2)),
        )
        return dict(zip(GAME, values, strict=True))

    def json(self) -> dict[str, Any]:
        """The game's JSON."""
        return {**self.row(), "Moves": self.moves_json(), "FinalGameState": self.final}

    def moves_json(self) -> list[dict[str, Any]]:
        """The moves as the game's JSON and the bulk file have them."""
        names = ("MoveNumber", "Player", "Row", "Column", "Outcome", "CurrentStatus", "Response")
        return [dict(zip(names, attrs.astuple(move), strict=True)) for move in self.moves]

    def move_rows(self) -> Iterator[dict[str, Any]]:
        """The columns of each move."""
        game = self.row()
        for move in self.moves:
            own = dict(zip(MOVES[len(GAME) :], (*attrs.astuple(move), self.final), strict=True))
            yield {**game, **own}


def result(record: MatchRecord) -> str:
    """How a match ended, in the original's words."""
    if record.returns is None:
        return f"disqualified{_SEATS[record.gone[0]]}" if record.ending is Ending.DISQUALIFIED else "Cancelled"
    first, second = record.returns
    return "draw" if first == second else f"winner{_SEATS[int(second > first)]}"


_SEATS: Final = ("1st", "2nd")


def moment(created: str, place: int) -> str:
    """When: the start of the run, and as many seconds later as matches came before; a journal has no other clock."""
    return (datetime.fromisoformat(created) + timedelta(seconds=place)).strftime("%y%m%d-%H%M%S")


def played(record: MatchRecord, rules: Game, responses: Sequence[str], form: str, **facts: Any) -> Played:
    """A match from its record; ``responses`` are the texts of all tries, in order, empty where there is none."""
    boards = _boards(rules, record)
    text = cast("Form", rules.forms["list" if form == "list" else "illustration"])
    picture = rules.forms["image"]
    tries = [e for e in record.events if e.source == "referee" and e.kind in ("played", "refused")]
    rows = _cells(record)
    moves: list[Move] = []
    for number, (event, response) in enumerate(zip(tries, responses, strict=True), 1):
        data = table(event)
        outcome: Outcome = "Valid" if event.kind == "played" else OUTCOMES.get(str(data.get("rule")), "Invalid Format")
        row, column = rows[event.wave] if event.kind == "played" else _named(data.get("action"), outcome)
        action = canonical(data["action"]) if "action" in data else str(data.get("text", ""))
        moves.append(
            Move(
                number=number,
                player=int(event.player or 0) + 1,
                row=row,
                column=column,
                outcome=outcome,
                status=str(text(boards[event.wave])),
                response=response or action,
            )
        )
    shown = [*(boards[event.wave] for event in tries), boards[record.waves]]
    return Played(
        **facts,
        form=form,
        result=result(record),
        moves=tuple(moves),
        final=str(text(shown[-1])),
        boards=tuple(str(rules.forms["illustration"](board)) for board in shown),
        pictures=tuple(cast("Picture", picture(board)).data for board in shown),
    )


def _boards(game: Game, record: MatchRecord) -> dict[int, Any]:
    return {position.wave: position.state.observe(None) for position in positions(game, record)}


def _cells(record: MatchRecord) -> dict[int, tuple[int, int]]:
    """Where each wave's piece came to lie; the game says so in the event that the next wave begins with."""
    told = (event for event in record.events if event.source == "game" and event.kind == "moved")
    return {event.wave - 1: (table(event)["row"], table(event)["column"]) for event in told}


def _named(action: Any, outcome: Outcome) -> tuple[int, int]:
    """The row and the column that a refused try names."""
    named: Mapping[str, Any] = action if isinstance(action, Mapping) and outcome != "Invalid Format" else {}
    return int(named.get("row", -1)), int(named.get("column", -1))
