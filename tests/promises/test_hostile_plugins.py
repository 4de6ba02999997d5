"""Hostile plugins of every kind, really installed: what somebody reads who runs them, and that other matches go on."""

import ast
import json
import re
import sys

import pytest

from .hostile import AGENTS, BACKENDS, GAMES, METRICS, OBSERVERS, SOUND, STYLES, SUITES, Hostile

ALL = {
    f"{cases_of}-{name}": case
    for cases_of, cases in (
        ("game", GAMES),
        ("agent", AGENTS),
        ("backend", BACKENDS),
        ("metric", METRICS),
        ("observer", OBSERVERS),
        ("style", STYLES),
        ("suite", SUITES),
    )
    for name, case in cases.items()
}


def benchmark_of(hostile: Hostile) -> dict:
    """A benchmark with a hostile plugin of a kind, and with a sound game that sound agents play."""
    kind = hostile.kind
    agents = {"a": "sound", "b": "reader" if "class Reading" in hostile.source else "sound"}
    games = {"fine": "sound"}
    found = {"seed": 1, "games": games, "agents": agents, "schedule": {"use": "round-robin"}, "metrics": ["outcomes"]}
    if kind == "game":
        games["g"] = "hostile"
    elif kind == "agent":
        agents["a"] = "hostile"
        agents["c"] = "sound"
    elif kind == "backend":
        agents["c"] = {"use": "llm", "backend": "hostile"}
    elif kind == "metric":
        found["metrics"] = {"outcomes": "outcomes", "m": "hostile"}
    elif kind == "prompt_style":
        agents["c"] = {"use": "llm", "backend": "scripted", "prompt": {"style": "hostile"}}
    elif kind == "suite":
        return {"extends": "suite:hostile"}
    elif kind == "observer":
        found["observers"] = {"o": "hostile"}
    return found


def short(output: str) -> str:
    """The lines of an output that say what went wrong."""
    lines = [line for line in output.splitlines() if re.search("failed|arena:|missing|Note|Error|could not", line)]
    return "\n".join(lines)


@pytest.fixture
def run(installed, tmp_path, monkeypatch):
    """Installs a hostile plugin and runs a benchmark with it: the exit code, and what was printed."""
    from arena_cli.application.group import group
    from click.testing import CliRunner

    monkeypatch.chdir(tmp_path)

    def go(hostile: Hostile):
        descriptors = "".join(
            f"{name.upper()} = Plugin(factory='{module}:{name}', summary='sound')\n"
            for name, module in (
                ("SoundGame", "lab_sound"),
                ("SoundAgent", "lab_sound"),
                ("Plugged", "lab_hostile"),
                ("Reading", "lab_hostile"),
            )
        )
        installed.add(
            "lab",
            {
                "arena.games": {"sound": "lab:SOUNDGAME"},
                "arena.agents": {"sound": "lab:SOUNDAGENT"},
            },
            {"lab.py": f"from arena.plugin import Plugin\n{descriptors}", "lab_sound.py": SOUND},
        )
        files = {}
        plugged = "lab:PLUGGED"
        if hostile.kind in ("suite", "prompt_style"):  # a file, offered by a module of its own
            plugged = "lab_files:FILES"
            module = f"{hostile.source}\nfrom arena.plugin import Plugin\n"
            files["lab_files/__init__.py"] = f"{module}FILES = Plugin(factory='lab_files:{hostile.kind}.yaml')\n"
            if hostile.source.startswith("FILE = "):
                files[f"lab_files/{hostile.kind}.yaml"] = ast.literal_eval(hostile.source.removeprefix("FILE = "))
        installed.add(
            "lab-hostile",
            {f"arena.{hostile.kind}s": {"hostile": plugged}, "arena.agents": {"reader": "lab:READING"}}
            if "class Reading" in hostile.source
            else {f"arena.{hostile.kind}s": {"hostile": plugged}},
            {"lab_hostile.py": f"from lab_sound import *\n{hostile.source}", **files},
        )
        (tmp_path / "bench.yaml").write_text(json.dumps(benchmark_of(hostile)))
        done = CliRunner().invoke(group, ["run", "bench.yaml", "--output", "run"])
        return done.exit_code, done.output

    yield go
    for name in ("lab", "lab_sound", "lab_hostile"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.sample(fast=1, slow=6)
def test_hostile_plugin_is_named(run, name, tmp_path):
    """A hostile plugin ends in its exit code and one sentence that names it; matches without it have their results."""
    hostile = ALL[name]

    code, output = run(hostile)

    said = " ".join(output.split())
    assert [text for text in hostile.says if " ".join(text.split()) not in said] == [], short(output)
    assert "Traceback" not in output or "observer_failed" in output  # which is a log
    assert code == hostile.code, short(output)
    if code == 1:
        from arena_engine import Journal

        with Journal.open(tmp_path / "run") as journal:
            sound = [r for r in journal.records() if r.game == "fine" and "c" not in r.agents and "a" not in r.agents]
            sound += [r for r in journal.records() if r.game == "fine" and hostile.kind not in ("agent", "backend")]
            assert all(record.ending.is_result for record in sound)
            assert any(record.ending.is_result for record in journal.records())
