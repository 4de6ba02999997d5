"""What a start costs, beside importing the libraries that find plugins; and with 300 plugins more, and without a guard.

    python benchmarks/startup.py [--rounds 5] [--quick] [--write]

CPU seconds (user and system) of whole processes, taken in turns, each the mean of three. The peer is
``python -c "import attrs, pluggy, stevedore"``. *run -q* plays two matches of tic-tac-toe between ``random`` agents,
with journal and two metrics. The 300 games are those of a distribution that is installed for the time of the
measurement and offers them by one hook. The guard is the process that holds a command; ``--version`` is run with and
without it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import fmean, median

from arena_testing.fixtures.distributions import Installed
from ratios.rounds import ARENA, in_turns, program
from ratios.rows import Row, over
from ratios.script import run

GOALS = {"run -q": 4.5, "list-plugins": 2.5, "--help": 1.7}
GOAL_OFFERED = 1.2
GOAL_GUARDED = 1.25
PEER = [sys.executable, "-c", "import attrs, pluggy, stevedore"]
LISTING = [ARENA, "list-plugins"]
BARE = [sys.executable, "-c", "from arena_cli.application.group import group; group(prog_name='arena')", "--version"]
GUARDED = [sys.executable, "-c", "from arena_cli import main; main()", "--version"]
MANY = 300
OFFER = f"""
from arena.hookspecs import hookimpl
from arena.plugin import Plugin, Requirement

NEEDS = (Requirement("pyspiel", "pip install open-spiel"),)


@hookimpl
def arena_games():
    return {{
        f"heap-{{n}}": Plugin(factory="acme_many.nim:Nim", summary=f"heap {{n}}", requirements=NEEDS)
        for n in range({MANY})
    }}
"""
TWO = """
games: {game: tic-tac-toe}
agents: {one: random, two: random}
metrics: [outcomes, illegal-actions]
"""


def listed(environment: Mapping[str, str]) -> int:
    """How many plugins the listing has."""
    done = subprocess.run([*LISTING, "--json"], check=True, capture_output=True, text=True, env=environment)
    return len(json.loads(done.stdout))


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Starts of every kind, in turns."""
    with tempfile.TemporaryDirectory() as place:
        file, numbers = Path(place, "two.yaml"), iter(range(10**6))
        file.write_text(TWO, "utf-8")
        site = Installed(Path(place, "site"))
        site.add("acme-many", {"arena.plugins": {"many": "acme_many"}}, {"acme_many.py": OFFER})
        more = {**os.environ, "PYTHONPATH": str(Path(place, "site"))}
        offered = listed(more) - listed(os.environ)
        assert offered == MANY, f"{offered} of {MANY} games are listed"

        def play() -> list[str]:
            return [ARENA, "run", str(file), "-q", "-o", str(Path(place, f"run-{next(numbers)}"))]

        def started(command: Callable[[], list[str]], environment: Mapping[str, str] | None = None) -> float:
            return fmean(program(command(), environment) for _ in range(1 if options.quick else 3))

        found = in_turns(
            {
                "imports": lambda: started(lambda: PEER),
                "run -q": lambda: started(play),
                "list-plugins": lambda: started(lambda: LISTING),
                "--help": lambda: started(lambda: [ARENA, "--help"]),
                "more": lambda: started(lambda: LISTING, more),
                "bare": lambda: started(lambda: BARE),
                "guarded": lambda: started(lambda: GUARDED),
            },
            options.rounds,
            is_warm=options.quick,
        )

    def compared(name: str, one: str, other: str, goal: float) -> Row:
        note = f"{1_000 * median(found[one]):.0f} and {1_000 * median(found[other]):.0f} ms"
        return Row(name=name, ratios=over(found[one], found[other]), goal=goal, note=note)

    for name, goal in GOALS.items():
        yield compared(f"arena {name} × importing attrs, pluggy, stevedore", name, "imports", goal)
    yield compared(f"list-plugins with {MANY} games more × without", "more", "list-plugins", GOAL_OFFERED)
    yield compared("arena --version × without the guard", "guarded", "bare", GOAL_GUARDED)


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, dists=("attrs", "pluggy", "stevedore")))
