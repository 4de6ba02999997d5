"""The hooks of a run that an observer may implement, and those by which a distribution offers plugins.

Every hook but those of ``OfferSpec`` is an event: all implementations are called and what they return is ignored. One
that raises is reported once, with its name and the hook's, and switched off for the rest of the run; only
``StopRun`` passes. Implementations may take any subset of the arguments, so specs can grow. Agents are never
registered here, because events carry hidden information. Nothing handed to a hook may be changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pluggy import HookimplMarker, HookspecMarker

if TYPE_CHECKING:
    from arena.agent import Response
    from arena.backend import Completion, CompletionRequest
    from arena.game import Decision
    from arena.metric import Measurement
    from arena.plugin import Plugin
    from arena.record import Event, MatchPlan, MatchRecord, Player

hookspec = HookspecMarker("arena")
hookimpl = HookimplMarker("arena")


class Hooks:
    """All hooks of a run, as the engine calls them: by keyword only."""

    @hookspec
    def run_started(self, name: str, plans: Sequence[MatchPlan], done: int) -> None:
        """Fires once before the first match; ``done`` of ``plans`` were finished by an earlier attempt."""

    @hookspec
    def run_finished(self, name: str, stopped: str | None) -> None:
        """Fires once after the last match; ``stopped`` says why the run ended early, or is ``None``."""

    @hookspec
    def run_paused(self, name: str) -> None:
        """Fires when a run is paused: nothing new is asked, and what is in flight is kept."""

    @hookspec
    def run_continued(self, name: str) -> None:
        """Fires when a run that was paused goes on."""

    @hookspec
    def match_started(self, plan: MatchPlan) -> None:
        """Fires before the first decision of a match, also if the match is replayed from the journal."""

    @hookspec
    def actions_applied(self, plan: MatchPlan, events: Sequence[Event]) -> None:
        """Fires after a match begins and after each step, with all events recorded for it, hidden ones included."""

    @hookspec
    def player_waited(self, plan: MatchPlan, player: Player) -> None:
        """Fires when a match begins to wait for somebody outside who plays for ``player``."""

    @hookspec
    def player_returned(self, plan: MatchPlan, player: Player) -> None:
        """Fires when somebody outside has answered for ``player``, before the answer is played."""

    @hookspec
    def player_left(self, plan: MatchPlan, player: Player) -> None:
        """Fires when ``player`` has got up; what follows for its match is what follows from a forfeit."""

    @hookspec
    def match_finished(self, record: MatchRecord) -> None:
        """Fires when a match is over, whatever its ending, and before its record is written to the journal."""

    @hookspec
    def decision_asked(self, plan: MatchPlan, decision: Decision) -> None:
        """Fires before an agent is asked, once for each try of a turn."""

    @hookspec
    def action_refused(self, plan: MatchPlan, decision: Decision, turn: Response, reason: str) -> None:
        """Fires when an answer cannot be played; ``reason`` is what the agent is told."""

    @hookspec
    def completion_requested(self, backend: str, request: CompletionRequest) -> None:
        """Fires before a request is sent to a backend, and not if the journal or the cache has its completion."""

    @hookspec
    def completion_received(
        self, backend: str, request: CompletionRequest, completion: Completion, is_replayed: bool, is_cached: bool
    ) -> None:
        """Fires when a completion has been written to the journal, or was read from it.

        ``is_replayed`` says that it came from this run's journal, ``is_cached`` that it came from the cache.
        """

    @hookspec
    def completion_retried(self, backend: str, reason: str, wait_s: float) -> None:
        """Fires when a request failed and will be sent again after ``wait_s`` seconds."""

    @hookspec
    def batches_changed(self, backend: str, requests: int, since: float | None, until: float | None) -> None:
        """Fires when more or fewer ``requests`` wait in batches: sent from ``since`` on, due ``until`` (POSIX time)."""

    @hookspec
    def measured(self, metric: str, record: MatchRecord, measurements: Sequence[Measurement]) -> None:
        """Fires when a metric has measured a match, while matches are played.

        Only metrics that need neither the game nor the calls measure then; all others do in reports.
        """


class OfferSpec:
    """The hooks by which a distribution offers many plugins, or plugins with generated names.

    A few plugins are better named one by one in entry points. An entry point of the group ``arena.plugins`` names a
    light module, which implements any of these hooks, marked with ``@hookimpl``. Each is called once, without
    arguments, when a catalog first looks something up, and returns a descriptor for each name. Implementations import
    nothing heavy, read and write nothing, and give the same answer each time. One that raises, or returns something
    else, is listed as broken, with its distribution and the reason; all other plugins stay usable.
    """

    @hookspec
    def arena_games(self) -> Mapping[str, Plugin]:
        """Return the descriptors of games by name; the hooks of the other kinds of plugins work alike."""
        return {}

    arena_agents = arena_backends = arena_metrics = arena_executors = arena_schedules = arena_games
    arena_observers = arena_suites = arena_reports = arena_exports = arena_commands = arena_games
    arena_solvers = arena_prompt_styles = arena_illegal_actions = arena_games


EVENTS = frozenset(name for name in vars(Hooks) if not name.startswith("_"))


class Observer(ABC):
    """The configuration of an observer: best a ``@attrs.frozen`` class whose fields are its parameters."""

    @abstractmethod
    def start(self) -> object:
        """Create the object whose ``@hookimpl`` methods are called during one run."""
