"""Exports matches of chess in Portable Game Notation, with moves in standard algebraic notation."""

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import pyspiel
from arena.errors import ConfigError
from arena.game import Game
from arena.record import MatchRecord
from arena.turns import positions
from arena_engine import Journal, open_benchmark
from arena_report import ExportFormat, finished_matches, write_file

from arena_game_openspiel.board_games.chess import Chess

_WIDTH: Final = 79
"""The longest line of moves, in characters, as the standard wants it."""


@attrs.frozen
class PgnExport(ExportFormat):
    """One file with all finished matches of chess; matches of other games are left out.

    Moves are replayed from the record, so the games must be installed. There is no date: equal runs give equal files.
    """

    def write(self, journal: Journal, path: Path) -> None:
        """Write the file; ``ConfigError`` if the run has no game of chess."""
        benchmark = open_benchmark(journal)
        games = {name: entry.game for name, entry in benchmark.games.items() if isinstance(entry.game, Chess)}
        if not games:
            raise ConfigError("the run has no game of chess, and PGN writes no other; try --format jsonl")
        played = (record for record in finished_matches(journal.records()) if record.game in games)
        write_file(path, (game_text(games[r.game], r, n).encode() for n, r in enumerate(played, 1)))


def game_text(game: Game, record: MatchRecord, number: int = 1) -> str:
    """A match as a game of PGN, which is the ``number``-th of its file."""
    found = list(_moves(game, record))
    start, result = _start(game), _result(record)
    tags = {
        "Event": record.plan.game,
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(number),
        "White": record.agents[0],
        "Black": record.agents[1],
        "Result": result,
        **({"SetUp": "1", "FEN": start} if start else {}),
        "Termination": "normal" if str(record.ending) == "rules" else str(record.ending),
    }
    head = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags.items())
    words = [word for move in found for word in move]
    return f"{head}\n\n{textwrap.fill(' '.join([*words, result]), _WIDTH, break_on_hyphens=False)}\n\n"


def _moves(game: Game, record: MatchRecord) -> Iterator[tuple[str, ...]]:
    """The moves with their numbers, which stand before White's and before the first one."""
    actions: dict[int, Any] = {e.step: e.data["action"] for e in record.played()}  # type: ignore[index, call-overload]
    for at, position in enumerate(positions(game, record)):
        state: Any = position.state
        if position.step not in actions or state.engine.is_terminal():
            continue
        engine: pyspiel.State = state.engine
        side, number = str(engine).split()[1], str(engine).split()[5]
        san = engine.action_to_string(engine.current_player(), actions[position.step])
        yield (f"{number}.", san) if side == "w" else (f"{number}...", san) if at == 0 else (san,)


def _start(game: Game) -> str:
    return game.fen if isinstance(game, Chess) else ""


def _result(record: MatchRecord) -> str:
    if record.returns is None or len(record.returns) != 2:
        return "*"
    white, black = record.returns
    return "1-0" if white > black else "0-1" if black > white else "1/2-1/2"


def _escaped(value: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
