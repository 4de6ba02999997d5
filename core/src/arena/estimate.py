"""What a benchmark will take, before anything is paid for.

Lengths of matches are those of matches that were played, where a run is extended, else of random playouts with the
run's own deals. Prompts are rendered for real at the first, a middle and the last turn of one playout and not sent; a
token is taken to be four characters. Nobody knows how much a model will write or how fast it is: those are bounds, and
said to be.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, TypeAlias

import attrs

from arena.agent import Agent
from arena.backend import Backend
from arena.benchmark import Benchmark
from arena.executor import Work
from arena.record import MatchPlan
from arena.rehearsal import Request, StandIn, catch, rehearse
from arena.runner import work_of
from arena.schedule import expand
from arena.spending import Forecast, Range
from arena.wire import identity

PLAYOUTS: Final = 10
"""Random playouts of each game, at most."""

TURNS: Final = 20_000
"""After so many turns no further playout of a game is begun."""

RECORDED: Final = 5
"""From so many played matches of a game on, their lengths are taken in place of random ones."""

CHARACTERS: Final = 4.0
"""Characters of a token, roughly, in English prose."""

SECONDS: Final = (1.0, 10.0)
"""What one completion is assumed to take."""

Lengths: TypeAlias = Mapping[str, Sequence[tuple[int, ...]]]


@attrs.frozen(kw_only=True)
class GameEstimate:
    """One game: its matches, and decisions in each by player.

    They come from ``recorded`` matches that were played, or else from random ``playouts``.
    """

    game: str
    matches: int
    decisions: tuple[Range, ...]
    playouts: int
    recorded: int = 0

    @property
    def per_match(self) -> Range:
        """Decisions of all players in one match."""
        return _sum(self.decisions)


@attrs.frozen(kw_only=True)
class AgentEstimate:
    """What one agent asks of its backend; only its first request in each turn is known.

    ``completion_tokens`` is an upper bound, ``None`` where the backend has none. ``cost_usd`` is ``None`` where nobody
    knows a price.
    """

    agent: str
    backend: Backend
    calls: Range
    prompt_tokens: Range
    completion_tokens: float | None
    cost_usd: Range | None


@attrs.frozen(kw_only=True)
class Estimate:
    """The whole run. ``seconds`` assumes ``SECONDS`` for a completion; without models it is measured."""

    matches: int
    games: tuple[GameEstimate, ...]
    agents: tuple[AgentEstimate, ...]
    seconds: Range

    @property
    def decisions(self) -> Range:
        """Decisions of all players in all matches."""
        return _sum(game.per_match.times(game.matches) for game in self.games)

    @property
    def cost_usd(self) -> Range | None:
        """What all agents cost; ``None`` where one's price is unknown."""
        costs = [agent.cost_usd for agent in self.agents]
        return None if None in costs else _sum(cost for cost in costs if cost is not None)

    def forecast(self) -> Forecast:
        """The sums over all agents, to be held against what comes."""
        written = [agent.completion_tokens for agent in self.agents]
        return Forecast(
            matches=self.matches,
            decisions=self.decisions,
            calls=_sum(agent.calls for agent in self.agents),
            prompt_tokens=_sum(agent.prompt_tokens for agent in self.agents),
            completion_tokens=None if None in written else sum(tokens for tokens in written if tokens is not None),
            cost_usd=self.cost_usd,
            seconds=self.seconds,
        )


async def estimate(benchmark: Benchmark, done: Iterable[str] = (), recorded: Lengths | None = None) -> Estimate:
    """Rehearse a little of everything; ``done`` are matches that need not be played.

    ``recorded`` are turns by player of matches that were played, by game.
    """
    finished = frozenset(done)
    plans = [plan for plan in expand(benchmark) if plan.id not in finished]
    work = work_of(benchmark, plans)
    started = time.monotonic()
    games: list[GameEstimate] = []
    for game in dict.fromkeys(plan.game for plan in plans):
        games.append(await _game(work, [plan for plan in plans if plan.game == game], (recorded or {}).get(game, ())))
    rehearsed = sum(game.playouts for game in games)
    own_s = (time.monotonic() - started) / max(1, rehearsed) * len(plans)
    by_game = {game.game: game for game in games}
    agents = [await _agent(work, name, agent, by_game) for name, agent in work.agents.items() if agent.backends()]
    found = tuple(agent for agent in agents if agent is not None)
    return Estimate(matches=len(plans), games=tuple(games), agents=found, seconds=_seconds(work, found, by_game, own_s))


async def first_request(work: Work, plan: MatchPlan, player: int, turns: int = 0) -> Request | None:
    """What the agent of ``player`` would ask after ``turns`` turns; until then everybody plays at random."""
    parts: list[Agent] = [StandIn() for _ in plan.agents]
    parts[player] = StandIn(work.agents[plan.agents[player]], turns)
    return await catch(work, plan, parts)


async def _game(work: Work, plans: Sequence[MatchPlan], recorded: Sequence[tuple[int, ...]]) -> GameEstimate:
    players = len(plans[0].agents)
    turns: list[tuple[int, ...]] = []
    for plan in plans[:PLAYOUTS]:
        turns.append((await rehearse(work, plan, [StandIn()] * players)).turns(players))
        if sum(map(sum, turns)) >= TURNS:
            break
    is_recorded = len(recorded) >= RECORDED
    decisions = tuple(
        Range(min(of), fmean(of), max(of)) for of in zip(*(recorded if is_recorded else turns), strict=True)
    )
    return GameEstimate(
        game=plans[0].game,
        matches=len(plans),
        decisions=decisions,
        playouts=len(turns),
        recorded=len(recorded) if is_recorded else 0,
    )


async def _agent(work: Work, name: str, agent: Agent, games: Mapping[str, GameEstimate]) -> AgentEstimate | None:
    calls, prompts, written = Range(), Range(), 0.0
    backend = next(iter(agent.backends().values()))
    for game, estimated in games.items():
        players = len(next(plan.agents for plan in work.plans if plan.game == game))
        tries = 1 + work.illegal_actions.of(work.games[game], players).retries
        seats = [(plan, p) for plan in work.plans if plan.game == game for p, a in enumerate(plan.agents) if a == name]
        if not seats:
            continue
        asked = _sum(estimated.decisions[p] for _, p in seats)
        asked = Range(asked.low, asked.likely, asked.high * tries)
        sizes, limit = await _sizes(work, *seats[0], estimated)
        if not sizes:
            continue
        calls = calls.plus(asked)
        # A third more or less: languages, digits and boards take other numbers of characters for a token.
        prompts = prompts.plus(
            Range(asked.low * min(sizes) * 0.7, asked.likely * fmean(sizes), asked.high * max(sizes) * 1.3)
        )
        written += asked.high * limit
    if not calls.high:
        return None
    price = backend.price()
    cost = None
    if price is not None:
        cost = prompts.times(price.prompt_usd)
        cost = attrs.evolve(cost, high=cost.high + (written * price.completion_usd if price.completion_usd else 0.0))
    bound = None if written == float("inf") else written
    return AgentEstimate(
        agent=name, backend=backend, calls=calls, prompt_tokens=prompts, completion_tokens=bound, cost_usd=cost
    )


async def _sizes(work: Work, plan: MatchPlan, player: int, game: GameEstimate) -> tuple[list[float], float]:
    """Tokens of prompts early, in the middle and late in a match, and the most that may be written in answer."""
    last = max(0, int(game.decisions[player].likely) - 1)
    sizes: list[float] = []
    limit = 0.0
    for turns in sorted({0, last // 2, last}):
        caught = await first_request(work, plan, player, turns)
        if caught is not None:
            sizes.append(sum(len(message.text) for message in caught.request.messages) / CHARACTERS)
            limit = caught.backend.complete_sampling(caught.request.sampling).max_tokens or float("inf")
    return sizes, limit


def _seconds(work: Work, agents: Sequence[AgentEstimate], games: Mapping[str, GameEstimate], own_s: float) -> Range:
    """The longest chain of completions in one match, or all of them over the slots there are, whichever is longer."""
    low, likely, high = own_s, own_s, own_s
    backends = {identity(agent.backend): agent.backend for agent in agents}
    for key, backend in backends.items():
        asked = _sum(agent.calls for agent in agents if identity(agent.backend) == key)
        slots = min(work.limits.concurrency, backend.concurrency)
        chain = max((game.per_match.likely for game in games.values()), default=0.0)
        low = max(low, SECONDS[0] * asked.low / slots)
        likely += (SECONDS[0] * SECONDS[1]) ** 0.5 * max(chain, asked.likely / slots)
        high += SECONDS[1] * max(chain, asked.high / slots)
    return Range(low, likely, high)


def _sum(ranges: Iterable[Range]) -> Range:
    total = Range()
    for each in ranges:
        total = total.plus(each)
    return total
