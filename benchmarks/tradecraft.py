"""How fast TradeCraft is: checks of crafts, whole matches with a journal, loading a pack that is kept in the cache.

    python benchmarks/tradecraft.py [--rounds 5] [--seconds 0.5] [--quick] [--write]

Each figure stands beside a calibration loop of the same process at the same time (additions of small fractions, which
is what the engine mostly does), so that figures of a busy and a quiet machine can be compared. *Checks* are what the
game says to a craft action on ``minecraft``: half of them are possible and half are not, among them tags in a mix,
fuel, and logs that are smelted over logs. *Matches* have fifteen turns, between two scripted traders who cannot agree,
with referee and journal on the disk; the traders remember what they found out about a problem. The solver is asked for
the shortest chain in each shipped problem of two players on ``minecraft``, once. *Loading* is from the cache, of
``minecraft`` written out as a pack of small files, and of ``alchemy`` as it is shipped. All times are CPU seconds of
this process.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from ratios.rounds import in_turns
from ratios.rows import Row, limited, over
from ratios.script import run

CHECKS_GOAL = 20_000
MATCHES_GOAL = 20
LOAD_GOAL_MS = 300
CHAIN_GOAL_MS = 1_000
TURNS = 15
LOADS = 7

GOOD: tuple[dict[str, Any], ...] = (
    {"inputs": {"oak_planks": 1, "birch_planks": 1}, "output": {"stick": 4}},
    {"inputs": {"raw_iron": 8, "coal": 1}, "output": {"iron_ingot": 8}},
    {"inputs": {"cobblestone": 1, "stick": 2}, "output": {"stone_shovel": 1}},
    {"inputs": {"sand": 3, "oak_log": 2}, "output": {"glass": 3}},
    {"inputs": {"oak_log": "5/3"}, "output": {"charcoal": 1}},
    {"inputs": {"coal": "1/4", "charcoal": "3/4", "stick": 1}, "output": {"torch": 4}},
)
HAND = ("oak_planks", "birch_planks", "raw_iron", "coal", "cobblestone", "stick", "sand", "oak_log", "charcoal")


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Rates with TradeCraft's rules in turns with the calibration loop, then single questions."""
    additions_, checks_ = additions(), craft_checks()
    found = in_turns(
        {
            "calibration": lambda: rate(additions_, options.seconds),
            "checks": lambda: rate(checks_, options.seconds),
            "matches": lambda: match_rate(options.seconds),
        },
        options.rounds,
    )
    for name, goal in (("checks", CHECKS_GOAL), ("matches", MATCHES_GOAL)):
        one = {"checks": "a check of a craft", "matches": f"a match of {TURNS} turns, with journal"}[name]
        yield limited(one, [1000 / each for each in found[name]], 1000 / goal, "ms")
        ratios = over(found[name], found["calibration"])
        yield Row(name=f"{name} × additions of fractions", ratios=ratios, is_more_better=True)
    if options.quick:
        return
    times = chain_times()
    note = f"mean {statistics.fmean(times):.0f} ms, n = {len(times)}"
    yield limited("the slowest shortest chain", max(times), CHAIN_GOAL_MS, "ms", note)
    for name, first, kept in loads():
        yield limited(f"loading {name}", kept, LOAD_GOAL_MS, "ms", f"the first time {first:.0f} ms")


def rate(steps: Iterator[int], seconds: float) -> float:
    """How many things a second of CPU time, where each step says how many it did."""
    next(steps)
    began, done = time.process_time(), 0
    while (spent := time.process_time() - began) < seconds:
        done += next(steps)
    return done / spent


def additions() -> Iterator[int]:
    """Additions of small fractions."""
    parts = [Fraction(n, d) for n in range(1, 11) for d in (1, 3, 8)]
    while True:
        total = Fraction(0)
        for part in parts:
            total += part
        yield len(parts)


def craft_checks() -> Iterator[int]:
    """Checks of craft actions by the state of a match."""
    from arena.chance import Chance
    from arena.record import Player
    from arena_game_tradecraft.game import TradeCraft
    from arena_game_tradecraft.match.problem import Problem

    game = TradeCraft(problems=(Problem((dict.fromkeys(HAND, 99),), ({"chest": 99},)),))
    state, _ = game.start(Chance(0), 1)
    bad = [{**craft, "inputs": {**craft["inputs"], "coal": "1/7"}} for craft in GOOD]
    assert all(state.check(Player(0), craft) is None for craft in GOOD)
    assert all(state.check(Player(0), craft) is not None for craft in bad)
    while True:
        for craft in (*GOOD, *bad):
            state.check(Player(0), craft)
        yield len(GOOD) + len(bad)


def match_rate(seconds: float) -> float:
    """Matches a second by the runner, with a journal."""
    from arena.catalog import Catalog
    from arena_engine import build_benchmark

    played, spent = 0, 0.0
    plain = {
        "name": "tradecraft",
        "games": {"game": {"use": "tradecraft", "problems": [contested()]}},
        "agents": {"one": "trader", "two": "trader"},
        "schedule": {"use": "round-robin", "repeats": 20, "rotate-seats": False},
        "metrics": ["outcomes"],
    }
    while spent < seconds:
        found, took = run_matches(build_benchmark(plain, Catalog()))
        spent += took
        played += len(found)
    return played / spent


def run_matches(benchmark: Any) -> tuple[list[int], float]:
    """The steps of each match, all of which have all their turns, and the seconds of CPU time it took."""
    import asyncio

    from arena_engine.execution.runner import create_run, play_run

    with tempfile.TemporaryDirectory() as directory:
        began = time.process_time()
        with create_run(benchmark, Path(directory) / "run") as journal:
            asyncio.run(play_run(journal, benchmark, {}, give_up))
            spent = time.process_time() - began
            records = list(journal.records())
    assert all(sum(event.kind == "turn" for event in record.events) == TURNS for record in records)
    return [record.steps for record in records], spent


def contested() -> dict[str, Any]:
    """Hands of the paper's experiments, with targets that need the same coal: traders propose and never agree."""
    from arena_game_tradecraft.match.problem import load_problems

    (first,) = load_problems("paper#1")
    hands = [dict(hand) for hand in first.hands]
    return {"hands": hands, "targets": [{"torch": 4}, {"torch": 4}], "max-turn": TURNS}


def give_up(name: str, hook: str, error: Exception) -> None:
    """End the benchmark: an observer failed, so what it measured would be wrong."""
    raise SystemExit(f"{name} broke in {hook}: {error}")


def chain_times() -> list[float]:
    """Milliseconds of each question for a shortest chain in the shipped problems of two players on ``minecraft``."""
    from arena_game_tradecraft.match.problem import load_problems
    from arena_game_tradecraft.rules.loading import load
    from arena_game_tradecraft.solver import shortest_chain
    from arena_game_tradecraft.solver.scope import together

    rules = load("minecraft")
    shortest_chain(rules, {"sand": 8, "coal": 1}, {"glass": 8})  # imports
    return [
        milliseconds(partial(shortest_chain, rules, together(problem.hands), target))
        for problem in load_problems("minecraft-pairs")
        for target in problem.targets
    ]


def loads() -> Iterator[tuple[str, float, float]]:
    """For each pack, milliseconds without and with what is kept; the best of several, as a start of a run sees it."""
    from arena_game_tradecraft.rules.loading import load

    with tempfile.TemporaryDirectory() as directory:
        pack = Path(directory) / "pack"
        files = write_pack(load("minecraft"), pack)
        for name, source in ((f"minecraft ({files} files)", pack), ("alchemy", "alchemy")):
            cache = Path(directory) / f"cache of {source}".replace("/", "_")
            first = milliseconds(lambda source=source, cache=cache: load(source, cache=cache))
            kept = [milliseconds(lambda source=source, cache=cache: load(source, cache=cache)) for _ in range(LOADS)]
            yield name, first, min(kept)


def write_pack(rules: Any, root: Path) -> int:
    """A rule set as a data pack of one file for each recipe and tag; says how many."""
    for folder in ("recipes", "tags/items"):
        (root / folder).mkdir(parents=True)
    for tag, members in rules.tags.items():
        values = [{"id": item, "count": str(count)} for item, count in members.items()]
        name = tag[1:].replace("|", "-or-")
        (root / "tags/items" / f"{name}.json").write_text(json.dumps({"values": values}))
    for recipe in rules.recipes:
        parts = [
            {"tag": i.name[1:].replace("|", "-or-")} if i.is_tag else {"item": i.name}
            for i in recipe.ingredients
            for _ in range(max(1, int(i.amount)))
        ]
        written = {
            "type": "crafting_shapeless",
            "ingredients": parts,
            "result": {"item": recipe.output, "count": recipe.count},
        }
        (root / "recipes" / f"{recipe.name.replace('/', '-')}.json").write_text(json.dumps(written))
    return len(rules.tags) + len(rules.recipes)


def milliseconds(act: Callable[[], object]) -> float:
    """CPU milliseconds that something takes."""
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--seconds", type=float, default=0.5, help="of CPU time for each measurement of a rate")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
