"""Benchmark files, run folders and names that somebody has made to do harm end in one sentence, and in nothing else."""

import resource
import subprocess
import sys
from collections.abc import Mapping

import pytest
from arena.errors import ConfigError
from arena_engine.benchmark.yaml_data import BYTES, LEVELS, VALUES, read_yaml
from arena_testing import unwrapped

NINE = ", ".join(["*a"] * 9)
LISTS = "a0: &a0 [x, x, x]\n" + "".join(f"a{i}: &a{i} [{NINE.replace('*a', f'*a{i - 1}')}]\n" for i in range(1, 10))
TABLES = "a0: &a0 {k: v}\n" + "".join(
    f"a{i}: &a{i}\n" + "".join(f"  k{j}: {{<<: *a{i - 1}}}\n" for j in range(9)) for i in range(1, 10)
)
YAML: Mapping[str, tuple[str, str]] = {
    "lists-that-multiply": (LISTS, r"line 6: more than 100,000 values"),
    "tables-that-multiply": (TABLES, r"line \d+: more than 100,000 values"),
    "brackets": ("games: " + "[" * 200_000, r"line 1: lists and tables lie more than 100 levels deep"),
    "braces": ("games: " + "{a: " * 150_000, r"line 1: lists and tables lie more than 100 levels deep"),
    "dashes": ("- " * 300_000, r"line 1: lists and tables lie more than 100 levels deep"),
    "keys": ("? " * 300_000, r"line 1: lists and tables lie more than 100 levels deep"),
    "indentation": ("".join(" " * i + "a:\n" for i in range(1200)), r"line 101: .* 100 levels deep"),
    "levels-by-aliases": (
        "".join(f"a{i}: &a{i} {'[' * 60}{f'*a{i - 1}' if i else 'x'}{']' * 60}\n" for i in range(50)),
        r"line 2: lists and tables lie more than 100 levels deep",
    ),
    "a-long-seed": ("name: x\nseed: " + "9" * 6_000, r"line 2: a number of more than 4,000 digits"),
    "a-long-seed-in-hexadecimal": ("seed: 0x" + "f" * 4_000, r"line 1: a number of more than 4,000 digits"),
    "a-long-seed-in-octal": ("seed: 0o" + "7" * 6_000, r"line 1: a number of more than 4,000 digits"),
    "a-long-seed-by-a-tag": ('seed: !!int "' + "9" * 6_000 + '"', r"line 1: a number of more than 4,000 digits"),
    "a-long-fraction": ("level: 0." + "9" * 6_000, r"line 1: a number of more than 4,000 digits"),
    "an-infinite-number": ("level: 1e999999", r"line 1: level: expected a finite number, got inf"),
    "a-long-text": ("name: " + "x" * 1_000_001, r"longer than 1,000,000 bytes"),
    "a-long-text-of-wide-letters": ("name: " + "\U0001f600" * 250_000, r"longer than 1,000,000 bytes"),
    "a-file-that-is-itself": (
        "games: &a [*a]\n",
        r"the YAML refers to itself or is nested too deeply in line 1; write it out",
    ),
    "many-documents": ("--- a\n" * 150_000, r"line 2, column 1: .*another document"),
    "a-python-object": ("games: !!python/object/apply:os.system [touch made]", r"line 1, column 8: .*constructor"),
    "a-tag": ("games: !!binary aGFsbG8=", r"line 1: games: expected text"),
    "nothing": ("\0", r"line 1, column 1: special characters are not allowed"),
}


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(("text", "said"), YAML.values(), ids=YAML.keys())
def test_yaml_that_does_harm_is_refused_before_anything_is_built(tmp_path, text, said):
    """One sentence with the line, without the work and the memory that building it would take."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, resource.getrusage(resource.RUSAGE_SELF)

    with pytest.raises(ConfigError, match=f"b.yaml: {said}") as refused:
        read_yaml(text, "b.yaml")

    ended = resource.getrusage(resource.RUSAGE_SELF)
    assert len(refused.value.problems) == 1
    assert len(str(refused.value)) < 250
    assert ended.ru_utime - began.ru_utime < 10  # nothing was built: that would take minutes
    assert ended.ru_maxrss - before < 200_000


@pytest.mark.campaign
def test_bounds_of_a_file_are_those_that_are_told():
    """What lies within the bounds is read, and one more is refused."""
    assert len(read_yaml("[" + "1," * (VALUES - 1) + "]", "b.yaml").data) == VALUES - 1
    read_yaml("[" * LEVELS + "]" * LEVELS, "b.yaml")
    assert read_yaml("n: " + "9" * 4_000, "b.yaml").data["n"] == 10**4_000 - 1
    assert read_yaml("n: '" + "9" * 6_000 + "'", "b.yaml").data["n"] == "9" * 6_000
    assert len(read_yaml("n: " + "x" * (BYTES - 3), "b.yaml").data["n"]) == BYTES - 3
    for text in ("[" + "1," * VALUES + "]", "[" * (LEVELS + 1), "n: " + "9" * 4_001, "n: " + "x" * (BYTES - 2)):
        with pytest.raises(ConfigError):
            read_yaml(text, "b.yaml")


@pytest.mark.slow
@pytest.mark.parametrize("command", [["run", "--dry-run"], ["check-agents"]], ids=" ".join)
@pytest.mark.parametrize("name", ["lists-that-multiply", "a-long-seed", "brackets"])
def test_the_command_line_says_it_in_one_sentence(arena, tmp_path, name, command):
    """A file that multiplies itself ends with exit code 2 and nothing written."""
    (tmp_path / "b.yaml").write_text(YAML[name][0])

    done = arena(command[0], "b.yaml", *command[1:])

    assert done.returncode == 2, done.stderr[-2000:]
    assert done.stderr.startswith("arena: b.yaml: line ")
    assert len(unwrapped(done.stderr).splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["b.yaml"]


def test_a_file_without_end_is_read_no_further_than_the_bound(tmp_path):
    """A device that never ends is refused like a file that is too long."""
    code = "from arena_engine import load_benchmark; load_benchmark('/dev/zero')"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert "arena.errors.ConfigError: /dev/zero: longer than 1,000,000 bytes" in done.stderr
