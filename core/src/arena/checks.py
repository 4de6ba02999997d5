"""What can be known to fail before anything is played: forms a game lacks, things a backend cannot do."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from arena.agent import Agent
from arena.catalog import Entry
from arena.entries import AgentEntry, GameEntry
from arena.errors import ConfigError
from arena.executor import Limits
from arena.metric import Metric
from arena.mistakes import Misfit, Problem
from arena.plain import Path, kebab
from arena.record import MatchPlan

T = TypeVar("T")

IMAGINES = "imagines"
"""The capability of an agent that can do nothing without ``seat.imagine``."""


def misfits(
    games: Mapping[str, GameEntry],
    agents: Mapping[str, AgentEntry],
    used: Mapping[Path, Entry],
    plans: Iterable[MatchPlan],
    *,
    imagines: bool = True,
) -> Iterator[Problem]:
    """Why agents cannot play the games that ``plans`` put them into, or cannot be measured as asked."""
    meetings = dict.fromkeys((plan.game, agent) for plan in plans for agent in plan.agents)
    for game, agent in meetings:
        try:
            yield from _forms(game, games[game], agent, agents[agent])
            yield from _abilities(game, games[game], agent, agents[agent])
        except Misfit as misfit:
            yield Problem(("agents", agent), str(misfit))
    seated = dict.fromkeys(agent for _, agent in meetings)
    if not imagines:
        yield from (_unimagined(name) for name in seated if _imagines(used.get(("agents", name))))
    for path, entry in used.items():
        if entry.plugin is None or not entry.plugin.requires:
            continue
        concerned = seated if path[0] != "games" else [agent for game, agent in meetings if game == path[1]]
        for agent in concerned:
            yield from _required(entry, agent, agents[agent].agent, used.get(("agents", agent)))


def _imagines(plugin: Entry | None) -> bool:
    return plugin is not None and plugin.plugin is not None and IMAGINES in plugin.plugin.capabilities


def _unimagined(agent: str) -> Problem:
    return Problem(("agents", agent), "thinks on imagined positions; write 'imagines: true', or leave the agent out")


def unpriced(owners: Mapping[Path, Agent | Metric], limits: Limits) -> Iterator[Problem]:
    """Backends that nobody knows the price of, where a run is bounded by money; ``owners`` are those who ask them."""
    if limits.budget_usd is None:
        return
    for path, owner in owners.items():
        for field, backend in owner.backends().items():
            if _asked(backend.price, f"price of {field!r}") is None:
                text = "nobody knows its price, which limits.budget-usd needs"
                yield Problem((*path, kebab(field)), f"{text}; give its prices, or set limits.budget-tokens instead")


def _forms(game: str, entry: GameEntry, agent: str, player: AgentEntry) -> Iterator[Problem]:
    wanted = _asked(player.agent.forms, f"forms of agent {player.use!r}")
    there = _asked(lambda: frozenset(entry.game.forms), f"forms of game {entry.use!r}")
    if missing := sorted(wanted - there):
        have = ", ".join(map(repr, sorted(there)))
        yield Problem(
            ("agents", agent), f"reads {_quoted(missing)}, and game {game!r} has only {have}; choose one of these"
        )


def _abilities(game: str, entry: GameEntry, agent: str, player: AgentEntry) -> Iterator[Problem]:
    needs = _asked(lambda: player.agent.needs(entry.game, entry.players), f"needs of agent {player.use!r}")
    backends = player.agent.backends()
    for field, wanted in needs.items():
        able = _asked(backends[field].able, f"able of {field!r}") if field in backends else frozenset[str]()
        if missing := sorted(wanted - able):
            text = f"cannot do {_quoted(missing)}, which the agent needs to play {game!r}; choose a backend that can"
            yield Problem(("agents", agent, kebab(field)), text)


def _required(entry: Entry, agent: str, player: Agent, plugin: Entry | None) -> Iterator[Problem]:
    # An agent that asks no model has nothing that could be required of it.
    own = plugin.plugin.capabilities if plugin and plugin.plugin else frozenset[str]()
    for field, backend in player.backends().items():
        able = own | _asked(backend.able, f"able of {field!r}")
        if missing := sorted(entry.plugin.requires - able) if entry.plugin else ():
            text = (
                f"cannot do {_quoted(missing)}, which {entry.kind} {entry.name!r} requires; choose a backend that can"
            )
            yield Problem(("agents", agent, kebab(field)), text)


def _asked(ask: Callable[[], T], what: str) -> T:
    try:
        return ask()
    except ConfigError as error:
        raise Misfit(str(error)) from error
    except Exception as error:
        raise Misfit(f"{what} failed ({type(error).__name__}: {error}); tell its author") from error


def _quoted(words: Iterable[Any]) -> str:
    return " and ".join(map(repr, words))
