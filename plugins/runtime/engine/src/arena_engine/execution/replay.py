"""Goes back to a turn of a recorded match: to ask another agent there, or to play on from it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs
from arena.agent import Agent
from arena.catalog import Catalog
from arena.errors import ConfigError, JournalError
from arena.record import MatchHistory, MatchPlan
from arena.schedule import Lineup, joined_names
from arena.turns import Turn, turns

from arena_engine.benchmark.benchmark import Benchmark, build_benchmark
from arena_engine.benchmark.option_values import from_options
from arena_engine.benchmark.recorded_benchmark import open_benchmark, recorded_plain
from arena_engine.benchmark.trust import registered_only
from arena_engine.execution.capture import CapturedCompletions, CapturingAgent
from arena_engine.execution.readiness import check_secrets
from arena_engine.execution.runner import job_for
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import TranscriptTurn, transcript
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call
from arena_engine.match.opening import Opening
from arena_engine.match.simulation import simulate

OPENING = "opening"
"""The agent plugin that plays recorded moves before it hands over."""


def open_to_ask(journal: Journal, name: str, catalog: Catalog) -> Benchmark:
    """The benchmark of a run for ``ask``, with ``name`` among its agents.

    ``name`` is an agent of the run, or a plugin or model as ``arena run --agent`` takes it, which must be able to play
    the games of the run. ``ConfigError`` where it cannot, or where a secret of its models is not set.
    """
    benchmark = _open_to_ask(journal, name, catalog)
    check_secrets(attrs.evolve(benchmark, agents={name: benchmark.agents[name]}, metrics={}))
    return benchmark


def _open_to_ask(journal: Journal, name: str, catalog: Catalog) -> Benchmark:
    plain = recorded_plain(journal)
    if name in plain["agents"]:
        return open_benchmark(journal, catalog)
    kept = {key: value for key, value in plain.items() if key not in ("metrics", "observers", "schedule")}
    agents = {name: _plain_agent(name, plain, catalog)}
    with registered_only():
        changed = {**kept, "schedule": "self-play", "agents": agents}
        return build_benchmark(changed, catalog, is_recorded=True)


def _plain_agent(name: str, plain: Mapping[str, Any], catalog: Catalog) -> Any:
    """The plain data of an agent: of the benchmark's own by that name, or of a plugin or model as it is today."""
    if name in plain["agents"]:
        return plain["agents"][name]
    (agent,) = from_options(list(plain["games"]), [name], catalog=catalog)["agents"].values()
    return agent


async def ask(
    benchmark: Benchmark, record: MatchHistory, number: int, agent: Agent
) -> tuple[TranscriptTurn, tuple[JournalEntry, ...]]:
    """Let ``agent`` take turn ``number`` instead of the agent that took it, without writing to the journal.

    It gets every event that the player had seen, and none of its reasoning. Its models are really asked. Returns the
    turn, and the entries of all completions.
    """
    target = turn_of(record, number)
    moves = moves_before(record, target, complete_step=True)
    agents: list[Agent] = [Opening(agent=agent, moves=moves) for _ in record.agents]
    job = job_for(benchmark, [record.plan])
    simulated = await simulate(job, record.plan, agents, target.step + 1)
    replayed = attrs.evolve(record, events=simulated.events)
    for turn in transcript(replayed, simulated.answers):
        if (turn.player, turn.turn) == (target.player, target.turn):
            return turn, simulated.answers
    raise JournalError(f"match {record.id!r}: turn {number} does not come up again; was the game changed?")


@attrs.frozen(kw_only=True)
class AskingCost:
    """What one try of an agent in a turn may use, from above: each byte as a token, each answer as long as it may be.

    Without ``calls`` of models nothing is paid. ``cost_usd`` is ``None`` where a price is not known. After refusals
    there are up to ``tries`` tries.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    tries: int


async def cost_of_asking(benchmark: Benchmark, record: MatchHistory, number: int, agent: Agent) -> AskingCost:
    """What ``ask`` may use, found by letting the agent write its requests for that turn, which are not sent."""
    target, job = turn_of(record, number), job_for(benchmark, [record.plan])
    calls: list[Call] = []
    if agent.backends():
        captured = CapturedCompletions()
        moves = moves_before(record, target, complete_step=True)
        asked = Opening(agent=CapturingAgent(agent, captured), moves=moves)
        await simulate(job, record.plan, [asked for _ in record.agents], target.step + 1)
        calls = [Call.of(record.id, "", own.backend, own.request) for own in captured.requests]
    costs = [call.cost_usd for call in calls]
    policy = job.illegal_actions.for_game(job.games[record.game], len(record.agents))
    return AskingCost(
        calls=len(calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        completion_tokens=sum(call.completion_tokens for call in calls),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        tries=1 + policy.retries,
    )


def turn_of(record: MatchHistory, number: int) -> Turn:
    """A turn by its number, counted from 1; ``ConfigError`` if there is none."""
    found = turns(record)
    if not 1 <= number <= len(found):
        raise ConfigError(f"--turn {number}: match {record.id!r} has turns 1 to {len(found)}")
    return found[number - 1]


def moves_before(
    record: MatchHistory, target: Turn, *, complete_step: bool
) -> tuple[tuple[Mapping[str, Any], ...], ...]:
    """The moves before a turn, by player; with ``complete_step`` also those of other players in the same step."""
    last = target.step if complete_step else target.step - 1
    played = [t for t in turns(record) if t.step <= last and (t.step < target.step or t.player != target.player)]
    return tuple(tuple(t.move for t in played if t.player == p) for p in range(len(record.agents)))


def branch(
    journal: Journal, record: MatchHistory, number: int, names: Sequence[str], catalog: Catalog
) -> tuple[Benchmark, MatchPlan]:
    """A benchmark of one match that continues from turn ``number``, and its plan: same deals, same moves before.

    ``names`` are agents of the benchmark, plugins or models: one, which takes over from the player whose turn it is,
    or one for every player.
    """
    target = turn_of(record, number)
    agents = list(record.agents)
    if len(names) == len(agents):
        agents = list(names)
    elif len(names) == 1:
        agents[target.player] = names[0]
    else:
        raise ConfigError(
            f"--branch {joined_names(tuple(names))}: expected one agent, for player {target.player}, or {len(agents)}, "
            "one for each player"
        )
    plain = recorded_plain(journal)
    moves = [list(of) for of in moves_before(record, target, complete_step=False)]
    called = {name: seat_word(name) for name in agents}
    entries = {
        called[name]: {"use": OPENING, "agent": _untagged(_plain_agent(name, plain, catalog)), "moves": moves}
        for name in agents
    }
    seating = tuple(called[name] for name in agents)
    changed = {
        **{k: v for k, v in plain.items() if k != "disable"},
        "name": f"{journal.header.name}-branch",
        "games": {record.game: plain["games"][record.game]},
        "agents": entries,
        "schedule": {"use": "fixed", "seatings": [list(seating)]},
    }
    with registered_only():
        made = build_benchmark(changed, catalog, is_recorded=True)
    lineup = Lineup(seating, record.plan.repeat)
    plan = attrs.evolve(
        record.plan,
        id=f"{record.game}/{joined_names(seating)}/{lineup.repeat}.{lineup.rotation}",
        agents=seating,
        pairing=lineup.pairing,
        rotation=lineup.rotation,
    )
    return made, plan


def _untagged(plain: Any) -> Any:
    if not isinstance(plain, Mapping):
        return plain
    return {k: v for k, v in cast("Mapping[str, Any]", plain).items() if k not in ("tags", "variant")}


def seat_word(name: str) -> str:
    """The name of an agent in a branched run: without the character that has a meaning in the id of a match."""
    return name.replace("/", "-")
