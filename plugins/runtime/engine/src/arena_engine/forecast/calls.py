"""Forecasts the calls of agents and judges from the requests captured in simulated matches.

Answers are sent again in the transcript of a conversation and to judges, and their length is unknown: the estimates
assume ``WRITTEN`` tokens in each.
"""

from collections.abc import Iterable, Sequence
from math import inf
from statistics import fmean
from typing import Final

import attrs
from arena.backend import Backend, CompletionRequest, Sampling
from arena.metric import Metric
from arena.record import MatchPlan, MatchRecord

from arena_engine.execution.capture import CapturedRequest, requests_of_judge
from arena_engine.forecast.samples import AgentRequests, SampledMatches
from arena_engine.job.executor import Job
from arena_engine.journal.usage import Range

WRITTEN: Final = Range(1.0, 100.0, 1000.0)
"""Tokens of an answer that is sent again: the least, the likely number, and the most if the backend has no limit."""

SPREAD: Final = Range(0.7, 1.0, 1.3)
"""Factors for the error of estimated tokens: languages, digits and boards have other numbers of characters a token."""


@attrs.frozen(kw_only=True)
class CallForecast:
    """The forecast of one caller's use of one backend; the caller is an agent, or the judge of a metric.

    For an agent only the first try of each turn is simulated, and nothing that depends on what a model answers.
    ``completion_tokens`` is an upper bound, ``None`` if the backend has none. ``cost_usd`` is ``None`` if the price is
    unknown. ``forced`` says what forces the form of its answers: ``schema``, ``tools`` or, of some, ``nothing``.
    """

    caller: str
    backend: Backend
    calls: Range
    prompt_tokens: Range
    completion_tokens: float | None
    cost_usd: Range | None
    forced: frozenset[str] = frozenset()


def of_agent(job: Job, asked: AgentRequests) -> list[CallForecast]:
    """Forecast an agent's calls in all its matches of a game, one item for each backend that it uses."""
    decisions = [(asked.game.decisions[player], matches) for player, matches in asked.matches.items()]
    turns = asked.captured[asked.longest].by_turn()
    return _of_turns(job, asked.agent, asked.game.plans[0], turns, decisions)


def of_turns(
    job: Job, name: str, plan: MatchPlan, turns: Sequence[Sequence[CapturedRequest]], decisions: Range
) -> list[CallForecast]:
    """Forecast an agent's calls in so many turns of one seat; ``turns`` has what it asks in the first of them."""
    return _of_turns(job, name, plan, turns, [(decisions, 1)])


def _of_turns(
    job: Job,
    name: str,
    plan: MatchPlan,
    turns: Sequence[Sequence[CapturedRequest]],
    decisions: Iterable[tuple[Range, int]],
) -> list[CallForecast]:
    """One item for each backend; ``decisions`` has those of a seat, and in how many matches."""
    tallies = [_Tally(name, backend) for backend in different_backends(job.agents[name].backends().values())]
    tries = 1 + job.illegal_actions.for_game(job.games[plan.game], len(plan.agents)).retries
    seats = list(decisions)
    for tally in tallies:
        own = [[request for request in turn if request.backend == tally.backend] for turn in turns]
        for each, matches in seats:
            tally.add_turns(own, each, matches, tries)
    return [tally.estimate() for tally in tallies if tally.calls.high]


def together(forecasts: Iterable[CallForecast]) -> list[CallForecast]:
    """Add up the forecasts of each caller and backend, in the order in which these first occur."""
    found: list[CallForecast] = []
    for new in forecasts:
        same = (i for i, old in enumerate(found) if (old.caller, old.backend) == (new.caller, new.backend))
        if (place := next(same, None)) is None:
            found.append(new)
        else:
            found[place] = _sum(found[place], new)
    return found


def _sum(one: CallForecast, other: CallForecast) -> CallForecast:
    written = (one.completion_tokens, other.completion_tokens)
    costs = (one.cost_usd, other.cost_usd)
    return attrs.evolve(
        one,
        calls=one.calls.plus(other.calls),
        prompt_tokens=one.prompt_tokens.plus(other.prompt_tokens),
        completion_tokens=None if written[0] is None or written[1] is None else written[0] + written[1],
        cost_usd=None if costs[0] is None or costs[1] is None else costs[0].plus(costs[1]),
        forced=one.forced | other.forced,
    )


async def of_judge(job: Job, name: str, metric: Metric, games: Iterable[SampledMatches]) -> list[CallForecast]:
    """Forecast the calls of a metric's judge for all matches, one item for each backend that it uses.

    The likely case is a typical playout in which agents give reasons and the judge's first answers can be parsed; the
    least is the shortest playout without reasons, the most is the longest one with no answer that can be parsed.
    """
    tallies = [_Tally(name, backend) for backend in different_backends(metric.backends().values())]
    spoken = max(
        (answer_limit(backend) for agent in job.agents.values() for backend in agent.backends().values()), default=1
    )
    for game in games:
        finished = sorted((record for record in game.records if record.ending.is_result), key=_length)
        if not finished:
            continue
        rules = job.games[game.game]
        shortest, longest = finished[0], finished[-1]
        typical = min(finished, key=lambda record: abs(_length(record) - game.per_match.likely))
        least = await requests_of_judge(metric, _unreasoned(shortest), rules)
        likely = await requests_of_judge(metric, typical, rules)
        most = await requests_of_judge(metric, longest, rules) if longest is not typical else likely
        shorter = min(1.0, game.per_match.low / (_length(shortest) or 1))
        longer = max(1.0, game.per_match.high / (_length(longest) or 1))
        matches = Range(shorter, 1.0, longer).times(len(game.plans))
        for tally in tallies:
            tally.add_matches(_first(least), _first(likely), most, spoken, matches)
    return [tally.estimate() for tally in tallies if tally.calls.high]


@attrs.define(eq=False)
class _Tally:
    """Sums what one caller asks of one backend."""

    caller: str
    backend: Backend
    calls: Range = attrs.field(factory=Range)
    prompts: Range = attrs.field(factory=Range)
    written: float = 0.0
    forced: set[str] = attrs.field(factory=set[str])

    def add_turns(self, asked: Sequence[Sequence[CapturedRequest]], decisions: Range, matches: int, tries: int) -> None:
        """Add ``matches`` with ``decisions`` each; ``asked`` are the captured requests of their first turns."""
        counts = [len(turn) for turn in asked]
        self.forced |= {_forced(question.request) for turn in asked for question in turn}
        limit = answer_limit(self.backend)
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
        calls = attrs.evolve(calls, high=calls.high * tries)
        written = calls.high * (longest_answer(self.backend) or inf) if calls.high else 0.0
        self._add(calls, Range(low, likely, high), written, Range(1, 1, 1).times(matches))

    def add_matches(
        self,
        least: Sequence[CapturedRequest],
        likely: Sequence[CapturedRequest],
        most: Sequence[CapturedRequest],
        spoken: float,
        matches: Range,
    ) -> None:
        """Add ``matches`` for each of which the judge sends at least, likely and at most these requests.

        ``spoken`` is the most tokens that an agent's reasoning can have.
        """
        asked = [[question for question in each if question.backend == self.backend] for each in (least, likely, most)]
        self.forced |= {_forced(question.request) for question in asked[-1]}
        longest = [question.request.sampling.max_tokens or inf for question in asked[-1]]
        answer = max([spoken, answer_limit(self.backend), *(tokens for tokens in longest if tokens < inf)])
        lengths = (WRITTEN.low, min(WRITTEN.likely, answer), answer)
        tokens = (sum(question.tokens(n) for question in each) for each, n in zip(asked, lengths, strict=True))
        self._add(Range(*map(len, asked)), Range(*tokens), sum(longest), matches)

    def _add(self, calls: Range, prompts: Range, written: float, times: Range) -> None:
        self.calls = self.calls.plus(_product(calls, times))
        self.prompts = self.prompts.plus(_product(_product(prompts, SPREAD), times))
        self.written += written * times.high if written else 0.0

    def estimate(self) -> CallForecast:
        """The forecast of everything added so far, with its cost."""
        price = self.backend.price()
        cost = None
        if price is not None:
            cost = self.prompts.times(price.prompt_usd)
            more = self.written * price.completion_usd if price.completion_usd else 0.0
            cost = attrs.evolve(cost, high=cost.high + more)
        return CallForecast(
            caller=self.caller,
            backend=self.backend,
            calls=self.calls,
            prompt_tokens=self.prompts,
            completion_tokens=None if self.written == inf else self.written,
            cost_usd=cost,
            forced=frozenset(self.forced),
        )


def _forced(request: CompletionRequest) -> str:
    """What forces the form of the answer to a request."""
    return "tools" if request.tools else "nothing" if request.schema is None else "schema"


def _sum_to(sizes: Sequence[float], turns: float) -> float:
    """The sum of the first ``turns`` sizes, a fraction of a turn included; further turns grow linearly as before."""
    whole = min(len(sizes), int(turns))
    known = sum(sizes[:whole])
    if whole < len(sizes):
        return known + (turns - whole) * sizes[whole]
    more = turns - whole
    growth = (sizes[-1] - sizes[0]) / (len(sizes) - 1) if len(sizes) > 1 else 0.0
    return known + more * sizes[-1] + max(0.0, growth) * more * (more + 1) / 2


def _product(first: Range, second: Range) -> Range:
    return Range(first.low * second.low, first.likely * second.likely, first.high * second.high)


def longest_answer(backend: Backend) -> int | None:
    """The most tokens of an answer that the backend is asked for; ``None`` if it has no limit."""
    return backend.with_defaults(Sampling()).max_tokens


def answer_limit(backend: Backend) -> float:
    """The backend's limit of tokens for an answer, or a guess if it has none."""
    return longest_answer(backend) or WRITTEN.high


def different_backends(backends: Iterable[Backend]) -> list[Backend]:
    """The backends without repetitions, in order; backends need not be hashable."""
    found: list[Backend] = []
    for backend in backends:
        if backend not in found:
            found.append(backend)
    return found


def _first(asked: Iterable[CapturedRequest]) -> list[CapturedRequest]:
    """The requests that are not sent only because an earlier answer could not be parsed."""
    return [question for question in asked if question.is_first]


def _length(record: MatchRecord) -> int:
    return sum(1 for _ in record.played())


def _unreasoned(record: MatchRecord) -> MatchRecord:
    """The record of a match without the agents' reasoning."""
    events = (
        event._replace(data={key: value for key, value in event.data.items() if key != "reasoning"})
        if event.source == "referee" and isinstance(event.data, dict)
        else event
        for event in record.events
    )
    return attrs.evolve(record, events=tuple(events))
