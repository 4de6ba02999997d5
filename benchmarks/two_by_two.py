"""How long the report on the 144 ordinal 2×2 games takes: tables, maps and radar, from a journal.

    python benchmarks/two_by_two.py [--repeats 4] [--write]

The suite `tmgbench-classic` is played by agents that calculate, four times each as in the paper, so that the journal
has as many answers as a run with models. Every figure is CPU seconds of this process, beside a calibration loop (bare
heat maps of 24 × 24 cells, as many as the report has, written as SVG) that another machine can be compared by.
"""

import argparse
import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ratios.rounds import own_seconds
from ratios.rows import Row
from ratios.script import run

AGENTS = "agents: {nash: {use: nash}, cautious: {use: rule-of-thumb}, random: random}\n"

GOAL = 60.0
"""Times the calibration loop that the report may take: set from the first measurement (50), to see it get worse."""


def calibrate(maps: int) -> None:
    """Draw so many maps by hand."""
    import numpy as np
    from matplotlib.figure import Figure

    for _ in range(maps):
        canvas = Figure(figsize=(16, 13.6))
        canvas.add_subplot().pcolormesh(np.eye(24), edgecolors="black")
        canvas.savefig(io.BytesIO(), format="svg")


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Play, report, compare; once, since a report takes as long as forty loops."""
    import arena
    from arena_cli.application.group import group
    from click.testing import CliRunner

    with tempfile.TemporaryDirectory() as place:
        mine, run_, page = Path(place) / "mine.yaml", Path(place) / "run", Path(place) / "report.html"
        mine.write_text(AGENTS, encoding="utf-8")
        chosen = ["run", "suite:tmgbench-classic", "--agents", str(mine), "-n", str(options.repeats), "-q"]
        done = CliRunner().invoke(group, [*chosen, "-o", str(run_)], prog_name="arena")
        if done.exit_code:
            sys.exit(done.stderr)
        whole = own_seconds(
            lambda: CliRunner().invoke(group, ["report", str(run_), "--format", "html", "-o", str(page)])
        )
        report = arena.load(run_).report()
        maps = sum(figure.kind == "heat-map" for section in report.sections for figure in section.figures)
        matches = len(arena.load(run_).matches)
        size = page.stat().st_size
    calibrate(1)
    loop = own_seconds(lambda: calibrate(maps))
    yield Row(
        name=f"HTML report of {matches:,} matches of 144 games × {maps} bare maps",
        ratios=(whole / loop,),
        goal=GOAL,
        note=f"{whole:.1f} and {loop:.1f} CPU s, {size / 1e6:.1f} MB",
    )


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--repeats", type=int, default=4, help="how often each game is asked")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments, has_quick=False))
