"""Matches that were sampled to forecast others, and what agents ask in them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import attrs
from arena.agent import Agent
from arena.backend import Backend
from arena.record import MatchPlan, MatchRecord

from arena_engine.execution.capture import CapturedCompletions, requests_by_player
from arena_engine.job.executor import Job
from arena_engine.journal.usage import Range


@attrs.frozen(kw_only=True)
class SampledMatches:
    """The plans of one game, the expected decisions of each player in a match, and random playouts of some plans."""

    game: str
    plans: Sequence[MatchPlan]
    decisions: tuple[Range, ...]
    records: Sequence[MatchRecord]

    @property
    def per_match(self) -> Range:
        """The decisions of all players together in one match."""
        return total(self.decisions)

    def longest(self, agent: str) -> tuple[MatchPlan, int]:
        """The plan and player with which to simulate an agent: its longest playout, or else its first plan."""
        seats = [(record, p) for record in self.records for p, name in enumerate(record.agents) if name == agent]
        if seats:
            record, player = max(seats, key=lambda seat: _turns(*seat))
            return record.plan, player
        plan = next(plan for plan in self.plans if agent in plan.agents)
        return plan, plan.agents.index(agent)


def total(ranges: Iterable[Range]) -> Range:
    """The sum of ranges, bound by bound."""
    added = Range()
    for each in ranges:
        added = added.plus(each)
    return added


@attrs.frozen(kw_only=True)
class AgentRequests:
    """What an agent asks in one playout of a game as each of some players, ``longest`` being who is asked most.

    ``matches`` counts the matches by player. A player who was never asked in that playout is taken to be asked what the
    longest was.
    """

    agent: str
    game: SampledMatches
    matches: Mapping[int, int]
    longest: int
    captured: Mapping[int, CapturedCompletions]


async def requests_of(
    job: Job, name: str, game: SampledMatches, known: Iterable[AgentRequests] = (), *, every_player: bool = False
) -> AgentRequests | None:
    """Capture what an agent asks in its longest playout of a game; ``None`` if it asks no model, or plays no match.

    With ``every_player`` it is asked as each player that it is in some match. ``known`` are such requests of other
    agents: one that differs in its backends alone asks the same.
    """
    matches = Counter(p for plan in game.plans for p, agent in enumerate(plan.agents) if agent == name)
    if not matches or not job.agents[name].backends():
        return None
    plan, longest = game.longest(name)
    made = partial(AgentRequests, agent=name, game=game, matches=matches, longest=longest)
    for other in known:
        is_same = other.game is game and matches.keys() <= other.captured.keys()
        if is_same and _differ_in_backends(job.agents[name], job.agents[other.agent]):
            return made(captured={player: _asked_of(job, name, other, player) for player in matches})
    captured = await requests_by_player(job, plan, name, matches if every_player else (longest,))
    return made(captured={player: each if each.requests else captured[longest] for player, each in captured.items()})


def _differ_in_backends(one: Agent, other: Agent) -> bool:
    """Whether two agents are equal but for fields that are backends."""
    if type(one) is not type(other) or not attrs.has(type(one)):
        return False
    pairs = ((getattr(one, field.name), getattr(other, field.name)) for field in attrs.fields(type(one)))
    return all(mine == theirs or (isinstance(mine, Backend) and isinstance(theirs, Backend)) for mine, theirs in pairs)


def _asked_of(job: Job, name: str, other: AgentRequests, player: int) -> CapturedCompletions:
    """What another agent was captured to ask, as asked of this agent's backends."""
    own, theirs = job.agents[name].backends(), job.agents[other.agent].backends()
    captured = CapturedCompletions()
    captured.turn, captured.turns = other.captured[player].turn, other.captured[player].turns
    for request in other.captured[player].requests:
        key = next(key for key, backend in theirs.items() if backend == request.backend)
        captured.requests.append(attrs.evolve(request, backend=own[key]))
    return captured


def _turns(record: MatchRecord, player: int) -> int:
    return sum(event.player == player for event in record.played())
