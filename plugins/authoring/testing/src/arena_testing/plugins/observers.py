"""Prove that an observer keeps its contract."""

import contextlib
import io
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from arena.agent import Reply, Response, Seat
from arena.backend import CompletionRequest, Message
from arena.errors import PluginError
from arena.game import Decision
from arena.hookspecs import EVENTS, Observer, hookimpl
from arena.metric import Measurement
from arena.record import MatchRecord, Player, canonical_json
from arena_engine import Bus

from arena_testing.fixtures.fakes import RANDOM, FunctionAgent, answering
from arena_testing.fixtures.play_match import play
from arena_testing.fixtures.reference_game import REFERENCE_GAME
from arena_testing.foundation.conformance import ConformanceError

_NAME = "observer"


@attrs.frozen(kw_only=True)
class ObserverReport:
    """The hooks that an observer implements (``active_hooks``), and how often they were called (``told``)."""

    observer: str
    active_hooks: tuple[str, ...]
    told: int


def check_observer(observer: Observer) -> ObserverReport:
    """Call ``observer`` through two short runs in which every hook occurs.

    Checked: its hooks exist and none raises; each run gets an object of its own; nothing is written to standard output,
    which belongs to results; what it is handed stays unchanged. ``ConformanceError`` says what was found.
    """
    watchers = [_watcher(observer) for _ in range(2)]
    if watchers[0] is watchers[1]:
        raise ConformanceError("watch", "watch() returns the same object for two runs; make one for each")
    moments, record = _moments()
    active_hooks: frozenset[str] = frozenset()
    for watcher in watchers:
        bus = _bus(watcher)
        active_hooks = bus.active_hooks
        before, printed = canonical_json(record.to_json()), io.StringIO()
        with contextlib.redirect_stdout(printed):
            for hook, told in moments:
                getattr(bus.hooks, hook)(**told)
        if bus.failures:
            raise ConformanceError("crash", f"it fails in {bus.failures[_NAME]}")
        if printed.getvalue():
            what = f"it prints {printed.getvalue()[:80]!r} on standard output; write to standard error or to a file"
            raise ConformanceError("output", what)
        if canonical_json(record.to_json()) != before:
            raise ConformanceError("changes", "it changes the record it is handed")
    if not active_hooks:
        raise ConformanceError(
            "hooks", f"it hears no moment; mark methods with @hookimpl ({', '.join(sorted(EVENTS))})"
        )
    told = sum(hook in active_hooks for hook, _ in moments)
    return ObserverReport(observer=repr(observer), active_hooks=tuple(sorted(active_hooks)), told=told)


def _watcher(observer: Observer) -> object:
    try:
        return observer.start()
    except Exception as error:
        raise ConformanceError("watch", f"watch raises {type(error).__name__}: {error}") from error


def _bus(watcher: object) -> Bus:
    try:
        return Bus({_NAME: watcher}, _keep_silent)
    except PluginError as error:
        raise ConformanceError("hooks", str(error)) from error


def _keep_silent(watcher: str, hook: str, error: Exception) -> None:
    """Ignore the failure; the bus itself records why an observer was switched off."""


class _Recorder:
    """Records every hook call of a match with its arguments."""

    def __init__(self) -> None:
        self.moments: list[tuple[str, Mapping[str, Any]]] = []

    @hookimpl
    def match_started(self, plan: Any) -> None:
        self._note("match_started", plan=plan)

    @hookimpl
    def actions_applied(self, plan: Any, events: Any) -> None:
        self._note("actions_applied", plan=plan, events=events)

    @hookimpl
    def match_finished(self, record: Any) -> None:
        self._note("match_finished", record=record)

    @hookimpl
    def decision_asked(self, plan: Any, decision: Any) -> None:
        self._note("decision_asked", plan=plan, decision=decision)

    @hookimpl
    def action_refused(self, plan: Any, decision: Any, turn: Any, reason: Any) -> None:
        self._note("action_refused", plan=plan, decision=decision, turn=turn, reason=reason)

    @hookimpl
    def completion_requested(self, backend: Any, request: Any) -> None:
        self._note("completion_requested", backend=backend, request=request)

    @hookimpl
    def completion_received(
        self, backend: Any, request: Any, completion: Any, is_replayed: Any, is_cached: Any
    ) -> None:
        told = {"request": request, "completion": completion, "is_replayed": is_replayed, "is_cached": is_cached}
        self._note("completion_received", backend=backend, **told)

    def _note(self, hook: str, **told: Any) -> None:
        self.moments.append((hook, told))


async def _ask(decision: Decision, seat: Seat) -> Response:
    """Play an illegal action first, then request a completion and play a legal one."""
    if decision.turn == 0 and not decision.attempt:
        return Reply(action="nothing")
    request = CompletionRequest(messages=(Message.of("user", "What now?"),))
    await seat.completions.complete(_MODEL, request)
    return Reply(action=1)


_MODEL = answering("add 1")
_OF_SEATS = ("player_waited", "player_returned", "player_left")


def _moments() -> tuple[list[tuple[str, Mapping[str, Any]]], MatchRecord]:
    """Every hook call that can happen in a run, in a possible order, and the record of its match."""
    recorder = _Recorder()
    with tempfile.TemporaryDirectory() as place:
        agents = [FunctionAgent(_ask), RANDOM]
        record = play(REFERENCE_GAME, agents, Path(place) / "run", watchers={"recorder": recorder}).over
    measurement = Measurement("return", 1.0, Player(0))
    moments: list[tuple[str, Mapping[str, Any]]] = [
        ("run_started", {"name": "check", "plans": (record.plan,), "done": 0}),
        *recorder.moments,
        *((hook, {"plan": record.plan, "player": Player(0)}) for hook in _OF_SEATS),
        *((hook, {"name": "check"}) for hook in ("run_paused", "run_continued")),
        ("completion_retried", {"backend": "model", "reason": "busy", "wait_s": 0.5}),
        ("batches_changed", {"backend": "model", "requests": 12, "since": 1.75e9, "until": 1.75e9 + 86_400}),
        ("measured", {"metric": "returns", "record": record, "measurements": (measurement,)}),
        ("run_finished", {"name": "check", "stopped": None}),
    ]
    if missing := EVENTS - {hook for hook, _ in moments}:
        raise AssertionError(f"the check knows nothing of {sorted(missing)}")
    return moments, record
