"""Benchmark files of the last release work unchanged, and each old key in them is told of in one line.

``old_benchmarks/released.txt`` lists every example and suite of that release with a digest. Most are in their place as
they were; those that have changed since are kept in ``old_benchmarks`` as they were then. None of them used a key that
goes by another name now. The files of ``old_runs`` did, and were played by an Arena that knew no other.
"""

import sys
import warnings
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib import import_module
from pathlib import Path

import pytest
from arena_engine import load_benchmark
from arena_engine.benchmark.renamed import RenamedKeyWarning
from arena_testing import unwrapped

from .old_runs import shown

ROOT = Path(__file__).resolve().parents[1]
KEPT = Path(__file__).parent / "old_benchmarks"

OLD_KEYS: Mapping[str, tuple[str, ...]] = {
    "disciplined": ("limits.waves is called limits.max-steps now",),
    "engines": ("imagines is called resample-hidden now",),
    "extended": ("illegal-actions.total is called illegal-actions.max-refusals now",),
    "failed": (
        "agents.broken.backend.attempts is called agents.broken.backend.max-attempts now",
        "agents.impatient.backend.attempts is called agents.impatient.backend.max-attempts now",
        "agents.impatient.backend.longest-wait-s is called agents.impatient.backend.max-retry-wait-s now",
    ),
    "finished": (
        "agents.model.backend.adapts is called agents.model.backend.adaptive-concurrency now",
        "agents.model.backend.attempts is called agents.model.backend.max-attempts now",
        "agents.model.backend.longest-wait-s is called agents.model.backend.max-retry-wait-s now",
        "illegal-actions.total is called illegal-actions.max-refusals now",
        "illegal-actions.answers is called illegal-actions.max-answers now",
        "limits.waves is called limits.max-steps now",
        "tells-agents is called reveal-agents now",
        "imagines is called resample-hidden now",
    ),
    "stopped": (
        "agents.words.backend.adapts is called agents.words.backend.adaptive-concurrency now",
        "agents.words.backend.attempts is called agents.words.backend.max-attempts now",
        "agents.words.backend.longest_wait_s is called agents.words.backend.max-retry-wait-s now",
        "limits.waves is called limits.max-steps now",
        "tells-agents is called reveal-agents now",
    ),
}
"""What is told of the files of ``old_runs``; of the others nothing is."""

PLAYED = ("disciplined", "engines", "extended", "finished")
"""Those that are played to their end in a second or two."""


LINES = (KEPT / "released.txt").read_text("utf-8").splitlines()
RELEASED: Mapping[str, str] = {path: digest for digest, path in map(str.split, LINES)}
"""Every example and suite of the last release, with its digest."""


def as_released(path: str) -> Path:
    """A file as the release had it: in its place where it has not changed, else the one that is kept."""
    for file in (ROOT / path, KEPT / Path(path).name):
        if file.is_file() and blake2b(file.read_bytes(), digest_size=16).hexdigest() == RELEASED[path]:
            return file
    pytest.fail(f"{path} has changed since the last release; keep it as it was then in {KEPT.name}")


def told_of(file: Path) -> list[str]:
    """The lines on old keys that loading a benchmark brings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RenamedKeyWarning)
        load_benchmark(file, trust_code=True)
    return [str(warning.message) for warning in caught if warning.category is RenamedKeyWarning]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Modules beside an example are imported for the time of a test."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(ROOT / "examples")):
            del sys.modules[name]


@pytest.mark.parametrize("path", RELEASED)
@pytest.mark.sample(fast=5, slow=14)
def test_released_file_works_unchanged(path, monkeypatch, installed_plugin):
    """Each example and each suite of the last release is read as it was, and there is nothing to tell of its keys."""
    folder = ROOT / Path(path).parent
    monkeypatch.syspath_prepend(folder)  # an agent may be a function beside its benchmark
    if "third_party" in path:
        monkeypatch.syspath_prepend(folder / "src")
        installed_plugin("game", "nim", import_module("nim.nim").Nim)

    assert told_of(as_released(path)) == []


@pytest.mark.parametrize("name", [path.stem for path in sorted(shown.BENCHMARKS.glob("*.yaml"))])
def test_old_keys_are_told_in_a_line_each(name):
    """Each old key of a file that was written for the last release is told of once, and the file is read."""
    lines = told_of(shown.BENCHMARKS / f"{name}.yaml")

    assert sorted(lines) == sorted(OLD_KEYS.get(name, ()))


@pytest.mark.parametrize("name", PLAYED)
def test_old_files_are_played(name, tmp_path, monkeypatch):
    """Files of the last release are played to their end; standard error says what each old key is called now."""
    monkeypatch.chdir(tmp_path)

    told = shown.arena("run", str(shown.BENCHMARKS / f"{name}.yaml"), "--output", "run", "--quiet")

    _, _, said = told.partition("[standard error]\n")
    *lines, code = unwrapped(said).splitlines()
    assert code == "[exit code 0]"
    assert sorted(lines) == sorted(OLD_KEYS[name])


def test_released_example_is_played(tmp_path, monkeypatch):
    """The example without a model plays as the last release had it."""
    monkeypatch.chdir(tmp_path)
    file = as_released("examples/without_a_model.yaml")

    told = shown.arena("run", str(file), "--repeats", "1", "--quiet", "--output", "run")

    assert told.endswith("\nrun\n[exit code 0]\n")
