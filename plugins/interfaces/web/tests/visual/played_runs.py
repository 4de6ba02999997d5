"""The runs and seats that the pages are looked at with: names, numbers and states such as people have."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import attrs

from ..browser.conftest import ARENA, Served, Tables, seating, serving

ROOT = Path(__file__).parents[5]
MODEL: Mapping[str, Any] = {"use": "llm", "backend": {"use": "scripted"}}

QUICKSTART: Mapping[str, Any] = {
    "name": "quickstart",
    "seed": 7,
    "games": {
        "tic-tac-toe": "tic-tac-toe",
        "kuhn-poker": "kuhn-poker",
        "connect-three": {"use": "connect-four", "rows": 4, "columns": 5, "align": 3},
    },
    "agents": {
        "smollm": {
            "use": "llm",
            "backend": {"use": "scripted", "rules": [{"when": "b2", "say": "I play in the centre."}]},
            "prompt": {"style": "brief"},
        },
        "random": "random",
        "optimal": "optimal",
    },
    "schedule": {
        "use": "by-game",
        "games": {
            "kuhn-poker": {"use": "against", "agent": "smollm", "repeats": 5},
            "tic-tac-toe": {"use": "against", "agent": "smollm", "repeats": 9, "rotate-seats": "in-turn"},
            "connect-three": {"use": "against", "agent": "smollm", "repeats": 4, "rotate-seats": "in-turn"},
        },
    },
    "illegal-actions": {"retries": 1, "then": "random"},
    "metrics": ["outcomes", "illegal-actions", "ratings"],
    "limits": {"concurrency": 1},
}
"""The benchmark of the quickstart; in place of the model, a script that answers in prose now and then."""

SWEEP: Mapping[str, Any] = {
    "name": "sweep-of-prompts-and-temperatures",
    "seed": 2,
    "games": {"tic-tac-toe": "tic-tac-toe", "connect-four": "connect-four"},
    "agents": {"llama-3.3-70b-instruct-turbo": MODEL, "random": "random"},
    "sweep": {
        "agents.llama-3.3-70b-instruct-turbo.prompt.style": ["direct", "chain-of-thought"],
        "agents.llama-3.3-70b-instruct-turbo.prompt.list-actions": [True, False],
        "agents.llama-3.3-70b-instruct-turbo.backend.temperature": [0.0, 0.7],
    },
    "schedule": {"use": "round-robin", "repeats": 1, "rotate-seats": True},
    "metrics": ["outcomes", "illegal-actions", "ratings"],
}
"""Nine agents, eight of which have names as long as sweeps make them."""

SIZES = (1, 4, 9, 27, 70)

CROWD: Mapping[str, Any] = {
    "name": "twenty",
    "seed": 3,
    "games": {"kuhn-poker": "kuhn-poker"},
    "agents": {
        f"{name}-{size}b": "random" for name in ("llama", "qwen", "gemma", "mistral") for size in (1, 4, 9, 27, 70)
    },
    "schedule": {"use": "round-robin", "repeats": 1},
    "metrics": ["outcomes", "ratings"],
}

ONE: Mapping[str, Any] = {
    "name": "one",
    "seed": 4,
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"random": "random", "first-legal": "first-legal"},
    "schedule": {"use": "fixed", "seatings": [["random", "first-legal"]]},
    "metrics": ["outcomes"],
}

FAILED: Mapping[str, Any] = {
    "name": "failed",
    "seed": 5,
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {
        "model": {
            "use": "llm",
            "backend": {"use": "scripted", "faults": [{"kind": "bad-request", "share": 0.2}], "max-attempts": 1},
        },
        "random": "random",
    },
    "schedule": {"use": "round-robin", "repeats": 4},
    "metrics": ["outcomes", "illegal-actions"],
}
"""A model whose provider answers half of the calls with an error: matches end without a result."""

LIVE: Mapping[str, Any] = {
    "name": "live",
    "seed": 1,
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted", "latency-s": 0.3}}, "first-legal": "first-legal"},
    "schedule": {"use": "round-robin", "repeats": 1000},
    "limits": {"concurrency": 1},
    "metrics": ["outcomes"],
}

RUNS = {"quickstart": QUICKSTART, "sweep": SWEEP, "crowd": CROWD, "one": ONE, "failed": FAILED, "live": LIVE}

SEATS: Mapping[str, tuple[Any, int]] = {
    "connect-four": ("connect-four", 2),
    "chess": ("chess", 2),
    "texas-holdem": ("texas-holdem", 2),
    "negotiation": ("negotiation", 2),
    "diplomacy": ("diplomacy", 7),
    "sticks": ("sticks", 2),
}
"""Games in which a person sits, with how many players; the last is the game of the README, which has no picture."""

PLAY = """
import json, sys
from arena_engine import run
for name, plain in json.loads(sys.argv[2]).items():
    run(plain, output=f"{sys.argv[1]}/{name}", check=False)
"""


def game_of_the_readme(folder: Path) -> Path:
    """A folder for ``PYTHONPATH`` in which the game of the README is installed."""
    page = (ROOT / "README.md").read_text("utf-8")
    source = re.search(r"```python\n# sticks/sticks\.py\n(.*?)```", page, re.DOTALL)
    assert source, "README.md has no game of its own"
    site = folder / "site"
    facts = site / "sticks-1.dist-info"
    facts.mkdir(parents=True)
    (site / "sticks.py").write_text(source[1], "utf-8")
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: sticks\nVersion: 1\n")
    (facts / "top_level.txt").write_text("sticks\n")
    (facts / "entry_points.txt").write_text("[arena.games]\nsticks = sticks:STICKS\n")
    return site


@attrs.frozen
class Shown:
    """Runs that were played, or are, and the server that shows them."""

    served: Served
    runs: Path

    def ask(self, path: str) -> Any:
        """The answer of the API to a path."""
        asked = Request(f"{self.served.address}/api/1{path}", headers={"Authorization": f"Bearer {self.served.key}"})
        with urlopen(asked) as found:
            return json.load(found)

    def match(self, run: str) -> str:
        """The address of a match of a run: one with an illegal answer if there is any."""
        for filtered in ("&has=refusal", ""):
            found = self.ask(f"/run/{run}/matches?limit=1{filtered}")["matches"]
            if found:
                return f"/run/{run}/match/{found[0]['match']}"
        return f"/run/{run}/match/{self.ask(f'/run/{run}')['playing'][0]['match']}"


@contextmanager
def showing(folder: Path, names: tuple[str, ...]) -> Iterator[Shown]:
    """Play these runs and serve them; one that is live is played while the block lasts."""
    runs = folder / "runs"
    runs.mkdir()
    ended = {name: RUNS[name] for name in names if name != "live"}
    subprocess.run([sys.executable, "-c", PLAY, runs, json.dumps(ended)], check=False, capture_output=True, cwd=folder)
    missing = [name for name in ended if not (runs / name / "journal.sqlite").is_file()]
    assert not missing, f"not played: {missing}"
    with ExitStack() as stack:
        if "live" in names:
            command = [sys.executable, "-c", PLAY, runs, json.dumps({"live": LIVE})]
            player = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )
            stack.callback(player.kill)
        served = stack.enter_context(serving(runs, folder / "state"))
        while "live" in names and not (runs / "live" / "control.json").is_file():
            assert player.poll() is None
        yield Shown(served, runs)


def seat(name: str) -> dict[str, Any]:
    """A match of a game in which a person sits, against random play."""
    game, players = SEATS[name]
    seating = ["person", *["random"] * (players - 1)]
    return {
        "name": name,
        "seed": 3,
        "games": {name: game},
        "agents": {"person": {"use": "open-seat", "title": "Ann"}, "random": "random"},
        "schedule": {"use": "fixed", "seatings": [seating]},
    }


@contextmanager
def seated(folder: Path) -> Iterator[Tables]:
    """The seats of all games, each in a run of its own, played until the block is left."""
    with seating(folder, [seat(name) for name in SEATS]) as tables:
        yield tables


def figures(run: Path, folder: Path) -> list[Path]:
    """The figures that ``arena report`` writes for a run."""
    subprocess.run([ARENA, "report", run, "--format", "figures", "-o", folder], check=True, capture_output=True)
    return sorted(folder.glob("*.svg"))


def report_file(run: Path, folder: Path) -> Path:
    """The report as one HTML file."""
    target = folder / f"{run.name}.html"
    subprocess.run([ARENA, "report", run, "-o", target], check=True, capture_output=True)
    return target
