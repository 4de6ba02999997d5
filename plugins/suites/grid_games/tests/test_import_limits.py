"""Files from somebody else are read within limits: one sentence says which of them one passes."""

import csv
import io
import json
import os
import subprocess
import sys
import zipfile

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner

from .published_files import write

PEAK = """
import resource, sys
from arena_cli.application.group import group
try:
    group(sys.argv[1:], prog_name="arena")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"[" + b" " * 100_000_000 + b"]")


def many_bombs(path):
    text = b"[" + b" " * 11_000_000 + b"]"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(9):
            archive.writestr(f"{number}.json", text)


def many_files(path):
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"{number}.txt", b"")


def damaged(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", os.urandom(1000))
    content = bytearray(path.read_bytes())
    content[60:90] = b"\xff" * 30
    path.write_bytes(content)


def field(path):
    path.write_text("UUID,GameNumber\n" + "x" * 11_000_000 + ",1\n")


BAD = {
    "a bomb": ("x.zip", bomb, "a.json: unpacks to more than 200 times its size; unpack it yourself if that is meant"),
    "bombs": ("x.zip", many_bombs, "all files together are longer than 48,000,000 bytes; give it in smaller files"),
    "many files": ("x.zip", many_files, "x.zip: holds more than 10,000 files"),
    "a damaged archive": ("x.zip", damaged, "x.zip: cannot be unpacked ("),
    "no archive": ("x.zip", lambda path: path.write_text("PK"), "x.zip: cannot be unpacked (File is not a zip file"),
    "a device": (
        "x.json",
        lambda path: path.symlink_to("/dev/zero"),
        "x.json: not a regular file, and nothing else",
    ),
    "a pipe": ("x.json", os.mkfifo, "x.json: not a regular file"),
    "a long file": ("x.json", lambda path: path.write_bytes(b" " * 12_000_001), "x.json: longer than 12,000,000 bytes"),
    "depth": ("x.json", lambda path: path.write_text("[" * 100_000 + "]" * 100_000), "nested deeper than 100"),
    "some depth": ("x.json", lambda path: path.write_text("[" * 102 + "]" * 102), "nested deeper than 100"),
    "objects": ("x.json", lambda path: path.write_text(f"[{'{},' * 200_000}{{}}]"), "more than 150,000 lists and"),
    "values": ("x.json", lambda path: path.write_text(f"[{'1,' * 2_000_000}1]"), "or 1,500,000 values"),
    "a field": ("x.csv", field, "x.csv: no CSV (field larger than field limit"),
    "cells": ("x.csv", lambda path: path.write_text("a,b\n" + "," * 2_000_000), "or 1,500,000 cells"),
    "half a character": ("x.json", lambda path: path.write_text('{"UUID": "\\ud83d"}'), "ends in half a character"),
    "infinity": ("x.json", lambda path: path.write_text('{"GameNumber": Infinity}'), "Infinity is no number of JSON"),
}


@pytest.mark.sample(fast=9, slow=16)
@pytest.mark.parametrize(("name", "make", "said"), BAD.values(), ids=BAD.keys())
@pytest.mark.timeout(20)
def test_a_file_that_passes_a_limit_is_one_sentence(tmp_path, name, make, said):
    """Nothing is written, and the sentence says what was refused; nothing hangs."""
    make(tmp_path / name)
    words = ["import", "llm-game-benchmark", str(tmp_path / name), "-o", str(tmp_path / "out.csv")]

    done = CliRunner().invoke(group, words, prog_name="arena")

    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code != 0
    assert said in " ".join(done.stderr.split())
    assert len(done.stderr) < 500 + 2 * len(str(tmp_path))
    assert not (tmp_path / "out.csv").exists()


def peak_mb(*words: object) -> float:
    """The most memory that an import takes, in megabytes."""
    command = [sys.executable, "-c", PEAK, "import", "llm-game-benchmark", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(done.stdout.split()[-1]) / 1000


@pytest.mark.slow  # a process for each file
@pytest.mark.parametrize("name", ["a bomb", "bombs", "a device", "objects", "values", "a field", "cells"])
def test_a_file_that_passes_a_limit_takes_little_memory(tmp_path, name):
    """At most 200 MB more than importing ten games."""
    file, make, _ = BAD[name]
    make(tmp_path / file)
    games = write(tmp_path, "tic-tac-toe", "list", (("one", "two"), ("two", "one")))

    usual = peak_mb(games[0], "-o", tmp_path / "usual.csv")

    assert peak_mb(tmp_path / file, "-o", tmp_path / "out.csv") < usual + 200


@pytest.mark.slow  # as above
def test_files_just_within_the_limits_take_little_memory(tmp_path):
    """At most 200 MB more than importing ten games: a table, objects and wide characters."""
    games = write(tmp_path, "tic-tac-toe", "list", (("one", "two"), ("two", "one")))
    usual = peak_mb(games[0], "-o", tmp_path / "usual.csv")
    rows = list(csv.DictReader(io.StringIO(games[0].read_text("utf-8"))))
    text = "".join(f'{{"a": "♞{number}"}},' for number in range(149_000))
    (tmp_path / "a.json").write_text(f"[{text}{{}}]")
    (tmp_path / "b.json").write_text(json.dumps([{"😀": "x" * 10_000_000}]))
    (tmp_path / "c.csv").write_text(",".join(rows[0]) + "\n" + ("," * 30 + "\n") * 45_000)

    for name in ("a.json", "b.json", "c.csv"):
        assert peak_mb(tmp_path / name, "-o", tmp_path / "out.csv") < usual + 200, name


def test_files_that_contradict_each_other_are_an_error_that_names_both(tmp_path):
    """The same match with another result: neither is believed."""
    games = write(tmp_path, "tic-tac-toe", "list", (("one", "two"), ("two", "one")))[0]
    rows = list(csv.DictReader(io.StringIO(games.read_text("utf-8"))))
    told = {**rows[0], "Result": "winner2nd" if rows[0]["Result"] == "winner1st" else "winner1st"}
    with (tmp_path / "other.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerow(told)
    words = ["import", "llm-game-benchmark", str(games), str(tmp_path / "other.csv"), "-o", str(tmp_path / "out.csv")]

    done = CliRunner().invoke(group, words, prog_name="arena")

    said = " ".join(done.stderr.split())
    assert done.exit_code != 0
    assert "other.csv 'winner" in said
    assert games.name in said
    assert not (tmp_path / "out.csv").exists()
