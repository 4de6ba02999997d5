"""What an agent can reach from what it is handed: nothing public leads to the match it plays in."""

import functools
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import pytest
from arena.agent import Agent, PlayerAgent, Reply
from arena.catalog import Catalog, Status
from arena.game import Game, State
from arena.record import MatchPlan
from arena_engine import make_plugin
from arena_engine.job.executor import Job
from arena_engine.match.simulation import simulate

from .reachable import ATOMS, reachable

FROZEN_ROOTS = (FunctionType, BuiltinFunctionType)


def owned(thing: Any, found: dict[int, Any] | None = None, depth: int = 0) -> dict[int, Any]:
    """Every mutable object that a state holds, in attributes of any name."""
    found = {} if found is None else found
    if isinstance(thing, (*ATOMS, *FROZEN_ROOTS, Game)) or id(thing) in found or depth > 6:
        return found
    if isinstance(thing, list | dict | set | State):
        found[id(thing)] = thing
    elif isinstance(thing, MethodType):
        return owned(thing.__self__, found, depth + 1)
    held: list[Any] = list(thing.values()) if isinstance(thing, dict) else []
    if isinstance(thing, list | tuple | set | frozenset):
        held += thing
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    held += [getattr(thing, name, None) for name in names if isinstance(name, str)]
    held += getattr(thing, "__dict__", {}).values()
    for value in held:
        owned(value, found, depth + 1)
    return found


class Explorer(Agent):
    """Plays at random, and says what it could get hold of in its first turns."""

    def __init__(self) -> None:
        self.leaks: list[str] = []
        self.decisions = 0

    def join(self, seat):
        return ExploringPlayer(self, seat)


class ExploringPlayer(PlayerAgent):
    def __init__(self, agent: Explorer, seat: Any) -> None:
        self.agent = agent
        self.seat = seat

    async def act(self, decision):
        if decision.turn < 2:
            self.agent.decisions += 1
            self.agent.leaks += leaks(decision, self.seat)
        return Reply(action=decision.sample(self.seat.rng))


def leaks(decision: Any, seat: Any) -> list[str]:
    """The ways from a decision and a seat to the state, or to something mutable that the state holds."""
    state = decision._view._state._state  # the state itself, which the referee asks through its checks
    own = owned(state)
    of_the_game = reachable(seat.game, "game")
    found = reachable(decision, "decision") | reachable(seat, "seat")
    return [
        f"{way}: {type(thing).__name__}"
        for way, thing in found.values()
        if isinstance(thing, State) or (id(thing) in own and id(thing) not in of_the_game)
    ]


def games() -> list[str]:
    """Every game that is installed and can be played with its defaults or its example."""
    found = [entry for entry in Catalog().entries("game") if entry.status is Status.OK]
    return [entry.name for entry in found]


MUCH = {"tradecraft"}
"""Games whose match holds so many things that looking at all takes a third of a minute."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.campaign] if name in MUCH else []) for name in games()]
)
@pytest.mark.sample(fast=3, slow=4)
async def test_nothing_public_leads_to_the_match(name):
    """From a decision and a seat, public attributes lead to no state and to nothing mutable that a state holds."""
    game = make_plugin("game", {"use": name, **Catalog().get("game", name).plugin.example})
    players = min(game.player_counts())
    agents = tuple(f"agent-{p}" for p in range(players))
    plan = MatchPlan(
        id=f"game/{','.join(agents)}/0.0",
        game="game",
        agents=agents,
        pairing=",".join(agents),
        repeat=0,
        rotation=0,
        chance_seed=1,
    )
    explorer = Explorer()
    job = Job(plans=(plan,), games={"game": game}, agents=dict.fromkeys(agents, explorer), seed=1)

    await simulate(job, plan, [explorer] * players, 4)

    assert explorer.decisions
    assert explorer.leaks == []


def test_a_walk_finds_what_leads_to_a_state():
    """The walk goes through bound methods and partial functions, and finds a state and its list behind them."""

    class Counting(State):
        def __init__(self):
            self.numbers = [1, 2]

        def to_act(self): ...
        def decision(self, player): ...
        def observe(self, player): ...
        def apply(self, actions): ...
        def returns(self): ...

    state = Counting()
    found = reachable({"draw": functools.partial(state.observe, 0)}, "seat")

    assert id(state) in found
    assert found[id(state.numbers)][0].startswith("seat['draw'].func.__self__")
    assert {id(state), id(state.numbers)} <= set(owned(state))
    assert inspect.ismethod(state.observe)
