"""The user's own planners, run as separate programs: Fast Downward and ENHSP."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

FAST_DOWNWARD: Final = "fast-downward"
ENHSP: Final = "enhsp"
PLANNERS: Final = (FAST_DOWNWARD, ENHSP)

_UNSOLVABLE = {11, 12}
"""Exit codes of Fast Downward for a task that has no plan: found by the translator, or by a complete search."""


class PlannerMissing(Exception):
    """A planner is not installed; the message says how to get it."""


@attrs.frozen
class PlannerAnswer:
    """What a planner found: a plan, or none and why.

    ``is_unsolvable`` means that the planner proved that no plan exists; otherwise it ran out of time or could not
    read the task, and ``reason`` says which.
    """

    planner: str
    plan: tuple[str, ...] | None
    is_unsolvable: bool = False
    reason: str = ""


def find_planner(planner: str, program: str | None = None) -> tuple[str, ...]:
    """The command line of a planner: a program that is named, one on the path, or the one in the user's packages.

    Raises ``PlannerMissing`` where there is none. Packages are looked for, never imported.
    """
    if planner not in PLANNERS:
        raise PlannerMissing(f"no planner called {planner!r}; expected one of {', '.join(PLANNERS)}")
    names = ("fast-downward.py", "fast-downward") if planner == FAST_DOWNWARD else ("enhsp",)
    found = program or next((path for name in names if (path := shutil.which(name))), None) or _packaged(planner)
    if not found or not Path(found).is_file():
        package = "up-fast-downward" if planner == FAST_DOWNWARD else "up-enhsp"
        raise PlannerMissing(f"{planner} is not installed; pip install {package}, or name your program")
    if found.endswith(".py"):
        return (sys.executable, found)
    if found.endswith(".jar"):
        if not (java := shutil.which("java")):
            raise PlannerMissing("enhsp needs java on the path; install a Java runtime")
        return (java, "-jar", found)
    return (found,)


def solve(
    domain_text: str, problem_text: str, planner: str = FAST_DOWNWARD, limit_s: int = 10, program: str | None = None
) -> PlannerAnswer:
    """Ask a planner for a plan, for at most ``limit_s`` seconds.

    Fast Downward searches as ``lama-first`` does, ENHSP as it does by default. The plan is what the planner printed;
    nobody has checked it yet.
    """
    command = find_planner(planner, program)
    with TemporaryDirectory(prefix="arena-planner-") as name:
        home = Path(name)
        (home / "domain.pddl").write_text(domain_text, "utf-8")
        (home / "problem.pddl").write_text(problem_text, "utf-8")
        ask: Callable[[tuple[str, ...], Path, int], PlannerAnswer]
        ask = _fast_downward if planner == FAST_DOWNWARD else _enhsp
        try:
            return ask(command, home, limit_s)
        except subprocess.TimeoutExpired:
            return PlannerAnswer(planner, None, reason=f"no plan within {limit_s} s")


def _fast_downward(command: tuple[str, ...], home: Path, limit_s: int) -> PlannerAnswer:
    limits = ("--overall-time-limit", f"{limit_s}s", "--plan-file", "plan")
    ended = _run((*command, *limits, "--alias", "lama-first", "domain.pddl", "problem.pddl"), home, limit_s + 5)
    if (plan := home / "plan").is_file():
        return PlannerAnswer(FAST_DOWNWARD, _actions(plan.read_text("utf-8")))
    if ended.returncode in _UNSOLVABLE:
        return PlannerAnswer(FAST_DOWNWARD, None, ended.returncode == 11, "the search found no plan")
    if ended.returncode in {21, 23, 24}:
        return PlannerAnswer(FAST_DOWNWARD, None, reason=f"no plan within {limit_s} s")
    return PlannerAnswer(FAST_DOWNWARD, None, reason=_last_words(ended))


def _enhsp(command: tuple[str, ...], home: Path, limit_s: int) -> PlannerAnswer:
    ended = _run((*command, "-o", "domain.pddl", "-f", "problem.pddl", "-sp", "plan"), home, limit_s)
    if (plan := home / "plan").is_file():
        return PlannerAnswer(ENHSP, _actions(plan.read_text("utf-8")))
    is_unsolvable = "Unsolvable" in ended.stdout
    return PlannerAnswer(ENHSP, None, is_unsolvable, "" if is_unsolvable else _last_words(ended))


def _run(command: tuple[str, ...], home: Path, limit_s: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=limit_s, check=False)


def _actions(text: str) -> tuple[str, ...]:
    """The actions of a printed plan, without comments and times before them."""
    return tuple(line[line.index("(") :].strip() for line in text.splitlines() if "(" in line and line.lstrip()[:1] != ";")


def _last_words(ended: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
    return f"exit code {ended.returncode}: {lines[-1][:200] if lines else 'nothing was printed'}"


def _packaged(planner: str) -> str | None:
    package, inside = (
        ("up_fast_downward", "downward/fast-downward.py") if planner == FAST_DOWNWARD else ("up_enhsp", "ENHSP/enhsp.jar")
    )
    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return next((str(path) for place in places if (path := Path(place) / inside).is_file()), None)
