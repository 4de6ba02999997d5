"""The command line that all benchmarks have."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from ratios import recorded, tables
from ratios.rows import Row

ROUNDS = 5


def run(
    doc: str | None,
    measure: Callable[[argparse.Namespace], Iterable[Row]],
    *,
    dists: Sequence[str] = (),
    arguments: Callable[[argparse.ArgumentParser], object] = lambda _: None,
    has_quick: bool = True,
) -> int:
    """Measure, print one table, and say what is worse than recorded; the exit status is 1 if anything is.

    ``measure`` gets the options, among them ``rounds`` and ``quick``, and those that ``arguments`` adds. ``dists`` are
    the peers whose versions are recorded. Without ``has_quick`` nothing is measured under ``--quick``.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help=f"how often each is measured, in turns (default {ROUNDS})")
    parser.add_argument("--quick", action="store_true", help="one round of little; nothing is judged by it")
    parser.add_argument("--write", action="store_true", help="record what is found, and put it into the page")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="write what is found there, as JSON, and no table")
    arguments(parser)
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else ROUNDS)
    if options.write and (options.quick or options.rounds < ROUNDS):
        parser.error(f"--write takes at least {ROUNDS} rounds, and no --quick")
    script = Path(sys.argv[0]).stem
    rows = list(measure(options)) if has_quick or not options.quick else []
    if options.rows:
        found = {"rows": [row.to_json() for row in rows], "versions": versions(dists)}
        options.rows.write_text(json.dumps(found), "utf-8")
        return 0
    return tell({script: rows}, {script: versions(dists)}, is_judged=not options.quick, writes=options.write)


def tell(
    found: dict[str, list[Row]], of: dict[str, dict[str, str]], *, is_judged: bool = True, writes: bool = False
) -> int:
    """Print one table of all scripts, record it where that is wanted, and give the exit status."""
    records = recorded.read()
    lines = [
        line for script, rows in found.items() for line in tables.found(script, rows, records, is_judged=is_judged)
    ]
    print(tables.table(tables.HEAD, lines))
    worse = [name for script, rows in found.items() for name in tables.worse(script, rows, records)]
    if writes:
        for script, rows in found.items():
            records = recorded.keep(script, rows, f"{datetime.now(UTC):%Y-%m-%d}", of[script])
        tables.PAGE.write_text(tables.written(tables.PAGE.read_text("utf-8"), records), "utf-8")
        return 0
    if worse and is_judged:
        print("worse than recorded by more than a fifth, and outside the spread:", *worse, sep="\n  ", file=sys.stderr)
        return 1
    return 0


def versions(dists: Iterable[str]) -> dict[str, str]:
    """The versions of Python and of the peers, and the number of cores."""
    return {"Python": platform.python_version(), **{d: version(d) for d in dists}, "cores": str(os.cpu_count())}
