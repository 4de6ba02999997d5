"""Matches that somebody outside will sit in (again), and those with their deals, are a bystander's to everybody."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import attrs
import pytest
from arena.record import Ending, MatchRecord
from arena_engine import Journal, run
from arena_web.foundation.hidden_matches import covered_matches, is_covered
from arena_web.held.match_names import match_name
from arena_web.held.reports import Reports
from arena_web.held.searches import Searches
from arena_web.held.workers import Workers

pytestmark = pytest.mark.asyncio(loop_scope="session")

BACKEND = {"use": "scripted", "answers": ["I pass"], "faults": [{"kind": "bad-request", "calls": [2]}]}
FAILED: dict[str, Any] = {
    "name": "run",
    "seed": 1,
    "games": {"kuhn-poker": "kuhn-poker"},
    "agents": {"model": {"use": "llm", "backend": BACKEND}, "person": {"use": "open-seat"}},
    "schedule": {"use": "fixed", "seatings": [["model", "person"]]},
}
"""A model answers nonsense, is asked again, and its server fails: the match is played again when the run is resumed."""
SHARED: dict[str, Any] = FAILED | {
    "agents": {
        "one": {"use": "random", "tags": ["side"]},
        "person": {"use": "open-seat", "tags": ["side"]},
        "other": "random",
    },
    "schedule": {"use": "against", "agent": "side", "same-deals": True, "rotate-seats": False, "paired": True},
}
"""A program has played with the deals with which somebody outside will sit."""


async def told(viewer: Any, id_: str) -> dict[str, Any]:
    """What whoever wants to see all of a match gets of it, by each way."""
    name = match_name(id_)
    path = f"/run/run/match/{name}"
    page = await viewer.json(f"{path}?as=all")
    topic = quote(f"match:run/{name}?as=all")
    whole = (await viewer.post("/downloads", {"run": "run", "form": "jsonl"})).json()["path"]
    found = await viewer.json("/run/run/search?text=a")
    while not found["is_over"]:
        found = await viewer.json("/run/run/search?text=a")
    (row,) = [row for row in (await viewer.json("/run/run/matches"))["matches"] if row["match"] == name]
    await viewer.json("/run/run/leaderboard")
    await viewer.site.reports.wait([str(viewer.site.runs.get("run").directory)])
    return {
        "page": page["view"],
        "covered": page["is_covered"],
        "error": page["error"],
        "frames": (await viewer.get(f"{path}/frames?as=0")).content == (await viewer.get(f"{path}/frames")).content,
        "live": (await viewer.json(f"/live?topics={topic}&wait=0"))["messages"][-1]["view"],
        "text": (await viewer.get(f"{path}/text/{sha256(b'I pass').hexdigest()}")).status_code,
        "download": (await viewer.post("/downloads", {"run": "run", "match": name, "form": "json"})).status_code,
        "all": json.dumps(id_) in (await viewer.client.get(whole)).text,
        "search": name in [hit["match"] for hit in found["matches"]],
        "row": (row["turns"], row["refusals"], row["substitutes"], row["tokens"], row["cost"]),
        "sorted": name in [row["match"] for row in (await viewer.json("/run/run/matches?sort=turns"))["matches"]],
        "has": name in [row["match"] for row in (await viewer.json("/run/run/matches?has=refusal"))["matches"]],
        "refusals": (await viewer.json("/run/run"))["refusals"],
    }


HIDDEN: dict[str, Any] = {
    "page": "public",
    "covered": True,
    "error": None,
    "frames": True,
    "live": "public",
    "text": 404,
    "download": 403,
    "all": False,
    "search": False,
    "row": (None,) * 5,
    "sorted": False,
    "has": False,
    "refusals": [],
}


KINDS = pytest.mark.parametrize(
    ("plain", "match", "sitting"),
    [
        (FAILED, "kuhn-poker/model,person/0.0", "kuhn-poker/model,person/0.0"),
        (SHARED, "kuhn-poker/one,other/0.0", "kuhn-poker/person,other/0.1"),
    ],
    ids=["it is played again", "its deals are played"],
)


@KINDS
async def test_match_is_covered_while_a_sitting_with_its_deals_is_to_come(
    tmp_path: Path, plain: dict[str, Any], match: str, sitting: str
):
    """Only an ending for good uncovers a match; matches with other deals, and those of open games, never are."""
    run(plain, output=tmp_path / "run", check=False)  # nobody comes
    with Journal.open(tmp_path / "run", write=True) as journal:
        (plan,) = [plan for plan in journal.plans() if plan.id == match]
        (seat,) = [plan for plan in journal.plans() if plan.id == sitting]
        assert journal.endings().get(match) in (Ending.RULES, Ending.INFRASTRUCTURE_FAILURE)
        assert covered_matches(journal) == {match, sitting}
        assert not is_covered(journal, attrs.evolve(plan, chance_seed=plan.chance_seed + 1))
        journal.mark_watched([sitting])
        assert (covered_matches(journal, is_host=True), covered_matches(journal)) == (frozenset(), {match, sitting})
        journal.finish(MatchRecord(plan=seat, ending=Ending.FAILED, returns=None))
        await journal.flush()
        assert is_covered(journal, plan)
        journal.finish(MatchRecord(plan=seat, ending=Ending.FORFEIT_LEFT, returns=(0.0, 0.0)))
        await journal.flush()
        assert covered_matches(journal) == frozenset()


@pytest.mark.campaign
@KINDS
async def test_match_is_a_bystanders_until_nobody_sits_in_it_again(
    make_viewer, tmp_path: Path, plain: dict[str, Any], match: str, sitting: str
):
    """By no way is anybody told more, until the host shows all to itself, or the sitting is over for good."""
    place, name = tmp_path / "runs" / "run", match_name(match)
    run(plain, output=place, check=False)  # nobody comes
    workers = Workers(1)

    def viewer(right: str) -> Any:
        return make_viewer(place.parent, right=right, reports=Reports(workers), searches=Searches(workers))

    host, reader = viewer("host"), viewer("reader")
    what_if = await host.post(f"/run/run/match/{name}/agents")
    before = [await told(each, match) for each in (host, reader)]
    shown = (await host.post(f"/run/run/match/{name}/show-all")).json()
    during = [await told(each, match) for each in (host, reader)]
    with Journal.open(place, write=True) as journal:
        (plan,) = [plan for plan in journal.plans() if plan.id == sitting]
        journal.finish(MatchRecord(plan=plan, ending=Ending.CANCELLED, returns=None))
    late = viewer("reader")
    after = await told(late, match)
    for each in (host, reader, late):
        await each.site.feeds.close()

    assert what_if.status_code == 403
    assert before == [HIDDEN, HIDDEN]
    assert shown == {"watched": [match_name(sitting)]}
    assert during[1] == HIDDEN
    for seen in (during[0], after):
        assert (seen["page"], seen["live"], seen["frames"], seen["sorted"]) == ("all", "all", False, True)
        assert None not in seen["row"][:4]
