"""Where the time of tests goes: ``make test-times`` loads this into pytest, and then calls it to print the dearest.

Each process of pytest appends lines of JSON to a file of its own. A test's CPU seconds include those of the processes
that it started and waited for; what a fixture took is counted with the fixture and not with the test that came first.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "build" / "test-times"
SHOWN = 10

started = 0
"""Processes that this one has started."""
in_fixtures = [0.0, 0.0, 0]
"""Wall and CPU seconds and processes of the fixtures set up since the test began."""


def count_processes(event: str, _: object) -> None:
    """An audit hook that counts what starts a process."""
    global started
    started += event in {"subprocess.Popen", "os.fork", "os.posix_spawn"}


def spent() -> tuple[float, float, int]:
    """Wall seconds, CPU seconds with those of children that ended, and processes started, up to now."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.perf_counter(), sum(each.ru_utime + each.ru_stime for each in used), started


def since(before: tuple[float, float, int]) -> list[float]:
    """What was spent meanwhile."""
    return [now - then for now, then in zip(spent(), before, strict=True)]


def write(kind: str, name: str, took: Iterable[float]) -> None:
    """Append a line."""
    wall_s, cpu_s, processes = took
    line = {"kind": kind, "name": name, "wall_s": wall_s, "cpu_s": cpu_s, "processes": processes}
    with (FOLDER / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def pytest_configure() -> None:
    """Begin to count."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sys.addaudithook(count_processes)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What collecting takes in this process."""
    before = spent()
    try:
        return (yield)
    finally:
        write("collection", str(len(session.items)), since(before))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    """What a fixture takes, those it asks for not included: they are set up before."""
    before = spent()
    try:
        return (yield)
    finally:
        took = since(before)
        write("fixture", f"{fixturedef.argname} ({fixturedef.baseid or 'pytest'})", took)
        in_fixtures[:] = [sum(pair) for pair in zip(in_fixtures, took, strict=True)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """What a test takes with its set-up and tear-down, but without its fixtures."""
    in_fixtures[:] = [0.0, 0.0, 0]
    before = spent()
    try:
        return (yield)
    finally:
        write("test", item.nodeid, [whole - part for whole, part in zip(since(before), in_fixtures, strict=True)])


def table(title: str, rows: dict[str, list[float]], key: Callable[[list[float]], float]) -> None:
    """Print the dearest."""
    print(f"\n{title}\n{'wall s':>9}{'CPU s':>9}{'processes':>11}{'times':>7}")
    for name, (wall_s, cpu_s, processes, times) in sorted(rows.items(), key=lambda row: -key(row[1]))[:SHOWN]:
        print(f"{wall_s:9.1f}{cpu_s:9.1f}{processes:11.0f}{times:7.0f}  {name}")


def main() -> None:
    """Print what the last run wrote."""
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0] * 4))
    for file in FOLDER.glob("*.jsonl"):
        for line in map(json.loads, file.read_text("utf-8").splitlines()):
            took = [line["wall_s"], line["cpu_s"], line["processes"], 1]
            test, _, _ = line["name"].partition("[")
            path = line["name"].partition("::")[0]
            names = {line["kind"]: line["name"]}
            if line["kind"] == "test":
                parts = path.split("/")
                names |= {"family": test, "file": path, "distribution": "/".join(parts[: parts.index("tests")])}
            for kind, name in names.items():
                sums[kind][name] = [sum(pair) for pair in zip(sums[kind][name], took, strict=True)]
    for kind in ("distribution", "file", "family", "fixture"):
        table(f"dearest by {kind}", sums[kind], lambda row: row[1])
    table("dearest tests", sums["test"], lambda row: row[1])
    table("most waiting", sums["family"], lambda row: row[0] - row[1])
    table("most processes", sums["file"], lambda row: row[2])
    table("collection, for each process of pytest", sums["collection"], lambda row: row[1])
    whole = [sum(column) for column in zip(*sums["test"].values(), *sums["fixture"].values(), strict=True)]
    print(f"\n{len(sums['test'])} tests: {whole[0]:.0f} s, {whole[1]:.0f} CPU s, {whole[2]:.0f} processes")
    site = Path(sys.prefix)
    installed = sum(file.lstat().st_size for file in site.rglob("*") if file.is_file() and not file.is_symlink())
    print(f"{installed / 1e6:.0f} MB installed in {site.name}")


if __name__ == "__main__":
    main()
