"""What every repository-wide test needs: the checkout, its distributions, and the real command line."""

import functools
import importlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from arena.plugin import KINDS, group_of

ROOT = Path(__file__).resolve().parents[1]
ARENA = Path(sys.executable).parent / "arena"
HERE = {"PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"}
"""Variables that an environment of a test does not inherit: it keeps what it compiles, since it is started often."""


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
        kinds = {group_of(kind): kind for kind in KINDS}
        single = [
            (kinds.get(group, group), name)
            for group, names in groups.items()
            if group.startswith("arena.") and group != "arena.plugins"
            for name in names
        ]
        return [
            *single,
            *(offer for module in groups.get("arena.plugins", {}).values() for offer in self._offers(module)),
        ]

    def _offers(self, module: str) -> list[tuple[str, str]]:
        """Kind and name of each plugin that a module offers by hook, asked without any catalog."""
        source = str(self.directory / "src")
        sys.path.insert(0, source)
        try:
            hooks = vars(importlib.import_module(module))
        finally:
            sys.path.remove(source)
        asked = {kind: hooks.get(group_of(kind).replace(".", "_")) for kind in KINDS}
        return [(kind, name) for kind, ask in asked.items() if ask for name in ask()]

    @classmethod
    def at(cls, directory: Path) -> "Distribution":
        """Read the one in ``directory``."""
        return cls(directory, tomllib.loads((directory / "pyproject.toml").read_text("utf-8"))["project"])


def find_uv() -> str:
    """The uv that installs things into environments of tests."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert uv, "uv is missing; run the tests with make test-slow"
    return uv


@attrs.frozen
class Environment:
    """A virtual environment with nothing of the checkout in it."""

    directory: Path
    uv: str

    @classmethod
    def make(cls, directory: Path, *, has_pip: bool = True) -> "Environment":
        """A fresh one, with pip, or with nothing at all."""
        uv = find_uv()
        seeds = ["--seed"] if has_pip else []
        subprocess.run([uv, "venv", "--quiet", *seeds, "--python", sys.executable, str(directory)], check=True)
        return cls(directory, uv)

    @property
    def python(self) -> Path:
        """The path of the environment's interpreter."""
        return self.directory / "bin" / "python"

    def install(self, *requirements: object) -> None:
        """Put wheels and what they require into it, quickly."""
        self.run(self.uv, "pip", "install", "--quiet", "--python", self.python, *requirements)

    def run(self, *command: object) -> str:
        """Run a program away from the checkout and hand back what it printed."""
        kept = {k: v for k, v in os.environ.items() if k not in HERE}
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.directory,
            env={**kept, "PIP_NO_COMPILE": "1"},  # little of what pip installs is imported afterwards
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def arena(self, *arguments: object) -> str:
        """What the environment's command line prints when given these arguments; the bundle need not be installed."""
        return self.run(self.python, "-m", "arena_cli", *arguments)

    def listed(self) -> list[dict[str, str]]:
        """What its catalog finds; the command line need not be installed."""
        listing = "json.dumps([entry.to_json() for entry in Catalog().entries()])"
        program = f"import json; from arena.catalog import Catalog; print({listing})"
        return json.loads(self.run(self.python, "-c", program))

    @staticmethod
    def without_place(text: str) -> str:
        """A text whose lines that install with uv name neither the environment nor folders of wheels."""
        return re.sub(r"\buv pip install (--\S+\s+\S+\s+)*", "uv pip install ", text)

    def packages(self) -> set[str]:
        """The names of all distributions in it."""
        listed = json.loads(self.run(self.uv, "pip", "list", "--quiet", "--format", "json", "--python", self.python))
        return {each["name"] for each in listed}


@pytest.fixture(scope="session")
def make_environment() -> Callable[..., Environment]:
    """Makes virtual environments: ``make_environment(directory)``."""
    return Environment.make


@pytest.fixture(scope="session")
def build_wheel(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Builds the distribution in a directory, once in a session: ``build_wheel(directory)`` is its wheel."""

    @functools.cache
    def build(directory: Path) -> Path:
        target = tmp_path_factory.mktemp(directory.name)
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(directory)]
        # uv_build looks for its program on the path alone, also where the environment is not activated.
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PATH": path})
        (wheel,) = target.glob("*.whl")
        return wheel

    return build


@pytest.fixture(scope="session")
def uv() -> str:
    """The path of the program ``uv``."""
    return find_uv()


@pytest.fixture(scope="session")
def tools() -> Iterator[Callable[[str], ModuleType]]:
    """Imports a program that makes releases: ``tools("staging")``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        yield importlib.import_module


@pytest.fixture(scope="session")
def wheels(uv: str, tools: Callable[[str], ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """A wheel of each distribution, by its name, as a release has it; built together in a few seconds."""
    source, target = tmp_path_factory.mktemp("staged"), tmp_path_factory.mktemp("wheels")
    tools("staging").stage(source)
    command = [uv, "build", "--quiet", "--wheel", "--all-packages", "--python", sys.executable]
    subprocess.run([*command, "--out-dir", str(target), str(source)], check=True, capture_output=True)
    return {wheel.name.partition("-")[0].replace("_", "-"): wheel for wheel in sorted(target.glob("*.whl"))}


@pytest.fixture(scope="session")
def constraints(wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for ``uv pip install --constraints``: with it, names of first-party distributions mean those wheels."""
    file = tmp_path_factory.mktemp("constraints") / "wheels.txt"
    file.write_text("".join(f"{name} @ {wheel.as_uri()}\n" for name, wheel in wheels.items()))
    return file


@pytest.fixture
def environment_with(
    make_environment: Callable[..., Environment], constraints: Path, tmp_path: Path
) -> Iterator[Callable[..., Environment]]:
    """Makes a fresh environment from the names of distributions: ``environment_with("playarena-core", …)``."""
    made: list[Environment] = []

    def make(*names: str) -> Environment:
        made.append(make_environment(tmp_path / f"environment-{len(made)}", has_pip=False))
        made[-1].install("--constraints", constraints, *names)
        return made[-1]

    yield make
    for environment in made:
        shutil.rmtree(environment.directory)


@pytest.fixture(scope="session")
def root() -> Path:
    """The directory that was checked out."""
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


AtATerminal = Callable[..., tuple[int, str]]
PROMPT = re.compile(rb">(?:\x1b\[0m)? $")
FIRST = re.compile(rb"Your actions\r?\n +([0-9]+)  ")


@pytest.fixture(scope="session")
def at_a_terminal() -> AtATerminal:
    """Runs a command at a pseudo-terminal and types the first action that is listed; exit status, and the screen.

    The terminal prints lines and can do no more, so a question is a line of text and an answer another.
    """

    def run(command: Sequence[object], cwd: Path, environment: Mapping[str, str]) -> tuple[int, str]:
        controller, terminal = pty.openpty()
        streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
        shown = b""
        with subprocess.Popen(
            [*map(str, command)], cwd=cwd, env={**environment, "TERM": "dumb"}, start_new_session=True, **streams
        ) as child:
            os.close(terminal)
            try:
                while more := _read(controller):
                    shown += more
                    if PROMPT.search(shown):
                        os.write(controller, FIRST.findall(shown)[-1] + b"\n")
                return child.wait(60), shown.decode()
            finally:
                child.kill()
                os.close(controller)

    return run


def _read(controller: int) -> bytes:
    try:
        return os.read(controller, 65_536)
    except OSError:  # the other side has closed
        return b""


Arena = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """Runs ``arena`` as a user does, in an empty directory, and hands back what it printed and its exit code."""

    def run(
        *arguments: object,
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
        timeout_s: float = 280,  # before pytest ends it without a word
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
