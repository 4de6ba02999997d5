"""The end of a match for its agents: each is closed once, and what goes wrong there changes no result."""

import attrs
import pytest
from arena.agent import Agent, PlayerAgent, Reply
from arena.errors import PluginError
from arena.record import Ending, MatchPlan
from arena_engine.execution.api import run
from arena_engine.job.executor import Job
from arena_engine.match.simulation import RandomAgent, simulate
from arena_game_grid.game import TicTacToe

PLAN = MatchPlan(id="game/a,b/0.0", game="game", agents=("a", "b"), pairing="a,b", repeat=0, rotation=0, chance_seed=1)


@attrs.define(eq=False)
class Closing(Agent):
    """Plays at random, fails where it is told to, and counts how often its players were closed."""

    fails_to: str = ""
    joined: int = 0
    closed: list[int] = attrs.field(factory=list)

    def join(self, seat):
        if self.fails_to == "join":
            raise RuntimeError("no room")
        self.joined += 1
        return ClosingPlayer(self, seat)


@attrs.define(eq=False)
class ClosingPlayer(PlayerAgent):
    config: Closing
    seat: object

    async def act(self, decision):
        if self.config.fails_to == "act":
            raise RuntimeError("no idea")
        return Reply(action=decision.sample(self.seat.rng))

    async def close(self):
        self.config.closed.append(self.seat.player)
        if self.config.fails_to == "close":
            raise OSError("cannot close")


def job(*agents: Agent) -> Job:
    return Job(plans=(PLAN,), games={"game": TicTacToe()}, agents=dict(zip("ab", agents, strict=True)), seed=1)


@attrs.frozen
class Clinging(Agent):
    """Plays at random and cannot be closed."""

    def join(self, seat):
        return ClosingPlayer(Closing("close"), seat)


def test_agents_that_cannot_be_closed_are_a_warning(installed_plugin, tmp_path):
    """Two agents whose close fails finish their match: it has its result, the run a warning, and its exit code is 0."""
    installed_plugin("agent", "clinging", Clinging, summary="cannot be closed")

    played = run(
        {
            "name": "closing",
            "games": {"ttt": "grid-tic-tac-toe"},
            "agents": {"one": "clinging", "two": "clinging"},
            "schedule": {"use": "round-robin", "rotate-seats": False},
        },
        output=tmp_path / "run",
    )

    (record,) = played.matches
    assert record.ending is Ending.RULES
    assert record.returns is not None
    (warning,) = played.outcome.warnings
    assert "agent 'one' (ClosingPlayer), player 0: OSError: cannot close" in warning
    assert "agent 'two' (ClosingPlayer), player 1: OSError: cannot close" in warning
    assert played.outcome.exit_status == 0


async def test_simulated_players_are_closed():
    """A simulation closes its agents once, waits for those that close slowly, and passes on what went wrong."""
    sound, broken = Closing(), Closing("close")

    simulated = await simulate(job(sound, broken), PLAN, [sound, broken])

    assert simulated.record is not None
    assert (sound.closed, broken.closed) == ([0], [1])
    assert "agent 'b' (ClosingPlayer), player 1: OSError: cannot close" in simulated.warnings[0]


@pytest.mark.parametrize("fails_to", ["act", "join"])
async def test_players_of_a_broken_match_are_closed(fails_to):
    """Whoever joined is closed, also where the match breaks or another agent cannot join."""
    sound, broken = Closing(), Closing(fails_to)

    with pytest.raises(PluginError, match=r"agent 'b': .* raised RuntimeError"):
        await simulate(job(sound, broken), PLAN, [sound, broken])

    assert sound.closed == [0]
    assert len(broken.closed) == broken.joined


async def test_players_of_a_match_that_is_stopped_are_closed():
    """A match that is not played to its end closes its agents too."""
    sound = Closing()

    simulated = await simulate(job(sound, RandomAgent()), PLAN, [sound, RandomAgent()], 2)

    assert simulated.record is None
    assert sound.closed == [0]
