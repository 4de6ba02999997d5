"""Links that a host makes for others."""

from pathlib import Path

import pytest
from arena_engine import load_benchmark
from arena_engine.execution.runner import create_run
from arena_web.foundation.keys import Keys
from arena_web.held.match_names import match_name

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def planned(tmp_path: Path) -> Path:
    """Two runs of which nothing is played yet: with one open seat, and with one that sits twice in a match."""
    for name, schedule in (("pair", "round-robin"), ("twice", "self-play")):
        benchmark = load_benchmark(
            {
                "name": name,
                "games": {"tic-tac-toe": "tic-tac-toe"},
                "agents": {"person": {"use": "open-seat", "title": "Ann"}}
                | ({"random": "random"} if name == "pair" else {}),
                "schedule": schedule,
            }
        )
        create_run(benchmark, tmp_path / "runs" / name).close()
    return tmp_path / "runs"


async def test_link_to_a_seat_ends_the_one_before(make_viewer, planned, tmp_path):
    """A seat has one link; its digest outlives the server, and a link that the host ends opens nothing."""
    host = make_viewer(planned)
    seats = (await host.json("/run/pair"))["seats"]
    first, second = [(await host.post("/links", {"right": "seat", "run": "pair"})).json() for _ in range(2)]
    reader = (await host.post("/links", {"right": "reader"})).json()
    listed = (await host.json("/links"))["links"]
    after = (await host.json("/run/pair"))["seats"]

    def grant(link):
        return Keys(tmp_path / "state").grant_of(link["link"].rpartition("#")[2].removeprefix("key="))

    assert seats == [
        {
            "agent": "person",
            "player": None,
            "title": "Ann",
            "match": None,
            "waiting_since": None,
            "link_made": False,
        }
    ]
    assert after[0]["link_made"]
    assert second["link"].startswith("/seat#")
    assert grant(first) is None
    assert (grant(second).agent, grant(second).player) == ("person", None)
    assert grant(reader).right == "reader"
    assert {(each["right"], each["run"], each["agent"]) for each in listed} == {
        ("seat", "pair", "person"),
        ("reader", None, None),
    }
    assert not any(key in str(listed) for key in (second["link"][6:], reader["link"][6:]))
    ended = await host.client.delete(f"/api/1/links/{second['id']}", headers={"authorization": f"Bearer {host.key}"})
    assert ended.json() == {"ended": True}
    assert grant(second) is None


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"right": "host"}, 400, "expected one of seat, reader, bystander, got 'host'"),
        ({"right": "seat", "run": "none"}, 404, "there is no run 'none'"),
        ({"right": "seat", "run": "pair", "agent": "random"}, 400, "'random' is no open seat"),
        ({"right": "seat", "run": "pair", "player": 0}, 400, "'person' has no seat as player 0"),
        ({"right": "seat", "run": "twice"}, 400, "'person' has no seat as player None"),
        ({"right": "seat", "run": "twice", "player": "0"}, 400, "expected a number, got '0'"),
        ({"right": "bystander", "run": "pair"}, 404, "this run has no match ''"),
        ({"right": "reader", "expires_s": 0}, 400, "expected seconds from 1 to 31,622,400, got '0'"),
        ({"right": "reader", "expires_s": "60"}, 400, "expected seconds from 1 to 31,622,400, got '60'"),
        ({"right": "reader", "expires_s": True}, 400, "expected seconds from 1 to 31,622,400, got 'True'"),
    ],
)
async def test_link_that_cannot_be_made_says_why(make_viewer, planned, body, status, told):
    """What stands against a link is one sentence, with what there is."""
    answer = await make_viewer(planned).post("/links", body)

    assert answer.status_code == status
    assert told in answer.json()["error"]["what"]


async def test_links_expire_and_are_listed(make_viewer, planned):
    """Every link may have an end; the list says which match a bystander's is of, and when each ends."""
    host = make_viewer(planned)
    match = match_name("tic-tac-toe/person,random/0.0")
    asked = (
        {"right": "seat", "run": "pair", "expires_s": 3600},
        {"right": "reader", "expires_s": 1},
        {"right": "bystander", "run": "pair", "match": match},
    )
    for each in asked:
        assert (await host.post("/links", each)).status_code == 200
    listed = {own["right"]: own for own in (await host.json("/links"))["links"]}
    times = {right: own["expires"] and (len(own["expires"]), own["expires"][-1]) for right, own in listed.items()}
    host.site.keys._now = lambda: 4e9
    later = (await host.json("/links"))["links"]

    assert times == {"seat": (20, "Z"), "reader": (20, "Z"), "bystander": None}
    assert (listed["bystander"]["run"], listed["bystander"]["match"]) == ("pair", match)
    assert listed["bystander"]["label"] == "tic-tac-toe/person,random/0.0"
    assert [own["right"] for own in later] == ["bystander"]


@pytest.mark.slow
async def test_bystander_of_a_match_that_is_not_played(make_viewer, planned):
    """A bystander may come before the match; where its run is gone, or another lies there, that is all it is told."""
    host = make_viewer(planned)
    bystander = await host.lend(right="bystander", run="pair", match=match_name("tic-tac-toe/person,random/0.0"))
    told = await bystander.json("/watch")
    (planned / "pair").rename(planned.parent / "gone")
    gone = await bystander.get("/watch")

    assert (told["state"], told["turns"], told["ending"]) == ("planned", [], None)
    assert [own["agent"] for own in told["players"]] == [None, None]
    assert (gone.status_code, gone.json()["error"]["where"]) == (404, "match")
    assert "pair" not in gone.text


async def test_agent_that_sits_twice_has_two_seats(make_viewer, planned):
    """Where an agent sits several times in one match, each of its players has a link of its own."""
    host = make_viewer(planned)
    made = [
        (await host.post("/links", {"right": "seat", "run": "twice", "player": player})).json()["id"]
        for player in (0, 1)
    ]

    assert [seat["player"] for seat in (await host.json("/run/twice"))["seats"]] == [0, 1]
    assert {each["id"] for each in (await host.json("/links"))["links"]} == set(made)


async def test_seat_of_a_run_that_nobody_plays(make_viewer, planned):
    """Whoever has a seat in a run that is not played learns so, and when to ask again."""
    host = make_viewer(planned)
    key = (await host.post("/links", {"right": "seat", "run": "pair"})).json()["link"].partition("#")[2]
    headers = {"authorization": f"Bearer {key}"}

    told = await host.client.get("/api/1/seat", headers=headers)
    turn = await host.client.get("/api/1/seat/turn", headers=headers)

    assert (told.json()["state"], told.json()["done"]) == ("not running", 0)
    assert (turn.status_code, turn.headers["retry-after"], turn.json()["state"]) == (503, "3", "not running")
