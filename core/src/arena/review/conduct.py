"""Parts of a review in the process of their own: whether a plugin keeps the contract of its kind."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import attrs
import click
from click.testing import CliRunner

from arena.agent import Agent, Refusal, Seat, Turn
from arena.backend import OFFLINE
from arena.benchmark import load
from arena.catalog import Entry
from arena.errors import ArenaError, ConfigError
from arena.executor import IllegalActions
from arena.game import Decision, Game
from arena.reader import read_value
from arena.record import MatchRecord, RefusalKind
from arena.review.building import build, games_for, variants
from arena.review.findings import Finding, Item
from arena.review.process import Task
from arena.review.worlds import KINDS
from arena.review.writing import Unwritten, written
from arena.schedule import expand
from arena.shipped import read
from arena.testing.agents import check_agent
from arena.testing.backends import check_backend
from arena.testing.conformance import ConformanceError
from arena.testing.executors import check_executor
from arena.testing.games import check_game
from arena.testing.metrics import check_metric
from arena.testing.observers import check_observer
from arena.testing.refereed import play
from arena.testing.schedules import check_schedule
from arena.testing.solvers import check_solver
from arena.testing.stand_ins import RANDOM, FunctionAgent
from arena.testing.yardstick import YARDSTICK

_PART_OF: Final[Mapping[str, str]] = {
    "leak": "leaks",
    "determinism": "determinism",
    "interleaved": "determinism",
    "luck": "determinism",
}
"""The part that a rule belongs to, where that is not the conformance at large."""

_QUICK_PLAYOUTS: Final = 6


def conduct(task: Task, entry: Entry) -> Iterator[Item]:
    """Try the plugin by itself and with its example; what is found comes under the part that it belongs to."""
    for how, value in _tried(task, entry):
        try:
            yield from _CHECKS[task.kind](task, entry, value)
        except ConformanceError as fault:
            yield from _faulty(task.kind, fault, how if how != "by itself" else "")


def _tried(task: Task, entry: Entry) -> list[tuple[str, Any]]:
    if task.kind in ("suite", "style", "command"):
        return [("by itself", None)]
    if task.kind == "backend":  # the one kind whose example names what can be asked
        return [("with its example", _backend(entry))]
    made = list(variants(entry))
    return made[:1] if task.is_quick else made


def _backend(entry: Entry) -> Any:
    try:
        return build(entry, {})
    except ConfigError:
        return build(entry, entry.plugin.example if entry.plugin else {})


def _faulty(kind: str, fault: ConformanceError, how: str) -> Iterator[Item]:
    part = _PART_OF.get(fault.check, "conformance") if kind in KINDS else "conformance"
    if fault.check == "facts" and "was not tested" in fault.what:
        part = "leaks"
    reason = f"{how}: {fault}" if how else str(fault)
    yield Item(part=part, findings=(Finding.of(fault.check, reason),))
    if part != "conformance":
        yield Item(part="conformance", untested=f"ended at the fault under {part!r}; mend that first")


def _doubts(untested: tuple[str, ...]) -> list[Finding]:
    """What a check says it could not look at, as doubts."""
    return [Finding.of(why.partition(":")[0], why, is_warning=True) for why in untested]


def _facts(report: Any, *but: str) -> dict[str, Any]:
    """The numbers of a report."""
    return attrs.asdict(report, filter=lambda attribute, _: attribute.name not in (*but, "untested"))


def _game(task: Task, entry: Entry, game: Game) -> Iterator[Item]:
    report = check_game(game, seed=task.seed, playouts=_QUICK_PLAYOUTS if task.is_quick else None)
    facts = _facts(report, "game", "pairs", "differing", "redeals")
    note = f"{report.positions} positions of {report.playouts} matches, {report.probes:,} actions tried"
    yield Item(part="conformance", findings=_doubts(report.untested), note=note, facts=facts)
    hidden = any(game.facts(n).hidden_information for n in report.players)
    told = f"{report.pairs:,} pairs of positions that a player cannot tell apart, {report.differing:,} differ in truth"
    power = {"pairs": report.pairs, "differing": report.differing, "redeals": report.redeals}
    yield Item(part="leaks", note=told if hidden else f"{told}; nothing is declared hidden", facts=power)


def _agent(task: Task, entry: Entry, agent: Agent) -> Iterator[Item]:
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
        findings = _doubts(report.untested)
        if report.illegal:
            reason = f"in {game!r}, {report.illegal} of {report.replies} actions were not legal; none was announced"
            findings.append(Finding.of("illegal", reason, is_warning=bool(agent.backends())))
        facts = _facts(report, "agent")
        note = f"asked {report.asked} times in {report.matches} matches of {type(game).__name__}"
        yield Item(part="conformance", findings=findings, note=note, facts=facts)
        return
    yield Item(part="conformance", untested=f"no game to try it in ({'; '.join(refused)}); name one with --game")


def _backend_checked(task: Task, entry: Entry, backend: Any) -> Iterator[Item]:
    if OFFLINE not in backend.able() and not task.is_online:
        why = "it asks a server, which may cost money; --online asks about fifteen short completions"
        yield Item(part="conformance", untested=why)
        return
    report = check_backend(backend)
    facts = _facts(report, "backend")
    note = f"{report.completions} completions, {report.prompt_tokens + report.completion_tokens:,} tokens"
    yield Item(part="conformance", findings=_doubts(report.untested), note=note, facts=facts)


def _metric(task: Task, entry: Entry, metric: Any) -> Iterator[Item]:
    report = check_metric(metric)
    with tempfile.TemporaryDirectory() as place:
        played = [_numbered(play(YARDSTICK, [RANDOM, RANDOM], Path(place) / str(n), seed=n).over, n) for n in range(3)]
    check_metric(metric, played, YARDSTICK)
    facts = _facts(report, "metric")
    note = f"{report.measurements} measurements of {report.matches} matches, {report.estimates} estimates"
    yield Item(part="conformance", note=note, facts=facts)


def _numbered(record: MatchRecord, repeat: int) -> MatchRecord:
    """A match that was played alone, as one of several."""
    plan = attrs.evolve(record.plan, id=record.plan.id.replace("0.0", f"{repeat}.0"), repeat=repeat)
    return attrs.evolve(record, plan=plan)


def _executor(task: Task, entry: Entry, executor: Any) -> Iterator[Item]:
    try:
        report = check_executor(executor)
    except ConformanceError as fault:
        if "ConfigError" not in fault.what:
            raise
        why = f"it plays nothing made up ({fault.what}); call check_executor with the work of a benchmark in your tests"
        yield Item(part="conformance", untested=why)
        return
    yield Item(part="conformance", note=f"{report.matches} matches equal, {report.answers} answers kept")


def _observer(task: Task, entry: Entry, observer: Any) -> Iterator[Item]:
    report = check_observer(observer)
    yield Item(part="conformance", note=f"hears {', '.join(report.heard)}", facts={"heard": list(report.heard)})


def _schedule(task: Task, entry: Entry, schedule: Any) -> Iterator[Item]:
    report = check_schedule(schedule)
    lineups = {str(players): n for players, n in report.lineups.items()}
    told = ", ".join(f"{n} of {players}" for players, n in lineups.items())
    yield Item(part="conformance", note=f"lineups by players: {told}", facts={"lineups": lineups})


def _solver(task: Task, entry: Entry, solver: Any) -> Iterator[Item]:
    refused: list[str] = []
    for game in games_for(entry, task.game):
        report = check_solver(solver, game)
        if report.positions:
            note = f"{report.actions} actions judged in {report.positions} positions of {type(game).__name__}"
            yield Item(part="conformance", note=note)
            return
        refused += report.untested
    yield Item(part="conformance", untested=f"no game that it solves ({'; '.join(refused)}); name one with --game")


def _discipline(task: Task, entry: Entry, policy: IllegalActions) -> Iterator[Item]:
    stubborn = FunctionAgent(_say_nothing)
    one, two = (policy.of(YARDSTICK, 2) for _ in range(2))
    if not isinstance(one, IllegalActions) or one != two:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConformanceError("discipline", f"of() gives {one!r} and then {two!r}; expected the same policy twice")
    with tempfile.TemporaryDirectory() as place:
        record = play(YARDSTICK, [stubborn, RANDOM], Path(place) / "run", illegal_actions=policy).over
    if record.failure is not None:
        raise ConformanceError("discipline", f"a match with a player who is always refused fails: {record.failure}")
    yield Item(part="conformance", note=f"who never answers ends a match as {str(record.ending)!r}")


def _say_nothing(decision: Decision, seat: Seat) -> Turn:
    return Refusal(kind=RefusalKind.EMPTY, reason="nothing was said")


def _suite(task: Task, entry: Entry, value: Any) -> Iterator[Item]:
    try:
        benchmark = load(f"suite:{entry.dist}:{entry.name}")
        plans = list(expand(benchmark))
    except ConfigError as error:
        yield Item(part="conformance", findings=[Finding.of("suite", problem) for problem in error.problems])
        return
    except ArenaError as error:
        yield Item(part="conformance", findings=[Finding.of("suite", str(error))])
        return
    counts = f"{len(benchmark.games)} games, {len(benchmark.agents)} agents"
    yield Item(part="conformance", note=f"{len(plans):,} matches of {counts}", facts={"matches": len(plans)})


def _style(task: Task, entry: Entry, value: Any) -> Iterator[Item]:
    data: Any = read_value(read(entry), f"{entry.kind} {entry.name!r}")
    if not isinstance(data, Mapping) or not data:
        raise ConformanceError("style", f"the file holds {data!r:.80}; expected a table")
    keys = cast("Mapping[str, Any]", data)
    yield Item(part="conformance", note=f"keys {', '.join(keys)}")


def _command(task: Task, entry: Entry, value: Any) -> Iterator[Item]:
    command = cast("click.Command", entry.load())
    done = CliRunner().invoke(command, ["--help"])
    if done.exit_code or not (command.help or "").strip():
        raise ConformanceError("help", f"--help exits with {done.exit_code} and says {done.output[:200]!r}")
    yield Item(part="conformance", note=f"--help says {done.output.strip().splitlines()[0]!r}")


def _written(task: Task, entry: Entry, value: Any) -> Iterator[Item]:
    try:
        yield Item(part="conformance", note=written(task.kind, value))
    except Unwritten as error:
        yield Item(part="conformance", untested=str(error))


_CHECKS: Final[Mapping[str, Callable[[Task, Entry, Any], Iterator[Item]]]] = {
    "game": _game,
    "agent": _agent,
    "backend": _backend_checked,
    "metric": _metric,
    "executor": _executor,
    "observer": _observer,
    "schedule": _schedule,
    "solver": _solver,
    "discipline": _discipline,
    "suite": _suite,
    "style": _style,
    "command": _command,
    "report": _written,
    "export": _written,
}
