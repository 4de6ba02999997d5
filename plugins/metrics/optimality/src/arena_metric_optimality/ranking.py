"""Ranks of choices among all legal actions: tables and figures of their shares, and of what was lost."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from arena.metric import Measurement, MeasurementRow, Measurements
from arena.record import JSON
from arena.tables import Cell, Column, Estimate, Figure, Table
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_hits

Groups = Mapping[tuple[str, str], Sequence[MeasurementRow]]
"""The judged choices by game and agent."""

TOPS: Final = (1, 3, 10)
"""The numbers of best actions for which SPIN-Bench gives shares (Yao et al., 2025); beyond the last is outside."""

RANDOM: Final = "random choice"


def as_best(found: Measurement) -> Measurement:
    """The same choice with all actions ranked first, as SPIN-Bench's code has the last ply of a match."""
    detail = cast("Mapping[str, JSON]", found.detail)
    ranks = [1] * len(cast("Sequence[int]", detail["ranks"]))
    return found._replace(detail={**detail, "rank": 1, "ranks": cast("JSON", ranks)})


def shares(table: Measurements, groups: Groups) -> Table:
    """The mean rank, and the shares of choices among the best 1, 3 and 10 and outside, beside random choice."""
    names = [f"top {k}" for k in TOPS] + [f"outside {TOPS[-1]}"]
    columns = (
        Column(name="game", title="game"),
        Column(name="agent", title="agent"),
        Column(name="choices", title="choices", style="count"),
        Column(name="rank", title="mean rank", style="number"),
        Column(name="random rank", title=RANDOM, style="number"),
        *(
            column
            for name in names
            for column in (
                Column(name=name, title=name, style="share"),
                Column(name=f"random {name}", title=RANDOM, style="share"),
            )
        ),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, own in groups.items():
        blocks = [row.block for row in own]
        chosen, offered = [_rank(row) for row in own], [_ranks(row) for row in own]
        cells: list[Cell] = [*key, len(own), mean(chosen, clusters=blocks, level=table.level, bounds=(1, None))]
        cells.append(mean([sum(r) / len(r) for r in offered], clusters=blocks, level=table.level, bounds=(1, None)))
        for low, high in [*((1, k) for k in TOPS), (TOPS[-1] + 1, None)]:
            cells.append(share([_within(rank, low, high) for rank in chosen], clusters=blocks, level=table.level))
            by_chance = [sum(_within(rank, low, high) for rank in ranks) / len(ranks) for ranks in offered]
            cells.append(random_hits(by_chance, level=table.level))
        lines.append(tuple(cells))
    note = (
        "Equally good actions share the best rank, so optimal choices have rank 1. Positions with few legal actions "
        f"make high ranks easy: compare with {RANDOM} in the same positions."
    )
    return Table(title="Shares of ranks", columns=columns, rows=tuple(lines), note=note)


def losses(table: Measurements, groups: Groups) -> Table:
    """What choices lost in the unit of the solver's scores; only of solvers that name one."""
    columns = (
        Column(name="game", title="game"),
        Column(name="agent", title="agent"),
        Column(name="choices", title="choices", style="count"),
        Column(name="loss", title="mean loss", style="number"),
        Column(name="random loss", title=RANDOM, style="number"),
        Column(name="optimal loss", title="optimal", style="number"),
        Column(name="unit", title="in"),
    )
    lines: list[tuple[Cell, ...]] = []
    for key, rows in groups.items():
        own = [row for row in rows if "loss" in _detail(row)]
        if own:
            blocks = [row.block for row in own]
            values = [
                mean([float(_detail(row)[name]) for row in own], clusters=blocks, level=table.level, bounds=(0, None))
                for name in ("loss", "random_loss")
            ]
            lines.append((*key, len(own), *values, 0.0, ", ".join(sorted({_detail(row)["unit"] for row in own}))))
    note = (
        "The score of the best action less that of the chosen one; scores beyond the solver's limit count as the limit."
    )
    return Table(title="Loss by choice", columns=columns, rows=tuple(lines), note=note)


def figures(table: Measurements, groups: Groups) -> Iterable[Figure]:
    """For each game with more than three actions to choose from, the share of each rank as stacked bars."""
    for game in dict.fromkeys(game for game, _ in groups):
        own = {agent: rows for (name, agent), rows in groups.items() if name == game}
        if max(len(_ranks(row)) for rows in own.values() for row in rows) <= max(TOPS[:-1]):
            continue
        every = [row for rows in own.values() for row in rows]
        steps = [(str(k), k, k) for k in range(1, TOPS[-1] + 1)] + [(f"outside {TOPS[-1]}", TOPS[-1] + 1, None)]
        yield Figure(
            kind="stacked-bar",
            title=f"{game}: ranks of choices",
            x=(*own, RANDOM),
            series={
                name: (
                    *(_share(table, rows, low, high) for rows in own.values()),
                    sum(sum(_within(r, low, high) for r in _ranks(row)) / len(_ranks(row)) for row in every)
                    / len(every),
                )
                for name, low, high in steps
            },
            y_title="share of choices",
            note="; ".join(f"{agent}: n={len(rows)} choices" for agent, rows in own.items()),
        )


def _share(table: Measurements, rows: Sequence[MeasurementRow], low: int, high: int | None) -> Estimate:
    hits = [_within(_rank(row), low, high) for row in rows]
    return share(hits, clusters=[row.block for row in rows], level=table.level)


def _within(rank: int, low: int, high: int | None) -> bool:
    return rank >= low and (high is None or rank <= high)


def _rank(row: MeasurementRow) -> int:
    return int(_detail(row)["rank"])


def _ranks(row: MeasurementRow) -> Sequence[int]:
    return _detail(row)["ranks"]


def _detail(row: MeasurementRow) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", row.detail)
