"""What pages of a long run cost beside those of a short one: the listings behind `arena view`.

    python benchmarks/web.py [--matches 100000] [--rounds 40]

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
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import arena
import attrs
from arena.record import Ending, MatchPlan, MatchRecord
from arena_engine import Journal, MatchFilter, MatchSummary, count_matches, match_page

FEW = 100
RATIO, P95_MS = 1.5, 50.0
INDEXED = ("match", "game", "agents", "ending", "ended")
"""The orders that have a key or an index."""


def main() -> int:
    """Make both journals, measure, print one table; the exit status says whether all bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        record = played(Path(folder) / "one")
        small, large = (
            Journal.open(made(Path(folder) / str(n), record, n), check=False) for n in (FEW, options.matches)
        )
        with small, large:
            return 0 if all([*ratios(small, large, options.rounds), *times(large, options.rounds)]) else 1


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
        journal.finish_run()
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


def ratios(small: Journal, large: Journal, rounds: int) -> list[bool]:
    """Whether pages by key or index, and what the page of a run reads, take hardly longer in the long run."""
    found: list[bool] = []
    for by in INDEXED:
        middles = [middle(journal, by) for journal in (small, large)]
        for name, after in (("first", (None, None)), ("middle", middles)):
            calls = [
                lambda journal=journal, at=at, by=by: match_page(journal, by=by, after=at)
                for journal, at in zip((small, large), after, strict=True)
            ]
            found.append(compared(f"page by {by}, {name}", calls, rounds))
    found.append(compared("matches planned", [overview(each) for each in (small, large)], rounds))
    return found


def overview(journal: Journal) -> Callable[[], object]:
    """What the page of a run shows first; totals by pairing grow with the pairings, not with the matches."""
    return journal.planned


def middle(journal: Journal, by: str) -> tuple[object, str]:
    """The last match of the page before the middle of a listing."""
    column = [field.name for field in attrs.fields(MatchSummary)].index(by)
    rows = sorted((row[column], row[0]) for row in journal.summary_rows("TRUE"))
    return rows[len(rows) // 2 - 1]


def compared(name: str, calls: Sequence[Callable[[], object]], rounds: int) -> bool:
    """Print medians and their ratio; whether the ratio holds."""
    taken: list[list[float]] = [[], []]
    for _ in range(rounds):
        for own, call in zip(taken, calls, strict=True):
            own.append(timed(call))
    few, many = map(statistics.median, taken)
    show(name, f"{few:.2f} and {many:.2f} ms", f"{many / few:.2f} ×", f"≤ {RATIO} ×", is_kept=many / few <= RATIO)
    return many / few <= RATIO


def times(journal: Journal, rounds: int) -> list[bool]:
    """Whether every other order and filter answers in time."""
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
    found: list[bool] = []
    for name, call in asked.items():
        taken = sorted(timed(call) for _ in range(rounds))
        p95 = taken[int(0.95 * (len(taken) - 1))]
        show(name, f"{statistics.median(taken):.1f} ms", f"{p95:.1f} ms", f"≤ {P95_MS:g} ms", is_kept=p95 <= P95_MS)
        found.append(p95 <= P95_MS)
    return found


def timed(call: Callable[[], object]) -> float:
    """Milliseconds of processor time of one call, which waits for nothing else."""
    began = time.process_time()
    call()
    return 1e3 * (time.process_time() - began)


def show(name: str, medians: str, found: str, bound: str, *, is_kept: bool) -> None:
    """Print one line: medians, what is held against the bound, the bound, and whether it is kept."""
    print(f"{name:34} {medians:>22} {found:>10} {bound:>9} {'' if is_kept else 'MISSED'}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
