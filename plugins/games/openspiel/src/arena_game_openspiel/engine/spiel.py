"""Takes from OpenSpiel as they are: games by name, its numbers for who acts, events of moves, endings."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import pyspiel
from arena.record import EVERYONE, GameEvent, Player

CHANCE = -1
SIMULTANEOUS = -2
TERMINAL = -4


@lru_cache(maxsize=256, typed=True)
def load(name: str, **parameters: Any) -> pyspiel.Game:
    """OpenSpiel's game, made once for equal parameters."""
    return pyspiel.load_game(name, parameters)


@lru_cache(maxsize=1 << 14)
def moved(player: Player, action: int, label: str) -> GameEvent:
    """The public event of a move; equal moves share one event, which must not be changed."""
    return GameEvent("moved", {"player": player, "action": action, "label": label}, EVERYONE)


def outcome(returns: Sequence[float], seats: Sequence[str]) -> str:
    """Describe how a match ended."""
    best = max(returns)
    winners = [seat for seat, value in zip(seats, returns, strict=True) if value == best]
    return "draw" if len(winners) == len(seats) else f"{' and '.join(winners)} won"
