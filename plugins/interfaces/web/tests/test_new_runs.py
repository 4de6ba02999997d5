"""Runs that are started from the browser: in processes of their own, with keys that stand nowhere else."""

from __future__ import annotations

import base64
import contextlib
import io
import itertools
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import attrs
import pytest
import xllamacpp
from arena_backend_llamacpp.weights import EMBEDDED, locate
from arena_engine import Journal
from arena_testing.fixtures.model_server import ModelServer

pytestmark = pytest.mark.slow

PROGRAM = str(Path(sys.executable).with_name("arena"))

CANARY = "sk-canary-of-the-page-7c1e"
WRONG = "sk-wrong-canary-of-the-page-90d2"
NAME = "OPENAI_API_KEY"


@attrs.define
class View:
    """A server in a process of its own, and everything that it ever answered."""

    process: subprocess.Popen[str]
    link: str
    answers: list[bytes] = attrs.field(factory=list)

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.link.partition("/#")[0]

    def get(self, path: str) -> Any:
        """The answer of a route; a run that is still being prepared is asked for again, as pages do."""
        while (found := self._sent(f"/api/1{path}", None))[0] == 503:
            time.sleep(0.1)
        return found[1]

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        """The answer to a body."""
        found, answer = self._sent(f"/api/1{path}", body)
        assert found == status, answer
        return answer

    def until(self, run: str, is_there: Callable[[Any], bool]) -> Any:
        """The head of a run once something holds of it; between two looks it is waited for something to happen."""
        number = ""
        while not is_there(head := self.get(f"/run/{run}")):
            told = self.get(f"/live?topics=run:{run}&after={number}&wait=5")
            (number,) = told["numbers"].values()
        return head

    def download(self, run: str, form: str) -> bytes:
        """A file of a run."""
        with urlopen(f"{self.address}{self.post('/downloads', {'run': run, 'form': form})['path']}", timeout=60) as got:
            return got.read()

    def _sent(self, path: str, body: Any) -> tuple[int, Any]:
        request = Request(f"{self.address}{path}", None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", f"Bearer {self.link.partition('#key=')[2]}")
        try:
            with urlopen(request) as answer:  # a busy machine takes minutes to import LiteLLM
                status, content = answer.status, answer.read()
        except HTTPError as error:
            status, content = error.code, error.read()
        self.answers.append(content)
        return status, json.loads(content)


@pytest.fixture
def view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], View]]:
    """A function that starts `arena view` in a process of its own, on a machine on which nobody has an account."""
    monkeypatch.delenv(NAME, raising=False)
    (tmp_path / "runs").mkdir()
    with contextlib.ExitStack() as stack:

        def start() -> View:
            command = [PROGRAM, "view", "runs", "--port", "0", "--no-open", "--state", str(tmp_path / "state")]
            with (tmp_path / "stderr.txt").open("a") as errors:
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=tmp_path)
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
            assert process.stdout is not None
            return View(process, process.stdout.readline().strip())

        yield start


@pytest.fixture
def provider(model_server) -> ModelServer:
    """A model with a key, which answers with a cell of the board, a different one each time."""
    numbers = itertools.count()

    def answer(body: Any) -> str:
        number = next(numbers)
        return json.dumps({"row": number % 3 + 1, "column": number // 3 % 3 + 1})

    return model_server(answer, key=CANARY)


@pytest.fixture
def embedded() -> Iterator[str]:
    """The address of the embedded model behind a server that wants the key."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(locate(EMBEDDED))
    parameters.n_parallel = 2
    parameters.n_ctx = 2 * 1536
    parameters.verbosity = -1
    parameters.cpuparams.n_threads = 1  # two wait for each other by spinning
    parameters.api_keys = [CANARY]
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


def plan(address: str, queue: Sequence[Any], prompt: str = "grid-list") -> Any:
    """A model against random play over all cells, with the prompts and the limits of the paper."""
    backend = {"use": "litellm", "model": "openai/smollm2", "base-url": address, "max-tokens": 12, "seed": 1}
    backend |= {"prices": {"input": 0.1, "output": 0.2}}
    parameters = {"constrained": False, "takes": "last"}
    style = {"style": prompt, "history": "none"}
    return {
        "name": "paper",
        "seed": 5,
        "players": [
            {"kind": "model", "backend": backend, "key": NAME, "prompt": style, "parameters": parameters},
            {"kind": "agent", "use": "grid-random"},
        ],
        "queue": queue,
        "illegal_actions": "grid-games-2024",
        "concurrency": 2,
    }


def item(use: str, repeats: int, **parameters: Any) -> Any:
    """A game of both players in both seats."""
    return {"game": {"use": use, **parameters}, "players": [0, 1], "repeats": repeats, "rotate_seats": True}


def below(process: int) -> list[int]:
    """A process and all that it started."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [process, *(each for child in children for each in below(int(child)))]


def kill(*processes: int) -> None:
    """End processes at once, without a word to them."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def environment(pid: int) -> bytes:
    """The variables of a process; empty if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def players_of(run: Path) -> list[int]:
    """The processes that play a run, told by what they were started with and where.

    Runs of other tests that began within the same second are called the same.
    """
    found = []
    for pid, line in command_lines():
        with contextlib.suppress(OSError):
            if run.name.encode() in line and Path(f"/proc/{pid}/cwd").samefile(run.parents[1]):
                found.append(pid)
    return found


def command_lines() -> Iterator[tuple[int, bytes]]:
    """Every process of the machine with its arguments."""
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield int(place.name), (place / "cmdline").read_bytes()


def holds(place: Path, secret: bytes) -> list[Path]:
    """The files of a directory in which a secret stands; one that is taken away meanwhile is none."""
    found = []
    for file in place.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            if file.is_file() and secret in file.read_bytes():
                found.append(file)
    return found


@pytest.mark.campaign
def test_match_goes_on_with_its_key_after_everything_was_killed(view, provider, tmp_path):
    """A model with a key plays; run and server are killed; the key is asked for anew, and the run goes on.

    The key stands in no file, no argument, no answer. The files are those of `arena export`, and are read again.
    """
    provider.free = 30
    first = view()
    benchmark = first.post("/new/match", plan(provider.address, [item("grid-tic-tac-toe", 5)]))
    assert benchmark["problems"] == []
    first.post("/new/start", {"text": benchmark["text"]}, 409)
    first.post("/new/keys", {"name": NAME, "key": CANARY})
    tested = first.post("/new/test", {"agent": benchmark["benchmark"]["agents"]["smollm2"]})
    run = first.post("/new/start", {"text": benchmark["text"]})["run"]
    before = first.until(run, lambda head: head["done"] >= 1)
    directory = tmp_path / "runs" / run
    lines = b"".join(line for _, line in command_lines())
    kill(*players_of(directory), *below(first.process.pid))
    provider.released.set()

    second = view()
    missing = second.post(f"/run/{run}/resume", {}, 409)
    second.post("/new/keys", {"name": NAME, "key": CANARY})
    second.post(f"/run/{run}/resume", {})
    head = second.until(run, lambda head: head["state"] == "finished")
    check_files(second, run, tmp_path, results=2, matches=10)
    second.post("/new/keys/forget", {"name": NAME})
    wanted = {"/new/start": {"text": benchmark["text"]}, f"/run/{run}/extend": {"repeats": 7}}
    forgotten = [second.post(path, body, 409)["secrets"] for path, body in wanted.items()]
    environments = b"".join(environment(pid) for pid in below(second.process.pid))

    assert (tested["prompt_tokens"], tested["completion_tokens"], tested["cost_usd"] > 0) == (100, 10, True)
    assert before["done"] < 10
    assert missing["secrets"] == [NAME]
    assert (head["done"], head["planned"]) == (10, 10)
    with Journal.open(directory) as journal:
        assert all(ending.is_result for ending in journal.endings().values())
    assert forgotten == [[NAME]] * 2
    assert CANARY.encode() not in lines + environments + b"".join((*first.answers, *second.answers))
    assert holds(tmp_path, CANARY.encode()) == []
    assert (directory.with_name(f"{run}.yaml")).read_text() == benchmark["text"]


@pytest.mark.campaign
def test_model_that_sees_is_shown_a_picture_of_each_board(view, model_server, tmp_path):
    """The games of the paper in its third form: each request brings a PNG, and the files are the paper's, too."""
    shown: list[bytes] = []
    numbers = itertools.count()

    def answer(body: Any) -> str:
        parts = [
            part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
        ]
        (picture,) = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        shown.append(base64.b64decode(picture.partition("base64,")[2]))
        column, row = divmod(next(numbers), 6)
        return json.dumps({"row": row + 1, "column": column % 7 + 1})

    server = view()
    address = model_server(answer, key=CANARY).address
    queue = [item(use, 1) for use in ("grid-tic-tac-toe", "grid-connect-four", "gomoku")]
    asked = plan(address, queue, "grid-image")
    asked["players"][0]["backend"]["can"] = ["images", "seed"]
    server.post("/new/keys", {"name": NAME, "key": CANARY})

    run = server.post("/new/start", {"text": server.post("/new/match", asked)["text"]})["run"]
    head = server.until(run, lambda head: head["state"] == "finished")

    assert head["done"] == 6
    assert len(shown) >= 6
    assert all(picture.startswith(b"\x89PNG") for picture in shown)
    check_files(server, run, tmp_path, results=6, matches=6)
    assert holds(tmp_path, CANARY.encode()) == []


@pytest.mark.campaign
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("style", ["grid-list", "grid-illustration"])
def test_embedded_model_plays_each_game_of_the_paper(view, embedded, tmp_path, style):
    """Three games of each size, with every form that the model reads, end with the paper's files."""
    server = view()
    games = [item(use, 3) for use in ("grid-tic-tac-toe", "grid-connect-four", "gomoku")]
    queue = [{**game, "rotate_seats": False} for game in games]
    benchmark = server.post("/new/match", plan(embedded, queue, style))
    server.post("/new/keys", {"name": NAME, "key": CANARY})

    run = server.post("/new/start", {"text": benchmark["text"]})["run"]
    head = server.until(run, lambda head: head["state"] == "finished")

    assert head["done"] == 9
    check_files(server, run, tmp_path, results=3, matches=9)
    assert holds(tmp_path, CANARY.encode()) == []


def check_files(server: View, run: str, folder: Path, *, results: int, matches: int) -> None:
    """The downloads are what `arena export` writes, byte for byte, and `arena import` reads them."""
    whole, submission = (server.download(run, form) for form in ("export:llm-game-benchmark", "submission"))
    exported = folder / "exported"
    command = [PROGRAM, "export", folder / "runs" / run, "--format", "llm-game-benchmark", "-o", exported]
    subprocess.run(command, check=True)
    assert whole == (exported / "all.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(submission)) as archive:
        names = archive.namelist()
        assert {Path(name).suffix for name in names} == {".csv", ".json"}
        assert all(archive.read(name) == (exported / name).read_bytes() for name in names)
        archive.extractall(folder / "handed-in")
    files = sorted((folder / "handed-in").glob("*.json"))
    command = [PROGRAM, "import", "llm-game-benchmark", *files, "-o", folder / "rows.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{results} results of {matches} matches" in done.stderr


@pytest.mark.campaign
def test_model_that_cannot_be_asked_says_why_without_the_key(view, provider, tmp_path):
    """A key that is refused and a server that is not there are told in the provider's words; nothing is left behind."""
    server = view()
    server.post("/new/keys", {"name": NAME, "key": WRONG})
    queue = [item("grid-tic-tac-toe", 1)]
    refused, gone = (
        server.post("/new/match", plan(each, queue)) for each in (provider.address, "http://127.0.0.1:9/v1")
    )

    agents = [each["benchmark"]["agents"]["smollm2"] for each in (refused, gone)]
    told = [server.post("/new/test", {"agent": agent}, 409)["error"]["what"] for agent in agents]
    unreachable = server.post("/new/start", {"benchmark": gone["benchmark"]}, 409)["error"]["what"]
    estimate = server.post("/new/estimate", {"text": refused["text"]})

    assert "Incorrect API key provided" in told[0]
    assert "http://127.0.0.1:9/v1 cannot be reached" in told[1]
    assert "agents.smollm2.backend: the server at http://127.0.0.1:9/v1 takes no connection" in unreachable
    assert "--no-check" not in unreachable
    assert [*(tmp_path / "runs").iterdir()] == []
    assert estimate["matches"] == 2
    assert estimate["calls"][0] <= estimate["calls"][1] <= estimate["calls"][2]
    assert estimate["cost_usd"][2] > 0
    assert estimate["words"][0].startswith("paper: 2 matches to play, ")
    (power,) = estimate["power"]
    assert power.startswith("with this one repeat nobody can be told apart, whatever happens: 2 independent results")
    assert power in estimate["words"]
    assert not any(WRONG.encode() in answer for answer in server.answers)
    assert holds(tmp_path, WRONG.encode()) == []
