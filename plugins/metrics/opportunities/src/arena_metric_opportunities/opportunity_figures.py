"""The figures of the metric ``missed-opportunities``: what was missed by game, agent and form of observation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Estimate, Figure
from arena_metric_statistics.proportions import share

_MISSED: Final = ("wins", "blocks")


def form_shown(table: Measurements, agents: Iterable[str]) -> str:
    """The forms of observation that these agents are shown, joined by ``+``; empty if they look at none."""
    return "+".join(sorted({form for agent in agents for form in table.forms.get(agent, ())}))


def name_without_prompt(table: Measurements, agent: str) -> str:
    """What an agent is called together with those that a sweep gave other styles or forms of prompt."""
    return table.prompts[agent][0] if agent in table.prompts else agent


def figures(rows: Sequence[MeasurementRow], table: Measurements) -> Iterator[Figure]:
    """Two figures for each game: missed wins and blocks in per cent of valid moves, and of the opportunities.

    The forms that the players of a match were shown stand side by side, as one agent.
    """
    level = table.level
    for game in dict.fromkeys(row.game for row in rows):
        pools: dict[tuple[str, str], list[MeasurementRow]] = {}
        for row in rows:
            if row.game == game:
                pools.setdefault(
                    (form_shown(table, row.agents), name_without_prompt(table, str(row.agent))), []
                ).append(row)
        yield _figure(f"Missed wins and blocks per valid move: {game}", "moves", "valid moves", pools, level)
        yield _figure(f"Missed wins and blocks per opportunity: {game}", "", "opportunities", pools, level)


_Pools = Mapping[tuple[str, str], Sequence[MeasurementRow]]


def _figure(title: str, of: str, unit: str, pools: _Pools, level: float) -> Figure:
    """Shares in per cent of the count ``of``, or if it is empty of the opportunities of each kind."""
    forms = sorted({form for form, _ in pools})
    agents = sorted({agent for _, agent in pools})
    series = {
        f"missed {what}, {form}" if form else f"missed {what}": tuple(
            _share(pools.get((form, agent), ()), what, of or what, level) for agent in agents
        )
        for what in _MISSED
        for form in forms
    }
    return Figure(
        kind="bar",
        title=title,
        x=tuple(agents),
        series=series,
        y_title=f"% of {unit}",
        references={} if of else {"optimal play, wins": 0.0},
        note=_note(pools, of, unit),
    )


def _share(rows: Iterable[MeasurementRow], what: str, of: str, level: float) -> Estimate | None:
    own = [row for row in rows if _count(row, of)]
    if not own:
        return None
    missed, whole = ([_count(row, name) for row in own] for name in (f"missed_{what}", of))
    found = share(missed, whole, clusters=[row.block for row in own], level=level)
    ends = ("value", "low", "high", "standard_error")
    return attrs.evolve(found, **{name: None if (v := getattr(found, name)) is None else 100 * v for name in ends})


def _note(pools: _Pools, of: str, unit: str) -> str:
    counts = [sum(_count(row, name) for row in rows) for rows in pools.values() for name in ([of] if of else _MISSED)]
    low, high = int(min(counts, default=0)), int(max(counts, default=0))
    told = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"Each bar is of {told} {unit} of an agent; n beside a number counts matches or their blocks."


def _count(row: MeasurementRow, name: str) -> float:
    return float(cast("Mapping[str, Any]", row.detail).get(name, 0))
