"""Figures of the types of reasoning."""

from collections.abc import Iterator, Mapping, Sequence

from arena.tables import Estimate, Figure

from arena_metric_reasoning.move_statistics import ALL_AGENTS, ALL_GAMES, Moves, detail
from arena_metric_reasoning.reasoning_tables import Groups
from arena_metric_reasoning.references import FLAGS

PIES = 6
"""The most agents that share one figure of pie charts."""


def figures(groups: Groups, labels: Sequence[str]) -> Iterator[Figure]:
    """For each game pies, bars and a radar of the types, and how types change by turn; then for all games."""
    spoken = {key: moves for key, moves in groups.items() if moves.labels and ALL_AGENTS not in key}
    used = tuple(label for label in labels if any(label in moves.labels for moves in spoken.values()))
    games = dict.fromkeys(game for game, _ in spoken)
    for game in games:
        agents = {agent: moves for (of, agent), moves in spoken.items() if of == game}
        silent = {agent: moves for (of, agent), moves in groups.items() if of == game and agent not in agents}
        yield from _pies(game, agents, used, {a: m for a, m in silent.items() if a != ALL_AGENTS})
        yield _bars(game, agents, used)
        if len(used) > 2:
            yield _radar(game, agents, used)
        if game != ALL_GAMES:
            lasting = {agent: moves for agent, moves in agents.items() if len(moves.spoken.by_turn()) > 1}
            if lasting:
                yield _entropy(game, lasting)
            for agent, moves in lasting.items():
                yield _evolution(f"{game}: {agent}", moves.spoken, used)
    if spoken:
        yield _heat_map(spoken, used)


def flags(groups: Groups) -> Iterator[Figure]:
    """How often reasoning refers to things that do not exist or claims what is not so, by game."""
    kept = {
        key: Moves([row for row in moves.rows if row.value], moves.level)
        for key, moves in groups.items()
        if ALL_AGENTS not in key
    }
    for game in dict.fromkeys(game for game, _ in kept):
        agents = {agent: moves for (of, agent), moves in kept.items() if of == game and moves.rows}
        if agents:
            yield Figure(
                kind="bar",
                title=f"{game}: references to what is not there",
                x=FLAGS,
                series={
                    agent: tuple(moves.share([flag in detail(row)["flags"] for row in moves.rows]) for flag in FLAGS)
                    for agent, moves in agents.items()
                },
                y_title="share of moves with a reference",
                note=_counts(agents),
            )


def _pies(
    game: str, agents: Mapping[str, Moves], labels: Sequence[str], silent: Mapping[str, Moves]
) -> Iterator[Figure]:
    """A pie for each agent, which says on how many moves and matches it is based, and how many moves are not in it."""
    note = "Shares of the moves with reasoning, with intervals."
    if silent:
        note += (
            f" Without any reasoning: {', '.join(f'{name} ({len(own.rows):,} moves)' for name, own in silent.items())}."
        )
    names = list(agents)
    for start in range(0, len(names), PIES):
        own = {name: agents[name] for name in names[start : start + PIES]}
        yield Figure(
            kind="pie",
            title=f"{game}: types of reasoning",
            x=tuple(labels),
            series={_pie_name(name, moves): tuple(map(moves.of, labels)) for name, moves in own.items()},
            y_title="share of moves with reasoning",
            note=note,
        )


def _pie_name(agent: str, moves: Moves) -> str:
    matches = len({row.match for row in moves.spoken.rows})
    told = f"{agent}: {len(moves.labels):,} moves in {matches:,} matches"
    return f"{told}, {moves.silent:,} without reasoning"


def _bars(game: str, agents: Mapping[str, Moves], labels: Sequence[str]) -> Figure:
    return Figure(
        kind="stacked-bar",
        title=f"{game}: types of reasoning by agent",
        x=tuple(agents),
        series={label: tuple(moves.of(label) for moves in agents.values()) for label in labels},
        y_title="share of moves with reasoning",
        note=f"{_counts(agents)}.",
    )


def _radar(game: str, agents: Mapping[str, Moves], labels: Sequence[str]) -> Figure:
    return Figure(
        kind="radar",
        title=f"{game}: profiles of reasoning",
        x=tuple(labels),
        series={name: tuple(map(moves.of, labels)) for name, moves in agents.items()},
        note=f"{_counts(agents)}. Shares of moves with reasoning.",
    )


def _entropy(game: str, agents: Mapping[str, Moves]) -> Figure:
    by_turn = {name: moves.spoken.by_turn() for name, moves in agents.items()}
    turns = sorted({turn for own in by_turn.values() for turn in own})

    def at(moves: Moves | None) -> Estimate | None:
        return moves.entropy(is_corrected=True) if moves else None

    return Figure(
        kind="line",
        title=f"{game}: entropy of the types by turn",
        x=tuple(float(turn + 1) for turn in turns),
        series={name: tuple(at(own.get(turn)) for turn in turns) for name, own in by_turn.items()},
        x_title="turn of the agent",
        y_title="entropy in bits (Miller-Madow)",
        note="How many moves each turn has is in the table by turn.",
    )


def _evolution(title: str, moves: Moves, labels: Sequence[str]) -> Figure:
    turns = moves.spoken.by_turn()
    return Figure(
        kind="stacked-bar",
        title=f"{title}, types of reasoning by turn",
        x=tuple(str(turn + 1) for turn in turns),
        series={label: tuple(own.of(label) for own in turns.values()) for label in labels},
        x_title="turn of the agent",
        y_title="share of moves with reasoning",
        note=f"Moves by turn: {', '.join(f'{turn + 1}: {len(own.rows)}' for turn, own in turns.items())}.",
    )


def _heat_map(groups: Groups, labels: Sequence[str]) -> Figure:
    return Figure(
        kind="heat-map",
        title="Types of reasoning by game and agent",
        x=tuple(labels),
        series={f"{game}, {agent}": tuple(map(moves.of, labels)) for (game, agent), moves in groups.items()},
        x_title="type",
        limits=(0.0, 1.0),
        note="Shares of moves with reasoning.",
    )


def _counts(agents: Mapping[str, Moves]) -> str:
    return "Moves with reasoning: " + ", ".join(f"{name} n={len(moves.labels)}" for name, moves in agents.items())
