"""Runs that are larger than people play: a match of 5,000 turns, a prompt of ten million characters, many runs."""

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import attrs
from arena_engine import Journal, run

TURNS = 5_000
LONG = 10_000_000
"""More characters than these has a long prompt."""

WALK = {
    "name": "long",
    "seed": 1,
    "games": {
        "walk": {
            "use": "openspiel",
            "name": "pathfinding",
            "parameters": {"horizon": TURNS, "grid": f"a{'.' * 200}A\n"},
            "without-rules": True,
        }
    },
    "agents": {"random": "random"},
    "schedule": {"use": "self-play", "repeats": 1},
    "metrics": [],
}
"""Somebody walks up and down a long way at random, and does not come to its end."""

ASKED = {
    "name": "prompt",
    "seed": 1,
    "games": {"tic-tac-toe": "tic-tac-toe"},
    "agents": {"model": {"use": "llm", "backend": "scripted"}, "first": "first-legal"},
    "schedule": {"use": "fixed", "seatings": [["model", "first"]], "repeats": 1},
    "metrics": [],
}


def long_match(folder: Path) -> Path:
    """A run with one match of 5,000 turns."""
    run(WALK, output=folder / "long", check=False)
    return folder / "long"


def long_prompt(folder: Path) -> Path:
    """A run with one match, whose first prompt is longer than ten million characters."""
    run(ASKED, output=folder / "short", check=False)
    with Journal.open(folder / "short") as source:
        (plan,), (record,) = source.plans(), source.records()
        first, *others = source.answers(plan.id)
        with Journal.create(folder / "prompt", source.header, [plan]) as made:
            for entry in (attrs.evolve(first, request=_lengthened(first.request)), *others):
                asyncio.run(made.record(entry))
            made.finish(record)
    shutil.rmtree(folder / "short")
    return folder / "prompt"


def _lengthened(request: str) -> str:
    told: Any = json.loads(request)
    told["messages"][-1]["parts"] = ["And the word was: " + "long " * (LONG // 5)]
    return json.dumps(told)


def many_runs(source: Path, folder: Path, number: int) -> Path:
    """So many runs, which are one run under several names; its files are shared."""
    for place in range(number):
        shutil.copytree(source, folder / f"run-{place:03}", copy_function=os.link)
    return folder
