"""Checks before a run whether its matches can work: forms that a game lacks, capabilities that a backend lacks."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from arena.agent import Agent
from arena.catalog import InstalledPlugin
from arena.errors import ConfigError
from arena.metric import Metric

from arena_engine.benchmark.entries import AgentEntry, GameEntry
from arena_engine.benchmark.plain_data import BenchmarkProblem, InvalidValue, Path, kebab
from arena_engine.foundation.json_values import forfeit_fault
from arena_engine.job.executor import Executor, Limits

T = TypeVar("T")

RESAMPLES_HIDDEN = "resample-hidden"
"""The capability of an agent that cannot work without ``seat.resample_hidden``."""


def misfits(
    games: Mapping[str, GameEntry],
    agents: Mapping[str, AgentEntry],
    used: Mapping[Path, InstalledPlugin],
    meetings: Collection[tuple[str, str]],
    *,
    resample_hidden: bool = True,
) -> Iterator[BenchmarkProblem]:
    """The reasons why agents cannot play games, or metrics cannot measure them; ``meetings`` are who plays what."""
    refused: dict[tuple[str, str], list[str]] = {}
    for game, agent in meetings:
        try:
            yield from _forms(game, games[game], agent, agents[agent])
            yield from _abilities(game, games[game], agent, agents[agent])
        except InvalidValue as misfit:
            refused.setdefault((agent, str(misfit)), []).append(game)
    for (agent, reason), some in refused.items():
        is_all = len(some) == sum(agent == other for _, other in meetings)
        yield BenchmarkProblem(("agents", agent), f"{reason}; {_left_out(some, is_all=is_all)}")
    for game in dict.fromkeys(game for game, _ in meetings):
        entry = games[game]
        try:
            facts = _asked(lambda entry=entry: entry.game.facts(entry.players), f"facts of game {entry.use!r}")
            if fault := _asked(lambda f=facts, e=entry: forfeit_fault(f, e.players), f"facts of game {entry.use!r}"):
                yield BenchmarkProblem(("games", game), f"{fault}; tell its author")
        except InvalidValue as misfit:
            yield BenchmarkProblem(("games", game), str(misfit))
    seated = dict.fromkeys(agent for _, agent in meetings)
    if not resample_hidden:
        yield from (
            _unimagined(name) for name in seated if RESAMPLES_HIDDEN in _capabilities(used.get(("agents", name)))
        )
    for path, entry in used.items():
        if entry.plugin is None or not entry.plugin.required_capabilities:
            continue
        concerned = seated if path[0] != "games" else [agent for game, agent in meetings if game == path[1]]
        for agent in concerned:
            yield from _required(entry, agent, agents[agent].agent, used.get(("agents", agent)))


def unreachable(agents: Mapping[str, Agent], executor: Executor) -> Iterator[BenchmarkProblem]:
    """The agents whom somebody outside plays, if the executor cannot wait for them."""
    if not executor.waits_outside:
        for name, agent in agents.items():
            if agent.outside is not None:
                what = f"{type(executor).__name__} plays elsewhere and cannot wait for {name!r}, whom somebody plays"
                yield BenchmarkProblem(("executor",), f"{what}; use 'asyncio'")


def _capabilities(entry: InstalledPlugin | None) -> frozenset[str]:
    return frozenset(entry.plugin.capabilities) if entry and entry.plugin else frozenset()


def _unimagined(agent: str) -> BenchmarkProblem:
    return BenchmarkProblem(
        ("agents", agent), "thinks on imagined positions; write 'resample-hidden: true', or leave the agent out"
    )


def unpriced(owners: Mapping[Path, Agent | Metric], limits: Limits) -> Iterator[BenchmarkProblem]:
    """The backends without a known price, if a run has a budget in dollars; ``owners`` are the plugins using them."""
    if limits.budget_usd is None:
        return
    for path, owner in owners.items():
        for field, backend in owner.backends().items():
            if _asked(backend.price, f"price of {field!r}") is None:
                text = "nobody knows its price, which limits.budget-usd needs"
                yield BenchmarkProblem(
                    (*path, kebab(field)), f"{text}; give its prices, or set limits.budget-tokens instead"
                )


def unbounded(owners: Mapping[Path, Agent | Metric], limits: Limits) -> Iterator[BenchmarkProblem]:
    """The backends whose longest answer is unknown or breaks a cap alone, if a run has a cap on tokens or money."""
    for path, owner in owners.items():
        if limits.budget_tokens is None and limits.budget_usd is None:
            return
        for field, backend in owner.backends().items():
            longest = _asked(backend.longest_answer, f"longest answer of {field!r}")
            if longest is None:
                text = "nobody knows its longest answer, which a cap on tokens or money needs; give it max-tokens"
                yield BenchmarkProblem((*path, kebab(field)), text)
                continue
            price = _asked(backend.price, f"price of {field!r}")
            for name, limit, least in (
                ("budget-tokens", limits.budget_tokens, longest),
                ("budget-usd", limits.budget_usd, longest * price.completion_usd if price else 0),
            ):
                if limit and limit < least:
                    who = f"{path[0].removesuffix('s')} {path[1]!r}" if len(path) > 1 else kebab(field)
                    text = (
                        f"{limit:g} is less than one call of {who} may use ({least:g}); raise it, or lower max-tokens"
                    )
                    yield BenchmarkProblem(("limits", name), text)


def _left_out(games: Sequence[str], *, is_all: bool) -> str:
    """Which games an agent cannot play, and what to write so that the others are played."""
    first, *more = games
    if is_all or more or not first.replace("-", "").isalnum():  # others are values of a sweep or parts of a path
        named = f"the games are {first!r} and {len(more)} more" if more else f"the game is {first!r}"
        return f"{named}; leave {'the agent' if is_all else 'the agent or these games'} out"
    return f"the game is {first!r}, and --set games.{first}=null plays without it"


def _forms(game: str, entry: GameEntry, agent: str, player: AgentEntry) -> Iterator[BenchmarkProblem]:
    wanted = _asked(player.agent.forms, f"forms of agent {player.use!r}")
    there = _asked(lambda: frozenset(entry.game.forms), f"forms of game {entry.use!r}")
    if missing := sorted(wanted - there):
        have = ", ".join(map(repr, sorted(there)))
        yield BenchmarkProblem(
            ("agents", agent), f"reads {_quoted(missing)}, and game {game!r} has only {have}; choose one of these"
        )


def _abilities(game: str, entry: GameEntry, agent: str, player: AgentEntry) -> Iterator[BenchmarkProblem]:
    needs = _asked(lambda: player.agent.needs(entry.game, entry.players), f"needs of agent {player.use!r}")
    backends = player.agent.backends()
    for field, wanted in needs.items():
        able = _asked(backends[field].supports, f"able of {field!r}") if field in backends else frozenset[str]()
        if missing := sorted(wanted - able):
            text = f"cannot do {_quoted(missing)}, which the agent needs to play {game!r}; choose a backend that can"
            yield BenchmarkProblem(("agents", agent, kebab(field)), text)


def _required(
    entry: InstalledPlugin, agent: str, player: Agent, plugin: InstalledPlugin | None
) -> Iterator[BenchmarkProblem]:
    # An agent that asks no model has nothing that could be required of it.
    own = _capabilities(plugin)
    required = frozenset(entry.plugin.required_capabilities) if entry.plugin else frozenset[str]()
    for field, backend in player.backends().items():
        able = own | _asked(backend.supports, f"able of {field!r}")
        if missing := sorted(required.difference(able)):
            text = (
                f"cannot do {_quoted(missing)}, which {entry.kind} {entry.name!r} requires; choose a backend that can"
            )
            yield BenchmarkProblem(("agents", agent, kebab(field)), text)


def _asked(ask: Callable[[], T], what: str) -> T:
    try:
        return ask()
    except ConfigError as error:
        raise InvalidValue(str(error)) from error
    except Exception as error:
        raise InvalidValue(f"{what} failed ({type(error).__name__}: {error}); tell its author") from error


def _quoted(words: Iterable[Any]) -> str:
    return " and ".join(map(repr, words))
