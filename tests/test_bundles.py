"""The bundle, which is its requirements and the commands, and the ways in which READMEs say to install things."""

import csv
import os
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
READ_MES = [ROOT / "core" / "README.md", *sorted(ROOT.glob("plugins/*/*/README.md"))]
ALL = "playarena"
COMMANDS = {"arena", "playarena"}
EXTRAS = {"cluster", "games", "hosted", "training", "vllm"}


def required(requirements: Sequence[str]) -> frozenset[str]:
    """The distributions that requirements name, without versions and extras."""
    return frozenset(re.split(r"[^\w.-]", requirement)[0].lower() for requirement in requirements)


def reached(start: frozenset[str], requirements: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Everything that is required through any number of steps, and what it began with."""
    found, left = set[str](), set(start)
    while left:
        found |= left
        left = {other for name in left for other in requirements.get(name, ())} - found
    return frozenset(found)


def install_lines(path: Path) -> Sequence[str]:
    """The lines of a page that install something from an index, each as one line."""
    blocks = (token.content for token in MarkdownIt().parse(path.read_text("utf-8")) if token.type == "fence")
    lines = (line for block in blocks for line in block.replace("\\\n", " ").splitlines())
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("pip install ")]


@pytest.fixture(scope="module")
def requirements(distributions) -> Mapping[str, frozenset[str]]:
    """What each first-party distribution requires, by its name."""
    return {d.name: required(d.project["dependencies"]) for d in distributions}


def test_nothing_is_forgotten(distributions, requirements):
    """With all its extras the bundle brings every distribution of the workspace; without them, all that most want."""
    (bundle,) = (d.project for d in distributions if d.name == ALL)
    extras = {name: required(needed) for name, needed in bundle["optional-dependencies"].items()}

    everything = reached(frozenset({ALL}).union(*extras.values()), requirements)

    assert set(extras) == EXTRAS
    assert {d.name for d in distributions} <= everything
    alone = reached(frozenset({ALL}), requirements)
    assert {"playarena-cli", "playarena-game-openspiel", "playarena-agent-human", "playarena-report-html"} <= alone
    assert alone.isdisjoint(
        {"playarena-backend-litellm", "playarena-executor-ray", "playarena-backend-vllm", "ray", "litellm"}
    )


def test_quickstart_needs_no_more_than_it_uses(distributions, root, requirements):
    """Of what `make quickstart` installs, nothing draws with matplotlib, and every plugin of its benchmark is there."""
    import tomllib

    groups = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    brought = reached(required(groups["quickstart"]), requirements)
    ours = {d.name for d in distributions}

    offered = {plugin for d in distributions if d.name in brought for plugin in d.plugins}
    used = {("game", "tic-tac-toe"), ("game", "kuhn-poker"), ("game", "connect-four"), ("agent", "llm")}
    used |= {("agent", "random"), ("agent", "optimal"), ("agent", "human"), ("backend", "llamacpp")}
    used |= {("prompt-style", "brief"), ("metric", "outcomes"), ("metric", "illegal-actions"), ("report", "html")}
    assert used <= offered
    assert "matplotlib" not in brought
    assert len(brought & ours) < len(ours) / 2


def test_bundle_holds_no_code(distributions):
    """It is its requirements and the commands, which no other distribution brings: no plugin, no module."""
    (bundle,) = (d for d in distributions if d.name == ALL)

    assert bundle.plugins == []
    assert [path.name for path in bundle.package.rglob("*.py")] == ["__init__.py"]
    assert set(bundle.project["scripts"]) == COMMANDS
    assert len(set(bundle.project["scripts"].values())) == 1
    assert [d.name for d in distributions if "scripts" in d.project] == [ALL]
    assert (bundle.package / "__init__.py").read_text("utf-8").count('"""') == 2


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", READ_MES, ids=[path.parent.relative_to(ROOT).as_posix() for path in READ_MES])
def test_install_lines_of_a_read_me_can_be_resolved(path, wheels, make_environment, tmp_path):
    """Each line that installs from an index can be satisfied, with our wheels beside it; nothing is installed."""
    environment = make_environment(tmp_path / "environment")
    folder = next(iter(wheels.values())).parent
    for line in install_lines(path):
        words = shlex.split(line)
        if any(word.startswith((".", "git+")) or word == "vllm" for word in words[2:]):
            continue  # folders of the checkout have a test of their own
        wanted = [word for word in words[2:] if word != "dist" and not word.startswith("-")]
        environment.run(
            *(environment.python, "-m", "pip", "install", "--quiet", "--dry-run", "--find-links", folder), *wanted
        )


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_extras_of_the_bundle_can_be_resolved(extra, wheels, make_environment, tmp_path):
    """What the bundle's README offers beside its own line can be satisfied too; nothing is installed."""
    assert f"`'{ALL}[{extra}]'`" in "".join(read_me_of_bundle())
    environment = make_environment(tmp_path / "environment")
    folder = next(iter(wheels.values())).parent

    command = (environment.python, "-m", "pip", "install", "--quiet", "--dry-run", "--find-links", folder)
    environment.run(*command, f"{ALL}[{extra}]")


@pytest.fixture
def dist(wheels, tmp_path) -> Path:
    """A folder of wheels called ``dist``, as a build leaves it."""
    folder = tmp_path / "dist"
    folder.symlink_to(next(iter(wheels.values())).parent)
    return folder


@pytest.mark.campaign  # uv installs the same wheels in the next test, in a fraction of the time
@pytest.mark.timeout(900)
def test_bundle_is_installed_from_a_folder_of_wheels(make_environment, dist, tmp_path):
    """``pip install --find-links dist playarena`` is enough to play, to report and to write a plugin."""
    environment = make_environment(tmp_path / "environment")
    environment.run(environment.python, "-m", "pip", "install", "--quiet", "--find-links", dist, ALL)

    assert {environment.run(environment.directory / "bin" / name, "--help") for name in COMMANDS} == {
        environment.arena("--help")
    }
    run = environment.arena("run", "--game", "tic-tac-toe", "--agent", "optimal", "--agent", "random", "-n", "1")
    environment.arena("report", run.splitlines()[-1], "--format", "html")

    assert {plugin["status"] for plugin in environment.listed()} <= {"ok", "unavailable"}
    assert (environment.directory / environment.arena("new-plugin", "game", "coin").strip()).is_dir()


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_bundle_is_a_tool_of_uv(uv, dist, tmp_path, monkeypatch):
    """The line of the README installs both commands beside other projects, with all of the bundle."""
    (line,) = [line for line in read_me_of_bundle() if line.startswith("uv tool install --find-links")]
    monkeypatch.setenv("UV_TOOL_DIR", str(tmp_path / "tools"))
    monkeypatch.setenv("UV_TOOL_BIN_DIR", str(tmp_path / "bin"))

    subprocess.run([uv, *shlex.split(line)[1:], "--quiet"], cwd=tmp_path, check=True)

    for name in COMMANDS:
        assert "tic-tac-toe" in printed(tmp_path / "bin" / name, "list-plugins", "--kind", "game")


@pytest.mark.slow
def test_no_file_belongs_to_two_distributions(wheels, make_environment, tmp_path):
    """Installed together, the wheels share no file; without the command line's, the bundle has its commands still."""
    environment = make_environment(tmp_path / "environment", has_pip=False)
    environment.install("--no-deps", *wheels.values())
    owners = Counter[Path]()
    for record in environment.directory.glob("lib/*/site-packages/*.dist-info/RECORD"):
        with record.open(encoding="utf-8", newline="") as lines:
            owners.update({(record.parents[1] / path).resolve() for path, *_ in csv.reader(lines)})

    environment.run(environment.uv, "pip", "uninstall", "--quiet", "--python", environment.python, "playarena-cli")

    assert [str(path) for path, count in owners.items() if count > 1] == []
    assert all((environment.directory / "bin" / name).is_file() for name in COMMANDS)


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_bundle_is_a_program_of_pipx(make_environment, dist, tmp_path, monkeypatch):
    """The README's line for pipx installs both commands with all of the bundle, here from wheels."""
    (line,) = [line for line in read_me_of_bundle() if line.startswith("pipx ") and "dist" in line]
    environment = make_environment(tmp_path / "environment")
    environment.run(environment.python, "-m", "pip", "install", "--quiet", "pipx")
    for name, folder in (("PIPX_HOME", "home"), ("PIPX_BIN_DIR", "bin"), ("PIPX_MAN_DIR", "man")):
        monkeypatch.setenv(name, str(tmp_path / folder))

    monkeypatch.setenv("PATH", str(environment.directory / "bin"), prepend=os.pathsep)

    subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True)

    for name in COMMANDS:
        assert "tic-tac-toe" in printed(tmp_path / "bin" / name, "list-plugins", "--kind", "game")


def test_lines_of_the_front_page_are_those_that_are_run():
    """Lines of the repository's README for a folder of wheels stand in the bundle's README too, whose lines are run."""
    begin = ("pip install --find-links ", "uv tool ", "pipx ")
    lines = [line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith(begin)]

    assert len(lines) == len(begin)
    assert {line.partition("#")[0].strip() for line in lines} <= set(read_me_of_bundle())


def read_me_of_bundle() -> Sequence[str]:
    """The lines of the bundle's README."""
    return (ROOT / "plugins" / "bundles" / "all" / "README.md").read_text("utf-8").splitlines()


def printed(*command: object) -> str:
    """What a program prints."""
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout


def test_lines_that_install_are_found(tmp_path):
    """Lines that are continued count as one, remarks behind them do not count."""
    page = tmp_path / "README.md"
    page.write_text("```shell\npip install a \\\n    b  # both\narena run\n```\n\n`pip install c`\n")

    assert [re.sub(r"\s+", " ", line) for line in install_lines(page)] == ["pip install a b"]
