"""Leaderboard rows as files, in the columns of LLM-Game-Benchmark's submissions plus the counts they leave out.

The original's rows have ratios and no number of matches; that number is the sum of the outcomes, whatever the ratios
say. All of its values are text.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final, cast

from arena.errors import ArenaError
from arena_engine.foundation import ReceivedFiles, check_table, received_json
from arena_metric_statistics.proportions import wilson
from arena_report import from_spreadsheet, spreadsheet_row

from arena_command_leaderboard.results import Key, RankingLine, Result, SeatResult

ROW: Final = (
    *("GameType", "PromptType", "PromptVersion", "LLM1stPlayer", "LLM2ndPlayer"),
    *(
        "WinRatio-1st",
        "WinRatio-2nd",
        "Wins-1st",
        "Wins-2nd",
        "Disqualifications-1st",
        "Disqualifications-2nd",
        "Draws",
    ),
    *("InvalidMovesRatio-1st", "InvalidMovesRatio-2nd", "TotalMoves-1st", "TotalMoves-2nd"),
    *("ProviderEmail", "DateTime", "UUID"),
)
"""The columns of an original submission, in order."""

COUNTS: Final = ("Games", "Cancelled", "NoResult", "InvalidMoves-1st", "InvalidMoves-2nd", "MatchUUIDs", "Source")
"""Columns of ours after the original's; they are used when a file has them."""


def row(result: Result) -> dict[str, str]:
    """A result as a submission with counts; all values are text, as in the original."""
    first, second = result.seats
    return {
        "GameType": result.game,
        "PromptType": result.form,
        "PromptVersion": result.version,
        "LLM1stPlayer": result.agents[0],
        "LLM2ndPlayer": result.agents[1],
        **numbers(first, second),
        "ProviderEmail": result.contributor,
        "DateTime": result.date,
        "UUID": result.id,
        "Games": str(first.matches),
        "Cancelled": str(first.cancelled),
        "NoResult": str(first.no_result),
        "InvalidMoves-1st": str(first.invalid),
        "InvalidMoves-2nd": str(second.invalid),
        "MatchUUIDs": " ".join(sorted(result.match_ids)),
        "Source": result.source,
    }


def numbers(first: SeatResult, second: SeatResult) -> dict[str, str]:
    """The columns of numbers in the original: ratios and counts of both seats."""
    return {
        "WinRatio-1st": ratio(first.wins, first.matches),
        "WinRatio-2nd": ratio(second.wins, second.matches),
        "Wins-1st": str(first.wins),
        "Wins-2nd": str(second.wins),
        "Disqualifications-1st": str(first.disqualifications),
        "Disqualifications-2nd": str(second.disqualifications),
        "Draws": str(first.draws),
        "InvalidMovesRatio-1st": ratio(first.invalid, first.moves),
        "InvalidMovesRatio-2nd": ratio(second.invalid, second.moves),
        "TotalMoves-1st": str(first.moves),
        "TotalMoves-2nd": str(second.moves),
    }


def ratio(part: int, whole: int) -> str:
    """A fraction as text; 0 if ``whole`` is 0, as in the original."""
    return f"{part / whole:.6g}" if whole else "0"


def read(path: Path, tell: Callable[[str], None], files: ReceivedFiles | None = None) -> list[Result]:
    """Read the rows of a CSV or JSON file of submissions, the original's or one of ours.

    ``tell`` is called for each row whose ratios contradict its outcomes, which count. Raises ``ArenaError`` naming the
    file and the row that cannot be understood, or the limit that it passes; ``files`` are those of the whole command.
    """
    try:
        text = (files or ReceivedFiles()).content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArenaError(
            f"{path}: cannot be read ({error}); expected a run, or a CSV or JSON file of results"
        ) from None
    rows = [] if text.lstrip().startswith("<") else table(text, path)
    if not rows or _sums_up(rows[0]):
        what = "sums up a leaderboard and does not say who met whom" if rows else "has no results that can be read"
        raise ArenaError(
            f"{path}: {what}; give the runs that it was made of, or the file that "
            f"'arena leaderboard RUN… --format submission -o FILE.csv' writes of them"
        )
    return [result_of(raw, path, number, tell) for number, raw in enumerate(rows, 1)]


def _sums_up(row: Mapping[str, Any]) -> bool:
    """Whether a row stands for the matches of many pairs: a line of a leaderboard, or all of one as an object."""
    is_line = "Games-1st" in row or not row.keys() >= {"LLM1stPlayer", "LLM2ndPlayer"}
    return "UUID" not in row and is_line and not row.keys().isdisjoint(("WinRatio-1st", "verdict"))


def table(text: str, path: Path) -> list[Mapping[str, Any]]:
    """The rows of a CSV or JSON text; JSON may be a list of objects or a single object."""
    if text.lstrip()[:1] not in ("[", "{"):
        check_table(text, str(path))
        read = csv.DictReader(io.StringIO(text, newline=""))
        try:
            return [
                {
                    name: from_spreadsheet(cell) if cell[:1] == "'" else cell  # files of moves have a million cells
                    for name, cell in row.items()
                    if isinstance(cell, str)
                }
                for row in read
            ]
        except csv.Error as error:
            raise ArenaError(f"{path}: no CSV ({error}); give a CSV or JSON file of results") from None
    raw = received_json(text, str(path))
    rows: Any = raw if isinstance(raw, list) else [raw]
    if not all(isinstance(each, Mapping) for each in rows):
        raise ArenaError(f"{path}: expected a list of objects, got {type(rows[0]).__name__}")
    return cast("list[Mapping[str, Any]]", rows)


def csv_text(rows: Sequence[Mapping[str, str]], columns: Iterable[str]) -> bytes:
    """Rows as CSV bytes with a heading."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(columns), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(map(spreadsheet_row, rows))
    return text.getvalue().encode()


_NAMES: Final[Mapping[Key, tuple[str, ...]]] = {
    "game": ("GameType",),
    "form": ("PromptType",),
    "agent": ("LLM",),
    "opponent": ("Opponent",),
    "pairing": ("LLM1stPlayer", "LLM2ndPlayer"),
}


def line_row(line: RankingLine, keys: Iterable[Key], level: float) -> dict[str, str]:
    """A line in the same columns; its key comes first, Wilson intervals come after the numbers."""
    names = {
        "GameType": line.game,
        "PromptType": line.form,
        "LLM": line.agent,
        "Opponent": line.opponent,
        "LLM1stPlayer": line.agent,
        "LLM2ndPlayer": line.opponent,
    }
    return {
        **{name: names[name] for key in keys for name in _NAMES[key]},
        **numbers(line.first, line.second),
        "Draws": str(line.draws),
        "Cancelled": str(line.cancelled),
        "NoResult": str(line.no_result),
        "Games-1st": str(line.first.matches),
        "Games-2nd": str(line.second.matches),
        **_ends("1st", line.first, level),
        **_ends("2nd", line.second, level),
        "Sources": "; ".join(line.sources),
    }


def result_of(raw: Mapping[str, Any], path: Path, number: int, tell: Callable[[str], None]) -> Result:
    """Read one row; ``path`` and ``number`` only locate it in an ``ArenaError`` and in what is told.

    The outcomes decide how many matches there were. ``tell`` is called once with every ratio that says otherwise.
    """
    where = f"{path}: row {number}"
    if missing := [column for column in ROW if column not in raw and column not in _MAY_LACK]:
        raise ArenaError(f"{where}: no {', '.join(missing)}; expected the columns of a submission")
    try:
        seats = _seats(raw)
        differing = _differing(raw, seats)
    except (ValueError, TypeError) as error:
        raise ArenaError(f"{where}: {error}; expected numbers that fit each other") from None
    if differing:
        tell(f"{where}: {'; '.join(differing)}; the outcomes count")
    return Result(
        id=str(raw["UUID"]),
        match_ids=frozenset(str(raw.get("MatchUUIDs") or "").split()),
        source=str(raw.get("Source") or path.name),
        game=str(raw["GameType"]),
        form=str(raw["PromptType"]),
        version=str(raw.get("PromptVersion") or ""),
        agents=(str(raw["LLM1stPlayer"]), str(raw["LLM2ndPlayer"])),
        seats=seats,
        contributor=str(raw.get("ProviderEmail") or ""),
        date=str(raw.get("DateTime") or ""),
    )


def _ends(name: str, seat: SeatResult, level: float) -> dict[str, str]:
    low, high = wilson(seat.wins, seat.matches, level=level) if seat.matches else (0.0, 1.0)
    return {f"WinRatioLow-{name}": f"{low:.6g}", f"WinRatioHigh-{name}": f"{high:.6g}"}


SEATS: Final = ("1st", "2nd")
"""The original's words for the two seats."""

_ROUNDING: Final = 5e-4
"""How far a ratio that was written with few digits may be from the exact one."""

_MAY_LACK: Final = frozenset({"PromptVersion", "ProviderEmail", "DateTime"})


def _seats(raw: Mapping[str, Any]) -> tuple[SeatResult, SeatResult]:
    wins = [_count(raw, "Wins-1st"), _count(raw, "Wins-2nd")]
    out = [_count(raw, "Disqualifications-1st"), _count(raw, "Disqualifications-2nd")]
    draws = _count(raw, "Draws")
    decided = sum(wins) + sum(out) + draws
    matches = _count(raw, "Games") if raw.get("Games") else decided
    if matches < decided:
        raise ValueError(f"{decided} outcomes of {matches} matches")
    made: list[SeatResult] = []
    for i, seat in enumerate(SEATS):
        moves = _count(raw, f"TotalMoves-{seat}")
        known = raw.get(f"InvalidMoves-{seat}")
        invalid = int(known) if known else round(_number(raw, f"InvalidMovesRatio-{seat}") * moves)
        made.append(
            SeatResult(
                matches=matches,
                wins=wins[i],
                disqualifications=out[i],
                draws=draws,
                cancelled=matches - decided,
                moves=moves,
                invalid=invalid,
                no_result=_count(raw, "NoResult") if raw.get("NoResult") else 0,
            )
        )
    return made[0], made[1]


def _differing(raw: Mapping[str, Any], seats: Sequence[SeatResult]) -> list[str]:
    """The win ratios that differ from what the outcomes give by more than rounding, in words.

    Raises ``ValueError`` for one so far off that the counts cannot be numbers: some published rows hold the digits of
    two counts side by side.
    """
    found: list[str] = []
    for name, seat in zip(SEATS, seats, strict=True):
        column = f"WinRatio-{name}"
        stated = _number(raw, column)
        if raw[column] in (None, "") or not seat.matches or abs(stated - seat.wins / seat.matches) <= _ROUNDING:
            continue
        if stated and seat.wins / stated > 2 * seat.matches + 10:
            raise ValueError(
                f"{column} of {raw[column]} would mean {seat.wins / stated:.0f} matches, and {seat.matches} outcomes "
                "do not fit that"
            )
        counted = f"{seat.wins} of {seat.matches} matches, {ratio(seat.wins, seat.matches)}"
        found.append(f"{column} is {raw[column]}, its outcomes give {counted}")
    return found


def _number(raw: Mapping[str, Any], column: str) -> float:
    value = float(raw[column] or 0)
    if not isfinite(value) or value < 0:
        raise ValueError(f"{column} is {raw[column]!r}")
    return value


def _count(raw: Mapping[str, Any], column: str) -> int:
    value = _number(raw, column)
    text = str(raw[column]).strip()
    if value != int(value) or (len(text) > 1 and text.startswith("0") and text.isdigit()):
        raise ValueError(f"{column} is {raw[column]!r}")
    return int(value)
