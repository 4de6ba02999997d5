"""Monte Carlo tree search, as OpenSpiel implements it."""

from collections.abc import Iterator
from typing import Any, ClassVar

import attrs
import pyspiel
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from attrs.validators import ge, gt

from arena_agent_solvers import openspiel
from arena_agent_solvers.seat_state import imagined


@attrs.frozen(kw_only=True)
class Mcts(Agent):
    """UCT with random rollouts, in OpenSpiel's C++; only for its games with perfect information."""

    plays_in_own_process: ClassVar[bool] = True

    simulations: int = attrs.field(default=1_000, validator=ge(2), metadata={"help": "simulated games for each move"})
    rollouts: int = attrs.field(default=1, validator=ge(1), metadata={"help": "random games from each new position"})
    exploration: float = attrs.field(
        default=2.0, validator=gt(0), metadata={"help": "how much untried moves are preferred (the c of UCT)"}
    )
    memory_mb: int = attrs.field(default=512, validator=ge(1), metadata={"help": "memory for the tree"})

    def join(self, seat: Seat) -> PlayerAgent:
        return MctsPlayer(seat, self)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` for games that are not OpenSpiel's, or in which something is hidden."""
        kind = openspiel.needed(game, players, "mcts").get_type()
        problem = None
        if kind.dynamics != openspiel.Dynamics.SEQUENTIAL:
            problem = "in this one they move at the same time"
        elif kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
            problem = "in this one something is hidden"
        elif kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            problem = "this one makes random draws of its own"
        if problem:
            raise ConfigError(f"mcts searches games whose players see everything and move in turn; {problem}")
        return {}


class MctsPlayer(PlayerAgent):
    """Builds a new tree for each move; its randomness comes from the seat's stream."""

    def __init__(self, seat: Seat, agent: Mcts) -> None:
        self._seat = seat
        self._agent = agent

    def act(self, decision: Decision) -> Reply:
        """Search, and play the most visited move."""
        state = openspiel.position_of(imagined(self._seat, decision))
        agent = self._agent
        evaluator = pyspiel.RandomRolloutEvaluator(agent.rollouts, self._seat.rng.getrandbits(31))
        seed = self._seat.rng.getrandbits(31)
        bot = pyspiel.MCTSBot(
            state.get_game(), evaluator, agent.exploration, agent.simulations, agent.memory_mb, True, seed, False
        )
        root = bot.mcts_search(state)
        best = root.best_child()
        note = {
            "method": f"MCTS, {agent.simulations} simulations",
            "visits": [[child.action, child.explore_count] for child in root.children],
            "worths": [[child.action, _value(child, self._seat.player)] for child in root.children],
            "line": list(_line(root)),
        }
        label = decision.options.label(best.action) if decision.options is not None else str(best.action)
        worth = _value(best, self._seat.player)
        said = f"{label}: {best.explore_count} of {root.explore_count} simulations, worth {worth}"
        return Reply(action=best.action, reasoning=said, note=note)


def _value(node: Any, player: int) -> float | None:
    """The value of a move for the player who makes it: proved if the search could, else the mean of its simulations."""
    if len(node.outcome) > player:
        return float(node.outcome[player])
    return round(node.total_reward / node.explore_count, 6) if node.explore_count else None


def _line(node: Any) -> Iterator[int]:
    while node.children:
        node = node.best_child()
        yield node.action
