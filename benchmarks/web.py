"""What pages of a long run cost beside those of a short one: the listings behind `arena view`.

    python benchmarks/web.py [--matches 100000] [--calls 40] [--quick] [--write]

Two journals are made of copies of one random match of tic-tac-toe, one with 100 matches and one with many, and pages of
50 are read from both in turns: by id, by an indexed column (from the first page and from the middle), and by every
other offered order and filter. The ratios are those of medians in one process; the bounds are 1.5 for what has a key or
an index, and 50 ms at the 95th percentile for everything else.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import arena
import attrs
from arena.record import Ending, MatchPlan, MatchRecord
from arena_engine import Journal, MatchFilter, MatchSummary, count_matches, match_page
from ratios.rows import Row, limited
from ratios.script import run

FEW = 100
RATIO, P95_MS = 1.5, 50.0
INDEXED = ("match", "game", "agents", "ending", "ended")
"""The orders that have a key or an index."""


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Make both journals, and read pages from both."""
    many, calls = (10_000, 5) if options.quick else (options.matches, options.calls)
    with tempfile.TemporaryDirectory() as folder:
        record = played(Path(folder) / "one")
        small, large = (Journal.open(made(Path(folder) / str(n), record, n), check=False) for n in (FEW, many))
        with small, large:
            by_key = list(ratios(small, large, calls))
            slowest = max(by_key, key=lambda row: row.ratio)
            name = f"the slowest of {len(by_key)} pages by key or index, {many:,} matches × {FEW}"
            yield attrs.evolve(slowest, name=name, note=f"{slowest.name}: {slowest.note}")
            yield times(large, calls)


def played(directory: Path) -> MatchRecord:
    """One random match of tic-tac-toe."""
    plain = {"games": {"game": "tic-tac-toe"}, "agents": {"one": "random", "two": "random"}, "metrics": []}
    return arena.run(plain, output=directory).matches[0]


def made(directory: Path, record: MatchRecord, matches: int) -> Path:
    """A journal with so many copies of a match, of several games, agents and endings."""
    plans = [plan_of(number) for number in range(matches)]
    with Journal.open(directory.parent / "one") as source:
        header = source.header
    endings = (Ending.RULES, Ending.RULES, Ending.FORFEIT_ILLEGAL, Ending.TURN_LIMIT)
    began = datetime.now(UTC)
    with Journal.create(directory, header, plans) as journal:
        for number, plan in enumerate(plans):
            copy = attrs.evolve(record, plan=plan, ending=endings[number % 4])
            journal.finish(copy, began - timedelta(seconds=number % 977))
    return directory


def plan_of(number: int) -> MatchPlan:
    """The plan of one match, with an id like those of a run."""
    game, agents = f"game-{number % 5}", (f"agent-{number % 7}", f"agent-{number % 11 + 7}")
    return MatchPlan(
        id=f"{game}/{','.join(agents)}/{number}.0",
        game=game,
        agents=agents,
        pairing=",".join(agents),
        repeat=number,
        rotation=0,
        chance_seed=number,
    )


def ratios(small: Journal, large: Journal, rounds: int) -> Iterator[Row]:
    """Pages by key or index, and what the page of a run reads, of the long run beside the short one."""
    for by in INDEXED:
        middles = [middle(journal, by) for journal in (small, large)]
        for name, after in (("first", (None, None)), ("middle", middles)):
            calls = [
                lambda journal=journal, at=at, by=by: match_page(journal, by=by, after=at)
                for journal, at in zip((small, large), after, strict=True)
            ]
            yield compared(f"page by {by}, {name}", calls, rounds)
    yield compared("matches planned", [overview(each) for each in (small, large)], rounds)


def overview(journal: Journal) -> Callable[[], object]:
    """What the page of a run shows first; totals by pairing grow with the pairings, not with the matches."""
    return journal.planned


def middle(journal: Journal, by: str) -> tuple[object, str]:
    """The last match of the page before the middle of a listing."""
    column = [field.name for field in attrs.fields(MatchSummary)].index(by)
    rows = sorted((row[column], row[0]) for row in journal.summary_rows())
    return rows[len(rows) // 2 - 1]


def compared(name: str, calls: Sequence[Callable[[], object]], rounds: int) -> Row:
    """The ratio of the medians."""
    taken: list[list[float]] = [[], []]
    for _ in range(rounds):
        for own, call in zip(taken, calls, strict=True):
            own.append(timed(call))
    few, many = map(statistics.median, taken)
    note = f"{few:.2f} and {many:.2f} ms"
    return Row(name=name, ratios=(many / few,), goal=RATIO, note=note)


def times(journal: Journal, rounds: int) -> Row:
    """The slowest of every other order and filter."""
    others = [field.name for field in attrs.fields(MatchSummary) if field.name not in INDEXED]
    asked: dict[str, Callable[[], object]] = {
        f"page by {by}": lambda by=by: match_page(journal, by=by, is_descending=True) for by in others
    }
    for name, wanted in {
        "agent": MatchFilter(agents=("agent-3",)),
        "refusals": MatchFilter(has_refusals=True),
        "forfeits, by turns": MatchFilter(is_forfeited=True),
        "winner": MatchFilter(winner=0),
    }.items():
        asked[f"filter: {name}"] = lambda wanted=wanted: match_page(journal, wanted, by="turns")
    asked["count up to 10,000"] = lambda: count_matches(journal, MatchFilter(winner=0))
    found: dict[str, float] = {}
    for name, call in asked.items():
        taken = sorted(timed(call) for _ in range(rounds))
        found[name] = taken[int(0.95 * (len(taken) - 1))]
    slowest = max(found, key=found.__getitem__)
    name = f"95th percentile of the slowest of {len(found)} other orders and filters"
    return limited(name, found[slowest], P95_MS, "CPU ms", slowest)


def timed(call: Callable[[], object]) -> float:
    """Milliseconds of processor time of one call, which waits for nothing else."""
    began = time.process_time()
    call()
    return 1e3 * (time.process_time() - began)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=40, help="how often each page is read")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
