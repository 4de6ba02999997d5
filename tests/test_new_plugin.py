"""``arena new-plugin``: what it writes works untouched, in an environment that has nothing but playarena-devkit."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from arena_devkit.template import Blueprint, kinds

pytestmark = pytest.mark.slow

NAME = "my-thing"
SUITE = ("playarena-agent-baseline", "playarena-game-negotiation", "playarena-metric-outcomes")
"""What the suite plays and measures."""


@pytest.mark.parametrize("kind", kinds())
@pytest.mark.sample(slow=1)
def test_new_plugin_works_untouched(kind, environment_with):
    """It can be installed, is listed as ok, its tests pass, and ``arena check`` finds nothing wrong with it."""
    environment = environment_with("playarena-devkit", "pip", *(SUITE if kind == "suite" else ()))
    folder = environment.directory / environment.arena("new-plugin", kind, NAME).strip()

    environment.install("--editable", folder)

    (listed,) = [plugin for plugin in environment.listed() if plugin["name"] == NAME]
    assert (listed["kind"], listed["dist"], listed["status"]) == (kind, NAME, "ok")
    assert listed["summary"]
    tested = environment.run(environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder)
    assert "passed" in tested
    assert not {"skipped", "warning", "xfailed"} & set(tested.split())
    checked = json.loads(environment.arena("check", f"{kind}:{NAME}", "--json"))
    assert checked["passed"]
    items = [item for subject in checked["subjects"] for item in subject["items"]]
    assert {item["part"] for item in items} >= {"descriptor", "class", "conformance", "dependencies", "wheel"}
    assert [item for item in items if item["status"] != "passed"] == []


@pytest.mark.campaign
def test_new_plugins_are_typed(tmp_path):
    """Pyright finds nothing in what is written, by its own settings."""
    for kind in kinds():
        Blueprint(kind=kind, name=NAME).write(tmp_path / kind)

    command = [Path(sys.executable).parent / "pyright", "--pythonpath", sys.executable, *tmp_path.glob("*/*/src")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.stdout.startswith("0 errors, 0 warnings")
