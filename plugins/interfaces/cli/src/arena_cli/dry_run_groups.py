"""Tells what the groups of a benchmark's many games take, and what a part of each group would."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final

import attrs
from arena_engine.forecast.calls import CallForecast, together
from arena_engine.forecast.forecast import GroupForecast, RunForecast
from arena_report.content.forecast_table import format_number, format_range, format_usd, pluralize

PARTS: Final = (1, 2, 5, 10, 20)
"""Of how many games of each group the cost is told."""

_NORMAL_95: Final = 1.959964


def group_lines(found: RunForecast) -> Iterator[str]:
    """A line for each group, and one for each part of so many games of every group.

    A part would find the share of games that an agent solves; how near it comes to that over all games is told for the
    worst case, in which half of each group are solved.
    """
    for group in found.groups:
        yield f"  {group.group}: {pluralize(group.games, 'game', 'games')}, {_told(group.agents)}"
    lines = [_part(found.groups, size) for size in _sizes(found.groups)]
    if lines and any(group.agents for group in found.groups):
        yield "Only a part of each group, and how near its accuracy would be to that of all games, at 95%:"
    for line in lines if any(group.agents for group in found.groups) else ():
        yield f"  {line}"


def has_groups(found: RunForecast) -> bool:
    """Whether games are grouped, so that there is more to say than of each game."""
    return len(found.groups) < len(found.games)


def error_of_part(sizes: Sequence[int], taken: int) -> float:
    """Half the width of the 95 % interval of a share over all games, if so many of each group are played.

    ``sizes`` are the numbers of games by group. For stratified sampling without replacement, by W. G. Cochran,
    Sampling Techniques, 3rd ed. (1977), chapter 5, where half of each group are solved.
    """
    whole = sum(sizes)
    variance = 0.0
    for size in sizes:
        n = min(taken, size)
        left = (size - n) / (size - 1) if size > 1 else 0.0
        variance += (size / whole) ** 2 * 0.25 / n * left
    return _NORMAL_95 * sqrt(variance)


def _sizes(groups: Sequence[GroupForecast]) -> Iterator[int]:
    largest = max((group.games for group in groups), default=0)
    return (size for size in PARTS if size < largest)


def _part(groups: Sequence[GroupForecast], taken: int) -> str:
    parts: list[CallForecast] = []
    played = 0
    for group in groups:
        own = min(taken, group.games)
        played += own
        parts += [_scaled(agent, own / group.games) for agent in group.agents]
    error = error_of_part([group.games for group in groups], taken)
    return f"{taken} of each, {pluralize(played, 'game', 'games')}: {_told(parts)}; within {100 * error:.1f} points"


def _scaled(forecast: CallForecast, factor: float) -> CallForecast:
    written, cost = forecast.completion_tokens, forecast.cost_usd
    return attrs.evolve(
        forecast,
        calls=forecast.calls.times(factor),
        prompt_tokens=forecast.prompt_tokens.times(factor),
        completion_tokens=None if written is None else written * factor,
        cost_usd=None if cost is None else cost.times(factor),
    )


def _told(forecasts: Sequence[CallForecast]) -> str:
    """Calls, tokens and money of all agents together; money is unknown where a price is."""
    if not forecasts:
        return "no model is asked"
    calls = [attrs.evolve(forecast, caller="", backend=forecasts[0].backend) for forecast in forecasts]
    (whole,) = together(calls)
    written = "no bound" if whole.completion_tokens is None else f"at most {format_number(whole.completion_tokens)}"
    cost = "price unknown" if whole.cost_usd is None else format_usd(whole.cost_usd)
    sent = f"{format_range(whole.prompt_tokens)} tokens sent"
    return f"{format_range(whole.calls)} calls, {sent}, {written} written, {cost}"
