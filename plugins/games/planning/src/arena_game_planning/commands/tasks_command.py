"""The command ``arena planning-tasks``, which lists, shows, generates, verifies and solves tasks."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import attrs
import click
from arena.errors import ConfigError
from arena_cli import Command
from arena_cli.output import OutputColumn, result, result_data, status, table, terminal_of

from arena_game_planning.commands.planners import FAST_DOWNWARD, PLANNERS, PlannerMissing, solve
from arena_game_planning.commands.short_plans import constructed, search
from arena_game_planning.generators import DOMAINS, Draft, generator
from arena_game_planning.pddl import atom_text, read_domain, read_problem
from arena_game_planning.tasks.folders import folder
from arena_game_planning.tasks.shipped import domain_text, known_domain, select, stored_tasks
from arena_game_planning.tasks.task import PlanningTask, disguised
from arena_game_planning.tasks.validation import validate

FAILED = 1

_FOLDER = click.Path(path_type=Path, file_okay=False)
_CHOICES = click.argument("choices", nargs=-1, metavar="[TASKS]…")
_PROGRAM = click.option("--program", metavar="FILE", help="Your planner, where it is not found by itself.")


@click.group(name="planning-tasks", context_settings={"help_option_names": ["-h", "--help"]})
def planning_tasks() -> None:
    """List, show, generate, verify and solve tasks of planning.

    TASKS are all, a domain (blocksworld), one task (blocksworld#3), a range (blocksworld#3-7), or the path of a folder
    of PDDL files with a domain.pddl.
    """


@planning_tasks.command("list", cls=Command)
@_CHOICES
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each.")
def list_tasks(choices: tuple[str, ...], as_json: bool) -> None:
    """List the domains with their tasks; with TASKS, what is known of each of these."""
    rows = [_task_row(task) for task in _chosen(choices)] if choices else [_domain_row(domain) for domain in DOMAINS]
    if as_json:
        result_data("\n".join(json.dumps(row) for row in rows))
        return
    result(_table(rows))
    if not choices:
        result(f"{sum(int(row['tasks']) for row in rows)} tasks")


@planning_tasks.command(cls=Command)
@click.argument("choice", metavar="TASK")
@click.option("--disguise", type=click.Choice(["words", "letters"]), help="Replace every name.")
@click.option("-o", "--output", type=_FOLDER, help="Write domain, problem and plan into this folder.")
def show(choice: str, disguise: Any, output: Path | None) -> None:
    """Show the domain, the problem and the reference plan of TASK."""
    tasks = [disguised(task, disguise) if disguise else task for task in _chosen((choice,))]
    if output is None:
        for task in tasks:
            result_data("\n".join((task.domain_text, task.problem_text, *(task.plan or ("; no plan is known",)))))
        return
    if len({task.domain_text for task in tasks}) > 1:
        raise click.UsageError("--output: expected tasks of one domain, since a folder has one domain.pddl")
    for task in tasks:
        _write(output, task.domain_text, f"{task.domain}-{task.number}", task.problem_text, task.plan)


@planning_tasks.command(cls=Command)
@click.argument("domain")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other tasks.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many tasks.")
@click.option("--like", type=click.IntRange(1), metavar="NUMBER", help="As large as the shipped task of this number.")
@click.option("--size", "sizes", multiple=True, metavar="NAME=N", help="Set a parameter of the size; may be repeated.")
@click.option("-o", "--output", type=_FOLDER, help="Write the tasks into this folder; otherwise they are printed.")
@_PROGRAM
def generate(
    domain: str,
    seed: int,
    count: int,
    like: int | None,
    sizes: tuple[str, ...],
    output: Path | None,
    program: str | None,
) -> None:
    """Make new tasks of DOMAIN, each with a plan.

    Sizes are those of the shipped tasks, spread from easy to hard. Where the generator knows no plan, your Fast
    Downward is asked for one; problems that have none within 10 seconds are left out and others drawn.
    """
    name = known_domain(domain)
    about = domain_text(name)
    known = generator(name).sizes
    if like is not None and like > len(known):
        raise ConfigError(f"--like: expected a number from 1 to {len(known)}, got {like}")
    for place in range(count):
        size = known[like - 1 if like else (2 * place + 1) * len(known) // (2 * count)]
        size = _resized(size, sizes)
        text, plan = _new_task(name, about, f"{seed}/{place}", f"{name}-{seed}-{place + 1}", size, program)
        if output is None:
            result_data("\n".join([text, *plan]))
        else:
            _write(output, about, f"{name}-{seed}-{place + 1}", text, plan)


@planning_tasks.command(cls=Command)
@_CHOICES
@click.option("--states", type=click.IntRange(1), default=20_000, show_default=True, help="How far to search.")
@click.pass_context
def verify(ctx: click.Context, choices: tuple[str, ...], states: int) -> None:
    """Check that TASKS (all by default) can be solved: by their reference plans, or else by search.

    A task without a plan is unsolvable if the search saw every state that can be reached, and unknown if it ended
    before. The exit code is 1 if a plan is not valid or a task is unsolvable.
    """
    tasks = _chosen(choices or ("all",))
    found = [(task, *_verified(task, states)) for task in tasks]
    for task, word, reason in found:
        if word != "valid":
            result(f"{task.name}: {word}{reason and ': '}{reason}")
    counts = {word: sum(other == word for _, other, _ in found) for word in dict.fromkeys(w for _, w, _ in found)}
    result(f"{len(found)} tasks: {', '.join(f'{count} {word}' for word, count in counts.items())}")
    ctx.exit(FAILED if counts.keys() & {"not valid", "unsolvable"} else 0)


@planning_tasks.command("solve", cls=Command)
@_CHOICES
@click.option("--planner", type=click.Choice(PLANNERS), default=FAST_DOWNWARD, show_default=True)
@click.option(
    "--limit", "limit_s", type=click.IntRange(1), default=10, show_default=True, help="Seconds for each task."
)
@click.option("--plans", "shows_plans", is_flag=True, help="Print the plans.")
@_PROGRAM
@click.pass_context
def solve_tasks(
    ctx: click.Context, choices: tuple[str, ...], planner: str, limit_s: int, shows_plans: bool, program: str | None
) -> None:
    """Solve TASKS with a planner of yours, which runs as a separate program, and check what it finds.

    fast-downward is searched on the path and in the package up-fast-downward, enhsp on the path and in up-enhsp. The
    exit code is 1 if a task is not solved.
    """
    if not choices:
        raise click.UsageError("expected at least one task, such as blocksworld#3")
    solved, tasks = 0, _chosen(choices)
    for task in tasks:
        answer = _asked(task.domain_text, task.problem_text, planner, limit_s, program)
        if answer.plan is None:
            result(f"{task.name}: {'unsolvable' if answer.is_unsolvable else 'no plan'}: {answer.reason}")
            continue
        verdict = validate(task.domain_text, task.problem_text, "\n".join(answer.plan))
        beside = "" if task.plan is None else f", reference {len(task.plan)}"
        result(f"{task.name}: {len(answer.plan)} steps{beside}, {'valid' if verdict.valid else verdict.reason}")
        if shows_plans:
            result_data("\n".join(answer.plan))
        solved += verdict.valid
    result(f"{solved} of {len(tasks)} solved")
    ctx.exit(0 if solved == len(tasks) else FAILED)


def _chosen(choices: Sequence[str]) -> tuple[PlanningTask, ...]:
    """The tasks that are named, or those of folders."""
    found: list[PlanningTask] = []
    for choice in choices:
        if not Path(choice).is_dir():
            found += select(choice)
            continue
        given = folder(choice)
        found += given.tasks
        for title, reason in given.left_out.items():
            status(f"{title} is left out: {reason}")
    return tuple(found)


def _domain_row(domain: str) -> dict[str, Any]:
    records = stored_tasks(domain)
    lengths = [len(record.plan) for record in records]
    return {
        "domain": domain,
        "tasks": len(records),
        "classes": " ".join(generator(domain).classes),
        "median length": median(lengths),
        "longest": max(lengths),
        "known shortest": sum(record.is_optimal for record in records),
    }


def _task_row(task: PlanningTask) -> dict[str, Any]:
    return {
        "task": task.name,
        "length": None if task.plan is None else len(task.plan),
        "found by": task.found_by,
        "shortest": task.optimal,
        "legal actions": task.legal_actions,
        "log10 of states x actions": None if task.state_space is None else round(task.state_space, 2),
        "counted": task.is_counted,
    }


def _cell(value: Any) -> str:
    return {None: "-", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The rows under their keys; of columns that do not fit the last ones go, and are all there as JSON."""
    keys = list(rows[0])
    columns = [
        OutputColumn(
            title=key,
            align="left" if any(isinstance(row[key], str) for row in rows) else "right",
            keep=len(keys) - place if place else 0,
        )
        for place, key in enumerate(keys)
    ]
    cells = [[_cell(value) for value in row.values()] for row in rows]
    return table(columns, cells, terminal_of(sys.stdout), indent=0, more="--json")


def _resized(size: Any, changes: Sequence[str]) -> Any:
    names = list(attrs.asdict(size))
    for change in changes:
        name, _, number = change.partition("=")
        if name not in names or not number.isdigit():
            raise ConfigError(f"--size: expected NAME=N with one of {', '.join(names)}, got {change!r}")
        size = attrs.evolve(size, **{name: int(number)})
    return size


def _new_task(
    domain: str, about: str, seed: str, title: str, size: Any, program: str | None
) -> tuple[str, tuple[str, ...]]:
    """The first draw that has a plan."""
    for attempt in range(50):
        try:
            draft: Draft = generator(domain).draw(Random(f"{domain}/{seed}/{attempt}"), size)
        except ValueError as error:
            raise ConfigError(f"{domain}: {error}") from None
        text = draft.text(domain, title)
        plan = constructed(about, text, draft)
        if plan is None:
            status(f"{domain}: the generator knows no plan; asking your Fast Downward")
            plan = _asked(about, text, FAST_DOWNWARD, 10, program).plan
        if plan is not None:
            return text, plan
    raise ConfigError(f"{domain}: none of 50 problems of this size has a plan that was found; try a smaller size")


def _asked(about: str, text: str, planner: str, limit_s: int, program: str | None) -> Any:
    try:
        return solve(about, text, planner, limit_s, program)
    except PlannerMissing as error:
        raise ConfigError(str(error)) from None


def _verified(task: PlanningTask, states: int) -> tuple[str, str]:
    if task.plan is not None:
        verdict = validate(task.domain_text, task.problem_text, "\n".join(task.plan))
        return ("valid", "") if verdict.valid else ("not valid", verdict.reason or "")
    problem = read_problem(read_domain(task.domain_text), task.problem_text)
    result = search(problem, states)
    if result.plan is not None:
        return "solvable", f"in {len(result.plan)} steps, such as {' '.join(map(atom_text, result.plan[:3]))}"
    seen = f"{result.states} states were searched"
    return ("unsolvable", f"{seen}, which are all") if result.is_exhausted else ("unknown", seen)


def _write(output: Path, about: str, name: str, text: str, plan: Sequence[str] | None) -> None:
    output.mkdir(parents=True, exist_ok=True)
    (output / "domain.pddl").write_text(about, "utf-8")
    (output / f"{name}.pddl").write_text(text, "utf-8")
    if plan is not None:
        (output / f"{name}.plan").write_text("\n".join([*plan, ""]), "utf-8")
    status(f"{output / name}.pddl")
