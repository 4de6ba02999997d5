"""Reads journals of schema 1 through views that look like schema 2, and migrates them to it."""

import json
import sqlite3
from collections.abc import Iterator

from arena.record import MatchRecord

from arena_engine.journal.packing import PLAIN
from arena_engine.journal.record_text import record_bytes
from arena_engine.journal.rows import Rows
from arena_engine.journal.schema import ANSWERS, ATTEMPTS, JUDGEMENTS, META, PLANS, SCHEMA, TABLES
from arena_engine.journal.summaries import summary_row

_OLD_TABLES = ("meta", "attempts", "matches", "answers", "judgements")

_OLD = {
    "meta": "SELECT key, value, NULL AS checksum FROM {0}meta",
    "attempts": "SELECT number, provenance, NULL AS checksum FROM {0}attempts",
    "plans": "SELECT id AS match, rowid AS number, place, plan, NULL AS checksum FROM {0}matches",
    "records": (
        "SELECT rowid AS number, id AS match, ending, 'plain' AS packing, record, NULL AS checksum "
        "FROM {0}matches WHERE record IS NOT NULL"
    ),
    "answers": (
        "SELECT match, scope, kind, request_hash, 'plain' AS packing, request, value, prompt_tokens, "
        "completion_tokens, cost_usd, iif(kind IN ('completion', 'cached'), "
        "iif(prompt_tokens > 0, 'provider', 'unknown'), '') AS counted, NULL AS checksum FROM {0}answers"
    ),
    "judgements": "SELECT match, metric, value, NULL AS checksum FROM {0}judgements",
    "reservations": (
        "SELECT '' AS match, '' AS scope, 0 AS try, 0 AS prompt_tokens, 0 AS completion_tokens, 0.0 AS cost_usd, "
        "NULL AS checksum WHERE 0"
    ),
    "sums": "SELECT '' AS name, 0 AS rows, 0 AS total, 0 AS checksum WHERE 0",
}


def read_as_schema_2(database: sqlite3.Connection) -> None:
    """Give an open journal of schema 1 the tables of schema 2, as views of this connection with empty checksums."""
    database.execute("PRAGMA temp_store = MEMORY")  # nothing is written beside a run that is only read
    for name, query in _OLD.items():
        database.execute(f"CREATE TEMP VIEW {name} AS {query.format('main.')}")


def migrate_tables(database: sqlite3.Connection) -> None:
    """Turn an open journal of schema 1 into one of schema 2; the caller holds the transaction and commits it."""
    ((header,),) = database.execute("SELECT value FROM meta WHERE key = 'header'")
    for name in _OLD_TABLES:
        database.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    database.execute("DROP INDEX IF EXISTS matches_by_place")
    for table in TABLES:
        database.execute(table.create)
    rows = Rows(database, json.loads(header)["id"])
    for table in (META, ATTEMPTS, PLANS, ANSWERS, JUDGEMENTS):
        old = database.execute(_OLD[table.name].format("old_"))
        rows.put_new(table, (row[:-1] for row in old))
    for match, text in _records(database):
        record = MatchRecord.from_json(json.loads(text))
        summary = summary_row(record)
        rows.put_record(match, str(record.ending), PLAIN, record_bytes(record), summary)
    rows.store()
    for name in _OLD_TABLES:
        database.execute(f"DROP TABLE old_{name}")
    database.execute(f"PRAGMA user_version = {SCHEMA}")


def _records(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    yield from database.execute("SELECT id, record FROM old_matches WHERE record IS NOT NULL ORDER BY place")
