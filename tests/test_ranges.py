"""The ranges in the wheels hold at both ends."""

import pytest

DISTRIBUTIONS = ("core", "runtime/engine", "interfaces/cli", "games/grid", "agents/baseline", "metrics/outcomes")
BENCHMARK = """
name: ranges
games: {ttt: grid-tic-tac-toe}
agents: {random: random, first: first-legal}
schedule: {use: round-robin, repeats: 3}
metrics: [outcomes]
"""


@pytest.mark.slow
@pytest.mark.parametrize("resolution", ["lowest-direct", "highest"])
def test_a_benchmark_is_played_with_lowest_and_newest_dependencies(resolution, make_environment, root, tmp_path):
    """What core, engine and command line ask for may be as old or as new as they say."""
    environment = make_environment(tmp_path / "environment", has_pip=False)
    folders = [root / name if name == "core" else root / "plugins" / name for name in DISTRIBUTIONS]
    editable = [part for folder in folders for part in ("--editable", folder)]
    environment.install("--resolution", resolution, *editable)
    (environment.directory / "ranges.yaml").write_text(BENCHMARK)

    environment.arena("run", "ranges.yaml", "-o", "run")

    assert "rows are what was written" in environment.arena("verify", "run")
