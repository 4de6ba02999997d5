"""How fast lines on a grid are played, measured and drawn.

    python benchmarks/grid.py [--rounds 5] [--seconds 0.5] [--quick] [--write]

Three things, each as a ratio within one run, in CPU seconds of this process:

- *rules*: steps of gomoku by our rules beside OpenSpiel's ``gomoku`` and ``mnk`` in Python, in alternating slices: the
  legal actions, a uniform choice, and applying it, which refuses what is not legal; *contract* is what a referee does
  with the same rules: ``decision``, ``sample``, ``check`` and ``apply``;
- *matches*: random matches by the runner, with the journal on the disk and the metrics ``outcomes``,
  ``illegal-actions`` and ``missed-opportunities`` measured as each match ends, beside as many by the rules through the
  contract;
- *pictures*: PNGs of gomoku boards in the middle of a match per second, beside the calibration loop: compressing and
  checking a picture's worth of pixels (512 × 512 bytes) with ``zlib`` as a PNG does.
"""

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from peers.meters import Match, Meter
from peers.own import state
from ratios.rounds import in_turns
from ratios.rows import Row, over
from ratios.script import run

SPIEL = {
    "gomoku": ("gomoku", {"size": 15, "connect": 5}),
    "mnk": ("mnk", {"m": 15, "n": 15, "k": 5}),
}
GOAL_RULES = 0.5
GOAL_MATCHES = 6.0
MATCHES = {"gomoku": 100, "grid-connect-four": 600, "grid-tic-tac-toe": 2_000}
"""How many are played in a round. The goal is for gomoku; short matches cost more for what is done once for each."""


def openspiel(name: str) -> Match:
    """OpenSpiel's own rules in Python."""
    import pyspiel

    game = pyspiel.load_game(*SPIEL[name])

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        start = time.process_time()
        position, steps = game.new_initial_state(), 0
        while not position.is_terminal():
            position.apply_action(rng.choice(position.legal_actions()))
            steps += 1
        return steps, time.process_time() - start

    return play


def rules() -> Match:
    """Our own rules, without a referee's questions."""
    from arena.chance import Chance
    from arena_game_grid.game import Gomoku

    game = Gomoku()

    def play(seed: int) -> tuple[int, float]:
        rng = random.Random(seed)
        start = time.process_time()
        position, steps = game.start(Chance(seed), 2)[0], 0
        while acting := position.to_act():
            position.apply({acting[0]: rng.choice(position.legal)})
            steps += 1
        return steps, time.process_time() - start

    return play


def whole_matches(name: str, matches: int) -> tuple[int, float]:
    """Steps and CPU seconds of so many random matches, journal and metrics included."""
    from arena.catalog import Catalog
    from arena.hookspecs import hookimpl
    from arena.metric import FinishedMatch
    from arena.record import MatchRecord
    from arena_engine import build_benchmark
    from arena_engine.execution.runner import create_run, play_run

    catalog = Catalog()
    plain = {
        "name": "grid",
        "games": {"game": {"use": name}},
        "agents": {"one": {"use": "random"}, "two": {"use": "random"}},
        "schedule": {"use": "round-robin", "repeats": matches // 2},
        "metrics": ["outcomes", "illegal-actions", "missed-opportunities"],
    }

    class Watcher:
        """Measures each match as it ends."""

        def __init__(self) -> None:
            self.steps = 0

        @hookimpl
        def match_finished(self, record: MatchRecord) -> None:
            self.steps += record.steps
            for metric in benchmark.metrics.values():
                list(metric.measure(FinishedMatch(record, benchmark.games["game"].game)))

    def give_up(name: str, hook: str, error: Exception) -> None:
        sys.exit(f"{name} broke in {hook}: {error}")

    with tempfile.TemporaryDirectory() as directory:
        began = time.process_time()
        benchmark = build_benchmark(plain, catalog)
        watcher = Watcher()
        with create_run(benchmark, Path(directory) / "run") as journal:
            outcome = asyncio.run(play_run(journal, benchmark, {"watcher": watcher}, give_up))
        spent = time.process_time() - began
    if outcome.failed or outcome.finished != matches // 2 * 2:
        sys.exit(f"matches failed: {outcome.failed}")
    return watcher.steps, spent


def bare_matches(name: str, matches: int) -> tuple[int, float]:
    """The same by the rules alone."""
    play, steps, seconds = state(name), 0, 0.0
    for seed in range(matches):
        one, took, *_ = play(seed)
        steps, seconds = steps + one, seconds + took
    return steps, seconds


def per_second(work: Callable[[], object], seconds: float) -> float:
    """How often ``work`` is done in a CPU second."""
    times, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        work()
        times += 1
    return times / spent


def rate_of(play: Match, seconds: float) -> Callable[[], float]:
    """Plays for so many seconds; steps per CPU second."""
    seeds = iter(range(10**9))

    def work() -> float:
        gc.collect()
        meter = Meter()
        while meter.seconds < seconds:
            meter.add(*play(next(seeds)))
        return meter.rate

    return work


def pictures() -> tuple[Callable[[], object], Callable[[], object]]:
    """Drawing a picture, and the calibration loop."""
    from arena.chance import Chance
    from arena_game_grid.game import Gomoku

    game = Gomoku()
    position, _ = game.start(Chance(0), 2)
    rng, views = random.Random(0), []
    for _ in range(60):
        if acting := position.to_act():
            position.apply({acting[0]: position.decision(acting[0]).sample(rng)})
            views.append(position.observe(None))
    pixels = bytes(x * y % 97 % 5 for x in range(512) for y in range(512))
    return lambda: game.forms["image"](rng.choice(views)), lambda: zlib.crc32(zlib.compress(pixels, 6))


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Rules, then whole matches, then pictures."""
    seconds = 0.1 if options.quick else options.seconds
    peers = {"rules": rules(), "contract": state("gomoku"), **{name: openspiel(name) for name in SPIEL}}
    rates = in_turns({name: rate_of(play, seconds) for name, play in peers.items()}, options.rounds)
    for one, goal in (("rules", GOAL_RULES), ("contract", None)):
        for name in SPIEL:
            note = f"{median(rates[one]):,.0f} and {median(rates[name]):,.0f} steps a CPU second"
            ratios = over(rates[one], rates[name])
            yield Row(
                name=f"{one} of gomoku × OpenSpiel's {name}", ratios=ratios, goal=goal, is_more_better=True, note=note
            )
    for name, many in MATCHES.items():
        matches = many // (10 if options.quick else 1)
        goal = GOAL_MATCHES if name == "gomoku" else None
        works = {
            "whole": lambda name=name, matches=matches: whole_matches(name, matches)[1],
            "bare": lambda name=name, matches=matches: bare_matches(name, matches)[1],
        }
        found = in_turns(works, options.rounds)
        note = f"{median(found['whole']):.2f} and {median(found['bare']):.2f} s for {matches:,} matches"
        name = f"{name}, journal and metrics × the rules"
        yield Row(name=name, ratios=over(found["whole"], found["bare"]), goal=goal, note=note)
    draw, loop = pictures()
    found = in_turns(
        {"drawn": lambda: per_second(draw, seconds), "loop": lambda: per_second(loop, seconds)}, options.rounds
    )
    note = f"{median(found['drawn']):,.0f} and {median(found['loop']):,.0f} a CPU second"
    ratios = over(found["drawn"], found["loop"])
    yield Row(name="pictures × compressing as many bytes", ratios=ratios, is_more_better=True, note=note)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of each peer and round")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, dists=("open-spiel",), arguments=arguments))
