"""Go through a recorded match again: its positions, another agent's view of one, and another way on from it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from arena.agent import Agent
from arena.benchmark import Benchmark, from_plain
from arena.catalog import Catalog
from arena.chance import Chance
from arena.errors import ConfigError, JournalError
from arena.executor import Answer
from arena.game import GONE, Game, Gone, State
from arena.journal import Journal
from arena.opening import Opening
from arena.quick import from_options
from arena.record import Action, Event, GameEvent, MatchPlan, MatchRecord, Player, canonical
from arena.rehearsal import rehearse
from arena.runner import work_of
from arena.schedule import Lineup
from arena.turns import Turn, turns

OPENING = "opening"
"""The agent plugin that plays recorded moves before it hands over."""


@attrs.frozen(kw_only=True)
class Position:
    """The match before one of its waves, or at its end.

    ``state`` is the live one and is moved on with the iteration: look at it before taking the next position.
    """

    wave: int
    state: State
    events: tuple[Event, ...]


def positions(game: Game, record: MatchRecord) -> Iterator[Position]:
    """Every position of a match, from the recorded actions; ``events`` are what the game said when it came up.

    ``JournalError`` where the game does not do again what was recorded.
    """
    state, opening = game.start(Chance(record.plan.chance_seed), len(record.agents))
    by_turn = turns(record)
    happened: Sequence[GameEvent] = opening
    for wave in range(record.waves + 1):
        recorded = tuple(e for e in record.events if e.source == "game" and e.wave == wave)
        _check(record, wave, happened, recorded)
        yield Position(wave=wave, state=state, events=recorded)
        if wave < record.waves:
            happened = _applied(record, state, [t for t in by_turn if t.wave == wave])


def _applied(record: MatchRecord, state: State, played: Sequence[Turn]) -> Sequence[GameEvent]:
    actions: dict[Player, Action | Gone] = dict.fromkeys(state.to_act(), GONE)
    for turn in played:
        if turn.player not in actions:
            raise _changed(record, turn.wave, f"player {turn.player} is not to act")
        if turn.played is None:
            continue
        action = turn.move["play"]
        if illegal := state.check(turn.player, action):
            raise _changed(
                record, turn.wave, f"{canonical(action)} of player {turn.player} is refused: {illegal.reason}"
            )
        actions[turn.player] = action
    return state.apply(actions)


def _check(record: MatchRecord, wave: int, happened: Sequence[GameEvent], recorded: Sequence[Event]) -> None:
    found = [canonical([e.kind, e.data, None if e.to is None else list(e.to)]) for e in happened]
    expected = [canonical([e.kind, e.data, None if e.to is None else list(e.to)]) for e in recorded]
    if found != expected:
        differs = next(
            (f"{f} for {e}" for f, e in zip(found, expected, strict=False) if f != e), "their number differs"
        )
        raise _changed(record, wave, f"its events differ ({differs})")


def _changed(record: MatchRecord, wave: int, what: str) -> JournalError:
    return JournalError(
        f"match {record.id!r}, wave {wave}: the game {record.game!r} does not do again what was recorded: {what}; "
        "install the version that the run's provenance names"
    )


def plain_of(journal: Journal) -> Mapping[str, Any]:
    """The benchmark of a run, as ``from_plain`` takes it."""
    return cast("Mapping[str, Any]", journal.header.benchmark)


def agent_of(name: str, benchmark: Benchmark, catalog: Catalog) -> Agent:
    """An agent of the benchmark by its name, or a plugin or model as ``arena run --agent`` takes it."""
    if name in benchmark.agents:
        return benchmark.agents[name].agent
    return _with(benchmark, {name: plain_agent(name, benchmark, catalog)}, catalog).agents[name].agent


def plain_agent(name: str, benchmark: Benchmark, catalog: Catalog) -> Any:
    """The same as plain data."""
    known = cast("Mapping[str, Any]", benchmark.plain.get("agents", {}))
    if name in known:
        return known[name]
    (plain,) = from_options(list(benchmark.games), [name], catalog=catalog)["agents"].values()
    return plain


def _with(benchmark: Benchmark, agents: Mapping[str, Any], catalog: Catalog) -> Benchmark:
    plain = {k: v for k, v in benchmark.plain.items() if k not in ("metrics", "observers", "schedule")}
    return from_plain({**plain, "schedule": "self-play", "agents": dict(agents)}, catalog)


async def ask(benchmark: Benchmark, record: MatchRecord, number: int, agent: Agent) -> tuple[Turn, tuple[Answer, ...]]:
    """Let ``agent`` take turn ``number`` in the place of who took it; nothing is written down.

    It has seen all that the player had seen, and none of its thoughts. Its models are asked for real. The turn comes
    with what was asked and answered.
    """
    target = turn_of(record, number)
    moves = moves_before(record, target, complete_wave=True)
    parts: list[Agent] = [Opening(agent=agent, moves=moves) for _ in record.agents]
    work = work_of(benchmark, [record.plan])
    rehearsed = await rehearse(work, record.plan, parts, target.wave + 1)
    replayed = attrs.evolve(record, events=rehearsed.events)
    for turn in turns(replayed, rehearsed.answers):
        if (turn.player, turn.turn) == (target.player, target.turn):
            return turn, rehearsed.answers
    raise JournalError(f"match {record.id!r}: turn {number} does not come up again; was the game changed?")


def turn_of(record: MatchRecord, number: int) -> Turn:
    """A turn by its number; ``ConfigError`` where there is none."""
    found = turns(record)
    if not 1 <= number <= len(found):
        raise ConfigError(f"--turn {number}: match {record.id!r} has turns 1 to {len(found)}")
    return found[number - 1]


def moves_before(
    record: MatchRecord, target: Turn, *, complete_wave: bool
) -> tuple[tuple[Mapping[str, Any], ...], ...]:
    """What everybody did before a turn, by player; with ``complete_wave`` also what others did at the same time."""
    last = target.wave if complete_wave else target.wave - 1
    played = [t for t in turns(record) if t.wave <= last and (t.wave < target.wave or t.player != target.player)]
    return tuple(tuple(t.move for t in played if t.player == p) for p in range(len(record.agents)))


def branch(
    journal: Journal, record: MatchRecord, number: int, names: Sequence[str], catalog: Catalog
) -> tuple[Benchmark, MatchPlan]:
    """A benchmark of one match that goes on from turn ``number``, and its plan: the same deals, the same moves so far.

    ``names`` are agents of the benchmark, plugins or models: one takes the seat of whose turn it is, or there is one
    for every player.
    """
    target = turn_of(record, number)
    agents = list(record.agents)
    if len(names) == len(agents):
        agents = list(names)
    elif len(names) == 1:
        agents[target.player] = names[0]
    else:
        raise ConfigError(
            f"--branch {','.join(names)}: expected one agent, for player {target.player}, or {len(agents)}, one for "
            "each player"
        )
    plain = plain_of(journal)
    benchmark = from_plain(plain, catalog)
    moves = [list(of) for of in moves_before(record, target, complete_wave=False)]
    called = {name: _word(name) for name in agents}
    entries = {
        called[name]: {"use": OPENING, "agent": _untagged(plain_agent(name, benchmark, catalog)), "moves": moves}
        for name in agents
    }
    seating = tuple(called[name] for name in agents)
    made = from_plain(
        {
            **{k: v for k, v in plain.items() if k != "disable"},
            "name": f"{journal.header.name}-branch",
            "games": {record.game: cast("Mapping[str, Any]", plain["games"])[record.game]},
            "agents": entries,
            "schedule": {"use": "fixed", "seatings": [list(seating)]},
        },
        catalog,
    )
    lineup = Lineup(seating, record.plan.repeat)
    plan = attrs.evolve(
        record.plan,
        id=f"{record.game}/{','.join(seating)}/{lineup.repeat}.{lineup.rotation}",
        agents=seating,
        pairing=lineup.pairing,
        rotation=lineup.rotation,
    )
    return made, plan


def _untagged(plain: Any) -> Any:
    if not isinstance(plain, Mapping):
        return plain
    return {k: v for k, v in cast("Mapping[str, Any]", plain).items() if k != "tags"}


def _word(name: str) -> str:
    """A name as it may stand in the id of a match."""
    return name.replace("/", "-").replace(",", "-").replace(" ", "-")
