"""Seats over processes: a server, a run that is killed and resumed, and the clients that users copy."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from arena_engine import Journal

PROGRAM = str(Path(sys.executable).with_name("arena"))

BENCHMARK = """
name: seats
games: {tic-tac-toe: tic-tac-toe}
agents: {person: {use: open-seat}, random: random}
schedule: {use: round-robin, repeats: 1, rotate-seats: false}
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A function that starts `arena` in a process of its own, with a state directory of its own."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "seats.yaml").write_text(BENCHMARK)
    with contextlib.ExitStack() as stack:

        def start(*arguments: object) -> subprocess.Popen[str]:
            environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "BROWSER": "true"}
            process = subprocess.Popen(
                [PROGRAM, *map(str, arguments)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=tmp_path,
                env=environment,
            )
            stack.callback(process.communicate)
            stack.callback(process.terminate)
            return process

        yield start


def line_with(stream: Any, word: str) -> str:
    """The next line of a stream that holds a word."""
    for line in stream:
        if word in line:
            return line.strip()
    raise AssertionError(f"no line with {word!r}")


def ask(address: str, key: str, path: str, body: Any = None) -> tuple[int, Any]:
    """A status and an answer of the API."""
    request = Request(f"{address}/api/1{path}", None if body is None else json.dumps(body).encode())
    request.add_header("Authorization", f"Bearer {key}")
    try:
        with urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


@pytest.mark.slow
def test_killed_run_goes_on_under_the_same_key(start: Start, tmp_path: Path):
    """Killed in the middle of a turn and resumed, a run asks the open turn again and nothing that was answered."""
    # A run that may wait: how long it takes until a link is there says nothing on a busy machine.
    (tmp_path / "seats.yaml").write_text(BENCHMARK.replace("open-seat", "open-seat, absent: leave, absent-s: 3600"))
    view = start("view", "runs", "--port", 0, "--no-open")
    assert view.stdout is not None
    address, host = line_with(view.stdout, "#key=").split("/#key=")
    run = start("run", "seats.yaml", "-o", "runs/seats")
    made: Any = None
    while not made:
        assert run.poll() is None, run.communicate()[1]
        status, told = ask(address, host, "/links", {"right": "seat", "run": "seats"})
        made = told if status == 200 else None
    key = made["link"].partition("#")[2]
    first = _turn(address, key, -1, run)
    _answer(address, key, first)
    second = _turn(address, key, 0, run)

    for process in _below(run.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    run.wait(30)
    status, told = ask(address, key, "/seat/turn?after=0")
    assert (status, told["state"]) == (503, "not running")
    resumed = start("resume", "runs/seats")
    again = _turn(address, key, 0, resumed)
    _answer(address, key, first)
    after, turn = 0, again
    while turn is not None:
        after = turn["turn"]
        _answer(address, key, turn)
        turn = _turn(address, key, after, resumed)
    _, error = resumed.communicate(timeout=60)

    assert {**again, "seconds_left": 0} == {**second, "seconds_left": 0}  # which goes on from when it is asked
    assert resumed.returncode == 0, error
    with Journal.open(tmp_path / "runs" / "seats") as journal:
        (record,) = journal.records()
        answered = [entry for entry in journal.answers(record.id) if entry.kind == "once"]
    assert len(answered) == after + 1


@pytest.mark.campaign
def test_run_that_nobody_attends_ends(start: Start):
    """Where nobody comes for an open seat, a run ends and says which command shows it."""
    run = start("run", "seats.yaml", "-o", "runs/seats")

    _, error = run.communicate(timeout=60)

    assert run.returncode == 3
    assert re.search(r"stopped early: waits for 1 seat: arena view \S*runs/seats", error)


def _turn(address: str, key: str, after: int, run: subprocess.Popen[str]) -> Any:
    """The next turn, however long the run takes to begin; ``None`` once the match is over."""
    while True:
        is_over = run.poll() is not None  # asked before: a run that ends meanwhile may not answer any more
        status, told = ask(address, key, f"/seat/turn?after={after}&wait=10")
        if status in (200, 410):
            return told if status == 200 else None
        assert not is_over, run.communicate()[1]


def _answer(address: str, key: str, turn: Any) -> None:
    """Take the first option; a process that is too busy, or was asked too often, is asked again, as clients do."""
    status = 503
    while status in (429, 503):
        status, told = ask(address, key, f"/seat/turn/{turn['turn']}/try/0", {"action": turn["options"][0]["action"]})
    assert (status, told) == (200, {"accepted": True})


def _below(process: int) -> list[int]:
    """A process and all that it started, the last ones first."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return []
    return [each for child in children for each in _below(int(child))] + [process]


CLIENTS = Path(__file__).parent.parent / "clients"


@pytest.mark.slow
def test_a_person_is_given_one_link(start: Start):
    """``arena play --web`` prints the link to the person's seat and none beside it."""
    play = start("play", "tic-tac-toe", "--against", "first-legal", "--web", "-o", "runs/own")
    assert play.stderr is not None

    first = line_with(play.stderr, "http://")

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/seat#[\w-]+ \S.*", first)


@pytest.mark.parametrize("client", [[sys.executable, str(CLIENTS / "seat.py")], ["sh", str(CLIENTS / "seat.sh")]])
@pytest.mark.parametrize("link", [[], ["http://127.0.0.1:8765/#key=A"]])
def test_client_says_what_it_expects(client: list[str], link: list[str]):
    """A client that is given no link of a seat says in one sentence what it expects."""
    done = subprocess.run([*client, *link], capture_output=True, text=True)

    assert done.returncode == 2
    assert re.fullmatch(r"expected a seat's link, http://ADDRESS/seat#KEY, got \S+; ask its host\n", done.stderr)


class Elsewhere(BaseHTTPRequestHandler):
    """Answers as a web server that knows nothing of Arena, or as Arena does where a key opens nothing."""

    def do_GET(self) -> None:
        is_arena = "knows-nothing" not in self.headers["Authorization"]
        error = b'{"error":{"where":"key","what":"this key opens nothing","remedy":"ask for a new link"}}'
        self.send_response(401 if is_arena else 404)
        self.end_headers()
        self.wfile.write(error if is_arena else b"<h1>Not found</h1>")

    def log_message(self, *_: object, **__: object) -> None: ...


@pytest.mark.parametrize("client", [[sys.executable, str(CLIENTS / "seat.py")], ["sh", str(CLIENTS / "seat.sh")]])
def test_client_says_that_nothing_is_there(client: list[str]):
    """Without a server, without Arena, and with a key that opens nothing a client says so in a sentence, and fails."""
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        site = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever).start()
        refused, foreign = (
            subprocess.run([*client, f"{site}/seat#{key}"], capture_output=True, text=True)
            for key in ("A", "knows-nothing")
        )
        server.shutdown()
    silent = subprocess.run([*client, f"{site}/seat#A"], capture_output=True, text=True)

    assert [done.returncode for done in (refused, foreign, silent)] == [1, 1, 1]
    assert refused.stderr == "this key opens nothing; ask for a new link\n"
    gone = rf"no seat at {site} \(.+\); is arena view running there\?\n"
    assert re.fullmatch(gone, silent.stderr)
    assert re.fullmatch(gone, foreign.stderr)


@pytest.mark.slow
def test_a_link_opens_its_seat_when_the_run_is_resumed(start: Start, tmp_path: Path):
    """Whoever has been sent a link goes on with it; the pages come back where they were."""
    (tmp_path / "seats.yaml").write_text(BENCHMARK.replace("open-seat", "open-seat, absent: leave, absent-s: 3600"))
    run = start("run", "seats.yaml", "-o", "runs/seats", "--web")
    assert run.stderr is not None
    address, key = line_with(run.stderr, "/seat#").split()[0].split("/seat#")
    _turn(address, key, -1, run)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)

    resumed = start("resume", "runs/seats", "--web")
    assert resumed.stderr is not None
    line_with(resumed.stderr, "opens this seat")

    assert _turn(address, key, -1, resumed)["turn"] == 0


@pytest.mark.sample(slow=1)
@pytest.mark.slow
@pytest.mark.parametrize("client", [[sys.executable, str(CLIENTS / "seat.py")], ["sh", str(CLIENTS / "seat.sh")]])
def test_client_answers_no_schema(start: Start, tmp_path: Path, client: list[str]):
    """Where actions are not listed a client says that it cannot choose one, and sends nothing."""
    (tmp_path / "offers.yaml").write_text(BENCHMARK.replace("tic-tac-toe: tic-tac-toe", "offers: negotiation"))
    run = start("run", "offers.yaml", "-o", "runs/offers", "--web")
    assert run.stderr is not None
    link, _ = line_with(run.stderr, "/seat#").split()

    done = subprocess.run([*client, link], capture_output=True, text=True)

    assert done.returncode == 1
    assert done.stderr.startswith("this turn has no options: an action has to fit its schema, which this client cannot")
    with Journal.open(tmp_path / "runs" / "offers", check=False) as journal:
        (plan,) = journal.plans()
        assert [entry for entry in journal.answers(plan.id) if entry.kind == "once"] == []


@pytest.mark.campaign
def test_clients_play_to_the_end(start: Start, tmp_path: Path):
    """The clients that users copy play all matches of their seats against random play, in two games."""
    (tmp_path / "both.yaml").write_text(
        "name: both\n"
        "games: {tic-tac-toe: tic-tac-toe, kuhn-poker: kuhn-poker}\n"
        "agents: {python: {use: open-seat}, shell: {use: open-seat}, random: random}\n"
        "schedule: {use: round-robin, repeats: 1}\n"
    )
    run = start("run", "both.yaml", "-o", "runs/both", "--web")
    assert run.stderr is not None
    commands = {"python": [sys.executable, str(CLIENTS / "seat.py")], "shell": ["sh", str(CLIENTS / "seat.sh")]}
    playing: list[subprocess.Popen[str]] = []
    for _ in commands:
        link, name = line_with(run.stderr, "/seat#").split()
        playing.append(subprocess.Popen([*commands[name], link], stdout=subprocess.PIPE, text=True))

    said = [process.communicate()[0] for process in playing]
    line_with(run.stderr, "the pages stay open")  # which is said once all is played and shown
    run.send_signal(signal.SIGINT)
    run.wait(60)

    assert [process.returncode for process in playing] == [0, 0]
    assert [len(re.findall(r"^You (?:won|lost|earned .*)\.$|^A draw\.$", text, re.M)) for text in said] == [8, 8]
    assert len([line for line in (CLIENTS / "seat.py").read_text().splitlines() if line]) <= 40
    with Journal.open(tmp_path / "runs" / "both") as journal:
        assert {record.ending for record in journal.records()} == {"rules"}
