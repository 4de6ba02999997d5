"""The metric ``illegal-actions``, which counts refused answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import JSON, Player, RefusalKind
from arena.tables import Cell, Estimate, Figure, Section, Table
from arena_metric_statistics.means import ratio
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.legality_checks import CHECKED_TURNS, CHECKS, checks_before, checks_table
from arena_metric_outcomes.results import grouped
from arena_metric_outcomes.several import (
    AS_SET,
    MEANING,
    STRICT,
    STRICTLY,
    is_last_of_several,
    last_of_several,
    readings,
)

ALL = "all games"

_OF_SEVERAL = "last_of_several"
_STRICT_TURNS = "strictly_refused_turns"

ASKED = frozenset({"played", "refused", "withheld"})
"""The referee's events that follow when a player is asked for an action."""


@attrs.frozen
class IllegalActions(Metric):
    """Answers that could not be played: how often, of which kind, and what followed."""

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per player, with counts of its turns, tries, refusals by kind, and substitutes."""
        counts = [_Counts() for _ in match.record.agents]
        for event in match.record.events:
            if event.player is not None and event.source == "referee" and event.kind in ASKED:
                is_several = is_last_of_several(event)
                data, checks = cast("Mapping[str, Any]", event.data), checks_before(event)
                counts[event.player].add(event.kind, data, is_several=is_several, checks=checks)
        for p, found in enumerate(counts):
            yield Measurement(
                name="refusals", value=sum(found.kinds.values()), player=Player(p), detail=found.to_json()
            )

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Rates by game and agent, and by kind of refusal."""
        rows = [row for row in measurements.rows if row.name == "refusals"]
        if not rows:
            yield Section(title="Illegal actions", text="There is no match to report.")
            return
        groups = _groups(rows)
        yield Section(
            title="Illegal actions",
            tables=(
                _rates(groups, measurements.level),
                *checks_table(groups, measurements.level),
                _consequences(groups, measurements.level),
                *_kinds(groups, measurements.level),
            ),
            figures=(_figure(groups, measurements.level),),
            text=(
                "A refusal is an answer that was not played: illegal by the rules, or not to be understood. Random and "
                "optimal play make none, so the reference beside every number here is 0. Forfeited matches are "
                "included whatever is chosen for the results."
            ),
        )


class _Counts:
    """How one player answered in one match: turns, tries, refusals and substitutes."""

    __slots__ = (
        *("_checked", "_refused", "_strictly", "_turn", "checked_turns", "checks", "kinds", "of_several"),
        *("refused_turns", "strict_turns", "substitutes", "tries", "turns"),
    )

    def __init__(self) -> None:
        self.turns = self.refused_turns = self.strict_turns = self.tries = self.substitutes = self.of_several = 0
        self.checks = self.checked_turns = 0
        self.kinds: dict[str, int] = {}
        self._turn = self._refused = self._strictly = self._checked = -1

    def add(self, kind: str, data: Mapping[str, Any], *, is_several: bool = False, checks: int = 0) -> None:
        """Add one event to the counts; events must come in the order of the match."""
        turn = data["turn"]
        self.of_several += is_several
        self.checks += checks
        if checks and turn != self._checked:
            self._checked = turn
            self.checked_turns += 1
        if (is_several or kind == "refused") and turn != self._strictly:
            self._strictly = turn
            self.strict_turns += 1
        if turn != self._turn:
            self._turn = turn
            self.turns += 1
        if kind == "refused":
            self.kinds[data["kind"]] = self.kinds.get(data["kind"], 0) + 1
            self.tries += 1
            if turn != self._refused:
                self._refused = turn
                self.refused_turns += 1
        elif data["by"] == "agent":
            self.tries += 1
        else:
            self.substitutes += 1

    def to_json(self) -> dict[str, JSON]:
        """The counts by name, as the detail of a measurement."""
        return {
            "turns": self.turns,
            "tries": self.tries,
            "refused_turns": self.refused_turns,
            "substitutes": self.substitutes,
            "kinds": dict(sorted(self.kinds.items())) if self.kinds else {},
            **({_OF_SEVERAL: self.of_several, _STRICT_TURNS: self.strict_turns} if self.of_several else {}),
            **({CHECKS: self.checks, CHECKED_TURNS: self.checked_turns} if self.checks else {}),
        }


def _groups(rows: Sequence[MeasurementRow]) -> dict[tuple[str, str], list[MeasurementRow]]:
    found = {(game, agent): own for (game, agent), own in sorted(grouped(rows, "game", "agent").items())}
    if len({game for game, _ in found}) > 1:
        found |= {(ALL, agent): own for (agent,), own in sorted(grouped(rows, "agent").items())}
    return found


def _detail(row: MeasurementRow, name: str) -> float:
    return float(cast("Mapping[str, Any]", row.detail).get(name, 0))


def _kind(row: MeasurementRow, kind: str) -> float:
    return float(cast("Mapping[str, Any]", row.detail)["kinds"].get(kind, 0))


def _rate(
    rows: Sequence[MeasurementRow], events: Sequence[float], per: Sequence[float] | None, level: float
) -> Estimate:
    return rate(events, per, clusters=[row.block for row in rows], level=level)


def _rates(groups: Mapping[tuple[str, str], list[MeasurementRow]], level: float) -> Table:
    has_several = any(_detail(row, _OF_SEVERAL) for rows in groups.values() for row in rows)
    columns = (
        *text("game", "agent"),
        *(readings() if has_several else ()),
        *counts("turns", "refusals"),
        *numbers("per turn", "per match"),
        *shares("turns with a refusal"),
        *numbers("answers per turn"),
        *counts("random and optimal play"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, rows in groups.items():
        reading = (AS_SET,) if has_several else ()
        lines.append((*key, *reading, *_refusals(rows, level)))
        if any(_detail(row, _OF_SEVERAL) for row in rows):
            lines.append((*key, STRICT, *_refusals(rows, level, is_strict=True)))
    note = f"Per match: of one player. {STRICTLY}" if has_several else "Per match: of one player."
    return Table(title="Refusals", columns=columns, rows=tuple(lines), note=note)


def _refusals(rows: Sequence[MeasurementRow], level: float, *, is_strict: bool = False) -> tuple[Cell, ...]:
    """The numbers of one line; strictly read, actions that were the last of several answers are refusals too."""
    extra = [_detail(row, _OF_SEVERAL) if is_strict else 0.0 for row in rows]
    refusals = [float(row.value or 0) + more for row, more in zip(rows, extra, strict=True)]
    refused = [_detail(row, _STRICT_TURNS if more else "refused_turns") for row, more in zip(rows, extra, strict=True)]
    turns, tries = ([_detail(row, name) for row in rows] for name in ("turns", "tries"))
    blocks = [row.block for row in rows]
    return (
        *(int(sum(turns)), int(sum(refusals))),
        _rate(rows, refusals, turns, level),
        _rate(rows, refusals, None, level),
        share(refused, turns, clusters=blocks, level=level),
        None if is_strict else ratio(tries, turns, clusters=blocks, level=level, bounds=(1.0, None)),
        0,
    )


def _consequences(groups: Mapping[tuple[str, str], list[MeasurementRow]], level: float) -> Table:
    has_several = any(_detail(row, _OF_SEVERAL) for rows in groups.values() for row in rows)
    columns = (
        *text("game", "agent"),
        *counts("matches", "put out", "substituted"),
        *shares("matches lost by refusals", "actions substituted"),
        *(last_of_several() if has_several else ()),
        *counts("random and optimal play"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, rows in groups.items():
        blocks = [row.block for row in rows]
        lost = [row.player in row.forfeited for row in rows]
        put_in = [_detail(row, "substitutes") for row in rows]
        turns = [_detail(row, "turns") for row in rows]
        taken = [_detail(row, _OF_SEVERAL) for row in rows]
        several = (int(sum(taken)), share(taken, turns, clusters=blocks, level=level)) if has_several else ()
        lines.append(
            (
                *(*key, len({row.match for row in rows}), sum(lost), int(sum(put_in))),
                share(lost, clusters=blocks, level=level),
                share(put_in, turns, clusters=blocks, level=level),
                *several,
                0,
            )
        )
    note = MEANING if has_several else ""
    return Table(title="What refusals cost", columns=columns, rows=tuple(lines), note=note)


def _kinds(groups: Mapping[tuple[str, str], list[MeasurementRow]], level: float) -> tuple[Table, ...]:
    columns = (*text("game", "agent", "kind"), *counts("refusals"), *numbers("per turn"))
    lines: list[tuple[Cell, ...]] = []
    for key, rows in groups.items():
        turns = [_detail(row, "turns") for row in rows]
        for kind in map(str, RefusalKind):
            events = [_kind(row, kind) for row in rows]
            if sum(events):
                lines.append((*key, kind, int(sum(events)), _rate(rows, events, turns, level)))
    return (Table(title="Refusals by kind", columns=columns, rows=tuple(lines)),) if lines else ()


def _figure(groups: Mapping[tuple[str, str], list[MeasurementRow]], level: float) -> Figure:
    games = tuple(dict.fromkeys(game for game, _ in groups))
    agents = tuple(dict.fromkeys(agent for _, agent in groups))

    def cell(game: str, agent: str) -> Estimate | None:
        rows = groups.get((game, agent), [])
        turns = [_detail(row, "turns") for row in rows]
        return _rate(rows, [float(row.value or 0) for row in rows], turns, level) if rows else None

    return Figure(
        kind="bar",
        title="Refusals per turn",
        x=games,
        series={agent: tuple(cell(game, agent) for game in games) for agent in agents},
        y_title="refusals per turn",
        references={"random and optimal play": 0.0},
    )
