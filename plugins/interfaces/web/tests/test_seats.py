"""Seats: a program with a link plays whole matches over HTTP, and learns nothing that its player may not know."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest
from arena.record import Ending
from arena_engine import Control, Journal, RunLog, run
from arena_scene import patch

pytestmark = pytest.mark.asyncio(loop_scope="session")


def benchmark(game: str, repeats: int = 1, **seat: Any) -> dict[str, Any]:
    """Matches of a game between an open seat and random play."""
    return {
        "name": game,
        "seed": 3,
        "games": {game: game},
        "agents": {"person": {"use": "open-seat", "title": "You", **seat}, "random": "random"},
        "schedule": {"use": "round-robin", "repeats": repeats, "rotate-seats": False},
    }


@attrs.define
class Seated:
    """Whoever has the link of a seat."""

    client: httpx.AsyncClient
    key: str
    place: str = ""
    bytes_: list[bytes] = attrs.field(factory=list)

    async def get(self, path: str = "") -> httpx.Response:
        """Ask for a path below that of the seat."""
        return self._kept(await self.client.get(f"/api/1/seat{path}", headers=self._headers))

    async def post(self, path: str, **body: Any) -> httpx.Response:
        """Send a body to a path below that of the seat."""
        return self._kept(await self.client.post(f"/api/1/seat{path}", content=json.dumps(body), headers=self._headers))

    async def turn(self, after: int = -1, **query: Any) -> httpx.Response:
        """The next turn, or how the match ended."""
        asked = "".join(f"&{name}={value}" for name, value in query.items())
        return await self.get(f"/turn?after={after}&wait=30{asked}")

    async def seen(self, match: str, after_turn: int) -> dict[str, Any]:
        """The position of a match once it follows this turn of the seat, which is asked next or waits for others."""
        number, headers = -1, self._headers
        while True:
            path = f"/api/1/seat/position?match={match}&after={number}&wait=30"
            found = (await self.client.get(path, headers=headers)).json()
            if found["after_turn"] >= after_turn:
                return (await self.get(f"/position?match={match}")).json()
            number = found["position"]

    async def play(self, choose: Callable[[dict[str, Any]], Any], match: str) -> tuple[list[Any], dict[str, Any]]:
        """Play a match to its end: the turns that were asked, and how it ended."""
        turns: list[Any] = []
        while (answer := await self.turn(turns[-1]["turn"] if turns else -1, match=match)).status_code == 200:
            turns.append(turn := answer.json())
            played = await self.post(f"/turn/{turn['turn']}/try/{turn['try']}?match={match}", action=choose(turn))
            assert played.json() == {"accepted": True}
        assert answer.status_code == 410, answer.text
        return turns, answer.json()

    @property
    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"} | ({"arena-place": self.place} if self.place else {})

    def _kept(self, answer: httpx.Response) -> httpx.Response:
        self.bytes_.append(answer.content)
        return answer


Sit = Callable[..., AbstractAsyncContextManager[Any]]


@pytest.fixture
def sit(make_viewer: Any, tmp_path: Path) -> Sit:
    """A function that plays a benchmark in another thread and gives the seat in it, or those of several players."""

    @asynccontextmanager
    async def sit(
        plain: dict[str, Any], players: tuple[int, ...] = (), agents: tuple[str, ...] = ("person",)
    ) -> AsyncIterator[Any]:
        place = tmp_path / "runs" / plain["name"]
        control, begun = Control(is_attended=True), threading.Event()
        log = RunLog(lambda _, name, __: begun.set() if name == "match_started" else None)
        playing = asyncio.ensure_future(
            asyncio.to_thread(run, plain, output=place, check=False, control=control, log=log)
        )
        viewer = make_viewer(tmp_path / "runs")
        await asyncio.to_thread(begun.wait, 60)
        made = [
            await viewer.post("/links", {"right": "seat", "run": plain["name"], "agent": agent, "player": player})
            for agent in agents
            for player in players or (None,)
        ]
        assert {answer.status_code for answer in made} == {200}, made[0].text
        seats = [Seated(viewer.client, answer.json()["link"].partition("#")[2]) for answer in made]
        try:
            yield seats[0] if len(seats) == 1 else seats
        finally:
            control.stop()
            await playing

    return sit


@pytest.fixture
def shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let readers see matches from their first step."""
    monkeypatch.setattr("arena_engine.match.referee.VISIBLE_AFTER_S", 0.0)


def scenes_of(frames: list[Any]) -> list[Any]:
    """The scenes of frames, of which all but the first are differences from the one before."""
    scenes: list[Any] = []
    for frame in frames:
        scenes.append(patch(scenes[-1], frame) if scenes else frame)
    return scenes


def cards_of(directory: Path) -> tuple[str, ...]:
    """The cards that were dealt in a run of one match."""
    with Journal.open(directory) as journal:
        (record,) = journal.records()
    return tuple(event.data["card"] for event in record.events if event.kind == "dealt")


def first(turn: dict[str, Any]) -> Any:
    """The first option of a turn."""
    return turn["options"][0]["action"]


async def test_whole_match_by_http(sit: Sit, tmp_path: Path):
    """A program reads each turn with options, scene and touches, plays it, and is told how the match ended."""
    async with sit(benchmark("tic-tac-toe")) as seat:
        told = (await seat.get()).json()
        turns, end = await seat.play(first, told["match"])
        after = (await seat.get()).json()

    assert (told["protocol"], told["title"], told["seat"], told["matches"]) == (1, "You", "X", 1)
    assert [player["is_you"] for player in told["players"]] == [True, False]
    assert "three" in told["rules"].lower()
    assert [turn["turn"] for turn in turns] == list(range(len(turns)))
    assert all(turn["scene"]["parts"] and turn["touches"] and turn["say"] for turn in turns)
    assert turns[1]["news"][-1]["words"]
    assert end["verdict_words"] in ("You won.", "You lost.", "A draw.")
    assert (end["next"], end["next_match"], end["match"]) == (False, None, told["match"])
    assert end["scene"]["parts"]
    assert (after["state"], after["match"], after["done"]) == ("over", None, 1)
    with Journal.open(tmp_path / "runs" / "tic-tac-toe") as journal:
        (record,) = journal.records()
        (entry, *_) = journal.answers(record.id, "0/0")
    assert record.ending is Ending.RULES
    assert [e.data["action"] for e in record.played() if e.player == 0] == [first(turn) for turn in turns]
    assert '"means":"program"' in entry.value
    assert "127.0.0.1" not in entry.value


async def test_refusal_costs_a_try_and_a_check_costs_none(sit: Sit):
    """An illegal action is refused with its reason and the next try; whether one is legal may be asked before."""
    async with sit(benchmark("tic-tac-toe")) as seat:
        match = (await seat.get()).json()["match"]
        turn = (await seat.turn()).json()
        checks = [(await seat.post("/turn/0/check", action=action)).json() for action in ("z9", first(turn), [1])]
        unchanged = (await seat.turn()).json()
        refused = await seat.post("/turn/0/try/0", action="z9", note={"why": "a test"})
        again = await seat.post("/turn/0/try/0", action="z9", note={"why": "a test"})
        second = (await seat.turn()).json()
        late = await seat.post("/turn/0/try/0", action=first(turn))
        played = await seat.post("/turn/0/try/1", action=first(turn))
        twice = await seat.post("/turn/0/try/1", action=first(turn))
        other = await seat.post("/turn/0/try/1", action=turn["options"][1]["action"])
        stale = await seat.post("/turn/0/check", action=first(turn))
        _, end = await seat.play(first, match)
        lost_reply = await seat.post("/turn/0/try/1", action=first(turn))

    assert [check["legal"] for check in checks] == [False, True, False]
    assert checks[1]["words"] == turn["options"][0]["label"]
    assert unchanged == turn
    assert refused.status_code == 422
    told = refused.json()
    assert (told["refused"], told["try"], told["refusals_left"]) == (True, 1, turn["refusals_left"] - 1)
    assert told["kind"]
    assert told["words"].startswith(f"Refused: {told['reason']}. Try again;")
    assert again.content == refused.content
    assert (second["turn"], second["try"], second["refusals_left"]) == (0, 1, told["refusals_left"])
    assert second["rejected"] == [{"kind": told["kind"], "reason": told["reason"], "answer": "z9"}]
    assert second["say"].startswith("Not accepted")
    assert (late.status_code, late.json()["error"]["what"]) == (409, "turn 0 has been answered")
    assert played.json() == twice.json() == lost_reply.json() == {"accepted": True}
    assert [answer.status_code for answer in (other, stale)] == [409, 409]
    assert end["returns"]


async def test_last_refusal_says_what_follows(sit: Sit, tmp_path: Path):
    """After the last refusal the policy acts, and whoever sits there is told before and after."""
    plain = benchmark("tic-tac-toe") | {"illegal-actions": {"retries": 0, "then": "forfeit"}}
    async with sit(plain) as seat:
        turn = (await seat.turn()).json()
        refused = await seat.post("/turn/0/try/0", action="z9")
        end = (await seat.turn(0)).json()

    assert (turn["refusals_left"], turn["on_last_refusal"]) == (1, "After the last refusal the match is forfeited.")
    assert (refused.status_code, refused.json()["refusals_left"]) == (422, 0)
    assert "It was the last one: the match is forfeited." in refused.json()["words"]
    assert (end["ending"], end["verdict_words"]) == (str(Ending.FORFEIT_ILLEGAL), "You lost.")


async def test_game_with_a_schema_and_look_ups(sit: Sit, tmp_path: Path):
    """Where there are no options a program fills the schema; look-ups have the limits of models and are recorded."""
    async with sit(benchmark("negotiation", checks="none")) as seat:
        told = (await seat.get()).json()
        turn = (await seat.turn()).json()
        found = await seat.post("/turn/0/query/worth", arguments={"book": 1})
        wrong = await seat.post("/turn/0/query/worth", arguments={"book": 99})
        unknown = await seat.post("/turn/0/query/weather", arguments={})
        after = (await seat.turn()).json()
        check = await seat.post("/turn/0/check", action={})
        form = (await seat.get("/turn/0/form/text")).json()
        drawn = (await seat.get("/turn/0/form/scene")).json()
        nothing = await seat.get("/turn/0/form/smell")

        def propose(turn: dict[str, Any]) -> Any:
            keep = dict.fromkeys(turn["observation"]["items"], 0)
            return {"keep": keep} if turn["phase"] == "proposal" else {"accept": True}

        accepted = await seat.post("/turn/0/check", action=propose(turn))
        sample = turn["schema"]

    assert told["checks"] == "none"
    assert turn["options"] is None
    assert sample["type"] == "object"
    (query,) = turn["queries"]
    assert (query["name"], found.json()["answer"], found.json()["actions"]) == ("worth", found.json()["answer"], [])
    assert wrong.status_code == 200
    assert wrong.json()["illegal"]
    assert (unknown.status_code, unknown.json()["error"]["remedy"]) == (404, "there is: worth")
    assert after["queries"][0]["left"] == query["left"] - 2
    assert (check.status_code, accepted.status_code) == (403, 403)
    assert form["text"] == turn["text"]
    assert drawn["scene"]["parts"]
    assert nothing.status_code == 404


async def test_reload_gives_the_same_turn(sit: Sit):
    """Asking anew, with all news of the match so far, is the same turn; who waits for the next one gets none."""
    async with sit(benchmark("tic-tac-toe")) as seat:
        turn = (await seat.turn()).json()
        await seat.post("/turn/0/try/0", action=first(turn))
        second = (await seat.turn(0)).json()
        reloaded = (await seat.turn(-1)).json()
        nothing = await seat.get("/turn?after=1&wait=0")

    assert second["turn"] == reloaded["turn"] == 1
    assert reloaded["news"] == turn["news"] + second["news"]
    assert (nothing.status_code, nothing.content) == (204, b"")


async def test_one_page_at_a_time_has_a_seat(sit: Sit):
    """A second page takes the seat over, and the first one is told; programs need no word."""
    async with sit(benchmark("tic-tac-toe")) as seat:
        seat.place = (await seat.post("/take")).json()["place"]
        before = await seat.turn()
        other = Seated(seat.client, seat.key)
        other.place = (await other.post("/take")).json()["place"]
        after = await seat.turn()
        program = await Seated(seat.client, seat.key).turn()

    assert before.status_code == program.status_code == 200
    assert (after.status_code, after.json()["error"]["where"]) == (409, "place")


async def test_getting_up_is_a_forfeit(sit: Sit, tmp_path: Path):
    """Who leaves forfeits at once, and the next match of the seat follows."""
    async with sit(benchmark("tic-tac-toe", repeats=2)) as seat:
        told = (await seat.get()).json()
        turn = (await seat.turn(match=told["match"])).json()
        unnamed = await seat.post("/turn/0/try/0", action=first(turn))
        unsaid = await seat.post("/leave")
        left = await seat.post(f"/leave?match={told['match']}")
        end = (await seat.turn(0, match=told["match"])).json()
        following = (await seat.turn(match=end["next_match"])).json()
        too_late = await seat.post(f"/leave?match={told['match']}")

    assert (unnamed.status_code, unnamed.json()["error"]["where"]) == (400, "match")
    assert unsaid.status_code == 400
    assert left.json() == {"left": True}
    assert (end["ending"], end["verdict_words"], end["next"]) == ("forfeit-left", "You lost.", True)
    assert (following["match"], following["turn"]) == (end["next_match"], 0)
    assert too_late.status_code == 409


KUHN_TWINS: dict[str, Any] = {
    "name": "kuhn",
    "seed": 1,
    "games": {"kuhn-poker": "kuhn-poker"},
    "agents": {
        "person": {"use": "open-seat"},
        "raiser": {"use": "opening", "agent": "random", "moves": [[], [{"play": 1}]]},
    },
    "schedule": {"use": "round-robin", "repeats": 3, "rotate-seats": False},
}
"""A person who passes and folds against one who bets: no card is ever shown."""


@pytest.mark.slow
async def test_all_bytes_are_equal_where_only_the_hidden_differs(sit: Sit, tmp_path: Path, shown_at_once: None):
    """In two matches that differ only in the other's card a seat is sent the same bytes, whatever it asks."""
    sent: dict[str, list[bytes]] = {}
    async with sit(KUHN_TWINS) as seat:
        match = (await seat.get()).json()["match"]
        while match is not None:
            seat.bytes_ = sent[match] = []
            for number in (0, 1):
                turn = (await seat.turn(number - 1, match=match)).json()
                await seat.seen(match, number - 1)
                for form in turn["forms"]:
                    await seat.get(f"/turn/{number}/form/{form}?match={match}")
                for action in (*range(3), "x"):
                    await seat.post(f"/turn/{number}/check?match={match}", action=action)
                await seat.post(f"/turn/{number}/try/0?match={match}", action=9)
                await seat.post(f"/turn/{number}/try/1?match={match}", action=0)
            end = await seat.turn(1, match=match)
            assert end.status_code == 410, end.text
            match = end.json()["next_match"]

    names = [name.encode() for name in sent]
    with Journal.open(tmp_path / "runs" / "kuhn") as journal:
        dealt = [
            tuple(event.data["card"] for event in record.events if event.kind == "dealt")
            for record in journal.records()
        ]
    kinds: dict[str, dict[str, bytes]] = {}
    for (own, other), answers in zip(dealt, sent.values(), strict=True):
        text = b"\n".join(answers)
        for name in names:
            text = text.replace(b'"' + name + b'"', b'"-"')
        text = text.replace(b'"next_match":null', b'"next_match":"-"').replace(b'"next":false', b'"next":true')
        assert kinds.setdefault(own, {}).setdefault(other, text) == text
    twins = [list(each.values()) for each in kinds.values() if len(each) > 1]
    assert twins
    for first_one, second_one in twins:
        assert first_one == second_one


async def test_free_look_ups_have_no_limit_and_stand_with_the_answer(sit: Sit, tmp_path: Path):
    """With `look-ups: free` a seat asks as often as it likes; the note of its answer says what, and counts checks."""
    async with sit(benchmark("negotiation", look_ups="free")) as seat:
        await seat.turn()
        answers = [await seat.post("/turn/0/query/worth", arguments={"book": 1}) for _ in range(9)]
        after = (await seat.turn()).json()["queries"][0]["left"]
        keep = {"keep": {"book": 1}}
        check = await seat.post("/turn/0/check", action=keep)
        await seat.post("/turn/0/try/0", action=[])
        await seat.post("/turn/0/try/1", action="\ud800")
        await seat.post("/leave")
        await seat.turn(0)

    assert all("answer" in answer.json() for answer in answers)
    assert after is None
    assert check.status_code == 200
    with Journal.open(tmp_path / "runs" / "negotiation") as journal:
        (record,) = journal.records()
    first_refusal, second_refusal = record.refused()
    assert first_refusal.data["note"] == {"checks": 1, "look_ups": ["worth"] * 9}
    assert "note" not in second_refusal.data


@pytest.mark.campaign
async def test_free_look_ups_lift_the_budget_of_a_phase_for_one_seat(sit: Sit):
    """A budget that turns of a phase share is none for a seat with free look-ups; the other player's is as it was."""
    plain = benchmark("tradecraft", look_ups="free") | {
        "games": {"tradecraft": {"use": "tradecraft", "lookups": {"propose": 1, "decide": 1, "craft": 1}}},
        "schedule": {"use": "fixed", "seatings": [["person", "other"]]},
    }
    plain["agents"] = {"person": plain["agents"]["person"], "other": {"use": "open-seat"}}
    found: dict[str, list[Any]] = {"person": [], "other": []}
    async with sit(plain, agents=("person", "other")) as (person, other):
        seats = {"person": person, "other": other}
        for name, number in (("person", 0), ("other", 0), ("person", 1), ("other", 1)):
            seat = seats[name]
            turn = (await seat.turn(number - 1)).json()
            path = f"/turn/{number}/query/possible_crafts"
            told = [(await seat.post(path, arguments={})).json() for _ in range(2)]
            left = {query["name"]: query["left"] for query in turn["queries"]}.get("possible_crafts", "not offered")
            found[name].append((turn["phase"], left, ["answer" in each for each in told]))
            craft = told[0]["answer"]["crafts"][0]["example"] if "answer" in told[0] else {"done": True}
            trade = {"partner": None, "message": ""}
            await seat.post(f"/turn/{number}/try/0", action=trade if turn["phase"] == "propose" else craft)
        again = (await person.turn(1)).json()
        third = await person.post("/turn/2/query/possible_crafts", arguments={})

    assert found["person"] == [("propose", None, [True, True]), ("craft", None, [True, True])]
    assert (again["phase"], third.status_code) == ("craft", 200)
    assert found["other"] == [("craft", 1, [True, False]), ("craft", "not offered", [False, False])]


@pytest.mark.slow
async def test_clock_of_the_benchmark_holds_for_a_seat(sit: Sit):
    """The time limit of a turn is shown as a clock; a try that comes too late is refused like a model's.

    There are so many tries that however late the test looks, the match is not over.
    """
    plain = benchmark("tic-tac-toe") | {"limits": {"turn-seconds": 0.4}, "illegal-actions": {"retries": 10_000}}
    async with sit(plain) as seat:
        turns = [(await seat.turn()).json()]
        while turns[-1]["try"] == turns[0]["try"]:
            turns.append((await seat.turn()).json())
        late = await seat.post("/turn/0/try/0", action=first(turns[0]))

    left = [turn["seconds_left"] for turn in turns]
    assert 0 <= min(left) < max(left) <= 0.4
    assert turns[-1]["rejected"][-1]["kind"] == "late"
    assert late.status_code == 409


async def test_two_people_sit_at_one_table(sit: Sit):
    """In a match of an agent with itself each player has a link of its own, and each is told its own turns."""
    plain = benchmark("tic-tac-toe") | {"agents": {"person": {"use": "open-seat"}}, "schedule": "self-play"}
    async with sit(plain, players=(0, 1)) as seats:
        names = [(await seat.get()).json()["seat"] for seat in seats]
        match = (await seats[0].get()).json()["match"]
        waiting = await seats[1].get("/turn")
        (turns, end), (others, other_end) = await asyncio.gather(*(seat.play(first, match) for seat in seats))

    assert names == ["X", "O"]
    assert waiting.status_code == 204
    assert len(turns) in (len(others), len(others) + 1)
    assert {end["verdict_words"], other_end["verdict_words"]} in ({"You won.", "You lost."}, {"A draw."})


@pytest.mark.slow
async def test_position_is_followed_while_others_play(sit: Sit, shown_at_once: None):
    """Who waits sees each move of the others in the position and in words, as its next turn tells them."""
    plain = benchmark("tic-tac-toe") | {"agents": {"person": {"use": "open-seat"}}, "schedule": "self-play"}
    async with sit(plain, players=(0, 1)) as (one, other):
        match = (await one.get()).json()["match"]
        start = await other.seen(match, -1)
        await one.turn(match=match)
        await one.post(f"/turn/0/try/0?match={match}", action=0)
        own = await one.seen(match, 0)
        nothing = await one.get(f"/position?match={match}&after={own['position']}")
        waiting = asyncio.ensure_future(one.get(f"/position?match={match}&after={own['position']}&wait=30"))
        await other.turn(match=match)
        await other.post(f"/turn/0/try/0?match={match}", action=4)
        theirs = (await waiting).json()
        turn = (await one.turn(0, match=match)).json()
        all_told = (await one.turn(match=match)).json()["news"]
        await one.post(f"/leave?match={match}")
        await one.turn(1, match=match)
        end = await one.get(f"/position?match={match}&after={theirs['position']}&wait=30")

    assert (start["position"], start["after_turn"], own["position"], own["after_turn"]) == (0, -1, 1, 0)
    assert own["scene"] != start["scene"]
    assert (nothing.status_code, nothing.content) == (204, b"")
    assert (theirs["position"], theirs["after_turn"], theirs["scene"]) == (2, 0, turn["scene"])
    assert theirs["text"] == turn["text"]
    assert own["news"] + theirs["news"] == turn["news"] == all_told
    assert [line["is_own"] for line in all_told] == [True, False]
    assert (end.status_code, end.json()["ending"]) == (410, "forfeit-left")


@pytest.mark.campaign
async def test_twenty_sit_at_once(sit: Sit):
    """Twenty seats of one run are played at the same time, each at its own table, and all come to the end."""
    people = tuple(f"p{number}" for number in range(20))
    plain = benchmark("tic-tac-toe") | {
        "agents": {**{name: {"use": "open-seat"} for name in people}, "random": "random"},
        "schedule": {"use": "fixed", "seatings": [[name, "random"] for name in people]},
        "limits": {"concurrency": 1},
    }
    async with sit(plain, agents=people) as seats:
        matches = [(await seat.get()).json()["match"] for seat in seats]
        ends = await asyncio.gather(*(seat.play(first, match) for seat, match in zip(seats, matches, strict=True)))

    assert len({end["match"] for _, end in ends}) == 20
    assert {end["ending"] for _, end in ends} == {"rules"}


async def test_match_that_is_over_is_what_its_player_saw(sit: Sit, tmp_path: Path):
    """After the end a seat steps through its own positions and turns: those it was asked with, and nothing more."""
    async with sit(benchmark("kuhn-poker")) as seat:
        match = (await seat.get()).json()["match"]
        early = [(await seat.get(f"/match/{match}{path}")).status_code for path in ("", "/frames")]
        turns, end = await seat.play(first, match)
        told = await seat.get(f"/match/{match}")
        shown = (await seat.get(f"/match/{match}/frames")).json()
        other = await seat.get("/match/0123456789abcdef")

    scenes = scenes_of(shown["frames"])
    dealt = cards_of(tmp_path / "runs" / "kuhn-poker")
    own = told.json()
    assert early == [409, 409]
    assert other.status_code == 404
    assert [turn["scene"] for turn in turns] == [
        scene for scene in scenes if scene in [turn["scene"] for turn in turns]
    ]
    assert scenes[-1] == end["scene"]
    assert (own["positions"], own["state"], own["ending"]["kind"]) == (len(scenes), "ended", end["ending"])
    assert [line["player"] for line in own["turns"] if line["player"] is not None] == [0] * len(turns)
    assert [player["agent"] for player in own["players"]] == [None, None]
    assert "random" not in told.text
    assert f'"rank": "{dealt[1]}"' not in json.dumps(scenes[:-1])
    assert f'"rank": "{dealt[0]}"' in json.dumps(scenes[0])


async def everything(seat: Seated, match: str) -> list[httpx.Response]:
    """What a seat gets that asks for all of its match: the match, its positions, a turn of the other, a text of it."""
    path = f"/match/{match}"
    paths = [f"{path}?as=all", f"{path}/frames?as=all", *(f"{path}/turn/{turn}?as=all" for turn in (0, 1))]
    digest = sha256(b"pass").hexdigest()
    return [await seat.get(asked) for asked in (*paths, f"{path}/text/{digest}")]


@pytest.mark.parametrize("seat", [{}, {"reveal": "after"}], ids=["never", "after"])
async def test_all_of_a_match_is_revealed_after_it_alone(sit: Sit, seat: dict[str, Any]):
    """Only with `reveal: after` a seat is told what the others were asked: once nobody is to sit with those deals."""
    plain = benchmark("kuhn-poker", **seat)
    plain["agents"]["random"] = {"use": "llm", "backend": {"use": "scripted"}}
    plain["schedule"] |= {"rotate-seats": True, "paired": True}
    async with sit(plain) as own:
        one = (await own.get()).json()["match"]
        before = await everything(own, one)
        _, end = await own.play(first, one)
        between = await everything(own, one)
        _, last = await own.play(first, end["next_match"])
        after = await everything(own, one)
        answers = [call["answer"] for each in after if each.status_code == 200 for call in each.json().get("calls", [])]
        texts = [await own.get(f"/match/{one}/text/{each['digest']}") for each in answers]

    assert [answer.status_code for answer in before] == [409 if seat else 403] * 5
    assert [answer.status_code for answer in between] == [403] * 5
    assert (end["reveals"], last["reveals"]) == (False, bool(seat))
    if not seat:
        assert [answer.status_code for answer in after] == [403] * 5
        return
    assert [answer.status_code for answer in after] == [200, 200, 200, 200, 404]
    told, _, *turns = (answer.json() for answer in after[:4])
    assert [player["agent"] for player in told["players"]] == ["person", "random"]
    assert [(turn["player"], bool(turn["asked"])) for turn in turns] == [(0, False), (1, True)]
    assert [text.json()["text"] for text in texts] == [each["text"] for each in answers] != []
