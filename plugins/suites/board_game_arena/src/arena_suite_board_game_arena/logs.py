"""The export ``board-game-arena``: the logs that the original writes, by agent and by game."""

import csv
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from arena.game import Game
from arena.record import Ending, MatchRecord, Player, canonical_json
from arena.turns import data_of, positions
from arena_engine import Benchmark, Journal, open_benchmark
from arena_report import ExportFormat, finished_matches, new_directory, spreadsheet_row

TABLES = {
    "moves": (
        *("game_name", "episode", "turn", "action", "reasoning", "opponent", "generation_time", "agent_type"),
        *("agent_model", "timestamp", "run_id", "seed", "board_state"),
    ),
    "rewards": ("game_name", "episode", "reward", "timestamp", "run_id"),
    "illegal_moves": (
        *("game_name", "episode", "turn", "agent_id", "illegal_action", "reason", "board_state", "timestamp"),
        "run_id",
    ),
    "game_results": ("game_name", "episode", "status", "reward", "opponent", "timestamp", "run_id"),
}
"""The original's tables, each with its columns."""

MERGED = ("agent_name", *TABLES["moves"], "reward", "status", "match", "player", "label", "by")
"""Columns of the tables by game: the moves of all agents with results, and columns that the original lacks."""

_STATUS = {Ending.RULES: "terminated", Ending.TURN_LIMIT: "truncated"}

Rows = dict[str, list[dict[str, Any]]]


@attrs.frozen
class BoardGameArenaExport(ExportFormat):
    """One SQLite database for each agent (``AGENT.db``) and one CSV table for each game (``merged_logs_GAME.csv``).

    The columns are the original's. The plugins of the run must be installed, since positions are not recorded but
    replayed from the recorded actions.
    """

    def write(self, journal: Journal, path: Path) -> None:
        """Write the databases and tables into a new directory."""
        benchmark = open_benchmark(journal)
        by_agent: dict[str, Rows] = {name: {table: [] for table in TABLES} for name in benchmark.agents}
        by_game: dict[str, list[dict[str, Any]]] = {name: [] for name in benchmark.games}
        episodes: Counter[str] = Counter()
        for record in finished_matches(journal.records()):
            episodes[record.game] += 1
            common = {
                "game_name": record.game,
                "episode": episodes[record.game],
                "timestamp": journal.header.created,
                "run_id": journal.header.id,
            }
            for player in map(Player, range(len(record.agents))):
                rows = _told(record, player, benchmark, common, journal.header.seed)
                for name, own in rows.items():
                    by_agent[record.agents[player]][name] += own
                by_game[record.game] += _merged(record, player, rows)
        with new_directory(path) as directory:
            for agent, tables in by_agent.items():
                _write_database(directory / f"{agent}.db", tables)
            for game, own in by_game.items():
                own.sort(key=lambda row: (row["episode"], row["turn"], row["player"]))
                _write_table(directory / f"merged_logs_{game}.csv", own)


def _told(record: MatchRecord, player: Player, benchmark: Benchmark, common: Mapping[str, Any], seed: int) -> Rows:
    """The rows of one player's match, by table."""
    agent = benchmark.agents[record.agents[player]]
    models = [str(getattr(backend, "model", backend)) for backend in agent.agent.backends().values()]
    opponent = ", ".join(name for p, name in enumerate(record.agents) if p != player)
    reward = None if record.returns is None else record.returns[player]
    found: Rows = {name: [] for name in TABLES}
    boards = _boards(benchmark.games[record.game].game, record, player)
    for event in record.events:
        if event.source != "referee" or event.player != player or event.kind not in ("played", "refused"):
            continue
        data, board = data_of(event), boards[event.step]
        row = {**common, "turn": event.step, "board_state": board}
        if event.kind == "refused":
            refused = {"agent_id": player, "illegal_action": _plain(data.get("action")), "reason": data["reason"]}
            found["illegal_moves"].append({**row, **refused})
            continue
        found["moves"].append(
            {
                **row,
                "action": _plain(data["action"]),
                "reasoning": data.get("reasoning"),
                "opponent": opponent,
                "generation_time": None,
                "agent_type": agent.use,
                "agent_model": ", ".join(models) or None,
                "seed": seed,
            }
        )
    status = _STATUS.get(record.ending, str(record.ending))
    found["rewards"].append({**common, "reward": reward})
    found["game_results"].append({**common, "status": status, "reward": reward, "opponent": opponent})
    return found


def _merged(record: MatchRecord, player: Player, rows: Rows) -> Iterator[dict[str, Any]]:
    (result,) = rows["game_results"]
    played = [data_of(event) for event in record.played() if event.player == player]
    for move, data in zip(rows["moves"], played, strict=True):
        yield {
            "agent_name": record.agents[player],
            **move,
            "reward": result["reward"],
            "status": result["status"],
            "match": record.id,
            "player": player,
            "label": data.get("label"),
            "by": data["by"],
        }


def _boards(game: Game, record: MatchRecord, player: Player) -> dict[int, str]:
    """What the player saw before each step, as text if the game has a text form."""
    form = game.forms.get("text")
    found: dict[int, str] = defaultdict(str)
    for position in positions(game, record):
        if player in position.state.to_act():
            seen = position.state.observe(player)
            shown = form(seen) if form else canonical_json(seen)
            found[position.step] = shown if isinstance(shown, str) else canonical_json(seen)
    return found


def _plain(action: Any) -> Any:
    """An action as a database column: numbers and strings unchanged, everything else as JSON."""
    is_simple = action is None or isinstance(action, int | float | str)
    return action if is_simple and not isinstance(action, bool) else canonical_json(action)


def _write_database(path: Path, tables: Rows) -> None:
    database = sqlite3.connect(path)
    try:
        for name, columns in TABLES.items():
            database.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, {', '.join(columns)})")
            marks = ", ".join(f":{column}" for column in columns)
            database.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", tables[name])
        database.commit()
    finally:
        database.close()


def _write_table(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=MERGED, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(spreadsheet_row, rows))
