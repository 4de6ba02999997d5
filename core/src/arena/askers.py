"""What agents and judges will ask of models, from what they ask in rehearsed matches.

What a model writes is sent again in the transcript of a conversation and to judges, and nobody knows how much it will
be: estimates are made for ``WRITTEN`` tokens in each answer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf
from statistics import fmean
from typing import Final

import attrs

from arena.backend import Backend, Sampling
from arena.executor import Work
from arena.metric import Metric
from arena.probe import Question, asked_by_judge, asked_by_player
from arena.record import MatchPlan, MatchRecord
from arena.spending import Range

WRITTEN: Final = Range(1.0, 100.0, 1000.0)
"""Tokens of an answer that is sent again: least, likely, and the most where nothing bounds it."""

SPREAD: Final = Range(0.7, 1.0, 1.3)
"""A third more or less: languages, digits and boards take other numbers of characters for a token."""


@attrs.frozen(kw_only=True)
class AskerEstimate:
    """What one agent, or the judge of one metric, asks of one backend.

    Of an agent only the first try of each turn is known, and nothing that depends on what a model answers.
    ``completion_tokens`` is an upper bound, ``None`` where the backend has none. ``cost_usd`` is ``None`` where nobody
    knows a price.
    """

    asker: str
    backend: Backend
    calls: Range
    prompt_tokens: Range
    completion_tokens: float | None
    cost_usd: Range | None


@attrs.frozen(kw_only=True)
class Rehearsals:
    """One game: its plans, the decisions expected of each player in a match, and random playouts of some plans."""

    game: str
    plans: Sequence[MatchPlan]
    decisions: tuple[Range, ...]
    records: Sequence[MatchRecord]

    @property
    def per_match(self) -> Range:
        """Decisions of all players in one match."""
        return total(self.decisions)

    def longest(self, agent: str) -> tuple[MatchPlan, int]:
        """The plan and player by which the agent is rehearsed: its longest playout, where it has one."""
        seats = [(record, p) for record in self.records for p, name in enumerate(record.agents) if name == agent]
        if seats:
            record, player = max(seats, key=lambda seat: _turns(*seat))
            return record.plan, player
        plan = next(plan for plan in self.plans if agent in plan.agents)
        return plan, plan.agents.index(agent)


def total(ranges: Iterable[Range]) -> Range:
    """The sum."""
    added = Range()
    for each in ranges:
        added = added.plus(each)
    return added


async def of_agent(work: Work, name: str, games: Iterable[Rehearsals]) -> list[AskerEstimate]:
    """What the agent asks in all its matches; one estimate for each of its backends that is asked."""
    tallies = [_Tally(name, backend) for backend in _different(work.agents[name].backends().values())]
    for game in games:
        if not any(name in plan.agents for plan in game.plans):
            continue
        probe = await asked_by_player(work, *game.longest(name))
        tries = 1 + work.illegal_actions.of(work.games[game.game], len(game.decisions)).retries
        seats = Counter(p for plan in game.plans for p, agent in enumerate(plan.agents) if agent == name)
        for tally in tallies:
            asked = [[q for q in turn if q.backend == tally.backend] for turn in probe.by_turn()]
            for player, matches in seats.items():
                tally.add_turns(asked, game.decisions[player], matches, tries)
    return [tally.estimate() for tally in tallies if tally.calls.high]


async def of_judge(work: Work, name: str, metric: Metric, games: Iterable[Rehearsals]) -> list[AskerEstimate]:
    """What the metric's judge asks about all matches.

    Likely is that each model says a reason for each action and that the judge's first answers can be read; the least is
    the shortest playout without reasons, the most the longest one with no answer that can be read.
    """
    tallies = [_Tally(name, backend) for backend in _different(metric.backends().values())]
    spoken = max(
        (_limit(backend) for agent in work.agents.values() for backend in agent.backends().values()), default=1
    )
    for game in games:
        finished = sorted((record for record in game.records if record.ending.is_result), key=_length)
        if not finished:
            continue
        rules = work.games[game.game]
        shortest, longest = finished[0], finished[-1]
        typical = min(finished, key=lambda record: abs(_length(record) - game.per_match.likely))
        least = await asked_by_judge(metric, _unreasoned(shortest), rules)
        likely = await asked_by_judge(metric, typical, rules)
        most = await asked_by_judge(metric, longest, rules) if longest is not typical else likely
        shorter = min(1.0, game.per_match.low / (_length(shortest) or 1))
        longer = max(1.0, game.per_match.high / (_length(longest) or 1))
        matches = Range(shorter, 1.0, longer).times(len(game.plans))
        for tally in tallies:
            tally.add_matches(_first(least), _first(likely), most, spoken, matches)
    return [tally.estimate() for tally in tallies if tally.calls.high]


@attrs.define(eq=False)
class _Tally:
    """The sum of what one asker asks of one backend."""

    asker: str
    backend: Backend
    calls: Range = attrs.field(factory=Range)
    prompts: Range = attrs.field(factory=Range)
    written: float = 0.0

    def add_turns(self, asked: Sequence[Sequence[Question]], decisions: Range, matches: int, tries: int) -> None:
        """Add ``matches`` of so many decisions, of which some were rehearsed."""
        counts = [len(turn) for turn in asked]
        limit = _limit(self.backend)
        low, likely, high = (
            _sum_to([sum(question.tokens(answer) for question in turn) for turn in asked], turns)
            for answer, turns in (
                (WRITTEN.low, decisions.low),
                (min(WRITTEN.likely, limit), decisions.likely),
                (limit, decisions.high),
            )
        )
        calls = Range(decisions.low * min(counts), decisions.likely * fmean(counts), decisions.high * max(counts))
        # Each further try repeats the answer that was refused.
        high = high * tries + calls.high * (tries - 1) * limit
        self._add(attrs.evolve(calls, high=calls.high * tries), Range(low, likely, high), Range(1, 1, 1).times(matches))

    def add_matches(
        self,
        least: Sequence[Question],
        likely: Sequence[Question],
        most: Sequence[Question],
        spoken: float,
        matches: Range,
    ) -> None:
        """Add so many matches in which the judge asks at least, likely and at most these questions.

        ``spoken`` are the most tokens of what an agent said.
        """
        asked = [[question for question in each if question.backend == self.backend] for each in (least, likely, most)]
        answer = max(spoken, _limit(self.backend))
        lengths = (WRITTEN.low, min(WRITTEN.likely, answer), answer)
        tokens = (sum(question.tokens(n) for question in each) for each, n in zip(asked, lengths, strict=True))
        self._add(Range(*map(len, asked)), Range(*tokens), matches)

    def _add(self, calls: Range, prompts: Range, times: Range) -> None:
        self.calls = self.calls.plus(_product(calls, times))
        self.prompts = self.prompts.plus(_product(_product(prompts, SPREAD), times))
        self.written += calls.high * times.high * (_asked(self.backend) or inf) if calls.high else 0.0

    def estimate(self) -> AskerEstimate:
        """The sum, and what it costs."""
        price = self.backend.price()
        cost = None
        if price is not None:
            cost = self.prompts.times(price.prompt_usd)
            more = self.written * price.completion_usd if price.completion_usd else 0.0
            cost = attrs.evolve(cost, high=cost.high + more)
        return AskerEstimate(
            asker=self.asker,
            backend=self.backend,
            calls=self.calls,
            prompt_tokens=self.prompts,
            completion_tokens=None if self.written == inf else self.written,
            cost_usd=cost,
        )


def _sum_to(sizes: Sequence[float], turns: float) -> float:
    """The sum of the first ``turns``, in part for a part of a turn; beyond those known they grow as they did."""
    whole = min(len(sizes), int(turns))
    known = sum(sizes[:whole])
    if whole < len(sizes):
        return known + (turns - whole) * sizes[whole]
    more = turns - whole
    growth = (sizes[-1] - sizes[0]) / (len(sizes) - 1) if len(sizes) > 1 else 0.0
    return known + more * sizes[-1] + max(0.0, growth) * more * (more + 1) / 2


def _product(first: Range, second: Range) -> Range:
    return Range(first.low * second.low, first.likely * second.likely, first.high * second.high)


def _asked(backend: Backend) -> int | None:
    return backend.complete_sampling(Sampling()).max_tokens


def _limit(backend: Backend) -> float:
    """Tokens of its longest answer, or a guess where nothing bounds them."""
    return _asked(backend) or WRITTEN.high


def _different(backends: Iterable[Backend]) -> list[Backend]:
    found: list[Backend] = []
    for backend in backends:
        if backend not in found:
            found.append(backend)
    return found


def _first(asked: Iterable[Question]) -> list[Question]:
    """Without what is asked only because an answer could not be read."""
    return [question for question in asked if question.is_first]


def _length(record: MatchRecord) -> int:
    return sum(1 for _ in record.played())


def _turns(record: MatchRecord, player: int) -> int:
    return sum(event.player == player for event in record.played())


def _unreasoned(record: MatchRecord) -> MatchRecord:
    """The match as if nobody had said why."""
    events = (
        event._replace(data={key: value for key, value in event.data.items() if key != "reasoning"})
        if event.source == "referee" and isinstance(event.data, dict)
        else event
        for event in record.events
    )
    return attrs.evolve(record, events=tuple(events))
