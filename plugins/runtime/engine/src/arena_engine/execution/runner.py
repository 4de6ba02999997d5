"""Creates, plays, resumes, extends and stops runs.

A run is a directory with a journal. However it ends, the journal says which matches are left, and nothing that was
computed or paid for is done again.
"""

import contextlib
import platform
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.calls import PluginCall, calling
from arena.catalog import Catalog
from arena.errors import ArenaError, ConfigError, JournalError, PluginError, ReplayMismatch, StopRun
from arena.hookspecs import Observer
from arena.metric import FinishedMatch
from arena.record import JSON, MatchPlan, MatchRecord

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.benchmark.entries import unconsenting
from arena_engine.benchmark.plain_data import compared
from arena_engine.benchmark.recorded_benchmark import begun_again, open_benchmark, recorded_plain
from arena_engine.benchmark.trust import keep_places, trusting
from arena_engine.execution.control import Control
from arena_engine.execution.interruption import interruptible
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.execution.judging import run_judges
from arena_engine.execution.match_runner import collecting_less
from arena_engine.execution.recorded_prompts import record_prompts
from arena_engine.execution.remote_control import ControlEndpoint
from arena_engine.foundation.json_values import measurement_fault
from arena_engine.foundation.redaction import CUT, Redactor
from arena_engine.foundation.run_log import SILENT, RunLog
from arena_engine.job.bus import Bus, FailureCallback
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Job, MatchPlans
from arena_engine.job.planning import iter_plans, plan_matches
from arena_engine.job.plugin_calls import EXECUTOR, awaiting
from arena_engine.job.stopping import Interrupted
from arena_engine.journal.database import is_cut_off
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.journal.journal import Journal
from arena_engine.journal.listing import PlannedMatches, RunStatus, lost_matches, status_of
from arena_engine.journal.reading import JournalReader
from arena_engine.journal.schema import Header
from arena_engine.models.cache import CompletionCache
from arena_engine.references.recorded_games import record_games

OUTSIDE: Final = "outside"
"""The metadata key; there is none in a run without such agents."""


def record_outside(journal: Journal, benchmark: Benchmark) -> None:
    """Write down which agents of a benchmark somebody outside plays, if there are any."""
    names = sorted(name for name, entry in benchmark.agents.items() if entry.agent.outside is not None)
    if names:
        journal.set_metadata(OUTSIDE, names)


def watched_outside(journal: JournalReader) -> frozenset[str]:
    """The ids of matches in which somebody outside played while the host saw all of them."""
    watched, outside = journal.watched(), outside_agents(journal)
    if not watched:
        return watched
    return frozenset(plan.id for plan in journal.plans() if plan.id in watched and outside & set(plan.agents))


def outside_agents(journal: JournalReader) -> frozenset[str]:
    """The agents of a run that somebody outside plays, by their names."""
    names: Any = journal.metadata(OUTSIDE)
    return frozenset(map(str, cast("list[Any]", names))) if isinstance(names, list) else frozenset()


NAMED = 5
"""How many of those that were cut off are named."""


def default_directory(name: str, within: Path = Path("runs")) -> Path:
    """The path ``<UTC time>-<name>`` in a directory, with a number appended if it exists."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
    slug = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.") or "run"
    directory = within / f"{stamp}-{slug}"
    number = 2
    while directory.exists():
        directory = within / f"{stamp}-{slug}-{number}"
        number += 1
    return directory


def create_run(benchmark: Benchmark, directory: Path, plans: Iterable[MatchPlan] | None = None) -> Journal:
    """Create the journal of a new run, with the matches of its schedule unless ``plans`` are given. Plays nothing."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    header = Header(
        id=secrets.token_hex(8),
        name=benchmark.name,
        seed=benchmark.seed,
        benchmark=benchmark.plain,
        created=created,
        core=version("playarena-core"),
        python=platform.python_version(),
        platform=platform.platform(),
        provenance=tuple(benchmark.provenance()),
        unpaired=tuple(sorted(benchmark.unpaired)),
    )
    return _created(benchmark, directory, header, plans)


def _created(benchmark: Benchmark, directory: Path, header: Header, plans: Iterable[MatchPlan] | None) -> Journal:
    keep_places(benchmark.places)
    planned = iter_plans(benchmark) if plans is None else plans
    journal = Journal.create(directory, header, planned, benchmark.journal, is_scheduled=plans is None)
    record_outside(journal, benchmark)
    record_prompts(journal, benchmark)
    return journal


def resume_run(
    directory: Path, catalog: Catalog, overrides: Iterable[str] = (), *, is_repaired: bool = False
) -> tuple[Journal, Benchmark]:
    """Open an unfinished run for ``play_run``; plans that a repair lost (``is_repaired``) are made again.

    A run whose creation was cut off (``is_cut_off``) is created again, if its header was written already.
    ``overrides`` (``PATH=value``) may change its limits and its executor, which do not change what is played. What the
    run names is run, code and pickles included: whoever resumes the run of somebody else has to read it first.
    """
    changes = check_changes(overrides)
    if is_cut_off(directory):
        header, benchmark = begun_again(directory, catalog, changes)
        return _created(benchmark, directory, header, None), benchmark
    journal = Journal.open(directory, write=True)
    try:
        with trusting(code=True, pickle=True):
            benchmark = open_benchmark(journal, catalog, overrides=changes)
        if changes or is_repaired:
            header = attrs.evolve(journal.header, benchmark=benchmark.plain)
            journal.extend(header, plan_matches(benchmark)) if is_repaired else journal.replace_header(header)
        journal.begin_attempt(benchmark.provenance())
    except BaseException:
        journal.close()
        raise
    return journal, benchmark


def check_changes(overrides: Iterable[str]) -> tuple[str, ...]:
    """The ``overrides`` with which a run may go on; ``ConfigError`` for those that would change what is played."""
    changes = tuple(overrides)
    if others := [change for change in changes if not re.match(r"limits\.|executor[.=]", change)]:
        raise ConfigError(
            f"--set {other}: only limits and the executor may change when a run goes on" for other in others
        )
    return changes


def extend_run(directory: Path, benchmark: Benchmark) -> Journal:
    """Open a run to play a larger benchmark: with more repeats, games, agents or metrics.

    All old games and agents must still be there, unchanged: otherwise another agent could take over an old one's name,
    and its matches with it. Matches already played are not played again. A benchmark that leaves versions to Arena must
    have those that the run was begun with: ``as_begun`` gives it.
    """
    journal = Journal.open(directory, write=True)
    try:
        plans = plan_matches(benchmark)
        changed = _changes(recorded_plain(journal), _table(benchmark.plain))
        changed = changed or _dealt_anew(journal.plans(), plans)
        if changed:
            raise ConfigError(
                [*changed, f"{directory}: only what adds matches may change; start a new run for the rest"]
            )
        header = attrs.evolve(journal.header, benchmark=benchmark.plain, unpaired=tuple(sorted(benchmark.unpaired)))
        keep_places(benchmark.places)
        journal.extend(header, plans)
        record_outside(journal, benchmark)
        record_prompts(journal, benchmark)
        journal.begin_attempt(benchmark.provenance())
    except BaseException:
        journal.close()
        raise
    return journal


def _changes(old: Mapping[str, JSON], new: Mapping[str, JSON]) -> list[str]:
    """The differences that would change matches already played."""
    changed: list[str] = []
    for part in ("games", "agents"):
        was, now = (_table(compared(unconsenting(plain.get(part)))) for plain in (old, new))
        changed += [f"{part}.{n}: was played and is not there any more; put it back" for n in was if n not in now]
        changed += [f"{part}.{n}: differs from what was played" for n in was if n in now and was[n] != now[n]]
    for key in ("seed", "illegal_actions", "reveal_agents", "resample_hidden"):
        if old.get(key) != new.get(key):
            changed.append(f"{key.replace('_', '-')}: was {old.get(key)!r}, is {new.get(key)!r}")
    return changed


def _dealt_anew(old: Iterable[MatchPlan], new: Iterable[MatchPlan]) -> list[str]:
    """What is wrong if matches of a run would get other deals than those it began with."""
    begun = {plan.id: plan.chance_seed for plan in old}
    changed = [plan.id for plan in new if begun.get(plan.id, plan.chance_seed) != plan.chance_seed]
    if not changed:
        return []
    what = f"{changed[0]!r} and {len(changed) - 1:,} more" if len(changed) > 1 else repr(changed[0])
    return [f"schedule: {what} would be dealt anew; keep what 'paired' and 'same-deals' were when the run began"]


async def play_run(
    journal: Journal,
    benchmark: Benchmark,
    observers: Mapping[str, object],
    report: FailureCallback,
    *,
    control: Control | None = None,
    tell: Callable[[str], None] | None = None,
    log: RunLog = SILENT,
) -> RunStatus:
    """Play the remaining matches of a run, then run the judges of its metrics. Leaves the journal open.

    ``observers`` are called in addition to the benchmark's own; ``report`` is called once for each that fails. The
    first SIGINT or SIGTERM stops cleanly (answers that come within a second are kept), a second one immediately;
    ``control`` stops and pauses it from outside. Where nobody knows yet what random play earns in a game, random
    matches of it are played first, for a second at most. ``tell`` is called in another thread with a sentence about
    each plugin that keeps the run waiting; the status has these sentences as warnings. ``log`` is told what happens,
    without secrets.
    """
    began = time.monotonic()
    redactor = Redactor(dict.fromkeys(_secrets(benchmark), CUT))
    log = log.cleaned(redactor.json).bind(run=journal.header.id)

    def failed(name: str, hook: str, error: Exception) -> None:
        log.observer_failed(observer=name, hook=hook, error=error)
        report(name, hook, error)

    bus = Bus({**{name: _started(name, o) for name, o in benchmark.observers.items()}, **observers}, failed)
    plans, left = PlannedMatches(journal), PlannedMatches(journal, unfinished=True)
    done = len(plans) - len(left)
    context = JournaledRun(journal, benchmark.limits, bus, log)
    journal.redact(_secrets(benchmark))
    work = job_for(benchmark, left)
    stopped: str | None = None
    notes: list[str] = []
    _tell_start(log, journal, len(plans), done)
    if "run_started" in bus.active_hooks:
        bus.hooks.run_started(name=benchmark.name, plans=plans, done=done)
    control = control or Control()
    control.connect(context, journal)

    def told(sentence: str) -> None:
        if sentence not in context.warnings and tell is not None:
            tell(sentence)
        context.warn(sentence)
        log.run_held_up(reason=sentence)

    context.tasks.tell = told
    with interruptible(context, told), collecting_less():
        endpoint = ControlEndpoint(control, journal)
        try:
            await endpoint.open()
            record_games(journal, benchmark.games)
            notes += await _play(benchmark, work, context, journal)
            context.check_stopped()
            if context.left is not None:
                raise StopRun(context.left)
            await journal.flush()
            notes += lost_matches(journal)
            cache = CompletionCache.at(benchmark.cache, benchmark.seed)
            games = {name: entry.game for name, entry in benchmark.games.items()}
            notes += await run_judges(benchmark.metrics, games, journal, context, benchmark.limits.concurrency, cache)
        except StopRun as stop:
            stopped = f"{stop}{_cut_off(context)}"
        except Interrupted:
            stopped = f"{context.reason}{_cut_off(context)}"
        except ReplayMismatch as error:
            log.run_failed(error=error)
            raise ReplayMismatch(f"{error}{_upgrades(journal)}") from None
        except BaseException as error:
            log.run_failed(error=error)
            raise
        finally:
            endpoint.close()
            control.disconnect()
            with contextlib.suppress(JournalError):
                await journal.flush()
    await journal.flush()
    if "run_finished" in bus.active_hooks:
        bus.hooks.run_finished(name=benchmark.name, stopped=stopped)
    if context.totals.estimated_calls:
        some, calls = context.totals.estimated_calls, context.totals.calls
        context.warn(f"the tokens of {some:,} of {calls:,} calls are estimates from above")
    notes += [f"observer {name!r} failed in {why}" for name, why in bus.failures.items()]
    stopped = None if stopped is None else redactor.text(stopped)
    status = attrs.evolve(
        status_of(journal, stopped, map(redactor.text, notes)),
        warnings=tuple(map(redactor.text, said(context.warnings))),
    )
    log.run_finished(
        finished=status.finished,
        failed=len(status.failed),
        calls=context.totals.calls,
        is_stopped=stopped is not None,
        seconds=time.monotonic() - began,
    )
    return status


def _tell_start(log: RunLog, journal: Journal, matches: int, done: int) -> None:
    name, directory, attempts = journal.header.name, journal.directory.absolute(), len(journal.attempts())
    if attempts > 1:
        log.run_resumed(name=name, directory=directory, matches=matches, done=done, attempt=attempts)
    else:
        log.run_started(name=name, directory=directory, matches=matches)


def _started(name: str, observer: Observer) -> object:
    try:
        with calling(PluginCall("observer", name, observer.start)):
            return observer.start()
    except ArenaError:
        raise
    except Exception as error:
        raise PluginError(f"observer {name!r}: start raised {type(error).__name__}: {error}") from error


async def _play(benchmark: Benchmark, work: Job, context: JournaledRun, journal: Journal) -> list[str]:
    """Play and record matches; return which metrics failed while observers listened to measurements, and why."""
    notes: dict[str, str] = {}
    if not work.plans:
        return []
    playing = benchmark.executor.play(work, context)
    call = PluginCall(EXECUTOR, "", type(benchmark.executor).play)
    with awaiting(call):
        async with contextlib.aclosing(playing):  # type: ignore[type-var]  # executors are async generators
            async for ended in playing:
                started = context.started.pop(ended.id, None)
                match = ended if isinstance(ended, EncodedMatch) else EncodedMatch.of(ended, started)
                journal.store(match)
                if "measured" in context.active_hooks and match.ending.is_result:
                    record = _decoded(ended, journal) if isinstance(ended, EncodedMatch) else ended
                    _measure(benchmark, record, context, notes)
    return [f"metric {name!r} failed: {why}" for name, why in notes.items()]


def _decoded(match: EncodedMatch, journal: Journal) -> MatchRecord:
    plan = journal.plan_of(match.id)
    assert plan is not None  # its record has been stored
    return match.record(plan)


def _measure(benchmark: Benchmark, record: MatchRecord, context: JournaledRun, notes: dict[str, str]) -> None:
    for name, metric in benchmark.metrics.items():
        if name in notes or metric.needs_game or metric.needs_calls:
            continue
        try:
            with calling(PluginCall("metric", name, metric.measure)):
                measurements = tuple(metric.measure(FinishedMatch(record, None)))
            if fault := next(filter(None, (measurement_fault(m, record) for m in measurements)), None):
                raise ValueError(fault)
        except Exception as error:
            notes[name] = f"{type(error).__name__}: {error}"
            context.log.metric_failed(metric=name, error=error)
        else:
            context.hooks.measured(metric=name, record=record, measurements=measurements)


def _cut_off(context: RunContext) -> str:
    """Who was waited for and whose turn was cut short, as the end of a message."""
    waited = f"; {context.seats.beside}" if context.seats.beside else ""
    names = list(context.tasks.cut_off)
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return f"{waited}; cut off: {', '.join(names[:NAMED])}{more}" if names else waited


def said(warnings: Mapping[str, int]) -> tuple[str, ...]:
    """The texts of warnings, each once, with its count if it was given more than once."""
    return tuple(text if times == 1 else f"{text} ({times:,} times)" for text, times in warnings.items())


def job_for(benchmark: Benchmark, plans: MatchPlans) -> Job:
    """The job of playing ``plans``, with the games, agents and limits of their benchmark."""
    return Job(
        plans=plans,
        games={name: entry.game for name, entry in benchmark.games.items()},
        agents={name: entry.agent for name, entry in benchmark.agents.items()},
        seed=benchmark.seed,
        illegal_actions=benchmark.illegal_actions,
        limits=benchmark.limits,
        reveal_agents=benchmark.reveal_agents,
        resample_hidden=benchmark.resample_hidden,
        plain=benchmark.plain,
        plugins=benchmark.plugins(),
        cache=benchmark.cache,
    )


def _secrets(benchmark: Benchmark) -> list[str]:
    owners = [entry.agent for entry in benchmark.agents.values()]
    backends = [b for owner in (*owners, *benchmark.metrics.values()) for b in owner.backends().values()]
    return [secret.reveal() for backend in backends for secret in backend.secrets()]


def _upgrades(journal: Journal) -> str:
    """The distributions whose versions changed since the run was created, as the end of a message."""
    attempts = [{str(p["dist"]): str(p["version"]) for p in attempt} for attempt in journal.attempts()]
    first, last = attempts[0], attempts[-1]
    changed = [f"{dist} {was} is now {last[dist]}" for dist, was in first.items() if last.get(dist, was) != was]
    return f" (since the run was started: {', '.join(changed)})" if changed else ""


def _table(value: JSON) -> Mapping[str, JSON]:
    return value if isinstance(value, Mapping) else {}
