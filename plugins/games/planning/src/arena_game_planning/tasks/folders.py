"""Tasks from a folder of PDDL files of one's own."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import attrs
from arena.errors import ConfigError

from arena_game_planning.pddl import Domain, PddlError, read_domain, read_problem
from arena_game_planning.tasks.task import PlanningTask
from arena_game_planning.tasks.validation import judge


@attrs.frozen
class FolderTasks:
    """The tasks in a folder, and the files that hold none that can be read, each with the reason."""

    tasks: tuple[PlanningTask, ...]
    left_out: Mapping[str, str]


def folder(path: str | Path) -> FolderTasks:
    """The tasks in a folder and the folders in it, sorted by their paths.

    The domain of a problem is the nearest ``domain.pddl`` beside or above it; every other ``*.pddl`` is a problem. A
    reference plan is read from a file of the same name with the ending ``.plan``. A problem that cannot be read, or
    whose plan is not valid, is left out. ``ConfigError`` where there is no task at all.
    """
    root = Path(path)
    if not root.is_dir():
        raise ConfigError(f"tasks: no folder called {str(root)!r}")
    problems = sorted(file for file in root.rglob("*.pddl") if file.name != "domain.pddl")
    if not problems:
        raise ConfigError(f"{root}: expected a domain.pddl and problems beside it, found no problem")
    tasks: list[PlanningTask] = []
    left_out: dict[str, str] = {}
    for number, file in enumerate(problems, 1):
        try:
            tasks.append(_read(root, file, number))
        except ConfigError as error:
            left_out[file.relative_to(root).as_posix()] = "; ".join(error.problems)
    if not tasks:
        raise ConfigError(dict.fromkeys(left_out.values()))
    return FolderTasks(tuple(tasks), left_out)


def folder_task(path: str | Path, title: str) -> PlanningTask:
    """The task of one file in a folder, by its path there; ``ConfigError`` if it cannot be read."""
    root = Path(path)
    file = root / title
    if not file.resolve().is_relative_to(root.resolve()) or not file.is_file():
        raise ConfigError(f"tasks: no file called {title!r} in {str(root)!r}")
    return _read(root, file, 1)


def every_task(chosen: Any) -> Mapping[str, Any] | None:
    """Each task of a folder as a choice of its own, by domain and number; ``None`` for any other choice of tasks."""
    given: Any = cast("Mapping[str, Any]", chosen).get("folder") if isinstance(chosen, Mapping) else None
    if not isinstance(given, str) or set(cast("Mapping[str, Any]", chosen)) != {"folder"}:
        return None
    found = folder(given)
    met: Counter[str] = Counter()
    choices: dict[str, Any] = {}
    for task in found.tasks:
        met[task.domain] += 1
        more = {"left-out": len(found.left_out)} if found.left_out else {}
        choices[f"{task.domain}#{met[task.domain]}"] = {"folder": given, "file": task.title, **more}
    return choices


def _read(root: Path, file: Path, number: int) -> PlanningTask:
    beside = next((parent / "domain.pddl" for parent in file.parents if (parent / "domain.pddl").is_file()), None)
    if beside is None or not beside.is_relative_to(root):
        raise ConfigError(f"{file}: expected a domain.pddl beside or above it, within {root}")
    about, text = _text(beside), _text(file)
    try:
        domain = _domain(about, str(beside))
        problem = read_problem(domain, text, str(file))
    except PddlError as error:
        raise ConfigError(str(error)) from error
    plan: tuple[str, ...] | None = None
    if (shown := file.with_suffix(".plan")).is_file():
        lines = _text(shown)
        verdict = judge(problem, lines)
        if not verdict.valid:
            raise ConfigError(f"{shown}: expected a plan that solves {file.name}: {verdict.reason}")
        plan = tuple(line.strip() for line in lines.splitlines() if line.strip().startswith("("))
    return PlanningTask(
        domain=domain.name,
        number=number,
        domain_text=about,
        problem_text=text,
        plan=plan,
        found_by=shown.name if plan is not None else None,
        title=file.relative_to(root).as_posix(),
    )


@lru_cache(maxsize=64)
def _domain(text: str, name: str) -> Domain:
    return read_domain(text, name)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from error
