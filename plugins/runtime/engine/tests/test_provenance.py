"""What a run writes down about the plugins that it uses."""

from pathlib import Path
from typing import Any

import pytest
from arena.catalog import Catalog, InstalledPlugin
from arena_engine import provenance_of
from arena_engine.foundation.provenance import checked_out
from arena_testing.fixtures.distributions import Installed

MODULE = "from arena.plugin import Plugin\nGAME = Plugin(factory='acme_nim.game:Nim')\n"


def add(installed: Installed, dist: str, **options: Any) -> None:
    """Install a distribution with one game."""
    installed.add(dist, {"arena.games": {"nim": "acme_nim:GAME"}}, {"acme_nim.py": MODULE}, **options)


def nim() -> InstalledPlugin:
    """The game of Nim as the catalog finds it installed."""
    return Catalog().get("game", "nim")


def test_provenance_tells_version_and_commit(installed: Installed):
    """What was installed from version control says from which commit."""
    add(installed, "acme-nim", direct_url={"url": "https://x.org/r", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}})

    assert provenance_of(nim()) == {
        "kind": "game",
        "name": "nim",
        "target": "acme_nim:GAME",
        "dist": "acme-nim",
        "version": "1.0",
        "editable": False,
        "commit": "c0ffee",
    }


@pytest.mark.parametrize("form", ["branch", "packed", "detached", "worktree"])
def test_editable_installation_tells_its_checkout(installed: Installed, tmp_path: Path, form: str):
    """The commit of an editable installation is read from git's files, however they are kept."""
    project = tmp_path / "project with space"
    git, head, commit = project / ".git", "ref: refs/heads/main", "1234567890" * 4
    (project / "src").mkdir(parents=True)
    if form == "worktree":
        git.write_text("gitdir: ../real/worktrees/w\n")
        git, shared = tmp_path / "real/worktrees/w", tmp_path / "real"
        (shared / "refs/heads").mkdir(parents=True)
        (shared / "refs/heads/main").write_text(commit)
        git.mkdir(parents=True)
        (git / "commondir").write_text("../..\n")
    else:
        (git / "refs/heads").mkdir(parents=True)
    if form == "branch":
        (git / "refs/heads/main").write_text(commit + "\n")
    if form == "packed":
        (git / "packed-refs").write_text(f"# pack-refs\n{commit} refs/heads/main\n")
    (git / "HEAD").write_text(commit if form == "detached" else head)
    checked_out.cache_clear()
    add(installed, "acme-nim", direct_url={"url": (project / "src").as_uri(), "dir_info": {"editable": True}})

    provenance = provenance_of(nim())

    assert provenance["editable"] is True
    assert provenance["commit"] == commit
