"""All benchmarks, one table: ratios to named peers or to limits, beside what was recorded.

    python benchmarks/bench.py [--only engine,startup] [--quick] [--write]

The same as ``make bench [ONLY=engine,startup] [QUICK=1] [WRITE=1]``. Each script of this folder runs in a process of
its own. A ratio that is more than a fifth worse than the one in ``recorded.json``, and outside the spread of the
rounds, is a failure: the row is named, and the exit status is 1. A goal that is missed is no failure, but the table
says so. ``--write`` records what is found, and puts it into ``docs/performance.md``. ``--quick`` measures one round of
little and judges nothing by it.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ratios.rows import Row
from ratios.script import tell

HERE = Path(__file__).resolve().parent
SCRIPTS = tuple(sorted(path.stem for path in HERE.glob("*.py") if path.stem != Path(__file__).stem))


def main() -> int:
    """Run the scripts one after another, and tell what they found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SCRIPTS), help="scripts by name, with commas between them")
    parser.add_argument("--quick", action="store_true", help="one round of little; nothing is judged by it")
    parser.add_argument("--write", action="store_true", help="record what is found, and put it into the page")
    options = parser.parse_args()
    if options.quick and options.write:
        parser.error("--write takes no --quick: what one round finds is not recorded")
    chosen = options.only.split(",")
    if unknown := [name for name in chosen if name not in SCRIPTS]:
        parser.error(f"no benchmark called {unknown[0]!r}; there are {', '.join(SCRIPTS)}")
    found: dict[str, list[Row]] = {}
    of: dict[str, dict[str, str]] = {}
    broken: list[str] = []
    for name in chosen:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as place:
            rows = Path(place, "rows.json")
            command = [sys.executable, HERE / f"{name}.py", "--rows", rows, *(["--quick"] if options.quick else [])]
            before = children_seconds()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
            if done.returncode:
                broken.append(name)
                continue
            raw = json.loads(rows.read_text("utf-8"))
        found[name], of[name] = [Row.from_json(row) for row in raw["rows"]], raw["versions"]
        took = f"{time.monotonic() - began:.0f} s, {children_seconds() - before:.0f} of CPU"
        rest = "" if found[name] else "; nothing is measured here"
        print(f"{name} took {took}{rest}", file=sys.stderr, flush=True)
    status = tell(found, of, is_judged=not options.quick, writes=options.write)
    if broken:
        print(f"ended with an error: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else status


def children_seconds() -> float:
    """CPU seconds of all that has been run and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
