"""What a match can be made of, what a plan amounts to, and what is wrong with it or with a benchmark."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from arena.illegal_actions import IllegalActionPolicy
from arena_engine import is_played, load_benchmark, plan_matches, read_yaml
from arena_web.held.provider_keys import ProviderKeys

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.usefixtures("named_packages")]

CANARY = "sk-canary-of-the-page-51ab"

MODEL = {
    "kind": "model",
    "backend": {"use": "litellm", "model": "openai/gpt-4o", "temperature": 1.0},
    "key": "OPENAI_API_KEY",
    "prompt": {"style": "direct", "form": None},
    "parameters": {"takes": "last"},
}
PLAN: dict[str, Any] = {
    "seed": 3,
    "players": [{"kind": "agent", "use": "random"}, MODEL, {"kind": "person", "title": "The guest"}],
    "queue": [
        {"game": {"use": "grid-tic-tac-toe"}, "players": [0, 1], "repeats": 3, "rotate_seats": True},
        {"game": {"use": "grid-tic-tac-toe"}, "players": [2, 0], "repeats": 3, "rotate_seats": True},
        {"game": {"use": "grid-tic-tac-toe", "rows": 4}, "players": [0, 1], "repeats": 1, "rotate_seats": False},
        {"game": {"use": "kuhn-poker"}, "players": [0, 0, 1], "repeats": 2, "rotate_seats": False},
        {"game": {"use": "planning"}, "players": [1]},
    ],
    "illegal_actions": "grid-games-2024",
    "concurrency": 8,
}


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    """The environment of a machine on which nobody has an account."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


async def said(viewer: Any, path: str, body: Any, status: int = 200) -> Any:
    """The answer to a body."""
    answer = await viewer.post(path, body)
    assert answer.status_code == status, answer.text
    return answer.json()


def keywords(schema: Any) -> set[str]:
    """All keywords of a schema and of those in it."""
    if isinstance(schema, list):
        return {word for each in schema for word in keywords(each)}
    if not isinstance(schema, dict):
        return set()
    inner = {key: value for key, value in schema.items() if key not in ("default", "enum", "const", "properties")}
    below = [*inner.values(), *schema.get("properties", {}).values()]
    return {*schema} | {word for each in below for word in keywords(each)}


@pytest.mark.slow
async def test_what_can_be_chosen_is_told_with_its_parameters(viewer):
    """Games, agents and models that can be used, each with the schema of its parameters, in one piece."""
    found = await viewer.json("/new/choices")

    games, agents, backends = ({each["name"]: each for each in found[key]} for key in ("games", "agents", "backends"))
    board = games["grid-tic-tac-toe"]
    assert (board["title"], board["players"]) == ("Tic-tac-toe", [2])
    assert board["schema"]["properties"]["rows"]["default"] == 3
    assert games["matrix"]["schema"]["required"] == ["rows", "columns", "payoffs"]
    assert games["matrix"]["players"] == []
    assert {"random", "llm", "minimax"} <= {*agents}
    assert not {"human", "open-seat"} & {*agents}
    model = agents["llm"]["schema"]["properties"]["backend"]
    assert (model["plugin"], "litellm" in model["names"]) == ("backend", True)
    assert "model" in backends["litellm"]["schema"]["required"]
    assert {"name": "grid-list"}.items() <= next(s for s in found["styles"] if s["name"] == "grid-list").items()
    assert [policy["name"] for policy in found["policies"]] == ["grid-games-2024"]
    assert (games["diplomacy"]["usual"], board["usual"], games["matrix"]["usual"]) == (7, 2, None)
    plain = IllegalActionPolicy()
    assert found["policy"] == {"retries": plain.retries, "max_refusals": plain.max_refusals, "then": plain.then}
    assert found["after_last_try"]["forfeit"] == "the match is forfeited"
    assert found["has_open_seat"] is True
    told = {
        word for each in [*games.values(), *agents.values(), *backends.values()] for word in keywords(each["schema"])
    }
    assert not {"$ref", "$defs", "patternProperties"} & told


@pytest.mark.slow
async def test_first_position_is_shown(viewer):
    """A game's first position comes as a scene and in words, with who sits where and who plays it."""
    board = await said(viewer, "/new/position", {"game": {"use": "grid-tic-tac-toe", "rows": 4}})
    cards = await said(viewer, "/new/position", {"game": {"use": "kuhn-poker", "players": 3}})

    assert (board["title"], board["players"], board["seats"]) == ("Tic-tac-toe", [2], ["X", "O"])
    assert board["words"].count("Row") == 4
    assert board["scene"]["alternative"]
    assert {"list", "illustration", "image"} <= {*board["forms"]}
    assert {"random", "minimax", "grid-random"} <= {*board["agents"]}
    assert len(cards["seats"]) == 3


@pytest.mark.parametrize(
    ("game", "what"),
    [
        ({"use": "grid-tic-tac-toe", "align": 9}, "directions: no line of 9 fits on 3 rows and 3 columns"),
        ({"use": "grid-tic-tac-toe", "players": 3}, "players: expected 2, got '3'"),
        ({"use": "grid-tic-tac-toe", "rows": "many"}, "rows: expected int, got 'many'"),
        ({"use": "planning", "tasks": {"folder": "/etc"}}, "'/etc' is a file or folder, and only what is installed"),
        ({"use": "pettingzoo", "name": "mine.games"}, "'mine.games' leads to code, and only what is installed"),
    ],
)
async def test_game_that_cannot_be_played_says_why(viewer, game, what):
    """A line longer than the board, another number of players: one sentence, the game's own."""
    answer = await said(viewer, "/new/position", {"game": game}, 409)

    assert what in answer["error"]["what"]


async def test_plan_is_a_benchmark(viewer, monkeypatch):
    """Games and pairs become one benchmark, with the seatings, repeats and rotations of the plan, and nothing else."""
    found = await said(viewer, "/new/match", PLAN)

    assert found["problems"] == []
    assert found["secrets"] == [{"name": "OPENAI_API_KEY", "is_set": False}]
    assert read_yaml(found["text"], "text").data == found["benchmark"]
    built = load_benchmark(found["benchmark"])
    assert built.seed == 3
    assert [*built.games] == ["tic-tac-toe", "tic-tac-toe-rows-4", "kuhn-poker", "planning"]
    assert built.games["kuhn-poker"].players == 3
    assert [*built.agents] == ["random", "gpt-4o", "the-guest"]
    assert found["benchmark"]["agents"]["gpt-4o"] == {
        "use": "llm",
        "backend": {"use": "litellm", "model": "openai/gpt-4o", "temperature": 1.0, "api-key": "${OPENAI_API_KEY}"},
        "prompt": {"style": "direct"},
        "takes": "last",
    }
    assert type(built.illegal_actions).__name__ == "Competition"
    assert built.limits.concurrency == 8
    assert Counter((plan.game, plan.agents) for plan in plan_matches(built)) == {
        ("tic-tac-toe", ("random", "gpt-4o")): 3,
        ("tic-tac-toe", ("gpt-4o", "random")): 3,
        ("tic-tac-toe", ("the-guest", "random")): 3,
        ("tic-tac-toe", ("random", "the-guest")): 3,
        ("tic-tac-toe-rows-4", ("random", "gpt-4o")): 1,
        ("kuhn-poker", ("random", "random", "gpt-4o")): 2,
        ("planning", ("gpt-4o",)): 1,
    }


@pytest.mark.parametrize(
    ("changed", "pointer", "what"),
    [
        ({"queue": []}, "/queue", "there are no matches; add a game and who plays it"),
        (
            {"queue": [{"game": {"use": "grid-tic-tac-toe"}, "players": []}]},
            "/queue/0/players",
            "there is nobody to play",
        ),
        (
            {"queue": [{"game": {"use": "grid-tic-tac-toe"}, "players": [0, 0, 0]}]},
            "/queue/0/players",
            "expected 2 players, got 3",
        ),
        (
            {"queue": [{"game": {"use": "grid-tic-tac-toe", "align": 7}, "players": [0, 0]}]},
            "/queue/0/game/directions",
            "no line of 7 fits on 3 rows and 3 columns",
        ),
        (
            {"queue": [{"game": {"use": "gomoku"}, "players": [0, 7]}]},
            "/queue/0/players/1",
            "expected a player from 0 to 2, got 7",
        ),
        ({"players": [{"kind": "agent", "use": "randm"}, MODEL, MODEL]}, "/players/0/use", "did you mean 'random'?"),
        (
            {"players": [PLAN["players"][0], {**MODEL, "backend": {"use": "litellm", "model": 4}}, MODEL]},
            "/players/1/backend/model",
            "expected str, got 4",
        ),
        (
            {"players": [PLAN["players"][0], {**MODEL, "prompt": {"style": "grid-lst"}}, MODEL]},
            "/players/1/prompt/style",
            "grid-lst",
        ),
        (
            {"players": [PLAN["players"][0], {**MODEL, "backend": {"use": "llamacpp"}}, MODEL]},
            "/players/1/key",
            "unknown key",
        ),
        (
            {
                "players": [{"kind": "agent", "use": "minimax"}, MODEL, MODEL],
                "queue": [{**PLAN["queue"][3], "players": [0, 0]}],
            },
            "/players/0/use",
            "hidden information",
        ),
        (
            {"players": [PLAN["players"][0], {**MODEL, "prompt": {"style": "grid-list"}}], "queue": [PLAN["queue"][4]]},
            "/players/1",
            "reads 'list', and game 'planning' has only",
        ),
        ({"illegal_actions": "no-such"}, "/illegal_actions/use", "no-such"),
    ],
)
async def test_mistake_in_a_plan_is_told_where_it_is(viewer, changed, pointer, what):
    """Each mistake points into the plan, with one sentence."""
    found = await said(viewer, "/new/match", {**PLAN, **changed})

    (problem,) = found["problems"]
    assert problem["pointer"] == pointer
    assert what in problem["what"]


async def test_all_mistakes_of_a_benchmark_are_told_at_once(viewer):
    """A text is kept as it is; each mistake has its path and its line, in the words of the command line."""
    text = "games:\n  board: {use: tic-tac-toe, rows: 3}\n\nagents:\n  one: randm   # who?\nsedd: 1\n"

    found = await said(viewer, "/new/check", {"text": text})

    assert found["text"] == text
    assert found["benchmark"]["agents"] == {"one": "randm"}
    assert {(each["where"], each["line"]) for each in found["problems"]} == {
        ("games.board.rows", 2),
        ("agents.one", 5),
        ("sedd", 6),
    }
    assert found["problems"][0]["path"][0] in ("games", "agents", "sedd")


async def test_text_that_is_no_yaml_is_told_with_its_line(viewer):
    """Where the text cannot be read there is no data, and the mistake has a line."""
    found = await said(viewer, "/new/check", {"text": "games: {a: b\nagents: [\n"})
    empty = await said(viewer, "/new/check", {"text": ""})
    too_long = await viewer.post("/new/check", {"text": "#" * 256_001})

    assert found["benchmark"] is None
    assert found["problems"][0]["line"] in (1, 2, 3)
    assert empty["problems"][0]["what"] == "expected a table with games and agents, and it is empty"
    assert too_long.status_code == 413


async def test_benchmark_begins_with_a_suite(viewer):
    """A suite is offered as its own text, with its version, or as one that extends it where it needs a file."""
    suites = (await viewer.json("/new/suites"))["suites"]
    own = (await said(viewer, "/new/suite", {"name": "grid-games-2024"}))["text"]
    extending = (await said(viewer, "/new/suite", {"name": "grid-games-2024-image"}))["text"]
    checked = [await said(viewer, "/new/check", {"text": text}) for text in (own, extending)]
    unknown = await said(viewer, "/new/suite", {"name": "../suite.yaml"}, 409)

    assert {"grid-games-2024", "tradecraft"} <= {suite["name"] for suite in suites}
    assert "tic-tac-toe: {use: grid-tic-tac-toe}" in own
    assert checked[0]["benchmark"]["based-on"][0].startswith("grid-games-2024 1 (")
    assert extending == "extends: suite:grid-games-2024-image\n"
    assert [each["problems"] for each in checked] == [[], []]
    assert unknown["error"]["what"].startswith("no suite called '../suite.yaml'")


@pytest.mark.campaign
async def test_every_suite_can_be_begun_with(viewer):
    """The text that is offered for a suite has no mistakes, whichever suite it is."""
    names = [suite["name"] for suite in (await viewer.json("/new/suites"))["suites"]]
    texts = [(await said(viewer, "/new/suite", {"name": name}))["text"] for name in names]
    found = [(await said(viewer, "/new/check", {"text": text}))["problems"] for text in texts]

    assert dict(zip(names, found, strict=True)) == {name: [] for name in names}


async def test_schema_is_that_of_the_command(viewer, arena):
    """Forms are made from what ``arena schema`` prints."""
    assert await viewer.json("/new/schema") == json.loads(arena("schema").stdout)


async def test_secrets_are_named_and_a_written_one_is_not_repeated(viewer, monkeypatch):
    """Of ``${NAME}`` it is said whether it is set; a key in the text is a mistake, and its value in no answer of it."""
    monkeypatch.setenv("OTHER_API_KEY", "x" * 20)
    backend = {"use": "litellm", "model": "openai/gpt-4o", "api-key": "${OTHER_API_KEY}"}
    benchmark = {"games": {"a": "tic-tac-toe"}, "agents": {"one": {"use": "llm", "backend": backend}, "two": "random"}}
    named = await said(viewer, "/new/check", {"benchmark": benchmark})
    backend["api-key"] = CANARY
    written = await said(viewer, "/new/check", {"benchmark": benchmark})

    assert named["secrets"] == [{"name": "OTHER_API_KEY", "is_set": True}]
    assert named["problems"] == []
    assert CANARY not in json.dumps(written["problems"])


async def test_benchmark_with_mistakes_is_not_started(viewer):
    """A start is refused with every mistake; one whose key is missing, with the key's name. Nothing is written."""
    plan = await said(viewer, "/new/match", PLAN)
    wrong = await said(viewer, "/new/start", {"benchmark": {"games": {}, "extends": "x.yaml"}}, 409)
    without_key = await said(viewer, "/new/start", {"benchmark": plan["benchmark"]}, 409)

    assert wrong["problems"][0]["where"] == "extends"
    assert without_key["secrets"] == ["OPENAI_API_KEY"]
    assert without_key["error"]["what"] == "the key OPENAI_API_KEY is not set"


@pytest.mark.campaign
async def test_runs_that_are_begun_at_once_are_two(make_viewer, tmp_path):
    """Two starts of one name in one second are two runs, each with its file beside it; no name leads elsewhere."""
    viewer = make_viewer(tmp_path / "runs")  # a directory that is not there yet
    board = {"games": {"a": "tic-tac-toe"}, "agents": {"one": "first-legal", "two": "random"}}

    first, second, named = await asyncio.gather(
        said(viewer, "/new/start", {"benchmark": {**board, "name": "mine"}}),
        said(viewer, "/new/start", {"benchmark": {**board, "name": "mine"}}),
        said(viewer, "/new/start", {"benchmark": board, "name": "../x y"}),
    )

    names = [each["run"] for each in (first, second, named)]
    assert len({*names}) == 3
    assert [name[20:] for name in sorted(names[:2], key=len)] in (["mine", "mine-2"], ["mine", "mine"])
    assert named["run"].endswith("-x-y")
    assert {file.stem for file in (tmp_path / "runs").glob("*.yaml")} == {*names}
    for name in names:
        while is_played(tmp_path / "runs" / name):
            pass


async def test_keys_are_kept_by_name_alone(viewer):
    """A key is in no answer; one that is forgotten is gone; what is no name of a key is refused."""
    kept = await viewer.post("/new/keys", {"name": "OPENAI_API_KEY", "key": f" {CANARY}\n"})
    listed = await viewer.get("/new/keys")
    start = (await said(viewer, "/new/match", PLAN))["secrets"]
    environment = viewer.site.provider_keys.environment()
    refused = [
        await viewer.post("/new/keys", {"name": name, "key": key})
        for name, key in (
            ("PATH", CANARY),
            ("LD_PRELOAD", CANARY),
            (CANARY, "x"),
            ("A_KEY", ""),
            ("A_KEY", f"{CANARY}\nx"),
        )
    ]
    gone = await viewer.post("/new/keys/forget", {"name": "OPENAI_API_KEY"})

    assert kept.json() == {"name": "OPENAI_API_KEY", "is_set": True}
    assert listed.json() == {"keys": [{"name": "OPENAI_API_KEY", "is_set": True}]}
    assert start == [{"name": "OPENAI_API_KEY", "is_set": True}]
    assert environment == {"OPENAI_API_KEY": CANARY}
    assert [each.status_code for each in refused] == [400] * 5
    assert gone.json() == {"name": "OPENAI_API_KEY", "is_set": False}
    assert viewer.site.provider_keys.environment() == {}
    assert not any(CANARY in answer.text for answer in (kept, listed, gone, *refused))


async def test_what_keeps_keys_shows_names_alone():
    """Printed or logged, the keys in memory are names."""
    keys = ProviderKeys()
    keys.set("A_TOKEN", CANARY)

    assert repr(keys) == "ProviderKeys(A_TOKEN)"


async def test_only_the_host_starts_runs(make_viewer, played):
    """A reader's key opens none of it, and a server that only shows has none of it."""
    reader = make_viewer(played, right="reader")
    shows = make_viewer(played, is_read_only=True)

    assert (await reader.get("/new/choices")).status_code == 403
    assert (await reader.post("/new/start", {})).status_code == 403
    assert (await shows.get("/new/choices")).status_code == 404
    assert (await shows.post("/new/keys", {})).status_code == 404
