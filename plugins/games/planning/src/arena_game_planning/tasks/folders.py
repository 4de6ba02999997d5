"""Tasks from a folder of PDDL files of one's own."""

from pathlib import Path

from arena.errors import ConfigError

from arena_game_planning.pddl import PddlError, read_domain, read_problem
from arena_game_planning.tasks.task import PlanningTask
from arena_game_planning.tasks.validation import validate


def folder(path: str | Path) -> tuple[PlanningTask, ...]:
    """The tasks in a folder and the folders in it, sorted by their paths.

    The domain of a problem is the nearest ``domain.pddl`` beside or above it; every other ``*.pddl`` is a problem. A
    reference plan is read from a file of the same name with the ending ``.plan``. All files that cannot be read, and
    plans that are not valid, are named in one ``ConfigError``.
    """
    root = Path(path)
    if not root.is_dir():
        raise ConfigError(f"tasks: no folder called {str(root)!r}")
    problems = sorted(file for file in root.rglob("*.pddl") if file.name != "domain.pddl")
    if not problems:
        raise ConfigError(f"{root}: expected a domain.pddl and problems beside it, found no problem")
    tasks: list[PlanningTask] = []
    wrong: list[str] = []
    for number, file in enumerate(problems, 1):
        try:
            tasks.append(_read(root, file, number))
        except ConfigError as error:
            wrong += [problem for problem in error.problems if problem not in wrong]
    if wrong:
        raise ConfigError(wrong)
    return tuple(tasks)


def _read(root: Path, file: Path, number: int) -> PlanningTask:
    beside = next((parent / "domain.pddl" for parent in file.parents if (parent / "domain.pddl").is_file()), None)
    if beside is None or not beside.is_relative_to(root):
        raise ConfigError(f"{file}: expected a domain.pddl beside or above it, within {root}")
    about, text = _text(beside), _text(file)
    try:
        domain = read_domain(about, str(beside))
        read_problem(domain, text, str(file))
    except PddlError as error:
        raise ConfigError(str(error)) from error
    plan: tuple[str, ...] | None = None
    if (shown := file.with_suffix(".plan")).is_file():
        lines = _text(shown)
        verdict = validate(about, text, lines)
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


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from error
