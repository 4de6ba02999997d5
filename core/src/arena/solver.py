"""The contract of a solver: what each legal action is worth in a position.

Agents play by a solver, metrics judge by it, and neither knows which one it is: solvers are plugins of their own kind,
found by name in the group ``arena.solvers``. A solver says first whether it can solve a game at all; what it makes of
a game it can is a ``Solution``, which is asked position by position.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import attrs

from arena.game import Game, State
from arena.record import Action, Player


@attrs.frozen(kw_only=True)
class Worth:
    """A legal action with what it is worth.

    ``value`` is what the player earns over the whole match if it takes the action here and everybody plays by the
    solution from then on. ``probability`` is how often the solution takes it here; it is optimal where that is above
    zero. ``score`` orders actions of equal value, the higher the better, in a convention of the solver's own (moves to
    the win, say); it counts for ranks and never for regret.
    """

    action: Action
    value: float
    probability: float
    score: float = 0.0


@attrs.frozen(kw_only=True)
class Assessment:
    """What the legal actions of one player are worth in one position, all of them, in the order of the decision.

    ``line`` is how a match goes on by the solution, its first action included, where the solver knows.
    """

    worths: tuple[Worth, ...]
    line: tuple[Action, ...] = ()

    @property
    def best(self) -> float:
        """The most that any action earns."""
        return max(worth.value for worth in self.worths)


class Solution(ABC):
    """A game, solved; may be asked from several threads.

    ``method`` says in a few words how it was found, ``exploitability`` how much an opponent could gain against it at
    most, in units of the game's returns (0: nothing).
    """

    method: str
    exploitability: float = 0.0

    @abstractmethod
    def assess(self, state: State, player: Player) -> Assessment | None:
        """Judge the actions of ``player``, who is to act in ``state``; ``None`` where nothing can be said.

        The answer rests on what ``player`` may know in ``state`` and on nothing else, so an imagined state does as
        well as the real one; ``state`` is left as it is. ``Unsolved`` where it turns out to be too much.
        """

    def policy(self, state: State, player: Player) -> tuple[Worth, ...]:
        """How the solution itself acts here, also where ``assess`` has nothing to say."""
        found = self.assess(state, player)
        return found.worths if found else ()

    def situation(self, state: State, player: Player) -> str:
        """A text for what ``player`` knows in ``state``: equal texts, the same decision. Empty where there is none."""
        return ""

    def exploit(self, policy: Mapping[str, Mapping[str, float]], player: Player) -> float | None:
        """What a best response takes from ``player`` below the value of the game if it plays by ``policy``.

        ``policy`` gives probabilities of actions (their canonical texts) by situation; where it has none, ``player``
        plays by the solution. ``None`` where this cannot be computed.
        """
        return None

    def situations(self, player: Player) -> int | None:
        """How many situations ``player`` can come into, where the solver knows."""
        return None


class Solver(ABC):
    """Configuration of a solver: best a ``@attrs.frozen`` class whose fields are its parameters.

    ``is_exact`` says that values are what is really earned against best play (or as close as ``exploitability`` says);
    one that only estimates judges nothing unless a benchmark names it. ``is_specialist`` solvers know a few games well
    and are asked before those that take any.
    """

    is_exact: ClassVar[bool] = True
    is_specialist: ClassVar[bool] = False

    @abstractmethod
    def refusal(self, game: Game, players: int) -> str | None:
        """Why ``game`` is not for this solver, in one sentence; ``None`` where it is. Quick: nothing is solved."""

    @abstractmethod
    def solve(self, game: Game, players: int) -> Solution:
        """Solve ``game``, which was not refused; equal games, equal solutions. Slow work may wait for a question.

        ``Unsolved`` where it turns out to be too much.
        """
