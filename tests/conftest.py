"""What every repository-wide test needs: the checkout, its distributions, and the real command line."""

import functools
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

ROOT = Path(__file__).resolve().parents[1]
ARENA = Path(sys.executable).parent / "arena"


@attrs.frozen
class Distribution:
    """One first-party distribution of the workspace, as its pyproject.toml describes it."""

    directory: Path
    project: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name it has on an index."""
        return self.project["name"]

    @property
    def package(self) -> Path:
        """The directory that is imported."""
        (package,) = (p for p in (self.directory / "src").iterdir() if (p / "__init__.py").is_file())
        return package

    @property
    def plugins(self) -> list[tuple[str, str]]:
        """Kind and name of each plugin it offers."""
        groups = self.project.get("entry-points", {})
        return [
            (g.removeprefix("arena.").removesuffix("s"), n) for g in groups if g.startswith("arena.") for n in groups[g]
        ]

    @classmethod
    def at(cls, directory: Path) -> "Distribution":
        """Read the one in ``directory``."""
        return cls(directory, tomllib.loads((directory / "pyproject.toml").read_text("utf-8"))["project"])


@attrs.frozen
class Environment:
    """A virtual environment with nothing of the checkout in it."""

    directory: Path
    uv: str

    @classmethod
    def make(cls, directory: Path) -> "Environment":
        """A fresh one, with pip."""
        uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        assert uv, "uv is missing; run the tests with make test-slow"
        subprocess.run([uv, "venv", "--quiet", "--seed", "--python", sys.executable, str(directory)], check=True)
        return cls(directory, uv)

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.directory / "bin" / "python"

    def install(self, *requirements: object) -> None:
        """Put wheels and what they require into it, quickly."""
        self.run(self.uv, "pip", "install", "--quiet", "--python", self.python, *requirements)

    def run(self, *command: object) -> str:
        """Run a program away from the checkout and hand back what it printed."""
        kept = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.directory,
            env=kept,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def arena(self, *arguments: object) -> str:
        """Run its ``arena``."""
        return self.run(self.directory / "bin" / "arena", *arguments)

    def listed(self) -> list[dict[str, str]]:
        """What its ``arena list-plugins`` finds."""
        return json.loads(self.arena("list-plugins", "--json"))


@pytest.fixture(scope="session")
def make_environment() -> Callable[[Path], Environment]:
    """Makes virtual environments: ``make_environment(directory)``."""
    return Environment.make


@pytest.fixture(scope="session")
def build_wheel(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Builds the distribution in a directory, once in a session: ``build_wheel(directory)`` is its wheel."""

    @functools.cache
    def build(directory: Path) -> Path:
        target = tmp_path_factory.mktemp(directory.name)
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(directory)]
        subprocess.run(command, check=True, capture_output=True)
        (wheel,) = target.glob("*.whl")
        return wheel

    return build


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def distributions() -> tuple[Distribution, ...]:
    """Everything in the workspace, the core first."""
    plugins = sorted(path.parent for path in ROOT.glob("plugins/*/*/pyproject.toml"))
    return tuple(Distribution.at(directory) for directory in (ROOT / "core", *plugins))


@pytest.fixture(scope="session")
def third_party() -> Distribution:
    """The example that is no member of the workspace."""
    return Distribution.at(ROOT / "examples" / "third_party_game")


@pytest.fixture(scope="session")
def program() -> Path:
    """The ``arena`` of this environment."""
    return ARENA


Arena = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """Runs ``arena`` as a user does, in an empty directory, and hands back what it printed and its exit code."""

    def run(
        *arguments: object,
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
        timeout_s: float = 120,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(ARENA), *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
            preexec_fn=prepare,
        )

    return run
