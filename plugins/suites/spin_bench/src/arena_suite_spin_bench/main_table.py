"""Table 1: ten numbers of each agent and their mean, beside random and optimal play and what the paper printed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Final, Literal

import attrs
from arena.tables import Cell, Column, Estimate, Section, Table
from arena_metric_outcomes.columns import text
from arena_metric_planning.results import accuracy, mean_of
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share

from arena_suite_spin_bench.results import BOARDS, SHORT, SpinResults, blocks, players_of
from arena_suite_spin_bench.shipped_numbers import HIGHEST, published, random_play

TITLE: Final = "Table 1: planning, board games and Hanabi"
MEASURED, REFERENCE, PUBLISHED = "measured", "reference", "published"

_TEXT: Final = (
    "n counts what is independent: tasks, pairs of games with swapped sides, matches. "
    "Average: the mean of ten numbers, all but the look-ahead; Hanabi counts in per cent of 25 points. Its interval "
    "takes the ten as independent. Draws are against solvers, of chess at all levels of the engine together. Ranks are "
    "those of choices against the perfect player of connect four and against the engine's lowest level. An agent is "
    "one line for all runs that have an agent of its name, unless two of them measured the same."
)
_PUBLISHED_NOTE: Final = (
    "Published rows are as printed by Yao et al. (2025), without intervals, for 1,280 planning tasks, 10 games of "
    "tic-tac-toe and connect four, 4 of chess at a level and 5 of Hanabi. Models, prompts and tasks are not ours."
)


@attrs.frozen(kw_only=True)
class Score:
    """A column of Table 1: how it is shown, which suite measures it, and what optimal play reaches.

    ``weight`` makes of its value a number from 0 to 100 for the average; 0 leaves it out.
    """

    name: str
    title: str
    style: Literal["share", "number"]
    suite: str
    weight: float
    optimal: float | None
    of: Callable[[SpinResults, str], Estimate | None]


def _plan_accuracy(results: SpinResults, agent: str) -> Estimate | None:
    own = [result for result in results.plans if result.agent == agent]
    return accuracy(own, results.level) if own else None


def _look_ahead(results: SpinResults, agent: str) -> Estimate | None:
    own = [result for result in results.plans if result.agent == agent]
    if not own or any(result.steps is None for result in own):
        return None
    return mean_of(own, [result.is_right * float(result.steps or 0) for result in own], results.level, (0.0, None))


def _draws(board: str) -> Callable[[SpinResults, str], Estimate | None]:
    def of(results: SpinResults, agent: str) -> Estimate | None:
        own = results.against(board, agent)
        return share([r.detail == "draw" for r in own], clusters=blocks(own), level=results.level) if own else None

    return of


def _top_3(board: str) -> Callable[[SpinResults, str], Estimate | None]:
    def of(results: SpinResults, agent: str) -> Estimate | None:
        own = results.choices(board, agent)
        hits = [int(row.detail["rank"]) <= 3 for row in own]  # type: ignore[call-overload, index]  # a table
        return share(hits, clusters=blocks(own), level=results.level) if own else None

    return of


def _hanabi(players: int) -> Callable[[SpinResults, str], Estimate | None]:
    def of(results: SpinResults, agent: str) -> Estimate | None:
        own = [row for row in results.hanabi(agent) if players_of(row) == players]
        return mean([float(row.value or 0) for row in own], level=results.level, bounds=(0.0, HIGHEST)) if own else None

    return of


SCORES: Final = (
    Score(
        name="plan-accuracy",
        title="plan accuracy",
        style="share",
        suite="spin-planning",
        weight=100,
        optimal=1.0,
        of=_plan_accuracy,
    ),
    Score(
        name="look-ahead",
        title="N-step",
        style="number",
        suite="spin-planning",
        weight=0,
        optimal=None,
        of=_look_ahead,
    ),
    *(
        Score(
            name=f"draws-{board}",
            title=f"{SHORT[board]} draws",
            style="share",
            suite="spin-solvers",
            weight=100,
            optimal=1.0 if board == "tic-tac-toe" else None,
            of=_draws(board),
        )
        for board in BOARDS
    ),
    *(
        Score(
            name=f"top-3-{board}",
            title=f"{SHORT[board]} top 3",
            style="share",
            suite="spin-solvers",
            weight=100,
            optimal=1.0,
            of=_top_3(board),
        )
        for board in BOARDS[1:]
    ),
    *(
        Score(
            name=f"hanabi-{players}",
            title=f"Hanabi {players}P",
            style="number",
            suite="spin-hanabi",
            weight=100 / HIGHEST,
            optimal=HIGHEST,
            of=_hanabi(players),
        )
        for players in (2, 3, 4, 5)
    ),
)
"""The columns in the order of the paper, without the average."""


def average(cells: Mapping[str, Estimate | None], level: float) -> Estimate | None:
    """The mean of the ten numbers on a scale to 100; ``None`` if one is missing.

    The interval combines those of the ten as independent (G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008)
    1693-1702). There is none if one of the ten has none.
    """
    value, below, above, count, open_ = 0.0, 0.0, 0.0, 0, 0
    for score in SCORES:
        if score.weight:
            cell = cells[score.name]
            if cell is None or cell.value is None:
                return None
            count += 1
            value += score.weight * cell.value
            if cell.low is None or cell.high is None:
                open_ += 1
                continue
            below += (score.weight * (cell.value - cell.low)) ** 2
            above += (score.weight * (cell.high - cell.value)) ** 2
    if open_:
        why = f"no interval: {open_} of the ten numbers have none"
        return Estimate(value=value / count, n=count, level=level, unit="numbers", method=why)
    return Estimate(
        value=value / count,
        n=count,
        low=(value - sqrt(below)) / count,
        high=(value + sqrt(above)) / count,
        level=level,
        unit="numbers",
        method="the ten intervals combined, as independent",
    )


def main_section(results: SpinResults) -> Section:
    """Table 1, with a remark for each agent without an average."""
    rows: list[tuple[Cell, ...]] = []
    lacking: dict[str, list[str]] = {}
    for agent in results.agents:
        cells = {score.name: score.of(results, agent) for score in SCORES}
        found = average(cells, results.level)
        rows.append((agent, MEASURED, *cells.values(), found))
        if found is None:
            lacking.setdefault("; ".join(_missing(results, agent, cells)), []).append(repr(agent))
    rows += [*_references(results), *_published()]
    remarks = [f"No average of {', '.join(agents)}, not measured: {why}." for why, agents in lacking.items()]
    note = " ".join((*remarks, *_replies_of_last(results), _PUBLISHED_NOTE))
    table = Table(title=TITLE, columns=_columns(), rows=tuple(rows), note=note)
    return Section(title="SPIN-Bench", tables=(table,), text=_TEXT, data={"remarks": remarks})


def _columns() -> tuple[Column, ...]:
    middle = (Column(name=score.name, title=score.title, style=score.style) for score in SCORES)
    return (*text("agent", "row"), *middle, Column(name="average", title="average", style="number"))


def _missing(results: SpinResults, agent: str, cells: Mapping[str, Estimate | None]) -> Iterator[str]:
    """Which of the ten numbers are missing, with what measures or hinders them."""
    lacking: dict[str, list[str]] = {}
    for score in SCORES:
        if score.weight and cells[score.name] is None:
            board = score.name.removeprefix("top-3-")
            was_played = board in BOARDS and results.against(board, agent)
            why = results.unranked(board) if was_played else ""
            lacking.setdefault(why or f"suite:{score.suite}", []).append(score.title)
    for why, titles in lacking.items():
        yield f"{', '.join(titles)} ({why})"


def _replies_of_last(results: SpinResults) -> Iterator[str]:
    for agent in results.agents:
        rows = [row for board in BOARDS for row in results.of_board(board, "refusals") if row.agent == agent]
        count = sum(last_of_several(row.detail) for row in rows)
        if count:
            yield f"{count} actions of {agent!r} in board games count only by the rule of the last of several answers."


def last_of_several(detail: object) -> int:
    """How many actions of a player in a match only the rule plays by which the last of several answers counts."""
    return int(detail.get("last_of_several", 0)) if isinstance(detail, Mapping) else 0


def _references(results: SpinResults) -> Iterator[tuple[Cell, ...]]:
    """Random play as it was measured for this distribution, and optimal play."""
    yield ("random play", REFERENCE, *(random_play(score.name, results.level) for score in SCORES), None)
    lengths = {result.unit: result.steps for result in results.plans}
    known = [length for length in lengths.values() if length is not None]
    reference = sum(known) / len(known) if known and len(known) == len(lengths) else None
    optimal: Sequence[float | None] = [reference if s.name == "look-ahead" else s.optimal for s in SCORES]
    yield ("optimal play", REFERENCE, *optimal, None)


def _published() -> Iterator[tuple[Cell, ...]]:
    for row in published("table-1"):
        cells = (row[s.name] / 100 if s.style == "share" else row[s.name] for s in SCORES)
        yield (row["system"], PUBLISHED, *cells, row["average"])
