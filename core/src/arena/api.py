"""Arena from Python: ``arena.run`` plays a benchmark, ``arena.load`` opens a run that was played."""

import asyncio
import warnings
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any, TypeVar

import attrs

from arena import export
from arena.benchmark import Benchmark, from_plain
from arena.benchmark import load as load_benchmark
from arena.catalog import Catalog, Status
from arena.errors import ConfigError, PluginError, StopRun
from arena.hookspecs import hookimpl
from arena.journal import Journal
from arena.metric import Metric
from arena.progress import Progress
from arena.record import MatchRecord
from arena.report import Report, build
from arena.runner import Outcome, carry_out, default_directory, outcome_of, start

T = TypeVar("T")

DEFAULT = "default"
"""The capability of metrics that are meant where a benchmark names none."""


@attrs.frozen
class Run:
    """A run that was played, finished or not."""

    directory: Path
    outcome: Outcome

    @property
    def matches(self) -> tuple[MatchRecord, ...]:
        """Every match that has ended, failures included, in the order of the plans."""
        with Journal.open(self.directory) as journal:
            return tuple(journal.records())

    def report(self, metrics: Mapping[str, Metric] | None = None) -> Report:
        """The tables and figures of the run; ``metrics`` replaces those of its benchmark."""
        with Journal.open(self.directory) as journal:
            return build([journal], metrics)

    def to_pandas(self) -> Any:
        """One row a match as a pandas data frame; ``PluginError`` where pandas is not installed."""
        return _frame("pandas", self.matches)

    def to_polars(self) -> Any:
        """One row a match as a polars data frame; ``PluginError`` where polars is not installed."""
        return _frame("polars", self.matches)


def run(
    benchmark: "str | Path | Mapping[str, Any] | Benchmark",
    *,
    output: "str | Path | None" = None,
    overrides: Iterable[str] = (),
    progress: bool = False,
) -> Run:
    """Play a benchmark: a file, ``suite:NAME``, plain data, or what ``arena.benchmark.load`` made.

    ``overrides`` are ``path=value``; ``output`` is the run's directory, ``runs/<UTC time>-<name>`` unless given. Works
    inside a running event loop too. A run that ends early says so in its ``outcome``; ``arena resume`` goes on.
    ``ConfigError`` and ``PluginError`` come before anything is written, ``JournalError`` where it cannot be.
    """
    catalog = Catalog()
    made = with_default_metrics(_benchmark(benchmark, tuple(overrides), catalog), catalog)
    watchers: dict[str, object] = {"progress": Progress().watch()} if progress else {}
    with start(made, Path(output) if output else default_directory(made.name)) as journal:
        outcome = _finished(journal, made, watchers)
    return Run(outcome.directory, outcome)


def load(path: "str | Path") -> Run:
    """Open a run by its directory; ``JournalError`` where there is none."""
    with Journal.open(Path(path)) as journal:
        return Run(journal.directory, outcome_of(journal))


def with_default_metrics(benchmark: Benchmark, catalog: Catalog) -> Benchmark:
    """A benchmark that names no metrics, with every usable one that is meant for that; others as they are."""
    if "metrics" in benchmark.plain:
        return benchmark
    names = [e.name for e in catalog.entries("metric") if e.status is Status.OK and _is_default(e.plugin)]
    return from_plain({**benchmark.plain, "metrics": names}, catalog) if names else benchmark


def _is_default(plugin: Any) -> bool:
    return plugin is not None and DEFAULT in plugin.capabilities


def _benchmark(source: Any, overrides: tuple[str, ...], catalog: Catalog) -> Benchmark:
    if isinstance(source, Benchmark):
        if not source.plain:
            raise ConfigError("the benchmark has no plain data; make it with arena.benchmark.load or from_plain")
        return from_plain(source.plain, catalog, overrides=overrides) if overrides else source
    if isinstance(source, Mapping):
        return from_plain(source, catalog, overrides=overrides)  # pyright: ignore[reportUnknownArgumentType]
    return load_benchmark(source, overrides=overrides, catalog=catalog)


class _Interrupt:
    """Ends a run that plays in another thread."""

    def __init__(self) -> None:
        self.flag = Flag()

    @hookimpl
    def decision_asked(self) -> None:
        """Stop at the next decision."""
        if self.flag.is_set():
            raise StopRun("interrupted")


def _finished(journal: Journal, benchmark: Benchmark, watchers: dict[str, object]) -> Outcome:
    interrupt = _Interrupt()
    playing = carry_out(journal, benchmark, {**watchers, "interrupt": interrupt}, _observer_failed)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(playing)
    return _in_thread(playing, interrupt.flag)


def _in_thread(playing: Coroutine[Any, Any, T], interrupt: Flag) -> T:
    """Run beside the loop that is running here; an interruption here ends it cleanly there."""
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
        interrupt.set()
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _observer_failed(name: str, hook: str, error: Exception) -> None:
    warnings.warn(f"observer {name!r} failed in {hook}: {type(error).__name__}: {error}", stacklevel=2)


def _frame(library: str, matches: Iterable[MatchRecord]) -> Any:
    from importlib import import_module

    try:
        frames = import_module(library)
    except ImportError as error:
        raise PluginError(f"a data frame needs {library}; install it with `pip install {library}`") from error
    return frames.DataFrame(export.rows(export.matches(matches)))
