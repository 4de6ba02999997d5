"""What every repository-wide test needs: the checkout, its distributions, and the real command line."""

import os
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
