"""Estimates what a match takes that plays on from a turn of a recorded one, to its end.

How many turns follow is known from matches of the run with the same game and the same agents in the same seats; where
fewer than ``RECORDED`` of them lasted as long, the match is played on at random from that turn. What agents ask is
found as for whole runs: their requests are written for a random continuation, and not sent.
"""

from collections.abc import Collection, Sequence
from itertools import islice
from statistics import fmean
from typing import Final

import attrs
from arena.agent import Agent
from arena.record import Ending, MatchPlan, MatchRecord
from arena.turns import turns

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.execution.capture import ANSWER, CapturedCompletions, CapturingAgent
from arena_engine.execution.replay import seat_word
from arena_engine.execution.runner import job_for
from arena_engine.forecast.calls import CallForecast, of_judge, of_turns, together
from arena_engine.forecast.forecast import PLAYOUTS, RECORDED, TURNS
from arena_engine.forecast.samples import SampledMatches, total
from arena_engine.job.executor import Job
from arena_engine.journal.journal import Journal
from arena_engine.journal.usage import Range
from arena_engine.match.opening import Opening
from arena_engine.match.simulation import RandomAgent, simulate

MOST_RECORDED: Final = 1_000
"""Of so many matches at most are the lengths counted."""


@attrs.frozen(kw_only=True)
class PlayingOn:
    """What playing on from a turn is expected to take until the match is over, by all agents and judges together.

    ``turns`` are those that follow: the fewest, the mean and the most of ``n`` matches, which were ended matches of the
    run if ``is_recorded``, else random continuations. ``unseen`` names agents that ask models and were asked nothing in
    any continuation, so that what they cost is not known.
    """

    turns: Range
    n: int
    is_recorded: bool
    callers: tuple[CallForecast, ...]
    unseen: tuple[str, ...] = ()

    @property
    def cost_usd(self) -> Range | None:
        """The cost of all callers together; ``None`` if a price or a caller is unknown."""
        costs = [caller.cost_usd for caller in self.callers]
        return None if None in costs or self.unseen else total(cost for cost in costs if cost is not None)


async def playing_on(
    journal: Journal, made: Benchmark, plan: MatchPlan, left_out: Collection[str] = frozenset()
) -> PlayingOn:
    """Forecast the match of ``branch``, which gives ``made`` and ``plan``; nothing is sent to a model.

    The lengths of the matches with the ids ``left_out`` are not used: whoever asks may not know them.
    """
    job = job_for(made, [plan])
    seats = [_opening(made, name) for name in plan.agents]
    before = tuple(len(own.moves[player]) for player, own in enumerate(seats))
    continued = await _continuations(job, plan, seats)
    lengths = _recorded(journal, plan, before, left_out)
    is_recorded = len(lengths) >= RECORDED
    if not is_recorded:
        lengths = [_lengths(record) for record in continued]
    left = [tuple(max(0, now - then) for now, then in zip(own, before, strict=True)) for own in lengths]
    by_player = [Range(min(of), fmean(of), max(of)) for of in zip(*left, strict=True)]
    callers: list[CallForecast] = []
    unseen: list[str] = []
    for player, (name, decisions) in enumerate(zip(plan.agents, by_player, strict=True)):
        if seats[player].backends() and decisions.high:
            longest = max(continued, key=lambda record: _lengths(record)[player])
            asked = await _asked(job, longest.plan, seats, player)
            found = asked.by_turn()[before[player] :] if asked.requests else []
            callers += of_turns(job, name, plan, found, decisions) if found else ()
            unseen += [] if found else [name]
    whole = tuple(own.plus(Range(then, then, then)) for own, then in zip(by_player, before, strict=True))
    sampled = SampledMatches(game=plan.game, plans=[plan], decisions=whole, records=continued)
    for name, metric in made.metrics.items():
        callers += await of_judge(job, name, metric, [sampled]) if metric.backends() else ()
    totals = [sum(own) for own in left]
    return PlayingOn(
        turns=Range(min(totals), fmean(totals), max(totals)),
        n=len(totals),
        is_recorded=is_recorded,
        callers=tuple(together(callers)),
        unseen=tuple(dict.fromkeys(unseen)),
    )


def _opening(made: Benchmark, name: str) -> Opening:
    agent = made.agents[name].agent
    if not isinstance(agent, Opening):
        raise TypeError(f"{name!r} is no agent that ``branch`` has made")
    return agent


async def _continuations(job: Job, plan: MatchPlan, seats: Sequence[Opening]) -> list[MatchRecord]:
    """The match played on at random, with a placeholder as the reasoning of each agent that uses a model."""
    random: list[Agent] = [attrs.evolve(own, agent=RandomAgent(ANSWER if own.backends() else "")) for own in seats]
    records: list[MatchRecord] = []
    while len(records) < PLAYOUTS and sum(map(sum, map(_lengths, records))) < TURNS:
        # Agents draw by the id of their match.
        own = attrs.evolve(plan, id=f"{plan.id}#{len(records)}")
        record = (await simulate(job, own, random)).record
        assert record is not None  # nothing stops it
        records.append(record)
    return records


async def _asked(job: Job, plan: MatchPlan, seats: Sequence[Opening], player: int) -> CapturedCompletions:
    captured = CapturedCompletions()
    agents: list[Agent] = [attrs.evolve(own, agent=RandomAgent()) for own in seats]
    agents[player] = attrs.evolve(seats[player], agent=CapturingAgent(seats[player].agent, captured))
    await simulate(job, plan, agents)
    return captured


def _recorded(
    journal: Journal, plan: MatchPlan, before: Sequence[int], left_out: Collection[str]
) -> list[tuple[int, ...]]:
    """The turns of each player in ended matches of the same game and lineup that lasted beyond that turn."""
    known = (own for own in journal.plans() if own.id not in left_out)
    same = (own for own in known if own.game == plan.game and tuple(map(seat_word, own.agents)) == plan.agents)
    records = (record for own in same if (record := journal.record_of(own.id)) is not None)
    lengths = (_lengths(record) for record in records if record.ending is Ending.RULES)
    return list(islice((own for own in lengths if sum(own) > sum(before)), MOST_RECORDED))


def _lengths(record: MatchRecord) -> tuple[int, ...]:
    """The number of turns of each player."""
    taken = [turn.player for turn in turns(record)]
    return tuple(taken.count(p) for p in range(len(record.agents)))  # type: ignore[arg-type]  # players are numbers
