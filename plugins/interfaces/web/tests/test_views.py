"""Hidden information at the wire: what a player or bystander is sent holds nothing that it may not know."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from arena_engine import Control, Journal, RunLog, load_benchmark, run
from arena_engine.execution.runner import create_run
from arena_web.held.match_names import match_name

pytestmark = pytest.mark.asyncio(loop_scope="session")

OTHER_CARDS = ("J", "Q", "K")


def cards(directory: Path) -> dict[str, tuple[str, str]]:
    """The cards that were dealt, by match."""
    with Journal.open(directory) as journal:
        return {
            record.id: tuple(event.data["card"] for event in record.events if event.kind == "dealt")
            for record in journal.records()
        }


async def everything(viewer: Any, run_: str, match: str, view: str) -> list[bytes]:
    """All bytes that a view can be sent about a match, with its id and name replaced."""
    base = f"/run/{run_}/match/{match}"
    found = await viewer.get(f"{base}?as={view}")
    told = json.loads(found.content)
    paths = [f"{base}/frames?as={view}", f"{base}/frames?as={view}&from=-1"]
    paths += [f"{base}/turn/{turn['turn']}?as={view}" for turn in told["turns"]]
    answers = [found, *[await viewer.get(path) for path in paths]]
    names = [told["id"], told["match"], told["neighbours"]["previous"], told["neighbours"]["next"]]
    content = []
    for answer in answers:
        assert answer.status_code == 200
        text = answer.content
        for name in names:
            text = text.replace(json.dumps(name).encode(), b'"-"')
        content.append(text)
    return content


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(("view", "hidden"), [("0", 1), ("1", 0), ("public", None)])
async def test_equal_bytes_where_only_the_hidden_differs(viewer, played, view, hidden):
    """Two matches in which everything is alike but what a view may not know are the same bytes for it."""
    dealt = cards(played / "folded")
    rows = (await viewer.json("/run/folded/matches?limit=500"))["matches"]
    own = {row["match"]: dealt[row["id"]] for row in rows}
    kinds: dict[Any, dict[Any, str]] = {}
    for match, hand in own.items():
        known = None if hidden is None else hand[1 - hidden]
        kinds.setdefault(known, {})[hand] = match
    twins = [each for each in kinds.values() if len(each) > 1]
    assert twins, "the deals have no two matches that differ only there"

    for twin in twins:
        first, *others = [await everything(viewer, "folded", match, view) for match in twin.values()]
        for other in others:
            assert other == first


def trade(message: str) -> dict[str, Any]:
    """Three at a table: the first proposes something to the second, who rejects it; nobody crafts."""
    proposal = {"partner": "player 2", "offer": {}, "request": {}, "message": message}
    answer = {"accept": False, "message": message[::-1]}
    done = [{"play": {"done": True}}]
    moves = [[{"play": proposal}, *done], [{"play": answer}, *done], done]
    return {
        "name": "trade",
        "seed": 1,
        "games": {"tradecraft": {"use": "tradecraft", "problems": "minecraft-trios", "max-turns": 1}},
        "agents": {"shark": {"use": "opening", "agent": "first-legal", "moves": moves}},
        "schedule": {"use": "self-play", "repeats": 1},
    }


BET: dict[str, Any] = {
    "name": "bet",
    "games": {"kuhn-poker": "kuhn-poker"},
    "agents": {"shark": {"use": "opening", "agent": "random", "moves": [[{"play": 1}], [{"play": 0}]]}},
    "schedule": {"use": "self-play", "repeats": 1},
}
TWINS = {"cards": [BET | {"seed": seed} for seed in range(3)], "a proposal": [trade("coal?"), trade("logs!")]}
"""Runs of one match that differ in nothing but what a bystander may not know."""


async def watched(bystander: Any) -> list[bytes]:
    """All bytes that a bystander can be sent; of a feed without its number, which is a time."""
    paths = ("/watch", "/watch/frames", "/watch/frames?from=-1", "/me", "/runs", "/watch?after=1")
    found = [(await bystander.get(path)).content for path in paths]
    live = await bystander.json("/live?topics=watch&wait=0")
    number = str(live["numbers"]["watch"])
    return [*found, json.dumps(live).replace(number, "-").encode()]


@pytest.mark.slow
@pytest.mark.parametrize("kind", TWINS)
@pytest.mark.sample(slow=1)
async def test_bystanders_are_sent_equal_bytes(make_viewer, tmp_path, kind):
    """With their links bystanders are sent the same bytes of twins: no name, number or ending betrays which it is."""
    sent: list[list[bytes]] = []
    hidden = set[str]()
    for number, plain in enumerate(TWINS[kind]):
        place = tmp_path / f"runs-{number}" / "run"
        run(plain, output=place, check=False)
        host = make_viewer(place.parent)
        (row,) = (await host.json("/run/run/matches"))["matches"]
        hidden.add(json.dumps(await host.json(f"/run/run/match/{row['match']}/frames")))
        sent.append(await watched(await host.lend(right="bystander", run="run", match=row["match"])))
        await host.site.feeds.close()

    assert len(hidden) > 1
    assert all(each == sent[0] for each in sent[1:])
    assert b"shark" not in b"".join(sent[0])


FOLDS = BET | {
    "agents": {
        "person": {"use": "open-seat"},
        "shark": {"use": "opening", "agent": "random", "moves": [[], [{"play": 0}]]},
    },
    "schedule": {"use": "fixed", "seatings": [["person", "shark"]]},
}
"""A match of a person, who bets, and an agent that folds."""


async def heard_by_a_bystander(host: Any) -> list[str]:
    """Each message that a bystander is sent while the person bets and the match ends, without its number."""
    seat = await host.lend(right="seat", run="run")
    match = (await seat.json("/seat"))["match"]
    bystander = await host.lend(right="bystander", run="run", match=match)
    await seat.get("/seat/turn?wait=30")
    told = await bystander.json("/live?topics=watch&wait=0")
    while "not begun" in json.dumps(told["messages"]):  # the journal has the start of a match a moment later
        told = await bystander.json(f"/live?topics=watch&after={told['numbers']['watch']}&wait=30")
    messages = told["messages"][-1:]
    assert (await seat.post(f"/seat/turn/0/try/0?match={match}", {"action": 1})).status_code == 200
    while messages[-1]["kind"] != "ended":
        told = await bystander.json(f"/live?topics=watch&after={told['numbers']['watch']}&wait=30")
        messages += told["messages"]
    # What happens quickly is told in one go, positions first.
    return sorted(json.dumps(message | {"number": 0}) for message in messages)


@pytest.mark.campaign
async def test_bystanders_hear_equal_messages(make_viewer, tmp_path):
    """While twins are played their bystanders are told the same, message for message, whatever is dealt."""
    heard: list[list[str]] = []
    dealt = set[Any]()
    for seed in range(3):
        place = tmp_path / f"runs-{seed}" / "run"
        control, begun = Control(is_attended=True), threading.Event()
        log = RunLog(lambda _, name, __, begun=begun: begun.set() if name == "match_started" else None)
        playing = asyncio.ensure_future(
            asyncio.to_thread(run, FOLDS | {"seed": seed}, output=place, check=False, control=control, log=log)
        )
        try:
            await asyncio.to_thread(begun.wait, 60)
            host = make_viewer(place.parent)
            heard.append(await heard_by_a_bystander(host))
        finally:
            control.stop()
            await playing
        dealt |= {*cards(place).values()}
        await host.site.feeds.close()

    assert len(dealt) > 1
    assert len(heard[0]) > 4
    assert all(each == heard[0] for each in heard[1:])


async def test_who_sees_all_is_sent_the_difference(viewer, played):
    """The same matches differ for whoever sees everything, so the comparison can tell."""
    rows = (await viewer.json("/run/folded/matches?limit=500"))["matches"]
    dealt = cards(played / "folded")
    first = rows[0]
    other = next(row for row in rows if dealt[row["id"]] != dealt[first["id"]])

    assert await everything(viewer, "folded", first["match"], "all") != await everything(
        viewer, "folded", other["match"], "all"
    )


async def test_own_card_is_there_and_the_other_is_not(viewer, played):
    """A player's scenes show its own card and no other; a bystander's show none."""
    rows = (await viewer.json("/run/folded/matches?limit=500"))["matches"]
    dealt = cards(played / "folded")
    for row in rows[:3]:
        for view in ("0", "1", "public"):
            frames = await viewer.json(f"/run/folded/match/{row['match']}/frames?as={view}")
            shown = json.dumps(frames)
            for player, card in enumerate(dealt[row["id"]]):
                assert (f'"rank": "{card}"' in shown) == (view == str(player))


async def test_prompts_of_others_are_not_sent(viewer):
    """A player's view has its own prompts, and nothing of another's prompts, answers, refusals or tokens."""
    row = next(row for row in (await viewer.json("/run/model/matches?has=refusal"))["matches"])
    model = row["agents"].index("model")
    base = f"/run/model/match/{row['match']}"

    for view in (str(1 - model), "public"):
        match = await viewer.json(f"{base}?as={view}")
        others = [player for player in match["players"] if str(player["player"]) != view]
        assert {player["tokens"] for player in others} == {player["refusals"] for player in others} == {None}
        assert {turn["player"] for turn in match["turns"]} <= {None, 1 - model}
        assert not any(turn["refused"] for turn in match["turns"])
        for turn in match["turns"]:
            told = await viewer.json(f"{base}/turn/{turn['turn']}?as={view}")
            assert (told["asked"], told["calls"]) == ([], [])
    own = await viewer.json(f"{base}?as={model}")
    assert any(turn["refused"] for turn in own["turns"])


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("game", ["leduc-poker", "liars-dice", "hanabi", "connect-four", "matching-pennies"])
async def test_every_view_of_a_game_can_be_shown(make_viewer, tmp_path, game):
    """Each view of a match has as many positions as it says, each with its words, and turns that lead to them."""
    benchmark = {"games": {game: game}, "agents": {"random": "random"}, "schedule": {"use": "self-play", "repeats": 1}}
    run(benchmark, output=tmp_path / "runs" / "one", check=False)
    viewer = make_viewer(tmp_path / "runs")
    (row,) = (await viewer.json("/run/one/matches"))["matches"]
    base = f"/run/one/match/{row['match']}"

    for view in [each["view"] for each in (await viewer.json(base))["views"]]:
        match = await viewer.json(f"{base}?as={view}")
        frames = await viewer.json(f"{base}/frames?as={view}")
        assert frames["problem"] is None
        assert frames["total"] == match["positions"]
        assert all(frames["words"])
        assert all(0 <= turn["position"] < match["positions"] for turn in match["turns"])
        assert match["turn_total"] == len(match["turns"]) or match["next"]


async def test_match_that_has_not_begun_says_so(make_viewer, tmp_path):
    """Before the start of a match is in the journal every view is told that, in place of a position."""
    benchmark = BET | {"agents": {"random": "random"}}
    create_run(load_benchmark(benchmark), tmp_path / "runs" / "bet").close()
    viewer = make_viewer(tmp_path / "runs")
    match = match_name("kuhn-poker/random,random/0.0")

    for view in ("all", "0", "public"):
        frames = await viewer.json(f"/run/bet/match/{match}/frames?as={view}")
        assert (frames["problem"], frames["words"]) == (None, ["this match has not begun"])
        assert (await viewer.json(f"/run/bet/match/{match}?as={view}"))["positions"] == 1
