"""The referee: plays matches one way or the other, and says how each ended, whatever went wrong in it."""

import asyncio
import time
import traceback

from arena.errors import BackendError, ConfigError, JournalError, PluginError, StopRun
from arena.record import Ending, Failure, MatchPlan, MatchRecord

from arena_engine.foundation.shared_timer import SharedTimer
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Job
from arena_engine.job.stopping import Interrupted, uncancelled
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.match.match import Match as Match
from arena_engine.match.quick_loop import QuickEnd, may_be_quick, play_quickly
from arena_engine.match.setup import MatchSetup
from arena_engine.models.pool import BackendPool
from arena_engine.workers.player_messages import WorkerLost
from arena_engine.workers.player_process import WorkerPool

VISIBLE_AFTER_S = 1.0
"""Seconds after which readers of the journal see what has happened in a match that is still being played."""


class Referee:
    """Plays matches of one ``Job``, several at the same time if asked to; ``workers`` must be closed afterwards."""

    def __init__(self, work: Job, context: RunContext, connections: BackendPool) -> None:
        self.work = work
        self.context = context
        self.connections = connections
        self.workers = WorkerPool()
        self.showing = SharedTimer(VISIBLE_AFTER_S)
        self._setups: dict[tuple[str, int], MatchSetup] = {}
        self._may_be_quick: dict[tuple[str, tuple[str, ...]], bool] = {}

    def setup(self, game_name: str, players: int) -> MatchSetup:
        """What all matches of a game with this number of players share; computed once."""
        key = (game_name, players)
        if key not in self._setups:
            self._setups[key] = MatchSetup.of(self.work, game_name, players)
        return self._setups[key]

    async def play(self, plan: MatchPlan) -> MatchRecord:
        """Play one match to its end.

        ``StopRun`` and ``JournalError`` pass and leave the match unfinished. A backend that cannot be reached, or a
        plugin's bug, ends it without a result. However it ends, every agent that joined is closed.
        """
        end = await self._play(plan)
        record = end if isinstance(end, MatchRecord) else end.record()
        if "match_finished" in self.context.active_hooks:
            self.context.hooks.match_finished(record=record)
        return record

    async def play_encoded(self, plan: MatchPlan) -> EncodedMatch:
        """Play one match as ``play`` does, and encode it for the journal."""
        if "match_finished" in self.context.active_hooks:
            record = await self.play(plan)
            return EncodedMatch.of(record, self.context.started.pop(plan.id, None))
        end, started = await self._play(plan), self.context.started.pop(plan.id, None)
        return EncodedMatch.of(end, started) if isinstance(end, MatchRecord) else end.encoded(started)

    async def _play(self, plan: MatchPlan) -> "MatchRecord | QuickEnd":
        active_hooks = self.context.active_hooks
        if self.connections.throttle.is_any_spent and not self.context.recorded(plan.id):
            self.connections.check(self.work.agents[agent] for agent in plan.agents)
        log, began = self.context.log.bind(match=plan.id), time.monotonic()
        log.match_started()
        if "match_started" in active_hooks:
            self.context.hooks.match_started(plan=plan)
        match: Match | None = None
        end: MatchRecord | QuickEnd
        try:
            known = self.context.recorded(plan.id)
            if known:
                log.match_resumed(answers=len(known))
            else:  # otherwise the recorded answers may suffice, without asking a backend
                self.connections.check(self.work.agents[agent] for agent in plan.agents)
            is_quick = not known and self._is_quick(plan)
            if is_quick and time.monotonic() >= self.context.turn_due:
                await self.context.turn()
            if plan.id in self.context.cancelled:
                raise asyncio.CancelledError
            match = Match(self, plan, known)
            quick = play_quickly(match) if is_quick else None
            if isinstance(quick, QuickEnd):
                end = quick
            else:
                self.context.playing[plan.id] = match
                with self.context.tasks.ended_on_stop(match.waits_for_answers, match.players) as task:
                    end = await match.play(task, quick)
        except asyncio.CancelledError:
            if plan.id not in self.context.cancelled:
                raise
            uncancelled()
            end = self._broken(plan, match, Ending.CANCELLED, None)
        except (StopRun, JournalError) as error:
            log.match_left(error=error)
            raise
        except Interrupted as error:
            log.match_left(error=error)
            raise StopRun(str(self.context.reason)) from None
        except (BackendError, ConfigError, WorkerLost) as error:
            log.match_failed(ending=Ending.INFRASTRUCTURE_FAILURE, error=error)
            end = self._broken(plan, match, Ending.INFRASTRUCTURE_FAILURE, Failure(str(error)))
        except PluginError as error:
            log.match_failed(ending=Ending.FAILED, error=error)
            end = self._broken(plan, match, Ending.FAILED, Failure(str(error), traceback.format_exc()))
        except Exception as error:
            log.match_failed(ending=Ending.FAILED, error=error)
            reason = None if match is None else match.state.game_fault(error)
            failure = Failure(reason or f"{type(error).__name__}: {error}", traceback.format_exc())
            end = self._broken(plan, match, Ending.FAILED, failure)
        finally:
            if match is not None:
                self.context.playing.pop(plan.id, None)
                if match.holds_something:
                    await match.close()
                match.agents.clear()  # they may hold their seats, which lead to the match
        if isinstance(end, QuickEnd):
            log.match_finished(ending=Ending.RULES, steps=end.match.steps, seconds=time.monotonic() - began)
        elif end.failure is None:
            log.match_finished(ending=end.ending, steps=end.steps, seconds=time.monotonic() - began)
        return end

    def _is_quick(self, plan: MatchPlan) -> bool:
        """Whether the agents of a match may be played by the quick loop."""
        key = (plan.game, plan.agents)
        if key not in self._may_be_quick:
            setup = self.setup(plan.game, len(plan.agents))
            self._may_be_quick[key] = may_be_quick(setup, plan.agents, self.context)
        return self._may_be_quick[key]

    @staticmethod
    def _broken(plan: MatchPlan, match: "Match | None", ending: Ending, failure: Failure | None) -> MatchRecord:
        events = tuple(match.events) if match else ()
        steps = match.steps if match else 0
        return MatchRecord(
            plan=plan, seats=(), ending=ending, returns=None, steps=steps, events=events, failure=failure
        )
