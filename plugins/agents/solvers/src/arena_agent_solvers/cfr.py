"""Equilibria by counterfactual regret minimisation.

CFR+ (O. Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014) as OpenSpiel implements it in C++.
"""

from collections.abc import Mapping
from threading import Lock
from typing import Any, Final

import attrs
import pyspiel
from arena.errors import SolverError
from arena.game import Game, State
from arena.record import Player
from arena.solver import ActionValue, ActionValues, Solution, Solver
from attrs.validators import ge, optional

from arena_agent_solvers import openspiel
from arena_agent_solvers.policy_table import PolicyEntry, PolicyTable, kept
from arena_agent_solvers.tree import Response, best_response, evaluated

ITERATIONS: Final = ((1_000, 20_000), (50_000, 1_000), (2_000_000, 150))
"""Iterations for games of up to so many histories: each pair takes well under a minute."""

NEGLIGIBLE: Final = 1e-3
"""Smaller probabilities are remnants of early iterations in the average; they are set to zero."""

LARGEST: Final = 1_000_000
"""The most histories of a game that is solved."""

_making = Lock()
_made: dict[str, PolicyTable] = {}


@attrs.frozen(kw_only=True)
class Cfr(Solver):
    """CFR+ for small two-player zero-sum games of OpenSpiel; the result is kept in the user's cache."""

    iterations: int | None = attrs.field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "more is closer to an equilibrium; unless given, by size"},
    )

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        """Accept two players, zero-sum payoffs, hidden information or simultaneous moves, and few histories."""
        engine = openspiel.engine_of(game, players)
        if engine is not None and players == 2:
            kind = engine.get_type()
            if kind.utility != pyspiel.GameType.Utility.ZERO_SUM:
                return "CFR finds equilibria of zero-sum games; others can have several that earn differently"
            if kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION and _is_in_turn(engine):
                return "CFR is for games with something hidden, and in this one players see everything"
        return openspiel.why_not(engine, players, "CFR", LARGEST)

    def solve(self, game: Game, players: int) -> Solution:
        """Return a solution that is read from the cache or computed at the first question."""
        return Equilibrium(openspiel.needed(game, players, "CFR"), self.iterations)


class Equilibrium(Solution):
    """A policy close to an equilibrium; ``exploitability`` says how close."""

    def __init__(self, game: pyspiel.Game, iterations: int | None) -> None:
        self._game = openspiel.sequential(game)
        self._description = openspiel.description(game)
        self._is_registered = openspiel.is_registered(game)
        size = openspiel.histories(game, LARGEST)
        self._iterations = iterations or next((n for most, n in ITERATIONS if size <= most), ITERATIONS[-1][1])

    @property
    def table(self) -> PolicyTable:
        """The policy with its values, computed or read from the cache on first use."""
        asked: dict[str, Any] = {
            "game": self._description,
            "method": "CFR+",
            "iterations": self._iterations,
            "negligible": NEGLIGIBLE,
            "engine": _version(),
        }
        key = repr(asked)
        with _making:
            if key not in _made:
                # the description of a game that was made by hand does not say all of it, so it is kept nowhere
                _made[key] = kept(asked, self._computed) if self._is_registered else self._computed()
            return _made[key]

    @property
    def method(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]  # known once it is computed
        """The algorithm, and how close it came to an equilibrium."""
        return f"{self.table.method}, exploitability {self.exploitability:.2g}"

    @property
    def exploitability(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The most an opponent can gain, averaged over both seats."""
        return self.table.exploitability

    def action_values(self, state: State, player: Player) -> ActionValues | None:
        """What each action earns against the equilibrium; ``None`` if the opponent's part of it never leads here."""
        known = self._known(state, player)
        return ActionValues(values=_worths(known)) if known.is_reached else None

    def policy(self, state: State, player: Player) -> tuple[ActionValue, ...]:
        return _worths(self._known(state, player))

    def information_state(self, state: State, player: Player) -> str:
        """The player's information state in OpenSpiel's words."""
        return openspiel.known(openspiel.in_turn(self._game, openspiel.position_of(state), player), player)

    def information_state_count(self, player: Player) -> int:
        return self.table.counts[player]

    def best_response_gain(self, policy: Mapping[str, Mapping[str, float]], player: Player) -> float:
        """What ``player`` loses by ``policy`` to a best response, against the equilibrium; visits the whole tree."""
        table = self.table
        probabilities = {
            key: [(a, float(policy[key].get(str(a), 0.0))) for a in known.actions]
            if key in policy
            else list(zip(known.actions, known.probabilities, strict=True))
            for key, known in table.situations.items()
        }
        found: Response = best_response(self._game, Player(1 - player), probabilities)
        return max(found.value + table.returns[player], 0.0)

    def _known(self, state: State, player: Player) -> PolicyEntry:
        situation = self.information_state(state, player)
        known = self.table.situations.get(situation)
        if known is None:
            raise SolverError(
                f"the equilibrium has nothing for {situation!r}; was it computed for another version of the game?"
            )
        return known

    def _computed(self) -> PolicyTable:
        solver = pyspiel.CFRPlusSolver(self._game)
        for _ in range(self._iterations):
            solver.evaluate_and_update_policy()
        policy = {key: _cleaned(pairs) for key, pairs in solver.tabular_average_policy().policy_table().items()}
        found = evaluated(self._game, policy)
        return PolicyTable(
            game=self._description,
            method=f"CFR+ with {self._iterations:,} iterations",
            situations=found.situations,
            exploitability=float(pyspiel.exploitability(self._game, policy)),
            returns=found.returns,
            counts=found.counts,
        )


def _worths(known: PolicyEntry) -> tuple[ActionValue, ...]:
    return tuple(
        ActionValue(action=a, value=v, probability=p)
        for a, v, p in zip(known.actions, known.values, known.probabilities, strict=True)
    )


def _cleaned(pairs: list[tuple[int, float]]) -> list[tuple[int, float]]:
    kept_ = [(action, p if p >= NEGLIGIBLE else 0.0) for action, p in pairs]
    total = sum(p for _, p in kept_)
    return [(action, p / total) for action, p in kept_]


def _is_in_turn(game: pyspiel.Game) -> bool:
    return game.get_type().dynamics == openspiel.Dynamics.SEQUENTIAL


def _version() -> str:
    from importlib.metadata import version

    return version("open-spiel")
