"""What it costs to list all plugins, beside importing the libraries that find them.

    python benchmarks/startup.py [--runs 15]

CPU seconds (user and system) of whole processes, taken in turns; the ratio is that of the medians. The peer is
``python -c "import attrs, pluggy, stevedore"``.
"""

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path

GOAL = 2.5
PEER = [sys.executable, "-c", "import attrs, pluggy, stevedore"]
LISTING = [str(Path(sys.executable).with_name("arena")), "list-plugins"]


def cpu_seconds(command: list[str]) -> float:
    """CPU seconds of one run of a command and all it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure and print; the exit status is 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    for command in (PEER, LISTING):
        cpu_seconds(command)
    pairs = [(cpu_seconds(PEER), cpu_seconds(LISTING)) for _ in range(options.runs)]
    peer, listing = (statistics.median(column) for column in zip(*pairs, strict=True))
    lines = subprocess.run(LISTING, check=True, capture_output=True, text=True).stdout.count("\n") - 1
    verdict = "met" if listing / peer <= GOAL else "MISSED"
    print(
        f"import attrs, pluggy, stevedore: {1_000 * peer:.0f} ms of CPU; arena list-plugins: {1_000 * listing:.0f} ms"
    )
    print(f"{verdict}: listing {lines} plugins takes {listing / peer:.2f} x the imports, goal {GOAL:g}")
    return 0 if listing / peer <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
