"""Make the records of the shipped tasks, ``plans/*.json.xz``: seeds, reference plans, and what is known of them.

    python plugins/games/planning/scripts/make_tasks.py --cache FOLDER [--fast-downward PROGRAM] [DOMAIN …]

Every number gets the first seed whose problem is new and has a plan. The plan is the generator's own without needless
steps, or that of Fast Downward (``lama-first``, 10 s) where that is shorter. Plans of numeric domains, which Fast
Downward cannot read, have 10 to 700 steps. Answers of Fast Downward are kept in the folder, so that a second run asks
for nothing twice. Without a domain all are made: an hour on one core. ``measure_tasks.py`` adds what takes longer.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import attrs
from arena_game_planning.commands.planners import PlannerAnswer, solve
from arena_game_planning.commands.short_plans import constructed, mean_legal_actions
from arena_game_planning.generators import DOMAINS, generator
from arena_game_planning.pddl import read_domain, read_plan, read_problem
from arena_game_planning.tasks.shipped import StoredTask, digest, domain_text, draft, packed_tasks, problem_text
from arena_game_planning.tasks.validation import validate

PLANS = Path(__file__).parents[1] / "src" / "arena_game_planning" / "plans"
NUMERIC = {"drone", "counters", "markettrader", "settlersnumeric", "sugar"}
LIMIT_S = 10
LONGEST_NUMERIC = 700


def answer(cache: Path, program: str | None, about: str, problem: str) -> PlannerAnswer:
    """What Fast Downward says about a task, from the folder where it was asked before."""
    kept = cache / f"{digest(about, problem)}-lama.json"
    if kept.is_file():
        said = json.loads(kept.read_text())
        return PlannerAnswer(**said | {"plan": said["plan"] and tuple(said["plan"])})
    found = solve(about, problem, limit_s=LIMIT_S, program=program)
    kept.write_text(json.dumps(attrs.asdict(found)))
    return found


def record(domain: str, number: int, seen: set[str], cache: Path, program: str | None) -> StoredTask:
    """The first seed that gives a new problem with a plan, and the shorter of the plans that are known."""
    about = domain_text(domain)
    for seed in range(1000):
        try:
            drawn = draft(domain, number, seed)
        except ValueError:
            continue
        problem = problem_text(domain, number, seed)
        body = problem.split("\n", 1)[1]
        if body in seen:
            continue
        seen.add(body)
        found = None if domain in NUMERIC else answer(cache, program, about, problem)
        plans: list[tuple[int, int, str, tuple[str, ...]]] = []
        if (own := constructed(about, problem, drawn)) is not None:
            plans.append((len(own), 0, "construction", own))
        if found is not None and found.plan:
            plans.append((len(found.plan), 1, "fast-downward lama-first", found.plan))
        if not plans or (domain in NUMERIC and not 10 <= min(plans)[0] <= LONGEST_NUMERIC):
            continue
        _, _, found_by, plan = min(plans)
        verdict = validate(about, problem, "\n".join(plan))
        if not verdict.valid:
            raise ValueError(f"{domain}#{number}, seed {seed}: {verdict.reason}")
        steps = read_plan("\n".join(plan))
        return StoredTask(
            seed=seed,
            digest=digest(about, problem),
            found_by=found_by,
            plan=plan,
            planner_steps=len(found.plan) if found is not None and found.plan else None,
            is_optimal=found_by == "construction" and drawn.is_shortest,
            legal_actions=round(mean_legal_actions(read_problem(read_domain(about), problem), steps), 2),
        )
    raise ValueError(f"{domain}#{number}: no seed of 1000 has a plan")


def main() -> None:
    """Make the domains that are named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domains", nargs="*", default=list(DOMAINS), metavar="DOMAIN")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--fast-downward", dest="program")
    chosen = parser.parse_args()
    chosen.cache.mkdir(parents=True, exist_ok=True)
    for domain in chosen.domains:
        began, seen = time.perf_counter(), set[str]()
        numbers = range(1, len(generator(domain).sizes) + 1)
        made = tuple(record(domain, number, seen, chosen.cache, chosen.program) for number in numbers)
        (PLANS / f"{domain}.json.xz").write_bytes(packed_tasks(made))
        lengths = sorted(len(task.plan) for task in made)
        took = time.perf_counter() - began
        sys.stderr.write(f"{domain}: {len(made)}, median {lengths[len(lengths) // 2]}, {took:.0f} s\n")


if __name__ == "__main__":
    main()
