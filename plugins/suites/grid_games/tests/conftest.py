"""A run of the suite with agents that need no model."""

import pytest
from arena_cli.application.group import group
from click.testing import CliRunner

AGENTS = """
agents:
  random: grid-random
  talker:
    use: llm
    constrained: false
    prompt: {style: grid-list, history: none}
    backend:
      use: scripted
      answers: ["{'row': 1, 'column': 1}", "{'row': 2, 'column': 2}", "no move", "{'row': 3, 'column': 9}"]
sweep: {agents.talker.prompt.style: [grid-list, grid-illustration]}
"""


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """Tic-tac-toe of the suite with other agents: one that is put out sooner or later, in two forms."""
    directory = tmp_path_factory.mktemp("suite")
    (directory / "mine.yaml").write_text(AGENTS)
    # One match after another, since the talker's answers are in the order of all its calls.
    in_turn = ("--set", "limits.concurrency=1")
    options = (*in_turn, "--agents", directory / "mine.yaml", "--game", "tic-tac-toe", "-q", "-o", directory / "run")
    done = CliRunner().invoke(group, ["run", "suite:grid-games-2024", *map(str, options)], prog_name="arena")
    assert done.exit_code == 0, done.stderr
    return directory / "run"
