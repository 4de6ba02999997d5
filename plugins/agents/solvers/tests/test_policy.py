"""Policies made elsewhere, and best responses to them."""

import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from arena.chance import Chance
from arena.decision import PlayerView
from arena.errors import ConfigError
from arena.illegal_actions import IllegalActionPolicy
from arena.record import Ending, Player
from arena.testing import RANDOM, check_agent
from arena_agent_solvers.policy import Policy
from arena_agent_solvers.policy_table import save
from arena_agent_solvers.response import BestResponse
from arena_agent_solvers.rllib import numbered, observed, shared
from arena_game_openspiel.board_games.connect_four import ConnectFour
from arena_game_openspiel.board_games.tic_tac_toe import TicTacToe
from arena_game_openspiel.card_games.kuhn import KuhnPoker
from arena_game_openspiel.strategic_games.matrix import MatchingPennies, RockPaperScissors
from arena_gym import HashedFeatures

from .nim import Nim

FUNCTIONS = """
import numpy as np

def last(decision):
    return decision.options.actions[-1]

async def numbered(decision):
    return np.int64(decision.options.actions[0])

def certain(decision):
    return np.eye(len(decision.options))[-1]

def short(decision):
    return [1.0]

def illegal(decision):
    return "somewhere"

nothing = 3
"""


@pytest.fixture(autouse=True)
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the user's own."""
    (tmp_path / "trained_elsewhere.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(str(tmp_path))


def table(path: Path, content: Any) -> Policy:
    path.write_text(json.dumps(content))
    return Policy(policy=str(path), kind="table")


@pytest.mark.parametrize(("name", "first"), [("last", 8), ("numbered", 0)])
def test_function_is_asked_for_the_action(play, name: str, first: int):
    """A function, asynchronous or not, gets the decision and its action is played, numbers of numpy included."""
    record = play(TicTacToe(), [Policy(policy=f"trained_elsewhere:{name}"), RANDOM], seed=1).over

    assert next(record.played()).data["action"] == first


def test_probabilities_are_drawn_from(play):
    """Where the function gives probabilities, an option is drawn by them, and they are written down."""
    agent = Policy(policy="trained_elsewhere:certain", gives="probabilities")

    record = play(TicTacToe(), [agent, RANDOM], seed=1).over

    first = next(record.played()).data
    assert first["action"] == 8
    assert first["note"]["probabilities"] == [[n, float(n == 8)] for n in range(9)]
    assert check_agent(agent, TicTacToe(), matches=1, is_legal=True).replies


def test_wrong_probabilities_are_a_failure(play):
    """Too few probabilities are a bug of the function: the match fails with what was wrong, and nothing is played."""
    agent = Policy(policy="trained_elsewhere:short", gives="probabilities")

    record = play(TicTacToe(), [agent, RANDOM]).over

    assert record.ending is Ending.FAILED
    assert record.failure is not None
    assert "gave 1 probabilities for 9 options" in record.failure.reason


def test_illegal_action_is_refused_and_never_replaced(play):
    """What the function returns is what it meant: if that is illegal, it is refused as for anybody else."""
    policy = IllegalActionPolicy(retries=1, then="forfeit")
    record = play(TicTacToe(), [Policy(policy="trained_elsewhere:illegal"), RANDOM], illegal_actions=policy).over

    assert record.ending is Ending.FORFEIT_ILLEGAL
    assert [event.data["action"] for event in record.refused()] == ["somewhere", "somewhere"]


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ("trained_elsewhere:gone", "cannot import"),
        ("trained_elsewhere", "cannot import"),
        ("trained_elsewhere:nothing", "is int; expected a function"),
    ],
)
def test_function_that_is_not_there(policy: str, why: str):
    """A name that leads nowhere is a mistake of the benchmark."""
    with pytest.raises(ConfigError, match=why):
        Policy(policy=policy)


def test_table_is_looked_up(play, tmp_path: Path):
    """A table in the engine's words is followed: always bet with this one."""
    bets = {f"{card}{history}": {"0": 0.0, "1": 1.0} for card in range(3) for history in ("", "p", "b", "pb")}

    record = play(KuhnPoker(), [table(tmp_path / "bets.json", bets), RANDOM], seed=2).over

    first = next(record.played()).data
    assert first["label"] == "bet 1 chip"
    assert first["note"]["probabilities"] == [[0, 0.0], [1, 1.0]]


def test_table_that_lacks_a_situation_has_no_action(play, tmp_path: Path):
    """Nothing is played in place of what a table does not say."""
    agent = table(tmp_path / "little.json", {"0": {"1": 1.0}, "0pb": {"1": 1.0}})

    endings = {play(KuhnPoker(), [agent, RANDOM], seed=n, directory=tmp_path / str(n)).over.ending for n in range(6)}

    assert Ending.FORFEIT_FORMAT in endings


def test_pickle_is_refused_unless_trusted(play, tmp_path: Path):
    """A saved policy of OpenSpiel is a pickle, which can run code: it is read only where somebody vouches for it."""
    import pyspiel
    from open_spiel.python.policy import TabularPolicy

    path = tmp_path / "uniform.pkl"
    path.write_bytes(pickle.dumps(TabularPolicy(pyspiel.load_game("kuhn_poker"))))

    with pytest.raises(
        ConfigError, match=r"is a pickle, and reading one can run any code; write 'trusts-pickle: true'"
    ):
        Policy(policy=str(path), kind="table")
    agent = Policy(policy=str(path), kind="table", trusts_pickle=True)
    note = next(play(KuhnPoker(), [agent, RANDOM]).over.played()).data["note"]
    assert note["probabilities"] == [[0, 0.5], [1, 0.5]]


@pytest.mark.parametrize("content", [[1], {"0": {"0": 0.5}}, {"0": {"0": 1.5, "1": -0.5}}, {"0": {"a": 1}}, {"0": {}}])
def test_tables_that_are_none(tmp_path: Path, content: Any):
    """A file that holds no probabilities is a mistake that names it."""
    with pytest.raises(ConfigError, match=r"bad.json: "):
        table(tmp_path / "bad.json", content)


def test_checkpoint_is_refused_unless_trusted(tmp_path: Path):
    """A checkpoint of RLlib holds pickles, and without RLlib it cannot be read: both are told."""
    with pytest.raises(ConfigError, match="a checkpoint of RLlib holds pickles"):
        Policy(policy=str(tmp_path), kind="rllib")
    with pytest.raises(ConfigError, match=r"RLlib cannot be imported|cannot be read as a checkpoint of RLlib"):
        Policy(policy=str(tmp_path), kind="rllib", trusts_pickle=True)


def test_what_a_network_is_shown():
    """A plain vector has as many columns as the network; a table has the mask of legal actions beside it."""
    state, _ = TicTacToe().start(Chance(0), 2)
    state.apply({Player(0): 4})
    decision = state.decision(Player(1)).asked(PlayerView(state, Player(1)))
    numbers = numbered(TicTacToe(), 2, None)
    legal = numbers.legal(decision)

    vector = observed(SimpleNamespace(shape=(64,)), decision, numbers.size, legal)
    spaces = {"observation": SimpleNamespace(shape=(32,)), "action_mask": SimpleNamespace(shape=(9,))}
    table_ = observed(SimpleNamespace(spaces=spaces), decision, numbers.size, legal)

    assert vector == HashedFeatures(64).encode(state.observe(Player(1)))
    assert table_["action_mask"] == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert len(table_["observation"]) == 32
    assert shared([0.0, 0.0, -1000.0]) == [0.5, 0.5, 0.0]


def test_table_is_for_games_of_openspiel(tmp_path: Path):
    """A game that is not OpenSpiel's has none of its words."""
    agent = table(tmp_path / "one.json", {"0": {"0": 1.0}})

    with pytest.raises(ConfigError, match="plays games of OpenSpiel, and Nim is none"):
        agent.needs(Nim(), 2)


def test_equilibrium_can_be_played_from_its_file(play, tmp_path: Path):
    """The file in which an equilibrium is kept is a table like any other."""
    from arena_agent_solvers.cfr import Equilibrium

    save(tmp_path / "kuhn.json.gz", Equilibrium(KuhnPoker().engine(2), 100).table)
    agent = Policy(policy=str(tmp_path / "kuhn.json.gz"), kind="table")

    assert check_agent(agent, KuhnPoker(), matches=1, is_legal=True).replies


def test_best_response_to_a_fixed_choice(play, tmp_path: Path):
    """Against an opponent that always shows rock it always shows paper, and says what that earns."""
    from arena_agent_solvers.openspiel import known, sequential

    state = sequential(RockPaperScissors().engine(2)).new_initial_state()
    keys = [known(state, 0)]  # type: ignore[arg-type]
    state.apply_action(0)
    keys.append(known(state, 1))  # type: ignore[arg-type]
    (tmp_path / "rock.json").write_text(json.dumps({key: {"0": 1, "1": 0, "2": 0} for key in keys}))
    agent = BestResponse(to="table", table=tmp_path / "rock.json")

    record = play(RockPaperScissors(), [RANDOM, agent]).over

    (played,) = [event.data for event in record.played() if event.player == 1]
    assert played["label"] == "paper"
    assert played["note"]["value"] == 1.0


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(("to", "value"), [("random", 0.5), ("equilibrium", -1 / 18)])
def test_best_response_in_kuhn_poker(play, to: Any, value: float):
    """As the first player it earns half a chip from a uniform opponent, and the game's value from the equilibrium."""
    record = play(KuhnPoker(), [BestResponse(to=to), RANDOM]).over

    assert next(record.played()).data["note"]["value"] == pytest.approx(value, abs=1e-4)
    assert check_agent(BestResponse(to=to), KuhnPoker(), matches=1, is_legal=True).replies


@pytest.mark.campaign
def test_best_response_is_refused_where_it_cannot_be_computed():
    """Games that are too large, not OpenSpiel's or given without the policy are mistakes."""
    with pytest.raises(ConfigError, match="Nim is none"):
        BestResponse().needs(Nim(), 2)
    with pytest.raises(ConfigError, match="more than 1,000,000"):
        BestResponse().needs(ConnectFour(), 2)
    with pytest.raises(ConfigError, match="table: needed"):
        BestResponse(to="table")
    assert BestResponse().needs(MatchingPennies(), 2) == {}
