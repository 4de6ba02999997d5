"""The list of runs is followed: what comes, changes and goes is told, and nothing else."""

import asyncio
import shutil
from typing import Any

import pytest
from arena.catalog import Catalog
from arena_engine import Journal, load_benchmark
from arena_engine.execution.api import enlarge_run
from arena_engine.execution.runner import create_run, play_run
from arena_web.foundation.keys import Grant
from arena_web.live.live import join

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLAIN: Any = {
    "name": "grows",
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"first": "first-legal", "random": "random"},
    "schedule": {"use": "round-robin", "repeats": 1},
}
"""Two matches."""


class Listener:
    """A viewer of the list, who hears each message once."""

    def __init__(self, viewer: Any) -> None:
        self.viewer = viewer
        self.number: int | None = None
        self.unread: list[dict[str, Any]] = []

    async def hear(self, wait: int = 20) -> list[dict[str, Any]]:
        """The messages since the last time, waited for."""
        after = "" if self.number is None else self.number
        told = await self.viewer.json(f"/live?topics=runs&after={after}&wait={wait}")
        self.number = told["numbers"]["runs"]
        return told["messages"]

    async def until(self, fits: Any) -> dict[str, Any]:
        """The next message that fits; several may come in one answer, and those behind it are for later."""
        while True:
            while self.unread:
                if fits(message := self.unread.pop(0)):
                    return message
            self.unread += await self.hear()


def row_of(message: dict[str, Any], run: str) -> dict[str, Any]:
    """The row of a run in a message, if it is told there."""
    return next((row for row in message["runs"] if row["run"] == run), {})


async def play(directory: Any) -> None:
    """Play what is left of a run."""
    with Journal.open(directory, write=True) as journal:
        await play_run(journal, load_benchmark(PLAIN), {}, lambda *_: None)


@pytest.mark.campaign
async def test_runs_that_come_grow_end_and_go_are_told(make_viewer, played, tmp_path):
    """A new run, one that is played to its end, who is best in it, and one that is deleted, each with its row."""
    place = tmp_path / "runs"
    shutil.copytree(played / "boards", place / "boards")
    viewer = make_viewer(place)
    listener = Listener(viewer)
    (reset,) = await listener.hear()

    create_run(load_benchmark(PLAIN), place / "new").close()
    came = await listener.until(lambda message: "new" in message["come"])
    await play(place / "new")
    ended = await listener.until(lambda message: row_of(message, "new").get("state") == "finished")
    known = ended
    if not row_of(ended, "new")["best"]:
        known = await listener.until(lambda message: row_of(message, "new").get("best"))
    with enlarge_run(place / "new", 2, Catalog())[0]:
        grown = await listener.until(lambda message: row_of(message, "new").get("planned") == 4)
    listed = {row["run"]: row for row in (await viewer.json("/runs"))["runs"]}
    shutil.rmtree(place / "new")
    gone = await listener.until(lambda message: message["gone"])

    assert (reset["kind"], reset["total"]) == ("reset", 1)
    assert (came["kind"], came["total"], came["more"]) == ("runs_changed", 2, False)
    assert (row_of(came, "new")["state"], row_of(came, "new")["done"]) == ("planned", 0)
    assert (row_of(ended, "new")["done"], row_of(ended, "new")["planned"]) == (2, 2)
    assert row_of(known, "new")["best"]["agent"] in PLAIN["agents"]
    assert row_of(grown, "new").keys() == listed["new"].keys()
    assert (gone["gone"], gone["total"], row_of(gone, "new")) == (["new"], 1, {})
    await viewer.site.feeds.close()


async def test_list_that_does_not_change_is_silent(make_viewer, played):
    """Who asks what comes after the last number hears nothing, and no journal is opened for it."""
    viewer = make_viewer(played, right="reader")
    listener = Listener(viewer)

    first, second = await listener.hear(), await listener.hear(wait=1)

    assert [message["kind"] for message in first] == ["reset"]
    assert second == []
    await viewer.site.feeds.close()


async def test_many_runs_at_once_are_not_read(make_viewer, played, tmp_path):
    """Of more rows than a page has it is said that there are more, and only so many are read."""
    place = tmp_path / "runs"
    shutil.copytree(played / "boards", place / "boards")
    viewer = make_viewer(place)
    listener = Listener(viewer)
    await listener.hear()
    journal = (played / "boards" / "journal.sqlite").read_bytes()
    hidden = tmp_path / "made"
    for number in range(60):
        (hidden / f"run-{number}").mkdir(parents=True)
        (hidden / f"run-{number}" / "journal.sqlite").write_bytes(journal)
    hidden.rename(place / "more")

    told = await listener.until(lambda message: message["kind"] == "runs_changed")

    assert (len(told["runs"]), len(told["come"]), told["more"], told["total"]) == (50, 50, True, 61)
    await viewer.site.feeds.close()


async def test_run_that_is_deleted_while_it_is_watched_says_so(make_viewer, played, tmp_path):
    """Whoever watches a run is told once that it is not there any more."""
    place = tmp_path / "runs"
    shutil.copytree(played / "boards", place / "boards")
    viewer = make_viewer(place)
    feed = await join(viewer.site, "run:boards", Grant(right="host"))
    number = feed.number

    (place / "boards").rename(tmp_path / "gone")  # at once, while what is deleted file by file may be seen in part
    woken = asyncio.Event()
    feed.woken.add(woken)
    await woken.wait()

    (notice,) = feed.since(number)
    assert (notice.fields["kind"], notice.fields["what"]) == ("notice", "the run is not there any more")
    await viewer.site.feeds.close()
