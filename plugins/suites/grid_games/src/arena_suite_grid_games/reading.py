"""Reads the result files that LLM-Game-Benchmark publishes: games, moves, bulk files, submissions, and their ZIPs."""

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from arena.errors import ArenaError
from arena_command_leaderboard.results import Result, SeatResult
from arena_command_leaderboard.submissions import result_of, table

from arena_suite_grid_games.games import GAME

_ENDINGS: Final = (".csv", ".json")

_NO_RESULT: Final = "networkerror"
"""The original's word for a game that a network error ended, which counts as no result."""


def read(paths: Iterable[Path], tell: Callable[[str], None]) -> list[Result]:
    """All results in these files; games of one session (their UUID) are one result, each game counted once.

    A game that is present as JSON, CSV and moves CSV is one game. Texts, images and files of moves alone are skipped in
    ZIPs, and an error elsewhere. ``tell`` is called for each submission that contradicts itself, which is left out:
    published leaderboards contain some. ``ArenaError`` names the game and file that cannot be understood.
    """
    games: dict[tuple[str, int], tuple[Mapping[str, Any], str]] = {}
    found: list[Result] = []
    for name, text, is_packed in _texts(paths):
        rows = table(text, Path(name))
        if rows and "GameNumber" in rows[0]:
            for number, raw in enumerate(rows, 1):
                games.setdefault(_key(raw, name, number), (raw, name))
        elif rows and "LLM1stPlayer" in rows[0]:
            found += _submissions(rows, name, tell)
        elif not is_packed and rows:
            raise ArenaError(f"{name}: neither games nor submissions; expected LLM-Game-Benchmark's JSON or CSV files")
    return [*_sessions(games), *found]


def _submissions(rows: Iterable[Mapping[str, Any]], name: str, tell: Callable[[str], None]) -> Iterator[Result]:
    for number, raw in enumerate(rows, 1):
        try:
            yield result_of(raw, Path(name), number)
        except ArenaError as error:
            tell(f"left out: {error}")


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str, bool]]:
    for path in paths:
        try:
            raw = path.read_bytes()
            if path.suffix == ".zip":
                with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                    for name in archive.namelist():
                        if name.endswith(_ENDINGS):
                            yield f"{path}/{name}", archive.read(name).decode("utf-8-sig"), True
            else:
                yield str(path), raw.decode("utf-8-sig"), False
        except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
            raise ArenaError(f"{path}: cannot be read ({error}); expected a CSV, JSON or ZIP file") from None


def _key(raw: Mapping[str, Any], name: str, number: int) -> tuple[str, int]:
    if missing := [column for column in GAME if column not in raw and column != "GameDuration"]:
        raise ArenaError(f"{name}: row {number}: no {', '.join(missing)}; expected the columns of a game")
    try:
        return str(raw["UUID"]), int(raw["GameNumber"])
    except ValueError:
        raise ArenaError(f"{name}: row {number}: GameNumber is {raw['GameNumber']!r}; expected a number") from None


def _sessions(games: Mapping[tuple[str, int], tuple[Mapping[str, Any], str]]) -> list[Result]:
    found: dict[str, Result] = {}
    for (uuid, number), (raw, name) in games.items():
        if raw["Result"] == _NO_RESULT:
            continue
        try:
            seats = _seat(raw, 0), _seat(raw, 1)
        except ValueError as error:
            raise ArenaError(f"{name}: game {number} of {uuid}: {error}") from None
        known = found.get(uuid)
        if known:
            seats = known.seats[0] + seats[0], known.seats[1] + seats[1]
        found[uuid] = Result(
            id=uuid,
            match_ids=(known.match_ids if known else frozenset[str]()) | {f"{uuid}/{number}"},
            source=known.source if known else Path(name).name,
            game=str(raw["GameType"]),
            form=str(raw["PromptType"]),
            version=str(raw["PromptVersion"] or ""),
            agents=(str(raw["Player1"]), str(raw["Player2"])),
            seats=seats,
            date=str(raw["DateTime"]),
        )
    return list(found.values())


def _seat(raw: Mapping[str, Any], player: int) -> SeatResult:
    seat, number = ("1st", "2nd")[player], player + 1
    result = str(raw["Result"])
    if result not in _RESULTS:
        raise ValueError(f"Result is {result!r}; expected one of {', '.join(_RESULTS)}")
    failed = ("InvalidAlreadyTaken", "InvalidFormat", "OutOfBounds")
    return SeatResult(
        matches=1,
        wins=int(result == f"winner{seat}"),
        disqualifications=int(result == f"disqualified{seat}"),
        draws=int(result == "draw"),
        cancelled=int(result == "Cancelled"),
        moves=int(raw[f"Player{number}Moves"]),
        invalid=sum(int(raw[f"Player{number}{kind}"]) for kind in failed),
    )


_RESULTS: Final = ("winner1st", "winner2nd", "draw", "disqualified1st", "disqualified2nd", "Cancelled", _NO_RESULT)
