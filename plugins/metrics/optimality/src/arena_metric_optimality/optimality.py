"""The metric ``optimality``, which compares choices with those of a solver."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import attrs
from arena.metric import FinishedMatch, Measurement, MeasurementRow, Measurements, Metric
from arena.solver import Solver
from arena.tables import Cell, Column, Estimate, Figure, Section, Table
from arena_metric_statistics.means import mean, ratio
from arena_metric_statistics.proportions import share
from arena_metric_statistics.references import random_hits, random_mean
from attrs.validators import ge

from arena_metric_optimality import ranking
from arena_metric_optimality.columns import KEYS, by_agent, detail, styled
from arena_metric_optimality.errors import ANSWERS, answered, errors
from arena_metric_optimality.exploiting import exploitability
from arena_metric_optimality.hindsight import hindsight
from arena_metric_optimality.looking import looked
from arena_metric_optimality.ranking import as_best
from arena_metric_optimality.solving import SOLVING

_MEANING = (
    "Regret is what the best action was worth less what the chosen one was worth, in units of the game's returns, if "
    "everybody plays on optimally. An optimal choice is one that the solution takes with some probability. Beside each "
    "number stands what uniform random choices would score in the same positions; optimal choices score 100 % and have "
    "no regret. Scores are chance-corrected: 0 is random choice, 1 is optimal choice. Matches of one rotation block "
    "share their deals and count as one observation. Substituted actions are no choices of the agent."
)


@attrs.frozen(kw_only=True)
class Optimality(Metric):
    """Optimal choices, regret, exploitability and regret in hindsight, beside random and optimal play."""

    solvers: tuple[Solver, ...] = attrs.field(
        default=(), metadata={"help": "who judges: the first that takes a game; unless given, all that are installed"}
    )

    top: int = attrs.field(default=3, validator=ge(1), metadata={"help": "how many of the best actions count as top"})

    shows_ranks: bool = attrs.field(
        default=False, metadata={"help": "show which ranks were chosen and what choices lost, as SPIN-Bench does"}
    )

    last_is_best: bool = attrs.field(
        default=False, metadata={"help": "rank the last choice of each match first, as SPIN-Bench's code does"}
    )

    needs_game: ClassVar[bool] = True

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per choice with its regret, or with the reason why it has none; and the turns of each player."""
        assert match.game is not None  # ``needs_game`` is true
        found = looked(match, SOLVING.of(match.game, len(match.record.agents), self.solvers))
        return (*self._ranked(match, found), *answered(match.record))

    def _ranked(self, match: FinishedMatch, found: Iterable[Measurement]) -> Iterable[Measurement]:
        if not self.last_is_best:
            return found
        last = max(match.turns(), key=lambda turn: turn.step, default=None)
        ends = None if last is None else ("regret", last.player, last.turn)
        return (as_best(each) if (each.name, each.player, each.turn) == ends else each for each in found)

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Choices, exploitability and hindsight by game and agent; and what could not be valued."""
        rows = sorted(measurements.rows, key=lambda row: (row.match, row.name, row.player or 0, row.turn or 0))
        if all(row.name == ANSWERS for row in rows):
            text = "There is no choice to judge: no match has a result, or the games cannot be built here."
            yield Section(title="Optimality", text=text)
            return
        groups = by_agent(rows, "regret")
        tables = [
            _choices(measurements, rows),
            *((errors(measurements, rows),) if groups else ()),
            _ranks(measurements, rows, self.top),
            *((ranking.shares(measurements, groups), ranking.losses(measurements, groups)) if self.shows_ranks else ()),
            exploitability(measurements, rows, self.solvers),
            hindsight(measurements, rows),
            _unjudged(rows),
        ]
        shown = tuple(view for view in tables if view.rows)
        drawn = ranking.figures(measurements, groups) if self.shows_ranks else ()
        figures = (*_figures(measurements, rows), *drawn)
        yield Section(title="Optimality", tables=shown, figures=figures, text=_MEANING)


def _choices(table: Measurements, rows: Sequence[MeasurementRow]) -> Table:
    columns = (
        *KEYS,
        *styled("count", {"choices": "choices"}),
        *styled("share", {"optimal": "optimal choices", "random optimal": "random"}),
        *styled("number", {"optimal score": "score of choices"}),
        *styled(
            "number",
            {"regret": "mean regret", "random regret": "random", "optimal regret": "optimal"},
            unit="points of return",
        ),
        *styled("number", {"regret score": "score of regret"}),
        Column(name="method", title="judged by"),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game, agent), own in by_agent(rows, "regret").items():
        blocks = [row.block for row in own]
        details = [detail(row) for row in own]
        hits = [bool(detail["is_optimal"]) for detail in details]
        chances = [float(detail["random_optimal"]) for detail in details]
        regrets = [float(row.value or 0) for row in own]
        random_regrets = [float(each["random_regret"]) for each in details]
        methods = sorted({f"{detail['solver']}: {detail['method']}" for detail in details})
        lines.append(
            (
                *(game, agent, len(own)),
                share(hits, clusters=blocks, level=table.level),
                random_hits(chances, level=table.level),
                _score(
                    [hit - chance for hit, chance in zip(hits, chances, strict=True)],
                    [1 - c for c in chances],
                    blocks,
                    table,
                ),
                mean(regrets, clusters=blocks, level=table.level, bounds=(0, _span(table, game))),
                _random_regret(details, table, game),
                0.0,
                _score(
                    [chance - regret for chance, regret in zip(random_regrets, regrets, strict=True)],
                    random_regrets,
                    blocks,
                    table,
                ),
                "; ".join(methods),
            )
        )
    return Table(title="Choices against optimal play", columns=columns, rows=tuple(lines))


def _ranks(table: Measurements, rows: Sequence[MeasurementRow], top: int) -> Table:
    columns = (
        Column(name="game", title="game"),
        Column(name="agent", title="agent"),
        Column(name="choices", title="choices", style="count"),
        Column(name="keeps", title="kept the value", style="share"),
        Column(name="random keeps", title="random", style="share"),
        Column(name="keeps score", title="score", style="number"),
        Column(name="top", title=f"among the best {top}", style="share"),
        Column(name="random top", title="random", style="share"),
        Column(name="top score", title="score", style="number"),
    )
    lines: list[tuple[Cell, ...]] = []
    for (game, agent), own in by_agent(rows, "regret").items():
        blocks = [row.block for row in own]
        details = [detail(row) for row in own]
        kept = [bool(detail["keeps_value"]) for detail in details]
        keeping = [float(detail["random_keeps"]) for detail in details]
        hits = [int(detail["rank"]) <= top for detail in details]
        hitting = [sum(rank <= top for rank in detail["ranks"]) / len(detail["ranks"]) for detail in details]
        cells: list[Cell] = [game, agent, len(own)]
        for found, by_chance in ((kept, keeping), (hits, hitting)):
            cells += [
                share(found, clusters=blocks, level=table.level),
                random_hits(by_chance, level=table.level),
                _score(
                    [hit - p for hit, p in zip(found, by_chance, strict=True)],
                    [1 - p for p in by_chance],
                    blocks,
                    table,
                ),
            ]
        lines.append(tuple(cells))
    note = (
        "A choice keeps the value of the position if it is worth no less than what the solution itself plays there. "
        "Ranks count the actions that are better; equally good ones share a rank. Optimal choices do both always."
    )
    return Table(title="Ranks of choices", columns=columns, rows=tuple(lines), note=note)


def _score(gains: Sequence[float], spans: Sequence[float], blocks: Sequence[str], table: Measurements) -> Estimate:
    """(agent - random) / (optimal - random) over all choices; those in which all actions are equal do not count."""
    if not any(span > 1e-12 for span in spans):
        return Estimate(value=None, n=0, level=table.level, method="random play is optimal")
    return ratio(gains, spans, clusters=blocks, level=table.level, bounds=(None, 1.0))


def _random_regret(details: Sequence[Mapping[str, Any]], table: Measurements, game: str) -> Estimate:
    """The mean regret of one uniform choice in each of these situations."""
    return random_mean(
        sum(float(each["random_regret"]) for each in details) / len(details),
        [float(each["random_deviation"]) for each in details],
        level=table.level,
        bounds=(0.0, _span(table, game)),
        unit="choices",
    )


def _span(table: Measurements, game: str) -> float | None:
    ref = table.baselines.get(game)
    if ref is None or ref.min_return is None or ref.max_return is None:
        return None
    return ref.max_return - ref.min_return


def _unjudged(rows: Sequence[MeasurementRow]) -> Table:
    columns = (
        Column(name="game", title="game"),
        Column(name="agent", title="agent"),
        Column(name="choices", title="choices", style="count"),
        Column(name="why", title="why"),
    )
    counts: dict[tuple[str, str, str], int] = {}
    for row in rows:
        if row.name == "unjudged":
            why = {"substitute": "put in by the policy for illegal actions"}.get(
                str(row.value),
                "optimal opponents hardly ever let it come to this, so nothing can be said of what is best",
            )
            key = (row.game, str(row.agent), why)
            counts[key] = counts.get(key, 0) + 1
        elif row.name == "unsolved":
            why = "; ".join(str(reason) for reason in detail(row).values()) or "no solver is installed"
            counts.setdefault((row.game, "all", f"no solver takes this game: {why}"), 0)
    lines: list[tuple[Cell, ...]] = [
        (game, agent, count or None, why) for (game, agent, why), count in sorted(counts.items())
    ]
    return Table(title="Not judged", columns=columns, rows=tuple(lines))


def _figures(table: Measurements, rows: Sequence[MeasurementRow]) -> Iterable[Figure]:
    by_game: dict[str, dict[str, Estimate]] = {}
    for (game, agent), own in by_agent(rows, "regret").items():
        random_regrets = [float(detail(row)["random_regret"]) for row in own]
        gains = [chance - float(row.value or 0) for chance, row in zip(random_regrets, own, strict=True)]
        by_game.setdefault(game, {})[agent] = _score(gains, random_regrets, [row.block for row in own], table)
    for game, scores in by_game.items():
        yield Figure(
            kind="bar",
            title=f"{game}: score of regret",
            x=tuple(scores),
            series={"score of regret": tuple(scores.values())},
            y_title="chance-corrected score",
            references={"random choice": 0.0, "optimal choice": 1.0},
        )
