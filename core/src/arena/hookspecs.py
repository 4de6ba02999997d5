"""The moments of a run that a plugin may watch.

Every hook is an event: all implementations hear it, what they return is ignored, and one that raises is reported once,
with its distribution and version, and is silent for the rest of the run. Only ``StopRun`` passes. Implementations may
take any subset of the arguments, so specs can grow. Agents are never registered here: events carry hidden information.
Nothing handed to a hook may be changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pluggy import HookimplMarker, HookspecMarker

if TYPE_CHECKING:
    from arena.agent import Turn
    from arena.backend import Completion, CompletionRequest
    from arena.game import Decision
    from arena.metric import Measurement
    from arena.record import Event, MatchPlan, MatchRecord

hookspec = HookspecMarker("arena")
hookimpl = HookimplMarker("arena")


class RunSpec:
    """A run as a whole."""

    @hookspec
    def run_started(self, name: str, plans: Sequence[MatchPlan], done: int) -> None:
        """Fires once before the first match; ``done`` of ``plans`` were finished by an earlier attempt."""

    @hookspec
    def run_finished(self, name: str, stopped: str | None) -> None:
        """Fires once after the last match; ``stopped`` is the reason where the run ended early."""


class GameSpec:
    """One match as the referee sees it."""

    @hookspec
    def match_started(self, plan: MatchPlan) -> None:
        """Fires before the first decision of a match, replayed or not."""

    @hookspec
    def actions_applied(self, plan: MatchPlan, events: Sequence[Event]) -> None:
        """Fires after each wave with everything that was written down for it, hidden events included."""

    @hookspec
    def match_finished(self, record: MatchRecord) -> None:
        """Fires when a match is over, whatever its ending, before it is written to the journal."""


class AgentSpec:
    """An agent at its decisions."""

    @hookspec
    def decision_asked(self, plan: MatchPlan, decision: Decision) -> None:
        """Fires before each try."""

    @hookspec
    def action_refused(self, plan: MatchPlan, decision: Decision, turn: Turn, reason: str) -> None:
        """Fires when a try cannot be played."""


class BackendSpec:
    """Completions."""

    @hookspec
    def completion_requested(self, backend: str, request: CompletionRequest) -> None:
        """Fires before a backend is asked; not when the journal or the cache answers."""

    @hookspec
    def completion_received(
        self, backend: str, request: CompletionRequest, completion: Completion, is_replayed: bool, is_cached: bool
    ) -> None:
        """Fires when an answer is durable, or was taken from the journal.

        ``is_replayed`` says that this run's journal gave it, ``is_cached`` that the cache did, free of charge.
        """

    @hookspec
    def completion_retried(self, backend: str, reason: str, wait_s: float) -> None:
        """Fires when a backend failed and will be asked again after ``wait_s`` seconds."""


class MetricSpec:
    """Metrics."""

    @hookspec
    def measured(self, metric: str, record: MatchRecord, measurements: Sequence[Measurement]) -> None:
        """Fires when a metric has measured a match."""


SPECS = (RunSpec, GameSpec, AgentSpec, BackendSpec, MetricSpec)
EVENTS = frozenset(name for spec in SPECS for name in vars(spec) if not name.startswith("_"))


class Hooks(RunSpec, GameSpec, AgentSpec, BackendSpec, MetricSpec):
    """All hooks, as they are called: by keyword only."""


class Observer(ABC):
    """A plugin that watches runs: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def watch(self) -> object:
        """Make the object whose ``@hookimpl`` methods hear one run."""
