"""Says in words what asking an agent in a recorded turn, or playing on from it, is expected to take."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from arena.catalog import Catalog
from arena.record import MatchHistory
from arena_engine import Benchmark, Journal, cost_of_asking
from arena_engine.execution import branch
from arena_engine.forecast import RECORDED, PlayingOn, playing_on
from arena_report.content import format_number, format_range, format_usd, pluralize

from arena_cli.forecast.dry_run import caller_words

_FREE: Final = "No model is asked: nothing is paid."


def playing_on_words(
    journal: Journal,
    record: MatchHistory,
    number: int,
    names: Sequence[str],
    catalog: Catalog,
    left_out: Collection[str] = frozenset(),
) -> tuple[str, ...]:
    """What ``arena replay --branch`` is expected to take until the match is over, in sentences; no model is asked.

    ``number`` is the turn, counted from 1. ``names`` are agents, plugins or models: one, for the player whose turn it
    is, or one for every player; ``left_out`` are ids of matches whose length whoever asks may not know. ``ConfigError``
    where they cannot play on.
    """
    made, plan = branch(journal, record, number, names, catalog)
    callers = (*(entry.agent for entry in made.agents.values()), *made.metrics.values())
    if not any(caller.backends() for caller in callers):
        return (_FREE,)
    return tuple(_sentences(number, asyncio.run(playing_on(journal, made, plan, left_out))))


def asking_words(benchmark: Benchmark, record: MatchHistory, number: int, name: str) -> tuple[str, ...]:
    """What ``arena replay --ask`` takes at most, in sentences; no model is asked."""
    cost = asyncio.run(cost_of_asking(benchmark, record, number, benchmark.agents[name].agent))
    if not cost.calls:
        return (_FREE,)
    most = "its price is not known" if cost.cost_usd is None else f"at most ${cost.cost_usd:.4g}"
    tries = f", up to {cost.tries} tries where an answer is refused" if cost.tries > 1 else ""
    return (
        f"One try has {pluralize(cost.calls, 'call')}, at most {format_number(cost.prompt_tokens)} tokens read and "
        f"{format_number(cost.completion_tokens)} written: {most}{tries}.",
    )


def _sentences(number: int, found: PlayingOn) -> Iterator[str]:
    known = "ended matches of this run with this game and lineup that lasted longer"
    of = known if found.is_recorded else f"random continuations (there are fewer than {RECORDED} {known})"
    yield (
        f"From turn {number} to the end there are {format_range(found.turns)} turns of all players: "
        f"the mean, the fewest and the most of n={found.n:,} {of}."
    )
    for caller in found.callers:
        yield f"{caller.caller}: {caller_words(caller)}."
    for name in found.unseen:
        yield f"{name}: was asked nothing in any continuation, so what it costs is not known."
    if not found.callers and not found.unseen:
        yield _FREE
    elif (cost := found.cost_usd) is not None:
        yield f"Until the end: {format_usd(cost)}; the most counts every retry and the longest answers."
    else:
        yield "What it costs until the end is not known."
