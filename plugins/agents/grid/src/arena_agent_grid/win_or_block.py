"""The simplest opponent that sees a line coming: it wins if it can, else blocks, else plays at random."""

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena_agent_solvers.seat_state import imagined
from arena_game_grid.board import members

from arena_agent_grid.positions import GridPosition, position_of, rules_of


@attrs.frozen
class WinOrBlock(Agent):
    """Plays a move that wins at once, else a move that keeps the opponent from winning at once, else any legal move.

    It draws uniformly if there are several. In misère games it avoids completing a line while it can.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return WinOrBlockPlayer(seat)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` if the game is not a line game on a grid."""
        if rules_of(game, players) is None:
            raise ConfigError(f"win-or-block plays games of lines on a grid, and {game.title} is none")
        return {}


class WinOrBlockPlayer(PlayerAgent):
    """Looks one move ahead; remembers nothing."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        rules = rules_of(seat.game, seat.players)
        assert rules is not None  # ``needs`` refused the others
        self._rules = rules

    def act(self, decision: Decision) -> Reply:
        position = position_of(imagined(self._seat, decision), self._rules)
        why, cells = wanted(position, misere=self._rules.misere)
        return Reply(action=position.action(cells[int(self._seat.rng.random() * len(cells))]), reasoning=why)


def wanted(position: GridPosition, *, misere: bool) -> tuple[str, list[int]]:
    """Choose among the cells it would fill; returns the reason in words and the cells."""
    playable = list(members(position.board.playable(position.own | position.other)))
    closing = [cell for cell in playable if closes(position, position.own, cell)]
    if misere:
        why, cells = "completes no line", [cell for cell in playable if cell not in closing]
    elif closing:
        why, cells = "wins", closing
    else:
        why, cells = "blocks", [cell for cell in playable if closes(position, position.other, cell)]
    return (why, cells) if cells else ("any", playable)


def closes(position: GridPosition, stones: int, cell: int) -> bool:
    """Whether ``cell`` completes a line of ``stones`` that counts."""
    held = stones | 1 << cell
    return any(held & (line | beyond) == line for line, beyond in position.board.lines[cell])
