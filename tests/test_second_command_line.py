"""A command line of one's own needs no more than the reference names: it plays, resumes and reports."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from .test_public_names import core as core, undocumented

COMMAND = '''\
"""Plays a benchmark file into a directory, or the rest of the run that is there, and prints the report."""

import argparse
import asyncio
import sys
from pathlib import Path

from arena.catalog import Catalog
from arena.errors import ArenaError
from arena_engine import Benchmark, Journal, is_cut_off, load_benchmark
from arena_engine.execution import check_ready, check_secrets, create_run, play_run, resume_run
from arena_engine.forecast import estimate
from arena_report import ReportFormat, Screen, build


def said(*words: object) -> None:
    print(*words, file=sys.stderr)


def opened(file: Path, directory: Path, catalog: Catalog) -> tuple[Journal, Benchmark]:
    """The run of the directory, new or begun before."""
    if directory.exists() and not is_cut_off(directory):
        return resume_run(directory, catalog)
    benchmark = load_benchmark(file, catalog=catalog)
    check_secrets(benchmark)
    check_ready(benchmark)
    said(asyncio.run(estimate(benchmark)).matches, "matches")
    return create_run(benchmark, directory), benchmark


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--format", default="markdown")
    given = parser.parse_args(arguments)
    catalog = Catalog()
    try:
        journal, benchmark = opened(given.file, given.directory, catalog)
        with journal:
            status = asyncio.run(play_run(journal, benchmark, {}, lambda name, hook, error: said(name, hook, error)))
            report = build([journal], catalog=catalog, benchmarks=[benchmark])
    except ArenaError as error:
        said(error)
        return 2
    form = catalog.get("report", given.format).load()()
    assert isinstance(form, ReportFormat)
    print(form.text(report, Screen()))
    said(f"{status.finished} of {status.planned} matches", status.stopped or "")
    return status.exit_status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''

BENCHMARK = """\
games: {ttt: tic-tac-toe}
agents: {a: first-legal, b: random}
schedule: {use: round-robin, repeats: 2}
"""


@pytest.fixture
def acme(tmp_path, monkeypatch):
    """The command line as a module, in a folder with the benchmark."""
    (tmp_path / "acme_command.py").write_text(COMMAND)
    (tmp_path / "benchmark.yaml").write_text(BENCHMARK)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "acme_command", raising=False)
    return importlib.import_module("acme_command")


def test_second_command_line_needs_public_names_alone(acme, core, capsys):
    """Sixty lines play a benchmark file and print its report; where the run is there already, nothing is played."""
    codes, printed = [], []
    for _ in range(2):
        codes.append(acme.main(["benchmark.yaml", "run"]))
        printed.append(capsys.readouterr())

    assert undocumented(Path(acme.__file__), core) == []
    assert len(COMMAND.splitlines()) <= 60
    assert codes == [0, 0]
    assert re.search(r"^\| 1 \| 1–2 \| b \| \d+ \|", printed[0].out, re.M)
    assert printed[1].out == printed[0].out
    assert "4 of 4 matches" in printed[1].err


def test_second_command_line_says_a_mistake(acme, capsys):
    """A mistake in the file is one sentence."""
    Path("benchmark.yaml").write_text(BENCHMARK.replace("tic-tac-toe", "tic-tac-to"))

    assert acme.main(["benchmark.yaml", "run"]) == 2
    assert "did you mean" in capsys.readouterr().err
