"""The export ``llm-game-benchmark``: the original's files with its names and schemas."""

import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import ArenaError
from arena.record import MatchRecord
from arena_command_leaderboard.journals import Forms, identity, seats_of
from arena_command_leaderboard.results import Result
from arena_command_leaderboard.submissions import ROW, row
from arena_engine import Journal, JournalEntry, completion_from_text, open_benchmark, transcript
from arena_game_grid.game import Mnk
from arena_report import ExportFormat, finished_matches, new_directory, spreadsheet_row

from arena_suite_grid_games.games import GAME, MOVES, ExportedMatch, moment, played

_LABELS: Final = (
    *("UUID", "Date and Time (yyMMdd-HHmmss)", "Game Type", "Prompt Type", "Prompt Version", "Game #"),
    *("Player 1", "Player 2", "Result", "Game Duration (seconds)", "Total Moves", "Player 1 Moves", "Player 2 Moves"),
    *("Player 1 Moves per Win", "Player 2 Moves per Win", "Player 1 Already Taken Moves"),
    *("Player 2 Already Taken Moves", "Player 1 Invalid Format Moves", "Player 2 Invalid Format Moves"),
    *("Player 1 Out of Bounds Moves", "Player 2 Out of Bounds Moves"),
)
"""The titles of a game's columns in the original's text files, in the order of the columns."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


@attrs.frozen
class LlmGameBenchmarkExport(ExportFormat):
    """A directory with LLM-Game-Benchmark's files of all matches of grid games, and the same as a ZIP.

    For each match ``STEM.json``, ``STEM.csv``, ``STEM_moves.csv``, ``STEM.txt`` and a picture of the board before each
    move and at the end, ``STEM_moveNNN.png``; for each game and form ``…_all.csv``, ``…_all_moves.csv``,
    ``…_all_moves.json``, ``…_all_submission.csv`` and ``…_all_submission.json``; ``all.zip``. It takes the plugins the
    run was played with, as positions are not kept but played again from the recorded actions.
    """

    pictures: bool = attrs.field(default=True, metadata={"help": "draw the board before each move"})

    def write(self, journal: Journal, path: Path) -> None:
        """Write the files and their ZIP into a new directory."""
        with new_directory(path) as directory:
            bulk: dict[tuple[str, str], list[tuple[ExportedMatch, MatchRecord]]] = {}
            for game, record in _played(journal):
                self._put(directory, game)
                bulk.setdefault((game.game, game.form), []).append((attrs.evolve(game, pictures=()), record))
            if not bulk:
                raise ArenaError(f"{journal.directory}: there is no match of a grid game in it; expected some to write")
            start = moment(journal.header.created, 0)
            for (name, form), own in bulk.items():
                _put_bulk(directory, f"{name}_{form}_{start}_all", own, journal)
            _zip(directory)

    def _put(self, directory: Path, game: ExportedMatch) -> None:
        _write_json(directory / f"{game.stem}.json", game.json())
        _write_csv(directory / f"{game.stem}.csv", GAME, [game.row()])
        _write_csv(directory / f"{game.stem}_moves.csv", MOVES, game.move_rows())
        (directory / f"{game.stem}.txt").write_text(_text(game), "utf-8")
        for number, picture in enumerate(game.pictures if self.pictures else ()):
            (directory / f"{game.stem}_move{number:03}.png").write_bytes(picture)


def _played(journal: Journal) -> Iterator[tuple[ExportedMatch, MatchRecord]]:
    benchmark = open_benchmark(journal)
    forms, run = Forms.of(journal), journal.header
    numbers: Counter[tuple[str, ...]] = Counter()
    for place, record in enumerate(finished_matches(journal.records())):
        game = benchmark.games[record.game].game
        if not isinstance(game, Mnk) or not record.ending.is_result:
            continue
        first, second = (forms.name(agent) for agent in record.agents)
        key = (record.game, forms.form(record), forms.version(record), first, second)
        numbers[key] += 1
        yield (
            played(
                record,
                game,
                _responses(record, journal.answers(record.id)),
                key[1],
                uuid=str(identity(run.id, *key)),
                moment=moment(run.created, place),
                game=record.game,
                version=key[2],
                number=numbers[key],
                agents=(first, second),
            ),
            record,
        )


def _responses(record: MatchRecord, answers: Sequence[JournalEntry]) -> list[str]:
    """The text of each try in the order of the record; empty for tries without a model."""
    found: dict[int, str] = {}
    for turn in transcript(record, answers):
        for each in turn.tries:
            said = [a for a in each.answers if a.kind in ("completion", "cached")]
            found[id(each.event)] = completion_from_text(said[-1].value).text if said else ""
    return [
        found.get(id(event), "")
        for event in record.events
        if event.source == "referee" and event.kind in ("played", "refused")
    ]


def _put_bulk(directory: Path, stem: str, own: Sequence[tuple[ExportedMatch, MatchRecord]], journal: Journal) -> None:
    games = [game for game, _ in own]
    _write_csv(directory / f"{stem}.csv", GAME, [game.row() for game in games])
    _write_csv(directory / f"{stem}_moves.csv", MOVES, [each for game in games for each in game.move_rows()])
    _write_json(directory / f"{stem}_moves.json", {f"Moves_{game.stem}": game.moves_json() for game in games})
    rows = [{column: value for column, value in row(result).items() if column in ROW} for result in _results(own)]
    _write_csv(directory / f"{stem}_submission.csv", ROW, rows)
    _write_json(directory / f"{stem}_submission.json", rows)


def _results(own: Iterable[tuple[ExportedMatch, MatchRecord]]) -> list[Result]:
    found: dict[str, Result] = {}
    for game, record in own:
        seats = seats_of(record)
        known = found.get(game.uuid)
        if known:
            seats = known.seats[0] + seats[0], known.seats[1] + seats[1]
        found[game.uuid] = Result(
            id=game.uuid,
            source="",
            game=game.game,
            form=game.form,
            version=game.version,
            agents=game.agents,
            seats=seats,
            date=game.moment,
        )
    return list(found.values())


def _text(game: ExportedMatch) -> str:
    """The original's illustrated text: the game's columns, then each move with the board after it."""
    values = game.row().values()
    head = [f"{label}: {'' if value is None else value}" for label, value in zip(_LABELS, values, strict=True)]
    told = [
        f"Player {move.player}, row {move.row}, column {move.column}: {move.outcome}\n{board}\n"
        for move, board in zip(game.moves, game.boards[1:], strict=True)
    ]
    return "\n".join([*head, "Moves: ", *told])


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(spreadsheet_row, rows))
    path.write_text(text.getvalue(), "utf-8")


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent="\t", ensure_ascii=False) + "\n", "utf-8")


def _zip(directory: Path) -> None:
    files = sorted(directory.iterdir())
    with zipfile.ZipFile(directory / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            # no time of writing: equal journals give equal bytes
            archive.writestr(zipfile.ZipInfo(file.name, _EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)
