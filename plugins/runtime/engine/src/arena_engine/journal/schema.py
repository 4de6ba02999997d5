"""The tables of a journal, the header that names its run, and the checksums by which a changed row is noticed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self
from zlib import crc32

import attrs
from arena.record import JSON

from arena_engine.journal.packing import PLAIN

SCHEMA: Final = 3
"""The number of the file's layout, which stands in the file; a file with another number is not read."""

_PACKED: Final = ("plans", "summaries", "records", "events", "request", "value")


@attrs.frozen
class JournalTable:
    """A table whose rows carry a checksum of all their columns.

    ``columns`` are definitions in SQL, the ``keys`` first of which are the primary key; the checksum comes behind them.
    Where one is called ``packing``, it says how those of the places ``packed`` are stored: texts, or bytes.
    """

    name: str
    keys: int
    columns: tuple[str, ...]
    has_rowid: bool = False
    names: tuple[str, ...] = attrs.field(init=False)
    insert: str = attrs.field(init=False)
    add: str = attrs.field(init=False)
    select: str = attrs.field(init=False)
    where_key: str = attrs.field(init=False)
    packed: tuple[int, ...] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        names = tuple(column.split()[0] for column in self.columns)
        has_packing = "packing" in names
        object.__setattr__(self, "packed", tuple(n for n, name in enumerate(names) if has_packing and name in _PACKED))
        marks = ", ".join("?" * (len(names) + 1))
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "insert", f"INSERT OR REPLACE INTO {self.name} VALUES ({marks})")
        object.__setattr__(self, "add", f"INSERT OR IGNORE INTO {self.name} VALUES ({marks})")
        object.__setattr__(self, "select", f"SELECT {', '.join(names)}, checksum FROM {self.name}")
        object.__setattr__(self, "where_key", " AND ".join(f"{name} = ?" for name in names[: self.keys]))

    def stored(self, row: Sequence[Any], of_row: int) -> tuple[Any, ...]:
        """A row with its checksum as SQLite gets it: plain texts may be given as UTF-8, and are stored as texts."""
        if not self.packed or row[self.names.index("packing")] != PLAIN:
            return (*row, of_row)
        texts = (value.decode() if n in self.packed and type(value) is bytes else value for n, value in enumerate(row))
        return (*texts, of_row)

    def named(self, row: Sequence[Any]) -> str:
        """What a row is called in a sentence: its key, and its match or matches if the key does not say them."""
        if "ids" in self.names:
            ids = row[self.names.index("ids")]
            number = len(ids) // 4 if isinstance(ids, bytes) else 0
            return f"the block {_shown(row[0])} of {number:,} {'match' if number == 1 else 'matches'}"
        match = "" if "match" not in self.names[self.keys :] else f" of match {_shown(row[self.names.index('match')])}"
        return f"the row {', '.join(map(_shown, row[: self.keys]))}{match}"

    @property
    def create(self) -> str:
        """The statement that creates the table, exactly as SQLite keeps it."""
        key = ", ".join(self.names[: self.keys])
        rowid = "" if self.has_rowid else " WITHOUT ROWID"
        columns = ", ".join((*self.columns, "checksum INTEGER NOT NULL"))
        return f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({key})){rowid}"


def _shown(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


PLANNED_MATCHES: Final = "planned"
"""The key of what says, in the table ``meta``, how many matches are planned."""

BATCH: Final = "batch:"
"""Before the name of a batch that was sent, in the keys of the table ``meta``."""

META = JournalTable("meta", 1, ("key TEXT", "value TEXT"))
ATTEMPTS = JournalTable("attempts", 1, ("number INTEGER", "provenance TEXT"))
PLANS = JournalTable("plans", 1, ("block INTEGER", "ids BLOB", "packing TEXT", "plans TEXT"), has_rowid=True)
RECORDS = JournalTable(
    "records", 1, ("block INTEGER", "ids BLOB", "packing TEXT", "summaries TEXT", "records TEXT"), has_rowid=True
)
PAIRINGS = JournalTable(
    "pairings",
    5,
    (
        *("game TEXT", "agents TEXT", "ending TEXT", "winner INTEGER", "at_fault TEXT"),
        *("matches INTEGER", "turns INTEGER", "refusals INTEGER", "substitutes INTEGER"),
    ),
)
PROGRESS = JournalTable("progress", 2, ("match TEXT", "step INTEGER", "packing TEXT", "events TEXT"))
ANSWERS = JournalTable(
    "answers",
    2,
    (
        *("match TEXT", "scope TEXT", "kind TEXT", "request_hash TEXT", "packing TEXT", "request TEXT", "value TEXT"),
        *("prompt_tokens INTEGER", "completion_tokens INTEGER", "cost_usd REAL", "counted TEXT"),
    ),
)
RESERVATIONS = JournalTable(
    "reservations",
    3,
    ("match TEXT", "scope TEXT", "try INTEGER", "prompt_tokens INTEGER", "completion_tokens INTEGER", "cost_usd REAL"),
)
JUDGEMENTS = JournalTable("judgements", 2, ("match TEXT", "metric TEXT", "value TEXT"))
SUMS = JournalTable("sums", 1, ("name TEXT", "rows INTEGER", "total INTEGER"))

SUMMED: Final = (*(META, ATTEMPTS, PLANS, RECORDS, PAIRINGS, PROGRESS, ANSWERS, RESERVATIONS, JUDGEMENTS),)
"""The tables whose number of rows and sum of checksums stand in ``SUMS``, in the order in which they are checked."""

TABLES: Final = (*SUMMED, SUMS)
"""All tables of a journal."""


def checksum(run: str, table: JournalTable, values: Sequence[Any]) -> int:
    """The CRC-32 of a row: of the run's id, the table's name and all columns; texts may be given as UTF-8 bytes.

    Numbers must be of the type that SQLite gives back: ``float`` in a column of type ``REAL``. The rows of ``meta``
    name no run, because the header, which says the run's id, is one of them.
    """
    start = table.name if table is META else f"{run}/{table.name}"
    if bytes not in map(type, values):  # as it is written: one text is encoded faster than many
        return crc32("\x1f".join([start, *[v if type(v) is str else f"\x1e{v!r}" for v in values]]).encode())
    texts = [v if type(v) is bytes else (v if type(v) is str else f"\x1e{v!r}").encode() for v in (start, *values)]
    return crc32(b"\x1f".join(texts))


def is_sound(run: str, table: JournalTable, row: Sequence[Any]) -> bool:
    """Whether a row, as ``JournalTable.select`` reads it, is what was written."""
    return row[-1] == checksum(run, table, row[:-1])


_UNPAIRED = "unpaired"


@attrs.frozen(kw_only=True)
class Header:
    """The identity of a run: its composed benchmark, and the environment in which it was created.

    ``benchmark`` is plain data from which the same benchmark can be built again. ``provenance`` lists every plugin
    used; ``created`` is a time in UTC. ``unpaired`` are games and agents by name whose matches have deals of their own
    unless the schedule says otherwise.
    """

    id: str
    name: str
    seed: int
    benchmark: JSON
    created: str
    core: str
    python: str
    platform: str
    provenance: tuple[Mapping[str, JSON], ...]
    unpaired: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, JSON]:
        """Return it as it is written to disk."""
        plain = {key: value for key, value in attrs.asdict(self).items() if key != _UNPAIRED}
        unpaired: dict[str, JSON] = {_UNPAIRED: self.unpaired} if self.unpaired else {}
        return {**plain, **unpaired}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """Read it back; the counterpart of ``to_json``."""
        known: dict[str, Any] = dict(plain)
        known["provenance"] = tuple(plain["provenance"])
        known[_UNPAIRED] = tuple((game, agent) for game, agent in plain.get(_UNPAIRED, ()))
        return cls(**known)
