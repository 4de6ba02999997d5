"""The agent that plays by a solver."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena.record import JSON, Action, canonical_json
from arena.solver import ActionValue, Solution, Solver

from arena_agent_solvers.seat_state import drawn, imagined, solution

NOTHING: Final[Mapping[str, JSON]] = MappingProxyType({})


@attrs.frozen(kw_only=True)
class BySolver(Agent):
    """Plays the actions of a solution by its probabilities, drawn from the seat's own random stream."""

    solver: Solver = attrs.field(metadata={"help": "who knows what actions are worth"})

    def join(self, seat: Seat) -> PlayerAgent:
        """Create the player; the game is solved when the first move is asked for."""
        return SolverPlayer(seat, self.solver)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` if the solver does not support the game."""
        if reason := self.solver.unsupported_reason(game, players):
            raise ConfigError(f"cannot play this game: {reason}")
        return {}


class SolverPlayer(PlayerAgent):
    """Plays by a solution that all players of the process share.

    ``note`` and ``said`` are added to the record and to the reasoning of each action.
    """

    def __init__(self, seat: Seat, solver: Solver, note: Mapping[str, JSON] = NOTHING, said: str = "") -> None:
        self._seat = seat
        self._solver = solver
        self._note = note
        self._also = said
        self._solution: Solution | None = None

    def act(self, decision: Decision) -> Reply:
        """Draw an action of the solution; no coroutine, so that a slow first answer runs in a thread."""
        state = imagined(self._seat, decision)
        found = self._solution = self._solution or solution(self._solver, self._seat.game, self._seat.players)
        player = self._seat.player
        assessment = found.action_values(state, player)
        worths = assessment.values if assessment else found.policy(state, player)
        action = drawn([(worth.action, worth.probability) for worth in worths], self._seat.rng)
        line = assessment.line if assessment else ()
        note = {
            **self._note,
            "method": found.method,
            "exploitability": found.exploitability,
            "worths": [[w.action, w.value if assessment else None, w.probability] for w in worths],
            "line": list(line),
        }
        said = _said(found, decision, worths, action, is_judged=bool(assessment))
        return Reply(action=action, reasoning=said + self._also, note=note)


def _said(
    found: Solution, decision: Decision, worths: tuple[ActionValue, ...], action: Action, *, is_judged: bool
) -> str:
    chosen = next(w for w in worths if canonical_json(w.action) == canonical_json(action))
    label = decision.options.label(action) if decision.options is not None else canonical_json(action)
    worth = f", worth {chosen.value:.4g}" if is_judged else ""
    return f"{label}: played with probability {chosen.probability:.3g} here{worth} ({found.method})"
