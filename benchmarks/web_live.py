"""What it costs to watch a run, and how soon a move is seen: `arena view` while something is played.

    python benchmarks/web_live.py [--rounds 5] [--viewers 200] [--part viewers|person|cost|page] [--write]

*Viewers*: a match of gomoku is played with a tenth of a second a move, and watched over the WebSocket by one viewer and
then by many, of whom one takes nothing; the time from a move's application to its receipt, at the 95th percentile over
all who take something, against that of the one. *Person*: a program sits in an open seat; how long after it sent a move
another screen has it over the WebSocket, against a screen that asks once a second. *Cost*: processor time of random
matches of tic-tac-toe with the web plugin installed and nobody watching against without it, and matches in a second
with one viewer of the run against none, in alternating rounds. *Page*: a match of chess of 300 turns in Debian's
Chromium, until it is there, and from a key that goes one turn on until the next frame that shows it. Server, runs and
viewers share this machine.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import attrs
from arena.hookspecs import hookimpl
from arena.record import Event, MatchPlan
from arena_engine import Control, build_benchmark
from arena_engine.execution.runner import create_run, play_run
from arena_web.held.match_names import match_name
from arena_web.live.live import SOCKETS
from ratios.rows import Row, limited
from ratios.script import run
from websockets.asyncio.client import ClientConnection, connect

ARENA = Path(sys.executable).with_name("arena")
SCRIPTED = {"use": "llm", "backend": {"use": "scripted", "latency-s": 0.1}}
MANY_TIMES, PER_MESSAGE_MS, PERSON_SHARE, COST, RATE = 10, 0.2, 0.1, 1.05, 0.9
TURNS, OPENED_MS, STEP_MS = 300, 500, 50
COSTED = {"games": {"game": "tic-tac-toe"}, "agents": {"one": "random", "two": "random"}, "metrics": []}


@attrs.frozen
class Server:
    """`arena view` in a process of its own."""

    process: int
    link: str

    @property
    def address(self) -> str:
        """Where it is, without the key."""
        return self.link.partition("/#")[0]

    @property
    def key(self) -> str:
        """The host's key."""
        return self.link.partition("key=")[2]

    def ask(self, path: str, body: Any = None, *, key: str | None = None) -> tuple[int, Any]:
        """The status and the answer of the API to a path."""
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.address}/api/1{path}", data, {"Authorization": f"Bearer {key or self.key}"})
        try:
            with urlopen(asked) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def reader(self) -> str:
        """A new key to look; each may hold 64 connections."""
        return self.ask("/links", {"right": "reader"})[1]["link"].partition("key=")[2]

    @property
    def cpu_s(self) -> float:
        """Seconds of processor time of the server with its workers, as Linux counts them."""
        found: dict[int, tuple[int, int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text("utf-8").rpartition(")")[2].split()
                found[int(stat.parent.name)] = int(fields[1]), int(fields[11]) + int(fields[12])

        def is_own(process: int) -> bool:
            return process == self.process or (process in found and is_own(found[process][0]))

        return sum(ticks for process, (_, ticks) in found.items() if is_own(process)) / os.sysconf("SC_CLK_TCK")

    @contextlib.asynccontextmanager
    async def watching(self, *topics: str, key: str = "") -> AsyncGenerator[ClientConnection]:
        """A viewer of some topics over a WebSocket."""
        address = f"{self.address.replace('http', 'ws', 1)}/api/1/live"
        async with connect(address, origin=self.address, max_queue=4) as socket:  # pyright: ignore[reportArgumentType]
            await socket.send(json.dumps({"key": key or self.key}))
            await socket.send(json.dumps({"watch": topics, "from": {}}))
            yield socket


@contextlib.contextmanager
def serving(folder: Path) -> Generator[Server]:
    """A server of the runs in a folder, until the block is left."""
    runs = folder / "runs"
    runs.mkdir(exist_ok=True)
    command = [ARENA, "view", runs, "--port", "0", "--no-open", "--state", folder / "state"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(process.pid, process.stdout.readline().strip())
        finally:
            process.terminate()


@attrs.define
class Clock:
    """Notes when each turn of the match was applied."""

    match: str
    applied: list[float] = attrs.field(factory=list[float])

    @hookimpl
    def actions_applied(self, plan: MatchPlan, events: Sequence[Event]) -> None:
        """Called after each step of any match."""
        turns = sum((event.source, event.kind) == ("referee", "played") for event in events)
        if plan.id == self.match:
            self.applied += [time.monotonic()] * turns


@contextlib.contextmanager
def playing(plain: dict[str, Any], directory: Path, match: str) -> Generator[Clock]:
    """Play a benchmark in another thread, and note the time of each turn of a match; over when the block is left."""
    clock = Clock(match)

    def play() -> None:
        benchmark = build_benchmark({"metrics": [], **plain})
        with create_run(benchmark, directory) as journal:
            asyncio.run(
                play_run(journal, benchmark, {"clock": clock}, lambda *_: None, control=Control(is_attended=True))
            )

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield clock
    finally:
        thread.join()


async def until_shown(server: Server, run: str, match: str) -> None:
    """Wait until a match is known to the server."""
    while (await asyncio.to_thread(server.ask, f"/run/{run}/match/{match_name(match)}"))[0] != 200:  # noqa: ASYNC110
        await asyncio.sleep(0.05)


async def seen(server: Server, topic: str, key: str, clock: Clock, delays: list[float]) -> int:
    """Watch a match to its end; adds the delay of each turn, and gives the number of messages."""
    messages = 0
    async with server.watching(topic, key=key) as socket:
        async for text in socket:
            now, message = time.monotonic(), json.loads(text)
            messages += 1
            if message["kind"] == "turn" and message["turn"] < len(clock.applied):
                delays.append(now - clock.applied[message["turn"]])
            if message["kind"] == "ended":
                return messages
    return messages


async def viewers(folder: Path, number: int) -> tuple[float, float, int]:
    """The 95th percentile of delays for so many viewers, milliseconds of the server for a message and viewer, and n."""
    name, match = f"viewers-{number}", "gomoku/one,two/0.0"
    plain = {"name": name, "seed": 3, "games": {"gomoku": "gomoku"}, "agents": {"one": SCRIPTED, "two": SCRIPTED}}
    topic = f"match:{name}/{match_name(match)}?as=all"
    delays: list[float] = []
    with serving(folder) as server, playing(plain, folder / "runs" / name, match) as clock:
        await until_shown(server, name, match)
        keys = [server.reader() for _ in range(0, number, SOCKETS["reader"])]
        before = server.cpu_s
        async with contextlib.AsyncExitStack() as frozen:
            if number > 1:
                await frozen.enter_async_context(server.watching(topic))
            messages = sum(
                await asyncio.gather(
                    *(seen(server, topic, keys[n // SOCKETS["reader"]], clock, delays) for n in range(number))
                )
            )
        cost = 1e3 * (server.cpu_s - before) / messages
    return sorted(delays)[int(0.95 * (len(delays) - 1))], cost, len(delays)


async def person(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds from sending a move until another screen has it: over the WebSocket, and by asking once a second."""
    match, chance = "gomoku/person,random/0.0", random.Random(5)
    plain = {
        "name": "person",
        "seed": 3,
        "games": {"gomoku": "gomoku"},
        "agents": {"person": {"use": "open-seat", "absent": "wait"}, "random": "random"},
        "limits": {"max-steps": 40},
        "schedule": {"use": "round-robin", "rotate-seats": False},
    }
    sent: dict[int, float] = {}
    told: dict[int, float] = {}
    polled: dict[int, float] = {}
    path = f"/run/person/match/{match_name(match)}"
    is_over = asyncio.Event()

    async def watch(server: Server) -> None:
        async with server.watching(f"match:person/{match_name(match)}?as=all") as socket:
            async for text in socket:
                message = json.loads(text)
                if message["kind"] == "turn":
                    told.setdefault(message["turn"], time.monotonic())
                if message["kind"] == "ended":
                    return

    async def poll(server: Server) -> None:
        while not is_over.is_set():
            _, found = await asyncio.to_thread(server.ask, path)
            for turn in range(found["turn_total"]):
                polled.setdefault(turn, time.monotonic())
            await asyncio.sleep(1)

    def act(server: Server) -> None:
        key, after = server.ask("/links", {"right": "seat", "run": "person"})[1]["link"].partition("#")[2], -1
        while True:
            status, asked = server.ask(f"/seat/turn?match={match_name(match)}&after={after}&wait=30", key=key)
            if status == 410:
                return
            if status != 200:
                time.sleep(0.2)
                continue
            time.sleep(1 + chance.random())
            sent[2 * len(sent)] = time.monotonic()
            body = {"action": asked["options"][chance.randrange(len(asked["options"]))]["action"]}
            server.ask(f"/seat/turn/{asked['turn']}/try/{asked['try']}?match={asked['match']}", body, key=key)
            after = asked["turn"]

    with serving(folder) as server, playing(plain, folder / "runs" / "person", match):
        await until_shown(server, "person", match)
        watched, polling = asyncio.create_task(watch(server)), asyncio.create_task(poll(server))
        await asyncio.to_thread(act, server)
        await watched
        is_over.set()
        await polling
    both = sorted(sent.keys() & told.keys() & polled.keys())
    return [told[turn] - sent[turn] for turn in both], [polled[turn] - sent[turn] for turn in both]


def costs(folder: Path, rounds: int, matches: int = 1_000) -> tuple[list[float], list[float]]:
    """Ratios of processor time with the plugin to without it, and of matches in a second with a viewer to without."""
    file = folder / "costs.yaml"
    file.write_text(json.dumps({**COSTED, "schedule": {"use": "round-robin", "repeats": matches}}), "utf-8")
    number = iter(range(10**6))

    def play(*options: str) -> tuple[float, float]:
        name = f"costs-{next(number)}"
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(
            [ARENA, "run", file, "-q", "-o", folder / "runs" / name, *options], check=True, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cpu, time.monotonic() - began

    async def watched() -> float:
        name, viewing = f"costs-{next(number)}", None
        command = [ARENA, "run", file, "-q", "-o", folder / "runs" / name]
        began = time.monotonic()
        run = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
        while not (folder / "runs" / name / "control.json").is_file():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        async with server.watching(f"run:{name}") as socket:
            viewing = asyncio.create_task(drain(socket))
            await run.wait()
            took = time.monotonic() - began
            viewing.cancel()
        return took

    play()  # the first one reads from the disk what later ones find in memory
    ratios: list[float] = []
    rates: list[float] = []
    for _ in range(rounds):
        with_plugin, plain_s = play()
        without, _ = play("--disable", "playarena-web")
        ratios.append(with_plugin / without)
        with serving(folder) as server:
            rates.append(plain_s / asyncio.run(watched()))
    return ratios, rates


STEP = """async () => {
  const took = [];
  for (let round = 0; round < 100; round++) {
    const began = performance.now();
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    const wanted = document.querySelector(".where").textContent;
    while (document.querySelector(".where").textContent === wanted) await new Promise(requestAnimationFrame);
    took.push(performance.now() - began);
  }
  return took;
}"""
"""Goes back a turn with a key, a hundred times, and gives the milliseconds that each took."""


def page(folder: Path) -> tuple[float, list[float]]:
    """Milliseconds until a match of 300 turns is shown after another was, and those of each step through it."""
    from playwright.sync_api import sync_playwright

    plain = {
        "games": {"chess": "chess"},
        "agents": {"one": "random"},
        "schedule": {"use": "self-play", "repeats": 3},
        "limits": {"max-steps": 300},
    }
    with playing(plain, folder / "runs" / "page", ""):
        pass
    with serving(folder) as server, sync_playwright() as playwright:
        rows = [each for each in server.ask("/run/page/matches")[1]["matches"] if each["turns"] == TURNS]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        shown = browser.new_page()
        shown.goto(server.link)
        shown.locator("main h1").wait_for()
        opened = 0.0
        for row in rows[:2]:  # the first starts the game's process
            began = time.monotonic()
            shown.goto(f"{server.address}/run/page/match/{row['match']}")
            shown.locator(".position .scene-piece").first.wait_for()
            opened = 1e3 * (time.monotonic() - began)
        shown.locator(".match").focus()
        took: list[float] = shown.evaluate(STEP)
        browser.close()
    return opened, took


async def drain(socket: ClientConnection) -> None:
    """Take whatever comes."""
    async for _ in socket:
        pass


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Measure the part that is asked for, or all."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if options.part in (None, "viewers"):
            (one, _, few), (many, cost, n) = (asyncio.run(viewers(folder, each)) for each in (1, options.viewers))
            note = f"p95 {1e3 * many:.0f} ms of {n:,} turns and {1e3 * one:.0f} ms of {few}"
            name = f"delay of {options.viewers} viewers × of one"
            yield Row(name=name, ratios=(many / one,), goal=MANY_TIMES, against="limit", note=note)
            yield limited("server's CPU for a message and viewer", cost, PER_MESSAGE_MS, "ms", f"{n:,} turns")
        if options.part in (None, "person"):
            told, polled = asyncio.run(person(folder))
            note = f"medians {1e3 * median(told):.0f} and {1e3 * median(polled):.0f} ms of {len(told)} moves"
            name, ratio = "a person's move on another screen × asking once a second", median(told) / median(polled)
            yield Row(name=name, ratios=(ratio,), goal=PERSON_SHARE, against="limit", note=note)
        if options.part in (None, "cost"):
            ratios, rates = costs(folder, options.rounds)
            yield Row(name="CPU of a run nobody watches × without the plugin", ratios=ratios, goal=COST)
            name = "matches in a second with a viewer × without"
            yield Row(name=name, ratios=rates, goal=RATE, is_more_better=True)
        if options.part in (None, "page"):
            opened, took = page(folder)
            yield limited(f"opening a match of {TURNS} turns", opened, OPENED_MS, "ms", "the second one")
            p95 = sorted(took)[int(0.95 * (len(took) - 1))]
            note = f"median {median(took):.0f} ms of {len(took)} steps"
            yield limited("95th percentile of one turn on", p95, STEP_MS, "ms", note)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--part", choices=("viewers", "person", "cost", "page"))


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments, has_quick=False))
