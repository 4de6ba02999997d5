"""What people look for in a repository is there, can be read by the programs that read it, and names what exists."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

FORMS = (".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/feature.yml")


def read(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text("utf-8"))


def test_workflow_calls_targets_of_make(root):
    """What runs for every change are the targets that people run, and all of them that CI needs."""
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    steps = [step for job in read(root / ".github/workflows/ci.yml")["jobs"].values() for step in job["steps"]]
    called = {step["run"].split()[1] for step in steps if step.get("run", "").startswith("make ")}

    assert called <= targets
    assert called == {"lint", "docs", "test", "test-slow", "test-web"}


def test_hooks_are_the_tools_of_make_lint(root):
    """Before a commit runs what `make lint` runs, no more and no less."""
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (root / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe
    tools = re.findall(r"\$\(BIN\)/(.+)", recipe[1])
    (repository,) = read(root / ".pre-commit-config.yaml")["repos"]

    assert [hook["entry"] for hook in repository["hooks"]] == [f".venv/bin/{tool}" for tool in tools]


@pytest.mark.parametrize("form", FORMS)
def test_forms_ask_for_something(root, form):
    """Each form of an issue has a name, and asks a question that must be answered."""
    found = read(root / form)

    assert found["name"]
    assert found["description"]
    asked = [each for each in found["body"] if each["type"] == "textarea"]
    assert any(each.get("validations", {}).get("required") for each in asked)
    assert len({each["id"] for each in asked}) == len(asked)


def test_container_serves_the_pages_to_this_machine_alone(root):
    """The image has the command `arena`; its pages are reached at 127.0.0.1, by the port that they are served at."""
    stages = re.findall(r"^FROM .*$", (root / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    view = read(root / "compose.yaml")["services"]["view"]

    assert len(stages) == 2
    assert 'ENTRYPOINT ["arena"]' in (root / "Dockerfile").read_text("utf-8")
    assert view["command"][0] == "view"
    assert view["ports"] == ["127.0.0.1:8765:8765"]


@pytest.mark.slow
def test_citation_is_valid(root, uv):
    """The program that turns citations into other formats takes ours."""
    command = [uv, "tool", "run", "--from", "cffconvert", "cffconvert", "--validate", "-i", str(root / "CITATION.cff")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
