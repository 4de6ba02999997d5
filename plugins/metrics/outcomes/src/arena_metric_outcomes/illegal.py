"""The metric ``illegal-actions``, which counts refused answers."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs
from arena.agent import RefusalKind
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import JSON, Player
from arena.tables import Cell, Estimate, Figure, Section, Table
from arena_metric_statistics.columns import Columns, total
from arena_metric_statistics.means import ratio
from arena_metric_statistics.numerics import Floats, np
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate

from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_outcomes.failures import has_failed
from arena_metric_outcomes.legality_checks import CHECKED_TURNS, CHECKS, checks_before, checks_table, detail
from arena_metric_outcomes.several_answers import (
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
            _, source, kind, player, data, _ = event
            if player is not None and source == "referee" and kind in ASKED:
                noted: Any = data
                if "note" in noted:
                    is_several, checks = is_last_of_several(event), checks_before(event)
                    counts[player].add(kind, noted, is_several=is_several, checks=checks)
                else:
                    counts[player].add(kind, noted)
        for p, found in enumerate(counts):
            yield Measurement(
                name="refusals", value=sum(found.kinds.values()), player=Player(p), detail=found.to_json()
            )

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Rates by game and agent, and by kind of refusal."""
        rows = Columns.of(measurements.rows).named("refusals")
        if not len(rows):
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
        if checks:
            self.checks += checks
            if turn != self._checked:
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


def _groups(rows: Columns) -> dict[tuple[str, str], Columns]:
    found = {(game, agent): own for (game, agent), own in rows.grouped("game", "agent").items()}
    if len({game for game, _ in found}) > 1:
        found |= {(ALL, agent): own for (agent,), own in rows.grouped("agent").items()}
    return found


def _kind(rows: Columns, kind: str) -> Floats:
    return rows.numbers(lambda found: float(cast("Mapping[str, Any]", found.detail)["kinds"].get(kind, 0)))


def _rate(rows: Columns, events: Floats, per: Floats | None, level: float) -> Estimate:
    return rate(events, per, clusters=rows.clusters, level=level)


def _rates(groups: Mapping[tuple[str, str], Columns], level: float) -> Table:
    has_several = any(detail(rows, _OF_SEVERAL).any() for rows in groups.values())
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
        if detail(rows, _OF_SEVERAL).any():
            lines.append((*key, STRICT, *_refusals(rows, level, is_strict=True)))
    note = f"Per match: of one player. {STRICTLY}" if has_several else "Per match: of one player."
    return Table(title="Refusals", columns=columns, rows=tuple(lines), note=note)


def _refusals(rows: Columns, level: float, *, is_strict: bool = False) -> tuple[Cell, ...]:
    """The numbers of one line; strictly read, actions that were the last of several answers are refusals too."""
    refusals, refused = rows.values(), detail(rows, "refused_turns")
    if is_strict:
        extra = detail(rows, _OF_SEVERAL)
        refusals = refusals + extra
        refused = np.where(extra > 0, detail(rows, _STRICT_TURNS), refused)
    turns, tries = detail(rows, "turns"), detail(rows, "tries")
    return (
        *(int(total(turns)), int(total(refusals))),
        _rate(rows, refusals, turns, level),
        _rate(rows, refusals, None, level),
        share(refused, turns, clusters=rows.clusters, level=level),
        None if is_strict else ratio(tries, turns, clusters=rows.clusters, level=level, bounds=(1.0, None)),
        0,
    )


def _consequences(groups: Mapping[tuple[str, str], Columns], level: float) -> Table:
    has_several = any(detail(rows, _OF_SEVERAL).any() for rows in groups.values())
    columns = (
        *text("game", "agent"),
        *counts("matches", "put out", "substituted"),
        *shares("matches lost by refusals", "actions substituted"),
        *(last_of_several() if has_several else ()),
        *counts("random and optimal play"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, rows in groups.items():
        blocks = rows.clusters
        lost = rows.by_player(has_failed)
        put_in, turns, taken = (detail(rows, name) for name in ("substitutes", "turns", _OF_SEVERAL))
        several = (int(total(taken)), share(taken, turns, clusters=blocks, level=level)) if has_several else ()
        lines.append(
            (
                *(*key, rows.match_count, int(lost.sum()), int(total(put_in))),
                share(lost, clusters=blocks, level=level),
                share(put_in, turns, clusters=blocks, level=level),
                *several,
                0,
            )
        )
    note = MEANING if has_several else ""
    return Table(title="What refusals cost", columns=columns, rows=tuple(lines), note=note)


def _kinds(groups: Mapping[tuple[str, str], Columns], level: float) -> tuple[Table, ...]:
    columns = (*text("game", "agent", "kind"), *counts("refusals"), *numbers("per turn"))
    lines: list[tuple[Cell, ...]] = []
    for key, rows in groups.items():
        turns = detail(rows, "turns")
        for kind in map(str, RefusalKind):
            events = _kind(rows, kind)
            if events.any():
                lines.append((*key, kind, int(total(events)), _rate(rows, events, turns, level)))
    return (Table(title="Refusals by kind", columns=columns, rows=tuple(lines)),) if lines else ()


def _figure(groups: Mapping[tuple[str, str], Columns], level: float) -> Figure:
    games = tuple(dict.fromkeys(game for game, _ in groups))
    agents = tuple(dict.fromkeys(agent for _, agent in groups))

    def cell(game: str, agent: str) -> Estimate | None:
        rows = groups.get((game, agent))
        return None if rows is None else _rate(rows, rows.values(), detail(rows, "turns"), level)

    return Figure(
        kind="bar",
        title="Refusals per turn",
        x=games,
        series={agent: tuple(cell(game, agent) for game in games) for agent in agents},
        y_title="refusals per turn",
        references={"random and optimal play": 0.0},
    )
