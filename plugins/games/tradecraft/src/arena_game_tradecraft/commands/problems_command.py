"""The command ``arena tradecraft-problems``, which generates and grades problems."""

import sys
from collections import Counter
from pathlib import Path

import attrs
import click
from arena_cli import Command
from arena_cli.output import OutputColumn, result, status, table, terminal_of

from arena_game_tradecraft.generation.generating import Generated, generate, grade
from arena_game_tradecraft.match.problem import (
    BANDS,
    IMPOSSIBLE,
    Problem,
    check_problems,
    load_problems,
    out_of_reach,
    say_out_of_reach,
    write_problems,
)
from arena_game_tradecraft.rules.amounts import say_amounts
from arena_game_tradecraft.rules.loading import load

_COLUMNS = (
    OutputColumn(title="#", align="right"),
    OutputColumn(title="targets", wraps=True),
    OutputColumn(title="chain"),
    OutputColumn(title="trades"),
    OutputColumn(title="kinds"),
    OutputColumn(title="jointly"),
    OutputColumn(title="level"),
)


@click.command(cls=Command)
@click.option("--ruleset", default="minecraft", show_default=True, help="The rules they are for.")
@click.option("--players", type=click.IntRange(1), default=2, show_default=True, help="How many play.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other problems.")
@click.option("--count", type=click.IntRange(1), default=10, show_default=True, help="How many problems.")
@click.option("--level", type=click.Choice(["any", *BANDS]), default="any", show_default=True, help="How hard.")
@click.option(
    "--distractors",
    "needless",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    help="Kinds in each hand that nobody is meant to need.",
)
@click.option("--jointly", is_flag=True, help="Only where all targets can be held at once.")
@click.option("--grade", "graded", metavar="FILE", help="Make none up; find out how hard these are.")
@click.option("--show", "shown", metavar="FILE", help="Make none up; show what is known of these.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write them into this file.")
def tradecraft_problems(
    ruleset: str, graded: str | None, shown: str | None, output: Path | None, **wish: int | str | bool
) -> None:
    """Make up problems of TradeCraft, and find out how hard problems are.

    Each target is proved to be within reach, and what it takes at the least is counted: crafts, trades, and kinds of
    item that change hands. What could not be settled is called unknown. Easy, medium and hard go by the crafts times
    the trades of the hardest target.

    FILE is the name of problems that are shipped (minecraft-pairs, alchemy-pairs, paper), also in part (paper#2), or a
    file of yours. With -o a file is written that a game names as its problems.
    """
    if graded and shown:
        raise click.UsageError("--grade and --show: expected one of them")
    rules = load(ruleset)
    if given := graded or shown:
        problems = load_problems(given)
        check_problems(problems, rules)
    else:
        problems = generate(rules, Generated(**wish))  # pyright: ignore[reportArgumentType] -- options of that name
    if graded:
        problems = tuple(attrs.evolve(problem, difficulty=grade(rules, problem)) for problem in problems)
    left_out = out_of_reach(problems, rules)
    rows = [_row(i, problem, i in left_out) for i, problem in enumerate(problems)]
    result(table(_COLUMNS, rows, terminal_of(sys.stdout), indent=0))
    levels = Counter(problem.difficulty.level for problem in problems if problem.difficulty)
    result(", ".join(f"{n} {level}" for level, n in sorted(levels.items())) or "nothing is known of them")
    if left_out:
        result(say_out_of_reach(problems, left_out))
    if output is not None:
        output.write_text(write_problems(problems), "utf-8")
        status(f"written to {output}")


def _row(index: int, problem: Problem, is_left_out: bool) -> tuple[str, ...]:
    number = index + 1
    targets = " | ".join(say_amounts(target) for target in problem.targets)
    known = problem.difficulty
    if known is None:
        return (str(number), targets, *((IMPOSSIBLE, "", "", "no", IMPOSSIBLE) if is_left_out else ("",) * 5))
    jointly = known.jointly if isinstance(known.jointly, str) else "yes" if known.jointly else "no"
    counts = (" ".join(map(str, findings)) for findings in (known.chain, known.trades, known.kinds))
    return (str(number), targets, *counts, jointly, known.level)
