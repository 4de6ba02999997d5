"""Parts of Arena in environments of their own: what comes along, what works, and what is said of what is missing."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

CORE = {"playarena-core", "attrs", "pluggy", "stevedore"}
ENGINE = CORE | {"playarena-engine", "cattrs", "msgspec", "ruamel-yaml", "typing-extensions"}
RICH = {"rich", "markdown-it-py", "mdurl", "pygments"}

BRINGS = {
    "playarena-game-grid": CORE | {"playarena-scene", "pillow"},
    "playarena-agent-llm": CORE | {"ruamel-yaml"},
    "playarena-backend-llamacpp": CORE | RICH | {"playarena-openai-protocol", "xllamacpp"},
    "playarena-metric-outcomes": CORE | {"playarena-metric-statistics", "numpy", "scipy"},
    "playarena-engine": ENGINE,
    "playarena-cli": ENGINE
    | RICH
    | {"playarena-report", "playarena-observer-progress", "playarena-scene", "click", "structlog"},
}
"""A game, an agent, a backend, a metric and two rooms, with everything that an environment of each has beside it."""

BOARD = ("playarena-agent-baseline", "playarena-game-grid")
"""Who plays what where something is played."""

BENCH = {
    "name": "board",
    "games": {"board": "grid-tic-tac-toe"},
    "agents": {"one": "random", "two": "random"},
    "schedule": "all-pairings",
    "metrics": [],
}

PAGES = ("README.md", "docs/user-guide.md")


HERE = {"VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
"""Variables that lead back to this environment, or have each start compile all anew."""


def python(environment: Any, program: str) -> str:
    """What a program prints in an environment."""
    return environment.run(environment.python, "-c", dedent(program)).strip()


def refusal(environment: Any, statement: str) -> str:
    """The error that a statement ends with in an environment, without the place of the environment."""
    return environment.without_place(
        python(environment, f"try:\n    {statement}\nexcept ImportError as error:\n    print(error)")
    )


@pytest.fixture
def coin(arena, tmp_path) -> Path:
    """The folder of a new game, as ``arena new-plugin`` writes it."""
    done = arena("new-plugin", "game", "coin")
    assert done.returncode == 0, done.stderr
    return tmp_path / done.stdout.strip()


@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("name", BRINGS)
def test_wheel_brings_what_it_needs_and_nothing_else(name, environment_with):
    """A fresh environment has what the distribution requires and no more, and its plugins can be used."""
    environment = environment_with(name)

    assert environment.packages() == BRINGS[name] | {name}
    own = [plugin for plugin in environment.listed() if plugin["dist"] == name and plugin["kind"] != "command"]
    assert {plugin["status"] for plugin in own} <= {"ok"}


def test_core_alone_says_what_is_missing(environment_with):
    """With the core alone, what is behind its doors is an error of one sentence that names what to install."""
    environment = environment_with("playarena-core")

    missing = "arena.run is in playarena-engine, which is not installed: uv pip install playarena-engine"
    assert refusal(environment, "import arena; arena.run") == missing
    assert refusal(environment, "from arena import run") == missing
    assert refusal(environment, "from arena.testing import check_game") == (
        "arena.testing.check_game is in playarena-testing, which is not installed: uv pip install playarena-testing"
    )
    assert "run" not in python(environment, "import arena; print(*dir(arena))").split()


@pytest.mark.campaign
def test_core_is_enough_to_write_a_game(environment_with, coin):
    """A new game is installed beside the core and what draws it, found and imported."""
    environment = environment_with("playarena-core", coin)

    rules = python(
        environment, "from arena.catalog import Catalog; print(Catalog().get('game', 'coin').load()().rules)"
    )

    assert "coin" in rules
    assert environment.packages() == CORE | {"coin", "playarena-scene"}


@pytest.mark.campaign
def test_testing_is_enough_to_prove_a_game(environment_with, coin):
    """The tests of a new game pass with playarena-testing, which brings the engine and pytest, but no command line."""
    environment = environment_with("playarena-testing", coin)

    tested = environment.run(environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", coin / "tests")

    assert "passed" in tested
    brought = environment.packages()
    assert ENGINE | {"playarena-testing", "jsonschema", "pytest"} <= brought
    assert brought.isdisjoint({"playarena-cli", "playarena-report", "click", "rich", "numpy"})


@pytest.mark.campaign
def test_devkit_is_enough_to_start_and_review_a_game(environment_with):
    """``arena new-plugin`` and ``arena check`` work with playarena-devkit."""
    environment = environment_with("playarena-devkit")
    brought = environment.packages()
    folder = environment.directory / environment.arena("new-plugin", "game", "coin").strip()
    environment.install("--editable", folder)

    checked = json.loads(environment.arena("check", "game:coin", "--quick", "--only", "conformance", "--json"))

    assert checked["passed"]
    assert BRINGS["playarena-cli"] | {"playarena-cli", "playarena-devkit", "playarena-testing", "packaging"} <= brought
    assert brought.isdisjoint({"numpy", "hypothesis"})


def test_engine_is_enough_to_play_from_python(environment_with, constraints):
    """``arena.run`` plays with playarena-engine; ``run.report()`` asks for playarena-report, then works."""
    environment = environment_with("playarena-engine", *BOARD)
    run = f"import arena; run = arena.run({BENCH!r}, output='played')"

    assert python(environment, f"{run}; print(len(run.matches))") == "2"
    assert refusal(environment, "import arena; arena.load('played').report()") == (
        "arena_engine.Run.report is in playarena-report, which is not installed: uv pip install playarena-report"
    )
    environment.install("--constraints", constraints, "playarena-report")
    assert python(environment, "import arena; print(type(arena.load('played').report()).__name__)") == "Report"


def test_cli_is_enough_to_play_from_a_terminal(environment_with):
    """``arena run`` and ``arena report`` work with playarena-cli, a game and an agent."""
    environment = environment_with("playarena-cli", *BOARD)
    bench = environment.directory / "bench.yaml"
    bench.write_text(json.dumps(BENCH))

    run = environment.arena("run", bench, "--output", "played").splitlines()[-1]

    assert "one" in environment.arena("report", run, "--format", "markdown")


@pytest.mark.campaign
def test_gym_is_enough_to_train_a_learner(environment_with):
    """A Gymnasium environment steps with playarena-gym, a game and an opponent; no command line comes along."""
    environment = environment_with("playarena-gym", *BOARD)

    program = """
        import arena_gym
        env = arena_gym.gymnasium_env("grid-tic-tac-toe", opponents="random")
        seen, info = env.reset(seed=1)
        print(len(env.step(env.action_space.sample(info["action_mask"]))))
    """

    assert python(environment, program) == "5"
    brought = environment.packages()
    assert ENGINE | {"playarena-gym", "gymnasium", "numpy", "pettingzoo"} <= brought
    assert brought.isdisjoint({"playarena-cli", "playarena-report", "click", "rich"})


@pytest.mark.campaign
def test_command_without_its_need_says_how_to_install_it(environment_with, constraints):
    """A command that a game brings is unavailable without the command line, and its remedy makes it work."""
    environment = environment_with("playarena-game-tradecraft")

    (listed,) = (plugin for plugin in environment.listed() if plugin["name"] == "tradecraft-rules")

    assert (listed["kind"], listed["status"]) == ("command", "unavailable")
    assert "arena_cli" in listed["reason"]
    remedy = environment.without_place(listed["remedy"])
    assert remedy == "uv pip install 'playarena-game-tradecraft[commands]'"
    *_, wanted = shlex.split(remedy)
    environment.install("--constraints", constraints, wanted)
    assert "recipes" in environment.arena("tradecraft-rules", "minecraft")


CONSUMER = """
import arena
from arena import Game
from arena.testing import check_game

run = arena.run({"games": {"board": "grid-tic-tac-toe"}, "agents": {"one": "random"}}, output="played")
reveal_type(run)
reveal_type(arena.load("played"))


def prove(game: Game) -> None:
    reveal_type(game.rules)
    reveal_type(check_game(game))
"""


@pytest.mark.campaign
def test_types_are_found_in_wheels(environment_with, tmp_path):
    """Pyright's strict mode knows all types of a program that uses the wheels, through the doors too."""
    environment = environment_with("playarena-testing")
    (tmp_path / "consumer.py").write_text(CONSUMER)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"include": ["consumer.py"], "typeCheckingMode": "strict"}))

    done = subprocess.run(
        [Path(sys.executable).parent / "pyright", "--pythonpath", environment.python, "--outputjson"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    found = json.loads(done.stdout)["generalDiagnostics"]
    assert [each for each in found if each["severity"] != "information"] == []
    assert [each["message"].split('"')[-2] for each in found] == ["Run", "Run", "str", "GameReport"]


def shown(page: Path, start: str) -> list[str]:
    """The commands of a page that begin like this, each on one line."""
    lines = page.read_text("utf-8").replace("\\\n", " ").splitlines()
    return [" ".join(line.partition("  #")[0].split()) for line in lines if line.startswith(start)]


def plays(arena: Callable[..., str], examples: Path) -> None:
    """An installation plays games and writes the report, and has all that its model needs but the model's file."""
    run = arena("run", examples / "without_a_model.yaml", "-n", "1", "--output", "played").splitlines()[-1]
    assert arena("report", run, "--format", "html").strip()
    for name in ("quickstart.yaml", "ranking.yaml"):
        assert "smollm" in arena("run", examples / name, "--dry-run")


@pytest.mark.campaign
def test_one_line_of_pip_installs_a_checkout(make_environment, root, tmp_path, distributions):
    """README and user guide show the same lines for pip; they install what their examples need and no more."""
    (line,) = {each for page in PAGES for each in shown(root / page, "pip install ./core ./plugins/{")}
    assert all(shown(root / page, "pip install ./core ./plugins/{") for page in PAGES)
    environment = make_environment(tmp_path / "environment")
    words = subprocess.run(["bash", "-c", f"echo {line}"], capture_output=True, check=True, text=True).stdout.split()
    (bundle,) = {each for page in PAGES for each in shown(root / page, "pip install --no-deps ./")}
    assert all(shown(root / page, "pip install --no-deps ./") for page in PAGES)
    *_, command = bundle.split()
    folders = [root / word for word in words[2:]]

    environment.run(environment.python, "-m", "pip", "install", "--quiet", *folders)
    environment.run(environment.python, "-m", "pip", "install", "--quiet", "--no-deps", root / command)
    folders.append(root / command)

    ours = {name for name in environment.packages() if name.startswith("playarena")}
    assert ours == {d.name for d in distributions if d.directory in folders}
    plays(environment.arena, root / "examples")
    assert environment.run(environment.directory / "bin" / "arena", "list-plugins", "--kind", "game")


@pytest.mark.campaign
@pytest.mark.timeout(1_800)
def test_one_line_of_pip_installs_all_of_a_checkout(make_environment, root, tmp_path, distributions):
    """The second line for pip installs every distribution of the workspace, and all that can be used here is."""
    (line,) = {each for page in PAGES for each in shown(root / page, "pip install ./core ./plugins/*")}
    environment = make_environment(tmp_path / "environment")
    command = f"cd {shlex.quote(str(root))} && {shlex.quote(str(environment.python))} -m {line} --quiet"

    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert {name for name in environment.packages() if name.startswith("playarena")} == {d.name for d in distributions}
    assert {plugin["status"] for plugin in environment.listed()} <= {"ok", "unavailable"}


@pytest.mark.campaign
def test_the_root_is_no_package(make_environment, root, tmp_path):
    """Why the README says what to type instead: pip cannot install the workspace itself."""
    environment = make_environment(tmp_path / "environment")

    done = subprocess.run(
        [environment.python, "-m", "pip", "install", "--quiet", "--no-deps", root], capture_output=True, check=False
    )

    assert done.returncode != 0


@pytest.mark.campaign
def test_uv_sync_installs_a_checkout(uv, root, tmp_path):
    """``uv sync`` in a fresh clone is enough to play."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, tmp_path / "clone" / name)
    kept = {name: value for name, value in os.environ.items() if name not in HERE}
    subprocess.run([uv, "sync", "--quiet", "--python", sys.executable], cwd=tmp_path / "clone", env=kept, check=True)

    def arena(*arguments: object) -> str:
        command = [tmp_path / "clone" / ".venv" / "bin" / "arena", *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, env=kept, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    plays(arena, tmp_path / "clone" / "examples")
