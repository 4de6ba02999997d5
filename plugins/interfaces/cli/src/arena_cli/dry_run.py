"""Prints how long a benchmark will take and what it will cost, as far as that can be estimated."""

import asyncio
from pathlib import Path

from arena.agent import ANSWER_RULE
from arena.record import Ending, Player
from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.forecast.alternatives import alternatives
from arena_engine.forecast.calls import WRITTEN, CallForecast
from arena_engine.forecast.capture import CHARACTERS
from arena_engine.forecast.forecast import PLAYOUTS, SECONDS, Lengths, estimate
from arena_engine.journal.journal import Journal
from arena_report.forecast_table import ESTIMATE, format_number, format_range, format_seconds, format_usd, pluralize

from arena_cli.dry_run_groups import has_groups, show_groups
from arena_cli.dry_run_phases import as_json, show_alternatives, show_phases
from arena_cli.shown import echo, echo_json

SHOWN = 12
"""The most games that get a line of their own; a suite may have hundreds."""


def show_estimate(benchmark: Benchmark, extended: Path | None, *, is_json: bool = False) -> None:
    """Print the estimate, or all of it as JSON; ``extended`` is the run that the benchmark would be added to."""
    done: set[str] = set()
    recorded: Lengths = {}
    rule = ANSWER_RULE
    if extended is not None:
        with Journal.open(extended) as journal:
            done = {i for i, ending in journal.endings().items() if ending.is_final}
            recorded, rule = lengths(journal), journal.header.answer_rule
    found = asyncio.run(estimate(benchmark, done, recorded, answer_rule=rule, by_phase=True))
    others = asyncio.run(alternatives(benchmark, done, recorded, answer_rule=rule))
    if is_json:
        echo_json(as_json(found, others))
        return
    before = f", {len(done):,} more are finished" if done else ""
    echo(
        f"{benchmark.name}: {pluralize(found.matches, 'match', 'matches')} to play{before}, "
        f"{format_range(found.decisions)} decisions"
    )
    if grouped := has_groups(found):
        show_groups(found)
    for game in () if grouped else found.games[:SHOWN]:
        echo(
            f"  {game.game}: {pluralize(game.matches, 'match', 'matches')} of {format_range(game.per_match)} decisions "
            f"({f'from {game.recorded:,} played' if game.recorded else f'from {game.playouts} random'})"
        )
    if more := () if grouped else found.games[SHOWN:]:
        matches = pluralize(sum(game.matches for game in more), "match", "matches")
        echo(f"  {matches} of {pluralize(len(more), 'more game', 'more games')}")
    if found.own_deals:
        echo(
            f"  {pluralize(found.own_deals, 'match has', 'matches have')} deals of their own, since somebody outside "
            "plays and something is hidden; `schedule.paired: true` lets them share deals"
        )
    for agent in found.agents:
        echo(f"  {agent.caller}: {caller_words(agent)}")
    for judge in found.judges:
        echo(f"  {judge.caller} (judge): {caller_words(judge)}")
    if not found.callers:
        echo("no model is asked")
    elif (cost := found.cost_usd) is not None:
        echo(f"money: {format_usd(cost)}")
    else:
        unpriced = sorted({caller.caller for caller in found.callers if caller.cost_usd is None})
        echo(f"money: unknown, the backend of {', '.join(unpriced)} names no price")
    echo(f"time: {format_seconds(found.seconds)}")
    show_phases(found)
    show_alternatives(found, others)
    echo(
        f"Lengths are those of up to {PLAYOUTS} random matches of each game, or of matches that were played: mean "
        "(least to most). The most counts every retry."
    )
    if found.callers:
        echo(
            f"Prompts were rendered and not sent; a token is taken as {CHARACTERS:g} characters, and an abbreviation "
            "in capitals as one more, give or take a third. "
            f"Answers that are sent again, as in a transcript, are taken to have {WRITTEN.likely:g} tokens "
            f"({WRITTEN.low:g} to the most allowed). Written tokens are the most allowed. "
            f"A completion is taken to last {SECONDS[0]:g} to {SECONDS[1]:g} "
            "seconds; `arena check-agents` measures it."
        )


def lengths(journal: Journal) -> Lengths:
    """The turns of each player in every match of a run that ended by the rules, by game."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for record in journal.records():
        if record.ending is Ending.RULES:
            acted = [event.player for event in record.played()]
            found.setdefault(record.game, []).append(tuple(acted.count(Player(p)) for p in range(len(record.agents))))
    return found


def keep_estimate(journal: Journal, benchmark: Benchmark) -> None:
    """Store in the journal what the whole run is estimated to take, if any model is asked."""
    callers = (*(entry.agent for entry in benchmark.agents.values()), *benchmark.metrics.values())
    if any(caller.backends() for caller in callers):
        found = asyncio.run(estimate(benchmark, recorded=lengths(journal), answer_rule=journal.header.answer_rule))
        journal.set_metadata(ESTIMATE, found.forecast().to_json())


def caller_words(caller: CallForecast) -> str:
    """The calls, tokens and cost of one caller."""
    written = "no bound" if caller.completion_tokens is None else f"at most {format_number(caller.completion_tokens)}"
    cost = "price unknown" if caller.cost_usd is None else format_usd(caller.cost_usd)
    tokens = f"{format_range(caller.prompt_tokens)} tokens sent, {written} written"
    return f"{format_range(caller.calls)} calls, {tokens}, {cost}"
