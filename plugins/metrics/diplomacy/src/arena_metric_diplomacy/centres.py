"""The metric ``diplomacy-centres``: centres and influence by year and at the end, wins, survivors and eliminations."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.record import Player
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_game_diplomacy import POWERS
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from attrs.validators import ge

from arena_metric_diplomacy.grouping import blocks, by_agent, detail, games, grouped, number, wanted
from arena_metric_diplomacy.match_phases import played
from arena_metric_diplomacy.references import MATCHES, references
from arena_metric_diplomacy.standings import PowerStanding, standings, together

PLAYER: Final = "player"
POWER: Final = "power"
MATCH: Final = "match"

CENTRES: Final = 34
PROVINCES: Final = 75
"""The numbers of the standard map, which bound what one player can have."""

_NOTE: Final = (
    "Of all powers of a player together. Influence is the number of provinces in which a unit of it was the last to "
    "stand. A win counts by its year, the first of the match as one; years to win are those of matches that were won, "
    "years to elimination those of players who lost all. Random and greedy play: all players play so."
)


@attrs.frozen(kw_only=True)
class DiplomacyCentres(Metric):
    """Centres and influence in Diplomacy by year and at the end, solo wins, survivors and eliminations."""

    reference_matches: int = attrs.field(
        default=MATCHES,
        validator=ge(0),
        metadata={"help": "matches of random and of greedy play of each game that stand beside agents, at most"},
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row for the match, one for each player and one for each power that somebody holds."""
        found = played(match.record)
        return () if found is None else measured(standings(found), found.hands, (found.end or {}).get("reason"))

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Tables by agent, by power and of the ends of matches, and curves by year, beside random and greedy play."""
        rows = wanted(measurements)
        if not rows:
            yield Section(title="Centres", text="There is no match of Diplomacy.")
            return
        for each in references(measurements, games(rows), self.reference_matches):
            rows += map(each.row, measured(each.match.standings, each.hands, each.match.reason))
        level = measurements.level
        tables = (*_by_agent(rows, level), *_by_power(rows, level), *_ends(rows, level))
        yield Section(title="Centres", tables=tables, figures=tuple(_curves(rows, level)), text=_NOTE)


def measured(
    found: Mapping[str, PowerStanding], hands: Sequence[Sequence[str]], reason: str | None
) -> Iterator[Measurement]:
    """The measurements of a match: how many powers are left, and the standing of each player and of its powers."""
    left = sum(each.eliminated is None for each in found.values())
    yield Measurement(name=MATCH, value=left, detail={"reason": reason})
    for place, hand in enumerate(hands):
        own = together([found[power] for power in hand])
        yield Measurement(name=PLAYER, value=own.last[0], player=Player(place), detail=own.to_json())
        for power in hand:
            told = found[power].to_json()
            yield Measurement(name=POWER, value=found[power].last[0], player=Player(place), detail=told)


def _by_agent(rows: Sequence[MeasurementRow], level: float) -> Iterator[Table]:
    lines = [
        (*group, len(own), *_cells(own, level, is_long=True))
        for group, own in by_agent(row for row in rows if row.name == PLAYER).items()
    ]
    columns = (*text("game", "agent"), *counts("seats"), *_columns(is_long=True))
    yield Table(title="Centres by agent", columns=columns, rows=tuple(lines))


def _by_power(rows: Sequence[MeasurementRow], level: float) -> Iterator[Table]:
    powers = [row for row in rows if row.name == POWER]
    lines = [
        (*group, len(own), *_cells(own, level, is_long=False))
        for group, own in grouped(powers, lambda row: (row.game, _standing(row).powers[0], str(row.agent))).items()
    ]
    columns = (*text("game", "power", "agent"), *counts("matches"), *_columns(is_long=False))
    yield Table(title="Centres by power", columns=columns, rows=tuple(lines))


def _columns(*, is_long: bool) -> tuple[Column, ...]:
    made = (*numbers("centres", "influence"), *shares("won alone", "survived"))
    return (*made, *numbers("years to win", "years to elimination")) if is_long else made


def _cells(rows: Sequence[MeasurementRow], level: float, *, is_long: bool) -> Iterator[Cell]:
    found = [_standing(row) for row in rows]
    yield _mean(rows, [float(each.last[0]) for each in found], level, CENTRES)
    yield _mean(rows, [float(each.last[1]) for each in found], level, PROVINCES)
    yield share([each.solo is not None for each in found], clusters=blocks(rows), level=level)
    yield share([each.eliminated is None for each in found], clusters=blocks(rows), level=level)
    if is_long:
        yield _known(rows, [each.years_to_win for each in found], level)
        yield _known(rows, [each.years_to_elimination for each in found], level)


def _known(rows: Sequence[MeasurementRow], values: Sequence[int | None], level: float) -> Estimate:
    """The mean of those values that there are."""
    kept = [(row, float(value)) for row, value in zip(rows, values, strict=True) if value is not None]
    return _mean([row for row, _ in kept], [value for _, value in kept], level, None)


def _mean(rows: Sequence[MeasurementRow], values: Sequence[float], level: float, most: int | None) -> Estimate:
    least = None if most is None else 0.0
    return mean(values, clusters=blocks(rows), level=level, bounds=(least, most))


def _ends(rows: Sequence[MeasurementRow], level: float) -> Iterator[Table]:
    matches = [row for row in rows if row.name == MATCH]
    reasons = sorted({_reason(row) for row in matches})
    lines: list[tuple[Cell, ...]] = []
    for group, own in grouped(matches, lambda row: (row.game, row.pairing)).items():
        told = [_reason(row) for row in own]
        ended = (share([each == reason for each in told], clusters=blocks(own), level=level) for reason in reasons)
        lines.append((*group, len(own), _mean(own, [number(row) for row in own], level, len(POWERS)), *ended))
    columns = (*text("game", "agents"), *counts("matches"), *numbers("powers left"), *shares(*reasons))
    yield Table(title="How matches ended", columns=columns, rows=tuple(lines))


def _reason(row: MeasurementRow) -> str:
    return str(detail(row)["reason"] or "broken off")


def _curves(rows: Sequence[MeasurementRow], level: float) -> Iterator[Figure]:
    players = [row for row in rows if row.name == PLAYER]
    note = "Means over seats; a match that is over goes on with what it ended with. Intervals: Student, over matches."
    for game in dict.fromkeys(row.game for row in players):
        here = [row for row in players if row.game == game]
        years = _years(here)
        views: tuple[tuple[str, int, Callable[[PowerStanding], tuple[int, ...]]], ...] = (
            ("centres", CENTRES, lambda each: each.centres),
            ("influence", PROVINCES, lambda each: each.influence),
        )
        for what, most, values in views:
            series = {
                agent: tuple(
                    _mean(own, [_then(_standing(row), values, year) for row in own], level, most) for year in years
                )
                for (_, agent), own in by_agent(here).items()
            }
            title, x = f"{game}: {what} by year", tuple(map(float, years))
            yield Figure(kind="line", title=title, x=x, series=series, x_title="year", y_title=what, note=note)


def _years(rows: Sequence[MeasurementRow]) -> range:
    """All years that were played in any of these matches."""
    found = [_standing(row) for row in rows]
    first = min(each.first_year for each in found)
    return range(first, max(each.first_year + len(each.centres) for each in found))


def _then(own: PowerStanding, values: Callable[[PowerStanding], tuple[int, ...]], year: int) -> float:
    """What was held at the end of a year, or of the last year before it that was played."""
    known = values(own)
    return float(known[min(year - own.first_year, len(known) - 1)]) if known else 0.0


def _standing(row: MeasurementRow) -> PowerStanding:
    return PowerStanding.from_json(detail(row))
