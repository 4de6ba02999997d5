"""Chess positions between OpenSpiel, whose actions are numbers, and UCI, which writes moves by their squares."""

from collections.abc import Mapping
from typing import Any

import attrs
import pyspiel
from arena.errors import PluginError
from arena.game import Game, State


@attrs.frozen
class ChessPosition:
    """A position as an engine is told it: the match's first position, and the moves since then.

    ``fen`` is the first position and ``now`` the present one in Forsyth-Edwards notation. The moves let an engine see
    repetitions. ``actions`` maps each legal move to the game's number of it, in the order of
    the decision.
    """

    fen: str
    now: str
    moves: tuple[str, ...]
    actions: Mapping[str, int]

    @property
    def command(self) -> str:
        """The command of UCI that sets up the position."""
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        return f"position fen {self.fen}{moves}"


def unfit(game: Game, players: int) -> str | None:
    """Why a game is not chess as engines know it, or ``None`` if it is."""
    make = getattr(game, "engine", None)
    found: Any = make(players) if callable(make) and players == 2 else None
    if not isinstance(found, pyspiel.Game) or found.get_type().short_name != "chess":
        return f"it plays chess of OpenSpiel, and {type(game).__name__} is another game"
    if found.get_parameters().get("chess960"):
        return "it plays chess from the usual position, and this is Chess960"
    return None


def position_of(state: State) -> ChessPosition:
    """The position of a state of chess; ``PluginError`` if the state is none of OpenSpiel's chess."""
    found: Any = getattr(state, "engine", None)
    if not hasattr(found, "start_fen"):
        raise PluginError(f"{type(state).__name__} has no chess of OpenSpiel in 'engine'; tell the game's author")
    fen = found.start_fen()
    start, moves = found.get_game().new_initial_state(fen), list[str]()
    for action in found.history():
        moves.append(_text(start, action))
        start.apply_action(action)
    return ChessPosition(
        fen, str(found), tuple(moves), {_text(found, action): action for action in found.legal_actions()}
    )


def _text(state: Any, action: int) -> str:
    return pyspiel.chess.action_to_move(action, state.board()).to_lan()  # type: ignore[attr-defined]
