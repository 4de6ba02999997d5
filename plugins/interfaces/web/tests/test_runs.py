"""The list of runs, the head of each, and what is said of those that cannot be read."""

import json
import shutil
import sqlite3
from base64 import b64decode
from pathlib import Path

import pytest
from arena_cli import begun
from arena_engine import Journal, run
from arena_web.held.match_names import match_name
from arena_web.serving.routes import ROUTES

"""A run that was played by an early version."""

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def place(tmp_path: Path, played: Path) -> Path:
    """A directory with a copy of a run that is over."""
    shutil.copytree(played / "boards", tmp_path / "runs" / "boards")
    return tmp_path / "runs"


async def test_me_says_who_asks(make_viewer, played):
    """A host and a reader are told their right, and what the server shows."""
    host, reader = make_viewer(played), make_viewer(played, right="reader", is_read_only=True)

    assert (await host.json("/me"))["right"] == "host"
    told = await reader.json("/me")
    assert (told["right"], told["read_only"]) == ("reader", True)
    assert told["directories"] == [str(played)]


async def test_runs_are_listed_with_what_their_totals_tell(viewer, played):
    """A row has the run's name, state, progress, games and agents; the newest run comes first."""
    listed = await viewer.json("/runs")

    names = ("boards", "model", "folded")
    newest_first = sorted(names, key=lambda name: (begun(played / name), name), reverse=True)
    assert [row["run"] for row in listed["runs"]] == newest_first
    row = next(row for row in listed["runs"] if row["run"] == "boards")
    assert (row["state"], row["done"], row["planned"]) == ("finished", 20, 20)
    assert row["games"] == ["tic-tac-toe", "kuhn-poker"]
    assert row["agents"] == ["first", "random"]
    assert row["started"].endswith("Z")
    assert listed["empty"] == ""


async def test_runs_come_in_pages(viewer):
    """A page gives what to ask for the next one, the last page gives nothing, and a search leaves the others out."""
    first = await viewer.json("/runs?limit=2")
    second = await viewer.json(f"/runs?limit=2&after={first['next']}")
    found = await viewer.json("/runs?q=BOARD")

    rows = (await viewer.json("/runs"))["runs"]
    assert [row["run"] for row in (*first["runs"], *second["runs"])] == [row["run"] for row in rows]
    assert (first["next"], second["next"]) == (rows[1]["run"], None)
    assert [row["run"] for row in found["runs"]] == ["boards"]


async def test_directory_without_runs_is_an_empty_page(make_viewer, tmp_path):
    """A directory without runs, or one that is not there, says how to start a run."""
    for place in (tmp_path, tmp_path / "nowhere"):
        listed = await make_viewer(place).json("/runs")

        assert listed["runs"] == []
        assert listed["empty"] == f"no runs in '{place}'; start one with `arena run`"


async def test_run_that_is_given_itself_is_shown(make_viewer, played):
    """A run's own directory may be given in place of one that holds runs."""
    assert [row["run"] for row in (await make_viewer(played / "boards").json("/runs"))["runs"]] == ["boards"]


async def test_new_run_is_found(make_viewer, place, played):
    """A run that appears later, two levels deep, is in the list at the next look; deeper ones are not."""
    viewer = make_viewer(place)
    assert (await viewer.json("/runs"))["total"] == 1
    shutil.copytree(played / "model", place / "later" / "model")
    shutil.copytree(played / "model", place / "very" / "much" / "later")

    assert {row["run"] for row in (await viewer.json("/runs"))["runs"]} == {"boards", "later.model"}


async def test_names_are_safe_in_addresses(make_viewer, tmp_path, played):
    """Whatever a directory is called, its run has a name without escapes, and no two have the same."""
    for name in ("two words", "two+words", "ä", "x..", "<script>"):
        shutil.copytree(played / "boards", tmp_path / "runs" / name)
    viewer = make_viewer(tmp_path / "runs")

    names = [row["run"] for row in (await viewer.json("/runs"))["runs"]]

    assert len(set(names)) == 5
    for name in names:
        assert name.strip("-._ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == ""
        assert (await viewer.json(f"/run/{name}"))["run"] == name


async def test_unknown_run_says_which_there_are(viewer):
    """A run that is not there is 404, with those that are."""
    answer = await viewer.get("/run/board")

    assert answer.status_code == 404
    assert answer.json()["error"] == {
        "where": "run",
        "what": "there is no run 'board' (did you mean 'boards'?)",
        "remedy": "there is: boards, folded, model",
    }


async def test_head_of_a_run(viewer):
    """The head of a run says what was played, how it ended, and which seed it had."""
    head = await viewer.json("/run/boards")

    assert head["games"][1] == {"name": "kuhn-poker", "title": "Kuhn poker", "plugin": "kuhn-poker", "players": 2}
    assert head["agents"][0] == {"name": "first", "title": "first", "plugin": "first-legal"}
    assert head["endings"] == [{"ending": "rules", "count": 20}]
    assert (head["seed"], head["progress"]) == (1, {"done": 20, "planned": 20})
    assert head["started"][:19] <= head["ended"][:19]
    assert head["playing"] == []


async def test_damaged_journal_says_so_in_its_row_and_the_others_work(make_viewer, place, played):
    """A journal that is no database, or was written to by another, is damaged; the runs beside it are shown."""
    shutil.copytree(played / "model", place / "noise")
    (place / "noise" / "journal.sqlite").write_bytes(b"not a database" * 100)
    shutil.copytree(played / "model", place / "changed")
    with sqlite3.connect(place / "changed" / "journal.sqlite") as database:
        database.execute("UPDATE meta SET value = replace(value, 'model', 'medal') WHERE key = 'header'")
    viewer = make_viewer(place)

    rows = {row["run"]: row for row in (await viewer.json("/runs"))["runs"]}

    assert {name: row["state"] for name, row in rows.items()} == {
        "boards": "finished",
        "noise": "damaged",
        "changed": "damaged",
    }
    assert "arena verify" in rows["noise"]["state_words"]
    answer = await viewer.get("/run/noise")
    assert answer.status_code == 409
    assert "damaged" in answer.json()["error"]["what"]


async def test_journal_of_an_unknown_schema_says_so(make_viewer, place):
    """A journal of an unknown schema is listed with the number and what to do."""
    with sqlite3.connect(place / "boards" / "journal.sqlite") as database:
        database.execute("ALTER TABLE sums ADD COLUMN more TEXT")
        database.execute("PRAGMA user_version = 99")

    (row,) = (await make_viewer(place).json("/runs"))["runs"]

    assert row["state"] == "unknown"
    assert "schema 99, but this Arena reads schema 3 only" in row["state_words"]


async def test_run_of_another_machine_is_not_opened(make_viewer, place):
    """A run that another machine plays on a shared folder is not opened; its row names the machine and the way."""
    address = {"path": "/nowhere", "process": 1, "machine": "other-machine"}
    (place / "boards" / "control.json").write_text(json.dumps(address))
    (place / "boards" / "journal.sqlite").chmod(0)
    viewer = make_viewer(place)

    (row,) = (await viewer.json("/runs"))["runs"]

    assert row["state"] == "elsewhere"
    assert "other-machine" in row["state_words"]
    assert "ssh -L 8765:127.0.0.1:8765 other-machine" in row["state_words"]
    assert (await viewer.get("/run/boards/matches")).status_code == 409


async def test_run_that_nobody_plays_cannot_be_held(viewer):
    """Pausing a run that is over is 409 and says what plays it on."""
    for what in ("pause", "continue", "stop"):
        answer = await viewer.post(f"/run/boards/{what}")

        assert answer.status_code == 409
        assert "nobody plays this run" in answer.json()["error"]["what"]


async def test_who_may_look_may_not_hold(make_viewer, played):
    """A reader is 403 at every route that changes a run; a server that only shows has none of them."""
    reader, shown = make_viewer(played, right="reader"), make_viewer(played, is_read_only=True)

    async def statuses(viewer):
        found = [
            await viewer.client.request(way, f"/api/1{path}", headers={"authorization": f"Bearer {viewer.key}"})
            for way, path in controls
        ]
        return {answer.status_code for answer in found}

    names = {"run": "boards", "match": "0" * 16, "link": "0"}
    controls = [(route.method, route.path.format(**names)) for route in ROUTES if route.is_control]
    assert {("POST", "/run/boards/resume"), ("POST", "/links"), ("DELETE", "/links/0")} < set(controls)
    assert await statuses(reader) == {403}
    assert await statuses(shown) == {404}


@pytest.mark.campaign
async def test_verdict_is_the_reports_own(viewer, played):
    """Who is better is said in the words of the report, once it is computed; until then it is said how far it is."""
    from arena_report import build

    head = await viewer.json("/run/boards")
    assert head["verdict"]["sentences"] == []
    assert head["computing"] == "0 of 20 matches"
    site = viewer.site
    await site.reports.wait([str(played / "boards")])

    head = await viewer.json("/run/boards")

    with Journal.open(played / "boards") as journal:
        verdict = build([journal]).verdict
    assert head["computing"] == ""
    assert head["verdict"] == {"sentences": list(verdict.sentences), "doubts": list(verdict.doubts)}
    listed = await viewer.json("/runs?q=boards")
    assert listed["runs"][0]["best"]["agent"] == verdict.ranking[0].agent


@pytest.mark.campaign
async def test_leaderboard_and_sections_are_the_reports_own(viewer, played):
    """Rows stand in the order of the ranking with estimates and n; every section has its texts, tables and figures."""
    await viewer.json("/run/boards/leaderboard")
    await viewer.site.reports.wait([str(played / "boards")])

    board = await viewer.json("/run/boards/leaderboard")
    listed = await viewer.json("/run/boards/sections")

    assert board["computing"] == ""
    assert {column["id"] for column in board["columns"]} >= {"rank", "agent", "matches"}
    for row in board["rows"]:
        assert set(row["cells"]) == {column["id"] for column in board["columns"]}
    assert [row["role"] for row in board["chart"]["rows"]].count("agent") >= 1
    assert all({"value", "n", "interval", "level"} <= set(row["estimate"]) for row in board["chart"]["rows"])
    assert [each["number"] for each in listed["sections"]] == list(range(len(listed["sections"])))
    for each in listed["sections"]:
        section = await viewer.json(f"/run/boards/section/{each['number']}")
        assert section["title"] == each["title"]
        for table in section["tables"]:
            assert all(len(row) == len(table["columns"]) for row in table["rows"])
        dark = await viewer.json(f"/run/boards/section/{each['number']}?theme=dark")
        for figure, other in zip(section["figures"], dark["figures"], strict=True):
            assert figure["alternative"] == other["alternative"]
            drawn = [b64decode(own["svg"].partition("base64,")[2]) for own in (figure, other)]
            assert [(b"#14171b" in own, b"#ffffff" in own) for own in drawn] == [(False, True), (True, False)]
    assert (await viewer.get("/run/boards/section/0?theme=pink")).status_code == 400
    missing = await viewer.get("/run/boards/section/99")
    assert missing.status_code == 404


@pytest.mark.campaign
async def test_runs_are_compared_as_one_report(viewer, played):
    """Several runs have one ranking; what stands against putting them together is said."""
    path = "/compare?run=boards&run=model"
    assert (await viewer.json(path))["computing"]
    await viewer.site.reports.wait([str(played / "boards"), str(played / "model")])

    found = await viewer.json(path)

    assert {row["agent"] for row in found["rows"]} >= {"first", "random", "model"}
    assert found["differences"] == found["head_to_head"]
    assert (await viewer.get("/compare")).status_code == 400
    assert (await viewer.get("/compare?run=boards&run=none")).status_code == 404


async def test_names_of_matches_are_digests():
    """A match is called by 16 hexadecimal digits, whatever stands in its id."""
    assert match_name("a/b,c/0.0") == match_name("a/b,c/0.0")
    assert len({match_name(f"a/{n}") for n in range(100)}) == 100
    assert all(len(match_name(text)) == 16 for text in ("", "ä", "\ud800"))


async def test_results_are_told_by_seat(viewer, played):
    """Won, lost and drawn of each seat add up to its matches, but for those that the other one lost and nobody won."""
    results = await viewer.json("/run/model/results")

    assert [column["id"] for column in results["columns"]][:3] == ["game", "agent", "seat"]
    cells = [row["cells"] for row in results["rows"]]
    assert {(each["agent"], each["seat"]) for each in cells} == {(a, s) for a in ("first", "model") for s in "XO"}
    others = {"X": "O", "O": "X"}
    out = {(each["agent"], each["seat"]): each["disqualified"] for each in cells}
    for each in cells:
        (other,) = {"first", "model"} - {each["agent"]}
        undecided = out[other, others[each["seat"]]]
        assert each["won"] + each["lost"] + each["drawn"] + undecided == each["matches"] == 2
        assert each["disqualified"] <= each["lost"]
    assert sum(each["won"] for each in cells) == sum(each["lost"] - each["disqualified"] for each in cells)
    assert await viewer.json("/run/model/playing") == {"matches": []}


async def test_who_is_disqualified_is_told(make_viewer, tmp_path):
    """Whoever was disqualified has lost, and the other one has neither won nor lost; the list of matches says so."""
    model = {"use": "llm", "backend": {"use": "scripted", "answers": ["I do not know"]}}
    benchmark = {
        "name": "out",
        "games": {"tic-tac-toe": "tic-tac-toe"},
        "agents": {"model": model, "first": "first-legal"},
        "schedule": {"use": "fixed", "seatings": [["first", "model"]], "repeats": 3},
        "illegal-actions": {"retries": 1, "max-refusals": 1, "then": "disqualify"},
    }
    run(benchmark, output=tmp_path / "runs" / "out", check=False)

    viewer = make_viewer(tmp_path / "runs")
    results = await viewer.json("/run/out/results")
    listed = await viewer.json("/run/out/matches")

    assert {row["result"] for row in listed["matches"]} == {"nobody won: model was disqualified"}
    told = {row["cells"]["agent"]: row["cells"] for row in results["rows"]}
    assert [told["model"][name] for name in ("matches", "won", "lost", "drawn", "disqualified")] == [3, 0, 3, 0, 3]
    assert [told["first"][name] for name in ("matches", "won", "lost", "drawn", "disqualified")] == [3, 0, 0, 0, 0]


async def test_a_match_that_was_cut_off_is_not_drawn(make_viewer, tmp_path):
    """A limit that ends a match before anybody earned anything leaves it without a result, and nobody drew."""
    benchmark = {
        "name": "short",
        "games": {"ttt": "tic-tac-toe"},
        "agents": {"random": "random", "first": "first-legal"},
        "schedule": {"use": "fixed", "seatings": [["first", "random"]], "repeats": 2},
        "limits": {"max-steps": 2},
    }
    run(benchmark, output=tmp_path / "runs" / "short", check=False)

    viewer = make_viewer(tmp_path / "runs")
    results = await viewer.json("/run/short/results")
    listed = await viewer.json("/run/short/matches")

    assert {(row["result"], row["winner"]) for row in listed["matches"]} == {("cut off, no result", None)}
    assert results["columns"][-1] == {"id": "undecided", "title": "cut off, no result", "style": "count"}
    for row in results["rows"]:
        assert [row["cells"][name] for name in ("matches", "won", "lost", "drawn", "undecided")] == [2, 0, 0, 0, 2]


async def test_run_offers_what_fits_its_games(make_viewer, viewer, tmp_path):
    """Submission files are offered of grid games, and of no others."""
    benchmark = {"games": {"own": {"use": "grid-tic-tac-toe"}}, "agents": {"random": "random"}}
    run(
        {"name": "grid", **benchmark, "schedule": {"use": "self-play"}, "limits": {"max-steps": 3}},
        output=tmp_path / "runs" / "grid",
        check=False,
    )

    grid = (await make_viewer(tmp_path / "runs").json("/run/grid"))["downloads"]
    other = (await viewer.json("/run/boards"))["downloads"]

    assert [each["form"] for each in other] == ["jsonl", "csv"]
    assert [each["form"] for each in grid] == ["jsonl", "csv", "export:llm-game-benchmark", "submission"]
