"""Finds the installed agents that can play a game, and the strongest of them, without playing it."""

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, TypeVar

import attrs
from arena.agent import Agent
from arena.catalog import Catalog, InstalledPlugin, Status
from arena.errors import ArenaError, ConfigError
from arena.game import Game
from arena.solver import Solver
from arena_engine import Benchmark, make_plugin

T = TypeVar("T")

OPTIMAL: Final = "optimal"
"""The capability of agents that play every game they accept as well as can be."""

RANKED: Final = 100
"""Agents whose descriptors give a lower ``order`` say how strongly they play: 5 without a mistake, 90 barely."""

ANYTHING: Final = "random"
"""The agent that plays every game."""

ASK_S: Final = 0.5
"""The processor time in which an agent must say whether it plays a game."""

BUILD_S: Final = 5.0
"""The processor time in which a benchmark with one of the ranked agents must be ready."""


@attrs.frozen
class FittingAgents:
    """Agents of a game by their names: those that play it perfectly, and others that are made for such games.

    Agents that take any game at all (random ones, people, models) are in neither.
    """

    optimal: tuple[str, ...]
    others: tuple[str, ...]


def opponents_of(game: Game, players: int, catalog: Catalog) -> FittingAgents:
    """The installed agents that look at the game before they accept it, and accept this one with their defaults.

    An agent that needs longer than half a second to look is left out.
    """
    found = [(entry, agent) for entry, agent in _agents(catalog) if _is_made_for(agent, game, players)]
    optimal = [entry.name for entry, agent in found if _is_optimal(entry, agent)]
    return FittingAgents(tuple(optimal), tuple(entry.name for entry, _ in found if entry.name not in optimal))


def strongest(catalog: Catalog, build: Callable[[str], Benchmark]) -> tuple[str, Benchmark]:
    """The strongest installed agent with which ``build`` makes a benchmark, and that benchmark.

    Where none that says how strongly it plays fits the game, it is the one that plays at random; ``ConfigError`` if not
    even that one fits.
    """
    for name in _ranked(catalog):
        try:
            benchmark = _in_time(lambda name=name: build(name), BUILD_S)
        except ConfigError:  # it cannot play this game
            continue
        if benchmark is not None:
            return name, benchmark
    return ANYTHING, build(ANYTHING)


def _ranked(catalog: Catalog) -> list[str]:
    """The agents that say how strongly they play, the strongest first, then by name."""
    usable = [entry for entry in catalog.entries("agent") if entry.status is Status.OK]
    ranked = [(entry.plugin.order, entry.name) for entry in usable if entry.plugin and entry.plugin.order < RANKED]
    return [name for _, name in sorted(ranked)]


def _agents(catalog: Catalog) -> Iterator[tuple[InstalledPlugin, Agent]]:
    for entry in catalog.entries("agent"):
        if entry.status is Status.OK:
            try:
                yield entry, make_plugin("agent", entry.name, catalog)
            except ArenaError:  # it has parameters that only a benchmark can give
                continue


def _is_made_for(agent: Agent, game: Game, players: int) -> bool:
    if type(agent).needs is Agent.needs or agent.backends():
        return False
    try:
        return _in_time(lambda: agent.needs(game, players), ASK_S) is not None and agent.forms() <= set(game.forms)
    except Exception:  # it cannot play the game, or has a bug that a run of it would tell
        return False


def _is_optimal(entry: InstalledPlugin, agent: Any) -> bool:
    if entry.plugin and OPTIMAL in entry.plugin.capabilities:
        return True
    solver = getattr(agent, "solver", None)
    return isinstance(solver, Solver) and solver.is_exact and solver.is_specialist


class _TimeOver(BaseException):
    """The time to ask an agent is over; not an ``Exception``, which the agent might catch."""


def _in_time(ask: Callable[[], T], limit_s: float) -> T | None:
    try:
        with _limited(limit_s):
            return ask()
    except _TimeOver:
        return None


@contextmanager
def _limited(limit_s: float) -> Generator[None]:
    """Interrupt the body when its processor time is over, where the system can do that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _TimeOver

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
