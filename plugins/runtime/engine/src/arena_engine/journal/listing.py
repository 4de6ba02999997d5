"""Lists the plans and matches of a run page by page, without their records, and says how far the run is."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, overload

import attrs
from arena.errors import ConfigError, did_you_mean
from arena.record import Ending, MatchPlan

from arena_engine.journal.encoded_match import MatchSummary
from arena_engine.journal.match_table import COLUMNS, INDEXED, match_table
from arena_engine.journal.reading import JournalReader

Values: TypeAlias = tuple[Any, ...]
"""What stands for the marks of a condition in SQL."""

Place: TypeAlias = tuple[Any, str]
"""The value and the id of the last match of a page."""

LONGEST_PAGE: Final = 500
"""The most matches of one page."""

COUNTED: Final = 10_000
"""So many matches are counted unless all of them are to be."""

SORTED_BY: Final = {**{name: name for name in COLUMNS}, "tokens": "(prompt_tokens + completion_tokens)"}
"""By what matches can be sorted: each column, and the tokens of prompts and completions together, as SQL."""


@attrs.frozen(kw_only=True)
class MatchFilter:
    """Which of the matches that have ended are listed; what is empty or ``None`` is not asked for.

    Each of ``agents`` takes part, in any seat; ``lineup`` are the agents by seat. ``winner`` is a player,
    ``won_by`` and ``lost_by`` are agents that won or lost in some seat; ``is_drawn`` asks for a tie at the top,
    ``has_refused_winner`` whether an answer of whoever won was refused. ``is_forfeited`` asks whether somebody
    failed in the match. ``without`` are the ids of matches that are left out.
    """

    games: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    lineup: tuple[str, ...] = ()
    endings: tuple[Ending, ...] = ()
    winner: int | None = None
    won_by: str = ""
    lost_by: str = ""
    is_drawn: bool | None = None
    has_refused_winner: bool | None = None
    has_refusals: bool | None = None
    has_substitutes: bool | None = None
    is_forfeited: bool | None = None
    without: frozenset[str] = frozenset()

    def condition(self) -> tuple[str, tuple[Any, ...]]:
        """The filter in SQL over the columns of summaries, and its values."""
        parts = list(self._parts())
        return " AND ".join(part for part, _ in parts) or "TRUE", tuple(v for _, values in parts for v in values)

    def _parts(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        if self.games:
            yield _one_of("game", self.games)
        if self.lineup:
            yield "agents = ?", (json.dumps(self.lineup, ensure_ascii=False),)
        for agent in self.agents:  # names stand in quotes, which no part of another name can have
            yield "instr(agents, ?) > 0", (json.dumps(agent, ensure_ascii=False),)
        if self.endings:
            yield _one_of("ending", tuple(map(str, self.endings)))
        if self.winner is not None:
            yield "winner = ?", (self.winner,)
        yield from self._results()
        for column, is_wanted in (("refusals", self.has_refusals), ("substitutes", self.has_substitutes)):
            if is_wanted is not None:
                yield f"{column} {'>' if is_wanted else '='} 0", ()
        if self.is_forfeited is not None:
            yield f"at_fault {'<>' if self.is_forfeited else '='} '[]'", ()
        if self.without:  # in one value, since there may be more of them than marks in a statement
            yield "match NOT IN (SELECT value FROM json_each(?))", (json.dumps(sorted(self.without)),)

    def _results(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        if self.won_by:
            yield f"winner >= 0 AND {_SEVERAL} AND json_extract(agents, '$[' || winner || ']') = ?", (self.won_by,)
        if self.lost_by:
            others = "EXISTS (SELECT 1 FROM json_each(agents) WHERE value = ? AND key <> winner)"
            own = "json_extract(agents, '$[' || failed.value || ']') = ?"
            failed = f"EXISTS (SELECT 1 FROM json_each(at_fault) AS failed WHERE {own})"
            lost = f"(winner >= 0 AND {others} OR {_ONLY_LOSERS} AND {failed})"
            yield lost, (self.lost_by, self.lost_by)
        if self.is_drawn is not None:
            sign = "" if self.is_drawn else "NOT "
            yield f"{sign}(winner IS NULL AND {_SEVERAL} AND {_HAS_RESULT} AND NOT {_ONLY_LOSERS})", ()
        if self.has_refused_winner is not None:
            sign = "" if self.has_refused_winner else "NOT "
            yield f"winner >= 0 AND {sign}EXISTS (SELECT 1 FROM json_each(refused) WHERE value = winner)", ()


_ONLY_LOSERS: Final = "(winner IS NULL AND at_fault <> '[]' AND ending IN ('disqualified', 'turn-limit'))"
"""As ``has_only_losers`` says of one match."""

_SEVERAL: Final = "json_array_length(agents) > 1"

_HAS_RESULT: Final = f"ending IN ({', '.join(repr(str(ending)) for ending in Ending if ending.is_result)})"


@attrs.frozen(kw_only=True)
class MatchPage:
    """One page of a listing; ``last`` is given as ``after`` to get the next one, ``None`` if there is none."""

    matches: tuple[MatchSummary, ...]
    last: tuple[Any, str] | None


def match_page(
    journal: JournalReader,
    wanted: MatchFilter | None = None,
    *,
    by: str = "match",
    is_descending: bool = False,
    after: tuple[Any, str] | None = None,
    limit: int = 50,
) -> MatchPage:
    """The matches after ``after``, by a field or ``tokens`` of ``MatchSummary``, then by ids, those without it first.

    Pages are found by the values of their last match, so that the last one is as fast as the first, and matches that
    end meanwhile move nothing.
    """
    _check(by, limit)
    condition, values = (wanted or MatchFilter()).condition()
    way = "DESC" if is_descending else "ASC"
    listed = _by_index if by in ("match", *INDEXED) else _by_value
    found = listed(journal, by, way, condition, values, after, limit + 1)
    matches = tuple(MatchSummary.from_row(row) for row in found[:limit])
    last = (_value(matches[-1], by), matches[-1].match) if len(found) > limit else None
    return MatchPage(matches=matches, last=last)


def count_matches(
    journal: JournalReader, wanted: MatchFilter | None = None, *, at_most: int | None = COUNTED
) -> int | None:
    """How many matches a listing has; ``None`` if they are more than ``at_most``."""
    condition, values = (wanted or MatchFilter()).condition()
    most = None if at_most is None else at_most + 1
    found = match_table(journal).count(journal, condition, *values, at_most=most)
    return None if at_most is not None and found > at_most else found


def matching_ids(journal: JournalReader, wanted: MatchFilter) -> frozenset[str]:
    """The ids of the matches that have ended and that a filter leaves."""
    condition, values = wanted.condition()
    return frozenset(id_ for id_, _ in match_table(journal).values(journal, "1", condition, *values))


def _by_index(
    journal: JournalReader, by: str, way: str, condition: str, values: Values, after: Place | None, least: int
) -> list[tuple[Any, ...]]:
    """The first summaries after a place in the order of an index: those with a value apart from those without."""
    is_descending, table = way == "DESC", match_table(journal)
    found: list[tuple[Any, ...]] = []
    for has_value in (False, True) if not is_descending else (True, False):
        place = _place(by, has_value, is_descending, after)
        if place is None or len(found) >= least:
            continue
        where, more = place
        order = f"match {way}" if by == "match" or not has_value else f"{by} {way}, match {way}"
        limit = least - len(found)
        chosen = f"SELECT match FROM summaries WHERE {condition} AND {where} ORDER BY {order} LIMIT {limit}"
        # Only ids are sorted; the other columns are read for the page alone.
        found += table.rows(journal, f"match IN ({chosen}) ORDER BY {order}", *values, *more)
    return found


def _by_value(
    journal: JournalReader, by: str, way: str, condition: str, values: Values, after: Place | None, least: int
) -> list[tuple[Any, ...]]:
    """The first summaries after a place, where all have to be looked at.

    Values are sorted alone: where most are equal, to sort by ids as well takes longer than to look twice.
    """
    sought, table = SORTED_BY[by], match_table(journal)
    where, more = _later(sought, way, after)
    condition, values = f"{condition} AND {where}", (*values, *more)
    first = [*table.values(journal, sought, f"{condition} ORDER BY {sought} {way} LIMIT {least + 1}", *values)]
    if len(first) > least and first[least - 1][1] == (edge := first[least][1]):
        first = [(match, value) for match, value in first if value != edge]
        rest = f"{sought} IS ? AND {condition} ORDER BY match {way} LIMIT {least - len(first)}"
        first += table.values(journal, sought, rest, edge, *values)
    ids = [match for match, _ in first[:least]]
    marks = ", ".join("?" * len(ids))
    return [*table.rows(journal, f"match IN ({marks}) ORDER BY {sought} {way}, match {way}", *ids)]


def _later(sought: str, way: str, after: Place | None) -> tuple[str, Values]:
    """The matches that come after a place in the order of SQLite, in which those without a value are the least."""
    if after is None:
        return "TRUE", ()
    value, match = after
    sign, is_descending = ("<", True) if way == "DESC" else (">", False)
    if value is None:
        others = "FALSE" if is_descending else f"{sought} IS NOT NULL"
        return f"({others} OR {sought} IS NULL AND match {sign} ?)", (match,)
    others = f"{sought} IS NULL" if is_descending else "FALSE"
    return f"({others} OR ({sought}, match) {sign} (?, ?))", after


def _value(summary: MatchSummary, by: str) -> Any:
    """What a match is sorted by, as its column holds it."""
    value = getattr(summary, by)
    if by in ("agents", "at_fault", "refused"):
        return json.dumps(value, ensure_ascii=False)
    return str(value) if by == "ending" else value


def _check(by: str, limit: int) -> None:
    if by not in SORTED_BY:
        raise ConfigError(f"by: matches cannot be sorted by {by!r}{did_you_mean(by, SORTED_BY)}")
    if not 1 <= limit <= LONGEST_PAGE:
        raise ConfigError(f"limit: expected 1 to {LONGEST_PAGE}, got {limit!r}")


def _place(by: str, has_value: bool, is_descending: bool, after: Place | None) -> tuple[str, Values] | None:
    """The matches with a value, or those without, that come after a match; ``None`` if none do."""
    sign = "<" if is_descending else ">"
    if by == "match":
        if not has_value:
            return None
        return ("TRUE", ()) if after is None else (f"match {sign} ?", (after[1],))
    kind = f"{by} IS {'NOT ' if has_value else ''}NULL"
    if after is None:
        return kind, ()
    value, match = after
    if (value is not None) == has_value:
        return (f"{kind} AND match {sign} ?", (match,)) if value is None else (f"({by}, match) {sign} (?, ?)", after)
    comes_later = has_value != is_descending  # ascending: no value, then values; descending: the other way round
    return (kind, ()) if comes_later else None


def _one_of(column: str, values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    return f"{column} IN ({', '.join('?' * len(values))})", values


class PlannedMatches(Sequence[MatchPlan]):
    """The planned matches of a run in their order, read from its journal a part at a time as they are asked for.

    With ``unfinished`` those that have no final ending: their number is that of now, and they are to be asked for once,
    since those that end meanwhile would be missing the second time. ``journal`` must stay open.
    """

    def __init__(self, journal: JournalReader, *, unfinished: bool = False) -> None:
        self._journal = journal
        self._is_unfinished = unfinished
        done = sum(times for ending, times in journal.ended().items() if ending.is_final) if unfinished else 0
        self._number = journal.planned() - done

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[MatchPlan]:
        return self._journal.iter_plans(unfinished=self._is_unfinished)

    @overload
    def __getitem__(self, index: int) -> MatchPlan: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[MatchPlan]: ...

    def __getitem__(self, index: int | slice) -> MatchPlan | Sequence[MatchPlan]:
        return tuple(self)[index]


@attrs.frozen(kw_only=True)
class RunStatus:
    """The progress of a run. ``stopped`` says why it ended early, or is ``None``; ``failed`` maps matches to reasons.

    ``notes`` are other failures (of metrics and observers); ``warnings`` are problems that changed no result.
    """

    directory: Path
    planned: int
    finished: int
    failed: Mapping[str, str]
    stopped: str | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """The exit status for a shell: 0 done, 1 some matches or judges failed or are missing, 3 stopped early."""
        if self.stopped is not None:
            return 3
        return 1 if self.failed or self.notes or self.finished < self.planned else 0


def status_of(journal: JournalReader, stopped: str | None = None, notes: Iterable[str] = ()) -> RunStatus:
    """The progress of a run, read from its journal."""
    ended = journal.ended()
    failed: dict[str, str] = {}
    if not all(ending.is_result for ending in ended):
        for id_, ending in journal.endings().items():
            if not ending.is_result:
                record = journal.record_of(id_)
                failed[id_] = record.failure.reason if record and record.failure else str(ending)
    return RunStatus(
        directory=journal.directory,
        planned=journal.planned(),
        finished=ended.total() - len(failed),
        failed=failed,
        stopped=stopped,
        notes=tuple(notes),
    )


def lost_matches(journal: JournalReader) -> list[str]:
    """What to say of matches that the executor was given and that have no record."""
    if journal.ended().total() == journal.planned():
        return []
    ended = journal.endings()
    lost = [plan.id for plan in journal.plans() if plan.id not in ended]
    return [f"the executor lost {len(lost)} matches, {lost[0]!r} first; resume the run to play them"] if lost else []
