"""One match in the terms of LLM-Game-Benchmark: who moved where, what was invalid and why, and how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast

import attrs
from arena.game import Form, Game, Image
from arena.record import MatchRecord, canonical_json
from arena.turns import data_of, positions

Outcome = Literal["Valid", "Already Taken", "Out of Bounds", "Invalid Format"]

OUTCOMES: Final[Mapping[str, Outcome]] = {"taken": "Already Taken", "out-of-bounds": "Out of Bounds"}
"""The original's words for kinds of refusal; every other kind is an invalid format."""

GAME: Final = (
    *("UUID", "DateTime", "GameType", "PromptType", "PromptVersion", "GameNumber", "Player1", "Player2", "Result"),
    *("GameDuration", "TotalMoves", "Player1Moves", "Player2Moves", "Player1MovesPerWin", "Player2MovesPerWin"),
    *("Player1InvalidAlreadyTaken", "Player2InvalidAlreadyTaken", "Player1InvalidFormat", "Player2InvalidFormat"),
    *("Player1OutOfBounds", "Player2OutOfBounds"),
)
"""The original's columns of a game, in their order."""

MOVES: Final = (
    *(*GAME, "MoveNumber", "MovePlayer", "MoveRow", "MoveCol", "MoveOutcome", "CurrentStatus", "Response"),
    "FinalGameState",
)
"""The original's columns of a move, in their order."""


@attrs.frozen(kw_only=True)
class ExportedMove:
    """One try to move.

    ``row`` and ``column`` count from 1 and are -1 if there is none; ``status`` is the board before the try.
    """

    number: int
    player: int
    row: int
    column: int
    outcome: Outcome
    status: str
    response: str


@attrs.frozen(kw_only=True)
class ExportedMatch:
    """A match with all its tries, and the boards before each try and at the end, as text and as images."""

    uuid: str
    moment: str
    game: str
    form: str
    version: str
    number: int
    agents: tuple[str, str]
    result: str
    moves: tuple[ExportedMove, ...]
    final: str
    boards: tuple[str, ...]
    pictures: tuple[bytes, ...] = attrs.field(repr=False)

    @property
    def stem(self) -> str:
        """The name of the match's files, without an extension."""
        players = (agent.replace("/", "_") for agent in self.agents)
        return "_".join((self.game, self.form, *players, self.result, self.moment))

    def row(self) -> dict[str, Any]:
        """The values of the columns of a game; the duration is empty, since a journal records no times."""
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
        """The game as the original's JSON has it, with its moves."""
        return {**self.row(), "Moves": self.moves_json(), "FinalGameState": self.final}

    def moves_json(self) -> list[dict[str, Any]]:
        """The moves as the game's JSON and the bulk file have them."""
        names = ("MoveNumber", "Player", "Row", "Column", "Outcome", "CurrentStatus", "Response")
        return [dict(zip(names, attrs.astuple(move), strict=True)) for move in self.moves]

    def move_rows(self) -> Iterator[dict[str, Any]]:
        """The values of the columns of each move."""
        game = self.row()
        for move in self.moves:
            own = dict(zip(MOVES[len(GAME) :], (*attrs.astuple(move), self.final), strict=True))
            yield {**game, **own}


def result(record: MatchRecord) -> str:
    """How a match ended, in the original's words."""
    if record.returns is None:
        return f"disqualified{_SEATS[record.at_fault[0]]}" if record.at_fault else "Cancelled"
    first, second = record.returns
    return "draw" if first == second else f"winner{_SEATS[int(second > first)]}"


_SEATS: Final = ("1st", "2nd")


def moment(created: str, place: int) -> str:
    """The time of a match: the start of the run plus one second per earlier match.

    A journal records no other times.
    """
    return (datetime.fromisoformat(created) + timedelta(seconds=place)).strftime("%y%m%d-%H%M%S")


def played(record: MatchRecord, rules: Game, responses: Sequence[str], form: str, **facts: Any) -> ExportedMatch:
    """A match from its record; ``responses`` are the texts of all tries in order, empty if there is none."""
    boards = _boards(rules, record)
    text = cast("Form", rules.forms["list" if form == "list" else "illustration"])
    picture = rules.forms["image"]
    tries = [e for e in record.events if e.source == "referee" and e.kind in ("played", "refused")]
    rows = _cells(record)
    moves: list[ExportedMove] = []
    for number, (event, response) in enumerate(zip(tries, responses, strict=True), 1):
        data = data_of(event)
        outcome: Outcome = "Valid" if event.kind == "played" else OUTCOMES.get(str(data.get("rule")), "Invalid Format")
        row, column = rows[event.step] if event.kind == "played" else _named(data.get("action"), outcome)
        action = canonical_json(data["action"]) if "action" in data else str(data.get("text", ""))
        moves.append(
            ExportedMove(
                number=number,
                player=int(event.player or 0) + 1,
                row=row,
                column=column,
                outcome=outcome,
                status=str(text(boards[event.step])),
                response=response or action,
            )
        )
    shown = [*(boards[event.step] for event in tries), boards[record.steps]]
    return ExportedMatch(
        **facts,
        form=form,
        result=result(record),
        moves=tuple(moves),
        final=str(text(shown[-1])),
        boards=tuple(str(rules.forms["illustration"](board)) for board in shown),
        pictures=tuple(cast("Image", picture(board)).data for board in shown),
    )


def _boards(game: Game, record: MatchRecord) -> dict[int, Any]:
    return {position.step: position.state.observe(None) for position in positions(game, record)}


def _cells(record: MatchRecord) -> dict[int, tuple[int, int]]:
    """The row and column where each step's piece landed, by step.

    The game reports it in the event that begins the next step.
    """
    told = (event for event in record.events if event.source == "game" and event.kind == "moved")
    return {event.step - 1: (data_of(event)["row"], data_of(event)["column"]) for event in told}


def _named(action: Any, outcome: Outcome) -> tuple[int, int]:
    """The row and the column that a refused try names, -1 for each that is missing."""
    named: Mapping[str, Any] = action if isinstance(action, Mapping) and outcome != "Invalid Format" else {}
    return int(named.get("row", -1)), int(named.get("column", -1))
