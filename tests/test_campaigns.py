"""What is due again of the parts of the campaign, and that no test is in none of them."""

import re
import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path("plugins", "backends", "vllm", "src")
campaigns = SimpleNamespace(**runpy.run_path(str(ROOT / "tools" / "campaigns.py")))


@pytest.fixture
def checkout(tmp_path):
    """A repository in which vLLM's tests have passed."""
    source = tmp_path / SOURCE
    source.mkdir(parents=True)
    (source / "serve.py").write_text("old")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "campaigns.md").write_text("| `rllib` | | | |\n| `vllm` | | | |\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    campaigns.note("vllm", "passed, 13 min", tmp_path)
    return tmp_path


def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments], cwd=folder, check=True)


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "-")


def test_part_is_not_due_while_its_paths_are_the_same(checkout):
    """What changes elsewhere, and the page itself, leave what has passed alone."""
    (checkout / "README.md").write_text("new")
    commit(checkout)

    assert not campaigns.is_due("vllm", checkout)


@pytest.mark.parametrize("is_committed", [True, False])
@pytest.mark.parametrize("name", ["serve.py", "other.py"])
def test_part_is_due_when_something_under_its_paths_changes(checkout, name, is_committed):
    """A file that is changed or new counts, committed or not."""
    (checkout / SOURCE / name).write_text("new")
    if is_committed:
        commit(checkout)

    assert campaigns.is_due("vllm", checkout)


@pytest.mark.parametrize(
    "cells", [("2026-01-01", "0123456789ab", "passed, 13 min"), ("2026-01-01", "HEAD", "failed, 2 min"), ("", "", "")]
)
def test_part_is_due_that_passed_on_no_known_commit(checkout, cells):
    """A commit that is not in this clone, a failure and no note at all are no proof."""
    page = checkout / "docs" / "campaigns.md"
    page.write_text(campaigns.with_note(page.read_text(), "vllm", *cells))

    assert campaigns.is_due("vllm", checkout)


def test_note_on_uncommitted_changes_is_no_proof(checkout):
    """What passed with changes that no commit holds is due again."""
    (checkout / SOURCE / "serve.py").write_text("new")
    campaigns.note("vllm", "passed, 13 min", checkout)
    git(checkout, "checkout", "-q", "plugins")

    assert campaigns.is_due("vllm", checkout)


def test_every_part_has_a_row_and_every_folder_a_part(root):
    """The page lists the parts; each folder with tests belongs to one."""
    page = (root / "docs" / "campaigns.md").read_text("utf-8")
    collected = {path for part in campaigns.PARTS for path in campaigns.paths(part)}

    assert set(campaigns.noted(page)) == {*campaigns.PARTS, *campaigns.SCRIPTS, *campaigns.ELSEWHERE}
    folders = {
        f"plugins/{path.name}"
        for path in (root / "plugins").iterdir()
        if path.is_dir() and any(path.glob("*/pyproject.toml"))
    }
    assert {"core", "tests", *folders} <= collected


def test_ci_asks_what_is_due(root):
    """Each part with an environment of its own is asked for by name."""
    script = (root / ".ci" / "run").read_text("utf-8")

    assert set(re.findall(r"rllib|vllm", script)) == set(campaigns.ELSEWHERE)
    assert "tools/campaigns.py due" in script
