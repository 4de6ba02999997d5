"""A benchmark file or a run of somebody else runs no code that nobody has consented to."""

import json
import os
import pickle
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import arena as api
import pytest
from arena.errors import ConfigError
from arena_engine import load_benchmark, make_plugin
from arena_engine.journal.journal import Header, Journal
from arena_report import build
from arena_testing import unwrapped
from arena_testing.fixtures.distributions import installed

SHELL = {"args": ["touch", "made"]}
HOSTILE: Mapping[str, dict[str, Any]] = {
    "a-process": {"use": "gymnasium", "name": "subprocess:Popen", "parameters": SHELL},
    "a-process-by-pettingzoo": {"use": "pettingzoo", "name": "subprocess:Popen", "parameters": SHELL},
    "a-shell": {"use": "gymnasium", "name": "os:system", "parameters": {"command": "touch made"}},
    "a-module-that-is-only-imported": {"use": "gymnasium", "name": "beside:Anything-v0"},
    "a-module-without-a-colon": {"use": "pettingzoo", "name": "beside"},
    "a-submodule-whose-package-is-imported": {"use": "gymnasium", "name": "package.beside:Env"},
    "a-wrapper-that-writes-files": {
        "use": "gymnasium",
        "name": "gymnasium.wrappers:RecordVideo",
        "parameters": {"env": "CartPole-v1", "video_folder": "made"},
    },
    "a-function-of-gymnasium": {"use": "gymnasium", "name": "gymnasium:make", "parameters": {"id": "beside:E-v0"}},
    "an-import-of-gymnasium": {
        "use": "gymnasium",
        "name": "gymnasium.envs.registration:load_env_creator",
        "parameters": {"name": "beside:Env"},
    },
    "a-bridge-to-another-library": {
        "use": "gymnasium",
        "name": "GymV26Environment-v0",
        "parameters": {"env_id": "beside:E"},
    },
    "a-wrapper-of-pettingzoo": {
        "use": "pettingzoo",
        "name": "pettingzoo.utils.wrappers:CaptureStdoutWrapper",
        "parameters": {"env": None},
    },
    "a-relative-path": {"use": "gymnasium", "name": ".beside:Env"},
    "the-program-itself": {"use": "gymnasium", "name": "__main__:main"},
}
AGENT = {"use": "policy", "policy": "beside:choose"}
BESIDE = "open('made', 'w').close()\n\n\ndef choose(decision):\n    return decision.options[0].action\n"


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that leaves a file behind when it is imported, next to the benchmark and on the path; the file."""
    for directory in (tmp_path, tmp_path / "package"):
        directory.mkdir(exist_ok=True)
        (directory / "beside.py").write_text(BESIDE)
    (tmp_path / "package" / "__init__.py").write_text(BESIDE)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    return tmp_path / "made"


def benchmark(game: Any = "tic-tac-toe", agent: Any = "random") -> dict[str, Any]:
    """A benchmark with this game and this agent."""
    return {
        "name": "received",
        "seed": 1,
        "games": {"g": game},
        "agents": {"a": agent, "first": "first-legal"},
        "schedule": {"use": "round-robin"},
        "executor": "asyncio",
        "metrics": [],
    }


def received(directory: Path, plain: Mapping[str, Any]) -> Path:
    """A run that somebody else has made, with any benchmark in its header."""
    header = Header(
        id="0", name="received", seed=1, benchmark=plain, created="", core="", python="", platform="", provenance=()
    )
    Journal.create(directory, header, ()).close()
    return directory


@pytest.mark.slow
def test_a_file_runs_no_code_that_a_game_names(arena, tmp_path, beside):
    """A path to anything but an environment is refused with the flag that would allow it, and nothing is imported."""
    (tmp_path / "b.yaml").write_text(json.dumps({**benchmark(), "games": HOSTILE}, indent=1))

    done = arena("run", "b.yaml", "--dry-run")

    assert not beside.exists()
    assert done.returncode == 2, done.stderr
    said = unwrapped(done.stderr).splitlines()
    assert len(said) == len(HOSTILE)
    for name in HOSTILE:
        (line,) = (line for line in said if f"games.{name}.name: " in line)
        assert re.match(r"arena: b\.yaml:\d+: games\..*--trust-code", line)


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(
    "part",
    [
        {"games": {"g": {"use": "tradecraft", "ruleset": "package:rules"}}},
        {"agents": {"a": {"use": "roles", "backend": "scripted", "persona": "package:persona.yaml"}}},
    ],
    ids=["rules", "persona"],
)
def test_a_file_of_a_package_runs_none_of_it(arena, tmp_path, beside, part):
    """What a package ships is read as data; the package itself is not imported."""
    (tmp_path / "b.yaml").write_text(json.dumps({**benchmark(), **part}, indent=1))

    done = arena("run", "b.yaml", "--dry-run")

    assert not beside.exists()
    assert done.returncode == 2
    assert "package" in done.stderr


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("command", [["report"], ["report", "--full"]], ids=" ".join)
def test_a_run_runs_no_code_that_a_game_names(arena, tmp_path, beside, command):
    """A report is made without the game, and says why."""
    received(tmp_path / "run", {**benchmark(), "games": HOSTILE})

    done = arena(*command, "run")

    assert not beside.exists()
    assert done.returncode == 0, done.stderr
    with Journal.open(tmp_path / "run") as journal:
        notes = build([journal], boards=True).notes
    assert not beside.exists()
    assert len(notes) == len(HOSTILE)
    assert all(note.startswith("boards need ") and "--trust-code" in note for note in notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [["export", "--output", "out.jsonl"], ["replay"], ["audit"], ["leaderboard"], ["report"]],
    ids=lambda c: c[0],
)
def test_readers_of_a_run_run_no_code_of_its_agents(arena, tmp_path, beside, command):
    """Whatever is done with a received run, its agents are not built from paths."""
    received(tmp_path / "run", benchmark(agent=AGENT))

    done = arena(command[0], "run", *command[1:])

    assert not beside.exists()
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_file_runs_no_function_as_an_agent(arena, tmp_path, beside):
    """The function of an agent is played with consent, and is not even imported without."""
    (tmp_path / "b.yaml").write_text(json.dumps(benchmark(agent=AGENT)))

    refused = arena("run", "b.yaml", "--output", "run")
    untouched = not beside.exists()
    played = arena("run", "b.yaml", "--output", "run", "--trust-code")

    assert untouched
    assert refused.returncode == 2
    assert "b.yaml:1: agents.a.policy: 'beside:choose' leads to code" in refused.stderr
    assert played.returncode == 0, played.stderr
    assert beside.exists()
    # What was allowed once goes on, since resuming runs what the run names.
    assert arena("resume", "run").returncode == 0


@pytest.mark.slow
def test_known_environments_need_no_consent(tmp_path, monkeypatch):
    """Classes of environments and PettingZoo's own functions are built by their paths."""
    for name in ("gymnasium.envs.toy_text.frozen_lake:FrozenLakeEnv", "gymnasium.envs.toy_text:FrozenLakeEnv"):
        assert make_plugin("game", {"use": "gymnasium", "name": name}).name == name
    for name in (
        "pettingzoo.classic.rps_v2",
        "pettingzoo.classic.rps_v2:env",
        "pettingzoo.classic.rps.rps:parallel_env",
        "pettingzoo.classic.rps.rps:raw_env",
    ):
        assert make_plugin("game", {"use": "pettingzoo", "name": name}).name == name


ENVIRONMENTS = """
import gymnasium
from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv

class Lake(FrozenLakeEnv):
    pass

def make():
    return Lake()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("requires", "attribute", "is_known"),
    [
        (["gymnasium>=1.0"], "Lake", True),
        (["Pettingzoo[classic] ; python_version > '3'"], "Lake", True),
        (["gymnasium"], "make", False),
        ([], "Lake", False),
        (["gymnasium ; extra == 'rl'"], "Lake", False),
        (["gymnasium-robotics"], "Lake", False),
    ],
)
def test_distribution_of_environments_is_known_by_what_it_requires(tmp_path, requires, attribute, is_known):
    """Classes of a distribution that requires one of the libraries are built; functions and others need consent."""
    game = {"use": "gymnasium", "name": f"lakes.small:{attribute}"}
    with installed(tmp_path / "site") as site:
        site.add("lakes", {}, {"lakes/__init__.py": "", "lakes/small.py": ENVIRONMENTS}, requires=requires)
        if is_known:
            assert make_plugin("game", game).name == game["name"]
        else:
            with pytest.raises(ConfigError, match=r"name: 'lakes\.small:.*--trust-code"):
                make_plugin("game", game)
            assert ("lakes" in sys.modules) == (requires == ["gymnasium"])
        assert make_plugin("game", game, trust_code=True).name == game["name"]


@pytest.mark.slow
def test_module_that_lies_before_a_known_one_is_not_known(tmp_path, monkeypatch):
    """A module beside the benchmark does not pass for the installed one of the same name."""
    with installed(tmp_path / "site") as site:
        site.add("lakes", {}, {"lakes/__init__.py": ENVIRONMENTS}, requires=["gymnasium"])
        (tmp_path / "near").mkdir()
        (tmp_path / "near" / "lakes.py").write_text(f"open({str(tmp_path / 'made')!r}, 'w').close()\n" + ENVIRONMENTS)
        monkeypatch.syspath_prepend(tmp_path / "near")

        with pytest.raises(ConfigError, match="--trust-code"):
            make_plugin("game", {"use": "gymnasium", "name": "lakes:Lake"})

    assert not (tmp_path / "made").exists()


@pytest.mark.slow
def test_pickles_need_consent_of_a_person(arena, tmp_path):
    """What the file says of a pickle is no consent; only together with the flag it is read."""
    (tmp_path / "p.pkl").write_bytes(pickle.dumps(Touch()))
    agent = {"use": "policy", "policy": "p.pkl", "kind": "table", "trusts-pickle": True}
    (tmp_path / "b.yaml").write_text(json.dumps(benchmark("kuhn-poker", agent)))
    (tmp_path / "r.yaml").write_text(
        json.dumps(
            benchmark("kuhn-poker", {"use": "best-response", "to": "table", "table": "p.pkl", "trusts-pickle": True})
        )
    )

    refused = [arena("run", file, *more) for file in ("b.yaml", "r.yaml") for more in ([], ["--trust-code"])]
    untouched = not (tmp_path / "made").exists()
    read = arena("run", "b.yaml", "--dry-run", "--trust-pickle")

    assert [done.returncode for done in refused] == [2] * 4
    assert all("agents.a.trusts-pickle: reading a pickle" in done.stderr for done in refused)
    assert all("--trust-pickle" in done.stderr for done in refused)
    assert untouched
    assert read.returncode == 2  # it is read, and is no policy
    assert (tmp_path / "made").exists()


class Touch:
    """Leaves a file behind when it is unpickled."""

    def __reduce__(self) -> Any:
        return open, ("made", "w")


PLUGIN = """
import attrs
from arena.agent import Agent, PlayerAgent, Reply
from arena.plugin import Plugin, resolve

class First(PlayerAgent):
    def act(self, decision):
        return Reply(action=decision.options.actions[0])

@attrs.frozen
class Calls(Agent):
    path: str = attrs.field(default="", metadata={"help": "a path", "names_code": True})
    file: str = attrs.field(default="", metadata={"help": "a file"})
    pickled: bool = attrs.field(default=False, metadata={"help": "a pickle", "reads_pickle": True})
    odd: str = attrs.field(default="", metadata={"help": "odd", "names_code": lambda given: given["gone"]})

    def __attrs_post_init__(self):
        if self.path:
            resolve(self.path)()

    def join(self, seat):
        return First()

def made():
    CALLED.append(1)

CALLED = []
CALLS = Plugin(factory="acme_calls:Calls", summary="calls a path")
OWN = Plugin(factory="acme_calls:Calls", summary="calls its own", preset={"path": "acme_calls:made"})
"""


def test_the_rule_belongs_to_the_declaration(tmp_path):
    """A plugin of others gets it by its metadata; its own presets need no consent, and a broken rule trusts nothing."""
    with installed(tmp_path / "site") as site:
        entry_points = {"arena.agents": {"calls": "acme_calls:CALLS", "calls-own": "acme_calls:OWN"}}
        site.add("acme-calls", entry_points, {"acme_calls.py": PLUGIN})
        refused = {
            "path": {"use": "calls", "path": "acme_calls:made"},
            "pickled": {"use": "calls", "pickled": True},
            "odd": {"use": "calls", "odd": "x"},
        }
        for name, agent in refused.items():
            flag = "pickle" if name == "pickled" else "code"
            with pytest.raises(ConfigError, match=rf"^agents\.a\.{name}: .*--trust-{flag}"):
                load_benchmark(benchmark(agent=agent))
        import acme_calls

        assert acme_calls.CALLED == []
        load_benchmark(benchmark(agent={"use": "calls", "file": "a:b", "pickled": False}))
        load_benchmark(benchmark(agent="calls-own"))
        load_benchmark(benchmark(agent={"use": "calls-own", "path": "acme_calls:made"}))
        assert acme_calls.CALLED == [1, 1]
        with pytest.raises(ConfigError, match="--trust-code"):
            load_benchmark(benchmark(agent={"use": "calls-own", "path": "subprocess:Popen"}))
        load_benchmark(benchmark(agent=refused["path"]), trust_code=True)
        load_benchmark(benchmark(agent=refused["pickled"]), trust_pickle=True)


def test_options_of_a_server_that_import_code_need_consent():
    """What would make vLLM import something is refused, and other options are not."""
    backend = {"use": "vllm-serve", "model": "small"}
    make_plugin("backend", {**backend, "options": {"dtype": "bfloat16"}})
    for name in ("trust-remote-code", "trust_remote_code", "tool-parser-plugin"):
        with pytest.raises(ConfigError, match=r"options: .* leads to code.*--trust-code"):
            make_plugin("backend", {**backend, "options": {name: True}})
        make_plugin("backend", {**backend, "options": {name: True}}, trust_code=True)


def test_consent_from_python(tmp_path, monkeypatch):
    """``arena.run`` takes the same consent, a benchmark keeps what it was built with, and nothing stays behind."""
    (tmp_path / "beside.py").write_text(BESIDE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ConfigError, match=r"trust_code=True from Python"):
        api.run(benchmark(agent=AGENT), output="refused")
    made = load_benchmark(benchmark(agent=AGENT), trust_code=True)
    outcome = api.run(made, output="run", overrides=["seed=2"]).outcome
    with pytest.raises(ConfigError):
        load_benchmark(benchmark(agent=AGENT))

    assert outcome.exit_status == 0
    assert not (tmp_path / "refused").exists()
