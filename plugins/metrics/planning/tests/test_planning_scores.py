"""Planning tasks played by scripted agents, from their records to the numbers of the tables."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, cast

import attrs
import pytest
from arena.agent import Agent, Refusal, RefusalKind, Reply
from arena.illegal_actions import IllegalActionPolicy
from arena.metric import Baseline, FinishedMatch, MeasurementRow, Measurements
from arena.record import MatchRecord
from arena.tables import Estimate, Section, Table
from arena.testing import FunctionAgent, check_metric, play
from arena_agent_planning.reference import Reference
from arena_agent_planning.walks import RandomWalk
from arena_game_planning.playing.game import Planning
from arena_game_planning.tasks.shipped import task
from arena_metric_planning.errors import PUBLISHED
from arena_metric_planning.metric import PlanningScores

NO_RETRIES = IllegalActionPolicy(retries=0, then="forfeit")
TASKS = ("blocksworld#1", "blocksworld#20", "elevator#10", "logistics#5", "rovers#3", "satellite#9")

Played = Callable[..., list[MatchRecord]]


def saying(plan: Any) -> FunctionAgent:
    """Answers every task with one text, or refuses as it is told."""
    return FunctionAgent(lambda *_: plan if isinstance(plan, Refusal) else Reply(action={"plan": plan}))


def cut_off() -> Refusal:
    """What a model's agent says of an answer that ended at the token limit."""
    return Refusal(kind=RefusalKind.TRUNCATED, reason="the answer was cut off")


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """The records of one agent in some tasks, each a variant of the game."""

    def played(
        name: str, agent: Agent, tasks: Sequence[str] = TASKS, repeat: int = 0, **more: Any
    ) -> list[MatchRecord]:
        policy = more.pop("illegal_actions", NO_RETRIES)
        records: list[MatchRecord] = []
        for word in tasks:
            place = tmp_path / str(len(list(tmp_path.iterdir())))
            record = play(Planning(tasks=word, **more), [agent], place, illegal_actions=policy).over
            game = f"planning[tasks={word}]"
            if "disguise" in more:
                game = f"twin[tasks={word}]"
            plan = attrs.evolve(
                record.plan, id=f"{game}/{name}/{repeat}.0", game=game, agents=(name,), pairing=name, repeat=repeat
            )
            records.append(attrs.evolve(record, plan=plan))
        return records

    return played


def section(records: Sequence[MatchRecord], metric: PlanningScores | None = None, **more: Any) -> Section:
    """The section of a report about some matches."""
    metric = metric or PlanningScores()
    rows = [MeasurementRow.of(m, record) for record in records for m in metric.measure(FinishedMatch(record, None))]
    (made,) = metric.summarize(Measurements(rows=rows, **more))
    return made


def table(made: Section, title: str) -> Table:
    """A table of a section, by its title."""
    (found,) = [table for table in made.tables if table.title == title]
    return found


def cells(made: Section, title: str, **where: str) -> dict[str, Any]:
    """The values of the row in which some columns are as told; of estimates, what is estimated."""
    found = table(made, title)
    names = [column.name for column in found.columns]
    rows = [dict(zip(names, row, strict=True)) for row in found.rows]
    (row,) = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return {name: cell.value if isinstance(cell, Estimate) else cell for name, cell in row.items()}


def lengths(tasks: Sequence[str] = TASKS) -> list[int]:
    """The lengths of the reference plans of some tasks."""
    named = (word.split("#") for word in tasks)
    return [len(task(domain, int(number)).plan or ()) for domain, number in named]


def test_reference_solves_all_and_looks_ahead_as_far_as_possible(played: Played):
    """The reference has accuracy 100 %, the mean reference length as look-ahead, and costs what the reference costs."""
    made = section(played("reference", Reference()))
    row, errors = (cells(made, f"{what} by agent", agent="reference") for what in ("Planning", "Errors"))

    assert row["accuracy"] == 1
    assert row["look-ahead"] == row["at best"] == pytest.approx(fmean(lengths()))
    assert (row["reached"], errors["cost"]) == (1, 1)
    assert errors["BC"] == errors["GS"] == errors["other"] == 0


def test_empty_plan_misses_the_goal_everywhere(played: Played):
    """An empty plan solves nothing, and all of its errors are unmet goals."""
    made = section(played("nothing", saying("")))
    row, errors = (cells(made, f"{what} by agent", agent="nothing") for what in ("Planning", "Errors"))

    assert (row["accuracy"], row["look-ahead"]) == (0, 0)
    assert (errors["GS"], errors["cost"]) == (1, None)
    assert cells(made, "Why plans are not valid", **{"class": "goal not reached"})["matches"] == len(TASKS)


@pytest.mark.slow
def test_look_ahead_weighs_tasks_by_their_length(played: Played):
    """Half of the tasks solved give the lengths of these, over the number of all tasks."""
    records = played("half", Reference(), TASKS[:3]) + played("half", saying(""), TASKS[3:])
    row = cells(section(records), "Planning by agent", agent="half")

    assert row["accuracy"] == 0.5
    assert row["look-ahead"] == pytest.approx(sum(lengths(TASKS[:3])) / len(TASKS))
    assert row["reached"] == pytest.approx(sum(lengths(TASKS[:3])) / sum(lengths()))


ERRORS = {
    "(fly b1 b2)": ("BC", "no such action"),
    "(pick-up b1 b2)": ("BC", "wrong number of arguments"),
    "(pick-up nobody)": ("BC", "no such object"),
    "(put-down b1)": ("BC", "precondition not met"),
    "": ("GS", "goal not reached"),
    "first pick up b1": ("other", "plan cannot be read"),
}


def test_each_class_of_error_is_told_apart(played: Played):
    """Finer classes stand under those of SPIN-Bench, and all shares with accuracy sum to one."""
    records = [
        record for number, plan in enumerate(ERRORS) for record in played("a", saying(plan), TASKS[:1], repeat=number)
    ]
    records += played("a", saying(cut_off()), TASKS[:1], repeat=8) + played("a", Reference(), TASKS[:1], repeat=9)
    made = section(records)

    for spin, title in (*ERRORS.values(), ("other", "answer cut off at the token limit")):
        row = cells(made, "Why plans are not valid", **{"SPIN-Bench": spin, "class": title})
        assert (row["matches"], row["share"]) == (1, 1 / 8)
    row = cells(made, "Errors by agent", agent="a")
    assert (row["BC"], row["GS"], row["other"], row["cut off"]) == (4 / 8, 1 / 8, 2 / 8, 1 / 8)
    assert cells(made, "Planning by agent", agent="a")["accuracy"] + row["BC"] + row["GS"] + row["other"] == 1


def test_what_a_policy_answers_is_not_the_players(played: Played):
    """A random plan in the place of a cut-off answer counts as the cut-off answer, even if it is valid."""
    policy = IllegalActionPolicy(retries=0, then="random")
    made = section(played("a", saying(cut_off()), ("assembly#1",) * 1, illegal_actions=policy))

    row = cells(made, "Errors by agent", agent="a")
    assert (row["other"], row["cut off"]) == (1, 1)
    assert "1 actions were put in by the policy" in table(made, "Why plans are not valid").note


def test_only_the_last_try_counts(played: Played):
    """An answer that was cut off and then given whole is solved, and counted nowhere else."""
    policy = IllegalActionPolicy(retries=1, then="forfeit")
    plan = "\n".join(task("blocksworld", 1).plan or ())
    agent = FunctionAgent(lambda decision, _: Reply(action={"plan": plan}) if decision.attempt else cut_off())
    made = section(played("a", agent, TASKS[:1], illegal_actions=policy))

    assert cells(made, "Planning by agent", agent="a")["accuracy"] == 1
    assert cells(made, "Errors by agent", agent="a")["cut off"] == 0


@pytest.mark.slow
def test_domains_have_rows_by_agent(played: Played):
    """Each agent has a row for each domain, with the rate of a random walk beside the reference."""
    made = section(played("reference", Reference()) + played("walk", RandomWalk()))
    rows = table(made, "Planning by domain").rows

    assert [row[:2] for row in rows[:2]] == [("blocksworld", "reference"), ("blocksworld", "walk")]
    assert len(rows) == 2 * 5
    assert cells(made, "Planning by domain", domain="blocksworld", agent="reference")["accuracy"] == 1
    assert cells(made, "Domains", domain="elevator")["class"] == "sequential, spatial"
    assert cells(made, "Planning by class of domain", **{"class": "spatial", "agent": "reference"})["accuracy"] == 1


def test_repeats_of_a_task_are_one_observation(played: Played):
    """Three repeats of six tasks are 18 matches of six independent tasks."""
    records = [record for repeat in range(3) for record in played("r", Reference(), repeat=repeat)]
    made = table(section(records), "Planning by agent")
    accuracy = cast("Estimate", made.rows[0][2])

    assert made.rows[0][1] == 18
    assert (accuracy.n, accuracy.unit) == (6, "tasks")


def test_random_play_stands_below(played: Played):
    """What random play earns in the variants of the game is their mean, in as many tasks as the agents had."""
    records = played("a", saying(""))
    found = {
        record.game: Baseline(random=(number / 10,), random_errors=(0.01,), random_n=50)
        for number, record in enumerate(records)
    }
    row = cells(section(records, baselines=found), "Planning by agent", agent="random play")

    assert (row["matches"], row["accuracy"]) == (6, pytest.approx(0.25))


def test_length_has_a_table_a_curve_and_its_band(played: Played):
    """Where short tasks are solved and long ones are not, the curve falls and the band holds it."""
    tasks = [f"blocksworld#{number}" for number in range(1, 100, 9)]
    steps = lengths(tasks)
    order = sorted(range(len(tasks)), key=steps.__getitem__)
    short, long = [tasks[i] for i in order[:6]], [tasks[i] for i in order[6:]]
    made = section(played("a", Reference(), short) + played("a", saying(""), long))
    (figure,) = [figure for figure in made.figures if "over" in figure.title]
    fitted = cast("Sequence[Estimate]", figure.series["a, fitted"])
    values = [cast("float", each.value) for each in fitted]

    assert values == sorted(values, reverse=True)
    assert values[0] > 0.8 > 0.2 > values[-1]
    assert all(cast("float", each.low) < cast("float", each.value) < cast("float", each.high) for each in fitted)
    assert len(table(made, "Accuracy over length").rows) == len(figure.x)


def test_twins_are_compared_task_by_task(played: Played):
    """Disguised tasks stand beside the same tasks under their own names; others do not count."""
    records = played("a", Reference()) + played("a", saying(""), TASKS[:2], disguise="words")
    records += played("a", Reference(), TASKS[2:4], disguise="words")
    made = section(records)
    row = cells(made, "Tasks in disguise", agent="a")

    assert (row["tasks"], row["own names"], row["disguised"], row["difference"]) == (4, 1, 0.5, 0.5)
    assert [row[0] for row in table(made, "Planning by agent").rows] == ["planning", "planning", "twin", "twin"]


@pytest.mark.campaign
def test_correlations_are_over_domains(played: Played):
    """Accuracy that falls from domain to domain with the legal actions has a rank correlation of minus one."""
    domains = ("blocksworld", "elevator", "logistics", "rovers", "satellite", "assembly")
    tasks = [f"{domain}#1" for domain in domains]
    records: list[MatchRecord] = []
    for repeat in range(6):
        records += played("a", Reference(), tasks[: 6 - repeat], repeat) + played(
            "a", saying(""), tasks[6 - repeat :], repeat
        )
    told = judged_with(records, {domain: (1.5**number, 2.0 * number) for number, domain in enumerate(domains)})
    made = section(told, PlanningScores(marked=domains[:4]))
    row = cells(made, "Accuracy and the size of tasks", **{"accuracy against": MEASURE, "domains taken": "all"})
    marked = cells(made, "Accuracy and the size of tasks", **{"accuracy against": MEASURE, "domains taken": "marked"})

    assert row["Spearman"] == pytest.approx(-1)
    assert -1 < row["Pearson"] < -0.5
    assert (row["domains"], marked["domains"]) == (6, 4)
    assert any("accuracy against legal actions" in figure.title for figure in made.figures)


MEASURE = "legal actions per step"


def judged_with(records: Sequence[MatchRecord], sizes: Mapping[str, tuple[float, float]]) -> list[MatchRecord]:
    """The records with other sizes of their tasks, which not all shipped tasks have."""

    def changed(record: MatchRecord) -> MatchRecord:
        events = list(record.events)
        data = cast("dict[str, Any]", events[-1].data)
        legal, space = sizes[data["domain"]]
        events[-1] = events[-1]._replace(data={**data, "legal_actions": legal, "state_space": space})
        return attrs.evolve(record, events=tuple(events))

    assert all(record.events[-1].kind == "judged" for record in records)
    return [changed(record) for record in records]


def test_published_shares_are_as_printed():
    """The shares of o1 sum to 100 %, and those of two rows do not, as they are printed."""
    totals = {row.system: row.total for row in PUBLISHED}

    assert totals["o1"] == 100
    assert (totals["Claude 3.5 Haiku"], totals["DeepSeek R1"]) == (93.24, 98.1)
    assert totals["o3-mini"] is None


def test_published_rows_stand_beside_whole_plans_only(played: Played):
    """What was published is shown beside whole plans of several domains, and can be left out."""
    several, one = played("a", Reference()), played("a", Reference(), TASKS[:1])
    titles = [[made.title for made in section(r, m).tables] for r, m in ((several, None), (one, None))]

    assert "Published by SPIN-Bench" in titles[0]
    assert "Published by SPIN-Bench" not in titles[1]
    without = section(several, PlanningScores(published=False))
    assert "Published by SPIN-Bench" not in [made.title for made in without.tables]


@pytest.mark.slow
def test_the_contract_of_metrics_is_kept(played: Played):
    """Matches with every kind of result are measured purely and summed up with intervals, in any order."""
    records = played("reference", Reference()) + played("a", saying(cut_off()))
    records += played("steps", RandomWalk(), TASKS[:2], mode="steps", repeat=1)

    assert check_metric(PlanningScores(), records).estimates > 0
    assert check_metric(PlanningScores()).tables == 0
