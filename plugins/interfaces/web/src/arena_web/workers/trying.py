"""Builds a run's benchmark and asks agents about its turns; runs in a worker process.

Nothing is built here but registered plugins: code that a run names is for a person at a terminal to trust.
"""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena.record import MatchHistory
from arena_cli import opponents_of, playing_on_words
from arena_engine import Benchmark, Journal, ask, cost_of_asking, open_benchmark, open_parts, open_to_ask

from arena_web.foundation.hidden_matches import covered_matches
from arena_web.workers.drafting import secrets_of

TERMINAL: Final = "terminal"
"""The capability of agents that ask a person at the terminal."""

ANY_GAME: Final = ("random", "first-legal")
"""The agents that play every game and are no model."""


def check(asked: Mapping[str, Any], catalog: Catalog) -> list[str]:
    """Build the benchmark of a run, and name its secrets; ``ConfigError`` says what cannot be built here."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        benchmark = open_benchmark(journal, catalog)
        return secrets_of(journal.header.benchmark, benchmark)


def fitting(asked: Mapping[str, Any], catalog: Catalog) -> list[str]:
    """The installed agents that can play a game of a run with their default parameters; no models, no people."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        game = open_parts(journal, catalog).game(asked["game"])
    found = opponents_of(game, asked["players"], catalog)
    names = catalog.names("agent")
    return [*found.optimal, *found.others, *(name for name in ANY_GAME if name in names)]


def price(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """What asking an agent in a turn may use, and in sentences what playing on with it may; nothing is sent."""
    with _opened(asked, catalog) as (benchmark, record, journal):
        agent = benchmark.agents[asked["agent"]].agent
        found = attrs.asdict(asyncio.run(cost_of_asking(benchmark, record, asked["turn"], agent)))
        try:
            covered = covered_matches(journal)
            on = playing_on_words(journal, record, asked["turn"], [asked["agent"]], catalog, covered)
        except ArenaError as error:
            on = (f"It cannot play on: {error}.",)
        return {**found, "playing_on": list(on)}


def answered(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """What an agent plays in a turn in place of who took it; its models are really asked, and nothing is recorded."""
    with _opened(asked, catalog) as (benchmark, record, _):
        turn, _ = asyncio.run(ask(benchmark, record, asked["turn"], benchmark.agents[asked["agent"]].agent))
    entries = [attrs.asdict(entry) for each in turn.tries for entry in each.answers]
    tries = [{"data": each.data, "is_refused": each.is_refused} for each in turn.tries]
    return {
        "tries": tries,
        "entries": entries,
        "queries": [event.data for event in turn.queries],
        "is_played": turn.played is not None,
        "is_substitute": turn.played is not None and turn.by != "agent",
    }


@contextmanager
def _opened(asked: Mapping[str, Any], catalog: Catalog) -> Generator[tuple[Benchmark, MatchHistory, Journal]]:
    with Journal.open(Path(asked["run"]), check=False) as journal:
        record = journal.history_of(asked["match"])
        if record is None:
            raise ArenaError(f"no match {asked['match']!r}")
        benchmark = open_to_ask(journal, asked["agent"], catalog)
        _check_asks_nobody(benchmark, asked["agent"])
        yield benchmark, record, journal


def _check_asks_nobody(benchmark: Benchmark, name: str) -> None:
    """Refuse an agent behind which a person sits, who would never hear of the question."""
    plugins = [entry.plugin for path, entry in benchmark.used.items() if tuple(path[:2]) == ("agents", name)]
    asks_terminal = any(plugin is not None and TERMINAL in plugin.capabilities for plugin in plugins)
    if asks_terminal or benchmark.agents[name].agent.outside is not None:
        raise ArenaError(f"{name!r} asks a person; ask a program or a model")
