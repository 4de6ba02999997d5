"""Runs played by scripted agents, the real server on a port of this machine, and Chromium to look at it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import attrs
import pytest

PICTURED = {
    "use": "pettingzoo",
    "name": "classic/tictactoe-v3",
    "hidden-information": False,
    "picture": True,
}
"""A game that is no scene but a picture, painted by an environment of others."""

TABLES = {
    "tic-tac-toe": ("tic-tac-toe", {}),
    "kuhn-poker": ("kuhn-poker", {}),
    "connect-four": ("connect-four", {}),
    "chess": ("chess", {}),
    "tradecraft": ("tradecraft", {}),
    "keys": ("tic-tac-toe", {}),
    "tabs": ("tic-tac-toe", {}),
    "draft": ("negotiation", {}),
    "refused": ("negotiation", {"checks": "none"}),
    "clock": ("tic-tac-toe", {}),
    "waiting": ("tic-tac-toe", {}),
    "stopped": ("tic-tac-toe", {}),
    "late": ("matching-pennies", {}),
    "shown": ("connect-four", {}),
    "over": ("kuhn-poker", {"reveal": "after"}),
    "pictured": (PICTURED, {}),
}
"""Runs in which a person sits: the game of each, and the settings of the seat."""

PLAYER = """
import json, sys, threading
from arena_engine import Control, run
def play(folder, plain):
    run(plain, output=f"{folder}/{plain['name']}", check=False, control=Control(is_attended=True))
for plain in json.loads(sys.argv[2]):
    threading.Thread(target=play, args=(sys.argv[1], plain)).start()
"""
"""Plays several benchmarks at once, each until its seats have been played."""

ARENA = Path(sys.executable).parent / "arena"
PICTURES = Path(__file__).parents[5] / "build" / "web"
"""Where pictures of all pages are kept, for people to look at."""

DEMO = r"""
name: demo
seed: 3
games:
  connect-four: {use: connect-four}
  kuhn-poker: {use: kuhn-poker}
agents:
  model:
    use: llm
    backend:
      use: scripted
      answers: ["I think column 4.", '{"action": "column D"}', "pass", '{"action": "column C"}', '{"action": "bet"}']
  first-legal: first-legal
  random: random
schedule: {use: round-robin, repeats: 3}
metrics: [outcomes, illegal-actions]
illegal-actions: {retries: 2, then: random}
limits: {concurrency: 1}
"""
"""A run with refusals, one match after another: which answer of the script a turn gets depends on those before."""
MANY = """
name: many
seed: 1
games: {tic-tac-toe: tic-tac-toe}
agents: {random: random, first-legal: first-legal}
schedule: {use: round-robin, repeats: 60}
metrics: [outcomes]
"""
SLOW = """
name: slow
seed: 1
games: {tic-tac-toe: tic-tac-toe}
agents:
  model: {use: llm, backend: {use: scripted, latency-s: 1.5}}
  first-legal: first-legal
schedule: {use: round-robin, repeats: 1000}
limits: {concurrency: 1}
metrics: [outcomes]
"""


@attrs.frozen
class Served:
    """A server: the link that opens it, and its address without the key."""

    link: str

    @property
    def address(self) -> str:
        return self.link.partition("/#")[0]

    @property
    def key(self) -> str:
        return self.link.partition("key=")[2]


def play(folder: Path, text: str, name: str) -> Path:
    """Play a benchmark to its end."""
    file = folder / f"{name}.yaml"
    file.write_text(text, "utf-8")
    run = folder / "runs" / name
    subprocess.run([ARENA, "run", file, "-q", "-o", run], check=True, cwd=folder, capture_output=True)
    return run


@contextmanager
def serving(folder: Path, state: Path, *options: str) -> Iterator[Served]:
    """The server of ``arena view`` on a free port, until the block is left."""
    command = [ARENA, "view", folder.name, "--port", "0", "--no-open", "--state", state, *options]
    with subprocess.Popen(
        command, cwd=folder.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            yield Served(server.stdout.readline().strip())
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs: one with refusals and substitutes, one of many matches, and one whose journal is damaged."""
    folder = tmp_path_factory.mktemp("web")
    play(folder, DEMO, "demo")
    play(folder, MANY, "many")
    damaged = shutil.copytree(folder / "runs" / "many", folder / "runs" / "damaged")
    (damaged / "journal.sqlite").write_bytes(b"SQLite format 3\0 and then nothing that one is made of" * 40)
    return folder


@pytest.fixture(scope="session")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server of these runs."""
    with serving(folder / "runs", tmp_path_factory.mktemp("state")) as server:
        yield server


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of a directory in which there is no run yet."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "runs").mkdir()
    with serving(folder / "runs", folder / "state") as server:
        yield server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Chromium; without it a test is skipped, but it fails where .ci/run has installed it.

    Playwright keeps an event loop running until it is closed, in which other tests could run none of their own.
    """
    program = shutil.which("chromium")
    if program is None:
        if os.environ.get("ARENA_NEEDS_CHROMIUM"):
            pytest.fail("the pages are to be tried in Chromium here, and there is none; apt install chromium")
        pytest.skip("needs Chromium: apt install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
        )
        yield browser
        browser.close()


@attrs.frozen
class Live:
    """A run that another process plays, and the server that shows it."""

    served: Served
    run: Path

    def ask(self, path: str, method: str = "GET") -> Any:
        """The answer of the API to a path."""
        asked = Request(f"{self.served.address}/api/1{path}", b"{}" if method == "POST" else None, method=method)
        asked.add_header("Authorization", f"Bearer {self.served.key}")
        with urlopen(asked) as found:
            return json.load(found)

    def held(self) -> str:
        """The address of a match that has begun lately and stands still, until the run goes on."""
        while True:
            self.ask("/run/slow/pause", "POST")
            for own in self.ask("/run/slow")["playing"]:
                address = f"/run/slow/match/{own['match']}"
                topic = quote(f"match:slow/{own['match']}?as=all")
                number, messages = "", [{}]
                while messages:  # an answer that is on its way comes within two seconds
                    told = self.ask(f"/live?topics={topic}&after={number}&wait=2")
                    messages, (number,) = told["messages"], told["numbers"].values()
                found = self.ask(address)
                # A match of five turns can be won already, and what has no turn left grows no more.
                if found["state"] == "playing" and len(found["turns"]) < 4:
                    return address
            self.ask("/run/slow/continue", "POST")


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A run whose agent takes its time, played while the tests look at it."""
    folder = tmp_path_factory.mktemp("live")
    (folder / "runs").mkdir()
    (folder / "slow.yaml").write_text(SLOW, "utf-8")
    command = [ARENA, "run", "slow.yaml", "-q", "-o", "runs/slow"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as player:
        try:
            with serving(folder / "runs", folder / "state") as served:
                while not (folder / "runs" / "slow" / "control.json").is_file():
                    assert player.poll() is None
                yield Live(served, folder / "runs" / "slow")
        finally:
            player.kill()


@attrs.define(eq=False)
class Visit:
    """A page in the browser, and what the browser complained of."""

    page: Any
    served: Served
    complaints: list[str] = attrs.field(factory=list)

    def to(self, path: str, until: str | None = None) -> Any:
        """Go to a page; wait until nothing is loading, or until an element is there."""
        self.page.goto(f"{self.served.address}{path}")
        self.page.locator(until or "main h1").first.wait_for()
        if until is None:
            self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until nothing is loading any more."""
        self.page.wait_for_function(
            "() => !document.querySelector('.bars, [aria-busy=true], [data-computing], .mini-empty')"
        )

    def audit(self, *rules: str) -> list[tuple[str, str]]:
        """What axe-core finds, by all its rules or by these."""
        from axe_playwright_python.sync_playwright import Axe

        options = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
        found = Axe().run(self.page, options=options).response["violations"]
        return [(each["id"], each["nodes"][0]["html"][:300]) for each in found]

    def picture(self, name: str) -> None:
        """Keep a picture of the page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=True)


@attrs.frozen
class Tables:
    """Runs in which a person sits, played by another process, and the server that shows them."""

    served: Served

    def post(self, path: str, **body: Any) -> Any:
        """What the server answers to its host."""
        from urllib.request import Request, urlopen

        headers = {"Authorization": f"Bearer {self.served.key}", "Content-Type": "application/json"}
        with urlopen(Request(f"{self.served.address}/api/1{path}", json.dumps(body).encode(), headers)) as answer:
            return json.load(answer)

    def link(self, run: str) -> str:
        """A new link to the person's seat in one of these runs, as its host makes it."""
        return self.served.address + self.post("/links", right="seat", run=run, agent="person")["link"]


def table(name: str, game: Any, seat: dict[str, Any]) -> dict[str, Any]:
    """Two matches of a game against random play; where one is to wait, against somebody who never comes."""
    other = {"use": "open-seat", "title": "Bo"} if name == "waiting" else "random"
    limits = {"limits": {"turn-seconds": 600}} if name == "clock" else {}
    return {
        "name": name,
        "seed": 3,
        "games": {game if isinstance(game, str) else name: game},
        "agents": {"person": {"use": "open-seat", "title": "Ann", **seat}, "other": other},
        "schedule": {"use": "fixed", "seatings": [["person", "other"]], "repeats": 2},
        **limits,
    }


@contextmanager
def seating(folder: Path, plain: list[dict[str, Any]], player: str = PLAYER) -> Iterator[Tables]:
    """Runs that wait for somebody to sit down, played by a program, until the block is left."""
    (folder / "runs").mkdir()
    command = [sys.executable, "-c", player, folder / "runs", json.dumps(plain)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as playing:
        try:
            with serving(folder / "runs", folder / "state") as served:
                begun = [folder / "runs" / each["name"] / "control.json" for each in plain]
                while not all(path.is_file() for path in begun):
                    assert playing.poll() is None
                yield Tables(served)
        finally:
            playing.kill()


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """The runs in which a person sits."""
    with seating(tmp_path_factory.mktemp("tables"), [table(name, *of) for name, of in TABLES.items()]) as own:
        yield own


@contextmanager
def visiting(
    chromium: Any,
    served: Served,
    *,
    is_audited: bool = False,
    is_known_missing: bool = False,
    with_key: bool = True,
    start: str | None = None,
    **settings: Any,
) -> Iterator[Visit]:
    """A visit, with the key; what the browser complains of, or a request to elsewhere, fails the test.

    ``is_known_missing`` lets it complain of answers that are errors; ``start`` is another link than the host's. For an
    audit the policy is left out, since the audit is a script that the page does not know.
    """
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, "bypass_csp": is_audited, **settings})
    context.set_default_timeout(90_000)
    visit = Visit(context.new_page(), served)
    visit.page.on("console", lambda said: visit.complaints.append(said.text))
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    visit.page.on(
        "request",
        lambda asked: (
            None if asked.url.startswith((served.address, "data:", "blob:")) else visit.complaints.append(asked.url)
        ),
    )
    try:
        visit.page.goto(start or (served.link if with_key else served.address))
        visit.page.locator("main h1").first.wait_for()
        yield visit
    finally:
        visit.page.unroute_all(behavior="ignoreErrors")
        context.close()
    known = ("Failed to load resource", "WebSocket connection to") if is_known_missing else ()
    assert [said for said in visit.complaints if not any(each in said for each in known)] == []


@pytest.fixture
def visit(chromium: Any, served: Served) -> Iterator[Visit]:
    """A visit under the policy of the server."""
    with visiting(chromium, served) as own:
        yield own


@pytest.fixture(scope="session")
def ask(served: Served) -> Callable[[str], Any]:
    """The answer of the API to a path."""

    def answer(path: str) -> Any:
        asked = Request(f"{served.address}/api/1{path}", headers={"Authorization": f"Bearer {served.key}"})
        with urlopen(asked) as found:
            return json.load(found)

    return answer


@pytest.fixture(scope="session")
def match(ask: Callable[[str], Any]) -> str:
    """The address of a match of connect four in which the model was refused."""
    found = ask("/run/demo/matches?game=connect-four&agent=model&has=refusal&limit=1")["matches"]
    return f"/run/demo/match/{found[0]['match']}"
