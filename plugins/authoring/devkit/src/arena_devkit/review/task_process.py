"""Runs one task of a review: ``python -m arena_devkit.review.task_process REPORT``, with the task on stdin.

It appends a line of JSON to the file REPORT for each part that it begins and each that it finishes, so that the parent
process knows how far it came if it dies.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from arena_devkit.review.tasks import DONE, Task


class TaskOutput:
    """Writes results for the parent process, one line of JSON each."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._began = time.perf_counter()

    def begin(self, part: str) -> None:
        """Report which part is checked next, and start its timer."""
        self._began = time.perf_counter()
        self._write({"part": part})

    def item(self, item: Any) -> None:
        """Report the result of the part that was begun last, with its duration."""
        import attrs

        self._write({"item": attrs.evolve(item, seconds=time.perf_counter() - self._began).written()})

    def value(self, name: str, value: Any) -> None:
        """Report a named value other than an item."""
        self._write({"value": {name: value}})

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line, default=str) + "\n")
        self._file.flush()


def _imports(task: Task, report: TaskOutput) -> None:
    from arena_devkit.review.imports import descriptor, loaded

    report.begin("descriptor")
    item, entry = descriptor(task)
    report.item(item)
    report.value("is_usable", entry is not None)
    if entry is None:
        return
    report.begin("class")
    item, cls = loaded(entry)
    report.item(item)
    is_loaded = not {"import-error", "contract", "file"} & {finding.rule for finding in item.findings}
    report.value("is_loaded", is_loaded)
    if not is_loaded or not {"parameters", "schema"} & set(task.parts):
        return
    from arena_devkit.review.parameters import parameters, schema

    for part, look in (("parameters", parameters), ("schema", schema)):
        report.begin(part)
        report.item(look(entry, cls))


def _conduct(task: Task, report: TaskOutput) -> None:
    from arena.errors import ArenaError

    from arena_devkit.review.contracts import conduct
    from arena_devkit.review.examples import entry_of
    from arena_devkit.review.findings import Finding, Item

    report.begin("conformance")
    try:
        for item in conduct(task, entry_of(task.kind, task.name, task.dist)):
            report.item(item)
    except ArenaError as error:
        report.item(Item(part="conformance", findings=(Finding.of("example", str(error)),)))


def _world(task: Task, report: TaskOutput) -> None:
    from arena_devkit.review.determinism import shift

    if task.shift_s:
        shift(task.shift_s)
    from arena.errors import ArenaError

    from arena_devkit.review.determinism import story
    from arena_devkit.review.examples import entry_of
    from arena_devkit.review.findings import Item

    report.begin("determinism")
    try:
        report.value("story", story(task, entry_of(task.kind, task.name, task.dist)))
    except ArenaError as error:
        report.item(Item(part="determinism", untested=str(error)))


def _playouts(task: Task, report: TaskOutput) -> None:
    from arena_devkit.review.examples import entry_of
    from arena_devkit.review.speed import playouts

    report.begin("playouts")
    report.item(playouts(task, entry_of(task.kind, task.name, task.dist)))


def _speed(task: Task, report: TaskOutput) -> None:
    from arena_devkit.review.examples import entry_of
    from arena_devkit.review.speed import speeds

    report.begin("speed")
    report.item(speeds(task, entry_of(task.kind, task.name, task.dist)))


_TASKS: Final[Mapping[str, Callable[[Task, TaskOutput], None]]] = {
    "imports": _imports,
    "conduct": _conduct,
    "world": _world,
    "playouts": _playouts,
    "speed": _speed,
}


def main() -> None:
    """Run the task given on standard input."""
    task = Task(**json.load(sys.stdin))
    report = TaskOutput(Path(sys.argv[1]))
    try:
        _TASKS[task.task](task, report)
    except Exception as error:
        import traceback

        from arena_devkit.review.findings import Finding, Item

        traceback.print_exc()
        frames = traceback.extract_tb(error.__traceback__)
        where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        part = {"imports": "class", "conduct": "conformance", "world": "determinism"}.get(task.task, task.task)
        report.item(Item(part=part, findings=(Finding.of("crash", f"{type(error).__name__}: {error}{where}"),)))
    report.value(DONE, True)


if __name__ == "__main__":
    main()
