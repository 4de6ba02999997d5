"""What all commands that play matches share: create the run, play it, show its results, here and in a browser."""

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from zlib import crc32

import click
from arena.errors import ConfigError, JournalError
from arena.record import JSON, MatchPlan
from arena_engine import Benchmark, Control, Journal, RunLog, RunStatus, default_directory, is_cut_off
from arena_engine.execution import check_ready, check_secrets, create_run, play_run
from arena_observer_progress.progress import Progress
from arena_report.content import SECONDS, played_s, without_rules

from arena_cli.application.group import DONE, FAILED, STOPPED, VERBOSE
from arena_cli.application.options import LOG_FILE, WEB, print_status
from arena_cli.output import result_data
from arena_cli.process import guard_link
from arena_cli.process.culprit import plugin_files

T = TypeVar("T")

_HERE: Final = ("asyncio", "processes")
"""The executors in whose place ``--workers`` puts processes."""


class _Workers(click.ParamType[str]):
    name = "workers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if text != "auto" and not (text.isascii() and text.isdigit() and int(text) >= 1):
            self.fail(f"expected 'auto' or a number of processes from 1, got {text!r}", param, ctx)
        return text


def workers_option(command: T) -> T:
    """Add ``--workers`` to a command that plays."""
    option: Callable[[Any], Any] = click.option(
        "--workers", type=_Workers(), metavar="N", help="Play in N processes of this machine; auto: one for each core."
    )
    return option(command)


def in_processes(workers: str, overrides: Iterable[str], executor: JSON) -> tuple[str, ...]:
    """The ``overrides`` and the one that ``workers`` stands for; ``UsageError`` if the two contradict each other.

    ``executor`` is what the benchmark has in that place, ``None`` if nothing.
    """
    changes = tuple(overrides)
    if any(change.partition("=")[0].partition(".")[0].strip() == "executor" for change in changes):
        raise click.UsageError("--workers chooses the executor, and so does --set executor; leave one of them out")
    name = executor.get("use") if isinstance(executor, Mapping) else executor
    if name is not None and name not in _HERE:
        raise click.UsageError(
            f"--workers starts processes of this machine, and the benchmark has executor {name!r}; "
            f"write --set executor.workers={workers}, or --set 'executor={{use: processes, workers: {workers}}}'"
        )
    return (*changes, f"executor={{use: processes, workers: {workers}}}")


VIEW: Final = "view"
"""The command that shows runs in a browser."""

_FIRST_PORT: Final = 20_000
_PORTS: Final = 10_000
"""The ports that the pages of runs have, unless another program has the run's own."""

_PROGRAM: Final = "from arena_cli import main; main()"


class WebPages:
    """The pages of one run, from a process of their own, which ends with this one."""

    def __init__(self, directory: Path, run: str, *, shows_seat_alone: bool = False) -> None:
        """``run`` is the id of the run, from which its port follows: links to seats stay what they are on resume.

        With ``shows_seat_alone`` the link to the run itself is left out, where one seat is open.
        """
        port = _FIRST_PORT + crc32(run.encode()) % _PORTS
        where = ["--port", str(port), "--keep-links"] if _is_free(port) else ["--port", "0"]
        command = [sys.executable, "-c", _PROGRAM, VIEW, str(directory), "--links", *where, "--ends-with-input"]
        command += ["--seat-alone"] if shows_seat_alone else []
        # In a session of its own, so that Ctrl-C stops the run and not the pages; its links are no result of the run.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=2, start_new_session=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None  # it is a pipe
        self._process.stdin.close()  # which ends it, in its own time

    def wait(self) -> None:
        """Leave the pages open until Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            if self._process.poll() is None:
                print_status("the pages stay open; Ctrl-C closes them")
            self._process.wait()


def _is_free(port: int) -> bool:
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


TERMINAL = "terminal"
"""The capability of agents that ask a person at the terminal."""

GRACE_S = 5.0
"""Seconds within which somebody who watches a run may come, before it ends because only open seats are left."""

LISTED = 3
"""The most reasons of failed matches that are printed."""


def check_before(benchmark: Benchmark, *, asks_around: bool = True) -> None:
    """Raise ``ConfigError`` for everything that would keep models from answering, before anything is written.

    Without ``asks_around`` (``--no-check``) only the secrets are looked at.
    """
    check_secrets(benchmark)
    if not asks_around:
        return
    try:
        check_ready(benchmark)
    except ConfigError as error:
        raise ConfigError(f"{problem} (--no-check begins all the same)" for problem in error.problems) from None


def begin(
    benchmark: Benchmark, output: Path | None, plans: tuple[MatchPlan, ...] | None = None, *, is_checked: bool = False
) -> Journal:
    """Create a new run in ``output``, or in a directory named by time and benchmark.

    Unless it ``is_checked`` already, everything that would keep its models from answering is told first.
    """
    if not is_checked:
        check_ready(benchmark)
    if output is not None:
        tell_if_cut_off(output)
    return create_run(benchmark, output or default_directory(benchmark.name), plans)


def tell_if_cut_off(directory: Path) -> None:
    """Say so if a run is about to begin again whose creation was cut off."""
    if is_cut_off(directory):
        print_status(f"{directory}: creating this run was cut off before anything was played; it begins again")


@contextmanager
def closing_early(journal: Journal) -> Generator[None]:
    """Close the journal if the body raises before playing begins."""
    try:
        yield
    except BaseException:
        journal.close()
        raise


def print_directory(journal: Journal) -> None:
    """Print the run's directory, as the last line on standard output."""
    result_data(journal.directory)


def play_and_show(
    ctx: click.Context,
    journal: Journal,
    benchmark: Benchmark,
    *,
    shows_progress: bool = True,
    show: Callable[[Journal], bool],
    close: Callable[[Journal], None] = print_directory,
    keep: Callable[[Path], None] | None = None,
    shows_seat_alone: bool = False,
    watcher: object = None,
) -> None:
    """Play the remaining matches, ``show`` the results, print the run's directory and exit with a code.

    ``show`` returns whether the results are complete; if they are not, the code says so. ``close`` is called at the
    end, whatever happens, and prints what a program reads; ``keep`` when all went well and the journal is closed.
    ``shows_seat_alone`` prints one link: to the one open seat there is. The hooks of ``watcher`` are called meanwhile.
    """
    from arena_cli.running import logs

    log = logs.run_log(ctx.meta.get(VERBOSE, 0), ctx.meta.get(LOG_FILE))
    code = FAILED
    guard = guard_link.here
    if guard is not None:
        guard.tell(directory=str(journal.directory), plugins=plugin_files(benchmark))
    with _pages(journal, shows_seat_alone) if ctx.meta.get(WEB) else nullcontext() as pages:
        with journal:
            try:
                shows_progress = shows_progress and not _asks_somebody(benchmark)
                control = Control(is_attended=pages is not None, grace_s=GRACE_S)
                outcome = _played(journal, benchmark, log, control, watcher, shows_progress=shows_progress)
                _tell(outcome)
                code = outcome.exit_status
                if guard is not None:
                    guard.tell(showing=True)
                if not show(journal) and code == 0:
                    code = FAILED
            except JournalError as error:
                print_status(f"arena: {error}")
                code = STOPPED
            except (KeyboardInterrupt, asyncio.CancelledError):
                print_status(f"arena: interrupted; go on with `arena resume {journal.directory}`")
                code = STOPPED
            finally:
                close(journal)
                if guard is not None:
                    guard.tell(directory="", showing=False)
        if keep is not None and code == DONE:
            keep(journal.directory)
        if pages is not None and code != STOPPED:
            pages.wait()
    ctx.exit(code)


def _pages(journal: Journal, shows_seat_alone: bool) -> WebPages:
    return WebPages(journal.directory, journal.header.id, shows_seat_alone=shows_seat_alone)


def _played(
    journal: Journal, benchmark: Benchmark, log: RunLog, control: Control, own: object, *, shows_progress: bool
) -> RunStatus:
    watcher = Progress().start() if shows_progress else None
    began = time.monotonic()
    if shows_progress:
        for sentence in without_rules(name for name, entry in benchmark.games.items() if not entry.game.has_rules):
            print_status(sentence)
    try:
        observers: dict[str, object] = {"progress": watcher} if watcher else {}
        observers |= {"own-moves": own} if own is not None else {}
        return asyncio.run(play_run(journal, benchmark, observers, _noted, control=control, tell=print_status, log=log))
    finally:
        if watcher:
            watcher.close()
        with suppress(JournalError):
            journal.set_metadata(SECONDS, [*played_s(journal), round(time.monotonic() - began, 1)])


def asks_models(benchmark: Benchmark) -> bool:
    """Whether any agent or judge of a benchmark asks a model."""
    callers = (*(entry.agent for entry in benchmark.agents.values()), *benchmark.metrics.values())
    return any(caller.backends() for caller in callers)


def _asks_somebody(benchmark: Benchmark) -> bool:
    """Whether an agent reads from the terminal, so that no progress may be drawn there."""
    return any(entry.plugin and TERMINAL in entry.plugin.capabilities for entry in benchmark.used.values())


def _noted(name: str, hook: str, error: Exception) -> None:
    """Do nothing about an observer that fails: the log has it at once, and the notes of the run at its end."""


def _tell(outcome: RunStatus) -> None:
    by_reason: dict[str, list[str]] = {}
    for match, reason in outcome.failed.items():
        by_reason.setdefault(reason, []).append(match)
    for reason, failed in list(by_reason.items())[:LISTED]:
        first = failed[0]
        print_status(
            f"match {first} failed: {reason}" if len(failed) == 1 else f"{len(failed):,} matches failed: {reason}"
        )
    if len(by_reason) > LISTED:
        more = sum(map(len, list(by_reason.values())[LISTED:]))
        print_status(f"… and {more:,} more; `arena report {outcome.directory}` lists them")
    for note in outcome.notes:
        print_status(note)
    for warning in outcome.warnings:
        print_status(f"warning: {warning}")
    if outcome.stopped is not None:
        left = outcome.planned - outcome.finished
        matches = "1 match is" if left == 1 else f"{left:,} matches are"
        print_status(f"stopped early: {outcome.stopped}; {matches} left, go on with `arena resume {outcome.directory}`")
    elif left := outcome.planned - outcome.finished:
        print_status(f"{left:,} matches have no result; play them again with `arena resume {outcome.directory}`")
