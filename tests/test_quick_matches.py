"""Matches whose agents answer at once are played by one loop, all others by another one; their records are the same."""

from typing import Any

import pytest
from arena.catalog import Catalog, Status
from arena.game import Game
from arena.record import MatchPlan
from arena_engine import make_plugin
from arena_engine.job.executor import Job
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.match.referee import Referee
from arena_engine.match.simulation import InMemoryRun
from arena_engine.models.pool import BackendPool

MATCHES = 3


class Run(InMemoryRun):
    """A run that keeps nothing; ``general`` are the matches that were not played at once from beginning to end."""

    def __init__(self, hooks: frozenset[str]) -> None:
        super().__init__()
        self.is_held = False
        self.listened_to = hooks
        self.general: list[str] = []
        self.playing = Noted(self.general)

    @property
    def active_hooks(self) -> frozenset[str]:
        return self.listened_to


class Noted(dict[str, Any]):
    """Notes which matches are seen from outside."""

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def __setitem__(self, match: str, playing: Any) -> None:
        self.seen.append(match)
        super().__setitem__(match, playing)


def plans_of(game: Game) -> list[MatchPlan]:
    """Some matches with the fewest players."""
    agents = tuple(f"agent-{p}" for p in range(min(game.player_counts())))
    who = ",".join(agents)
    return [
        MatchPlan(id=f"game/{who}/{n}.0", game="game", agents=agents, pairing=who, repeat=n, rotation=0, chance_seed=n)
        for n in range(MATCHES)
    ]


async def played(game: Game, agent: str, *hooks: str) -> tuple[list[EncodedMatch], list[str]]:
    """The matches of a game between copies of an agent, and which of them were not played at once."""
    plans, context = plans_of(game), Run(frozenset(hooks))
    agents = dict.fromkeys(plans[0].agents, make_plugin("agent", agent, Catalog()))
    referee = Referee(Job(plans=plans, games={"game": game}, agents=agents, seed=5), context, BackendPool(context))
    context.turn_due += 60  # however slow the machine is, no match is interrupted
    try:
        return [await referee.play_encoded(plan) for plan in plans], context.general
    finally:
        referee.workers.close()


def games() -> list[str]:
    """Every game that is installed and can be played with its defaults or its example."""
    return [entry.name for entry in Catalog().entries("game") if entry.status is Status.OK]


@pytest.mark.sample(fast=8)
@pytest.mark.parametrize("name", games())
async def test_both_loops_write_the_same_bytes(name: str):
    """The records and summaries of a game's matches are the same, whether somebody listens to its steps or not."""
    game = make_plugin("game", {"use": name, **Catalog().get("game", name).plugin.example})

    at_once, waited_for = await played(game, "random")
    general, listened_to = await played(game, "random", "decision_asked")

    assert at_once == general
    assert len(listened_to) == MATCHES
    assert waited_for == [] or any(match.ending == "turn-limit" for match in at_once)
