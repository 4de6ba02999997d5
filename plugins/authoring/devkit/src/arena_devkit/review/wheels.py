"""Checks the wheel of a project: it builds, contains what it should, installs alone and is discovered."""

import configparser
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.message import Message
from email.parser import Parser
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from packaging.requirements import Requirement

from arena_devkit.review.findings import Finding, Item
from arena_devkit.review.requirements import closure
from arena_devkit.review.targets import Project

_LIMIT_S: Final = 300
_TOLD: Final = 3

_LIST: Final = """
import json, sys
from arena.catalog import Catalog
found = []
for entry in Catalog().entries():
    if entry.dist != sys.argv[1]:
        continue
    why = entry.reason
    if entry.status == "ok" and entry.kind not in ("suite", "prompt-style"):
        try:
            entry.load()
        except Exception as error:
            why = str(error)
    elif entry.kind in ("suite", "prompt-style") and entry.plugin is not None:
        try:
            entry.file()
        except Exception as error:
            why = str(error)
    found.append([entry.kind, entry.name, str(entry.status), why])
print(json.dumps(found))
"""


class _Unbuilt(Exception):
    pass


class _Untried(Exception):
    pass


def wheel(project: Project) -> Item:
    """Build the wheel, inspect it, and install it with nothing but its declared requirements."""
    if project.directory is None:
        why = "it was not installed from a folder; name the folder of its pyproject.toml to have its wheel built"
        return Item(part="wheel", untested=why)
    with tempfile.TemporaryDirectory(prefix="arena-check-") as place:
        try:
            built = _built(project.directory, Path(place) / "wheel")
        except _Untried as error:
            return Item(part="wheel", untested=str(error))
        except _Unbuilt as error:
            return Item(part="wheel", findings=(Finding.of("build", str(error)),))
        findings = list(_contents(project, built))
        if not findings:
            findings += _alone(project, built, Path(place) / "environment")
        size = built.stat().st_size
        note = f"{built.name}, {size / 1024:,.0f} kB, works with nothing but what it requires"
        return Item(part="wheel", findings=findings, note=note, facts={"wheel": built.name, "bytes": size})


def _built(directory: Path, target: Path) -> Path:
    system: Mapping[str, Any] = tomllib.loads((directory / "pyproject.toml").read_text("utf-8")).get("build-system", {})
    back_end = str(system.get("build-backend", "setuptools.build_meta")).partition(":")[0].partition(".")[0]
    is_here = importlib.util.find_spec(back_end) is not None
    with tempfile.TemporaryDirectory(prefix="arena-check-") as place:
        # Build back ends write into the folder that they build, so a copy is built.
        copy = Path(place) / directory.name
        ignored = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__", "*.egg-info", "runs")
        shutil.copytree(directory, copy, ignore=ignored, symlinks=True)
        done = _ran(_builder(is_here, copy, target), copy)
    made = sorted(target.glob("*.whl"))
    if done.returncode or len(made) != 1:
        raise _Unbuilt(f"the wheel does not build: {_last(done.stdout + done.stderr)}")
    return made[0]


def _builder(is_here: bool, directory: Path, target: Path) -> Sequence[str]:
    """The command that builds a wheel, without build isolation if the build back end is installed here."""
    if importlib.util.find_spec("pip") is not None:
        alone = ["--no-build-isolation"] if is_here else []
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
        return [*pip, *alone, "--wheel-dir", str(target), str(directory)]
    if uv := shutil.which("uv"):
        alone = ["--no-build-isolation", "--python", sys.executable] if is_here else []
        return [uv, "build", "--quiet", "--wheel", *alone, "--out-dir", str(target), str(directory)]
    raise _Untried("there is neither pip nor uv to build a wheel with; install one of them")


def _contents(project: Project, built: Path) -> Iterator[Finding]:
    """Findings about the files in the wheel."""
    with ZipFile(built) as archive:
        names = archive.namelist()
        texts = {part: _text(archive, names, part) for part in ("METADATA", "entry_points.txt")}
    metadata = Parser().parsestr(texts["METADATA"])
    points = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    points.optionxform = str  # type: ignore[assignment, method-assign]
    points.read_string(texts["entry_points.txt"])
    offered = {(s, n): t for s in points.sections() if s.startswith("arena.") for n, t in points[s].items()}
    # All plugins of the distribution, whichever of them is under review.
    installed = {(e.group, e.name): e.value for e in project.dist.entry_points if e.group.startswith("arena.")}
    if offered != installed:
        odd = sorted({*offered.items()} ^ {*installed.items()})[0]
        yield Finding.of("entry-points", f"{odd[0][1]!r} in {odd[0][0]} is not in both the wheel and the installation")
    for (group, name), target in offered.items():
        module = target.partition(":")[0]
        if not _holds(names, module):
            yield Finding.of("missing-module", f"{name!r} in {group} leads to {module}, which is not in the wheel")
    packages = {target.partition(":")[0].partition(".")[0] for target in offered.values()}
    for package in sorted(packages):
        if f"{package}/__init__.py" in names and f"{package}/py.typed" not in names:
            yield Finding.of("py-typed", f"{package}/py.typed is not in the wheel, so type checkers ignore its types")
    yield from _described(metadata, names)


def _described(metadata: Message, names: Iterable[str]) -> Iterator[Finding]:
    if not (metadata["License-Expression"] or metadata["License"]):
        yield Finding.of("metadata", "the wheel names no licence", is_warning=True)
    if not metadata["Summary"]:
        yield Finding.of("metadata", "the wheel has no description", is_warning=True)
    if not str(metadata.get_payload()).strip():
        yield Finding.of("metadata", "the wheel has no readme", is_warning=True)
    if stray := sorted({n.partition("/")[0] for n in names} & {"tests", "test", "docs", "examples"}):
        yield Finding.of("metadata", f"the wheel installs a package called {stray[0]!r} for everybody", is_warning=True)


def _alone(project: Project, built: Path, environment: Path) -> Iterator[Finding]:
    """Install the wheel with its requirements in a fresh environment, and check that it is discovered there."""
    venv.create(environment, with_pip=False, symlinks=True)
    (site,) = environment.glob("lib/python*/site-packages")
    with ZipFile(built) as archive:
        archive.extractall(site)  # the same as installing a pure wheel, and needs no pip
        metadata = Parser().parsestr(_text(archive, archive.namelist(), "METADATA"))
    required = [Requirement(line) for line in metadata.get_all("Requires-Dist") or ()]
    for dist in closure(r for r in required if r.marker is None or r.marker.evaluate({"extra": ""})):
        if dist.metadata["Name"] != project.name:
            _link(dist, site)
    python = environment / "bin" / "python"
    done = _ran([str(python), "-I", "-c", _LIST, project.name], environment)
    if done.returncode:
        yield Finding.of("undiscovered", f"in an environment of its own it cannot be listed: {_last(done.stderr)}")
        return
    found = {(kind, name): (status, why) for kind, name, status, why in json.loads(done.stdout.splitlines()[-1])}
    for entry in project.entries:
        status, why = found.get(entry.key, ("missing", "nobody found it"))
        if status != "unavailable" and (status != "ok" or why):
            yield Finding.of("undiscovered", f"{entry.kind} {entry.name!r} alone with what it requires: {why}")


def _link(dist: Distribution, site: Path) -> None:
    """Make a distribution that is installed here importable in another environment."""
    for top in {Path(file).parts[0] for file in dist.files or () if Path(file).parts[0] not in ("..", "__pycache__")}:
        source = Path(str(dist.locate_file(top)))
        if source.exists() and not (site / top).exists():
            (site / top).symlink_to(source, target_is_directory=source.is_dir())


def _text(archive: ZipFile, names: Iterable[str], part: str) -> str:
    found = [name for name in names if name.endswith(f".dist-info/{part}")]
    return archive.read(found[0]).decode() if found else ""


def _holds(names: Iterable[str], module: str) -> bool:
    path = module.replace(".", "/")
    return any(name == f"{path}.py" or name == f"{path}/__init__.py" or name.startswith(f"{path}.") for name in names)


def _ran(command: Sequence[str], place: Path) -> "subprocess.CompletedProcess[str]":
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    # Back ends such as uv_build look for their program on the path, and this environment may not be activated.
    kept["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), kept.get("PATH", os.defpath)))
    try:
        return subprocess.run(
            command, cwd=place, env=kept, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise _Unbuilt(f"{command[0]} was not done after {_LIMIT_S} s") from None


def _last(text: str) -> str:
    """The last thing that a program printed, and the error in it if one can be found."""
    errors = [line.strip() for line in text.splitlines() if re.match(r"\s*[\w.]*(Error|Exception): ", line)]
    if errors:
        return errors[-1]
    return " / ".join(line.strip() for line in text.strip().splitlines()[-_TOLD:]) or "it says nothing"
