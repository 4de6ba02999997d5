"""The Python interface: ``arena.run`` plays a benchmark, ``arena.load`` opens the run of an earlier one."""

import asyncio
import shutil
import warnings
from collections.abc import Coroutine, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import attrs
from arena.catalog import Catalog
from arena.errors import ConfigError, JournalError, PluginError
from arena.installing import full_name, install_line
from arena.metric import Metric
from arena.record import MatchRecord

from arena_engine.benchmark.benchmark import Benchmark, load_benchmark as load_benchmark
from arena_engine.benchmark.recorded_benchmark import open_benchmark
from arena_engine.benchmark.trust import trusting
from arena_engine.execution.control import Control
from arena_engine.execution.interruption import INTERRUPTED
from arena_engine.execution.readiness import check_ready, check_secrets
from arena_engine.execution.runner import check_changes, create_run, default_directory, extend_run, play_run
from arena_engine.foundation.run_log import EventLogger, RunLog
from arena_engine.job.planning import plan_matches
from arena_engine.journal.database import FILE, publish
from arena_engine.journal.journal import Journal
from arena_engine.journal.listing import RunStatus, status_of
from arena_engine.models.keys import SentKey, agreed
from arena_engine.references.recorded_games import record_games

T = TypeVar("T")

PROGRESS = "progress"
"""The name of the observer that ``run(..., progress=True)`` uses."""


@attrs.frozen
class Run:
    """A run on disk, finished or not; ``outcome`` is its status when this object was created."""

    directory: Path
    outcome: RunStatus
    _benchmark: Benchmark | None = attrs.field(default=None, alias="benchmark", kw_only=True, repr=False, eq=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Plugins need not be picklable; another process builds the benchmark from the journal.
        return Run, (self.directory, self.outcome)

    @property
    def matches(self) -> tuple[MatchRecord, ...]:
        """Every match that has ended, failures included, in the order of the plans."""
        with Journal.open(self.directory) as journal:
            return tuple(journal.records())

    def report(self, metrics: Mapping[str, Metric] | None = None) -> Any:
        """The ``arena_report.Report`` of the run, its tables and figures; ``metrics`` replaces those of its benchmark.

        ``ImportError`` says what to install if playarena-report is missing.
        """
        build = _from_report("Run.report", "arena_report.content.building", "build")
        with Journal.open(self.directory) as journal:
            return build([journal], metrics, benchmarks=() if self._benchmark is None else (self._benchmark,))

    def to_pandas(self) -> Any:
        """The matches as a pandas data frame, one row each; ``PluginError`` if pandas is not installed."""
        return _frame("pandas", self.matches)

    def to_polars(self) -> Any:
        """The matches as a polars data frame, one row each; ``PluginError`` if polars is not installed."""
        return _frame("polars", self.matches)


def run(
    benchmark: "str | Path | Mapping[str, Any] | Benchmark",
    *,
    output: "str | Path | None" = None,
    overrides: Iterable[str] = (),
    progress: bool = False,
    trust_code: bool = False,
    trust_pickle: bool = False,
    trust_paths: bool = False,
    send_keys: Iterable[str] = (),
    check: bool = True,
    log: EventLogger | RunLog | None = None,
    control: Control | None = None,
) -> Run:
    """Play a benchmark: a file, ``suite:NAME``, plain data, or what ``load_benchmark`` returned.

    ``overrides`` are ``path=value``; ``output`` is the run's directory, by default ``runs/<UTC time>-<name>``. Works
    inside a running event loop too. A run that ends early says so in its ``outcome``; ``arena resume`` continues it.
    ``control`` pauses, stops and changes the run while it is played, from another thread.
    ``log`` is told what happens, such as ``structlog.get_logger()``; see the page *Events of a run*.
    ``trust_code``, ``trust_pickle`` and ``trust_paths`` consent to run the code that the data names, to read its
    pickles, and to send to models or write files outside of its folder; ``send_keys`` to send variables to hosts, as
    ``NAME=HOST``.
    ``ConfigError`` and ``PluginError`` are raised before anything is written, ``JournalError`` if writing fails. Unless
    ``check`` is false, a model that could not be asked counts as a mistake too: for want of a key, a file or a server.
    """
    catalog = Catalog()
    with trusting(code=trust_code, pickle=trust_pickle, paths=trust_paths):
        made = _benchmark(benchmark, tuple(overrides), catalog)
    with agreed(map(SentKey.parse, send_keys)):
        (check_ready if check else check_secrets)(made)
        observers: dict[str, object] = {"progress": _progress(catalog)} if progress else {}
        with create_run(made, Path(output) if output else default_directory(made.name)) as journal:
            outcome = _finished(journal, made, observers, RunLog.over(log), control or Control())
    return Run(outcome.directory, outcome, benchmark=made)


def load(path: "str | Path") -> Run:
    """Open a run by its directory; ``JournalError`` if there is none."""
    with Journal.open(Path(path)) as journal:
        return Run(journal.directory, status_of(journal))


def _benchmark(source: Any, overrides: tuple[str, ...], catalog: Catalog) -> Benchmark:
    """The benchmark to play; one that was built before and needs no change is used as it is."""
    if isinstance(source, Benchmark):
        if not source.plain:
            raise ConfigError("the benchmark has no plain data; make it with load_benchmark or build_benchmark")
        if "metrics" in source.plain and not overrides:
            return source
        with trusting(code=source.trust.code, pickle=source.trust.pickle, paths=source.trust.paths):
            return load_benchmark(source.plain, overrides=overrides, catalog=catalog)
    return load_benchmark(source, overrides=overrides, catalog=catalog)


def _finished(
    journal: Journal, benchmark: Benchmark, observers: dict[str, object], log: RunLog, control: Control
) -> RunStatus:
    playing = play_run(journal, benchmark, observers, _observer_failed, control=control, log=log)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(playing)
    return _in_thread(playing, control)


def _in_thread(playing: Coroutine[Any, Any, T], control: Control) -> T:
    """Run a coroutine in a thread, because a loop is running in this one; Ctrl-C here stops it cleanly."""
    results: list[T] = []
    errors: list[BaseException] = []

    def play() -> None:
        try:
            results.append(asyncio.run(playing))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=play, name="arena")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        control.stop(INTERRUPTED)
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _observer_failed(name: str, hook: str, error: Exception) -> None:
    warnings.warn(f"observer {name!r} failed in {hook}: {type(error).__name__}: {error}", stacklevel=2)


def _progress(catalog: Catalog) -> object:
    """The observer that shows the progress of a run; ``PluginError`` says what to install if it is missing."""
    if not catalog.has("observer", PROGRESS):
        raise PluginError(
            "progress=True needs the observer 'progress', which is not installed: "
            f"{install_line(full_name('observer-progress'))}"
        )
    return catalog.get("observer", PROGRESS).load()().start()


def _from_report(what: str, module: str, name: str) -> Any:
    if find_spec("arena_report") is None:
        dist = full_name("report")
        raise ImportError(
            f"arena_engine.{what} is in {dist}, which is not installed: {install_line(dist)}", name="arena_report"
        )
    return getattr(import_module(module), name)


def _frame(library: str, matches: Iterable[MatchRecord]) -> Any:
    try:
        frames = import_module(library)
    except ImportError as error:
        raise PluginError(f"a data frame needs {library}; install it with `{install_line(library)}`") from error
    rows = _from_report(f"Run.to_{library}", "arena_report.formats.exports", "rows")
    finished = _from_report(f"Run.to_{library}", "arena_report.formats.exports", "finished_matches")
    return frames.DataFrame(rows(finished(matches)))


def enlarge_run(
    directory: Path, repeats: int, catalog: Catalog, overrides: Iterable[str] = ()
) -> tuple[Journal, Benchmark]:
    """Open a run for ``play_run`` in which each seating is played ``repeats`` times; what was played stays.

    ``overrides`` are those of ``resume_run``, and what the run names is run as there. ``ConfigError`` where that adds
    no match, or the schedule has no repeats.
    """
    changes = (*check_changes(overrides), f"schedule.repeats={repeats}")
    with trusting(code=True, pickle=True):
        with Journal.open(directory) as begun:
            benchmark = open_benchmark(begun, catalog, overrides=changes)
            planned = {plan.id for plan in begun.plans()}
        if all(plan.id in planned for plan in plan_matches(benchmark)):
            raise ConfigError(f"--repeats {repeats}: the run has {len(planned):,} matches, and this adds none")
        return extend_run(directory, benchmark), benchmark


def write_run(benchmark: Benchmark, directory: Path, records: Iterable[MatchRecord]) -> None:
    """Write ``records`` as a new run of ``benchmark`` into ``directory``, which must not hold a run yet.

    The matches are those of the records' plans, whatever the benchmark's schedule says. Nothing is played and nobody is
    asked. The run is there when all of it is written: a process that is killed before leaves none. Call it outside of
    a running event loop. ``JournalError`` if the run cannot be written.
    """
    played = tuple(records)
    making = directory / "writing"
    if (directory / FILE).exists():
        raise JournalError(f"{directory}: there is a run here already; choose another --output")
    shutil.rmtree(making, ignore_errors=True)
    with create_run(benchmark, making, [record.plan for record in played]) as journal:
        record_games(journal, benchmark.games, seconds=0.0)
        for record in played:
            journal.finish(record)
        asyncio.run(journal.flush())
    publish(making / FILE, directory / FILE)
    making.rmdir()
