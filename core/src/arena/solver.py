"""The contract of a solver: what each legal action is worth in a position.

Agents play by a solver and metrics judge by it, without knowing which one it is: solvers are plugins of their own
kind, found by name in the group ``arena.solvers``. A solver first says whether it supports a game; then it makes a
``Solution`` of the game, which values the actions of one position at a time.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import attrs

from arena.game import Game, State
from arena.record import Action, Player


@attrs.frozen(kw_only=True)
class ActionValue:
    """A legal action with what it is worth.

    ``value`` is what the player earns over the whole match if it takes the action here and everybody plays by the
    solution from then on. ``probability`` is how often the solution takes it here; an action is optimal if that is
    above zero. ``score`` orders actions of equal value, higher is better, in units of the solver's own (moves to the
    win, say); it counts for ranks and never for regret.
    """

    action: Action
    value: float
    probability: float
    score: float = 0.0


@attrs.frozen(kw_only=True)
class ActionValues:
    """The values of all legal actions of one player in one position, in the order of the decision.

    ``line`` is the rest of a match played by the solution, from the first action on; empty if the solver has none.
    """

    values: tuple[ActionValue, ...]
    line: tuple[Action, ...] = ()

    @property
    def best(self) -> float:
        """The value of the best action."""
        return max(worth.value for worth in self.values)


class Solution(ABC):
    """The solution of a game; its methods may be called from several threads.

    ``method`` says in a few words how it was found, ``exploitability`` how much an opponent could gain against it at
    most, in units of the game's returns (0: nothing).
    """

    method: str
    exploitability: float = 0.0

    @abstractmethod
    def action_values(self, state: State, player: Player) -> ActionValues | None:
        """Value the actions of ``player``, who is to act in ``state``; ``None`` if the solution cannot.

        The result depends only on what ``player`` may know in ``state``, so a resampled state does as well as the real
        one; ``state`` is not changed. ``SolverError`` if the position turns out to be too much.
        """

    def policy(self, state: State, player: Player) -> tuple[ActionValue, ...]:
        """The actions that the solution may take here, with their probabilities.

        Some solutions have these even if ``action_values`` is ``None``.
        """
        found = self.action_values(state, player)
        return found.values if found else ()

    def information_state(self, state: State, player: Player) -> str:
        """The player's information state as text: equal in states that it cannot tell apart; empty if there is none."""
        return ""

    def best_response_gain(self, policy: Mapping[str, Mapping[str, float]], player: Player) -> float | None:
        """How far below the value of the game ``player`` falls if it plays by ``policy`` against a best response.

        ``policy`` maps information states to probabilities of actions (their canonical texts); in other states
        ``player`` plays by the solution. ``None`` if this cannot be computed.
        """
        return None

    def information_state_count(self, player: Player) -> int | None:
        """The number of information states that ``player`` can reach, or ``None`` if the solver does not know it."""
        return None


class Solver(ABC):
    """Configuration of a solver: best a ``@attrs.frozen`` class whose fields are its parameters.

    ``is_exact`` says that values are what is really earned against best play (or as close as ``exploitability`` says);
    a solver that only estimates is not used by metrics unless a benchmark names it. ``is_specialist`` solvers are made
    for a few games and are tried before general ones.
    """

    is_exact: ClassVar[bool] = True
    is_specialist: ClassVar[bool] = False

    @abstractmethod
    def unsupported_reason(self, game: Game, players: int) -> str | None:
        """Why this solver cannot solve ``game``, in one sentence, or ``None`` if it can. Quick: nothing is solved."""

    @abstractmethod
    def solve(self, game: Game, players: int) -> Solution:
        """Solve ``game``, which ``unsupported_reason`` allows; equal games get equal solutions.

        Slow work may be left to the first call on the solution. ``SolverError`` if the game turns out to be too much.
        """
