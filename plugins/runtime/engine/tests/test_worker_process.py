"""What a player finds in a worker process is what it finds in the process of the run."""

import json
import sys

import pytest
from arena.illegal_actions import IllegalActionPolicy
from arena_engine import Limits
from arena_game_grid.game import ConnectFour
from arena_game_negotiation.negotiation import Negotiation
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_tradecraft.game import TradeCraft

CURIOUS = """
import json
from random import Random
from typing import ClassVar

import attrs
from arena.agent import Agent, PlayerAgent, Reply


@attrs.frozen
class Curious(Agent):
    plays_in_own_process: ClassVar[bool] = True

    def join(self, seat):
        return CuriousPlayer(seat)


class InThread(Curious):
    plays_in_own_process: ClassVar[bool] = False


class CuriousPlayer(PlayerAgent):
    def __init__(self, seat):
        self.seat, self.seen = seat, 0

    async def act(self, d):
        seat, rng = self.seat, Random(self.seat.rng.random())
        self.seen += 1
        action = d.sample(rng)
        state = seat.resample_hidden(d.turn)
        odd = d.check({"odd": 1})
        answers = []
        for query in d.queries:
            asked = await seat.query(query.name, query.example)
            answers.append([query.name, query.limit, str(asked), str(query.answer(query.example))])
        answers.append(str(await seat.query("no such thing", None)))
        note = {
            "seat": [seat.player, seat.players, seat.name, seat.rules[:40], seat.agents],
            "decision": [d.player, d.phase, d.turn, d.attempt, d.refusals, d.refusals_left, str(d.skip), d.schema],
            "seen": d.observation,
            "shown": [str(d.render(form))[:200] for form in d.forms],
            "news": [[e.kind, e.data] for e in d.news],
            "rejected": [[r.kind, r.reason, str(r.action)] for r in d.rejected],
            "labels": [o.label for o in d.options or ()],
            "other": str(d.interpret(["b2"])),
            "odd": [odd.kind, odd.reason],
            "fine": d.check(action),
            "state": None if state is None else [list(state.to_act()), state.observe(d.player)],
            "rest": [rng.random(), self.seen, answers],
        }
        if d.turn == 0 and d.attempt == 0:
            return Reply(action={"odd": 1})
        return Reply(action=action, note=json.loads(json.dumps(note)), reasoning=str(self.seen))
"""


@pytest.fixture
def curious(tmp_path, monkeypatch):
    """A module with an agent that reads all it can, and writes it down."""
    (tmp_path / "curious_agent.py").write_text(CURIOUS)
    monkeypatch.syspath_prepend(str(tmp_path))
    import curious_agent  # pyright: ignore[reportMissingImports]

    yield curious_agent
    del sys.modules["curious_agent"]


@pytest.mark.slow
@pytest.mark.parametrize("game", [ConnectFour(), KuhnPoker(), Negotiation(), TradeCraft()])
@pytest.mark.sample(slow=1)
def test_player_finds_the_same_wherever_it_plays(play, curious, game):
    """Seat, decision, look-ups and positions to think on hold the same in a worker process, and so do the records."""
    policy = IllegalActionPolicy(retries=2, then="forfeit")
    players = min(game.player_counts())

    found = [
        play(game, [kind()] * players, seed=5, illegal_actions=policy, limits=Limits(max_steps=12)).over
        for kind in (curious.InThread, curious.Curious)
    ]

    assert found[0].failure is None, found[0].failure
    assert found[0] == found[1]
    notes = [event.data["note"] for event in found[0].played() if event.data.get("note")]
    assert len(notes) >= 2
    assert "seen" in json.dumps(notes)
