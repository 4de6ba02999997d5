"""How long the report on the 144 ordinal 2×2 games takes: tables, maps and radar, from a journal.

    python benchmarks/two_by_two.py [--repeats 4]

The suite `tmgbench-classic` is played by agents that calculate, four times each as in the paper, so that the journal
has as many answers as a run with models. Every figure is CPU seconds of this process, beside a calibration loop (bare
heat maps of 24 × 24 cells, as many as the report has, written as SVG) that another machine can be compared by.
"""

import argparse
import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

AGENTS = "agents: {nash: {use: nash}, cautious: {use: rule-of-thumb}, random: random}\n"

GOAL = 60.0
"""Times the calibration loop that the report may take: set from the first measurement (50), to see it get worse."""


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def calibrate(maps: int) -> None:
    """Draw so many maps by hand."""
    import numpy as np
    from matplotlib.figure import Figure

    for _ in range(maps):
        canvas = Figure(figsize=(16, 13.6))
        canvas.add_subplot().pcolormesh(np.eye(24), edgecolors="black")
        canvas.savefig(io.BytesIO(), format="svg")


def main() -> int:
    """Play, report, compare; the exit status is 1 if the goal is missed."""
    import arena
    from arena_cli.application import group
    from click.testing import CliRunner

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=4, help="how often each game is asked")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        mine, run, page = Path(place) / "mine.yaml", Path(place) / "run", Path(place) / "report.html"
        mine.write_text(AGENTS, encoding="utf-8")
        chosen = ["run", "suite:tmgbench-classic", "--agents", str(mine), "-n", str(options.repeats), "-q"]
        done = CliRunner().invoke(group, [*chosen, "-o", str(run)], prog_name="arena")
        if done.exit_code:
            sys.exit(done.stderr)
        build = timed(lambda: arena.load(run).report())
        whole = timed(lambda: CliRunner().invoke(group, ["report", str(run), "--format", "html", "-o", str(page)]))
        report = arena.load(run).report()
        maps = sum(figure.kind == "heat-map" for section in report.sections for figure in section.figures)
        matches = len(arena.load(run).matches)
        size = page.stat().st_size
    calibrate(1)
    loop = timed(lambda: calibrate(maps))
    print(
        f"{matches} matches; tables and figures as data {build:.1f} s; the HTML file {whole:.1f} s, {size / 1e6:.1f} MB"
    )
    print(f"calibration loop, {maps} maps: {loop:.1f} s")
    print(f"{'met' if whole <= GOAL * loop else 'MISSED'}: report {whole / loop:.1f} x the loop, goal {GOAL:g}")
    return int(whole > GOAL * loop)


if __name__ == "__main__":
    sys.exit(main())
