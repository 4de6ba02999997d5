"""Another agent is asked in a turn of a match, or plays on from there: in other processes, and nothing is recorded."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from arena.turns import turns
from arena_engine import Journal, is_played
from arena_web.held.match_names import match_name

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def place(tmp_path: Path, played: Path) -> Path:
    """A directory with a copy of a run that is over."""
    shutil.copytree(played / "model", tmp_path / "runs" / "model")
    return tmp_path / "runs"


async def said(viewer: Any, path: str, body: Any) -> Any:
    """The answer to a body, which must be a success."""
    answer = await viewer.post(path, body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.campaign
async def test_agents_are_asked_in_place_of_who_played(make_viewer, place):
    """What asking may cost is said before; what an agent would play comes with its words; the run stays as it was."""
    viewer = make_viewer(place)
    with Journal.open(place / "model") as journal:
        record = next(iter(journal.records()))
    base = f"/run/model/match/{match_name(record.id)}"
    number = next(turn.number - 1 for turn in turns(record) if record.agents[turn.player] == "first")
    before = (place / "model" / "journal.sqlite").read_bytes()

    agents = await said(viewer, f"{base}/agents", {})
    free = await said(viewer, f"{base}/price", {"turn": number, "agent": "random"})
    priced = await said(viewer, f"{base}/price", {"turn": number, "agent": "model"})
    asked = await said(viewer, f"{base}/ask", {"turn": number, "agent": "model"})
    same = await said(viewer, f"{base}/ask", {"turn": number, "agent": "first"})
    refused = [
        (await viewer.post(f"{base}/ask", {"turn": turn, "agent": agent})).status_code
        for turn, agent in ((number, "openai/gpt-4o"), (number, "lab:Mine"), (99, "first"), ("0", "first"))
    ]
    wrong = await viewer.post(f"{base}/ask", {"turn": number, "agent": "human"})
    await viewer.site.trials.close()

    assert [own["name"] for own in agents["of_run"]] == ["model", "first"]
    assert {"random", "first-legal", "win-or-block"} <= set(agents["installed"])
    assert (free["calls"], free["cost_usd"]) == (0, 0)
    assert (priced["calls"], priced["tries"] > 1, priced["prompt_tokens"] > 100) == (1, True, True)
    assert free["playing_on"][1].startswith("model: ")  # who stays in its seat is asked on, and paid for
    first, caller, last = priced["playing_on"]
    assert re.match(rf"From turn {number + 1} to the end there are .* turns of all players: .* of n=10 random", first)
    assert caller.startswith("model: ")
    assert last.startswith("Until the end: ")
    assert asked["calls"][0]["kind"] == "asked"
    assert asked["tries"][0]["refusal"]["reason"]
    assert same["action"] == same["recorded"]
    assert refused == [400, 400, 404, 404]
    assert (wrong.status_code, wrong.json()["error"]["what"][:22]) == (409, "'human' asks a person;")
    assert (place / "model" / "journal.sqlite").read_bytes() == before


@pytest.mark.campaign
async def test_match_is_played_on_as_a_new_run(make_viewer, tmp_path, played):
    """From a turn on another agent plays in a new run beside the old one, with the same moves until then."""
    run = shutil.copytree(played / "boards", tmp_path / "boards")
    viewer = make_viewer(run)
    with Journal.open(run) as journal:
        record = next(iter(journal.records()))
    base = f"/run/boards/match/{match_name(record.id)}"

    made = await said(viewer, f"{base}/branch", {"turn": 2, "agent": "random"})
    again = await said(viewer, f"{base}/branch", {"turn": 2, "agent": "random"})
    await viewer.site.trials.close()

    assert [made["run"], again["run"]] == ["boards-turn-3-random", "boards-turn-3-random-2"]
    directory = tmp_path / made["run"]
    while is_played(directory):
        pass
    with Journal.open(directory) as journal:
        (branched,) = journal.records()
    moves = [[event.data["label"] for event in each.played()] for each in (record, branched)]
    assert moves[0][:2] == moves[1][:2]
    assert (await viewer.json(f"/run/{made['run']}/match/{made['match']}"))["run_name"] == "boards-branch"
