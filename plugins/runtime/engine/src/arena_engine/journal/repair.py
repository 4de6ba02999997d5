"""Makes a sound journal out of the sound rows of a damaged one, and keeps the damaged files beside it."""

import json
import shutil
import sqlite3
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import JournalError

from arena_engine.journal import database as files
from arena_engine.journal.blocks import EndedBlock, ids_in
from arena_engine.journal.database import every_page, merged
from arena_engine.journal.encoded_match import MatchSummary
from arena_engine.journal.packing import ALONE, COPY, DICTIONARY, PACKING, PLAIN, Packer, UnknownPacking, Unpacker
from arena_engine.journal.schema import (
    ANSWERS,
    ATTEMPTS,
    JUDGEMENTS,
    META,
    PLANNED_MATCHES,
    PLANS,
    RECORDS,
    RESERVATIONS,
    SUMS,
    JournalTable,
    is_sound,
)
from arena_engine.journal.verification import marks_in, matches_of, verify_journal
from arena_engine.journal.writer import Rows

REPAIRED: Final = "repaired"
"""The key of the metadata that lists the matches of which something was lost."""

_CALLS: Final = [field.name for field in attrs.fields(MatchSummary)].index("calls")

_KEPT: Final = (META, ATTEMPTS, PLANS, RECORDS, ANSWERS, RESERVATIONS, JUDGEMENTS)


@attrs.frozen(kw_only=True)
class Repair:
    """What a repair did: ``matches`` are played again, ``lost`` rows are gone, ``copy`` is the damaged file."""

    matches: tuple[str, ...]
    lost: int
    copy: Path


def repair_journal(directory: Path) -> Repair | None:
    """Replace a damaged journal by one of its sound rows; return ``None``, and change nothing, if there is no damage.

    A match is to be played again if anything of its record, summary or answers is lost; what shares a block with it
    is lost with it. ``JournalError`` if the header is lost, or if somebody is playing the run.
    """
    path = directory / files.FILE
    ready = path.with_name(f"{files.FILE}.repaired")
    if not path.is_file() and not ready.is_file():
        raise files.no_journal(directory)
    held = files.lock(directory)
    try:
        if not path.is_file():  # an earlier repair was killed just before its last step
            _take_away(path, _free_name(path))
            ready.rename(path)
        found = verify_journal(directory, is_held=True)
        if not found.problems:
            return None
        matches, lost = _rebuild(path, ready)
        copy = _free_name(path)
        _take_away(path, copy)
        ready.rename(path)
        return Repair(matches=matches, lost=lost, copy=copy)
    finally:
        files.unlock(directory, held)


def _rebuild(path: Path, ready: Path) -> tuple[tuple[str, ...], int]:
    """Write the sound rows to the file ``ready``; return the matches to play again and the number of lost rows."""
    found = _salvage(path)
    touched = _touched(found)
    doubtful = set(found.scopes)
    if found.lost_somewhere:
        doubtful |= {row[0] for row in found[ANSWERS].values()} - (found.summaries.keys() - touched)
    answers = [row for row in found[ANSWERS].values() if row[0] not in doubtful or _still_fits(row, found)]
    making = path.with_name("repairing")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    database = files.make_new(making / files.FILE)
    with files.Transaction(database):
        rows = Rows(database, found.run, found.packer())
        rows.put_new(ANSWERS, answers)
        for table in (META, RESERVATIONS):
            rows.put_new(table, found[table].values())
        rows.put(META, PLANNED_MATCHES, "0")
        rows.put_plans(row[1:] for row in sorted(found[PLANS].values()))
        rows.put_new(ATTEMPTS, ((n, row[1]) for n, row in enumerate(found[ATTEMPTS].values(), 1)))
        rows.put_new(JUDGEMENTS, (row for row in found[JUDGEMENTS].values() if row[0] not in touched))
        for row in found[RECORDS].values():
            rows.put_ended_block(row)
        rows.take_out(touched)
        _, before = found[META].get((REPAIRED,), (REPAIRED, "[]"))
        rows.put(META, REPAIRED, json.dumps(sorted({*json.loads(before), *doubtful}), ensure_ascii=False))
        rows.store()
    database.close()
    files.publish(making / files.FILE, ready)
    shutil.rmtree(making)
    lost = sum(max(0, number - len(found.rows[name])) for name, number in found.expected.items() if name in found.rows)
    return tuple(sorted(touched)), lost


@attrs.frozen(slots=False)
class _Salvage:
    """What is left of a journal: its sound rows by table and key, and where rows were damaged.

    ``damaged`` holds the matches that damaged rows name, by table, ``scopes`` the scopes of damaged answers by match,
    ``expected`` how many rows each table had, as far as it is known, ``marks`` those of damaged blocks of records.
    """

    run: str
    expected: Mapping[str, int]
    rows: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]]
    damaged: dict[str, set[str]]
    scopes: dict[str, set[str]]
    marks: set[bytes]

    def __getitem__(self, table: JournalTable) -> dict[tuple[Any, ...], tuple[Any, ...]]:
        return self.rows[table.name]

    def can_unpack(self, table: JournalTable, row: tuple[Any, ...]) -> bool:
        """Whether the dictionary is there with which a row is packed, and a block is what Arena writes."""
        number = row[table.packed[0] - 1].partition(":")[2] if table.packed else ""
        if number and (f"{DICTIONARY}{number}",) not in self[META]:
            return False
        try:
            if table is RECORDS:
                self.block(row)
            return True
        except (ValueError, LookupError, UnknownPacking, JournalError):
            return False

    def dictionary(self, number: int) -> str:
        """The text of a dictionary that is left."""
        _, text = self[META][f"{DICTIONARY}{number}",]
        return json.loads(text)["text"]

    def packer(self) -> Packer | None:
        """What packs as the run did; ``None`` if it stores texts as they are."""
        if self[META].get((PACKING,)) != (PACKING, json.dumps(ALONE)):
            return None
        kept = {key.removeprefix(DICTIONARY): text for (key,), (_, text) in self[META].items()}
        return Packer({int(number): json.loads(text) for number, text in kept.items() if number.isdecimal()})

    def text(self, table: JournalTable, row: tuple[Any, ...], place: int) -> str:
        """A text of a row."""
        return Unpacker(self.dictionary).unpack(row[table.packed[0] - 1], row[place])

    def block(self, row: tuple[Any, ...]) -> EndedBlock:
        """A block of matches by its row."""
        return EndedBlock.of(row[0], self.text(RECORDS, row, 3), self.text(RECORDS, row, 4))

    def blocks(self) -> Iterator[EndedBlock]:
        """The blocks of matches that are left, one of which is held at a time."""
        return map(self.block, self[RECORDS].values())

    @cached_property
    def summaries(self) -> dict[str, tuple[Any, ...]]:
        """The columns of the summaries that are left, by match."""
        return {match: row for block in self.blocks() for match, row in block.summaries.items()}

    @property
    def lost_somewhere(self) -> bool:
        """Whether answers are lost of which it cannot be told to which match they belonged."""
        seen = len(self[ANSWERS]) + sum(map(len, self.scopes.values()))
        return seen != self.expected.get(ANSWERS.name, 0)


def _salvage(path: Path) -> _Salvage:
    database = _image(path)
    try:
        header = next((row for row in _scan(database, META) if row[0] == b"header" and is_sound("", META, row)), None)
        if header is None:
            raise JournalError(f"{path}: the header is damaged, so it cannot be repaired; restore it from a copy")
        run = json.loads(header[1])["id"]
        expected = {row[0].decode(): row[1] for row in _scan(database, SUMS) if is_sound(run, SUMS, row)}
        found = _Salvage(run, expected, {t.name: {} for t in _KEPT}, {t.name: set() for t in _KEPT}, {}, set())
        for table in _KEPT:
            for row in _scan(database, table):
                values = _decoded(table, row[:-1]) if is_sound(run, table, row) else ()
                if values and found.can_unpack(table, values):
                    found[table][values[: table.keys]] = values
                else:
                    _note_damage(found, database, table, row)
            if table is META:
                _restore_dictionaries(found[META])
        found.damaged[RECORDS.name].update(matches_of(database, found.marks))
    finally:
        database.close()
    return found


def _decoded(table: JournalTable, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a row that was read as bytes: texts, but for marks and what is packed."""
    packed = table.packed if table.packed and values[table.packed[0] - 1] != PLAIN.encode() else ()
    packed = (*packed, *(place for place, name in enumerate(table.names) if name == "ids"))
    return tuple(v.decode() if isinstance(v, bytes) and n not in packed else v for n, v in enumerate(values))


def _restore_dictionaries(kept: dict[tuple[Any, ...], tuple[Any, ...]]) -> None:
    """Put what is left of the two copies of each dictionary in the place of the other."""
    for (key,), (_, text) in list(kept.items()):
        if key.startswith(DICTIONARY):
            other = key.removesuffix(COPY) if key.endswith(COPY) else f"{key}{COPY}"
            kept.setdefault((other,), (other, text))


def _note_damage(found: _Salvage, database: sqlite3.Connection, table: JournalTable, row: tuple[Any, ...]) -> None:
    named = dict(zip(table.names, row, strict=False))
    match, scope = (value if isinstance(value, bytes) else b"" for value in map(named.get, ("match", "scope")))
    where = (match.decode(errors="replace"), scope.decode(errors="replace"))
    if table is ANSWERS and scope.startswith(b"metric/"):  # a judge's, who is asked again
        found.damaged[JUDGEMENTS.name].add(where[0])
        return
    if table is RECORDS:
        found.marks.update(marks_in(row))
    if match:
        found.damaged[table.name].add(where[0])
    if table is ANSWERS and scope[:1].isdigit() and _is_in_place(database, table, where):
        found.scopes.setdefault(where[0], set()).add(where[1])


def _touched(found: _Salvage) -> set[str]:
    """The matches of which something is lost that was played; what is lost of a judge's work is judged again."""
    lost = found.damaged[RECORDS.name] | found.damaged[ANSWERS.name]
    used = Counter(row[0] for row in found[ANSWERS].values() if row[2] == "completion" and row[1][0].isdigit())
    used.update(row[0] for row in found[RESERVATIONS].values() if row[1][0].isdigit())
    lost |= {match for match, summary in found.summaries.items() if summary[_CALLS] != used[match]}
    plans = (id_ for row in found[PLANS].values() for id_ in ids_in(found.text(PLANS, row, 3), is_of_plans=True))
    known = {*plans, *found.summaries, *(row[0] for row in found[ANSWERS].values()), *found.damaged[RECORDS.name]}
    return lost & known  # the name of a match may be what was damaged


def _still_fits(answer: tuple[Any, ...], found: _Salvage) -> bool:
    """Whether an answer of a match that lost others may be used again.

    A completion tells by its request whether it belongs to the course that the match takes. An input (a person's move,
    a try that ran out of time) does not, and is used only if it came before all answers that are lost.
    """
    match, scope, kind, *_ = answer
    if kind in ("completion", "cached"):
        return True
    if found.lost_somewhere or match not in found.scopes:
        return False
    steps = _steps(found, match)
    here = _place(scope)
    for there in map(_place, found.scopes[match]):
        if here[0] == there[0]:
            if here[1:] >= there[1:]:
                return False
        elif steps.get(here[:2], 1 << 62) > steps.get(there[:2], -1):
            return False
    return True


def _place(scope: str) -> tuple[str, int, int]:
    """The player, turn and try of a scope; what is asked before the first turn is of turn -1."""
    player, turn, *rest = scope.split("/")
    return (player, int(turn), int(rest[0])) if turn.isdigit() else (player, -1, 0)


def _steps(found: _Salvage, match: str) -> dict[tuple[str, int], int]:
    """The step of each turn by player and turn, as the match's record tells it if that is sound."""
    for block in found.blocks():
        if match in block.summaries:
            events = json.loads(block.by_match()[match])["events"]
            taken = [e for e in events if e[1] == "referee" and e[2] in ("played", "refused")]
            return {(str(e[3]), e[4]["turn"]): e[0] for e in taken}
    return {}


def _scan(database: sqlite3.Connection, table: JournalTable) -> Iterator[tuple[Any, ...]]:
    """All rows that can still be read, some of them twice: from the front and, where that fails, from behind."""
    for order in ("", " DESC"):
        keys = ", ".join(f"{key}{order}" for key in table.names[: table.keys])
        try:
            yield from database.execute(f"{table.select} ORDER BY {keys}")
            return
        except (sqlite3.Error, OverflowError):
            continue


def _is_in_place(database: sqlite3.Connection, table: JournalTable, key: tuple[str, ...]) -> bool:
    """Whether a row is found by its key; if so it is where it was written, and its key is not what is damaged."""
    try:
        return database.execute(f"SELECT 1 FROM {table.name} WHERE {table.where_key}", key).fetchone() is not None
    except sqlite3.Error:
        return False


def _image(path: Path) -> sqlite3.Connection:
    """The journal in memory, as if nothing of its log had to be dropped; the checksums of rows tell what is sound."""
    data = path.read_bytes()
    try:
        database = sqlite3.connect(":memory:")
        database.deserialize(merged(data, every_page(path.with_name(f"{path.name}-wal"), data)))
        database.execute("SELECT count(*) FROM sqlite_master")
    except (sqlite3.Error, struct.error) as error:
        raise JournalError(f"{path}: cannot be repaired ({error}); restore it from a copy") from error
    database.text_factory = bytes
    return database


def _take_away(path: Path, copy: Path) -> None:
    """Give a journal and its log other names; a log left behind would be applied to any file of the old name."""
    for suffix in ("", "-wal", "-shm"):
        old = path.with_name(f"{path.name}{suffix}")
        if old.exists():
            old.rename(copy.with_name(f"{copy.name}{suffix}"))


def _free_name(path: Path) -> Path:
    """Where the damaged file is kept: the first name that is not taken."""
    number, copy = 2, path.with_name(f"{path.name}.damaged")
    while copy.exists():
        number, copy = number + 1, path.with_name(f"{path.name}.damaged-{number}")
    return copy
