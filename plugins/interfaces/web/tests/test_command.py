"""The command: what it prints, what it refuses, and a server that is really started."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import attrs
import pytest
from arena.errors import ConfigError
from arena_engine import Journal, RemoteControl, load_benchmark
from arena_engine.execution.runner import create_run
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

PROGRAM = str(Path(sys.executable).with_name("arena"))

SLOW_MODEL = """
name: slow
games: {tic-tac-toe: tic-tac-toe}
agents:
  model: {use: llm, backend: {use: scripted, answers: [a1, b1, c1, a2, b2, c2, a3, b3, c3], latency-s: 0.2}}
schedule: {use: self-play, repeats: 200}
limits: {concurrency: 2}
"""


@attrs.frozen
class Served:
    """A server in a process of its own, and how to ask it."""

    process: "subprocess.Popen[str]"
    link: str
    output: Path

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.link.partition("/#")[0]

    def ask(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Any:
        """The answer of a route."""
        key = self.link.partition("#key=")[2]
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.address}/api/1{path}", data=data, method=method)
        for name, value in {"Authorization": f"Bearer {key}", **headers}.items():
            request.add_header(name, value)
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def until(self, run: str, is_there: Callable[[Any], bool]) -> Any:
        """The head of a run once something holds of it; between two looks it is waited for something to happen."""
        number = ""
        while not is_there(head := self.ask(f"/run/{run}")):
            told = self.ask(f"/live?topics=run:{run}&after={number}&wait=5")
            (number,) = told["numbers"].values()
        return head


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """A function that starts `arena view` in a process of its own."""
    with contextlib.ExitStack() as stack:

        def start(*arguments: object) -> Served:
            state = tmp_path / "state"
            command = [PROGRAM, "view", *map(str, arguments)]
            command += ["--port", "0", "--no-open", "--state", str(state)]
            output = tmp_path / "stderr.txt"
            with output.open("w") as errors:
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=tmp_path)
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
            assert process.stdout is not None
            stack.enter_context(process.stdout)
            link = process.stdout.readline().strip()
            return Served(process, link, output)

        yield start


@pytest.mark.slow
def test_help_imports_no_server():
    """`arena view --help` needs none of the libraries that serve."""
    program = (
        "import sys\nfrom arena_cli.application.group import group\n"
        "try:\n    group(['view', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "--allow-host" in done.stdout
    assert not {"starlette", "uvicorn", "websockets", "anyio", "h11"} & set(done.stderr.split())


def test_port_in_use_says_which(arena, tmp_path):
    """A port that is taken is one sentence with the way out."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        done = arena("view", "--port", str(port), "--no-open", "--state", str(tmp_path / "state"))

    assert done.exit_code == 2
    assert f"--port {port}: already in use; --port 0 takes the next free one" in done.stderr
    assert done.stdout == ""


def test_other_address_needs_its_names(arena):
    """An address that others can reach needs the names it is called by, and says what that means."""
    done = arena("view", "--host", "0.0.0.0")

    assert done.exit_code == 2
    assert "--allow-host" in done.stderr
    assert "ssh -L 8765:127.0.0.1:8765" in " ".join(done.stderr.split())


def test_server_prints_one_link_and_answers(serve, played):
    """The link has its key behind the number sign; the server answers by it, and writes no key and no log."""
    served = serve(played)

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#key=[\w-]{43}", served.link)
    assert served.ask("/me")["right"] == "host"
    assert served.ask("/runs")["total"] == 3
    with pytest.raises(HTTPError, match="401"):
        served.ask("/me", Authorization="Bearer wrong")
    with urlopen(f"{served.address}/", timeout=60) as page:
        assert page.headers["Server"] is None
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    kept = [
        path.read_text() for path in served.output.parent.rglob("*") if path.is_file() and path.stat().st_size < 1e5
    ]
    assert not any(served.link.partition("#key=")[2] in text for text in kept)
    assert served.output.read_text() == ""


@pytest.mark.slow
def test_each_start_has_a_key_of_its_own(serve, played):
    """The link of a server that has ended opens the next one no more."""
    first = serve(played)
    first.process.terminate()
    first.process.wait(30)
    second = serve(played)

    with pytest.raises(HTTPError, match="401"):
        second.ask("/me", Authorization=f"Bearer {first.link.partition('#key=')[2]}")


@pytest.mark.campaign
def test_empty_directory_is_served(serve, tmp_path):
    """Without runs the server starts all the same, and says how to begin."""
    served = serve()

    assert served.ask("/runs")["empty"] == "no runs in 'runs'; start one with `arena run`"
    assert "start one with `arena run`" in served.output.read_text()


def cancelled_match(served: Served) -> str:
    """Cancel a match that is being played, and return it; one that was about to end may end by itself meanwhile."""
    while True:
        for each in served.ask("/run/slow")["playing"]:
            address = f"/run/slow/match/{each['match']}"
            with contextlib.suppress(HTTPError):
                served.ask(f"{address}/cancel", "POST")
                while (shown := served.ask(address))["state"] != "ended":
                    pass
                if shown["ending"]["kind"] == "cancelled":
                    return each["match"]


@pytest.fixture
def slow_run(tmp_path: Path) -> Iterator[Path]:
    """The directory of a run of slow matches that is not played yet; whoever plays it is stopped with the test."""
    run = tmp_path / "runs" / "slow"
    (tmp_path / "slow.yaml").write_text(SLOW_MODEL)
    create_run(load_benchmark(tmp_path / "slow.yaml"), run).close()
    yield run
    with contextlib.suppress(ConfigError):  # nobody plays it any more
        RemoteControl(run).stop()


@pytest.fixture
def playing(slow_run: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process, which plays the run."""
    command = [PROGRAM, "resume", slow_run]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            while not (slow_run / "control.json").is_file():
                assert process.poll() is None
            yield process
        finally:
            process.kill()


@pytest.mark.campaign
def test_run_of_another_process_is_held(serve, playing):
    """A run that another process plays is shown while it is played, paused, continued and stopped, its matches ended.

    Once it is stopped there is nothing to pause or to cancel.
    """
    served = serve()
    shown = served.until("slow", lambda head: head["state"] == "running" and head["playing"])
    assert shown["planned"] == 200
    match = served.ask(f"/run/slow/match/{shown['playing'][0]['match']}")
    assert match["state"] in ("playing", "ended")
    # A process that has no time to say how it stands is said to play.
    served.ask("/run/slow/pause", "POST")
    shown = served.until("slow", lambda head: head["state"] != "running")
    assert shown["state_words"] == "paused; nothing new is asked"
    served.ask("/run/slow/continue", "POST")
    served.until("slow", lambda head: head["state"] == "running")
    cancelled = cancelled_match(served)
    with pytest.raises(HTTPError, match="409"):
        served.ask("/run/slow/resume", "POST", {})
    served.ask("/run/slow/stop", "POST")

    assert playing.wait(60) == 3
    assert served.ask("/run/slow")["state"] in ("stopped", "planned")
    for what in ("pause", f"match/{cancelled}/cancel"):
        with pytest.raises(HTTPError, match="409"):
            served.ask(f"/run/slow/{what}", "POST", {})
    assert served.ask(f"/run/slow/match/{cancelled}")["ending"]["kind"] == "cancelled"


@pytest.mark.campaign
@pytest.mark.usefixtures("slow_run")
def test_run_goes_on_without_the_server_that_resumed_it(serve):
    """A server plays a run in a process of its own, which goes on when the server ends; the next server stops it."""
    served = serve()
    assert served.ask("/run/slow/resume", "POST", {})["state"] == "running"
    served.process.terminate()
    served.process.wait(30)

    served = serve()
    done = served.ask("/run/slow")["done"]
    served.until("slow", lambda head: head["done"] > done)
    served.ask("/run/slow/stop", "POST")
    served.until("slow", lambda head: head["state"] == "stopped")


@pytest.mark.campaign
def test_run_is_extended_and_says_why_it_is_not_resumed(serve, tmp_path, played):
    """A finished run is made larger and played to its end; what stands against playing a run is one sentence."""
    shutil.copytree(played / "boards", tmp_path / "runs" / "boards")
    with Journal.open(played / "boards") as journal:
        for name, use in (("other", "lab.agents:Mine"), ("gone", "not-installed")):
            changed: Any = {**journal.header.benchmark, "agents": {"first": "first-legal", "random": use}}
            header = attrs.evolve(journal.header, id=name, benchmark=changed)
            Journal.create(tmp_path / "runs" / name, header, journal.plans()).close()
    served = serve("--disable", "observer:progress")

    def refused(run: str, what: str, body: Any) -> tuple[int, str]:
        with pytest.raises(HTTPError) as error:
            served.ask(f"/run/{run}/{what}", "POST", body)
        return error.value.code, json.load(error.value)["error"]["what"]

    head = served.ask("/run/boards")
    assert (head["repeats"], head["no_extending"]) == (5, "")
    assert refused("boards", "resume", {}) == (409, "every match has a result; none is left to play")
    code, why = refused("boards", "extend", {"repeats": 5})
    assert (code, why.partition(":")[2]) == (409, " the run has 20 matches, and this adds none")
    assert refused("boards", "extend", {"repeats": "6"})[0] == 400
    assert refused("boards", "resume", {"limits": {"concurrency": 1}})[0] == 400
    assert "lab.agents:Mine" in refused("other", "resume", {})[1]
    assert "'not-installed'" in refused("gone", "resume", {})[1]
    served.ask("/run/boards/extend", "POST", {"repeats": 6})
    head = served.until("boards", lambda head: head["done"] == 24)

    assert (head["planned"], head["repeats"]) == (24, 6)


@pytest.mark.campaign
def test_read_only_server_holds_nothing(serve, played):
    """With --read-only there is no route that changes anything."""
    served = serve(played, "--read-only")

    assert served.ask("/me")["read_only"] is True
    with pytest.raises(HTTPError, match="404"):
        served.ask("/run/boards/stop", "POST")


def test_workers_have_no_credentials(monkeypatch):
    """What is named like a credential in the environment is not handed to the processes in which games run."""
    from arena_web.held.workers import _environment

    kept = _environment({"OPENAI_API_KEY": "canary", "HOME": "/nowhere"}, None)

    assert "canary" not in kept.values()
    assert kept["HOME"] == "/nowhere"


@pytest.mark.campaign
def test_web_socket_says_what_happens(serve, played):
    """Over one connection a viewer says its key and what to watch, and is sent everything once, then what changes."""
    served = serve(played)
    address = served.address.replace("http", "ws") + "/api/1/live"
    key = served.link.partition("#key=")[2]
    with connect(address, origin=Origin(served.address)) as socket_:
        socket_.send(json.dumps({"key": key}))
        socket_.send(json.dumps({"watch": ["run:boards", "run:none", "match:x"]}))
        told = [json.loads(socket_.recv(30)) for _ in range(3)]

    by_topic = {message["topic"]: message for message in told}
    assert by_topic["run:boards"]["kind"] == "reset"
    assert by_topic["run:boards"]["progress"]["state"] == "finished"
    assert by_topic["run:none"]["what"].startswith("there is no run 'none'")
    assert by_topic["match:x"]["kind"] == "notice"


@pytest.mark.slow
def test_web_socket_needs_its_origin_and_a_key(serve, played):
    """A connection from another page, or from none, is refused; one with a wrong key is closed and told why."""
    served = serve(played)
    address = served.address.replace("http", "ws") + "/api/1/live"

    for origin in (None, Origin("https://evil.example")):
        with pytest.raises(InvalidStatus), connect(address, origin=origin):
            pass
    for said in (json.dumps({"key": "wrong"}), "[]", "{", json.dumps({"watch": ["run:boards"]})):
        with connect(address, origin=Origin(served.address)) as socket_:
            socket_.send(said)
            with pytest.raises(ConnectionClosed) as closed:
                socket_.recv(30)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
            assert "is not valid any more" in closed.value.rcvd.reason


@pytest.mark.campaign
def test_plugins_that_are_disabled_stay_disabled_in_workers(serve, played):
    """A plugin that the command line disables is not imported by the processes that show matches either."""
    served = serve(played, "--disable", "game:kuhn-poker")
    row = served.ask("/run/folded/matches?limit=1")["matches"][0]

    frames = served.ask(f"/run/folded/match/{row['match']}/frames")

    assert frames["frames"] == []
    assert "kuhn-poker" in frames["problem"]["what"]
    assert "disabled" in frames["problem"]["what"]
