"""Prove that a schedule keeps its contract."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from arena.errors import ConfigError
from arena.schedule import Lineup, Schedule
from arena_engine.benchmark import plain_of

from arena_testing.foundation.conformance import ConformanceError

_AGENTS: Mapping[str, frozenset[str]] = {
    "ann": frozenset({"model"}),
    "bob": frozenset({"model", "small"}),
    "cy": frozenset[str](),
}
_COUNTS = (1, 2, 3, 4)


@attrs.frozen(kw_only=True)
class ScheduleReport:
    """The number of ``lineups`` by number of players; ``untested`` says for which there were none, and why."""

    schedule: str
    lineups: Mapping[int, int]
    untested: tuple[str, ...] = ()


def check_schedule(schedule: Schedule) -> ScheduleReport:
    """Ask ``schedule`` for lineups of three agents and those it names, for one to four players.

    Checked: every seat is taken by a known agent, equal calls give equal lineups, and a further agent removes no lineup
    that the others had. ``ConformanceError`` says what was found.
    """
    agents = {**_AGENTS, **{name: frozenset[str]() for name in _words(plain_of(schedule))}}
    found: dict[int, int] = {}
    untested: list[str] = []
    for players in _COUNTS:
        try:
            lineups = _lineups(schedule, agents, players)
        except ConfigError as error:
            untested.append(f"{players} players: {error}")
            continue
        found[players] = len(lineups)
        more = {**agents, "dee": frozenset({"model"})}
        if lost := sorted(lineups - _lineups(schedule, more, players), key=repr):
            what = f"{lost[0]!r} is no longer there with one more agent, so a run that has played it cannot be extended"
            raise ConformanceError("lineups", what)
    if not any(found.values()):
        raise ConformanceError("lineups", f"there is no lineup for any number of players: {'; '.join(untested)}")
    return ScheduleReport(schedule=repr(schedule), lineups=found, untested=tuple(untested))


def _lineups(schedule: Schedule, agents: Mapping[str, frozenset[str]], players: int) -> set[Lineup]:
    try:
        first, second = (list(schedule.lineups(agents, players)) for _ in range(2))
    except ConfigError:
        raise
    except Exception as error:
        what = f"lineups raises {type(error).__name__} for {players} players: {error}; expected ConfigError"
        raise ConformanceError("lineups", what) from error
    for lineup in first:
        if not isinstance(lineup, Lineup):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConformanceError("lineups", f"{lineup!r} is no Lineup")
        if len(lineup.agents) != players or not set(lineup.agents) <= set(agents):
            what = f"{lineup!r} does not seat {players} of the agents {', '.join(agents)}"
            raise ConformanceError("lineups", what)
    if first != second:
        raise ConformanceError("determinism", f"asked twice for {players} players, the lineups differ")
    return set(first)


def _words(value: Any) -> Iterator[str]:
    """Every string in plain data; the names of agents are among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, Any]", value).values():
            yield from _words(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _words(item)
