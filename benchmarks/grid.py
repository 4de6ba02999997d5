"""How fast lines on a grid are played, measured and drawn.

    python benchmarks/grid.py [--matches 10000] [--seconds 2] [--games gomoku,grid-connect-four,grid-tic-tac-toe]

Three things, each as a ratio within one run, in CPU seconds of this process:

- *rules*: steps of gomoku by our rules beside OpenSpiel's ``gomoku`` and ``mnk`` in Python, in alternating slices: the
  legal actions, a uniform choice, and applying it, which refuses what is not legal; *contract* is what a referee does
  with the same rules: ``decision``, ``sample``, ``check`` and ``apply``;
- *matches*: ``--matches`` random matches by the runner, with the journal on the disk and the metrics ``outcomes``,
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
from collections.abc import Callable
from pathlib import Path

from engine import Match, Meter, state

SPIEL = {
    "gomoku": ("gomoku", {"size": 15, "connect": 5}),
    "mnk": ("mnk", {"m": 15, "n": 15, "k": 5}),
}
GOAL_RULES, GOAL_MATCHES = 0.5, 6.0


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


def alternating(players: dict[str, Match], seconds: float) -> dict[str, Meter]:
    """Play all in turn until each has had its seconds."""
    meters = {name: Meter() for name in players}
    for play in players.values():
        play(0)
    seed = 0
    while min(meter.seconds for meter in meters.values()) < seconds:
        for name, play in players.items():
            gc.collect()
            end = meters[name].seconds + seconds / 5
            while meters[name].seconds < end:
                seed += 1
                meters[name].add(*play(seed))
    return meters


def whole_matches(name: str, matches: int) -> tuple[int, float]:
    """Steps and CPU seconds of so many random matches, journal and metrics included."""
    from arena.catalog import Catalog
    from arena.hookspecs import hookimpl
    from arena.metric import FinishedMatch
    from arena.record import MatchRecord
    from arena_engine import build_benchmark
    from arena_engine.running.runner import create_run, play_run

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
    work()
    times, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        work()
        times += 1
    return times / spent


def pictures(seconds: float) -> tuple[float, float]:
    """Pictures and rounds of the calibration loop per CPU second."""
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
    drawn = per_second(lambda: game.forms["image"](rng.choice(views)), seconds)
    return drawn, per_second(lambda: zlib.crc32(zlib.compress(pixels, 6)), seconds)


def main() -> int:
    """Measure, print tables, and say which goals are met; the exit status is 1 if one is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of each peer")
    parser.add_argument("--games", default="gomoku,grid-connect-four,grid-tic-tac-toe")
    options = parser.parse_args()
    missed = 0
    peers = {"rules": rules(), "contract": state("gomoku"), **{f"openspiel {name}": openspiel(name) for name in SPIEL}}
    rates = {name: meter.rate for name, meter in alternating(peers, options.seconds).items()}
    print("Steps of gomoku per CPU second\n\n| " + " | ".join(rates) + " |\n" + "|---" * len(rates) + "|")
    print("| " + " | ".join(f"{rate:,.0f}" for rate in rates.values()) + " |\n")
    for name in SPIEL:
        ratio, contract = (rates[own] / rates[f"openspiel {name}"] for own in ("rules", "contract"))
        missed += ratio < GOAL_RULES
        verdict = "met" if ratio >= GOAL_RULES else "MISSED"
        print(f"{verdict}: rules {ratio:.2f} x OpenSpiel's {name} (contract {contract:.2f} x), goal {GOAL_RULES}")
    print(f"\n{options.matches:,} random matches, CPU seconds\n")
    print("| game | actions | bare rules | journal and metrics | ratio |\n|---|---|---|---|---|")
    total = [0.0, 0.0]
    for name in options.games.split(","):
        steps, whole = whole_matches(name, options.matches)
        _, bare = bare_matches(name, options.matches)
        total = [total[0] + bare, total[1] + whole]
        print(f"| {name} | {steps:,} | {bare:.1f} | {whole:.1f} | {whole / bare:.1f} |", flush=True)
        if name == "gomoku":
            missed += whole / bare > GOAL_MATCHES
            verdict = "met" if whole / bare <= GOAL_MATCHES else "MISSED"
    print(f"| all | | {total[0]:.1f} | {total[1]:.1f} | {total[1] / total[0]:.1f} |")
    if "gomoku" in options.games.split(","):
        print(f"\n{verdict}: gomoku with journal and metrics, goal at most {GOAL_MATCHES:g} x the bare rules")
    drawn, calibration = pictures(options.seconds)
    print(f"\n{drawn:,.0f} pictures per CPU second, {drawn / calibration:.2f} x the calibration's {calibration:,.0f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
