"""Checks whether a plugin keeps the contract of its kind; runs in a child process."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import attrs
import click
from arena.agent import Agent, Refusal, RefusalKind, Response, Seat
from arena.backend import OFFLINE
from arena.catalog import InstalledPlugin
from arena.errors import ArenaError, ConfigError
from arena.game import Decision, Game
from arena.illegal_actions import IllegalActionPolicy
from arena.record import MatchRecord
from arena_engine import load_benchmark, plan_matches
from arena_engine.benchmark import read_value
from arena_testing import (
    RANDOM,
    REFERENCE_GAME,
    ConformanceError,
    FunctionAgent,
    check_agent,
    check_backend,
    check_executor,
    check_game,
    check_metric,
    check_observer,
    check_schedule,
    check_solver,
    play,
)
from click.testing import CliRunner

from arena_devkit.review.determinism import KINDS
from arena_devkit.review.examples import build, games_for, variants
from arena_devkit.review.fault_findings import doubts_of, finding_of
from arena_devkit.review.findings import Finding, Item, facts_of
from arena_devkit.review.outputs import Unwritten, written
from arena_devkit.review.tasks import Task

QUICK_S: Final = 0.001
"""CPU seconds of a decision above which an agent that says that it is quick is not."""

_PART_OF: Final[Mapping[str, str]] = {
    "leak": "leaks",
    "public": "leaks",
    "told": "leaks",
    "announced": "leaks",
    "resample": "resample",
    "determinism": "determinism",
    "interleaved": "determinism",
    "luck": "determinism",
}
"""The part of the review that a rule belongs to, if it is not ``conformance``."""

_SEPARATE: Final = frozenset({"told", "announced", "resample"})
"""Rules whose faults leave the other checks of a game meaningful."""

_QUICK_PLAYOUTS: Final = 6
_CPU_S: Final = 60.0
_QUICK_CPU_S: Final = 8.0


def conduct(task: Task, entry: InstalledPlugin) -> Iterator[Item]:
    """Try the plugin with its defaults and with its example; each finding goes to the part its rule belongs to."""
    for how, value in _tried(task, entry):
        try:
            yield from _CHECKS[task.kind](task, entry, value)
        except ConformanceError as fault:
            yield from _faulty(task.kind, fault, how if how != "by itself" else "")


def _tried(task: Task, entry: InstalledPlugin) -> list[tuple[str, Any]]:
    if task.kind in ("suite", "prompt-style", "command"):
        return [("by itself", None)]
    if task.kind == "backend":  # a backend without parameters names no model, so only the example can be asked
        return [("with its example", _backend(entry))]
    made = list(variants(entry))
    return made[:1] if task.is_quick else made


def _backend(entry: InstalledPlugin) -> Any:
    try:
        return build(entry, {})
    except ConfigError:
        return build(entry, entry.plugin.example if entry.plugin else {})


def _faulty(kind: str, fault: ConformanceError, how: str) -> Iterator[Item]:
    part = _PART_OF.get(fault.check, "conformance") if kind in KINDS else "conformance"
    if fault.check == "facts" and "was not tested" in fault.what:
        part = "leaks"
    yield Item(part=part, findings=(finding_of(fault, how),))
    if part != "conformance":
        yield Item(part="conformance", untested=f"ended at the fault under {part!r}; mend that first")


def _game(task: Task, entry: InstalledPlugin, game: Game) -> Iterator[Item]:
    playouts, cpu_s = (_QUICK_PLAYOUTS, _QUICK_CPU_S) if task.is_quick else (None, _CPU_S)
    without: set[str] = set()
    while True:
        try:
            report = check_game(game, seed=task.seed, playouts=playouts, cpu_s=cpu_s, without=without)
            break
        except ConformanceError as fault:
            if fault.check not in _SEPARATE or fault.check in without:
                raise
            # The other checks do not depend on this one, so what they find is told as well.
            without.add(fault.check)
            yield Item(part=_PART_OF[fault.check], findings=(finding_of(fault),))
    facts = facts_of(report, "game", "pairs", "differing", "redeals", "draws")
    note = f"{report.positions} positions of {report.playouts} matches, {report.probes:,} actions tried"
    if report.left_out:
        note += f"; {report.left_out} more matches were left out, since the time of {cpu_s:g} s was over"
    yield Item(part="conformance", findings=doubts_of(report.untested), note=note, facts=facts)
    hidden = any(game.facts(n).hidden_information for n in report.players)
    told = f"{report.pairs:,} pairs of positions that a player cannot tell apart, {report.differing:,} differ in truth"
    power = {"pairs": report.pairs, "differing": report.differing, "redeals": report.redeals}
    yield Item(part="leaks", note=told if hidden else f"{told}; nothing is declared hidden", facts=power)
    drawn = f"{report.draws:,} positions drawn for players, which depend on nothing that is hidden from them"
    none = "resample_hidden draws no positions to compare, so agents that search cannot play" if hidden else ""
    note = drawn if report.draws else none or "nothing is declared hidden"
    yield Item(part="resample", note=note if "resample" not in without else "", facts={"draws": report.draws})


def _agent(task: Task, entry: InstalledPlugin, agent: Agent) -> Iterator[Item]:
    if agent.outside is not None:
        yield Item(part="conformance", untested="somebody outside plays for it, who is not here")
        return
    refused: list[str] = []
    for game in games_for(entry, task.game):
        try:
            report = check_agent(agent, game, matches=1 if task.is_quick else 2, seed=task.seed)
        except ConfigError as error:
            refused.append(f"{game!r}: {error}")
            continue
        except ConformanceError as fault:
            if fault.check in ("crash", "forms") and ("ConfigError" in fault.what or fault.check == "forms"):
                refused.append(f"{game!r}: {fault.what.splitlines()[0]}")
                continue
            raise
        findings = doubts_of(report.untested)
        if report.illegal:
            reason = f"in {game!r}, {report.illegal} of {report.replies} actions were not legal; none was announced"
            findings.append(Finding.of("illegal", reason, is_warning=bool(agent.backends())))
        if report.quick_s is not None and report.quick_s > QUICK_S:
            took = f"its decisions take {report.quick_s * 1_000:.1f} ms, and every other match waits meanwhile"
            findings.append(Finding.of("not-quick", took, is_warning=True))
        facts = facts_of(report, "agent")
        note = f"asked {report.asked} times in {report.matches} matches of {type(game).__name__}"
        yield Item(part="conformance", findings=findings, note=note, facts=facts)
        return
    yield Item(part="conformance", untested=f"no game to try it in ({'; '.join(refused)}); name one with --game")


def _backend_checked(task: Task, entry: InstalledPlugin, backend: Any) -> Iterator[Item]:
    if OFFLINE not in backend.supports() and not task.is_online:
        why = "it asks a server, which may cost money; --online asks about fifteen short completions"
        yield Item(part="conformance", untested=why)
        return
    report = check_backend(backend)
    facts = facts_of(report, "backend")
    note = f"{report.completions} completions, {report.prompt_tokens + report.completion_tokens:,} tokens"
    yield Item(part="conformance", findings=doubts_of(report.untested), note=note, facts=facts)


def _metric(task: Task, entry: InstalledPlugin, metric: Any) -> Iterator[Item]:
    report = check_metric(metric)
    with tempfile.TemporaryDirectory() as place:
        played = [
            _numbered(play(REFERENCE_GAME, [RANDOM, RANDOM], Path(place) / str(n), seed=n).over, n) for n in range(3)
        ]
    check_metric(metric, played, REFERENCE_GAME)
    facts = facts_of(report, "metric")
    note = f"{report.measurements} measurements of {report.matches} matches, {report.estimates} estimates"
    yield Item(part="conformance", note=note, facts=facts)


def _numbered(record: MatchRecord, repeat: int) -> MatchRecord:
    """The record with another repeat number, so that matches played one by one count as a series."""
    plan = attrs.evolve(record.plan, id=record.plan.id.replace("0.0", f"{repeat}.0"), repeat=repeat)
    return attrs.evolve(record, plan=plan)


def _executor(task: Task, entry: InstalledPlugin, executor: Any) -> Iterator[Item]:
    try:
        report = check_executor(executor)
    except ConformanceError as fault:
        if "ConfigError" not in fault.what:
            raise
        why = f"it plays nothing made up ({fault.what}); call check_executor with the work of a benchmark in your tests"
        yield Item(part="conformance", untested=why)
        return
    yield Item(part="conformance", note=f"{report.matches} matches equal, {report.answers} answers kept")


def _observer(task: Task, entry: InstalledPlugin, observer: Any) -> Iterator[Item]:
    report = check_observer(observer)
    yield Item(
        part="conformance",
        note=f"implements {', '.join(report.active_hooks)}",
        facts={"heard": list(report.active_hooks)},
    )


def _schedule(task: Task, entry: InstalledPlugin, schedule: Any) -> Iterator[Item]:
    report = check_schedule(schedule)
    lineups = {str(players): n for players, n in report.lineups.items()}
    told = ", ".join(f"{n} of {players}" for players, n in lineups.items())
    yield Item(part="conformance", note=f"lineups by players: {told}", facts={"lineups": lineups})


def _solver(task: Task, entry: InstalledPlugin, solver: Any) -> Iterator[Item]:
    refused: list[str] = []
    for game in games_for(entry, task.game):
        report = check_solver(solver, game)
        if report.positions:
            note = f"{report.actions} actions judged in {report.positions} positions of {type(game).__name__}"
            yield Item(part="conformance", note=note)
            return
        refused += report.untested
    yield Item(part="conformance", untested=f"no game that it solves ({'; '.join(refused)}); name one with --game")


def _illegal_actions(task: Task, entry: InstalledPlugin, policy: IllegalActionPolicy) -> Iterator[Item]:
    stubborn = FunctionAgent(_say_nothing)
    one, two = (policy.for_game(REFERENCE_GAME, 2) for _ in range(2))
    if not isinstance(one, IllegalActionPolicy) or one != two:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConformanceError(
            "illegal-actions", f"for_game() gives {one!r} and then {two!r}; expected the same policy twice"
        )
    with tempfile.TemporaryDirectory() as place:
        record = play(REFERENCE_GAME, [stubborn, RANDOM], Path(place) / "run", illegal_actions=policy).over
    if record.failure is not None:
        raise ConformanceError(
            "illegal-actions", f"a match with a player who is always refused fails: {record.failure}"
        )
    yield Item(part="conformance", note=f"who never answers ends a match as {str(record.ending)!r}")


def _say_nothing(decision: Decision, seat: Seat) -> Response:
    return Refusal(kind=RefusalKind.EMPTY, reason="nothing was said")


def _suite(task: Task, entry: InstalledPlugin, value: Any) -> Iterator[Item]:
    try:
        benchmark = load_benchmark(f"suite:{entry.dist}:{entry.name}")
        plans = list(plan_matches(benchmark))
    except ConfigError as error:
        yield Item(part="conformance", findings=[Finding.of("suite", problem) for problem in error.problems])
        return
    except ArenaError as error:
        yield Item(part="conformance", findings=[Finding.of("suite", str(error))])
        return
    counts = f"{len(benchmark.games)} games, {len(benchmark.agents)} agents"
    yield Item(part="conformance", note=f"{len(plans):,} matches of {counts}", facts={"matches": len(plans)})


def _prompt_style(task: Task, entry: InstalledPlugin, value: Any) -> Iterator[Item]:
    data: Any = read_value(entry.read_text(), f"{entry.kind} {entry.name!r}")
    if not isinstance(data, Mapping) or not data:
        raise ConformanceError("prompt-style", f"the file holds {data!r:.80}; expected a table")
    keys = cast("Mapping[str, Any]", data)
    yield Item(part="conformance", note=f"keys {', '.join(keys)}")


def _command(task: Task, entry: InstalledPlugin, value: Any) -> Iterator[Item]:
    command = cast("click.Command", entry.load())
    done = CliRunner().invoke(command, ["--help"])
    if done.exit_code or not (command.help or "").strip():
        raise ConformanceError("help", f"--help exits with {done.exit_code} and says {done.output[:200]!r}")
    yield Item(part="conformance", note=f"--help says {done.output.strip().splitlines()[0]!r}")


def _written(task: Task, entry: InstalledPlugin, value: Any) -> Iterator[Item]:
    try:
        yield Item(part="conformance", note=written(task.kind, value))
    except Unwritten as error:
        yield Item(part="conformance", untested=str(error))


_CHECKS: Final[Mapping[str, Callable[[Task, InstalledPlugin, Any], Iterator[Item]]]] = {
    "game": _game,
    "agent": _agent,
    "backend": _backend_checked,
    "metric": _metric,
    "executor": _executor,
    "observer": _observer,
    "schedule": _schedule,
    "solver": _solver,
    "illegal-actions": _illegal_actions,
    "suite": _suite,
    "prompt-style": _prompt_style,
    "command": _command,
    "report": _written,
    "export": _written,
}
