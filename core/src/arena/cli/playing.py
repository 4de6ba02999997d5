"""What every command that plays does: begin a run, carry it out, show what came of it."""

import asyncio
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from arena.backend import Backend
from arena.benchmark import Benchmark
from arena.cli.group import FAILED, STOPPED, VERBOSE
from arena.cli.options import say
from arena.errors import ConfigError, JournalError
from arena.journal import Journal
from arena.progress import Progress
from arena.record import MatchPlan
from arena.report.forecast import SECONDS, played_s
from arena.runner import Outcome, carry_out, default_directory, start
from arena.wire import identity

TERMINAL = "terminal"
"""The capability of agents that ask a person at the terminal."""

LISTED = 10
"""So many reasons why matches failed are named."""


def backends(benchmark: Benchmark) -> Iterator[tuple[str, Backend]]:
    """Each different backend of a benchmark, with the path where it first stands."""
    owners = [(f"agents.{name}", entry.agent) for name, entry in benchmark.agents.items()]
    seen: set[str] = set()
    for path, owner in [*owners, *((f"metrics.{name}", metric) for name, metric in benchmark.metrics.items())]:
        for field, backend in owner.backends().items():
            if (key := identity(backend)) not in seen:
                seen.add(key)
                yield f"{path}.{field}", backend


def check_secrets(benchmark: Benchmark) -> None:
    """Raise ``ConfigError`` for every secret that is not set, before anything is written."""
    problems: list[str] = []
    for path, backend in backends(benchmark):
        for secret in backend.secrets():
            try:
                secret.reveal()
            except ConfigError as error:
                problems.append(f"{path}: {error}")
    if problems:
        raise ConfigError(problems)


def begin(benchmark: Benchmark, output: Path | None, plans: tuple[MatchPlan, ...] | None = None) -> Journal:
    """Write down a new run in ``output`` or a directory of its own."""
    check_secrets(benchmark)
    return start(benchmark, output or default_directory(benchmark.name), plans)


@contextmanager
def released(journal: Journal) -> Generator[None]:
    """Let go of a journal where what is done before playing breaks."""
    try:
        yield
    except BaseException:
        journal.close()
        raise


def carry_on(
    ctx: click.Context,
    journal: Journal,
    benchmark: Benchmark,
    *,
    shows_progress: bool = True,
    show: Callable[[Journal], None],
) -> None:
    """Play what is left and ``show`` what came of it; ends with the run's directory and its exit code."""
    from arena.cli import logs

    logs.configure(is_verbose=bool(ctx.meta.get(VERBOSE)))
    code = FAILED
    with journal:
        try:
            outcome = _played(journal, benchmark, shows_progress=shows_progress and not _asks_somebody(benchmark))
            _tell(outcome)
            code = outcome.exit_status
            show(journal)
        except JournalError as error:
            say(f"arena: {error}")
            code = STOPPED
        except (KeyboardInterrupt, asyncio.CancelledError):
            say(f"arena: interrupted; go on with `arena resume {journal.directory}`")
            code = STOPPED
        finally:
            click.echo(journal.directory)
    ctx.exit(code)


def _played(journal: Journal, benchmark: Benchmark, *, shows_progress: bool) -> Outcome:
    watcher = Progress().watch() if shows_progress else None
    began = time.monotonic()
    try:
        return asyncio.run(carry_out(journal, benchmark, {"progress": watcher} if watcher else {}, _observer_failed))
    finally:
        if watcher:
            watcher.close()
        with suppress(JournalError):
            journal.note(SECONDS, [*played_s(journal), round(time.monotonic() - began, 1)])


def _asks_somebody(benchmark: Benchmark) -> bool:
    """Whether an agent needs the terminal for itself."""
    return any(entry.plugin and TERMINAL in entry.plugin.capabilities for entry in benchmark.used.values())


def _observer_failed(name: str, hook: str, error: Exception) -> None:
    import structlog

    structlog.get_logger().warning("observer_failed", observer=name, hook=hook, exc_info=error)


def _tell(outcome: Outcome) -> None:
    by_reason: dict[str, list[str]] = {}
    for match, reason in outcome.failed.items():
        by_reason.setdefault(reason, []).append(match)
    for reason, failed in list(by_reason.items())[:LISTED]:
        first = failed[0]
        say(f"match {first} failed: {reason}" if len(failed) == 1 else f"{len(failed):,} matches failed: {reason}")
    if len(by_reason) > LISTED:
        more = sum(map(len, list(by_reason.values())[LISTED:]))
        say(f"… and {more:,} more; `arena report {outcome.directory}` lists them")
    for note in outcome.notes:
        say(note)
    if outcome.stopped is not None:
        left = outcome.planned - outcome.finished
        matches = "1 match is" if left == 1 else f"{left:,} matches are"
        say(f"stopped early: {outcome.stopped}; {matches} left, go on with `arena resume {outcome.directory}`")
    elif left := outcome.planned - outcome.finished:
        say(f"{left:,} matches have no result; play them again with `arena resume {outcome.directory}`")
