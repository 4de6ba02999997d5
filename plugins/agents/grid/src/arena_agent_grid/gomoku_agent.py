"""The agent that plays by the gomoku engine."""

from typing import ClassVar

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena_agent_solvers.seat_state import imagined
from attrs.validators import ge

from arena_agent_grid.gomoku import Search, SearchLimits
from arena_agent_grid.positions import position_of, rules_of
from arena_agent_grid.solvers import estimate, unfit_for_gomoku


@attrs.frozen(kw_only=True)
class GomokuEngine(Agent):
    """Plays by threats and a search of a few plies; draws among equally good ones from the seat's stream."""

    plays_in_own_process: ClassVar[bool] = True

    depth: int = attrs.field(default=4, validator=ge(1), metadata={"help": "moves looked ahead"})
    width: int = attrs.field(default=9, validator=ge(1), metadata={"help": "moves considered in each position"})
    chain: int = attrs.field(
        default=400, validator=ge(0), metadata={"help": "positions looked at for a chain of fours that wins by force"}
    )

    def join(self, seat: Seat) -> PlayerAgent:
        return GomokuPlayer(seat, SearchLimits(depth=self.depth, width=self.width, chain=self.chain))

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` if the engine does not know the game's rules."""
        if reason := unfit_for_gomoku(game, players):
            raise ConfigError(f"gomoku-engine cannot play this game: {reason}")
        return {}


class GomokuPlayer(PlayerAgent):
    """Searches each position afresh."""

    def __init__(self, seat: Seat, effort: SearchLimits) -> None:
        self._seat = seat
        self._effort = effort
        rules = rules_of(seat.game, seat.players)
        assert rules is not None  # ``needs`` refused the others
        self._rules = rules

    def act(self, decision: Decision) -> Reply:
        """Play one of the best moves found; the reply's note holds the score, which is an estimate."""
        position = position_of(imagined(self._seat, decision), self._rules)
        score, cells = Search(position.board, position.stones, position.player, self._effort).best()
        cell = cells[int(self._seat.rng.random() * len(cells))]
        note = {"method": "heuristic", "score": score, "estimate": estimate(score)}
        where = position.board.label(position.board.action(cell))
        return Reply(action=position.action(cell), reasoning=f"{where}: {_said(score)}", note=note)


def _said(score: int) -> str:
    value = estimate(score)
    if abs(value) == 1:
        return f"a forced {'win' if value > 0 else 'loss'} was found"
    return f"estimated at {value:.2f} (heuristic)"
