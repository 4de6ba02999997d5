"""Exact search of small games with perfect information; uses nothing but the contract of ``State``."""

from collections.abc import Iterator
from math import inf
from threading import Lock

import attrs
from arena.errors import SolverError
from arena.game import Game, GameFacts, State
from arena.record import JSON, Action, Player, canonical_json
from arena.solver import ActionValue, ActionValues, Solution, Solver
from attrs.validators import ge

DEEPEST = 400
"""The most moves that a search looks ahead; Python's own stack limit is not far above."""


@attrs.frozen(kw_only=True)
class AlphaBeta(Solver):
    """Minimax with alpha-beta pruning and a transposition table: exact, and only for small games."""

    nodes: int = attrs.field(
        default=200_000, validator=ge(1), metadata={"help": "positions looked at in one search before it is given up"}
    )

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        """Accept two players, perfect information, no chance, one mover at a time, and zero-sum payoffs."""
        facts = game.facts(players)
        if players != 2:
            return f"alpha-beta searches games of two players, not of {players}"
        if not facts.is_deterministic_perfect_information:
            found = ("hidden information", "chance", "simultaneous moves")
            there = (facts.hidden_information, facts.chance, facts.simultaneous)
            what = " and ".join(name for name, is_there in zip(found, there, strict=True) if is_there)
            return f"alpha-beta searches games without {what}"
        if facts.returns != "zero-sum":
            return f"alpha-beta searches zero-sum games, and this one is {facts.returns}"
        return None

    def solve(self, game: Game, players: int) -> Solution:
        """Return a solution whose transposition table fills as positions are asked for."""
        return Searched(game.facts(players), self.nodes)


class Searched(Solution):
    """Exact values of positions; every position is searched once and remembered."""

    method = "minimax with alpha-beta pruning, exact"

    def __init__(self, facts: GameFacts, nodes: int) -> None:
        self._window = (
            -inf if facts.min_return is None else facts.min_return,
            inf if facts.max_return is None else facts.max_return,
        )
        self._nodes = nodes
        self._left = nodes
        self._bounds: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def action_values(self, state: State, player: Player) -> ActionValues:
        """The exact value of each legal action; the policy is uniform over the best ones."""
        with self._lock:
            self._left = self._nodes
            sign = 1 if player == 0 else -1
            values = [(action, sign * self._after(state, player, action)) for action in _actions(state, player)]
            best = max(value for _, value in values)
            share = 1 / sum(value == best for _, value in values)
            worths = tuple(ActionValue(action=a, value=v, probability=share * (v == best)) for a, v in values)
            return ActionValues(values=worths, line=tuple(self._line(state)))

    def information_state(self, state: State, player: Player) -> str:
        """The position as text, or empty if the game has no transposition key."""
        position = state.transposition_key()
        return "" if position is None else canonical_json(position)

    def _after(self, state: State, player: Player, action: Action) -> float:
        return self._value(_moved(state, player, action), *self._window, DEEPEST)

    def _value(self, state: State, alpha: float, beta: float, depth: int) -> float:
        """The value for player 0, exact inside the window and a bound outside of it (fail-soft alpha-beta)."""
        if (returns := state.returns()) is not None:
            return returns[0]
        self._count(depth)
        key = _key(state)
        low, high = self._bounds.get(key, (-inf, inf)) if key else (-inf, inf)
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return low if low >= beta else high
        found = self._best(state, alpha, beta, depth)
        if key:
            self._bounds[key] = (low if found <= alpha else found, high if found >= beta else found)
        return found

    def _best(self, state: State, alpha: float, beta: float, depth: int) -> float:
        player = _mover(state)
        best = -inf if player == 0 else inf
        for action in _actions(state, player):
            value = self._value(_moved(state, player, action), alpha, beta, depth - 1)
            if player == 0:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _line(self, state: State) -> Iterator[Action]:
        """The best line of play; only if positions are recognised, else every step would need its own search."""
        while state.returns() is None and _key(state):
            player = _mover(state)
            values = {canonical_json(a): (a, self._after(state, player, a)) for a in _actions(state, player)}
            action, _ = (max if player == 0 else min)(values.values(), key=lambda pair: pair[1])
            yield action
            state = _moved(state, player, action)

    def _count(self, depth: int) -> None:
        self._left -= 1
        if self._left < 0:
            raise SolverError(
                f"alpha-beta looked at {self._nodes:,} positions and was not done; take a smaller game, the agent "
                "'mcts', or raise 'nodes'"
            )
        if depth <= 0:
            raise SolverError(
                f"alpha-beta looks {DEEPEST} moves ahead and the game was not over; take the agent 'mcts'"
            )


def _key(state: State) -> str:
    position: JSON = state.transposition_key()
    if position is None:
        return ""
    return position if isinstance(position, str) else canonical_json(position)


def _mover(state: State) -> Player:
    acting = state.to_act()
    if len(acting) != 1:
        raise SolverError(f"alpha-beta expected one player to act, and there are {len(acting)}; tell the game's author")
    return acting[0]


def _actions(state: State, player: Player) -> tuple[Action, ...]:
    options = state.decision(player).options
    if options is None:
        raise SolverError(
            "alpha-beta needs decisions whose legal actions are listed, and this game has too many to list"
        )
    return tuple(options.actions)


def _moved(state: State, player: Player, action: Action) -> State:
    child = state.clone()
    child.apply({player: action})
    return child
