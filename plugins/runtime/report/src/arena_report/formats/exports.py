"""Exports finished matches as plain records and as files: JSON lines, CSV and Parquet.

The bytes depend on benchmark, seed and answers alone: they hold no clock, no path, no host and no traceback.
"""

import csv
import io
import json
import os
import pickle
import tempfile
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, Final, TypeAlias

from arena.agent import RefusalKind
from arena.errors import ArenaError, PluginError
from arena.installing import install_line
from arena.record import JSON, Event, MatchRecord, canonical_json

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode

Cell: TypeAlias = str | int | float | None
"""A value of a flat row."""

_Row: TypeAlias = dict[str, Cell]
_PIECE: Final = 1_024  # rows are written at a time
_GROUP: Final = 16 * _PIECE  # rows are a group of a Parquet file
_WAITING: Final = 1 << 22  # bytes of rows wait in memory, more in a file

_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


def finished_matches(records: Iterable[MatchRecord]) -> Iterator[MatchRecord]:
    """Yield the matches that can be exported, without those that a resumed run would play again."""
    return (r for r in records if r.ending.is_final)


def plain(record: MatchRecord, *, events: bool = False) -> dict[str, JSON]:
    """A match as one JSON object; ``events`` adds all of its events.

    Each field has one type in all games, as readers of tables want it: what a game says is the text of its JSON.
    """
    by_player = [Counter[str]() for _ in record.agents]
    for event in record.refused():
        if event.player is not None:
            by_player[event.player][_data(event)["kind"]] += 1
    value: dict[str, JSON] = {
        "id": record.id,
        "game": record.game,
        "players": list(record.agents),
        "seats": list(record.seats),
        "seed": str(record.plan.chance_seed),  # 64 bits: more than many readers of tables can hold as a number
        "repeat": record.plan.repeat,
        "rotation": record.plan.rotation,
        "ending": str(record.ending),
        "returns": None if record.returns is None else list(record.returns),
        "gone": list(record.forfeited),
        "turns": [_turn(event) for event in record.played()],
        "refusals": _sorted(sum(by_player, Counter[str]())),
        "refusals_by_player": [_sorted(counts) for counts in by_player],
    }
    if events:
        value["events"] = [_event(event) for event in record.events]
    return value


def row(record: MatchRecord) -> _Row:
    """A match as one flat row; the columns of its players come last."""
    refused = Counter(_data(event)["kind"] for event in record.refused())
    value: _Row = {
        "id": record.id,
        "game": record.game,
        "pairing": record.plan.pairing,
        "repeat": record.plan.repeat,
        "rotation": record.plan.rotation,
        "seed": str(record.plan.chance_seed),  # 64 bits: more than many readers of tables can hold as a number
        "ending": str(record.ending),
        "waves": record.steps,
        "turns": sum(1 for _ in record.played()),
        "substitutes": sum(1 for event in record.played() if _data(event)["by"] != "agent"),
    }
    value |= {f"refused_{kind}": refused[kind] for kind in RefusalKind}
    for p, agent in enumerate(record.agents):
        value[f"player_{p}"] = agent
        value[f"seat_{p}"] = record.seats[p] if record.seats else None
        value[f"return_{p}"] = None if record.returns is None else record.returns[p]
    return value


def rows(records: Iterable[MatchRecord]) -> Iterator[_Row]:
    """Yield all matches as flat rows that have the same columns: those of the match with the most players.

    The rows wait in a temporary file until all records are read, so that no long run is held in memory.
    """
    columns: list[str] = []
    with tempfile.SpooledTemporaryFile(_WAITING) as waiting:
        count = 0
        for record in records:
            value = row(record)
            if len(value) > len(columns):
                columns = list(value)
            pickle.dump(list(value.values()), waiting)
            count += 1
        waiting.seek(0)
        for _ in range(count):
            yield dict(zip_longest(columns, pickle.load(waiting)))


def jsonl(records: Iterable[MatchRecord], *, events: bool = False) -> Iterator[bytes]:
    """Yield one line per match, each a JSON object."""
    return (_encode(plain(record, events=events)).encode() + b"\n" for record in records)


def csv_table(records: Iterable[MatchRecord]) -> Iterator[bytes]:
    """Yield a heading and one CSV row per match, in pieces of many rows."""
    text, table = io.StringIO(newline=""), rows(records)
    first = list(islice(table, 1))
    writer = csv.DictWriter(text, fieldnames=_columns(first), lineterminator="\n")
    writer.writeheader()
    for some in _pieces(chain(first, table)):
        writer.writerows(map(spreadsheet_row, some))
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()  # the heading of a table without rows


def moves_csv(record: MatchRecord) -> Iterator[bytes]:
    """Yield a heading and one CSV row for each action of a match that was played."""
    text = io.StringIO(newline="")
    columns: list[str] = ["match", "turn", "player", "agent", "action", "label", "by"]
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for number, event in enumerate(record.played(), 1):
        data, player = _data(event), event.player or 0
        move = {"match": record.id, "turn": number, "player": player, "agent": record.agents[player]}
        move |= {"action": _encode(data["action"]), "label": data.get("label", ""), "by": data["by"]}
        writer.writerow(spreadsheet_row(move))
    yield text.getvalue().encode()


def spreadsheet_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of CSV in which no text is a formula for a spreadsheet.

    A text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a return gets an apostrophe in front, unless it is a
    number.
    """
    return {name: f"'{value}" if _is_formula(value) else value for name, value in row.items()}


def from_spreadsheet(value: str) -> str:
    """What a cell that ``spreadsheet_row`` has written was before."""
    return value[1:] if value[:1] == "'" and _is_formula(value[1:]) else value


def parquet(records: Iterable[MatchRecord]) -> Iterator[bytes]:
    """The rows of ``csv_table`` as typed columns; raises ``PluginError`` if pyarrow is not installed."""
    try:
        import pyarrow  # type: ignore[import-untyped, import-not-found]  # an optional companion without types
        import pyarrow.json  # type: ignore[import-untyped, import-not-found]
        import pyarrow.parquet  # type: ignore[import-untyped, import-not-found]
    except ImportError as error:
        raise PluginError(
            f"writing Parquet needs pyarrow; install it with `{install_line('pyarrow')}`, or export as csv"
        ) from error
    library: Any = pyarrow
    table = rows(records)
    first = list(islice(table, 1))
    schema = library.schema([(name, _arrow_type(library, name)) for name in _columns(first)])
    with tempfile.SpooledTemporaryFile(_WAITING) as file:
        with library.parquet.ParquetWriter(file, schema) as writer:
            if not first:
                writer.write_table(schema.empty_table())
            for group in _groups(library, chain(first, table), schema):
                writer.write_table(group)
        file.seek(0)
        yield from iter(partial(file.read, _WAITING), b"")


def write_file(path: Path, content: Iterable[bytes]) -> None:
    """Write a file that appears complete or not at all; raises ``ArenaError`` if that fails."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ArenaError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(content)
        # A temporary file is readable by its owner alone; an export gets the permissions of any new file.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise ArenaError(f"{path}: cannot be written ({error.strerror}); choose another --output") from error


@contextmanager
def new_directory(path: Path) -> Generator[Path, None, None]:
    """A directory to fill, which appears complete or not at all; raises ``ArenaError`` if ``path`` is taken."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ArenaError(f"{path}: there is something here already; choose another --output")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as name:
        made = Path(name) / "made"
        made.mkdir()
        yield made
        if path.exists():
            path.rmdir()
        made.replace(path)


def _pieces(table: Iterable[_Row]) -> Iterator[list[_Row]]:
    left = iter(table)
    while some := list(islice(left, _PIECE)):
        yield some


def _columns(first: Sequence[_Row]) -> list[str]:
    return list(first[0]) if first else ["id"]


def _is_formula(value: Any) -> bool:
    if not isinstance(value, str) or value[:1] not in _FORMULAS or not value:
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def _turn(event: Event) -> JSON:
    data = _data(event)
    return {
        "player": event.player,
        "action": canonical_json(data["action"]),
        "label": data.get("label"),
        "by": data["by"],
    }


def _event(event: Event) -> JSON:
    return {
        "wave": event.step,
        "source": event.source,
        "kind": event.kind,
        "player": event.player,
        "data": canonical_json(event.data),
        "to": None if event.to is None else list(event.to),
    }


def _data(event: Event) -> Mapping[str, Any]:
    assert isinstance(event.data, Mapping)  # the referee's events are tables
    return event.data


def _sorted(counts: Mapping[str, int]) -> dict[str, JSON]:
    return {str(kind): counts[kind] for kind in RefusalKind}


def _groups(library: Any, table: Iterable[_Row], schema: Any) -> Iterator[Any]:
    """Tables of at most ``_GROUP`` rows; their columns take much less memory than rows do."""
    # Made of lists, a table would import pandas wherever that is installed, which takes more than all of its rows.
    parsing, group = library.json.ParseOptions(explicit_schema=schema), list[Any]()
    for some in _pieces(table):
        lines = "".join(f"{_encode(each)}\n" for each in some).encode()
        reading = library.json.ReadOptions(block_size=len(lines), use_threads=False)
        group.append(library.json.read_json(io.BytesIO(lines), reading, parsing))
        if len(group) * _PIECE >= _GROUP:
            yield library.concat_tables(group).combine_chunks()
            group.clear()
    if group:
        yield library.concat_tables(group).combine_chunks()


def _arrow_type(library: Any, column: str) -> Any:
    if column.startswith("return_"):
        return library.float64()
    texts: Sequence[str] = ("id", "game", "pairing", "seed", "ending")
    if column in texts or column.startswith(("player_", "seat_")):
        return library.string()
    return library.int64()
