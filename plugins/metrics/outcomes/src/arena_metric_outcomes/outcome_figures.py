"""Figures of outcomes, returns and wins between agents."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs
from arena.metric import Baseline, Measurements
from arena.tables import Estimate, Figure
from arena_metric_statistics.columns import Columns

from arena_metric_outcomes.head_to_head import HeadToHead
from arena_metric_outcomes.results import OUTCOMES, ResultGroup


def figures(table: Measurements, rows: Columns, compared: Iterable[HeadToHead]) -> Iterator[Figure]:
    """For each game: outcomes and mean returns by agent, and who beats whom if more than two agents met."""
    by_game = rows.of_players().grouped("game")
    met: dict[str, list[HeadToHead]] = {}
    for duel in compared:
        met.setdefault(duel.game, []).append(duel)
    for (game,), own in by_game.items():
        reference = table.baselines.get(game)
        agents = {agent: ResultGroup(own_rows, table, reference) for (agent,), own_rows in own.grouped("agent").items()}
        if reference and reference.has_winners:
            yield _outcomes(game, agents)
        yield _returns(game, agents)
        if len(met.get(game, ())) > 1:
            yield _matrix(game, list(agents), met[game], table)


def _outcomes(game: str, agents: dict[str, ResultGroup]) -> Figure:
    series = {outcome: tuple(group.share(outcome) for group in agents.values()) for outcome in OUTCOMES}
    kept = {
        name: values for name, values in series.items() if name != "undecided" or any(each.value for each in values)
    }
    counts = ", ".join(f"{agent} n={group.matches}" for agent, group in agents.items())
    references = _common(agents, "random wins", lambda ref: ref.random_wins)
    return Figure(
        kind="stacked-bar",
        title=f"{game}: outcomes",
        x=tuple(agents),
        series=kept,
        y_title="share of matches",
        references=references,
        note=f"{counts}.",
    )


def _returns(game: str, agents: dict[str, ResultGroup]) -> Figure:
    references = _common(agents, "random play", lambda ref: ref.random)
    references |= _common(agents, "optimal play", lambda ref: ref.optimal)
    values: tuple[Estimate, ...] = tuple(group.returns() for group in agents.values())
    return Figure(
        kind="bar",
        title=f"{game}: mean return",
        x=tuple(agents),
        series={"mean return": values},
        y_title="mean return",
        references=references,
    )


def _common(
    agents: dict[str, ResultGroup], name: str, of: Callable[[Baseline], Sequence[float] | None]
) -> dict[str, float]:
    """A baseline as a line in a figure, if it is the same for all agents because they had the same seats."""
    found = [group.against(of(group.reference) if group.reference else None) for group in agents.values()]
    values = [value for value in found if value is not None]
    if len(values) < len(found) or max(values) - min(values) > 1e-9:
        return {}
    return {name: values[0]}


def _turned(found: Estimate) -> Estimate:
    """The same difference, seen from the other agent."""
    value, low, high = (None if end is None else -end for end in (found.value, found.high, found.low))
    return attrs.evolve(found, value=value, low=low, high=high)


def _matrix(game: str, agents: Sequence[str], met: Sequence[HeadToHead], table: Measurements) -> Figure:
    cells = {(duel.first, duel.second): duel.difference(table) for duel in met}
    cells |= {(second, first): _turned(found) for (first, second), found in cells.items()}
    return Figure(
        kind="heat-map",
        title=f"{game}: head to head",
        x=tuple(agents),
        series={agent: tuple(cells.get((agent, other)) for other in agents) for agent in agents},
        x_title="against",
        y_title="agent",
        note="Mean difference of returns, row less column.",
    )
