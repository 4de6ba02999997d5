"""Reads a journal: what its rows say of plans, records, answers and totals, and the turns of a match."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.metric import CallUsage, Measurement
from arena.record import JSON, Ending, Event, MatchHistory, MatchPlan, MatchRecord
from arena.turns import Try, Turn, turns as turns_of

from arena_engine.foundation.json_values import shaped
from arena_engine.journal import database as files
from arena_engine.journal.blocks import BlockPlaces, EndedBlock, ids_of, mark, plan_in, plans_of, summaries_of
from arena_engine.journal.encoded_match import MatchSummary, PairingTotals
from arena_engine.journal.packing import DICTIONARY
from arena_engine.journal.schema import (
    ANSWERS,
    ATTEMPTS,
    BATCH,
    JUDGEMENTS,
    META,
    PAIRINGS,
    PLANNED_MATCHES,
    PLANS,
    PROGRESS,
    RECORDS,
    RESERVATIONS,
    SUMS,
)
from arena_engine.journal.sent_batches import SentBatch
from arena_engine.journal.stored_json import (
    HEADER,
    KEPT_DICTIONARY,
    MEASUREMENTS,
    METADATA,
    SENT_BATCH,
    JournalEntry,
    Reservation,
    checked_entry,
    ending_from,
    entry_from,
    events_from,
    parsed,
    record_of,
)
from arena_engine.journal.usage import ModelVersion, UsageTotals, usage_of
from arena_engine.journal.verification import CheckedRows, check_rows
from arena_engine.journal.writer import NOBODY_WON

_TOTALS = (
    "SELECT count(*), total(prompt_tokens), total(completion_tokens), total(cost_usd), count(*) - count(cost_usd), "
    "total(counted = 'estimated'), total(counted = 'larger') FROM answers WHERE kind = 'completion'"
)

_MODEL_VERSION: Final = tuple(field.name for field in attrs.fields(ModelVersion))

_RESERVED = (
    "SELECT count(*), total(prompt_tokens), total(completion_tokens), total(cost_usd), count(*) - count(cost_usd) "
    "FROM reservations"
)

_UNPACKED: Final = 16  # blocks that are held where matches are read in the order of the plan


class JournalReader(CheckedRows):
    """What can be read from the journal of a run. Get one from ``Journal.open``."""

    def __init__(self, directory: Path, reader: sqlite3.Connection) -> None:
        super().__init__(directory, reader)
        self._repaired: frozenset[str] | None = None
        self._marks: tuple[int, BlockPlaces, dict[int, int]] | None = None

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
        return tuple(self.iter_plans())

    def iter_plans(self, *, unfinished: bool = False) -> Iterator[MatchPlan]:
        """The planned matches in the order of the plan, read a block at a time, so that a long plan is never held.

        With ``unfinished`` those that have no final ending when the first is asked for. Records may be written
        meanwhile, and no plans.
        """
        places = self._places()[0] if unfinished and self.ended() else None
        summaries_in = lru_cache(_UNPACKED)(self._summaries_in)
        last = -1
        while rows := [*self._rows(PLANS, "block > ? ORDER BY block LIMIT 1", last)]:
            plans = self._plans_in(rows[0])
            over = _over(plans, places, summaries_in) if places else frozenset[str]()
            yield from (plan for plan in plans if plan.id not in over)
            last = rows[0][0]

    def plan_of(self, id_: str) -> MatchPlan | None:
        """The plan of one match, or ``None`` if it is not planned."""
        rows = self._rows(PLANS, "instr(ids, ?)", mark(id_))
        return next(filter(None, (plan_in(self._unpacked(PLANS, row)[3], id_) for row in rows)), None)

    def match_ids(self) -> tuple[str, ...]:
        """The ids of all planned matches, in the order of the plan."""
        rows = self._rows(PLANS, "TRUE ORDER BY block")
        return tuple(id_ for row in rows for id_ in ids_of(self._unpacked(PLANS, row)[3]))

    def planned(self) -> int:
        """The number of planned matches."""
        return cast("int", self.metadata(PLANNED_MATCHES))

    def endings(self) -> dict[str, Ending]:
        """The endings of the matches that have ended, by match id; failures included."""
        return dict(sorted((row[0], ending_from(row[4])) for row in self.summary_rows()))

    def ended(self) -> Counter[Ending]:
        """How many matches ended in each way, failures included: from the totals, without reading every match."""
        found: Counter[Ending] = Counter()
        for totals in self.pairing_totals():
            found[totals.ending] += totals.matches
        return found

    def summaries(self) -> Iterator[MatchSummary]:
        """The summaries of the matches that have ended, in the order in which they were written."""
        return map(MatchSummary.from_row, self.summary_rows())

    def summary_of(self, id_: str) -> MatchSummary | None:
        """The summary of one match, or ``None`` if it has not ended."""
        rows = self._rows(RECORDS, "instr(ids, ?)", mark(id_))
        found = (summary for row in rows for summary in self._summaries_of(row) if summary[0] == id_)
        return next(map(MatchSummary.from_row, found), None)

    def summary_rows(self, after: int = 0) -> Iterator[tuple[Any, ...]]:
        """The columns of summaries, as the fields of ``MatchSummary`` are ordered, of all blocks ``after`` one."""
        return (row for _, rows in self.summary_blocks(after) for row in rows)

    def summary_blocks(self, after: int = 0) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
        """The numbers of the blocks of matches that have ended ``after`` one, with their summaries as columns."""
        for row in self._rows(RECORDS, "block > ? ORDER BY block", after):
            yield row[0], self._summaries_of(row)

    def ended_blocks(self) -> Iterator[EndedBlock]:
        """The blocks of matches that have ended, in the order in which they were written."""
        return map(self._ended_block, self._rows(RECORDS, "TRUE ORDER BY block"))

    def block_mark(self, block: int) -> int | None:
        """A number for what a block of matches holds; ``None`` if there is no such block."""
        query = f"SELECT checksum FROM {RECORDS.name} WHERE block = ?"
        return next((checksum for (checksum,) in self._select(query, block)), None)

    def pairing_totals(self) -> Iterator[PairingTotals]:
        """How many matches of each game and lineup had which ending, winner and players at fault."""
        for game, agents, ending, winner, at_fault, matches, turns, refusals, substitutes in self._rows(PAIRINGS):
            if matches:  # none is left where failed matches were played again
                yield PairingTotals(
                    game=game,
                    agents=tuple(json.loads(agents)),
                    ending=Ending(ending),
                    winner=None if winner == NOBODY_WON else winner,
                    at_fault=tuple(json.loads(at_fault)),
                    matches=matches,
                    turns=turns,
                    refusals=refusals,
                    substitutes=substitutes,
                )

    def records(self) -> Iterator[MatchRecord]:
        """The records of the matches that have ended, failures included, in the order of the plan."""
        places, _ = self._places()
        texts_in = lru_cache(_UNPACKED)(self._texts_in)
        for plan in self.iter_plans():
            found = places.of(plan.id)
            text = next((texts[plan.id] for texts in map(texts_in, found) if plan.id in texts), None)
            if text is not None:
                yield record_of(plan, text)
            elif found and (record := self.record_of(plan.id)):  # written anew meanwhile, in another block
                yield record

    def record_of(self, id_: str) -> MatchRecord | None:
        """The record of one match, or ``None`` if it has not ended."""
        for row in self._rows(RECORDS, "instr(ids, ?)", mark(id_)):
            block = self._ended_block(row)
            if id_ in block.summaries:
                plan = self.plan_of(id_)
                return plan and record_of(plan, block.by_match()[id_])
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
        places, checksums = self._places()
        found = places.of(match)
        return sum(checksums[block] for block in found) if found else None

    def mark_of(self, match: str) -> str:
        """A word for what is known of a match, found much sooner than that: equal as long as nothing is added to it."""
        steps = self._select(f"SELECT count(*), total(checksum) FROM {PROGRESS.name} WHERE match = ?", match)
        record = f"SELECT count(*), total(checksum) FROM {RECORDS.name} WHERE instr(ids, ?)"
        return ",".join(f"{row}" for rows in (steps, self._select(record, mark(match))) for row in rows)

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
        ((calls, prompt, completion, cost, unpriced, estimated, larger),) = self._select(_TOTALS)
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
            larger_calls=int(larger),
        )

    def reserved(self) -> dict[tuple[str, str], int]:
        """How many calls of each match and scope were sent without an answer, as far as it is known."""
        found: dict[tuple[str, str], int] = {}
        for match, scope, number, *_ in self._rows(RESERVATIONS):
            found[match, scope] = max(found.get((match, scope), 0), number + 1)
        return found

    def reservation(self, match: str, scope: str) -> Reservation | None:
        """What the last call of a scope may have used, if it was sent and is not answered."""
        rows = self._rows(RESERVATIONS, "match = ? AND scope = ? ORDER BY try DESC LIMIT 1", match, scope)
        return next((Reservation(*row) for row in rows), None)

    def sent_batches(self) -> list[SentBatch]:
        """The batches of requests that may not be sent again, in the order of their time."""
        made = shaped(SENT_BATCH, "batch")
        rows = self._rows(META, "key GLOB ?", f"{BATCH}*")
        found = [
            parsed(text, "a batch", lambda raw, key=key: SentBatch.from_json(key.removeprefix(BATCH), made(raw)))
            for key, text in rows
        ]
        return sorted(found, key=lambda batch: batch.began)

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
            "json_extract(unpacked(packing, value), '$.fingerprint') AS fingerprint, count(*) AS calls, "
            "json_group_array(CAST(coalesce(json_extract(unpacked(packing, value), '$.finish_word'), '') AS TEXT)) "
            "FILTER (WHERE json_extract(unpacked(packing, value), '$.finish_reason') = 'unknown') AS untold "
            "FROM answers WHERE kind IN ('completion', 'cached') GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2, 3"
        )
        return tuple(ModelVersion(**made) for made in map(_model_version, self._select(query)))

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

    def _places(self) -> tuple[BlockPlaces, dict[int, int]]:
        """Where matches that have ended may be, and the checksums of blocks, as they are now."""
        ((version,),) = self._select("PRAGMA data_version")
        if self._marks is None or self._marks[0] != version:
            rows = [*self._select(f"SELECT block, ids, checksum FROM {RECORDS.name}")]
            places = BlockPlaces((block, ids) for block, ids, _ in rows)
            self._marks = version, places, {block: checksum for block, _, checksum in rows}
        return self._marks[1:]

    def _plans_in(self, row: tuple[Any, ...]) -> Sequence[MatchPlan]:
        return plans_of(self._unpacked(PLANS, row)[3])

    def _ended_block(self, row: tuple[Any, ...]) -> EndedBlock:
        number, _, _, summaries, records = self._unpacked(RECORDS, row)
        return EndedBlock.of(number, summaries, records)

    def _summaries_in(self, block: int) -> list[tuple[Any, ...]]:
        return [summary for row in self._rows(RECORDS, "block = ?", block) for summary in self._summaries_of(row)]

    def _summaries_of(self, row: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        return summaries_of(self._unpacked_at(RECORDS, row, (3,))[3])

    def _texts_in(self, block: int) -> dict[str, str]:
        """The records of a block by match; none if there is no such block any more."""
        found = (self._ended_block(row).by_match() for row in self._rows(RECORDS, "block = ?", block))
        return next(found, dict[str, str]())


def _over(
    plans: Iterable[MatchPlan], places: BlockPlaces, summaries_in: Callable[[int], list[tuple[Any, ...]]]
) -> frozenset[str]:
    """The ids of matches that have a final ending, at least those of these plans."""
    blocks = dict.fromkeys(block for plan in plans for block in places.of(plan.id))
    return frozenset(row[0] for block in blocks for row in summaries_in(block) if ending_from(row[4]).is_final)


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


def _model_version(row: tuple[Any, ...]) -> dict[str, Any]:
    """The fields of a ``ModelVersion``, with its words counted."""
    words: list[str] = json.loads(row[-1])
    return dict(zip(_MODEL_VERSION, (*row[:-1], dict(Counter(words))), strict=True))
