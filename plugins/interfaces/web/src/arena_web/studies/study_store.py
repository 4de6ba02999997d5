"""What participants of a study have given, in one file for its user alone: no name, no address, no browser."""

import json
import os
import secrets
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError, ConfigError
from arena_engine import structure

from arena_web.studies.study_file import PARTS, Part, Study

FILE: Final = "study.sqlite"

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The letters of codes: those that are not taken for others."""

_LENGTH: Final = 8

_WAIT_S: Final = 20.0
"""Seconds to wait for another process that writes."""

_TABLES: Final = """
CREATE TABLE study (document TEXT NOT NULL, made INTEGER NOT NULL);
CREATE TABLE participants (code TEXT PRIMARY KEY, place INTEGER NOT NULL, consent TEXT, agreed TEXT) WITHOUT ROWID;
CREATE TABLE answers (code TEXT, part TEXT, answers TEXT NOT NULL, PRIMARY KEY (code, part)) WITHOUT ROWID;
"""


class GivenBefore(ArenaError):
    """Raised where a code gives other answers than it has given."""


@attrs.frozen(kw_only=True)
class Participant:
    """One participant: the code, the place in the plan, what was agreed to and on which day, and the answers by part.

    ``consent`` is the digest of the text, ``agreed`` a date as YYYY-MM-DD; ``None`` before.
    """

    code: str
    place: int
    consent: str | None = None
    agreed: str | None = None
    answers: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict[str, Mapping[str, Any]])


@attrs.frozen
class StudyStore:
    """The answers of a study; each call opens and closes the file, so that several processes may use it."""

    file: Path

    @classmethod
    def of(cls, directory: Path) -> "StudyStore":
        """The answers in the directory of a study; ``ConfigError`` where there are none."""
        if not (directory / FILE).is_file():
            raise ConfigError(f"{directory}: no study is here; expected a directory that `arena study` made")
        store = cls(directory / FILE)
        with store._open(writes=False) as database:
            if database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                raise ConfigError(
                    f"{directory}: this study was cut off while it was begun; begin it again with arena study"
                )
        return store

    @classmethod
    def begin(cls, directory: Path, study: Study) -> "StudyStore":
        """The answers of a study, begun where there are none, with a code for each participant.

        ``ConfigError`` where those of another study lie there; more participants may be added to one.
        """
        store = cls(directory / FILE)
        os.close(os.open(store.file, os.O_WRONLY | os.O_CREAT, 0o600))
        with store._open() as database:
            if database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                for statement in _TABLES.strip().split("\n"):
                    database.execute(statement)
                database.execute("INSERT INTO study VALUES (?, 0)", (study.document,))
            document, made = database.execute("SELECT document, made FROM study").fetchone()
            if changed := _changed(json.loads(document), json.loads(study.document)):
                raise ConfigError(
                    f"{directory}: this study was begun with other {' and '.join(changed)}; put that back, or take "
                    "another -o"
                )
            for place in range(made, study.participants):
                database.execute("INSERT INTO participants (code, place) VALUES (?, ?)", (_new_code(), place))
            database.execute("UPDATE study SET made = ?", (max(made, study.participants),))
        return store

    def study(self, catalog: Catalog) -> Study:
        """The study as it was begun, with as many participants as codes were made."""
        with self._open(writes=False) as database:
            document, made = database.execute("SELECT document, made FROM study").fetchone()
        return structure({**json.loads(document), "participants": made}, Study, catalog)

    def participants(self) -> list[Participant]:
        """All participants, in the order of their codes, which says nothing of that of their links."""
        with self._open(writes=False) as database:
            codes = [code for (code,) in database.execute("SELECT code FROM participants ORDER BY code")]
            return [_read(database, code) for code in codes]

    def get(self, code: str) -> Participant:
        """One participant; ``ConfigError`` where there is none with this code."""
        with self._open(writes=False) as database:
            return _read(database, code)

    def agree(self, code: str, consent: str, day: str) -> None:
        """Keep that a participant has agreed to the text with a digest; what was agreed before stays."""
        with self._open() as database:
            database.execute(
                "UPDATE participants SET consent = ?, agreed = ? WHERE code = ? AND consent IS NULL",
                (consent, day, code),
            )

    def answer(self, code: str, part: Part, answers: Mapping[str, Any]) -> None:
        """Keep a participant's answers; equal ones may come again, ``GivenBefore`` where others were given."""
        text = json.dumps(answers, sort_keys=True)
        with self._open() as database:
            found = _read(database, code)
            if part not in found.answers:
                database.execute("INSERT INTO answers VALUES (?, ?, ?)", (code, part, text))
            elif found.answers[part] != answers:
                raise GivenBefore(f"{code} has answered these questions before; the first answers are kept")

    def forget(self, code: str) -> None:
        """Remove a participant and all answers, also from parts of the file that are not in use."""
        with self._open() as database:
            _read(database, code)
            for table in ("answers", "participants"):
                database.execute(f"DELETE FROM {table} WHERE code = ?", (code,))
        with self._connection() as database:
            database.execute("VACUUM")

    @contextmanager
    def _open(self, *, writes: bool = True) -> Generator[sqlite3.Connection]:
        """The file for one change, all or nothing of it, or to read it as it was at one moment."""
        with self._connection() as database, database:
            database.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            yield database

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.file, timeout=_WAIT_S, isolation_level=None)) as database:
                database.execute("PRAGMA secure_delete = ON")
                yield database
        except sqlite3.Error as error:
            raise ArenaError(f"{self.file}: cannot be used ({error})") from error


def digest_of(text: str) -> str:
    """The digest of a text of consent."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _new_code() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def _read(database: sqlite3.Connection, code: str) -> Participant:
    row = database.execute("SELECT code, place, consent, agreed FROM participants WHERE code = ?", (code,)).fetchone()
    if row is None:
        raise ConfigError(f"there is no participant {code[:40]!r} in this study")
    given = dict(database.execute("SELECT part, answers FROM answers WHERE code = ?", (code,)))
    answers = {part: json.loads(given[part]) for part in PARTS if part in given}
    return Participant(code=row[0], place=row[1], consent=row[2], agreed=row[3], answers=answers)


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [key.replace("_", "-") for key in new if old.get(key) != new[key]]
