"""What it costs to know what random play earns, which stands beside every result: the first time, and from the cache.

    python benchmarks/references.py [--rounds 5] [--quick] [--write]

CPU seconds in which a process of its own has the references of one game found, imports and making the game not
counted; the first time with an empty cache folder, then with what is kept there. The bound of the first time is that of
Arena itself, 10 CPU seconds a game; an answer from the cache reads a file and the sources of the game's plugin. A game
that states what random play earns is not played at all: tic-tac-toe, TradeCraft's problems of the paper, and Diplomacy.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ratios.rounds import in_turns
from ratios.rows import Row, limited
from ratios.script import run

FIRST_S, AGAIN_S = 10.0, 0.1
SLACK_S = 0.5
"""The match in which the bound is reached is played to its end."""
STATED_S = 0.1
GAMES = {
    "tic-tac-toe of another size": ({"use": "mnk", "rows": 3, "columns": 4}, 2),
    "tradecraft": ({"use": "tradecraft", "problems": "minecraft-pairs", "max-turns": 20}, 2),
    "diplomacy": ({"use": "diplomacy", "players": 7, "last-year": 1908}, 7),
}
STATED = {
    "tic-tac-toe": ("tic-tac-toe", 2),
    "tradecraft": ("tradecraft", 2),
    "diplomacy": ({"use": "diplomacy", "players": 7}, 7),
}
FIND = """
import json
import sys
import time

from arena_engine import build_benchmark
from arena_engine.references.playing import references_of
from arena_engine.references.playouts import SECONDS

game, players = json.loads(sys.argv[1])
agents = {f"random-{n}": "random" for n in range(players)}
plain = {"name": "references", "games": {"game": game}, "agents": agents, "metrics": []}
games = build_benchmark(plain).games
began = time.process_time()
found = references_of(games, SECONDS)
print(time.process_time() - began, len(found.found["game"].playouts.played))
"""


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """The references of each game, the first time and again."""
    with tempfile.TemporaryDirectory() as place:
        for name in list(GAMES)[: 1 if options.quick else None]:
            yield from of_game(name, Path(place), options.rounds)
        for name in list(STATED)[: 1 if options.quick else None]:
            yield stated(name, Path(place), options.rounds)


def stated(name: str, place: Path, rounds: int) -> Row:
    """The row of a game that states what random play earns, with an empty cache."""
    found = in_turns({"stated": lambda: find(STATED[name], place / "stated")[0]}, rounds, is_warm=True)
    _, played = find(STATED[name], place / "stated")
    return limited(f"{name}, stated by the game", found["stated"], STATED_S, "CPU s", f"{played} random matches")


def find(game: object, cache: Path) -> tuple[float, int]:
    """The CPU seconds in which the references of a game are found with this cache folder, and the matches played."""
    done = subprocess.run(
        [sys.executable, "-c", FIND, json.dumps(game)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
    )
    seconds, played = done.stdout.split()
    return float(seconds), int(played)


def of_game(name: str, place: Path, rounds: int) -> Iterator[Row]:
    """Both rows of one game; each round has a cache folder of its own."""
    folders = (place / f"{name}-{n}" for n in itertools.count())
    folder, played = place, 0

    def seconds(cache: Path) -> float:
        nonlocal folder, played
        folder = cache
        spent, played = find(GAMES[name], cache)
        return spent

    found = in_turns({"first": lambda: seconds(next(folders)), "again": lambda: seconds(folder)}, rounds, is_warm=True)
    yield limited(f"{name}, the first time", found["first"], FIRST_S + SLACK_S, "CPU s", f"{played} random matches")
    yield limited(f"{name}, from the cache", found["again"], AGAIN_S, "CPU s")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure))
