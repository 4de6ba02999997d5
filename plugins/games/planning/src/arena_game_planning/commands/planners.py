"""The user's own planners, run as separate programs: Fast Downward and ENHSP."""

import asyncio
import os
import shutil
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs
from arena.installing import install_line

FAST_DOWNWARD: Final = "fast-downward"
ENHSP: Final = "enhsp"
PLANNERS: Final = (FAST_DOWNWARD, ENHSP)

_UNSOLVABLE: Final = frozenset({10, 11, 12})
"""Exit codes of Fast Downward without a plan: proved by the translator or the search, or the search gave up."""

_OUT_OF_BOUNDS: Final = frozenset({20, 21, 22, 23, 24})
"""Exit codes of Fast Downward for a task that takes more time or memory than it may have."""

_UNREADABLE: Final = frozenset({31, 33, 34})
"""Exit codes of Fast Downward for a task that it does not read or support, such as one with numbers."""

_GRACE_S: Final = 5
"""How long Fast Downward, which watches its time itself, may take beyond it before it is killed."""

_KEPT: Final = 1 << 16
"""How many bytes of what a planner prints are kept, from the end."""

_LONGEST_PLAN: Final = 1 << 22
"""The most bytes of a plan that are read."""

_HANGING: Final = 10
"""After so many times its limit of processor time, Fast Downward is taken to hang where nobody waits for it."""


class PlannerMissing(Exception):
    """A planner is not installed; the message says how to get it."""


@attrs.frozen
class PlannerAnswer:
    """What a planner found: a plan, or none and why.

    ``is_unsolvable`` means that the planner proved that no plan exists; otherwise it ran out of time or could not
    read the task, and ``reason`` says which. ``is_late`` means that its time or memory was over, ``has_failed`` that
    the program itself went wrong.
    """

    planner: str
    plan: tuple[str, ...] | None
    is_unsolvable: bool = False
    reason: str = ""
    is_late: bool = False
    has_failed: bool = False


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
        raise PlannerMissing(f"{planner} is not installed; {install_line(package)}, or name your program")
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
    """Ask a planner for a plan, as ``ask`` does, where no event loop is running and nobody waits.

    Fast Downward has ``limit_s`` seconds of processor time, however long they take.
    """
    wait_s = _HANGING * limit_s if planner == FAST_DOWNWARD else limit_s
    return asyncio.run(ask(domain_text, problem_text, planner, limit_s, program, wait_s))


async def ask(
    domain_text: str,
    problem_text: str,
    planner: str = FAST_DOWNWARD,
    limit_s: int = 10,
    program: str | None = None,
    wait_s: float | None = None,
) -> PlannerAnswer:
    """Ask a planner for a plan, for at most ``limit_s`` seconds; then it is killed with all that it started.

    Fast Downward counts processor time and ends by itself then; it is killed ``wait_s`` seconds after its start, by
    default a little after ``limit_s``.

    Fast Downward searches as ``lama-first`` does, ENHSP as it does by default. The plan is what the planner printed;
    nobody has checked it yet. No shell is involved. ``PlannerMissing`` if there is no such program.
    """
    command = find_planner(planner, program)
    with TemporaryDirectory(prefix="arena-planner-") as name:
        home = Path(name)
        (home / "domain.pddl").write_text(domain_text, "utf-8")
        (home / "problem.pddl").write_text(problem_text, "utf-8")
        if planner == FAST_DOWNWARD:
            limits = ("--overall-time-limit", f"{limit_s}s", "--plan-file", "plan")
            words = (*command, *limits, "--alias", "lama-first", "domain.pddl", "problem.pddl")
        else:
            words = (*command, "-o", "domain.pddl", "-f", "problem.pddl", "-sp", "plan")
        try:
            grace_s = _GRACE_S if planner == FAST_DOWNWARD else 0
            status, printed = await _run(words, home, wait_s or limit_s + grace_s)
        except OSError as error:
            return PlannerAnswer(planner, None, reason=f"{words[0]!r} cannot be started: {error}", has_failed=True)
        found = home / "plan"
        if found.is_file() and found.stat().st_size <= _LONGEST_PLAN and status is not None:
            return PlannerAnswer(planner, _actions(found.read_text("utf-8", "replace")))
    if status is None or (planner == FAST_DOWNWARD and status in _OUT_OF_BOUNDS):
        return PlannerAnswer(planner, None, reason=f"no plan within {limit_s} s", is_late=True)
    return _without_plan(planner, status, printed)


def _without_plan(planner: str, status: int, printed: str) -> PlannerAnswer:
    if planner == ENHSP:
        is_unsolvable = "unsolvable" in printed.lower()
        reason = "" if is_unsolvable else _last_words(status, printed)
        return PlannerAnswer(ENHSP, None, is_unsolvable, reason, has_failed=not is_unsolvable and status != 0)
    if status in _UNSOLVABLE:
        return PlannerAnswer(FAST_DOWNWARD, None, status in (10, 11), "the search found no plan")
    reason = _last_words(status, printed)
    return PlannerAnswer(FAST_DOWNWARD, None, reason=reason, has_failed=status not in _UNREADABLE)


async def _run(words: tuple[str, ...], home: Path, limit_s: float) -> tuple[int | None, str]:
    """The exit status of a program and the end of what it printed; the status is ``None`` if its time was over."""
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=home,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,  # so that what it starts can be killed with it
    )
    printed = bytearray()

    async def read() -> None:
        assert process.stdout is not None
        while chunk := await process.stdout.read(_KEPT):
            printed.extend(chunk)
            del printed[:-_KEPT]
        await process.wait()

    is_late = False
    try:
        async with asyncio.timeout(limit_s):
            await read()
    except TimeoutError:
        is_late = True
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    return (None if is_late else process.returncode), printed.decode(errors="replace")


def _actions(text: str) -> tuple[str, ...]:
    """The actions of a printed plan, without comments and times before them."""
    return tuple(
        line[line.index("(") :].strip() for line in text.splitlines() if "(" in line and line.lstrip()[:1] != ";"
    )


def _last_words(status: int, printed: str) -> str:
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return f"exit code {status}: {lines[-1][:200] if lines else 'nothing was printed'}"


def _packaged(planner: str) -> str | None:
    package, inside = (
        ("up_fast_downward", "downward/fast-downward.py")
        if planner == FAST_DOWNWARD
        else ("up_enhsp", "ENHSP/enhsp.jar")
    )
    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return next((str(path) for place in places if (path := Path(place) / inside).is_file()), None)
