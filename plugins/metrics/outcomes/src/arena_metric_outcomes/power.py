"""The command ``arena power``, which says how many matches are needed."""

import sys
from pathlib import Path
from typing import Final

import click
from arena_cli import Command, RunPath
from arena_cli.output import result, result_json, terminal_of

from arena_metric_outcomes import sample_size
from arena_metric_outcomes.power_lines import (
    compared_lines,
    compared_to_json,
    needed_lines,
    needed_to_json,
    size_lines,
    sizes_to_json,
)
from arena_metric_outcomes.sample_size import PowerRequest

POWER: Final = 0.8
"""The chance to find a difference, unless another is asked for."""

_SHARE = click.FloatRange(0, 1)
_INSIDE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(cls=Command)
@click.argument("run", required=False, type=RunPath())
@click.option("--difference", type=float, metavar="D", help="The difference of mean returns that is to be found.")
@click.option("--deviation", type=click.FloatRange(0, min_open=True), metavar="S", help="Its spread; see below.")
@click.option("--score", "scores", type=_SHARE, multiple=True, metavar="S", help="An expected score; once or twice.")
@click.option("--draws", type=_SHARE, default=0.0, show_default=True, help="The share of drawn matches, with --score.")
@click.option("--unpaired", is_flag=True, help="The agents share no matches and no deals, with --difference.")
@click.option("--block", type=click.IntRange(1), default=1, show_default=True, help="Matches of one rotation block.")
@click.option("--game", "games", multiple=True, metavar="NAME", help="Only this game of the run; may be repeated.")
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="Only pairs with this agent; may be repeated.")
@click.option("--level", type=_INSIDE, default=0.95, show_default=True, help="One less the chance of a false alarm.")
@click.option("--power", "wanted", type=_INSIDE, help="The chance to find it (0.8); not with a RUN alone.")
@click.option("--full", is_flag=True, help="Every pair, however many.")
@click.option("--json", "is_json", is_flag=True, help="One object with all numbers.")
def power(
    run: Path | None,
    difference: float | None,
    deviation: float | None,
    scores: tuple[float, ...],
    draws: float,
    unpaired: bool,
    block: int,
    games: tuple[str, ...],
    agents: tuple[str, ...],
    level: float,
    wanted: float | None,
    full: bool,
    is_json: bool,
) -> None:
    """Say how many matches it takes to tell two agents apart.

    From a RUN: how many more might tell each pair of agents apart, if the lead is what it looks like; a report says
    the same. With --difference, how many find that difference of mean returns with the variance seen.

    From an effect: --difference 0.2 --deviation 0.9, where the deviation is that of differences between rotation
    blocks (--block says how many matches one has), or, with --unpaired, of each agent's own returns.

    From scores (1 won, 0.5 drawn, 0 lost): --score 0.55 --draws 0.2 for two agents that play each other;
    --score 0.6 --score 0.5 for two that play others.

    Except for a RUN alone, the tests are Student's, paired or of two samples, and exact for normal differences.
    """
    test = PowerRequest(level=level, power=POWER if wanted is None else wanted)
    terminal = terminal_of(sys.stdout)
    try:
        if run is not None:
            _check_alone(deviation is not None or bool(scores) or unpaired)
            if difference is not None:
                needed = sample_size.of_difference(run, difference, test, games=games, agents=agents)
                if is_json:
                    result_json(needed_to_json(needed, test, difference))
                else:
                    result(needed_lines(needed, test, difference, terminal, is_full=full))
                return
            if wanted is not None:
                raise click.UsageError("--power goes with --difference, --score or --deviation, not with a RUN alone")
            compared = sample_size.of_standings(run, level, games=games, agents=agents)
            if is_json:
                result_json(compared_to_json(compared, level))
            else:
                result(compared_lines(compared, level, terminal, is_full=full))
            return
        if scores:
            _check_alone(difference is not None or deviation is not None or unpaired)
            table = sample_size.of_scores(scores, draws, block, test)
        elif difference is not None and deviation is not None:
            table = sample_size.of_effect(difference, deviation, block, test, are_paired=not unpaired)
        else:
            raise click.UsageError("expected a RUN, --difference with --deviation, or --score")
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if is_json:
        result_json(sizes_to_json(table, test))
    else:
        result(size_lines(table, test, terminal))


def _check_alone(others: bool) -> None:
    if others:
        raise click.UsageError("say what is expected in one way: by a RUN, --difference with --deviation, or --score")
