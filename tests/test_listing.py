"""``arena list-plugins``: quick, complete, and light."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

NUMBERS = {"numpy", "scipy", "matplotlib"}
"""What computes and draws the numbers of a report."""

HEAVY = {*NUMBERS, "pyspiel", "litellm", "ray", "vllm", "structlog", "cattrs", "msgspec", "aiohttp"}

LOADED = """
import sys
from arena_cli import main
sys.argv = ["arena", *sys.argv[1:]]
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""

METRICS = """
import sys
from arena.catalog import Catalog
print(*[entry.load().__name__ for entry in list(Catalog().entries("metric"))])
print(*sorted(sys.modules), file=sys.stderr)
"""


def loaded_after(program, *words, **options):
    """The modules that are loaded when a program in a process of its own has ended."""
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True, **options
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.slow
def test_listing_imports_nothing_heavy():
    """After ``arena list-plugins`` no engine, converter, logger, server or model library is loaded."""
    loaded = loaded_after(LOADED, "list-plugins")

    assert "arena.catalog" in loaded
    assert HEAVY & loaded == set()


@pytest.mark.slow
def test_quiet_run_computes_and_draws_nothing(tmp_path):
    """``arena run -q`` loads its metrics, and neither what their numbers are computed with nor a log for terminals."""
    words = ["run", "--game", "tic-tac-toe", "--agent", "random", "-n", "2", "-q", "--output", str(tmp_path / "run")]

    loaded = loaded_after(LOADED, *words, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})

    assert {"arena_metric_outcomes.outcomes", "pyspiel"} <= loaded
    assert (NUMBERS | {"structlog", "rich", "pygments"}) & loaded == set()


@pytest.mark.slow
def test_report_of_two_matches_needs_no_scipy(tmp_path):
    """The tables on two agents that won one match each need no SciPy, with any metric of a run without a file."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    words = ["--game", "tic-tac-toe", "--agent", "random", "--agent", "first-legal", "-n", "1", "--seed", "2"]
    directory = str(tmp_path / "run")
    loaded_after(LOADED, "run", *words, "-q", "--output", directory, env=environment)

    loaded = loaded_after(LOADED, "report", directory, env=environment)

    assert "arena_metric_statistics.proportions" in loaded
    assert {"scipy", "matplotlib"} & loaded == set()


@pytest.mark.slow
def test_metrics_are_loaded_without_what_they_compute_with():
    """Importing all metrics imports neither NumPy nor SciPy: the first number does."""
    assert NUMBERS & loaded_after(METRICS) == set()


def test_every_first_party_plugin_is_listed(arena, distributions):
    """``--json`` lists each plugin once, with the eight documented keys; all work whose packages are installed."""
    done = arena("list-plugins", "--json")

    listed = json.loads(done.stdout)
    assert done.returncode == 0
    assert all(
        list(plugin) == ["kind", "name", "dist", "version", "status", "reason", "remedy", "summary"]
        for plugin in listed
    )
    ours = {d.name for d in distributions}
    assert sorted((p["kind"], p["name"]) for p in listed if p["dist"] in ours) == sorted(
        plugin for d in distributions for plugin in d.plugins
    )
    unusable = {(p["name"], p["status"], p["reason"]) for p in listed if p["dist"] in ours and p["status"] != "ok"}
    asked = {"litellm": "litellm", "parquet": "pyarrow", "ray": "ray", "vllm-engine": "vllm"}
    absent = {name: package for name, package in asked.items() if find_spec(package) is None}
    assert unusable == {(name, "unavailable", f"needs {package}") for name, package in absent.items()}
    assert all(plugin["summary"] for plugin in listed)


def test_listing_can_be_narrowed(arena):
    """``--kind`` leaves out everything else."""
    done = arena("list-plugins", "--kind", "agent", "--json")

    assert {plugin["kind"] for plugin in json.loads(done.stdout)} == {"agent"}
