"""What it costs to list all plugins, beside importing the libraries that find them, and with 300 more by one hook.

Also what ``arena --help`` and ``arena run -q`` of two matches of tic-tac-toe cost beside the same imports, and what the
process costs that guards a command, beside the same command without one.

    python benchmarks/startup.py [--runs 15]

CPU seconds (user and system) of whole processes, taken in turns; each ratio is that of the medians. The peer is
``python -c "import attrs, pluggy, stevedore"``. The 300 games are those of a distribution that is installed for the
time of the measurement and offers them by one hook.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from arena_testing.distributions import Installed

GOAL = 2.5
GOAL_OFFERED = 1.2
GOAL_GUARDED = 1.25
GOAL_HELP = 1.7
GOAL_RUN = 4.5
PEER = [sys.executable, "-c", "import attrs, pluggy, stevedore"]
LISTING = [str(Path(sys.executable).with_name("arena")), "list-plugins"]
HELP = [LISTING[0], "--help"]
PLAYING = [LISTING[0], "run", "--game", "tic-tac-toe", "--agent", "random", "-n", "2", "-q", "--output"]
BARE = [sys.executable, "-c", "from arena_cli.application import group; group(prog_name='arena')", "--version"]
GUARDED = [sys.executable, "-c", "from arena_cli import main; main()", "--version"]
MANY = 300
OFFER = f"""
from arena.hookspecs import hookimpl
from arena.plugin import Plugin, Requirement

NEEDS = (Requirement("pyspiel", "pip install open-spiel"),)


@hookimpl
def arena_games():
    return {{
        f"heap-{{n}}": Plugin(api=2, factory="acme_many.nim:Nim", summary=f"heap {{n}}", requirements=NEEDS)
        for n in range({MANY})
    }}
"""


def cpu_seconds(command: list[str], environment: Mapping[str, str] | None = None) -> float:
    """CPU seconds of one run of a command and all it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def started(rounds: int) -> list[tuple[float, ...]]:
    """CPU seconds of the imports, of the help and of a short run in turns; the game's references are kept already."""
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "XDG_CACHE_HOME": place}
        cpu_seconds([*PLAYING, f"{place}/first"], environment)
        return [
            (cpu_seconds(PEER), cpu_seconds(HELP), cpu_seconds([*PLAYING, f"{place}/{number}"], environment))
            for number in range(rounds)
        ]


def listed(environment: Mapping[str, str] | None = None) -> int:
    """How many plugins the listing has."""
    done = subprocess.run([*LISTING, "--json"], check=True, capture_output=True, text=True, env=environment)
    return len(json.loads(done.stdout))


def verdict(ratio: float, goal: float, what: str) -> bool:
    """Say whether a ratio is within its goal."""
    print(f"{'met' if ratio <= goal else 'MISSED'}: {what} takes {ratio:.2f} x, goal {goal:g}")
    return ratio <= goal


def main() -> int:
    """Measure and print; the exit status is 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        site = Installed(Path(place))
        site.add("acme-many", {"arena.plugins": {"many": "acme_many"}}, {"acme_many.py": OFFER})
        more = {**os.environ, "PYTHONPATH": place}
        for command in (PEER, LISTING):
            cpu_seconds(command, more)
        rounds = [(cpu_seconds(PEER), cpu_seconds(LISTING), cpu_seconds(LISTING, more)) for _ in range(options.runs)]
        count, offered = listed(), listed(more)
    starts = [(cpu_seconds(BARE), cpu_seconds(GUARDED)) for _ in range(options.runs)]
    bare, guarded = (statistics.median(column) for column in zip(*starts, strict=True))
    peer, listing, with_more = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(
        f"import attrs, pluggy, stevedore: {1_000 * peer:.0f} ms of CPU; arena list-plugins: {1_000 * listing:.0f} ms; "
        f"with {offered - count} games offered by one hook: {1_000 * with_more:.0f} ms"
    )
    is_light = verdict(listing / peer, GOAL, f"listing {count} plugins, beside the imports,")
    is_cheap = verdict(with_more / listing, GOAL_OFFERED, f"listing {offered} plugins, beside listing {count},")
    short = started(options.runs)
    helped, ran = (statistics.median(each[i] / each[0] for each in short) for i in (1, 2))
    is_short = verdict(helped, GOAL_HELP, "arena --help, beside the imports,")
    is_quick = verdict(ran, GOAL_RUN, "arena run -q of two matches, beside the imports,")
    print(f"arena --version: {1_000 * bare:.0f} ms of CPU; under the guard: {1_000 * guarded:.0f} ms")
    is_guarded = verdict(guarded / bare, GOAL_GUARDED, "a start under the guard, beside one without,")
    return 0 if is_light and is_cheap and is_short and is_quick and is_guarded else 1


if __name__ == "__main__":
    sys.exit(main())
