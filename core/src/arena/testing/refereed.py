"""Play one match with the real referee, completions and journal."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from arena.agent import Agent
from arena.bus import Bus
from arena.connections import Connections
from arena.desk import FrontDesk
from arena.errors import StopRun
from arena.executor import Answer, IllegalActions, Limits, Work
from arena.game import Game
from arena.journal import Journal
from arena.record import Event, MatchPlan, MatchRecord, Player
from arena.referee import Referee
from arena.testing.journals import HEADER


@attrs.frozen(kw_only=True)
class Played:
    """One match that was played, as far as it came.

    ``record`` is ``None`` where the match was stopped; play again in the same directory to resume it. ``answers`` is
    all that came from outside, from this and earlier attempts.
    """

    record: MatchRecord | None
    answers: tuple[Answer, ...]
    stopped: str | None = None

    @property
    def over(self) -> MatchRecord:
        """The record of a match that came to its end; ``AssertionError`` says why there is none."""
        assert self.record is not None, f"the match was stopped: {self.stopped}"
        return self.record

    def seen_by(self, player: int) -> list[Event]:
        """The events that ``player`` could see."""
        return [event for event in self.over.events if event.to is None or Player(player) in event.to]

    def actions(self, player: int | None = None) -> list[object]:
        """The actions that were played, by everybody or by ``player``."""
        return [_action(event) for event in self.over.played() if player in (None, event.player)]


def play(
    game: Game,
    agents: Sequence[Agent],
    directory: Path,
    *,
    seed: int = 0,
    illegal_actions: IllegalActions | None = None,
    limits: Limits | None = None,
    watchers: Mapping[str, object] | None = None,
    answers: Iterable[Answer] = (),
) -> Played:
    """Play one match of ``game`` between ``agents``, by player; not to be called inside a running event loop.

    The journal is in ``directory``; where there is one already the match is resumed from it. ``watchers`` hear the
    run's hooks. ``answers`` are known from the start, as if the match were resumed.
    """
    names = tuple(f"agent-{p}" for p in range(len(agents)))
    who = ",".join(names)
    plan = MatchPlan(
        id=f"game/{who}/0.0", game="game", agents=names, pairing=who, repeat=0, rotation=0, chance_seed=seed
    )
    work = Work(
        plans=(plan,),
        games={"game": game},
        agents=dict(zip(names, agents, strict=True)),
        seed=seed,
        illegal_actions=illegal_actions or IllegalActions(),
        limits=limits or Limits(),
        tells_agents=False,
    )
    return asyncio.run(_play(work, directory, watchers or {}, answers))


async def _play(work: Work, directory: Path, watchers: Mapping[str, object], answers: Iterable[Answer]) -> Played:
    (plan,) = work.plans
    with _journal(directory, plan) as journal:
        for answer in answers:
            await journal.keep(answer)
        desk = FrontDesk(journal, work.limits, Bus(watchers, complain))
        connections = Connections(desk)
        record, stopped = None, None
        try:
            record = await Referee(work, desk, connections).play(plan)
            journal.finish(record)
        except StopRun as stop:
            stopped = str(stop)
        finally:
            await connections.close()
            await journal.flush()
        return Played(record=record, answers=tuple(journal.answers(plan.id)), stopped=stopped)


def _journal(directory: Path, plan: MatchPlan) -> Journal:
    if directory.is_dir() and any(directory.iterdir()):
        return Journal.open(directory, write=True)
    return Journal.create(directory, HEADER, [plan])


def complain(watcher: str, hook: str, error: Exception) -> None:
    """Nobody who watches may break."""
    raise AssertionError(f"the watcher {watcher!r} failed in {hook}: {error!r}") from error


def _action(event: Event) -> object:
    assert isinstance(event.data, dict)
    return event.data["action"]
