"""What a match of tic-tac-toe between two ``random`` agents costs, part by part, beside a budget in microseconds.

    python benchmarks/match_parts.py [--rounds 5] [--matches 4000] [--quick] [--write]

The budget is what was thought to be the least in pure Python when matches of TextArena's bare environment took 100 to
150 µs; 80 of it are the sum of the parts. It is in CPU time of one thread, so that it is harder to meet on a slower or
busier machine; what a part takes of the whole is the same there. Each round plays
matches, a few dozen at a time, and then does each part of them again by itself:

- *plan*: making the plans of a benchmark and the journal that holds them;
- *seeding*: the random streams of two agents; *rules*: ``start``, ``to_act``, ``decision``, ``check`` and ``apply``;
- *referee*: what playing takes beside these: seats, decisions, agents, checks, events, and the record as JSON;
- *packing*: blocks of records and summaries; *rows*: what else writing them takes;
- *everything else*: what ``arena run -q`` takes of a match beside all of them: event loop, threads and memory.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from peers import own
from peers.meters import Meter
from ratios.rows import Row, limited
from ratios.script import run

T = TypeVar("T")

BUDGET = {
    "plan": 4.0,
    "rules": 18.0,
    "seeding": 8.0,
    "referee": 25.0,
    "packing": 8.0,
    "rows": 12.0,
    "everything else": 5.0,
}
GAME = "tic-tac-toe"


def plain(matches: int) -> dict[str, Any]:
    """A benchmark of so many matches."""
    return {
        "name": "random",
        "games": {"game": GAME},
        "agents": {"one": "random", "two": "random"},
        "schedule": {"use": "round-robin", "repeats": matches // 2},
    }


def timed(took: dict[str, float], part: str, work: Callable[..., T], *given: Any) -> T:
    """Do something, and add the CPU seconds of this thread to a part."""
    began = time.thread_time()
    found = work(*given)
    took[part] = took.get(part, 0.0) + time.thread_time() - began
    return found


def replay(matches: Sequence[Any]) -> None:
    """Play what was recorded by the rules alone."""
    from arena.chance import Chance
    from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe

    game = TicTacToe()
    for record in matches:
        state, _ = game.start(Chance(record.plan.chance_seed), 2)
        for played in record.played():
            (player,) = state.to_act()
            action = played.data["action"]
            state.decision(player)
            state.check(player, action)
            state.apply({player: action})
        state.returns()


def parts(matches: int) -> dict[str, float]:
    """CPU microseconds of each part of a match, but for what only a whole run has."""
    from arena_engine import build_benchmark
    from arena_engine.execution.match_runner import collecting_less
    from arena_engine.execution.runner import create_run

    took: dict[str, float] = {}
    benchmark = build_benchmark(plain(matches))
    with tempfile.TemporaryDirectory() as folder, collecting_less():
        journal = timed(took, "plan", create_run, benchmark, Path(folder, "run"))
        asyncio.run(by_batches(took, benchmark, journal))
        journal.close()
    took["referee"] -= took["rules"] + took["seeding"]
    took["rows"] -= took["packing"]
    return {part: seconds / matches * 1e6 for part, seconds in took.items()}


async def by_batches(took: dict[str, float], benchmark: Any, journal: Any) -> None:
    """Play as many matches as a run plays at once, do each part of them again, and forget them."""
    from arena.record import derive_rng
    from arena_engine import MatchRunner
    from arena_engine.execution.journaled_run import JournaledRun
    from arena_engine.execution.runner import job_for
    from arena_engine.job.bus import Bus
    from arena_engine.journal.blocks import lines_of
    from arena_engine.journal.database import FILE, open_existing
    from arena_engine.journal.packing import Packer
    from arena_engine.journal.stored_json import record_of
    from arena_engine.journal.writer import Rows

    context = JournaledRun(journal, benchmark.limits, Bus({}, lambda name, hook, error: None))
    packer = Packer({})
    plans, size = journal.plans(), benchmark.limits.concurrency
    database = open_existing(journal.directory / FILE, write=True)
    rows = Rows(database, journal.header.id, packer)

    def seed(plans: Sequence[Any]) -> None:
        for plan in plans:
            for player in range(2):
                derive_rng("agent", 0, plan.id, player)

    def pack(texts: list[bytes], summaries: bytes) -> None:
        packer.block(GAME, summaries, b"\n".join(texts), lambda number, made: None)

    def write(matches: list[Any]) -> None:
        database.execute("BEGIN IMMEDIATE")
        for match in matches:
            rows.put_match(match.text, match.summary)
        rows.store()
        database.execute("COMMIT")

    async with MatchRunner(job_for(benchmark, plans), context) as runner:
        for first in range(0, len(plans), size):
            batch = plans[first : first + size]
            await context.turn()
            began = time.thread_time()
            matches = [await runner.play_encoded(plan) for plan in batch]
            took["referee"] = took.get("referee", 0.0) + time.thread_time() - began
            records = [record_of(plan, match.text.decode()) for plan, match in zip(batch, matches, strict=True)]
            timed(took, "rules", replay, records)
            timed(took, "seeding", seed, batch)
            timed(took, "rows", write, matches)
            summaries = lines_of(match.summary for match in matches)
            timed(took, "packing", pack, [match.text for match in matches], summaries)
    database.close()


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """One row for each part, and one for the whole."""
    matches = options.matches // (10 if options.quick else 1)
    whole = own.command(GAME, matches)
    found: dict[str, list[float]] = {part: [] for part in BUDGET}
    totals: list[float] = []
    for seed in range(1, options.rounds + 1):
        meter = Meter()
        meter.add(*whole(seed))
        took = parts(matches)
        totals.append(1e6 / meter.pace)
        for part, spent in took.items():
            found[part].append(spent)
        found["everything else"].append(totals[-1] - sum(took.values()))
    for part, limit in BUDGET.items():
        yield limited(f"{part} of a match of {GAME}", found[part], limit, "µs")
    yield limited(f"a whole match of {GAME}", totals, sum(BUDGET.values()), "µs")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument(
        "--matches", type=int, default=4_000, help="matches in a round; the command plays twice so many"
    )


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
