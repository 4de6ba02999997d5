"""What can be proved without a cluster: parameters and addresses."""

import json

import attrs
import pytest
from arena.errors import ConfigError
from arena_cli.application.group import group
from arena_engine import build_benchmark
from arena_executor_ray.executor import Ray
from click.testing import CliRunner

PLAIN = {
    "name": "parts",
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"one": {"use": "llm", "backend": {"use": "scripted", "concurrency": 9}}, "two": "random"},
    "executor": {"use": "ray", "workers": 2, "cpus-per-worker": 0.5, "matches-per-worker": 3},
    "metrics": [],
}


@pytest.mark.usefixtures("named_packages")
def test_a_benchmark_names_its_executor():
    """The parameters are those written in the benchmark, the others have their defaults."""
    made = build_benchmark(PLAIN)

    assert made.executor == Ray(workers=2, cpus_per_worker=0.5, matches_per_worker=3)
    assert attrs.asdict(Ray()) == {
        "address": "local",
        "workers": None,
        "cpus_per_worker": 1.0,
        "gpus_per_worker": 0.0,
        "matches_per_worker": None,
        "start_timeout_s": 120.0,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [("address", "ray://head:10001"), ("address", "head"), ("workers", 0), ("cpus-per-worker", 0)],
)
@pytest.mark.usefixtures("named_packages")
def test_a_bad_parameter_is_named(field, value):
    """A parameter that makes no sense is refused with its path."""
    with pytest.raises(ConfigError, match=f"executor.{field.replace('-', '[-_]')}"):
        build_benchmark({**PLAIN, "executor": {"use": "ray", field: value}})


@pytest.mark.slow  # asks Ray
def test_an_address_where_nobody_is_is_one_sentence(tmp_path, monkeypatch):
    """A cluster that cannot be reached is one line on standard error, and resuming elsewhere plays the run."""
    monkeypatch.chdir(tmp_path)
    plain = {**PLAIN, "executor": {"use": "ray", "address": "127.0.0.1:1"}}
    (tmp_path / "bench.yaml").write_text(json.dumps(plain))

    done = CliRunner().invoke(group, ["run", "bench.yaml", "-q", "-o", "run"])

    assert done.exit_code == 2
    assert done.stderr.startswith("arena: executor.address: no Ray cluster at '127.0.0.1:1' (")
    assert " ".join(done.stderr.split()).endswith("; start one there, join it from one of its nodes, or use 'local'")
    assert CliRunner().invoke(group, ["resume", "run", "-q", "--set", "executor=asyncio"]).exit_code == 0
