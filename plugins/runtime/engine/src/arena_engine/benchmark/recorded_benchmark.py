"""Rebuilds the benchmark of a run from the plain data in its journal."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.catalog import Catalog, Status
from arena.errors import ConfigError, JournalError
from arena.game import Game
from arena.installing import install_line
from arena.metric import Metric

from arena_engine.benchmark.benchmark import Benchmark, build_benchmark
from arena_engine.benchmark.composition import compose
from arena_engine.benchmark.documents import inline_document
from arena_engine.benchmark.entries import HOOKS, GameEntry
from arena_engine.benchmark.structure import INVALID, Structurer
from arena_engine.benchmark.trust import registered_only, trusting, within
from arena_engine.foundation.redaction import remember_named
from arena_engine.journal.journal import Journal, begun_header
from arena_engine.journal.schema import Header

_TABLES: Final[Mapping[str, Any]] = {"games": Mapping[str, GameEntry], "metrics": Mapping[str, Metric]}


@attrs.frozen(kw_only=True)
class RecordedParts:
    """What a reader of a run needs of its benchmark; ``problems`` say why other parts cannot be built here.

    ``absent`` are games that cannot be built here, each with what it takes: ``"playarena-game-x, which is not
    installed: pip install playarena-game-x"``.
    """

    games: Mapping[str, GameEntry]
    metrics: Mapping[str, Metric]
    level: float
    problems: tuple[str, ...] = ()
    absent: Mapping[str, str] = attrs.field(factory=dict[str, str])

    def game(self, name: str) -> Game:
        """One game by its name; ``ConfigError`` says why it cannot be built here."""
        if name not in self.games:
            mine = [problem for problem in self.problems if problem.startswith(f"games.{name}")]
            raise ConfigError(mine or f"the run has no game called {name!r}, of which it has matches")
        return self.games[name].game


def recorded_plain(journal: Journal) -> Mapping[str, Any]:
    """The plain data of a run's benchmark, as its journal holds it."""
    remember_named(journal.header.benchmark)
    return cast("Mapping[str, Any]", journal.header.benchmark)


def open_benchmark(journal: Journal, catalog: Catalog | None = None, *, overrides: Iterable[str] = ()) -> Benchmark:
    """Build the benchmark of a run from its journal, adding no defaults; ``overrides`` are ``path=value``.

    The run may come from anybody, so its plugins are built by registered names alone; code that it names needs the
    consent of ``trusting``. ``ConfigError`` lists what cannot be built here, such as a plugin that is not installed.
    """
    return benchmark_of(journal.header, catalog or Catalog(), overrides, journal.directory)


def benchmark_of(header: Header, catalog: Catalog, overrides: Iterable[str], directory: Path) -> Benchmark:
    """Build the benchmark that the header of a run in a directory holds, as ``open_benchmark`` does."""
    recorded = inline_document(header.benchmark, is_recorded=True)
    composed = compose(recorded, catalog, overrides=overrides)
    with registered_only(), within((directory,)):
        built = build_benchmark(composed, catalog)
    return attrs.evolve(built, unpaired=frozenset(header.unpaired))


def begun_again(directory: Path, catalog: Catalog, overrides: Iterable[str]) -> tuple[Header, Benchmark]:
    """The header and the benchmark with which a run is created again whose creation was cut off.

    Whoever resumes a run trusts what it names, as in ``resume_run``. ``JournalError`` if nothing of it was written.
    """
    header = begun_header(directory)
    if header is None:
        raise JournalError(
            f"{directory}: this run was cut off before its benchmark was written; begin it again with the command that "
            f"created it, such as arena run FILE -o {directory}"
        )
    with trusting(code=True, pickle=True):
        benchmark = benchmark_of(header, catalog, overrides, directory)
    provenance = tuple(benchmark.provenance())
    return attrs.evolve(header, benchmark=benchmark.plain, provenance=provenance), benchmark


def as_begun(benchmark: Benchmark, journal: Journal) -> Benchmark:
    """The benchmark in which games and agents of a run have deals of their own, or share them, as they began."""
    old = recorded_plain(journal)
    games, agents = _table(old.get("games")), _table(old.get("agents"))
    added = {(game, agent) for game, agent in benchmark.unpaired if game not in games or agent not in agents}
    return attrs.evolve(benchmark, unpaired=added | frozenset(journal.header.unpaired))


def open_parts(journal: Journal, catalog: Catalog | None = None) -> RecordedParts:
    """Build the games and metrics of a run, each alone, and nothing else; trusts no more than ``open_benchmark``.

    ``ConfigError`` where the recorded data is no benchmark at all.
    """
    catalog = catalog or Catalog()
    composed = compose(inline_document(journal.header.benchmark, is_recorded=True), catalog)
    catalog = catalog.without(composed.disabled)
    made: dict[str, dict[str, Any]] = {table: {} for table in _TABLES}
    problems: list[str] = []
    with registered_only():
        for table, hint in _TABLES.items():
            for part in _one_by_one(composed.data.get(table)):
                structuring = Structurer(catalog, HOOKS, is_recorded=True)
                built = structuring.at(table, part, hint)
                problems += map(str, structuring.problems)
                made[table] |= {} if built is INVALID else built
    level: Any = composed.data.get("level")
    is_level = isinstance(level, float) and 0 < level < 1
    absent = {
        name: _what_it_takes(name, entry, journal, catalog, problems)
        for name, entry in _table(composed.data.get("games")).items()
        if name not in made["games"]
    }
    return RecordedParts(
        games=made["games"],
        metrics=made["metrics"],
        level=level if is_level else 0.95,
        problems=tuple(problems),
        absent=absent,
    )


def _what_it_takes(name: str, entry: Any, journal: Journal, catalog: Catalog, problems: Iterable[str]) -> str:
    """The distribution of a game that cannot be built here, and how to get it, as far as the journal names it."""
    use = str(_table(entry).get("use", "") if isinstance(entry, Mapping) else entry).rpartition(":")[2]
    dists = [
        str(each.get("dist")) for each in journal.header.provenance if (each["kind"], each["name"]) == ("game", use)
    ]
    mine = [problem for problem in problems if problem.startswith(f"games.{name}")]
    installed = [each for each in catalog.entries("game") if each.name == use]
    if not dists:
        return f"the game {use!r}, which {'is refused' if installed else 'is not installed'} here ({'; '.join(mine)})"
    here = [each for each in installed if each.dist == dists[0]]
    if not here:
        return f"{dists[0]}, which is not installed: {install_line(dists[0])}"
    if here[0].status is not Status.OK:
        return f"{dists[0]}, which is {here[0].status}: {here[0].remedy}"
    return f"{dists[0]} as it was when the run was played ({'; '.join(mine)})"


def _table(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _one_by_one(table: Any) -> Iterator[Any]:
    """Each entry of a table or list in a table or list of its own."""
    if isinstance(table, Mapping):
        yield from ({name: entry} for name, entry in cast("Mapping[str, Any]", table).items())
    elif isinstance(table, list):
        yield from ([entry] for entry in cast("list[Any]", table))
    elif table is not None:
        yield table
