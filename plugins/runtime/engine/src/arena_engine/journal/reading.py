"""Reads a journal: what its rows say of plans, records, answers and totals, and the turns of a match."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.metric import CallUsage, Measurement
from arena.record import JSON, Ending, Event, MatchHistory, MatchPlan, MatchRecord
from arena.turns import Try, Turn, turns as turns_of

from arena_engine.foundation.json_values import shaped
from arena_engine.journal import database as files
from arena_engine.journal.encoded_match import MatchSummary, PairingTotals
from arena_engine.journal.packing import DICTIONARY
from arena_engine.journal.schema import (
    ANSWERS,
    ATTEMPTS,
    JUDGEMENTS,
    META,
    PAIRINGS,
    PLANS,
    PROGRESS,
    RECORDS,
    RESERVATIONS,
    SUMMARIES,
    SUMS,
)
from arena_engine.journal.stored_json import (
    HEADER,
    KEPT_DICTIONARY,
    MEASUREMENTS,
    METADATA,
    JournalEntry,
    checked_entry,
    ending_from,
    entry_from,
    events_from,
    parsed,
    plan_from,
    record_from,
)
from arena_engine.journal.usage import ModelVersion, UsageTotals, usage_of
from arena_engine.journal.verification import CheckedRows, check_rows
from arena_engine.journal.writer import NOBODY_WON

_TOTALS = (
    "SELECT count(*), total(prompt_tokens), total(completion_tokens), total(cost_usd), count(*) - count(cost_usd), "
    "total(counted = 'estimated') FROM answers WHERE kind = 'completion'"
)

_RESERVED = (
    "SELECT count(*), total(prompt_tokens), total(completion_tokens), total(cost_usd), count(*) - count(cost_usd) "
    "FROM reservations"
)

PART: Final = 5_000
"""How many plans are held at once at least, where all of them are read one after another."""
PARTS: Final = 16
"""In how many parts a very long plan is read."""


class JournalReader(CheckedRows):
    """What can be read from the journal of a run. Get one from ``Journal.open``."""

    def __init__(self, directory: Path, reader: sqlite3.Connection) -> None:
        super().__init__(directory, reader)
        self._repaired: frozenset[str] | None = None

    def check(self) -> None:
        """Check every row and the sums of all tables; ``JournalError`` says what is damaged.

        Whoever reads single rows need not call this: they are checked when they are read. Rows that vanished are found
        here only.
        """
        try:
            found = [*check_rows(self._reader, self._run).problems]
        except sqlite3.Error as error:
            found = [str(error)]
        if found:
            more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
            raise files.DamagedJournal(self.path, f"{found[0]}{more}")

    def plans(self) -> tuple[MatchPlan, ...]:
        """All planned matches, in the order of the plan."""
        return tuple(plan for _, plan in self._numbered())

    def iter_plans(self, *, unfinished: bool = False) -> Iterator[MatchPlan]:
        """The planned matches in the order of the plan, read a part at a time, so that a long plan is never held.

        With ``unfinished`` those without a final ending, which is looked up when a part is read. Records may be written
        meanwhile, and no plans. Each part is found by a walk through all plans, and is so large that it pays: an index
        by place would make every journal larger.
        """
        ending = "(SELECT ending FROM summaries WHERE summaries.match = part.match)" if unfinished else "NULL"
        part = f"{PLANS.select} WHERE place > ? ORDER BY place LIMIT ?"
        query, size, place = f"SELECT {ending}, part.* FROM ({part}) AS part", max(PART, self.planned() // PARTS), -1
        while rows := list(self._select(query, place, size)):
            for known, *row in rows:
                if known is None or not ending_from(known).is_final:
                    yield plan_from(self._checked(PLANS, tuple(row))[3])
            place = rows[-1][3]

    def plan_of(self, id_: str) -> MatchPlan | None:
        """The plan of one match, or ``None`` if it is not planned."""
        return next((plan_from(text) for *_, text in self._rows(PLANS, "match = ?", id_)), None)

    def match_ids(self) -> tuple[str, ...]:
        """The ids of all planned matches, in the order of the plan; of a long run much sooner than its plans."""
        return tuple(id_ for (id_,) in self._select(f"SELECT match FROM {PLANS.name} ORDER BY place"))

    def planned(self) -> int:
        """The number of planned matches."""
        # The sums know it without counting.
        return next((rows for _, rows, _ in self._rows(SUMS, "name = ?", PLANS.name)), 0)

    def endings(self) -> dict[str, Ending]:
        """The endings of the matches that have ended, by match id; failures included."""
        return dict(self._endings())

    def ended(self) -> Counter[Ending]:
        """How many matches ended in each way, failures included: from the totals, without reading every match."""
        found: Counter[Ending] = Counter()
        for totals in self.pairing_totals():
            found[totals.ending] += totals.matches
        return found

    def summaries(self) -> Iterator[MatchSummary]:
        """The summaries of the matches that have ended, by their ids."""
        return (MatchSummary.from_row(row) for row in self._rows(SUMMARIES))

    def summary_rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """The columns of summaries that fit a condition in SQL, which may say an order and a limit too."""
        return self._rows(SUMMARIES, query, *values)

    def summary_values(self, expression: str, query: str, *values: Any) -> Iterator[tuple[str, Any]]:
        """The ids of matches whose summaries fit a condition, as in ``summary_rows``, each with a value in SQL."""
        return self._select(f"SELECT match, {expression} FROM {SUMMARIES.name} WHERE {query}", *values)

    def count_summaries(self, condition: str, *values: Any, at_most: int | None = None) -> int:
        """How many summaries fit a condition in SQL, counted up to ``at_most``."""
        query = f"SELECT 1 FROM {SUMMARIES.name} WHERE {condition} LIMIT ?"
        return next(self._select(f"SELECT count(*) FROM ({query})", *values, -1 if at_most is None else at_most))[0]

    def pairing_totals(self) -> Iterator[PairingTotals]:
        """How many matches of each game and lineup had which ending and winner."""
        for game, agents, ending, winner, matches, turns, refusals, substitutes in self._rows(PAIRINGS):
            if matches:  # none is left where failed matches were played again
                yield PairingTotals(
                    game=game,
                    agents=tuple(json.loads(agents)),
                    ending=Ending(ending),
                    winner=None if winner == NOBODY_WON else winner,
                    matches=matches,
                    turns=turns,
                    refusals=refusals,
                    substitutes=substitutes,
                )

    def records(self) -> Iterator[MatchRecord]:
        """The records of the matches that have ended, failures included, in the order of the plan."""
        for number, plan in self._numbered():
            if self._ending(plan.id) is not None:
                yield self._record(number, plan)

    def record_of(self, id_: str) -> MatchRecord | None:
        """The record of one match, or ``None`` if it has not ended."""
        for match, number, _, text in self._rows(PLANS, "match = ?", id_):
            if self._ending(match) is not None:
                return self._record(number, plan_from(text))
        return None

    def history_of(self, id_: str) -> MatchHistory | None:
        """What happened in one match: its record, or as far as it is known; ``None`` if it is not in the plan.

        A match that is being played, or that a killed run was playing, is known by step where it lasted longer than a
        second.
        """
        plan = self.plan_of(id_)
        if plan is None:
            return None
        step, events = 0, list[Event]()
        for row in self._rows(PROGRESS, "match = ? ORDER BY step", id_):
            _, step, _, text = self._unpacked(PROGRESS, row)
            events += parsed(text, "what is known of a match", lambda raw: events_from(raw, len(plan.agents)))
        # Last, since its steps are taken away once the record is there: who reads meanwhile must not find neither.
        record = self.record_of(id_)
        return MatchHistory(plan=plan, steps=step, events=tuple(events)) if record is None else record

    def mark(self) -> str:
        """A word for all that the journal holds: where two are equal, so are the rows."""
        return ",".join(f"{name}:{rows}:{total}" for name, rows, total in self._rows(SUMS))

    def record_mark(self, match: str) -> int | None:
        """A number for the record of a match that has ended: another one if it was written anew. No text is read."""
        query = f"SELECT checksum FROM {RECORDS.name} WHERE number = (SELECT number FROM {PLANS.name} WHERE match = ?)"
        return next((mark for (mark,) in self._select(query, match)), None)

    def mark_of(self, match: str) -> str:
        """A word for what is known of a match, found much sooner than that: equal as long as nothing is added to it."""
        query = "SELECT count(*), total(checksum) FROM {} WHERE match = ?"
        return ",".join(
            f"{row}" for table in (PROGRESS, SUMMARIES) for row in self._select(query.format(table.name), match)
        )

    def matches_with_progress(self) -> frozenset[str]:
        """The ids of the matches without a record of which some steps are known."""
        return frozenset(id_ for (id_,) in self._select(f"SELECT DISTINCT match FROM {PROGRESS.name}"))

    @property
    def repaired(self) -> frozenset[str]:
        """The matches of which answers were lost when a damaged journal was repaired."""
        if self._repaired is None:
            self._repaired = frozenset(cast("list[str]", self.metadata("repaired") or ()))
        return self._repaired

    def watched(self) -> frozenset[str]:
        """The ids of matches of which the host saw all while somebody outside played in them."""
        return frozenset(cast("list[str]", self.metadata("watched") or ()))

    def answers(self, match: str, within: str = "") -> list[JournalEntry]:
        """All entries of one match, in the order of their scopes; ``within`` one scope, such as a turn's ``0/3``."""
        where, ends = ("", ()) if not within else ("scope > ? AND scope < ? AND ", (f"{within}/", f"{within}0"))
        rows = self._rows(ANSWERS, f"{where}match = ? ORDER BY scope", *ends, match)
        found = [entry_from(self._unpacked(ANSWERS, row)) for row in rows]
        if match in self.repaired:
            found = [attrs.evolve(entry, is_doubtful=True) for entry in found]
        return found

    def recorded(self, match: str) -> dict[str, JournalEntry]:
        """All entries of one match, by scope."""
        return {answer.scope: answer for answer in self.answers(match)}

    def matches_with_answers(self) -> frozenset[str]:
        """The ids of all matches that have at least one entry."""
        return frozenset(id_ for (id_,) in self._select("SELECT DISTINCT match FROM answers"))

    def totals(self) -> UsageTotals:
        """The tokens and the cost of all completions of the run."""
        ((calls, prompt, completion, cost, unpriced, estimated),) = self._select(_TOTALS)
        ((cached,),) = self._select("SELECT count(*) FROM answers WHERE kind = 'cached'")
        ((open_, sent, written, usd, unknown),) = self._select(_RESERVED)
        return UsageTotals(
            calls=calls + open_,
            prompt_tokens=int(prompt + sent),
            completion_tokens=int(completion + written),
            cost_usd=cost + usd,
            unpriced_calls=unpriced + unknown,
            cached_calls=cached,
            estimated_calls=int(estimated) + open_,
        )

    def reserved(self) -> dict[tuple[str, str], int]:
        """How many calls of each match and scope were sent without an answer, as far as it is known."""
        found: dict[tuple[str, str], int] = {}
        for match, scope, number, *_ in self._rows(RESERVATIONS):
            found[match, scope] = max(found.get((match, scope), 0), number + 1)
        return found

    def uses(self, match: str) -> list[CallUsage]:
        """What each completion of one match used, in the order of their scopes."""
        asked = [answer for answer in self.answers(match) if answer.kind in ("completion", "cached")]
        return [parsed("null", "an answer", lambda _, answer=answer: usage_of(answer)) for answer in asked]

    def tokens_by_player(self, match: str) -> dict[int, int]:
        """How many tokens the completions of each player of a match had, prompts included; no text is read."""
        query = (
            f"SELECT CAST(scope AS INTEGER), sum(prompt_tokens + completion_tokens) FROM {ANSWERS.name} "
            "WHERE match = ? AND kind = 'completion' AND scope GLOB '[0-9]*' GROUP BY 1"
        )
        return dict(self._select(query, match))

    def model_versions(self) -> tuple[ModelVersion, ...]:
        """The models that answered. Two entries for one backend mean that its model changed during the run."""
        for number, made in self.dictionaries().items():
            self._unpacker.learn(number, made["text"])  # none can be read while the query is
        unpack = lru_cache(4)(self._unpacker.unpack)  # each text is asked for twice
        self._reader.create_function("unpacked", 2, unpack, deterministic=True)
        query = (
            "SELECT iif(json_valid(unpacked(packing, request)), json_extract(unpacked(packing, request), '$.backend'), "
            "'') AS backend, CAST(coalesce(json_extract(unpacked(packing, value), '$.model'), '') AS TEXT) AS model, "
            "json_extract(unpacked(packing, value), '$.fingerprint') AS fingerprint, count(*) AS calls "
            "FROM answers WHERE kind IN ('completion', 'cached') GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2, 3"
        )
        names = [field.name for field in attrs.fields(ModelVersion)]
        return tuple(ModelVersion(**dict(zip(names, row, strict=True))) for row in self._select(query))

    def attempts(self) -> list[list[Mapping[str, JSON]]]:
        """The plugins used by each start of this run, the first one first."""
        rows = self._rows(ATTEMPTS, "TRUE ORDER BY number")
        return [parsed(text, "an attempt", shaped(HEADER["provenance"], "attempt")) for _, text in rows]

    def metadata(self, key: str) -> JSON:
        """The value stored by ``set_metadata`` under ``key``, or ``None``."""
        shape = shaped(METADATA.get(key, object), key)
        rows = self._rows(META, "key = ?", key)
        return next((parsed(text, f"what is kept as {key!r}", shape) for _, text in rows), None)

    def dictionaries(self) -> dict[int, Mapping[str, str]]:
        """The dictionaries by which texts are packed, by number: each with its ``text`` and what it is ``of``."""
        rows = self._rows(META, "key GLOB ?", f"{DICTIONARY}*")
        numbered = ((key.removeprefix(DICTIONARY), text) for key, text in rows)
        made = shaped(KEPT_DICTIONARY, "dictionary")
        return {int(number): parsed(text, "a dictionary", made) for number, text in numbered if number.isdecimal()}

    def judgements(self, metric: str) -> dict[str, list[Measurement]]:
        """The measurements of a metric's judge, by match id."""
        rows = self._rows(JUDGEMENTS, "metric = ?", metric)
        made = shaped(MEASUREMENTS, "judgement", lambda raw: [Measurement(**each) for each in raw])
        return {match: parsed(value, "a judgement", made) for match, _, value in rows}

    def _endings(self, where: str = "TRUE", *values: Any) -> Iterator[tuple[str, Ending]]:
        return ((row[0], ending_from(row[4])) for row in self._rows(SUMMARIES, where, *values))

    def _ending(self, match: str) -> Ending | None:
        return next((ending for _, ending in self._endings("match = ?", match)), None)

    def _numbered(self) -> Iterator[tuple[int, MatchPlan]]:
        """The plans in their order, each with the number of its record."""
        return ((number, plan_from(text)) for _, number, _, text in self._rows(PLANS, "TRUE ORDER BY place"))

    def _record(self, number: int, plan: MatchPlan) -> MatchRecord:
        for row in self._rows(RECORDS, "number = ?", number):
            _, match, _, _, text = self._unpacked(RECORDS, row)
            if match == plan.id:
                return parsed(text, "a record", partial(_with_plan, plan))
        raise files.DamagedJournal(self.path, f"records: the record of match {plan.id!r} is missing")


def _with_plan(plan: MatchPlan, raw: Any) -> MatchRecord:
    return record_from({**raw, "plan": {**plan.to_json(), "agents": [*plan.agents]}})


@attrs.frozen(kw_only=True)
class TranscriptTry(Try):
    """One answer of an agent, and the journal's entries that led to it: completions and other input from outside."""

    answers: tuple[JournalEntry, ...] = ()


@attrs.frozen(kw_only=True)
class TranscriptTurn(Turn):
    """One player's turn, each try with its journal entries."""

    tries: tuple[TranscriptTry, ...]


def transcript(record: MatchHistory, answers: Iterable[JournalEntry] = ()) -> tuple[TranscriptTurn, ...]:
    """The turns of a match with the journal's entries of that match, each beside the try it belongs to."""
    by_try: dict[str, list[JournalEntry]] = {}
    for answer in map(checked_entry, answers):
        by_try.setdefault("/".join(answer.scope.split("/")[:3]), []).append(answer)

    def of_try(turn: Turn, tried: Try) -> TranscriptTry:
        scope = f"{turn.player}/{turn.turn}/{tried.data['try']}"
        return TranscriptTry(event=tried.event, answers=tuple(by_try.get(scope, ())))

    return tuple(
        TranscriptTurn(
            number=turn.number,
            step=turn.step,
            player=turn.player,
            turn=turn.turn,
            tries=tuple(of_try(turn, tried) for tried in turn.tries),
            queries=turn.queries,
        )
        for turn in turns_of(record)
    )
