"""The journal: everything a run has computed or paid for, in one SQLite file.

One process writes, many may read (WAL). Answers from outside are durable before an agent sees them; they are committed
in groups. Finished matches are written with the next group, or after 100 ms at the latest. A journal never holds a
secret: the values of all secrets in use are removed from every text before it is written.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import attrs
from arena.errors import JournalError
from arena.metric import CallUsage, Measurement
from arena.record import JSON, Ending, MatchPlan, MatchRecord, encoder

from arena_engine.journal import database as files
from arena_engine.journal.entries import JournalEntry
from arena_engine.journal.stored import HEADER, MEASUREMENTS, METADATA, PLAN, entry_from, parsed, record_from, shaped
from arena_engine.journal.usage import ModelVersion, UsageTotals, usage_of
from arena_engine.journal.writer import Statement, Writer

_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_RECORD = "UPDATE matches SET ending = ?, record = ? WHERE id = ?"
_PLAN = "INSERT INTO matches VALUES (?, ?, ?, NULL, NULL)"
_JUDGEMENT = "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?)"

_encode = encoder()
_RULE = "answer-rule"


@attrs.frozen(kw_only=True)
class Header:
    """The identity of a run: its composed benchmark, and the environment in which it was created.

    ``benchmark`` is plain data from which the same benchmark can be built again. ``provenance`` lists every plugin
    used; ``created`` is a time in UTC. ``answer_rule`` is the rule by which answers are read, 1 in a run that does not
    say.
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
    answer_rule: int = 1

    def to_json(self) -> dict[str, JSON]:
        """Return it as it is written to disk."""
        plain = attrs.asdict(self)
        return {**{key: plain[key] for key in plain if key != "answer_rule"}, _RULE: self.answer_rule}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """Read it back; the counterpart of ``to_json``."""
        known: dict[str, Any] = {key: value for key, value in plain.items() if key != _RULE}
        known["provenance"] = tuple(plain["provenance"])
        return cls(**known, answer_rule=plain.get(_RULE, 1))


class Journal:
    """The journal of one run. Get one from ``create`` or ``open``, and ``close`` it, or use it as a context.

    ``open`` without ``write`` changes nothing on disk. Only one process at a time can have it open for writing.
    """

    def __init__(self, directory: Path, reader: sqlite3.Connection, held: sqlite3.Connection | None = None) -> None:
        self.directory = directory
        self._reader = reader
        self._lock = held
        self._writer = Writer(directory, files.open_existing(directory / files.FILE, write=True)) if held else None
        self._secrets: tuple[str, ...] = ()
        self._plans: tuple[MatchPlan, ...] | None = None
        self.header = self._read_header()

    @classmethod
    def create(cls, directory: Path, header: Header, plans: Sequence[MatchPlan]) -> Self:
        """Create a journal in ``directory``, which is created too if needed and must not hold one yet."""
        path = directory / files.FILE
        if path.exists():
            raise JournalError(f"{path}: there is a run here already; resume it or choose another --output")
        try:
            directory.mkdir(parents=True, exist_ok=True)
            held = files.lock(directory)
            made = files.make_new(directory)
            with files.Transaction(made):
                made.execute("INSERT INTO meta VALUES ('header', ?)", (_encode(header.to_json()),))
                made.executemany(_PLAN, _plan_rows(plans))
            made.close()
        except (OSError, sqlite3.Error) as error:
            raise JournalError(
                f"{directory}: a run cannot be written here ({error}); choose another --output"
            ) from error
        journal = cls(directory, files.open_existing(path, write=False), held)
        journal.begin_attempt(header.provenance)
        journal._plans = tuple(plans)
        return journal

    @classmethod
    def open(cls, directory: Path, *, write: bool = False) -> Self:
        """Open the journal in ``directory``, which may also be the path of the journal's file."""
        if directory.is_file():
            directory = directory.parent
        path = directory / files.FILE
        if not path.is_file():
            raise JournalError(f"{path}: no such journal; expected the directory of a run")
        reader = files.open_existing(path, write=False)
        return cls(directory, reader, files.lock(directory) if write else None)

    def close(self) -> None:
        """Close the file and release the lock. Call ``flush`` first if something was written."""
        self._reader.close()
        if self._writer:
            self._writer.close()
        if self._lock:
            files.unlock(self.directory, self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def plans(self) -> tuple[MatchPlan, ...]:
        """All planned matches, in the order of the plan."""
        if self._plans is not None:
            return self._plans
        rows = self._select("SELECT plan FROM matches ORDER BY place")
        return tuple(parsed(text, "a plan", shaped(PLAN, "plan", MatchPlan.from_json)) for (text,) in rows)

    def planned(self) -> int:
        """The number of planned matches."""
        return next(self._select("SELECT count(*) FROM matches"))[0]

    def endings(self) -> dict[str, Ending]:
        """The endings of the matches that have ended, by match id; failures included."""
        rows = self._select("SELECT id, ending FROM matches WHERE ending IS NOT NULL")
        return {id_: parsed(f'"{ending}"', "an ending", Ending) for id_, ending in rows}

    def records(self) -> Iterator[MatchRecord]:
        """The records of the matches that have ended, failures included, in the order of the plan."""
        for (text,) in self._select("SELECT record FROM matches WHERE record IS NOT NULL ORDER BY place"):
            yield parsed(text, "a record", record_from)

    def record_of(self, id_: str) -> MatchRecord | None:
        """The record of one match, or ``None`` if it has not ended."""
        for (text,) in self._select("SELECT record FROM matches WHERE id = ? AND record IS NOT NULL", id_):
            return parsed(text, "a record", record_from)
        return None

    def answers(self, match: str) -> list[JournalEntry]:
        """All entries of one match, in the order of their scopes."""
        rows = self._select("SELECT * FROM answers WHERE match = ? ORDER BY scope", match)
        return [entry_from(row) for row in rows]

    def recorded(self, match: str) -> dict[str, JournalEntry]:
        """All entries of one match, by scope."""
        return {answer.scope: answer for answer in self.answers(match)}

    def matches_with_answers(self) -> frozenset[str]:
        """The ids of all matches that have at least one entry."""
        return frozenset(id_ for (id_,) in self._select("SELECT DISTINCT match FROM answers"))

    def totals(self) -> UsageTotals:
        """The tokens and the cost of all completions of the run."""
        query = (
            "SELECT count(*), total(prompt_tokens), total(completion_tokens), total(cost_usd), "
            "count(*) - count(cost_usd) FROM answers WHERE kind = 'completion'"
        )
        ((calls, prompt, completion, cost, unpriced),) = self._select(query)
        ((cached,),) = self._select("SELECT count(*) FROM answers WHERE kind = 'cached'")
        return UsageTotals(
            calls=calls,
            prompt_tokens=int(prompt),
            completion_tokens=int(completion),
            cost_usd=cost,
            unpriced_calls=unpriced,
            cached_calls=cached,
        )

    def uses(self, match: str) -> list[CallUsage]:
        """What each completion of one match used, in the order of their scopes."""
        query = (
            "SELECT scope, kind, json_extract(value, '$.usage'), cost_usd FROM answers "
            "WHERE match = ? AND kind IN ('completion', 'cached') ORDER BY scope"
        )
        return [parsed("null", "an answer", lambda _, row=row: usage_of(*row)) for row in self._select(query, match)]

    def model_versions(self) -> tuple[ModelVersion, ...]:
        """The models that answered. Two entries for one backend mean that its model changed during the run."""
        query = (
            "SELECT iif(json_valid(request), json_extract(request, '$.backend'), '') AS backend, "
            "CAST(coalesce(json_extract(value, '$.model'), '') AS TEXT) AS model, "
            "json_extract(value, '$.fingerprint') AS fingerprint, count(*) AS calls "
            "FROM answers WHERE kind IN ('completion', 'cached') GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2, 3"
        )
        names = [field.name for field in attrs.fields(ModelVersion)]
        return tuple(ModelVersion(**dict(zip(names, row, strict=True))) for row in self._select(query))

    def attempts(self) -> list[list[Mapping[str, JSON]]]:
        """The plugins used by each start of this run, the first one first."""
        rows = self._select("SELECT provenance FROM attempts ORDER BY number")
        return [parsed(text, "an attempt", shaped(HEADER["provenance"], "attempt")) for (text,) in rows]

    def metadata(self, key: str) -> JSON:
        """The value stored by ``set_metadata`` under ``key``, or ``None``."""
        rows = self._select("SELECT value FROM meta WHERE key = ?", key)
        shape = shaped(METADATA.get(key, object), key)
        return next((parsed(text, f"what is kept as {key!r}", shape) for (text,) in rows), None)

    def judgements(self, metric: str) -> dict[str, list[Measurement]]:
        """The measurements of a metric's judge, by match id."""
        rows = self._select("SELECT match, value FROM judgements WHERE metric = ?", metric)
        made = shaped(MEASUREMENTS, "judgement", lambda raw: [Measurement(**each) for each in raw])
        return {match: parsed(value, "a judgement", made) for match, value in rows}

    def redact(self, secrets: Iterable[str]) -> None:
        """Replace these values by ``[secret]`` in every text that is written from here on."""
        # A secret inside a JSON text may be escaped, so its escaped form is looked for as well.
        self._secrets = tuple(form for s in secrets if s for form in {s, _encode(s)[1:-1]})

    def set_metadata(self, key: str, value: JSON) -> None:
        """Store a small value about the whole run under ``key``, replacing an earlier one."""
        row = (key, self._clean(_encode(value)))
        self._write.at_once([("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)])

    def begin_attempt(self, provenance: Iterable[Mapping[str, JSON]]) -> None:
        """Record that the run is started or resumed, with the plugins it uses this time."""
        self._write.at_once([("INSERT INTO attempts (provenance) VALUES (?)", (_encode(list(provenance)),))])

    def extend(self, header: Header, plans: Sequence[MatchPlan]) -> None:
        """Replace the header and add plans; old plans that are not in ``plans`` stay, ordered after all others."""
        rows: list[Statement] = [("UPDATE matches SET place = place + ?", (len(plans),))]
        rows += [(_PLAN + " ON CONFLICT (id) DO UPDATE SET place = excluded.place", row) for row in _plan_rows(plans)]
        rows += [("UPDATE meta SET value = ? WHERE key = 'header'", (_encode(header.to_json()),))]
        self._write.at_once(rows)
        self._plans = None
        self.header = header

    async def record(self, answer: JournalEntry) -> None:
        """Write an entry; it is on disk when this returns. Raises ``JournalFull``."""
        row = tuple(self._clean(v) if isinstance(v, str) else v for v in attrs.astuple(answer))
        await self._write.now((_ANSWER, row))

    def finish(self, record: MatchRecord) -> None:
        """Write the record of a match within 100 ms. Raises ``JournalFull`` if an earlier write failed."""
        self._write.soon((_RECORD, (str(record.ending), self._clean(_encode(record.to_json())), record.id)))

    def save_judgement(self, match: str, metric: str, measurements: Iterable[Measurement]) -> None:
        """Write the measurements of a metric's judge within 100 ms."""
        value = _encode([m._asdict() for m in measurements])
        self._write.soon((_JUDGEMENT, (match, metric, self._clean(value))))

    async def flush(self) -> None:
        """Wait until everything written so far is on disk. Raises ``JournalFull``."""
        await self._write.flush()

    @property
    def _write(self) -> Writer:
        if self._writer is None:
            raise JournalError(f"{self.directory / files.FILE}: opened for reading only")
        return self._writer

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, "[secret]")
        return text

    def _select(self, query: str, *values: str) -> Iterator[Any]:
        try:
            # "yield from" would close the cursor of a reader that stops half way, when the journal may be closed.
            for row in self._reader.execute(query, values):  # noqa: UP028
                yield row
        except (sqlite3.Error, ValueError) as error:
            raise JournalError(f"{self.directory / files.FILE}: damaged ({error}); restore it from a copy") from error

    def _read_header(self) -> Header:
        for (text,) in self._select("SELECT value FROM meta WHERE key = 'header'"):
            return parsed(
                text, f"{self.directory / files.FILE}: the header", shaped(HEADER, "header", Header.from_json)
            )
        raise JournalError(f"{self.directory / files.FILE}: damaged (no header); restore it from a copy")


def _plan_rows(plans: Sequence[MatchPlan]) -> Iterator[tuple[str, int, str]]:
    return ((plan.id, place, _encode(plan.to_json())) for place, plan in enumerate(plans))
