"""Measured matches as values: results of planning tasks and answers to questions, and how they are grouped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Estimate
from arena_metric_statistics import references
from arena_metric_statistics.means import mean, normal, ratio
from arena_metric_statistics.proportions import share

from arena_metric_planning.verdicts import PLAN

_ONE_OF_MANY = re.compile(r"\[(?:tasks?|domain|length|number|properties|seed)=[^\]]*\]")


class MeasuredResult(Protocol):
    """What was measured in one match of one agent.

    ``unit`` names the task or question: several matches about the same one are not independent.
    """

    @property
    def game(self) -> str:
        """The name of the game, without what a sweep over tasks or questions added."""
        ...

    @property
    def agent(self) -> str:
        """The name of the agent in the benchmark."""
        ...

    @property
    def unit(self) -> str:
        """The name of the task or question."""
        ...

    @property
    def is_right(self) -> bool:
        """Whether the task was solved or the question answered rightly."""
        ...

    @property
    def steps(self) -> int | None:
        """The length over which accuracy is shown; ``None`` if it is not known."""
        ...


@attrs.frozen(kw_only=True)
class PlanResult:
    """How one agent did in one planning task.

    ``spin`` and ``error`` are ``None`` for a valid plan. ``put_in`` counts actions that a policy put in, ``length`` and
    ``cost`` are the plan's, and those of the reference plan stand beside them; ``None`` means unknown. ``left_out`` is
    how many problems of the task's folder cannot be read and are not played.
    """

    game: str
    agent: str
    match: str
    is_right: bool
    task: str
    domain: str
    classes: tuple[str, ...] = attrs.field(converter=tuple)
    mode: str
    disguise: str | None
    spin: str | None
    error: str | None
    put_in: int
    length: int | None
    cost: float | None
    reference_length: int | None
    reference_cost: float | None
    legal_actions: float | None
    state_space: float | None
    is_counted: bool | None
    left_out: int = 0

    @property
    def unit(self) -> str:
        """The task, and whether its names were replaced."""
        return f"{self.task}/{self.disguise or ''}"

    @property
    def steps(self) -> int | None:
        """The steps that the task takes: those of its reference plan."""
        return self.reference_length

    @property
    def cost_ratio(self) -> float | None:
        """What the plan costs over the reference's cost, or its length over the reference's where nothing has a cost.

        ``None`` for a plan that is not valid, and where no reference plan is known.
        """
        if not self.is_right:
            return None
        for own, reference in ((self.cost, self.reference_cost), (self.length, self.reference_length)):
            if own is not None and reference is not None and own > 0 and reference > 0:
                return own / reference
        return None


@attrs.frozen(kw_only=True)
class QuestionResult:
    """How one agent answered one question of recall or tracking; of the latter ``domain`` and what follows is unset."""

    game: str
    agent: str
    match: str
    is_right: bool
    is_answered: bool
    put_in: int
    question: str
    length: int
    domain: str = ""
    properties: int = 0
    f1: float = 0.0
    precision: float = 0.0
    recall: float = 0.0

    @property
    def unit(self) -> str:
        """The name of the question, which no other one has."""
        return self.question

    @property
    def steps(self) -> int:
        """The length of the trajectory, or the number of moves."""
        return self.length


def plan_results(rows: Iterable[MeasurementRow]) -> list[PlanResult]:
    """The results of planning tasks, in an order that does not depend on when they were measured."""
    return sorted((PlanResult(**_fields(row)) for row in rows if row.name == PLAN), key=_place)


def question_results(rows: Iterable[MeasurementRow], kind: str) -> list[QuestionResult]:
    """The answers to questions of one kind, in an order that does not depend on when they were measured."""
    return sorted((QuestionResult(**_fields(row)) for row in rows if row.name == kind), key=_place)


def family(game: str) -> str:
    """The name of a game before a sweep over its tasks or questions made several of it."""
    return _ONE_OF_MANY.sub("", game)


R = TypeVar("R", bound=MeasuredResult)
K = TypeVar("K")


def by_agent(results: Iterable[R]) -> dict[tuple[str, str], list[R]]:
    """The results of each agent in each game, games that a sweep made of one taken together."""
    found: dict[tuple[str, str], list[R]] = {}
    for result in results:
        found.setdefault((result.game, result.agent), []).append(result)
    return dict(sorted(found.items()))


def units(results: Sequence[MeasuredResult]) -> list[str]:
    """The label of the independent unit of each result."""
    return [result.unit for result in results]


def accuracy(results: Sequence[MeasuredResult], level: float) -> Estimate:
    """The share of tasks solved or questions answered rightly."""
    return share_of(results, [result.is_right for result in results], level)


def share_of(results: Sequence[MeasuredResult], flags: Sequence[bool], level: float) -> Estimate:
    """The share of results with a flag."""
    return _named(share(flags, clusters=units(results), level=level), results)


def mean_of(
    results: Sequence[MeasuredResult], values: Sequence[float], level: float, bounds: tuple[float | None, float | None]
) -> Estimate:
    """The mean of a value of each result."""
    return _named(mean(values, clusters=units(results), level=level, bounds=bounds), results)


def ratio_of(
    results: Sequence[MeasuredResult], values: Sequence[float], bases: Sequence[float], level: float
) -> Estimate:
    """The sum of values over the sum of bases, which they cannot exceed."""
    made = ratio(values, bases, clusters=units(results), level=level, bounds=(0.0, 1.0))
    return _named(made, results)


def random_share(games: Iterable[str], measurements: Measurements) -> Estimate | None:
    """What random play earns over games that belong together; ``None`` where it was not measured in all of them.

    It is known from ``n`` random matches; ``in_as_many`` says where random play lies in as many tasks as a table has.
    """
    found = [measurements.baselines.get(game) for game in sorted(set(games))]
    known = [baseline for baseline in found if baseline is not None and baseline.players == 1 and baseline.random]
    if not known or len(known) < len(found):
        return None
    value = sum(baseline.random[0] for baseline in known) / len(known)
    error = sum(baseline.random_errors[0] ** 2 for baseline in known) ** 0.5 / len(known)
    played = sum(baseline.random_n for baseline in known)
    return normal(value, error, played, level=measurements.level, bounds=(0.0, 1.0), unit="playouts")


def in_as_many(random: Estimate, n: int, unit: str) -> Estimate:
    """The share of ``n`` tasks or questions that random play gets right."""
    assert random.value is not None  # somebody played
    return references.random_share(random.value, n, random.n, level=random.level, unit=unit)


def exactly(value: float, n: int, unit: str) -> Estimate:
    """A share that is known for all ``n`` units, and so has no interval."""
    return Estimate(value=value, n=n, unit=unit, method="no interval: known")


def noun(results: Sequence[MeasuredResult]) -> str:
    """What the independent units of results are called."""
    return "questions" if results and isinstance(results[0], QuestionResult) else "tasks"


def _named(estimate: Estimate, results: Sequence[MeasuredResult]) -> Estimate:
    return attrs.evolve(estimate, unit=noun(results))


def _fields(row: MeasurementRow) -> dict[str, Any]:
    detail = cast("Mapping[str, Any]", row.detail)
    about = {"game": family(row.game), "agent": str(row.agent), "match": row.match, "is_right": bool(row.value)}
    return {**detail, **about}


def _place(result: PlanResult | QuestionResult) -> tuple[str, ...]:
    return (result.game, result.agent, result.unit, result.match)
