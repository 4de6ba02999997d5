"""Reports on disk: a server that was started again has them at once, and none that would be made otherwise now."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from arena_engine import Journal
from arena_engine.journal.database import lock
from arena_web.held.kept_reports import KeptReports
from arena_web.held.reports import Reports

pytestmark = pytest.mark.asyncio(loop_scope="session")


class _Counted:
    """Makes reports that say how many were made."""

    def __init__(self) -> None:
        self.made = 0

    async def ask(self, asked: Any, tell: Any = None) -> Any:
        self.made += 1
        return {"leaderboard": {"made": self.made}, "best": None, "cost": None}

    async def close(self) -> None:
        pass


@pytest.fixture
def runs(tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a run that is over, and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(played / "boards", tmp_path / "runs" / "boards")
    return tmp_path / "runs"


async def report_of(make_viewer: Callable[..., Any], runs: Path, workers: Any, **settings: Any) -> tuple[Any, int]:
    """What a server that was just started says of a run at first, and how many reports it made for that."""
    before = workers.made
    viewer = make_viewer(runs, reports=Reports(workers, disk=KeptReports(**settings)))
    first = await viewer.json("/run/boards/sections")
    await viewer.site.reports.wait([str(runs / "boards")])
    return first["computing"], workers.made - before


@pytest.mark.campaign
async def test_restarted_server_has_the_report_at_once(make_viewer, runs):
    """A report is made once; a server that is started later has it in its first answer, for host and reader alike."""
    first = make_viewer(runs, reports=Reports(disk=KeptReports()))
    assert (await first.json("/run/boards/leaderboard"))["computing"] == "0 of 20 matches"
    await first.site.reports.wait([str(runs / "boards")])
    made = await first.json("/run/boards/leaderboard")

    for right in ("host", "reader"):
        again = make_viewer(runs, right=right, reports=Reports(disk=KeptReports()))
        assert await again.json("/run/boards/leaderboard") == made
        assert (await again.json("/run/boards"))["verdict"]["sentences"]

    assert made["rows"]


@pytest.mark.parametrize("what", ["damage", "journal", "plugins", "references"])
async def test_report_is_made_again_where_it_may_be_another(make_viewer, runs, tmp_path, what):
    """Damaged reports, and those of other matches, other code or other references, are not shown."""
    workers: Any = _Counted()
    await report_of(make_viewer, runs, workers)
    settings: dict[str, Any] = {}
    (kept,) = (tmp_path / "cache" / "arena" / "web").iterdir()
    if what == "damage":
        kept.write_bytes(kept.read_bytes()[:-2])
    elif what == "journal":
        with Journal.open(runs / "boards", write=True) as journal:
            journal.save_judgement(journal.plans()[0].id, "judge", [])
    elif what == "plugins":
        settings["disabled"] = ("playarena-metric-calibration",)
    else:
        (tmp_path / "cache" / "arena" / "references").mkdir()
        (tmp_path / "cache" / "arena" / "references" / "one.json").write_text("{}")

    assert await report_of(make_viewer, runs, workers, **settings) == ("0 of 20 matches", 1)
    assert await report_of(make_viewer, runs, workers, **settings) == ("", 0)


async def test_report_of_a_run_that_is_played_is_not_kept(make_viewer, runs, tmp_path):
    """What is in a journal while it is written changes from moment to moment."""
    with closing(lock(runs / "boards")):
        await report_of(make_viewer, runs, _Counted())

    assert not (tmp_path / "cache" / "arena" / "web").exists()
