"""Estimates what a benchmark will take before anything is paid for.

Lengths of matches come from matches already played, if a run is extended, or from random playouts with the run's own
deals. The real prompts of one playout are rendered and counted but not sent, and so are the judges' prompts about
playouts; their tokens are estimated from their texts. How much a model will write, and how fast, is unknown, so these
numbers are bounds and shown as such.
"""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Final, TypeAlias

import attrs
from arena.record import MatchPlan, MatchRecord

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.execution.capture import ANSWER, CapturedRequest, requests_of_player
from arena_engine.execution.runner import job_for
from arena_engine.forecast.calls import CallForecast, of_agent, of_judge, together
from arena_engine.forecast.phases import PhaseForecast, added, of_phases
from arena_engine.forecast.samples import AgentRequests, SampledMatches, requests_of, total
from arena_engine.job.executor import Job
from arena_engine.job.planning import plan_matches
from arena_engine.journal.usage import Forecast, Range
from arena_engine.match.simulation import RandomAgent, simulate
from arena_engine.models.batches import is_batched
from arena_engine.models.request_text import backend_key

PLAYOUTS: Final = 10
"""The most random playouts of a game."""

TURNS: Final = 20_000
"""The number of turns after which no further playout of a game is begun."""

RECORDED: Final = 5
"""The number of played matches of a game from which their lengths replace those of random playouts."""

SECONDS: Final = (1.0, 10.0)
"""The least and the most seconds that one completion is assumed to take."""

BATCH_SECONDS: Final = (60.0, 86_400.0)
"""The least and the most seconds that one batch is assumed to take: a minute, and the day that providers promise."""

Lengths: TypeAlias = Mapping[str, Sequence[tuple[int, ...]]]

_NUMBER: Final = re.compile(r"#\d+\]$")
"""How the name of a game ends that a sweep over numbered tasks made of one: ``planning[tasks=rovers#3]``."""


@attrs.frozen(kw_only=True)
class GameEstimate:
    """The number of matches of one game, and the decisions in each by player.

    The decisions come from ``recorded`` matches, or if there are too few from random ``playouts``.
    """

    game: str
    matches: int
    decisions: tuple[Range, ...]
    playouts: int
    recorded: int = 0

    @property
    def per_match(self) -> Range:
        """The decisions of all players together in one match."""
        return total(self.decisions)


@attrs.frozen(kw_only=True)
class GroupForecast:
    """What agents ask in the games of one group: the numbered tasks of one kind, which a sweep made games of.

    ``games`` is how many they are, ``agents`` has one item for each agent and backend.
    """

    group: str
    games: int
    matches: int
    agents: tuple[CallForecast, ...]


@attrs.frozen(kw_only=True)
class BatchForecast:
    """The batches in which one backend is asked, one after another, by the callers that ask it."""

    callers: tuple[str, ...]
    batches: Range


@attrs.frozen(kw_only=True)
class RunForecast:
    """The forecast of a whole run, by game and by caller, and by group of games, a game being a group of its own.

    ``phases`` tells apart what the agents of each group ask, by phase, seat and part of the match. ``seconds`` assumes
    ``SECONDS`` for a completion and ``BATCH_SECONDS`` for a batch; the rest of it is measured. ``own_deals`` are the
    matches that share no deals because somebody outside plays in them and something is hidden.
    """

    matches: int
    games: tuple[GameEstimate, ...]
    agents: tuple[CallForecast, ...]
    judges: tuple[CallForecast, ...]
    seconds: Range
    groups: tuple[GroupForecast, ...] = ()
    phases: tuple[PhaseForecast, ...] = ()
    own_deals: int = 0
    batches: tuple[BatchForecast, ...] = ()

    @property
    def callers(self) -> tuple[CallForecast, ...]:
        """The forecasts of all agents and judges that ask a model."""
        return (*self.agents, *self.judges)

    @property
    def decisions(self) -> Range:
        """The decisions of all players together in all matches."""
        return total(game.per_match.times(game.matches) for game in self.games)

    @property
    def cost_usd(self) -> Range | None:
        """The cost of all callers together; ``None`` if a price is unknown."""
        costs = [caller.cost_usd for caller in self.callers]
        return None if None in costs else total(cost for cost in costs if cost is not None)

    def forecast(self) -> Forecast:
        """The sums over all callers, which the journal keeps to compare them with the actual usage."""
        written = [caller.completion_tokens for caller in self.callers]
        return Forecast(
            matches=self.matches,
            decisions=self.decisions,
            calls=total(caller.calls for caller in self.callers),
            prompt_tokens=total(caller.prompt_tokens for caller in self.callers),
            completion_tokens=None if None in written else sum(tokens for tokens in written if tokens is not None),
            cost_usd=self.cost_usd,
            seconds=self.seconds,
        )


async def estimate(
    benchmark: Benchmark,
    done: Iterable[str] = (),
    recorded: Lengths | None = None,
    *,
    by_phase: bool = False,
) -> RunForecast:
    """Forecast a run by simulating some matches of each game; ``done`` are ids of matches to leave out.

    ``recorded`` maps games to the lengths of matches already played: their numbers of turns by player. ``by_phase``
    fills in the forecast's ``phases``, for which each seat of each agent is simulated.
    """
    finished = frozenset(done)
    plans = [plan for plan in plan_matches(benchmark) if plan.id not in finished]
    job = job_for(benchmark, plans)
    started = time.monotonic()
    tables: list[SampledMatches] = []
    games: list[GameEstimate] = []
    for game in dict.fromkeys(plan.game for plan in plans):
        own = [plan for plan in plans if plan.game == game]
        played = await _playouts(job, own)
        games.append(_game(own, played, (recorded or {}).get(game, ())))
        tables.append(SampledMatches(game=game, plans=own, decisions=games[-1].decisions, records=played))
    simulated = sum(game.playouts for game in games)
    own_s = (time.monotonic() - started) / max(1, simulated) * len(plans)
    groups: list[GroupForecast] = []
    phases: list[PhaseForecast] = []
    for group, own in _grouped(tables).items():
        asked: list[AgentRequests] = []
        for name, table in product(job.agents, own):
            found = await requests_of(job, name, table, asked if by_phase else (), every_player=by_phase)
            asked += [found] if found else []
        groups.append(_group(job, group, own, asked))
        phases += added(each for one in asked for each in of_phases(job, one, group)) if by_phase else ()
    agents = together(forecast for group in groups for forecast in group.agents)
    metrics = {name: metric for name, metric in benchmark.metrics.items() if metric.backends()}
    judges = [found for name, metric in metrics.items() for found in await of_judge(job, name, metric, tables)]
    chain = max((game.per_match.likely for game in games), default=0.0)
    waiting = (_seconds(job, agents, chain), _seconds(job, judges, 1.0))
    batches = (*_batches(job, agents, len(plans)), *_batches(job, judges, len(plans)))
    return RunForecast(
        matches=len(plans),
        games=tuple(games),
        agents=tuple(agents),
        judges=tuple(judges),
        seconds=total((Range(own_s, own_s, own_s), *waiting)),
        groups=tuple(groups),
        phases=tuple(phases),
        own_deals=_own_deals(benchmark, plans),
        batches=batches,
    )


def _own_deals(benchmark: Benchmark, plans: Iterable[MatchPlan]) -> int:
    if not benchmark.unpaired:
        return 0
    paired = {plan.id: plan.block for plan in plan_matches(attrs.evolve(benchmark, unpaired=frozenset()))}
    return sum(paired[plan.id] != plan.block for plan in plans)


def _grouped(tables: Iterable[SampledMatches]) -> dict[str, list[SampledMatches]]:
    found: dict[str, list[SampledMatches]] = {}
    for table in tables:
        found.setdefault(_NUMBER.sub("]", table.game), []).append(table)
    return found


def _group(job: Job, group: str, tables: Sequence[SampledMatches], asked: Sequence[AgentRequests]) -> GroupForecast:
    agents = together(found for one in asked for found in of_agent(job, one))
    matches = sum(len(table.plans) for table in tables)
    return GroupForecast(group=group, games=len(tables), matches=matches, agents=tuple(agents))


async def first_request(job: Job, plan: MatchPlan, player: int, turns: int = 0) -> CapturedRequest | None:
    """The first request of a player's agent after ``turns`` of its turns in a random match; ``None`` if it has none."""
    captured = await requests_of_player(job, plan, player, until=turns)
    return next((request for request in captured.requests if request.turn >= turns), None)


async def _playouts(job: Job, plans: Sequence[MatchPlan]) -> list[MatchRecord]:
    """Play matches at random, with a placeholder as the reasoning of each agent that uses a model."""
    asks = {name: RandomAgent(ANSWER if agent.backends() else "") for name, agent in job.agents.items()}
    records: list[MatchRecord] = []
    turns = 0
    for plan in plans[:PLAYOUTS]:
        record = (await simulate(job, plan, [asks[name] for name in plan.agents])).record
        assert record is not None  # nothing stops it
        records.append(record)
        turns += sum(_turns(record))
        if turns >= TURNS or job.games[plan.game].facts(len(plan.agents)).max_steps == 1:
            break  # where there is one step alone, all matches are as long
    return records


def _game(
    plans: Sequence[MatchPlan], played: Sequence[MatchRecord], recorded: Sequence[tuple[int, ...]]
) -> GameEstimate:
    is_recorded = len(recorded) >= RECORDED
    turns = recorded if is_recorded else [_turns(record) for record in played]
    return GameEstimate(
        game=plans[0].game,
        matches=len(plans),
        decisions=tuple(Range(min(of), fmean(of), max(of)) for of in zip(*turns, strict=True)),
        playouts=len(played),
        recorded=len(recorded) if is_recorded else 0,
    )


def _turns(record: MatchRecord) -> tuple[int, ...]:
    """The number of actions that each player took."""
    acted = [event.player for event in record.played()]
    return tuple(acted.count(p) for p in range(len(record.agents)))  # type: ignore[arg-type]  # players are numbers


def _seconds(job: Job, callers: Sequence[CallForecast], chain: float) -> Range:
    """The seconds that completions take: the longer of one match's chain and of all calls over the parallel slots.

    The slowest backend decides the least and the most; the likely times of all backends add up.
    """
    low, likely, high = 0.0, 0.0, 0.0
    backends = {backend_key(caller.backend): caller.backend for caller in callers}
    for key, backend in backends.items():
        asked = total(caller.calls for caller in callers if backend_key(caller.backend) == key)
        most_asked = len(job.plans) if is_batched(backend) else backend.concurrency
        slots = max(1, min(job.limits.concurrency, most_asked))
        least, most = BATCH_SECONDS if is_batched(backend) else SECONDS
        low = max(low, least * asked.low / slots)
        likely += (least * most) ** 0.5 * max(chain, asked.likely / slots)
        high += most * max(chain, asked.high / slots)
    return Range(low, likely, high)


def _batches(job: Job, callers: Sequence[CallForecast], matches: int) -> Iterator[BatchForecast]:
    """The batches of each backend that asks in batches, if matches that are played at once ask at the same time."""
    backends = {backend_key(caller.backend): caller.backend for caller in callers if is_batched(caller.backend)}
    for key in backends:
        own = [caller for caller in callers if backend_key(caller.backend) == key]
        at_once = min(job.limits.concurrency, matches)
        yield BatchForecast(
            callers=tuple(caller.caller for caller in own),
            batches=total(caller.calls for caller in own).times(1 / at_once),
        )
