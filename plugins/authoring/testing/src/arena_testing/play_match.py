"""Play one match with the real referee, completions and journal."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs
from arena.agent import Agent
from arena.errors import StopRun
from arena.game import Game
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Event, MatchPlan, MatchRecord, Player
from arena_engine import Bus
from arena_engine.execution.journaled_run import JournaledRun
from arena_engine.job.executor import Job, Limits
from arena_engine.journal.journal import Journal
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.match.referee import Referee
from arena_engine.models.pool import BackendPool

from arena_testing.journals import HEADER


@attrs.frozen(kw_only=True)
class PlayedMatch:
    """One match, finished or stopped.

    ``record`` is ``None`` if the match was stopped; play again in the same directory to resume it. ``answers`` are all
    journal entries that came from outside (completions and the like), from this and earlier attempts.
    """

    record: MatchRecord | None
    answers: tuple[JournalEntry, ...]
    stopped: str | None = None

    @property
    def over(self) -> MatchRecord:
        """The record of a finished match; ``AssertionError`` says why there is none."""
        assert self.record is not None, f"the match was stopped: {self.stopped}"
        return self.record

    def seen_by(self, player: int) -> list[Event]:
        """The events that ``player`` could see."""
        return [event for event in self.over.events if event.to is None or Player(player) in event.to]

    def actions(self, player: int | None = None) -> list[object]:
        """The actions that were played, in order, by everybody or by ``player`` only."""
        return [_action(event) for event in self.over.played() if player in (None, event.player)]


def play(
    game: Game,
    agents: Sequence[Agent],
    directory: Path,
    *,
    seed: int = 0,
    illegal_actions: IllegalActionPolicy | None = None,
    limits: Limits | None = None,
    watchers: Mapping[str, object] | None = None,
    answers: Iterable[JournalEntry] = (),
) -> PlayedMatch:
    """Play one match of ``game``; ``agents`` are in the order of players.

    The journal is in ``directory``; if there is one already, the match is resumed from it. ``watchers`` are observers
    of the run, by name. ``answers`` are taken as recorded already, as in a resumed match. Not to be called inside a
    running event loop.
    """
    names = tuple(f"agent-{p}" for p in range(len(agents)))
    who = ",".join(names)
    plan = MatchPlan(
        id=f"game/{who}/0.0", game="game", agents=names, pairing=who, repeat=0, rotation=0, chance_seed=seed
    )
    work = Job(
        plans=(plan,),
        games={"game": game},
        agents=dict(zip(names, agents, strict=True)),
        seed=seed,
        illegal_actions=illegal_actions or IllegalActionPolicy(),
        limits=limits or Limits(),
        reveal_agents=False,
    )
    return asyncio.run(_play(work, directory, watchers or {}, answers))


async def _play(
    work: Job, directory: Path, watchers: Mapping[str, object], answers: Iterable[JournalEntry]
) -> PlayedMatch:
    (plan,) = work.plans
    with _journal(directory, plan) as journal:
        for answer in answers:
            await journal.record(answer)
        context = JournaledRun(journal, work.limits, Bus(watchers, complain))
        connections = BackendPool(context)
        referee = Referee(work, context, connections)
        record, stopped = None, None
        try:
            record = await referee.play(plan)
            journal.finish(record)
        except StopRun as stop:
            stopped = str(stop)
        finally:
            referee.workers.close()
            await connections.close()
            await journal.flush()
        return PlayedMatch(record=record, answers=tuple(journal.answers(plan.id)), stopped=stopped)


def _journal(directory: Path, plan: MatchPlan) -> Journal:
    if directory.is_dir() and any(directory.iterdir()):
        return Journal.open(directory, write=True)
    return Journal.create(directory, HEADER, [plan])


def complain(watcher: str, hook: str, error: Exception) -> None:
    """Fail the test if an observer of the match raises."""
    raise AssertionError(f"the watcher {watcher!r} failed in {hook}: {error!r}") from error


def _action(event: Event) -> object:
    assert isinstance(event.data, dict)
    return event.data["action"]
