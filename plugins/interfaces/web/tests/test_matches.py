"""The matches of a run, and one match: its turns, its prompts, its positions."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from arena.record import visible
from arena_engine import Journal, run, transcript
from arena_report import csv_table, jsonl
from arena_scene import patch, scene_faults
from arena_web.foundation.kept_values import FIRST, digest_of
from arena_web.held.match_names import match_name
from arena_web.runs.match_list import COLUMNS
from arena_web.workers import searching

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def of(viewer, run: str, **wanted: str) -> list[dict]:
    """All rows of the table of a run's matches that fit."""
    query = "&".join(f"{name}={value}" for name, value in wanted.items())
    return (await viewer.json(f"/run/{run}/matches?limit=500&{query}"))["matches"]


async def test_matches_are_listed_with_their_seats(viewer):
    """A row has the match's name and id, who sat where, how it ended and who won."""
    row = (await of(viewer, "boards", game="tic-tac-toe"))[0]

    assert row["match"] == match_name(row["id"])
    assert row["seats"] == ["X", "O"]
    assert row["ending"] == "rules"
    assert row["started"].endswith("Z")
    assert row["result"]


@pytest.mark.sample(fast=21)
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("descending", [0, 1])
async def test_every_order_is_the_same_page_by_page(viewer, column, descending):
    """Pages in any order hold each match once, in the order of all at once."""
    order = f"sort={column}&descending={descending}"
    whole = (await viewer.json(f"/run/boards/matches?limit=500&{order}"))["matches"]
    after, found = "", []
    while after is not None:
        page = await viewer.json(f"/run/boards/matches?limit=7&{order}&after={after}")
        found += page["matches"]
        after = page["next"]

    assert found == whole
    assert len({row["match"] for row in found}) == page["total"] == 20


async def ending_words(viewer, match: str) -> str:
    """The words of a match's end, once the game's reason is known."""
    ending = {"computing": True}
    while ending["computing"]:
        ending = (await viewer.json(f"/run/boards/match/{match}"))["ending"]
    return ending["words"]


async def test_a_match_tells_who_won_and_why(viewer):
    """The words of a match's end name its winner and the game's reason; a drawn one says that the board is full."""
    rows = await of(viewer, "boards", game="tic-tac-toe")
    won, drawn = (next(row for row in rows if (row["winner"] is None) is is_drawn) for is_drawn in (False, True))
    told = [await ending_words(viewer, row["match"]) for row in (won, drawn)]

    assert won["result"] == f"{won['agents'][won['winner']]} won"
    assert told == [f"{won['result']}: three in a row", "drawn: the board is full"]


async def test_results_are_filtered_for_an_agent(viewer):
    """Won, lost and drawn leave the matches in which that came of an agent; won by nobody named is a mistake."""
    everything = [row for row in await of(viewer, "boards") if "first" in row["agents"]]
    for result, fits in (
        ("drawn", lambda row: row["winner"] is None),
        ("won", lambda row: row["winner"] is not None and row["agents"][row["winner"]] == "first"),
        ("lost", lambda row: row["winner"] is not None and row["agents"][row["winner"]] != "first"),
    ):
        found = await of(viewer, "boards", agent="first", result=result)
        assert found == [row for row in everything if fits(row)] != []
    assert (await viewer.get("/run/boards/matches?result=won")).status_code == 400


async def test_an_illegal_answer_then_a_win_is_found(make_viewer, tmp_path):
    """A filter finds the matches whose winner had an answer refused, and no others."""
    answers = ["I do not know", *(json.dumps({"action": f"row 3, column {n}"}) for n in (1, 2, 3))]
    model = {"use": "llm", "backend": {"use": "scripted", "answers": answers}}
    benchmark = {
        "name": "illegal",
        "games": {"tic-tac-toe": "tic-tac-toe"},
        "agents": {"model": model, "first": "first-legal", "other": "first-legal"},
        "schedule": {"use": "fixed", "seatings": [["model", "first"], ["first", "other"]]},
    }
    run(benchmark, output=tmp_path / "runs" / "illegal", check=False)
    viewer = make_viewer(tmp_path / "runs")

    (found,) = await of(viewer, "illegal", has="refused-winner")

    assert (found["result"], found["refusals"]) == ("model won", 1)
    assert len(await of(viewer, "illegal")) == 2


async def test_filters_leave_what_fits(viewer):
    """Filters by game, agent, ending and what happened leave what fits, and say how many that are."""
    everything = await of(viewer, "model")

    for word, column in (("refusal", "refusals"), ("substitute", "substitutes")):
        found = await of(viewer, "model", has=word)
        assert found == [row for row in everything if row[column]]
    for ending in {row["ending"] for row in everything}:
        assert await of(viewer, "model", ending=ending) == [row for row in everything if row["ending"] == ending]
    assert await of(viewer, "boards", agent="nobody") == []
    assert await of(viewer, "boards", agent="first") == await of(viewer, "boards")


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("sort=record", "sort"),
        ("has=luck", "has"),
        ("ending=x", "ending"),
        ("after=x", "after"),
        ("after=WzFd", "after"),
        ("descending=2", "descending"),
        ("sort=agents);--", "sort"),
        ("after=W1tdLCJhIl0", "after"),
    ],
)
async def test_what_cannot_be_asked_is_named(viewer, query, where):
    """An order, a filter or a place that there is not is 400, with what there is."""
    answer = await viewer.get(f"/run/boards/matches?{query}")

    assert answer.status_code == 400
    assert answer.json()["error"]["where"] == where


async def test_turns_of_a_match_are_those_of_its_record(viewer, played):
    """Every turn is listed with its player, what was played in words, and what was refused and why."""
    for row in await of(viewer, "model"):
        found = await viewer.json(f"/run/model/match/{row['match']}")
        with Journal.open(played / "model") as journal:
            record = journal.record_of(row["id"])
            assert record is not None
            told = transcript(record, journal.answers(record.id))
        assert [turn["player"] for turn in found["turns"]] == [turn.player for turn in told]
        assert [len(turn["refused"]) for turn in found["turns"]] == [
            sum(each.is_refused for each in turn.tries) for turn in told
        ]
        assert [turn["position"] for turn in found["turns"]] == [turn.step for turn in told]
        assert found["positions"] == record.steps + 1
        assert found["turn_total"] == len(told)
        assert {player["role"] for player in found["players"]} == {"player-0", "player-1"}


async def test_refused_turn_says_what_was_answered_and_why_not(viewer):
    """A refused answer is there with its kind, its reason and its first letters, and its turn is marked."""
    row = next(row for row in await of(viewer, "model", has="refusal"))
    found = await viewer.json(f"/run/model/match/{row['match']}")

    turn = next(turn for turn in found["turns"] if turn["refused"])

    assert "refused" in turn["marks"]
    assert turn["refused"][0]["kind"]
    assert turn["refused"][0]["answer"]


async def test_turn_has_what_was_asked_and_answered(viewer, played):
    """A turn holds the messages as sent, the answers as given, how they were read, and what others were told."""
    row = next(row for row in await of(viewer, "model", has="refusal"))
    match = f"/run/model/match/{row['match']}"
    turns = (await viewer.json(match))["turns"]
    mine = [turn["turn"] for turn in turns if row["agents"][turn["player"]] == "model"]

    for number in mine:
        turn = await viewer.json(f"{match}/turn/{number}")
        assert turn["asked"][0]["text"]["text"]
        assert [call["kind"] for call in turn["calls"]] == ["asked"] * len(turn["tries"])
        assert turn["calls"][-1]["answer"]["length"] == len(turn["calls"][-1]["answer"]["text"])
        assert turn["calls"][0]["sampling"] is not None
        assert len(turn["calls"][0]["request_hash"]) == 32
        assert (turn["read_as"]["action"] is None) != (turn["read_as"]["refusal"] is None)
        assert bool(turn["told"]) == (turn["read_as"]["action"] is not None)


async def test_turn_of_a_solver_tells_what_each_action_was_worth(make_viewer, tmp_path):
    """Each action that could be played stands there with a number."""
    sides = {"agents": {"best": "optimal", "first": "first-legal"}, "schedule": {"use": "round-robin", "repeats": 1}}
    run(
        {"name": "best", "seed": 1, "games": {"tic-tac-toe": "tic-tac-toe"}, **sides},
        output=tmp_path / "best",
        check=False,
    )
    viewer = make_viewer(tmp_path)
    match = (await viewer.json("/run/best/matches"))["matches"][0]

    turns = [await viewer.json(f"/run/best/match/{match['match']}/turn/{number}") for number in (0, 1)]
    (worths,) = (own["worths"] for own in turns if own["worths"])

    assert len(worths) in (8, 9)
    assert all(own["action"] is not None and own["worth"] in (-1, 0, 1) for own in worths)


async def test_turn_that_there_is_not(viewer):
    """A turn that there is not is 404 with how many there are, a match that there is not too."""
    row = (await of(viewer, "boards"))[0]

    missing = await viewer.get(f"/run/boards/match/{row['match']}/turn/99")
    nobody = await viewer.get("/run/boards/match/0123456789abcdef")

    assert (missing.status_code, nobody.status_code) == (404, 404)
    assert "turns" in missing.json()["error"]["remedy"]
    assert nobody.json()["error"]["remedy"] == "it has 20 matches"


async def test_frames_patch_into_sound_scenes(viewer):
    """Frames are the first scene in full and then differences: each scene is sound, and there is one a position."""
    for row in (await of(viewer, "boards"))[::5]:
        found = await viewer.json(f"/run/boards/match/{row['match']}/frames")
        scene, total = found["frames"][0], found["total"]
        for number, frame in enumerate(found["frames"]):
            scene = frame if not number else patch(scene, frame)
            assert scene_faults(scene) == ()
            assert found["words"][number]
        assert len(found["frames"]) == len(found["words"]) == total
        last = await viewer.json(f"/run/boards/match/{row['match']}/frames?from=-1")
        assert (last["from"], last["frames"]) == (total - 1, [scene])
        part = await viewer.json(f"/run/boards/match/{row['match']}/frames?from=2&to=3")
        assert part["frames"][1:] == found["frames"][3:4]


@pytest.mark.parametrize("query", ["from=x", "from=0&to=200", "from=5&to=4", "as=7", "as=host", "from=-2"])
async def test_frames_have_bounds(viewer, query):
    """A range of more than 200 positions, or one that is none, is 400, and so is a view that nobody has."""
    row = (await of(viewer, "boards"))[0]

    assert (await viewer.get(f"/run/boards/match/{row['match']}/frames?{query}")).status_code == 400


async def test_long_text_is_sent_in_part(make_viewer, tmp_path):
    """Of a long answer the beginning is sent with its length and digest, by which any part of it can be had."""
    from arena_engine import run

    long = "x" * 30_000 + " a1"
    backend = {"use": "scripted", "answers": [long, "a1", "b1", "c1", "a2", "b2", "c2"]}
    benchmark = {
        "name": "long",
        "games": {"tic-tac-toe": "tic-tac-toe"},
        "agents": {"model": {"use": "llm", "backend": backend}, "first": "first-legal"},
        "schedule": {"use": "fixed", "seatings": [["model", "first"]]},
    }
    run(benchmark, output=tmp_path / "runs" / "long", check=False)
    viewer = make_viewer(tmp_path / "runs")
    (row,) = await of(viewer, "long")
    match = f"/run/long/match/{row['match']}"

    answer = (await viewer.json(f"{match}/turn/0"))["calls"][0]["answer"]
    rest = await viewer.json(f"{match}/text/{answer['digest']}?from={FIRST}&length=100000")
    searched = await make_viewer(tmp_path / "runs").json(f"{match}/text/{digest_of(long)}?from=30000")

    assert (answer["text"], answer["length"]) == (long[:FIRST], len(long))
    assert answer["text"] + rest["text"] == long
    assert searched["text"] == " a1"
    assert (await viewer.get(f"{match}/text/{'0' * 64}")).status_code == 404


async def test_neighbours_lead_through_the_run(viewer):
    """Going from a match to the next one leads through all matches of the run, once each."""
    rows = await of(viewer, "boards")
    found = await viewer.json(f"/run/boards/match/{rows[0]['match']}")
    while found["neighbours"]["previous"]:
        found = await viewer.json(f"/run/boards/match/{found['neighbours']['previous']}")
    names = [found["match"]]
    while found["neighbours"]["next"]:
        found = await viewer.json(f"/run/boards/match/{found['neighbours']['next']}")
        names.append(found["match"])

    assert sorted(names) == sorted(row["match"] for row in rows)


@pytest.mark.parametrize("form", ["json", "csv", "moves-csv", "txt"])
async def test_match_is_downloaded_once(viewer, form):
    """A match can be had as a file, at a path that works once, needs no key, and is an attachment."""
    row = (await of(viewer, "boards"))[0]
    body = {"run": "boards", "match": row["match"], "form": form}
    path = (await viewer.post("/downloads", body)).json()["path"]

    first, second = await viewer.client.get(path), await viewer.client.get(path)

    assert first.status_code == 200
    assert first.headers["content-disposition"].startswith('attachment; filename="boards-')
    assert visible(row["id"]) in first.text or form == "txt"
    assert second.status_code == 404


@pytest.mark.parametrize("form", ["jsonl", "csv"])
async def test_run_is_downloaded_as_it_is_exported(viewer, played, form, tmp_path):
    """All matches of a run are the bytes that `arena export` writes."""
    from arena.catalog import Catalog

    path = (await viewer.post("/downloads", {"run": "boards", "form": form})).json()["path"]

    exporting = Catalog().get("export", form).load()(**({"events": True} if form == "jsonl" else {}))
    with Journal.open(played / "boards") as journal:
        exporting.write(journal, tmp_path / "out")
    assert (await viewer.client.get(path)).content == (tmp_path / "out").read_bytes()


async def searched(viewer, query: str) -> tuple[list[dict], dict]:
    """All that a search finds, and its last answer."""
    found, last = [], {"is_over": False}
    while not last["is_over"]:
        last = await viewer.json(f"/run/model/search?{query}&after={len(found)}")
        found += last["matches"]
    return found, last


@pytest.mark.campaign
async def test_text_is_found_in_labels_and_reasons(viewer, played):
    """A search tells the newest match first, with the turns in which the text stands, in any case of letters."""
    with Journal.open(played / "model") as journal:
        reasons = {r.id: [e.data["reason"] for e in r.refused()] for r in journal.records()}
    word = next(reason for each in reasons.values() for reason in each).split()[0]
    expected = {id_ for id_, each in reasons.items() if any(word.casefold() in reason.casefold() for reason in each)}

    found, last = await searched(viewer, f"text={word.upper()}")
    labels, _ = await searched(viewer, "text=ROW+1&agent=model&has=refusal")
    nothing, over = await searched(viewer, "text=no-such-text")
    await viewer.site.searches.close()

    assert {row["id"] for row in found} == expected
    assert [row["ended"] for row in found] == sorted((row["ended"] for row in found), reverse=True)
    assert (last["read"], last["total"], last["is_cut"]) == (4, 4, False)
    (row, *_) = found
    turn = await viewer.json(f"/run/model/match/{row['match']}/turn/{row['hits'][0]['turn']}")
    assert row["hits"][0]["text"] in [each["refusal"]["reason"] for each in turn["tries"] if each["refusal"]]
    assert all(hit["kind"] == "label" and "row 1" in hit["text"] for row in labels for hit in row["hits"])
    assert (nothing, over["is_over"]) == ([], True)
    assert (await viewer.get("/run/model/search?text=")).status_code == 400


async def test_search_ends_once_it_has_found_so_much(played, monkeypatch):
    """A search tells what it finds page by page, and stops where the bound is reached."""
    monkeypatch.setattr(searching, "_PAGE", 4)
    monkeypatch.setattr(searching, "MOST", 5)
    told: list[Any] = []

    asked = {"run": str(played / "boards"), "text": "1", "filter": {"game": "tic-tac-toe"}}
    is_whole = searching.search(asked, told.append)

    assert not is_whole
    assert [each["progress"]["read"] for each in told] == [4, 8]
    assert sum(len(each["progress"]["found"]) for each in told) == 5


@pytest.mark.parametrize("form", ["jsonl", "csv"])
async def test_what_a_filter_leaves_is_downloaded(viewer, played, form):
    """The matches that fit a filter and hold a text have the columns of an export of them all."""
    wanted = {"run": "boards", "form": form, "game": "tic-tac-toe", "agent": "first", "text": "ROW 3"}
    path = (await viewer.post("/downloads", wanted)).json()["path"]

    with Journal.open(played / "boards") as journal:
        kept = [r for r in journal.records() if r.game == "tic-tac-toe"]
    kept = [r for r in kept if any("row 3" in event.data["label"] for event in r.played())]
    expected = b"".join(jsonl(kept, events=True) if form == "jsonl" else csv_table(kept))
    assert 0 < len(kept) < 10
    assert (await viewer.client.get(path)).content == expected
    assert (await viewer.post("/downloads", {**wanted, "ending": "none"})).status_code == 400


async def test_download_ends_after_a_minute():
    """A path to download that nobody used works for a minute and no longer."""
    from arena_web.foundation.download_words import LASTS_S, Download, Downloads
    from arena_web.foundation.errors import ApiError

    now = [0.0]
    downloads = Downloads(lambda: now[0])
    content: Callable[[], list[bytes]] = lambda: [b""]  # noqa: E731
    early, late = downloads.offer(Download("a", "b", content)), downloads.offer(Download("a", "b", content))
    now[0] = LASTS_S - 1

    assert downloads.take(early).name == "a"
    now[0] = LASTS_S
    with pytest.raises(ApiError, match="used, or is too old"):
        downloads.take(late)


@pytest.mark.slow
async def test_plugins_are_those_of_the_terminal(viewer):
    """Installed plugins are listed with their status; one is described with its parameters, a game with its facts."""
    listed = (await viewer.json("/plugins"))["plugins"]
    game = await viewer.json("/plugins/game/hex")

    assert {"kind", "name", "dist", "version", "status", "reason", "remedy", "summary"} == set(listed[0])
    assert ("command", "view") in {(each["kind"], each["name"]) for each in listed}
    assert {parameter["name"] for parameter in game["parameters"]} >= {"rows", "columns"}
    assert game["facts"]["returns"] == "zero-sum"
    assert (await viewer.get("/plugins/game/none")).status_code == 404
    assert (await viewer.get("/plugins/toy/hex")).status_code == 404
