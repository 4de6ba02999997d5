"""The program that does one errand of a review: ``python -m arena.review.child REPORT``, its task on standard input.

It writes a line of JSON for each thing it begins and each thing it is done with, so that whoever waits knows how far it
came if it does not come back.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from arena.review.process import DONE, Task


class Report:
    """Lines to whoever waits."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._began = time.perf_counter()

    def begin(self, part: str) -> None:
        """Say what is looked at from here on."""
        self._began = time.perf_counter()
        self._write({"part": part})

    def item(self, item: Any) -> None:
        """Hand in what was found."""
        import attrs

        self._write({"item": attrs.evolve(item, seconds=time.perf_counter() - self._began).written()})

    def value(self, name: str, value: Any) -> None:
        """Hand in anything else."""
        self._write({"value": {name: value}})

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line, default=str) + "\n")
        self._file.flush()


def _imports(task: Task, report: Report) -> None:
    from arena.review.imports import descriptor, loaded

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
    from arena.review.shape import parameters, schema

    for part, look in (("parameters", parameters), ("schema", schema)):
        report.begin(part)
        report.item(look(entry, cls))


def _conduct(task: Task, report: Report) -> None:
    from arena.errors import ArenaError
    from arena.review.building import entry_of
    from arena.review.conduct import conduct
    from arena.review.findings import Finding, Item

    report.begin("conformance")
    try:
        for item in conduct(task, entry_of(task.kind, task.name, task.dist)):
            report.item(item)
    except ArenaError as error:
        report.item(Item(part="conformance", findings=(Finding.of("example", str(error)),)))


def _world(task: Task, report: Report) -> None:
    from arena.review.worlds import shift

    if task.shift_s:
        shift(task.shift_s)
    from arena.errors import ArenaError
    from arena.review.building import entry_of
    from arena.review.findings import Item
    from arena.review.worlds import story

    report.begin("determinism")
    try:
        report.value("story", story(task, entry_of(task.kind, task.name, task.dist)))
    except ArenaError as error:
        report.item(Item(part="determinism", untested=str(error)))


def _playouts(task: Task, report: Report) -> None:
    from arena.review.building import entry_of
    from arena.review.pace import playouts

    report.begin("playouts")
    report.item(playouts(task, entry_of(task.kind, task.name, task.dist)))


def _speed(task: Task, report: Report) -> None:
    from arena.review.building import entry_of
    from arena.review.pace import speeds

    report.begin("speed")
    report.item(speeds(task, entry_of(task.kind, task.name, task.dist)))


_ERRANDS: Final[Mapping[str, Callable[[Task, Report], None]]] = {
    "imports": _imports,
    "conduct": _conduct,
    "world": _world,
    "playouts": _playouts,
    "speed": _speed,
}


def main() -> None:
    """Do what the task on standard input says."""
    task = Task(**json.load(sys.stdin))
    report = Report(Path(sys.argv[1]))
    try:
        _ERRANDS[task.errand](task, report)
    except Exception as error:
        import traceback

        from arena.review.findings import Finding, Item

        traceback.print_exc()
        frames = traceback.extract_tb(error.__traceback__)
        where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        part = {"imports": "class", "conduct": "conformance", "world": "determinism"}.get(task.errand, task.errand)
        report.item(Item(part=part, findings=(Finding.of("crash", f"{type(error).__name__}: {error}{where}"),)))
    report.value(DONE, True)


if __name__ == "__main__":
    main()
