"""The command ``arena validate-plan``, which says whether plans solve tasks written in PDDL."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import click
from arena.errors import ConfigError
from arena.record import JSON
from arena_cli import Command
from arena_cli.output import result, result_data

from arena_game_planning.pddl import read_domain, read_problem
from arena_game_planning.tasks.validation import PlanVerdict, StateChange, judge, plain_number, validate

NOT_VALID = 1
MISTAKE = 2

_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


@click.command(cls=Command)
@click.argument("files", nargs=-1, type=_FILE, metavar="DOMAIN PROBLEM PLAN")
@click.option("--json", "as_json", is_flag=True, help="Write the verdict as one line of JSON.")
@click.option("--trace", is_flag=True, help="Say what each step changed.")
@click.option("--lines", is_flag=True, help="Judge many plans: one JSON object a line, from FILE or standard input.")
@click.pass_context
def validate_plan(ctx: click.Context, files: tuple[Path, ...], as_json: bool, trace: bool, lines: bool) -> None:
    """Say whether a plan solves a task written in PDDL, and where it goes wrong if not.

    DOMAIN, PROBLEM and PLAN are files; - is standard input. A plan is one action in parentheses after another. The exit
    code is 0 if the plan is valid, 1 if it is not, and 2 if the domain or the problem cannot be read.

    With --lines [FILE], each line is an object whose "domain", "problem" and "plan" are the texts themselves, and each
    verdict is a line of JSON. A task that cannot be read gives a line with "error", and the exit code 2 in the end.
    """
    if lines:
        if len(files) > 1:
            raise click.UsageError("--lines: expected one file, or none for standard input")
        ctx.exit(_judge_lines(files[0] if files else Path("-"), trace=trace))
    if len(files) != 3:
        raise click.UsageError(f"expected DOMAIN PROBLEM PLAN, got {len(files)} files")
    domain_file, problem_file, plan_file = files
    domain = read_domain(_read(domain_file), domain_file.name)
    problem = read_problem(domain, _read(problem_file), problem_file.name)
    verdict = judge(problem, _read(plan_file), trace=trace)
    if as_json:
        result_data(_line(verdict, trace=trace))
    else:
        result(_report(verdict))
    ctx.exit(0 if verdict.valid else NOT_VALID)


def _judge_lines(file: Path, *, trace: bool) -> int:
    code = 0
    with click.open_file(str(file), encoding="utf-8", errors="replace") as stream:
        for line in _not_empty(stream):
            try:
                domain, problem, plan = _task(line)
                verdict = validate(domain, problem, plan, trace=trace)
            except ConfigError as error:
                result_data(json.dumps({"error": str(error)}, ensure_ascii=False))
                code = MISTAKE
            else:
                result_data(_line(verdict, trace=trace))
                code = max(code, 0 if verdict.valid else NOT_VALID)
    return code


def _not_empty(stream: IO[str]) -> Iterator[str]:
    return (line for line in stream if line.strip())


def _task(line: str) -> tuple[str, str, str]:
    try:
        given: Any = json.loads(line, strict=False)  # models write raw line breaks into texts
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"expected a JSON object on each line: {error}") from None
    keys = ("domain", "problem", "plan")
    if not isinstance(given, dict) or not all(isinstance(given.get(key), str) for key in keys):
        raise ConfigError('expected an object with the texts "domain", "problem" and "plan" on each line')
    return given["domain"], given["problem"], given["plan"]


def _read(file: Path) -> str:
    try:
        with click.open_file(str(file), "rb") as stream:
            return stream.read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from None


def _line(verdict: PlanVerdict, *, trace: bool) -> str:
    record: dict[str, JSON] = verdict.record
    if trace:
        record["trace"] = [change.record for change in verdict.trace]
    return json.dumps(record, ensure_ascii=False)


def _report(verdict: PlanVerdict) -> Iterable[str]:
    for change in verdict.trace:
        yield f"{change.step}: {change.action}  {_changes(change)}".rstrip()
    if verdict.valid:
        cost = "" if verdict.cost is None else f", cost {plain_number(verdict.cost)}"
        yield f"valid, {verdict.length} step{'s' * (verdict.length != 1)}{cost}"
    else:
        yield f"not valid ({verdict.error_class}, {verdict.spin}): {verdict.reason}"


def _changes(change: StateChange) -> str:
    parts = [f"+{atom}" for atom in change.became_true] + [f"-{atom}" for atom in change.became_false]
    return " ".join([*parts, *(f"{name}={value}" for name, value in change.numbers)])
