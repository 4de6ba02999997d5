"""The index of first-party plugins in the command line, and what is said by it of plugins that are missing."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from arena_testing import unwrapped

BENCH = """
games: {t: tic-tac-toe}
agents: {gpt: {use: llm, backend: {use: litellm, model: openai/gpt-4o}}, r: random}
executor: ray
metrics: [ratings]
"""


def test_index_is_that_of_the_manifests(root):
    """What ``docs/plugin_index.py`` writes is what is in the repository."""
    sys.path.insert(0, str(root / "docs"))
    try:
        import plugin_index
    finally:
        sys.path.remove(str(root / "docs"))

    assert plugin_index.INDEX.read_text("utf-8") == plugin_index.index(), "run .venv/bin/python docs/plugin_index.py"


def test_every_plugin_of_every_distribution_is_in_the_index(root, distributions):
    """The index knows each plugin that a distribution offers, by entry point and by hook."""
    known = json.loads((root / "plugins/interfaces/cli/src/arena_cli/first_party.json").read_text("utf-8"))

    for distribution in distributions:
        listed = {(kind, name) for kind, names in known[distribution.name]["plugins"].items() for name in names}
        assert listed == set(distribution.plugins), distribution.name


@pytest.fixture
def few(environment_with: Callable[..., object]) -> object:
    """An environment with the command line, a game, two agents, and nothing else of Arena."""
    return environment_with("playarena-cli", "playarena-agent-baseline", "playarena-agent-llm")


def said(few, directory: Path, *words: str) -> str:
    """What the environment's command line says of a mistake, in one line."""
    import subprocess

    command = [few.python, "-m", "arena_cli", *words]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    return few.without_place(unwrapped(done.stderr))


@pytest.mark.campaign
def test_what_is_missing_says_how_to_get_it(few, tmp_path):
    """From wheels, with no checkout around, each plugin of ours that is missing is named with its distribution."""
    (tmp_path / "bench.yaml").write_text(BENCH)

    told = said(few, tmp_path, "run", "bench.yaml")

    for line in (
        "bench.yaml:2: games.t: 'tic-tac-toe' is in playarena-game-openspiel, which is not installed: "
        "uv pip install playarena-game-openspiel",
        "bench.yaml:3: agents.gpt.backend.use: 'litellm' is in playarena-backend-litellm, which is not installed: "
        "uv pip install playarena-backend-litellm",
        "bench.yaml:4: executor: 'ray' is in playarena-executor-ray, which is not installed: "
        "uv pip install playarena-executor-ray",
        "bench.yaml:5: metrics.0: 'ratings' is in playarena-metric-ratings, which is not installed: "
        "uv pip install playarena-metric-ratings",
    ):
        assert f"arena: {line}\n" in told
    for words, end in {
        ("run", "suite:tmgbench-classic"): "playarena-suite-tmgbench",
        ("run", "--game", "hex", "--agent", "mcts"): "playarena-agent-solvers",
        ("describe", "hex"): "playarena-game-openspiel",
        ("play", "hex", "--against", "random"): "playarena-agent-human",
        ("leaderboard", "x"): "playarena-command-leaderboard",
        ("power", "x"): "'playarena-metric-outcomes[commands]'",
    }.items():
        assert said(few, tmp_path, *words).endswith(f"which is not installed: uv pip install {end}\n"), words
    unknown = said(few, tmp_path, "run", "--game", "hexx", "--agent", "random")
    assert "pip install" not in unknown


def test_checkout_gets_the_line_of_uv():
    """In the environment of a checkout the line that installs a distribution is uv's, from the workspace."""
    from arena_cli.application.first_party import index

    remedy = index()["playarena-executor-ray"].remedy()

    assert remedy.endswith("uv sync --inexact --package playarena-executor-ray")
    assert (
        index()["playarena-game-tradecraft"]
        .remedy("command")
        .endswith("--package playarena-game-tradecraft --extra commands")
    )


@pytest.mark.slow
def test_name_of_another_kind_is_recognised(arena):
    """Whoever names an agent where a game is wanted is told which kind it is."""
    done = arena("run", "--game", "mcts", "--agent", "random")

    assert done.returncode == 2
    assert done.stderr == "arena: games.mcts: no game called 'mcts', but an agent is called so\n"
