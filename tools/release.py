"""Build the distributions, check them as an index does, and install them as users do; nothing is uploaded.

    .venv/bin/python tools/release.py [--only-build]

All wheels and source distributions are built twice, and must be equal byte for byte. They are served on this machine,
together with what others have on the public index under names like ours. pip, uv and pipx install from there into new
environments, with empty caches, and each installation plays. ``docs/releasing.md`` says more.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs
from indexes import STRANGERS, public_index, served, stranger
from staging import ROOT, address_of, folders, stage, version_of

WORK = ROOT / "build" / "release"
"""The working folder; the output of all installations stays in it."""

DIST = ROOT / "dist"
"""The folder of the finished files."""

PLACEHOLDER = ".example/"
"""Part of an address that belongs to nobody, and never will."""

TEN_MATCHES = """\
name: ten
seed: 1
games: {board: tic-tac-toe}
agents: {one: random, two: first-legal}
schedule: {use: round-robin, repeats: 5, rotate-seats: true}
metrics: [outcomes]
"""

VERSIONS = """\
import json
from importlib.metadata import distributions
import arena_cli
print(json.dumps({each.metadata["Name"]: each.version for each in distributions()}))
"""

SHOWN: Mapping[str, str] = {
    "versions": r".+",
    "run": r"^ten · 10 matches in .*",
    "play": r"^You (?:won|lost|drew) .*",
    "list-plugins": r"^\d+ plugins from .*",
}
"""The lines of each step that are printed; a file has all of them."""

OUTSIDE = ("VIRTUAL_ENV", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT", "UV_FIND_LINKS", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL")
"""Variables of this environment, and places of wheels that an installation shall not see."""


class ReleaseError(Exception):
    """A requirement of a release fails; the message names it, with the output of the program that found it."""


@attrs.frozen(kw_only=True)
class Installation:
    """One way of installing ``playarena``: what is typed, and how ``arena`` and its Python are started afterwards."""

    line: str
    folder: Path
    environment: Mapping[str, str]
    commands: Sequence[Sequence[object]] = ()
    arena: Sequence[object]
    python: Sequence[object]

    def run(self, *words: object) -> str:
        """Run a program in the folder of this installation and return its output."""
        return run(*words, folder=self.folder, environment=self.environment)

    def proven(self, version: str) -> Iterator[tuple[str, str]]:
        """Install, play and list plugins; yields what each step is called and what it printed."""
        self.folder.mkdir(parents=True)
        (self.folder / "ten.yaml").write_text(TEN_MATCHES)
        yield "installed", "".join(self.run(*command) for command in self.commands)
        yield "versions", self._versions(version)
        benchmark = self.run(*self.arena, "run", "ten.yaml", "--output", "run")
        if not re.search(r"^ten · 10 matches in ", benchmark, re.MULTILINE):
            raise ReleaseError(f"{self.line}: ten matches were not played\n{benchmark}")
        yield "run", benchmark
        match = ("tic-tac-toe", "--against", "optimal", "--as", "random", "--output", "match")
        yield "play", self.run(*self.arena, "play", *match)
        yield "list-plugins", self.run(*self.arena, "list-plugins")

    def _versions(self, version: str) -> str:
        found: Mapping[str, str] = json.loads(self.run(*self.python, "-c", VERSIONS).splitlines()[-1])
        ours = {name: found[name] for name in found if name.startswith("playarena")}
        if strangers := STRANGERS.keys() & found.keys():
            raise ReleaseError(f"{self.line}: installed what others have: {', '.join(sorted(strangers))}")
        if set(ours.values()) != {version}:
            raise ReleaseError(f"{self.line}: expected all of version {version}, got {ours}")
        return f"{len(ours)} distributions of Arena, all {version}; none of {', '.join(STRANGERS)}"


def run(*words: object, folder: Path = ROOT, environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return its output; ``ReleaseError`` with that output if it fails."""
    command = [str(word) for word in words]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}")
    return done.stdout


def program(name: str) -> Path:
    """The path of a program that is installed beside this Python, or else on the path."""
    found = shutil.which(name, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if found is None:
        raise ReleaseError(f"{name} is missing; start this with: make release")
    return Path(found)


def build_twice(work: Path) -> tuple[Path, ...]:
    """The wheels and source distributions, built twice under different circumstances, equal byte for byte."""
    built = [
        _built(work / name, mask=mask, zone=zone)
        for name, mask, zone in (("a", 0o022, "UTC"), ("b", 0o077, "Asia/Tokyo"))
    ]
    first, second = ({file.name: hashlib.sha256(file.read_bytes()).digest() for file in files} for files in built)
    if unlike := sorted(name for name in first | second if first.get(name) != second.get(name)):
        raise ReleaseError(f"built twice, these differ: {', '.join(unlike)}")
    if len(first) != 2 * len(folders()):
        raise ReleaseError(
            f"expected a wheel and a source distribution of each of {len(folders())}, got {sorted(first)}"
        )
    return built[0]


def _built(folder: Path, *, mask: int, zone: str) -> tuple[Path, ...]:
    """Everything, staged and built in a new folder; each wheel is made from its source distribution."""
    before = os.umask(mask)
    try:
        stage(folder / "source")
        command = (program("uv"), "build", "--quiet", "--all-packages", "--python", sys.executable)
        run(*command, "--out-dir", folder / "dist", folder=folder / "source", environment={**os.environ, "TZ": zone})
    finally:
        os.umask(before)
    return tuple(sorted(file for file in (folder / "dist").iterdir() if file.suffix in {".whl", ".gz"}))


def check_metadata(files: Sequence[Path]) -> str:
    """Twine's verdict on the metadata and long descriptions of all files."""
    said = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", *files)
    return f"{said.count('PASSED')} of {len(files)} passed"


def check_contents(files: Sequence[Path]) -> str:
    """The verdict of check-wheel-contents on all wheels."""
    wheels = [file for file in files if file.suffix == ".whl"]
    said = run(program("check-wheel-contents"), *wheels)
    return f"{said.count(': OK')} of {len(wheels)} passed"


def installations(work: Path, *, pip_index: str, uv_index: str, strangers: str) -> Iterator[Installation]:
    """Every way of installing from the local indexes, each with its own folder; caches are shared and begin empty.

    uv looks for a name at its other indexes only if ``uv_index`` does not have it, so the last one has ``strangers``
    behind it, where our names are of a higher version.
    """
    kept = {name: value for name, value in os.environ.items() if name not in OUTSIDE}
    environment = {
        **kept,
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PIP_CACHE_DIR": str(work / "cache" / "pip"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_INDEX_URL": pip_index,
        "UV_CACHE_DIR": str(work / "cache" / "uv"),
        "UV_INDEX": uv_index,
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
    place = work / "pip"
    yield Installation(
        line="pip install playarena",
        folder=place / "folder",
        environment=environment,
        commands=(
            (sys.executable, "-m", "venv", place / "environment"),
            (place / "environment/bin/pip", "install", "--quiet", "playarena"),
        ),
        arena=(place / "environment/bin/arena",),
        python=(place / "environment/bin/python",),
    )
    yield _with_uv_tool("uv tool install playarena", work / "uv-tool", environment)
    yield Installation(
        line="uvx playarena",
        folder=work / "uvx" / "folder",
        environment=environment,
        arena=(program("uvx"), "--quiet", "playarena"),
        python=(program("uvx"), "--quiet", "--from", "playarena", "python"),
    )
    place = work / "pipx"
    yield Installation(
        line="pipx install playarena",
        folder=place / "folder",
        environment={
            **environment,
            "PIPX_HOME": str(place / "home"),
            "PIPX_BIN_DIR": str(place / "bin"),
            "PIPX_MAN_DIR": str(place / "man"),
            "PIPX_DEFAULT_BACKEND": "pip",
            "PIPX_DEFAULT_PYTHON": sys.executable,
        },
        commands=((program("pipx"), "install", "playarena"),),
        arena=(place / "bin/arena",),
        python=(place / "home/venvs/playarena/bin/python",),
    )
    both = {**environment, "UV_INDEX": f"{uv_index} {strangers}"}
    yield _with_uv_tool("uv tool install playarena, strangers behind", work / "uv-tool-strangers", both)


def _with_uv_tool(line: str, place: Path, environment: Mapping[str, str]) -> Installation:
    return Installation(
        line=line,
        folder=place / "folder",
        environment={**environment, "UV_TOOL_DIR": str(place / "tools"), "UV_TOOL_BIN_DIR": str(place / "bin")},
        commands=((program("uv"), "tool", "install", "--quiet", "playarena"),),
        arena=(place / "bin/arena",),
        python=(place / "tools/playarena/bin/python",),
    )


def install_everywhere(work: Path, files: Sequence[Path]) -> None:
    """Install in every way from indexes on this machine, and keep what each printed in a file."""
    version = version_of()
    ours, theirs = work / "index", work / "index-of-strangers"
    ours.mkdir()
    theirs.mkdir()
    for file in files:
        shutil.copy(file, ours)
    for name, taken in STRANGERS.items():
        stranger(ours, name, taken)
    for name in sorted({file.name.partition("-")[0] for file in files}):
        stranger(theirs, name, "99")
    with (
        served(ours, elsewhere=public_index()) as pip_index,
        served(ours) as uv_index,
        served(theirs) as strangers,
    ):
        addresses = {"pip_index": pip_index, "uv_index": uv_index, "strangers": strangers}
        with step("decoys can be reached"):
            _decoys_are_there(work, uv_index, strangers)
        for installation in installations(work, **addresses):
            with step(installation.line):
                steps = dict(installation.proven(version))
            printed = "".join(f"== {name}\n{text}\n" for name, text in steps.items())
            (work / f"{installation.folder.parent.name}.txt").write_text(printed, "utf-8")
            shutil.rmtree(installation.folder.parent)
            for name, shown in SHOWN.items():
                print(*(f"    {line}" for line in re.findall(shown, steps[name], re.MULTILINE)), sep="\n")
    shutil.rmtree(work / "cache", ignore_errors=True)


def _decoys_are_there(work: Path, uv_index: str, strangers: str) -> None:
    """Check that uv finds each stranger by its name, and version 99 of ours if it may take the best of all indexes."""
    wanted = work / "wanted.in"
    wanted.write_text("".join(f"{name}\n" for name in (*STRANGERS, "playarena-core")))
    resolve = (program("uv"), "pip", "compile", "--quiet", "--no-deps", "--no-header", "--no-annotate", "--no-cache")
    indexes = ("--index", uv_index, "--index", strangers, "--index-strategy", "unsafe-best-match")
    found = set(run(*resolve, *indexes, wanted).split())
    if missing := {f"{name}=={version}" for name, version in {**STRANGERS, "playarena-core": "99"}.items()} - found:
        raise ReleaseError(f"decoys are missing: {', '.join(sorted(missing))}; found {sorted(found)}")


@contextmanager
def step(title: str) -> Iterator[None]:
    """Tells what is done, and how many seconds it took."""
    begun = time.monotonic()
    print(f"{title:<68}", end="", flush=True)
    try:
        yield
    except ReleaseError:
        print("failed")
        raise
    print(f"{time.monotonic() - begun:5.0f} s")


def megabytes(files: Sequence[Path]) -> str:
    """How large files are together."""
    return f"{sum(file.stat().st_size for file in files) / 1e6:.2f} MB"


def built_and_checked(work: Path) -> tuple[Path, ...]:
    """All files of a release, told of on the way."""
    with step("build everything twice and compare"):
        files = build_twice(work)
    for suffix, name in ((".whl", "wheels"), (".gz", "source distributions")):
        those = [file for file in files if file.suffix == suffix]
        print(f"    {len(those)} {name}, {megabytes(those)}, equal byte for byte")
    for title, check in (("twine check --strict", check_metadata), ("check-wheel-contents", check_contents)):
        with step(title):
            said = check(files)
        print(f"    {said}")
    return files


def into_dist(files: Sequence[Path]) -> None:
    """Put the files of this release into ``dist``, in place of those of another."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob("playarena*"):
        old.unlink()
    for file in files:
        shutil.copy(file, DIST)


def what_to_upload(files: Sequence[Path]) -> str:
    """The steps that are left: how to upload the files, and what to do before."""
    version, address = version_of(), address_of()
    lines = [f"\nNothing was uploaded. In dist/ are {len(files)} files of version {version}, {megabytes(files)}."]
    if PLACEHOLDER in f"{address}/":
        lines.append(f"Before you upload, write the repository's address into pyproject.toml in place of {address}.")
    if _is_changed():
        lines.append("Before you upload, commit: files of the checkout differ from its last commit.")
    lines += [
        "Upload by trusted publishing, which .github/workflows/release.yml does for each tag:",
        f"    git tag v{version} && git push origin v{version}",
        f"The first version creates {len(folders())} projects, which takes hours; docs/releasing.md has the steps.",
    ]
    return "\n".join(lines)


def _is_changed() -> bool:
    state = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False)
    return bool(state.stdout.strip())


def main() -> int:
    """Build, check and install; returns 1 if a requirement fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only-build", action="store_true", help="build and check, and install nothing")
    options = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        files = built_and_checked(WORK)
        if not options.only_build:
            install_everywhere(WORK, files)
    except (ReleaseError, ValueError, OSError) as error:
        print(f"make release: {error}", file=sys.stderr)
        return 1
    into_dist(files)
    print(what_to_upload(files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
