"""Plays all matches of a benchmark: start, resume, extend, stop.

A run is a directory with a journal. Whatever ends it, the journal says what is left to do, and nothing that was
computed or paid for is done again.
"""

import asyncio
import contextlib
import platform
import re
import secrets
import signal
from collections.abc import Generator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import attrs

from arena.benchmark import Benchmark, from_plain
from arena.bus import Bus, Report
from arena.cache import Cache
from arena.catalog import Catalog
from arena.desk import FrontDesk
from arena.errors import ConfigError, JournalError, ReplayMismatch, StopRun
from arena.executor import Work
from arena.journal import Header, Journal
from arena.judging import judge_all
from arena.record import JSON, Ending, Failure, MatchPlan, MatchRecord
from arena.schedule import expand


@attrs.frozen(kw_only=True)
class Outcome:
    """How far a run has come. ``stopped`` is the reason where it ended early; ``failed`` maps matches to reasons."""

    directory: Path
    planned: int
    finished: int
    failed: Mapping[str, str]
    stopped: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 done, 1 some matches (or judges) failed or are missing, 3 stopped early."""
        if self.stopped is not None:
            return 3
        return 1 if self.failed or self.notes or self.finished < self.planned else 0


def default_directory(name: str) -> Path:
    """``runs/<UTC time>-<name>``, one that is not there yet."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
    slug = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "run"
    directory = Path("runs") / f"{stamp}-{slug}"
    number = 2
    while directory.exists():
        directory = Path("runs") / f"{stamp}-{slug}-{number}"
        number += 1
    return directory


def start(benchmark: Benchmark, directory: Path, plans: Sequence[MatchPlan] | None = None) -> Journal:
    """Write down a new run, of the matches its schedule makes unless ``plans`` are given; nothing is played yet."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    header = Header(
        id=secrets.token_hex(8),
        name=benchmark.name,
        seed=benchmark.seed,
        benchmark=benchmark.plain,
        created=created,
        core=version("arena-core"),
        python=platform.python_version(),
        platform=platform.platform(),
        provenance=tuple(benchmark.provenance()),
    )
    return Journal.create(directory, header, expand(benchmark) if plans is None else plans)


def reopen(directory: Path, catalog: Catalog, overrides: Iterable[str] = ()) -> tuple[Journal, Benchmark]:
    """Open a run to go on with it.

    ``overrides`` (``PATH=value``) change some of its limits, or the executor: where matches are played never changes
    what is played.
    """
    changes = tuple(overrides)
    if others := [change for change in changes if not re.match(r"limits\.|executor[.=]", change)]:
        raise ConfigError(
            f"--set {other}: only limits and the executor may change when a run goes on" for other in others
        )
    journal = Journal.open(directory, write=True)
    try:
        benchmark = from_plain(_table(journal.header.benchmark), catalog, overrides=changes)
        if changes:
            journal.extend(attrs.evolve(journal.header, benchmark=benchmark.plain), journal.plans())
        journal.begin_attempt(benchmark.provenance())
    except BaseException:
        journal.close()
        raise
    return journal, benchmark


def extend(directory: Path, benchmark: Benchmark) -> Journal:
    """Open a run to go on with a larger benchmark: more repeats, games, agents, metrics.

    Games and agents that were there must be there, as they were: a name that was free again could be given to another
    agent, and the first one's matches with it. What was played is not played again.
    """
    journal = Journal.open(directory, write=True)
    try:
        changed = _changes(_table(journal.header.benchmark), _table(benchmark.plain))
        if changed:
            raise ConfigError(
                [*changed, f"{directory}: only what adds matches may change; start a new run for the rest"]
            )
        journal.extend(attrs.evolve(journal.header, benchmark=benchmark.plain), expand(benchmark))
        journal.begin_attempt(benchmark.provenance())
    except BaseException:
        journal.close()
        raise
    return journal


def _changes(old: Mapping[str, JSON], new: Mapping[str, JSON]) -> list[str]:
    """What differs in a way that would make matches already played other than they are."""
    changed: list[str] = []
    for part in ("games", "agents"):
        was, now = _table(old.get(part)), _table(new.get(part))
        changed += [f"{part}.{n}: was played and is not there any more; put it back" for n in was if n not in now]
        changed += [f"{part}.{n}: differs from what was played" for n in was if n in now and was[n] != now[n]]
    for key in ("seed", "illegal_actions", "tells_agents", "imagines"):
        if old.get(key) != new.get(key):
            changed.append(f"{key.replace('_', '-')}: was {old.get(key)!r}, is {new.get(key)!r}")
    return changed


async def carry_out(journal: Journal, benchmark: Benchmark, watchers: Mapping[str, object], report: Report) -> Outcome:
    """Play what is left of a run, then let its judges look at it. The journal stays open.

    SIGINT once stops cleanly (answers in flight are kept), a second one at once. ``report`` hears of observers that
    broke.
    """
    bus = Bus({**{name: o.watch() for name, o in benchmark.observers.items()}, **watchers}, report)
    plans = journal.plans()
    done = {id_ for id_, ending in journal.endings().items() if ending.is_result or ending is Ending.CANCELLED}
    desk = FrontDesk(journal, benchmark.limits, bus)
    journal.redact(_secrets(benchmark))
    work = work_of(benchmark, [plan for plan in plans if plan.id not in done])
    stopped: str | None = None
    notes: list[str] = []
    if "run_started" in bus.heard:
        bus.hooks.run_started(name=benchmark.name, plans=plans, done=len(done))
    with _interruptible(desk):
        try:
            notes += await _play(benchmark, work, desk, journal)
            desk.check()
            await journal.flush()
            ended = journal.endings()
            if lost := [plan.id for plan in work.plans if plan.id not in ended]:
                notes.append(f"the executor lost {len(lost)} matches, {lost[0]!r} first; resume the run to play them")
            cache = Cache.at(benchmark.cache, benchmark.seed)
            games = {name: entry.game for name, entry in benchmark.games.items()}
            notes += await judge_all(benchmark.metrics, games, journal, desk, benchmark.limits.concurrency, cache)
        except StopRun as stop:
            stopped = str(stop)
        except ReplayMismatch as error:
            raise ReplayMismatch(f"{error}{_upgrades(journal)}") from None
        finally:
            with contextlib.suppress(JournalError):
                await journal.flush()
    await journal.flush()
    if "run_finished" in bus.heard:
        bus.hooks.run_finished(name=benchmark.name, stopped=stopped)
    notes += [f"observer {name!r} failed in {why}" for name, why in bus.failures.items()]
    return outcome_of(journal, stopped, notes)


async def _play(benchmark: Benchmark, work: Work, desk: FrontDesk, journal: Journal) -> list[str]:
    """Play and write down; returns which metrics could not be shown to those who watch measurements, and why."""
    notes: dict[str, str] = {}
    if not work.plans:
        return []
    playing = benchmark.executor.play(work, desk)
    async with contextlib.aclosing(playing):  # type: ignore[type-var]  # executors are async generators
        async for record in playing:
            try:
                journal.finish(record)
            except (TypeError, ValueError, RecursionError) as error:
                reason = f"something that is no JSON was to be recorded: {error}"
                record = MatchRecord(
                    plan=record.plan, seats=(), ending=Ending.FAILED, returns=None, failure=Failure(reason)
                )
                journal.finish(record)
            if "measured" in desk.heard and record.ending.is_result:
                _measure(benchmark, record, desk, notes)
    return [f"metric {name!r} failed: {why}" for name, why in notes.items()]


def _measure(benchmark: Benchmark, record: MatchRecord, desk: FrontDesk, notes: dict[str, str]) -> None:
    for name, metric in benchmark.metrics.items():
        if name in notes:
            continue
        try:
            measurements = tuple(metric.measure(record))
        except Exception as error:
            notes[name] = f"{type(error).__name__}: {error}"
        else:
            desk.hooks.measured(metric=name, record=record, measurements=measurements)


def work_of(benchmark: Benchmark, plans: Sequence[MatchPlan]) -> Work:
    """Some matches of a benchmark with all it takes to play them."""
    return Work(
        plans=plans,
        games={name: entry.game for name, entry in benchmark.games.items()},
        agents={name: entry.agent for name, entry in benchmark.agents.items()},
        seed=benchmark.seed,
        illegal_actions=benchmark.illegal_actions,
        limits=benchmark.limits,
        tells_agents=benchmark.tells_agents,
        imagines=benchmark.imagines,
        plain=benchmark.plain,
        cache=benchmark.cache,
    )


def outcome_of(journal: Journal, stopped: str | None = None, notes: Iterable[str] = ()) -> Outcome:
    """How far a run has come, as its journal tells."""
    endings = journal.endings()
    failed: dict[str, str] = {}
    for id_, ending in endings.items():
        if not ending.is_result:
            record = journal.record(id_)
            failed[id_] = record.failure.reason if record and record.failure else str(ending)
    return Outcome(
        directory=journal.directory,
        planned=journal.planned(),
        finished=len(endings) - len(failed),
        failed=failed,
        stopped=stopped,
        notes=tuple(notes),
    )


def _secrets(benchmark: Benchmark) -> list[str]:
    owners = [entry.agent for entry in benchmark.agents.values()]
    backends = [b for owner in (*owners, *benchmark.metrics.values()) for b in owner.backends().values()]
    return [secret.reveal() for backend in backends for secret in backend.secrets()]


def _upgrades(journal: Journal) -> str:
    """Which distributions are not what they were when the run was started."""
    attempts = [{str(p["dist"]): str(p["version"]) for p in attempt} for attempt in journal.attempts()]
    first, last = attempts[0], attempts[-1]
    changed = [f"{dist} {was} is now {last[dist]}" for dist, was in first.items() if last.get(dist, was) != was]
    return f" (since the run was started: {', '.join(changed)})" if changed else ""


def _table(value: JSON) -> Mapping[str, JSON]:
    return value if isinstance(value, Mapping) else {}


@contextlib.contextmanager
def _interruptible(desk: FrontDesk) -> Generator[None]:
    """Turn the first SIGINT or SIGTERM into a clean stop and the second into an immediate one."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def interrupt() -> None:
        if desk.reason is None:
            desk.stop("interrupted")
        elif task:
            task.cancel()

    installed: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):  # not in the main thread; Windows
            loop.add_signal_handler(number, interrupt)
            installed.append(number)
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)
