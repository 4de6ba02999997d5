"""The table of scores by game: the share of points, or the mean return where results are payoffs."""

from collections.abc import Mapping, Sequence

from arena.metric import Baseline
from arena.tables import Cell, Column, Estimate, Table

from arena_report.verdict.blocks import BlockMean
from arena_report.verdict.pairs import counts_wins, unit_of
from arena_report.verdict.ranking import Played
from arena_report.verdict.words import names, number


def score_table(
    groups: Mapping[str, Sequence[str]],
    agents: Mapping[str, Played],
    baselines: Mapping[str, Baseline],
    order: Sequence[str],
    level: float,
) -> Table:
    """One row for each agent, one column for each game or group of variants, and what random and optimal play earn."""
    columns = [Column(name="agent", title="agent")]
    notes: list[str] = []
    for name, games in groups.items():
        is_won = all(counts_wins(baselines.get(game)) for game in games)
        unit = "share of points" if is_won else unit_of(baselines.get(games[0]))
        columns.append(Column(name=name, title=name, style="share" if is_won else "number", help=unit))
    if any(column.style == "share" for column in columns):
        notes.append("random play against itself: 50 %")
    for name, games in groups.items():
        if any(not counts_wins(baselines.get(game)) for game in games) and len(games) == 1:
            notes += _earned(name, baselines.get(games[0]))
    lacking = [name for name, games in groups.items() if not all(_is_optimal_known(baselines.get(g)) for g in games)]
    notes += [f"optimal play: not known for {names(lacking)}"] if lacking else []
    rows = tuple(
        (agent, *(_cell(agents[agent], games, baselines, level) for games in groups.values())) for agent in order
    )
    return Table(title="score", columns=tuple(columns), rows=rows, note="; ".join(notes))


def _cell(own: Played, games: Sequence[str], baselines: Mapping[str, Baseline], level: float) -> Cell:
    is_won = all(counts_wins(baselines.get(game)) for game in games)
    values = own.scores if is_won else own.returns
    found = [values[game].values() for game in games if game in values]
    return _estimate(BlockMean.of(found), level, is_score=is_won) if found else None


def _estimate(mean: BlockMean, level: float, *, is_score: bool) -> Estimate:
    ends = mean.score_interval(level) if is_score else mean.interval(level)
    low, high = ends or (None, None)
    return Estimate(
        value=mean.value,
        n=mean.blocks,
        low=low,
        high=high,
        standard_error=mean.error or None,
        level=level,
        unit="blocks",
        method="over blocks" if ends else "no interval: one block, or all alike",
    )


def _is_optimal_known(baseline: Baseline | None) -> bool:
    return baseline is not None and baseline.optimal is not None


def _earned(name: str, baseline: Baseline | None) -> list[str]:
    if baseline is None:
        return [f"random play: not known for {name}"]
    random = sum(baseline.random) / baseline.players
    return [f"{name}: random play earns {number(random)} on average over the seats"]
