"""Add to the records of the shipped tasks what takes long: how many states there are, and which plans are shortest.

    python plugins/games/planning/scripts/measure_tasks.py --cache FOLDER [--fast-downward PROGRAM] [DOMAIN …]

Fast Downward translates a task, every fact kept, and searches blindly for what cannot be had: what it has seen in the
end are all states that can be reached. Up to a million they are counted; above that stands the product of the domains
of its variables, which bounds them from above; a bound of over 10^8 is not searched. Where states were counted, a
blind search says how short a plan can be. In two numeric domains, drone and counters, all numbers have bounds, whose
product bounds the states; in the other three they have none. Answers are kept in the folder.
"""

import argparse
import json
import math
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
from arena_game_planning.commands.planners import FAST_DOWNWARD, find_planner
from arena_game_planning.generators import DOMAINS
from arena_game_planning.pddl import read_domain, read_problem
from arena_game_planning.tasks.shipped import StoredTask, packed_tasks, stored_tasks, task
from make_tasks import NUMERIC, PLANS

LIMIT = 1_000_000
LIMIT_S = 3
LARGEST_SEARCHED = 8
BOUNDED = ("drone", "counters")


@attrs.frozen
class Space:
    """The logarithm of the number of states, whether they were counted, and the length of a shortest plan if known."""

    states: float
    is_counted: bool
    shortest: int | None


def measured(domain_text: str, problem_text: str, program: str | None) -> Space:
    """Count the states of a task, and find out how short a plan can be where they are few enough."""
    driver = find_planner(FAST_DOWNWARD, program)
    with TemporaryDirectory() as name:
        home = Path(name)
        (home / "domain.pddl").write_text(domain_text)
        (home / "problem.pddl").write_text(problem_text)
        options = ("--sas-file", "task.sas", "domain.pddl", "problem.pddl", "--translate-options")
        _run((*driver, "--translate", *options, "--keep-unimportant-variables"), home)
        lines = (home / "task.sas").read_text().splitlines()
        bound = sum(math.log10(size) for size in _domains(lines))
        if bound > LARGEST_SEARCHED:
            return Space(bound, False, None)
        (home / "endless.sas").write_text("\n".join([*_without_goal(lines), ""]))
        said = _run((*driver, "endless.sas", "--search", f"astar(blind(), max_time={LIMIT_S})"), home)
        seen = re.search(r"registered states: (\d+)", said)
        if seen is None or "Time limit reached" in said or int(seen[1]) > LIMIT:
            return Space(bound, False, None)
        said = _run((*driver, "task.sas", "--search", f"astar(blind(), cost_type=one, max_time={LIMIT_S})"), home)
        length = re.search(r"Plan length: (\d+)", said)
        return Space(math.log10(int(seen[1])), True, int(length[1]) if length else None)


def bounded(domain: str, domain_text: str, problem_text: str) -> float:
    """The logarithm of the product of what all numbers and facts of a task can be, where the numbers have bounds."""
    problem = read_problem(read_domain(domain_text), problem_text)
    value = {name: int(number) for (name, *_), number in problem.initial.numbers.items()}
    if domain == "counters":
        return len(problem.objects) * math.log10((value["max-value"] + 1) * value["max-rate"])
    places = (value["max-x"] + 1) * (value["max-y"] + 1) * (value["max-z"] + 1)
    return math.log10(places * (value["full-battery"] + 1)) + len(problem.objects) * math.log10(2)


def _run(command: tuple[str, ...], home: Path) -> str:
    return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False).stdout


def _domains(lines: list[str]) -> list[int]:
    """How many values each variable has; what is derived from others does not count."""
    starts = [number for number, line in enumerate(lines) if line == "begin_variable"]
    return [int(lines[start + 3]) for start in starts if lines[start + 2] == "-1"]


def _without_goal(lines: list[str]) -> list[str]:
    """The task with a variable more, which nothing changes, and a goal for that variable."""
    first = lines.index("begin_variable")
    count = int(lines[first - 1])
    last = max(number for number, line in enumerate(lines) if line == "end_variable")
    state, goal = lines.index("end_state"), lines.index("begin_goal")
    more = ["begin_variable", "never", "-1", "2", "Atom never(no)", "Atom never(yes)", "end_variable"]
    after_goal = lines[lines.index("end_goal") :]
    before = [*lines[: first - 1], str(count + 1), *lines[first : last + 1], *more, *lines[last + 1 : state], "0"]
    return [*before, *lines[state : goal + 1], "1", f"{count} 1", *after_goal]


def with_measures(domain: str, number: int, record: StoredTask, cache: Path, program: str | None) -> StoredTask:
    """A record with what was measured, from the folder where that was done before."""
    kept = cache / f"{record.digest}-space.json"
    if domain in BOUNDED:
        chosen = task(domain, number)
        return attrs.evolve(record, states=round(bounded(domain, chosen.domain_text, chosen.problem_text), 3))
    if kept.is_file():
        space = Space(**json.loads(kept.read_text()))
    else:
        chosen = task(domain, number)
        space = measured(chosen.domain_text, chosen.problem_text, program)
        kept.write_text(json.dumps(attrs.asdict(space)))
    return attrs.evolve(
        record,
        states=round(space.states, 3),
        is_counted=space.is_counted,
        is_optimal=space.shortest == len(record.plan),
    )


def main() -> None:
    """Measure the domains that are named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=list(DOMAINS), metavar="DOMAIN")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--fast-downward", dest="program")
    chosen = parser.parse_args()
    chosen.cache.mkdir(parents=True, exist_ok=True)
    for domain in chosen.domains:
        if domain in NUMERIC and domain not in BOUNDED:
            continue
        records = enumerate(stored_tasks(domain), 1)
        made = tuple(with_measures(domain, number, record, chosen.cache, chosen.program) for number, record in records)
        (PLANS / f"{domain}.json.xz").write_bytes(packed_tasks(made))
        counted, shortest = sum(task.is_counted for task in made), sum(task.is_optimal for task in made)
        sys.stderr.write(f"{domain}: {len(made)} tasks, {counted} counted, {shortest} shortest plans\n")


if __name__ == "__main__":
    main()
