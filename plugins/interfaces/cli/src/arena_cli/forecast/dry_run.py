"""Tells how long a benchmark will take and what it will cost, and what each group of many games takes."""

import asyncio
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
from arena.illegal_actions import IllegalActionPolicy
from arena.record import JSON, Ending, Player
from arena_engine import Benchmark, Journal, allowance, plan_matches
from arena_engine.execution import CHARACTERS
from arena_engine.forecast import (
    BATCH_SECONDS,
    PLAYOUTS,
    SECONDS,
    WRITTEN,
    Alternative,
    BatchForecast,
    CallForecast,
    GroupForecast,
    Lengths,
    RunForecast,
    alternatives,
    estimate,
    together,
)
from arena_engine.journal import Range
from arena_report.content import (
    ESTIMATE,
    format_number,
    format_range,
    format_seconds,
    format_usd,
    pluralize,
    without_rules,
)

from arena_cli.forecast.dry_run_phases import alternative_lines, as_json, phase_lines
from arena_cli.output.streams import echo, echo_json
from arena_cli.running.sent_keys import key_lines

if TYPE_CHECKING:
    from arena_standings import Power

PARTS: Final = (1, 2, 5, 10, 20)
"""Of how many games of each group the cost is told."""

FORCED: Final = {
    "nothing": "nothing forces the form of an answer",
    "schema": "a schema forces the form of an answer",
    "tools": "an answer is a forced call of a tool",
}
"""What the dry run says of each way in which answers are asked for."""

_MOST_MATCHES: Final = 20_000
"""Of more matches no power is told, since it would take long."""

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


SHOWN = 12
"""The most games that get a line of their own; a suite may have hundreds."""


@attrs.frozen(kw_only=True)
class RunEstimate:
    """How long a benchmark will take and what it will cost: as data, and in the lines that ``--dry-run`` prints.

    ``others`` are the same with other values of parameters; ``finished`` matches of the run that it is added to are not
    counted. ``without_rules`` are the games whose rules do not explain them. ``allowed`` says how many illegal moves
    there may be, unless that depends on the game.
    """

    name: str
    forecast: RunForecast
    others: tuple[Alternative, ...] = ()
    finished: int = 0
    without_rules: tuple[str, ...] = ()
    power: "tuple[Power, ...]" = ()
    keys: tuple[str, ...] = ()
    repeats: int = 0
    allowed: str = ""

    @classmethod
    def of(cls, benchmark: Benchmark, extended: Path | None = None) -> "RunEstimate":
        """Estimate a benchmark; ``extended`` is the run that it would be added to. Nothing is sent to a model.

        How likely its matches are to tell agents apart is simulated, which takes up to some seconds.
        """
        done: set[str] = set()
        recorded: Lengths = {}
        if extended is not None:
            with Journal.open(extended) as journal:
                done = {i for i, ending in journal.endings().items() if ending.is_final}
                recorded = lengths(journal)
        found = asyncio.run(estimate(benchmark, done, recorded, by_phase=True))
        others = asyncio.run(alternatives(benchmark, done, recorded))
        unexplained = tuple(name for name, entry in benchmark.games.items() if not entry.game.has_rules)
        power, repeats = planned_power(benchmark)
        policy = benchmark.illegal_actions
        return cls(
            name=benchmark.name,
            forecast=found,
            others=tuple(others),
            finished=len(done),
            without_rules=unexplained,
            power=power,
            keys=tuple(key_lines(benchmark)),
            repeats=repeats,
            allowed=allowance(policy) if type(policy) is IllegalActionPolicy else "",
        )

    def to_json(self) -> JSON:
        """All numbers as plain data; one without a bound is null."""
        return {**as_json(self.forecast, self.others), "power": [attrs.asdict(each) for each in self.power]}

    def power_lines(self) -> Iterator[str]:
        """In what share of runs a pair is told apart, in one line; nothing where no two agents are compared."""
        return power_lines(self.power, self.repeats)

    def lines(self) -> Iterator[str]:
        """What there is to play and to pay, line by line."""
        found = self.forecast
        before = f", {self.finished:,} more are finished" if self.finished else ""
        yield (
            f"{self.name}: {pluralize(found.matches, 'match', 'matches')} to play{before}, "
            f"{format_range(found.decisions)} decisions"
        )
        yield from without_rules(self.without_rules)
        yield from _games(found)
        if self.allowed:
            yield f"allowed: {self.allowed}"
        if found.own_deals:
            yield (
                f"  {pluralize(found.own_deals, 'match has', 'matches have')} deals of their own, since somebody "
                "outside plays and something is hidden; `schedule.paired: true` lets them share deals"
            )
        for agent in found.agents:
            yield f"  {agent.caller}: {caller_words(agent)}"
        for judge in found.judges:
            yield f"  {judge.caller} (judge): {caller_words(judge)}"
        if not found.callers:
            yield "no model is asked"
        elif (cost := found.cost_usd) is not None:
            yield f"money: {format_usd(cost)}"
        else:
            unpriced = sorted({caller.caller for caller in found.callers if caller.cost_usd is None})
            yield f"money: unknown, the backend of {', '.join(unpriced)} names no price"
        yield from map(_batch_words, found.batches)
        yield from self.keys
        yield f"time: {format_seconds(found.seconds)}"
        yield from self.power_lines()
        yield from phase_lines(found)
        yield from alternative_lines(found, self.others)
        yield (
            f"Lengths are those of up to {PLAYOUTS} random matches of each game, or of matches that were played: mean "
            "(least to most). The most counts every retry."
        )
        if found.callers:
            yield (
                f"Prompts were rendered and not sent; a token is taken as {CHARACTERS:g} characters, and an "
                "abbreviation in capitals as one more, give or take a third. "
                f"Answers that are sent again, as in a transcript, are taken to have {WRITTEN.likely:g} tokens "
                f"({WRITTEN.low:g} to the most allowed). Written tokens are the most allowed. "
                f"A completion is taken to last {SECONDS[0]:g} to {SECONDS[1]:g} "
                "seconds; `arena check-agents` measures it."
            )


def show_estimate(benchmark: Benchmark, extended: Path | None, *, is_json: bool = False) -> None:
    """Print the estimate, or all of it as JSON; ``extended`` is the run that the benchmark would be added to."""
    found = RunEstimate.of(benchmark, extended)
    if is_json:
        echo_json(found.to_json())
        return
    for line in found.lines():
        echo(line)


def planned_power(benchmark: Benchmark) -> "tuple[tuple[Power, ...], int]":
    """How likely all matches of a benchmark are to tell agents apart, and how many repeats there are.

    There is no power where no two agents are compared, and none of very many matches.
    """
    if len(benchmark.agents) < 2:
        return (), 0
    from arena_standings import GameKind, PlannedMatch, power_of  # they import numpy

    plans = plan_matches(benchmark)
    if len(plans) > _MOST_MATCHES:
        return (), 0
    kinds: dict[str, GameKind] = {}
    for name, entry in benchmark.games.items():
        facts = entry.game.facts(entry.players)
        kinds[name] = GameKind(
            kind="wins" if facts.counts_wins else "pays",
            chance=facts.chance,
            together=facts.returns == "cooperative" or entry.players == 1,
        )
    planned = (PlannedMatch(game=plan.game, block=plan.block, agents=plan.agents) for plan in plans)
    return power_of(planned, kinds), len({plan.repeat for plan in plans})


def power_lines(power: "Sequence[Power]", repeats: int) -> Iterator[str]:
    """In what share of runs a pair is told apart, in one line; nothing where no two agents are compared."""
    if not power:
        return
    design = "this one repeat" if repeats == 1 else f"these {repeats:,} repeats"
    if not any(each.can_decide for each in power):
        few = pluralize(power[0].clusters, "independent result is", "independent results are")
        yield f"with {design} nobody can be told apart, whatever happens: {few} too few; play more repeats"
        return
    first, *rest = (
        f"a true {100 * each.truth:.0f}:{100 * (1 - each.truth):.0f} pair {verb}in {100 * each.share:.0f} %"
        for each, verb in zip(power, ("is told apart ", *[""] * len(power)), strict=False)
    )
    yield f"with {design} {', '.join([first, *rest])} (from {power[0].runs:,} simulated runs)"


def _batch_words(found: BatchForecast) -> str:
    """What asking in batches costs in time."""
    least, most = BATCH_SECONDS
    each = format_seconds(Range(least, least, most))
    return (
        f"batches: {', '.join(found.callers)} in {format_range(found.batches)} batches one after another, at half the "
        f"price (`prices` are those of single calls; the money here is half of it); each takes {each}, most less than "
        "an hour. More matches at once (limits.concurrency) make fewer batches."
    )


def _games(found: RunForecast) -> Iterator[str]:
    if has_groups(found):
        yield from group_lines(found)
        return
    for game in found.games[:SHOWN]:
        yield (
            f"  {game.game}: {pluralize(game.matches, 'match', 'matches')} of {format_range(game.per_match)} decisions "
            f"({f'from {game.recorded:,} played' if game.recorded else f'from {game.playouts} random'})"
        )
    if more := found.games[SHOWN:]:
        matches = pluralize(sum(game.matches for game in more), "match", "matches")
        yield f"  {matches} of {pluralize(len(more), 'more game', 'more games')}"


def lengths(journal: Journal) -> Lengths:
    """The turns of each player in every match of a run that ended by the rules, by game."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for record in journal.records():
        if record.ending is Ending.RULES:
            acted = [event.player for event in record.played()]
            found.setdefault(record.game, []).append(tuple(acted.count(Player(p)) for p in range(len(record.agents))))
    return found


def keep_estimate(journal: Journal, benchmark: Benchmark) -> None:
    """Store in the journal what the whole run is estimated to take."""
    found = asyncio.run(estimate(benchmark, recorded=lengths(journal)))
    journal.set_metadata(ESTIMATE, found.forecast().to_json())


def caller_words(caller: CallForecast) -> str:
    """The calls, tokens and cost of one caller."""
    written = "no bound" if caller.completion_tokens is None else f"at most {format_number(caller.completion_tokens)}"
    cost = "price unknown" if caller.cost_usd is None else format_usd(caller.cost_usd)
    tokens = f"{format_range(caller.prompt_tokens)} tokens sent, {written} written"
    ways = " or ".join(FORCED[way] for way in sorted(caller.forced))
    return f"{format_range(caller.calls)} calls, {tokens}, {cost}" + (f"; {ways}" if ways else "")
