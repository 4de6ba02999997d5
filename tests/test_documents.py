"""What the documents show works: every block of code in them is run, in a folder of its own for each page.

A block whose first line is a comment with the name of a file is that file. Otherwise ``python`` is executed, and what
is bound stays bound down the page; ``yaml`` must be a benchmark or a part of one; each line of ``shell`` must
succeed, and ``runs/…`` is the latest run; at ``arena play`` somebody sits and types; ``uv`` is run in a copy of the
checkout. ``json`` and ``toml`` must be well-formed; ``text`` is for reading. What cannot be run in a test says so to
the reader, in a comment with the word "untested", which no README may hold; the command in it and its options are
looked up.
"""

import json
import os
import re
import shlex
import shutil
import site
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import attrs
import click
import pytest
from arena.errors import ConfigError
from arena_cli.application.group import group
from arena_engine import Benchmark, build_benchmark, read_yaml
from arena_engine.benchmark.composition import KEYS
from arena_engine.benchmark.option_values import from_options
from hypothesis import HealthCheck, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
SLOW = {
    "docs/contracts/command.md",
    "docs/first-game.md",
    "docs/suites/spin-board-games.md",
}
"""Pages on which a model plays, something is installed, or much is run."""
LONGEST = {
    "docs/contracts/suite.md",
    "docs/cookbook/composing.md",
    "docs/cookbook/environments.md",
    "docs/log-events.md",
    "docs/user-guide.md",
    *(f"docs/suites/spin-{name}.md" for name in ("bench", "diplomacy", "hanabi", "planning", "recall", "tracking")),
}
"""Pages on which much is run, such as whole suites, which takes a minute and more; they are for the campaign."""
READ_ME = sorted([*ROOT.glob("plugins/*/*/README.md"), *ROOT.glob("examples/*/README.md")])
ELSEWHERE = re.compile(r"my[_-]pack|cannot be read|unavailable: needs|'…'|cannot play this game|no role is routed")
"""What is wrong only because a fragment is looked at without its game, or with files that a reader would have."""

settings.register_profile("pages", deadline=None, suppress_health_check=list(HealthCheck))
FILE = re.compile(r"# ([\w./-]+\.(?:py|yaml|toml|json|md|txt|jsonl))\n")
UNTESTED = re.compile(r"#.*\buntested\b")
AGAINST = re.compile(r"`arena play \S+ --against ([^\s`]+)")
NAMED = re.compile(r"`(arena (?!COMMAND)[^`]+)`")
BEGUN: Mapping[str, Sequence[str]] = {"arena": ("--dry-run",), "pytest": ("--collect-only", "--quiet")}
"""What plays or tests for minutes is only begun where ``uv`` runs it: it finds all it needs by then."""
CHECKOUT = {"VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
"""Variables that lead back to this checkout, or have each start compile all anew."""
TOOLS = ("uv tool ", "pipx ")
"""What installs from a folder of wheels is run by tests/test_bundles.py, which has one."""
SERVED = (["arena", "view"], ["arena", "study"])
"""Commands that serve pages, or read what people gave on them."""
SET_UP = ("pip install ./core", "pip install --no-deps ./plugins/bundles/all", "uv sync")
"""What sets up a checkout is run in fresh environments by tests/test_installed_alone.py."""
PARTS = {field.name for field in attrs.fields(Benchmark)} | set(KEYS)
BASE: Mapping[str, object] = {
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"random": "random"},
    "schedule": "self-play",
}


def blocks(page: Path) -> Iterator[Token]:
    """The blocks of code of a page, but for the directives of the site."""
    for token in MarkdownIt().parse(page.read_text("utf-8")):
        if token.type == "fence" and not token.info.startswith("{"):
            yield token


def commands(text: str) -> Sequence[str]:
    """The commands of a block, each on one line."""
    return [line for line in map(str.strip, text.replace("\\\n", " ").splitlines()) if line]


def plain_key(key: object) -> str:
    """A key of a file as the name of its field."""
    return str(key).replace("-", "_")


def marked(page: Path) -> object:
    """A page as a parameter, slow where a model plays on it, and for the campaign where that takes long."""
    name = page.relative_to(ROOT).as_posix()
    marks = [pytest.mark.campaign] if name in LONGEST else [pytest.mark.slow] if name in SLOW else []
    if marks:
        marks.append(pytest.mark.timeout(600))
    return pytest.param(page, id=name, marks=marks)


@attrs.define(eq=False)
class Folder:
    """Where a page is worked through: a folder, and an environment of its own where it installs something."""

    directory: Path
    at_a_terminal: Callable[..., tuple[int, str]] | None = None
    module: ModuleType = attrs.field(factory=lambda: ModuleType("page"))
    overlay: Path | None = None

    def python(self, text: str, page: Path, line: int) -> None:
        """Execute it, so that a traceback shows the line of the page."""
        exec(compile("\n" * line + text, page, "exec", dont_inherit=True), vars(self.module))

    def yaml(self, text: str, page: Path, line: int) -> None:
        """Build the benchmark, or what a benchmark with this part would be: the part may be a backend alone."""
        data = read_yaml(text, f"{page.name}:{line}").data
        assert isinstance(data, dict), f"{page.name}:{line}: expected a table"
        data = {"agents": {"model": {"use": "llm", "backend": data}}} if "use" in data else data
        plain = {plain_key(key): value for key, value in data.items()}
        assert set(plain) <= PARTS, f"{page.name}:{line}: {sorted(set(plain) - PARTS)} are no keys of a benchmark"
        build_benchmark(plain if "extends" in plain or "include" in plain else {**BASE, **plain})

    def shell(self, text: str, page: Path, line: int) -> None:
        """Run each command of a block as its reader would, or look up its options."""
        for command in commands(text):
            words = shlex.split(command, comments=True)
            if words[0] == "make":
                assert f"\n{words[1]}:" in MAKEFILE, f"{page.name}:{line}: make knows no {words[1]!r}"
            elif UNTESTED.search(command) or words[:2] in SERVED or "--web" in words:
                look_up(words)  # pages are served until somebody ends them
            elif words[0] not in ("uv", "pipx"):  # other tests have the checkout or the wheels that they need
                self.run(command, f"{page.name}:{line}")

    def run(self, command: str, where: str) -> None:
        """Run one line as a person would, with whatever the page has installed."""
        if command.startswith(SET_UP):
            return
        if command.startswith("pip install") and self.overlay is None:
            self.overlay = overlay(self.directory.with_name(f"{self.directory.name}-environment"))
        binaries = (
            [Path(sys.executable).parent]
            if self.overlay is None
            else [self.overlay / "bin", Path(sys.executable).parent]
        )
        if "runs/…" in command:
            command = command.replace("runs/…", f"runs/{max(os.listdir(self.directory / 'runs'))}")
        path = os.pathsep.join([*map(str, binaries), os.environ["PATH"]])
        # What is installed here is built with what is there: a test asks no index.
        quiet = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INPUT": "1"}
        environment = {**os.environ, **quiet, "PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        if command.startswith("arena play"):
            assert self.at_a_terminal, f"{where}: nobody sits there"
            status, screen = self.at_a_terminal(["bash", "-c", command], self.directory, environment)
            assert status == 0, f"{where}: {command}\n{screen}"
            return
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
        )
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}\n{done.stderr}"
        if self.overlay is not None and command.startswith("pip install"):
            site.addsitedir(str(packages(self.overlay)))


def made_here(directory: str, names: list[str]) -> set[str]:
    """What a clone of the checkout would not have."""
    made = {name for name in names if name == "__pycache__" or name.endswith(".egg-info")}
    if Path(directory) == ROOT:
        made.update(n for n in names if n.startswith(".") or n in {"build", "dist", "runs", "uv.lock"})
    return made


def packages(environment: Path) -> Path:
    """Where an environment has its packages."""
    return environment / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"


def overlay(directory: Path) -> Path:
    """An environment that sees this one's packages and keeps what is installed to itself."""
    venv.create(directory, symlinks=True)
    seen = "".join(f"import site; site.addsitedir({path!r})\n" for path in site.getsitepackages())
    (packages(directory) / "here.pth").write_text(seen)
    python = directory / "bin" / "python"
    for name, call in {
        "arena": "from arena_cli import main; main()",
        "pip": "from pip._internal.cli.main import main; sys.exit(main())",
    }.items():
        script = directory / "bin" / name
        script.write_text(f"#!{python}\nimport sys\n{call}\n")
        script.chmod(0o755)
    return directory


def look_up(words: list[str]) -> None:
    """A command of arena that is not run exists at least, with all its options."""
    if not words or words[0] != "arena":
        return
    command: click.Command = group
    rest = words[1:]
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), rest[0])
        assert found is not None, f"arena has no command {rest[0]!r}"
        command, rest = found, rest[1:]
    options = {option for parameter in command.params for option in parameter.opts}
    given = [word.partition("=")[0] for word in rest if word.startswith("-")]
    single = [f"-{letter}" for word in given if word[1:2] != "-" for letter in word[1:]]
    unknown = [word for word in (*single, *(word for word in given if word[1:2] == "-")) if word not in options]
    assert unknown == [], f"arena {words[1]} has no option {unknown[0]}"


LANGUAGES: Mapping[str, Callable[[Folder, str, Path, int], object]] = {
    "python": Folder.python,
    "yaml": Folder.yaml,
    "shell": Folder.shell,
    "json": lambda folder, text, page, line: json.loads(text),
    "toml": lambda folder, text, page, line: tomllib.loads(text),
    "text": lambda folder, text, page, line: None,
}


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_a_terminal: Callable[..., tuple[int, str]]
) -> Iterator[Folder]:
    """An empty folder to work in; what was imported from it is forgotten afterwards."""
    directory = tmp_path / "page"
    directory.mkdir()
    monkeypatch.chdir(directory)
    monkeypatch.setattr(sys, "path", [str(directory), *sys.path])
    before = set(sys.modules)
    folder = Folder(directory, at_a_terminal)
    profile = settings.get_current_profile_name()
    settings.load_profile("pages")  # a busy machine is no fault of a page
    monkeypatch.setitem(sys.modules, "page", folder.module)  # classes of the page can be found, and so be pickled
    yield folder
    settings.load_profile(profile)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.sample(fast=3)
@pytest.mark.parametrize("page", [marked(page) for page in PAGES if page != ROOT / "README.md"])
def test_what_a_page_shows_works(page, folder):
    """Each block of code of a page does what the page says it does."""
    for token in blocks(page):
        line = token.map[0] + 1
        assert token.info in LANGUAGES, f"{page.name}:{line}: {token.info!r} is no language that is tested"
        if named := FILE.match(token.content):
            file = folder.directory / named[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(token.content.removeprefix(named[0]), "utf-8")
            if file.suffix == ".py":
                compile(token.content, named[1], "exec")
        else:
            LANGUAGES[token.info](folder, token.content, page, line)


def test_what_every_page_shows_can_be_read():
    """Each block of each page is Python, YAML, JSON or TOML as it says, and its commands and options are there."""
    assert [fault for page in PAGES for fault in misprints(page)] == []


def misprints(page: Path) -> Iterator[str]:
    """The blocks of a page that cannot be read, without running any."""
    brings_a_command = "arena.commands" in page.read_text("utf-8")
    for token in blocks(page):
        line = token.map[0] + 1
        try:
            if token.info == "python":
                compile(token.content, page, "exec", dont_inherit=True)
            elif token.info == "yaml":
                assert isinstance(read_yaml(token.content, page.name).data, dict), "expected a table"
            elif token.info in ("json", "toml"):
                {"json": json, "toml": tomllib}[token.info].loads(token.content)
            elif token.info == "shell" and not brings_a_command:
                for command in commands(token.content):
                    look_up(shlex.split(command, comments=True))
        except Exception as error:
            yield f"{page}:{line}: {type(error).__name__}: {error}"


def test_page_of_events_is_made_from_the_code():
    """Every event of a run's log is on the page, as ``docs/log_events.py`` writes it, and is told by some code."""
    spec = spec_from_file_location("log_events", ROOT / "docs" / "log_events.py")
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    page = script.PAGE.read_text("utf-8")
    sources = "\n".join(path.read_text("utf-8") for path in ROOT.glob("plugins/*/*/src/**/*.py"))
    told = set(re.findall(r"(?:log|\))\.(\w+)", sources))

    assert script.made(page) == page, "run docs/log_events.py"
    assert {name for name, _ in script.events()} <= told


def test_opponents_in_the_text_are_known():
    """Whoever `arena play` names in the text of a document is an agent or a model that Arena knows."""
    named = {name for page in (*PAGES, *READ_ME) for name in AGAINST.findall(page.read_text("utf-8"))} - {"AGENT"}

    assert from_options(["tic-tac-toe"], sorted(named))["agents"]


@pytest.mark.parametrize("name", ["README.md", "docs/user-guide.md", "docs/first-game.md"])
@pytest.mark.slow
def test_commands_in_the_text_are_there(name):
    """Every command that the text of a page for newcomers names exists, with each of its options."""
    found = [" ".join(command.split()) for command in NAMED.findall((ROOT / name).read_text("utf-8"))]

    for command in found:
        for single in alternatives(shlex.split(command.replace("\\|", "|"))):
            look_up(single)
    assert found or name == "README.md"


def alternatives(words: Sequence[str]) -> Iterator[list[str]]:
    """A command for each of the words that are offered side by side: ``list|show``."""
    at = next((at for at, word in enumerate(words) if "|" in word), None)
    if at is None:
        yield list(words)
        return
    for word in words[at].split("|"):
        yield from alternatives([*words[:at], word, *words[at + 1 :]])


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_uv_runs_what_is_shown(tmp_path):
    """With uv alone, each line for it works in a fresh copy of the checkout."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert uv, "uv is missing; run the tests with make test-slow"
    lines = [
        shlex.split(line, comments=True)
        for page in PAGES
        for token in blocks(page)
        if token.info == "shell"
        for line in commands(token.content)
        if line.startswith("uv ") and not line.startswith(TOOLS) and not UNTESTED.search(line)
    ]
    kept = {name: value for name, value in os.environ.items() if name not in CHECKOUT}
    checkout = shutil.copytree(ROOT, tmp_path / "checkout", ignore=made_here)

    for line in lines:
        begun = next((more for name, more in BEGUN.items() if name in line), ())
        command = [uv, *line[1:], *begun]
        done = subprocess.run(command, cwd=checkout, env=kept, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}\n{done.stderr}"


def faults(page: Path) -> Iterator[str]:
    """What a README of a distribution shows and what is not so, but for what only its reader has."""
    for token in blocks(page):
        line = token.map[0] + 1
        try:
            if token.info in ("python", "toml", "json"):
                LANGUAGES[token.info](Folder(ROOT), token.content, page, line)
            elif token.info == "yaml" and (PARTS - {"extends"}) & set(
                map(plain_key, read_yaml(token.content, page.name).data)
            ):
                Folder(ROOT).yaml(token.content, page, line)
            elif token.info in ("", "shell"):
                for command in token.content.replace("\\\n", " ").splitlines():
                    look_up(shlex.split(command, comments=True))
        except ConfigError as error:
            yield from (f"{page}:{line}: {problem}" for problem in error.problems if not ELSEWHERE.search(problem))
        except Exception as error:
            yield f"{page}:{line}: {type(error).__name__}: {error}"


@pytest.mark.campaign
def test_what_read_mes_show_is_there():
    """Settings, commands and options in the READMEs of distributions exist, and their Python runs."""
    assert [fault for page in READ_ME for fault in faults(page)] == []
