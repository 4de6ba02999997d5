"""Forecasts a run with other values of parameters, so that what they would cost or save is known beforehand.

Which parameters, and which values of them, their plugins say in the metadata of the fields: ``compared`` lists values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.forecast.forecast import Lengths, RunForecast, estimate

COMPARED: Final = "compared"
"""The metadata of a field: the values of the parameter that forecasts compare with the one that is set."""

GAMES: Final = 12
"""The most games of a benchmark for which alternatives are forecast; each of them takes as long as the forecast."""


@attrs.frozen(kw_only=True)
class Alternative:
    """A value that a parameter could have in all places in which it has another, and the run's forecast with it.

    ``parameter`` is its path without the names of games and agents: ``games.*.rounds``.
    """

    parameter: str
    value: Any
    forecast: RunForecast


async def alternatives(
    benchmark: Benchmark, done: Iterable[str] = (), recorded: Lengths | None = None
) -> tuple[Alternative, ...]:
    """Forecast a run once for each value that its games and its agents with models want to have compared.

    The arguments are those of ``estimate``. A value with which a game or an agent cannot be built is left out, and so
    is everything in benchmarks of more than ``GAMES`` games, or in which no agent asks a model.
    """
    if len(benchmark.games) > GAMES or not any(entry.agent.backends() for entry in benchmark.agents.values()):
        return ()
    finished = tuple(done)
    found: list[Alternative] = []
    for parameter, value, changed in _changed(benchmark):
        forecast = await estimate(changed, finished, recorded)
        found.append(Alternative(parameter=parameter, value=value, forecast=forecast))
    return tuple(found)


def _changed(benchmark: Benchmark) -> Iterator[tuple[str, Any, Benchmark]]:
    """The benchmark with each value of each parameter in turn."""
    games = {name: entry.game for name, entry in benchmark.games.items()}
    agents = {name: entry.agent for name, entry in benchmark.agents.items() if entry.agent.backends()}
    for parameter, value, made in _variants("games.*", games):
        entries = {name: attrs.evolve(benchmark.games[name], game=game) for name, game in made.items()}
        yield parameter, value, attrs.evolve(benchmark, games={**benchmark.games, **entries})
    for parameter, value, made in _variants("agents.*", agents):
        entries = {name: attrs.evolve(benchmark.agents[name], agent=agent) for name, agent in made.items()}
        yield parameter, value, attrs.evolve(benchmark, agents={**benchmark.agents, **entries})


def _variants(where: str, owners: Mapping[str, Any]) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """Each parameter with each value to compare, and the owners that change with it."""
    paths: dict[tuple[str, ...], Sequence[Any]] = {}
    for owner in owners.values():
        paths |= dict(_compared(owner))
    for path, values in paths.items():
        for value in values:
            made = {name: new for name, owner in owners.items() if (new := _with(owner, path, value)) is not None}
            if made:
                yield ".".join((where, *(part.replace("_", "-") for part in path))), value, made


def _compared(owner: Any) -> Iterator[tuple[tuple[str, ...], Sequence[Any]]]:
    """The paths of the fields with values to compare, in an object and in those within it."""
    for field in _fields(owner):
        if values := field.metadata.get(COMPARED):
            yield (field.name,), cast("Sequence[Any]", values)
        for path, values in _compared(getattr(owner, field.name)):
            yield (field.name, *path), values


def _with(owner: Any, path: Sequence[str], value: Any) -> Any:
    """The object with another value in a field; ``None`` if it has no such field, that value already, or refuses it."""
    name, *rest = path
    if not hasattr(owner, name):
        return None
    old = getattr(owner, name)
    new = _with(old, rest, value) if rest else value
    if new is None or new == old:
        return None
    try:
        return attrs.evolve(owner, **{_argument(owner, name): new})
    except (TypeError, ValueError):
        return None


def _argument(owner: Any, name: str) -> str:
    """The argument that sets a field."""
    return next(field.alias or field.name for field in _fields(owner) if field.name == name)


def _fields(owner: object) -> tuple[Any, ...]:
    return attrs.fields(type(owner)) if attrs.has(type(owner)) else ()
