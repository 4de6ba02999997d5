"""Games that hang, fail, end their process or are not installed: one box that says so, and the turns as texts."""

import asyncio
import shutil

import pytest
from arena.installing import install_line
from arena_engine import run
from arena_web.foundation.kept_values import KeptValues
from arena_web.held.positions import AGAIN_S, MatchSource, Positions, Problem
from arena_web.held.workers import WorkerFailed, Workers

from .coins import COINS

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def coins(installed, tmp_path):
    """A run of a third party's game."""
    installed.add("acme-coins", {"arena.games": {"acme-coins": "acme_coins:COINS"}}, {"acme_coins.py": COINS})
    benchmark = {
        "name": "coins",
        "games": {"coins": "acme-coins"},
        "agents": {"random": "random"},
        "schedule": {"use": "self-play", "repeats": 1},
    }
    run(benchmark, output=tmp_path / "runs" / "coins", check=False)
    return tmp_path / "runs"


async def shown(make_viewer, place, positions):
    """The match of the run, and its frames."""
    viewer = make_viewer(place, positions=positions)
    (row,) = (await viewer.json("/run/coins/matches"))["matches"]
    base = f"/run/coins/match/{row['match']}"
    found = await viewer.json(base), await viewer.json(f"{base}/frames"), await viewer.json(f"{base}/turn/0")
    await positions.close()
    return found


@pytest.mark.slow
async def test_game_of_a_third_party_has_its_text(make_viewer, coins):
    """A game without a scene is shown by its text, never by an empty box."""
    match, frames, turn = await shown(make_viewer, coins, Positions(Workers()))

    assert frames["problem"] is None
    assert len(frames["frames"]) == match["positions"] == 4
    assert frames["words"][0] == "left: 3"
    assert turn["told"] == [{"text": "taken: left 2", "seen_by": "everybody"}]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("hang", "it takes longer than"),
        ("exit", "it ended its process without an answer"),
        ("raise", "RuntimeError: <b>no</b>"),
        ("memory", "memory"),
    ],
)
async def test_game_that_fails_is_named_and_its_turns_are_told(make_viewer, coins, monkeypatch, how, why):
    """A game that hangs, exits, raises or takes too much memory is one box; its turns and events are there as texts."""
    monkeypatch.setenv("ACME_COINS", how)
    limits = (2.0, 8.0) if how == "hang" else (120.0, 120.0)  # whatever else is wrong is to be found out in its time
    workers = Workers(1, seconds=limits[0], start_s=limits[1], memory=600_000_000)

    match, frames, turn = await shown(make_viewer, coins, Positions(workers))

    assert "'coins'" in frames["problem"]["what"]
    assert why in frames["problem"]["what"]
    assert frames["problem"]["remedy"]
    assert frames["frames"] == []
    assert frames["words"][1:] == [f"taken: left {n}" for n in (2, 1, 0)]
    assert [line["action"] for line in match["turns"]] == ["take 1"] * 3
    assert turn["told"]


@pytest.mark.slow
async def test_game_that_is_not_installed_says_what_to_install(make_viewer, coins, installed):
    """A game that is gone is named with its distribution and how to get it, and its turns are there as texts."""
    shutil.rmtree(installed.directory / "acme_coins-1.0.dist-info")
    (installed.directory / "acme_coins.py").unlink()

    match, frames, _ = await shown(make_viewer, coins, Positions(Workers()))

    assert f"acme-coins, which is not installed: {install_line('acme-coins')}" in frames["problem"]["what"]
    assert frames["problem"]["remedy"].startswith("install it here")
    assert [line["action"] for line in match["turns"]] == ["take 1"] * 3


@pytest.mark.slow
async def test_game_that_failed_is_asked_again_after_a_while(tmp_path, played):
    """A problem is kept for a minute, so that a moment of trouble does not hide a game for the server's life."""
    now = [0.0]
    positions = Positions(Workers(1), clock=lambda: now[0])
    place = str(tmp_path / "boards")
    source = MatchSource(run=place, header="h", match="m", game="kuhn-poker", players=2, steps=0, is_over=True)
    assert isinstance(await positions.game(source), Problem)
    shutil.copytree(played / "boards", place)

    early = await positions.game(source)
    now[0] += AGAIN_S
    late = await positions.game(source)
    await positions.close()

    assert isinstance(early, Problem)
    assert late["hides"] is True


@pytest.mark.slow
async def test_worker_that_ends_is_replaced():
    """After a worker was ended the next request has a new one, and none is left when all is closed."""
    workers = Workers(1)
    with pytest.raises(WorkerFailed, match="KeyError"):
        await workers.ask({"do": "nothing"})

    with pytest.raises(WorkerFailed, match="no such journal"):
        await workers.ask({"do": "timeline", "run": "/nowhere", "match": "m", "view": "all"})
    await workers.close()


@pytest.mark.slow
async def test_request_that_is_given_up_ends_its_worker():
    """A request that nobody waits for any more leaves no process that goes on computing."""
    workers = Workers(1)
    task = asyncio.ensure_future(workers.ask({"do": "report", "runs": []}))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    with pytest.raises(WorkerFailed):
        await workers.ask({"do": "nothing"})
    await workers.close()


async def test_kept_values_have_bounds():
    """No more bytes are kept than there is room for; what was used longest ago goes first."""
    kept = KeptValues(10)
    for word in "abc":
        kept.put(word, word, 3)
    assert kept.get("a") == "a"
    kept.put("d", "d", 3)
    kept.put("e", "e", 11)

    assert [kept.get(word) for word in "abcde"] == ["a", None, "c", "d", None]
    assert kept.held == 9
