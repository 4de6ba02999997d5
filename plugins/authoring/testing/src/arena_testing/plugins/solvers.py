"""Prove that a solver keeps its contract."""

import math

import attrs
from arena.errors import SolverError
from arena.game import Game
from arena.record import Player, canonical_json, derive_rng
from arena.solver import ActionValues, Solution, Solver

from arena_testing.fixtures.reference_game import REFERENCE_GAME
from arena_testing.foundation.conformance import ConformanceError
from arena_testing.foundation.playthrough import Playthrough
from arena_testing.game.position import snapshot

_MATCHES = 3
_CLOSE = 1e-6


@attrs.frozen(kw_only=True)
class SolverReport:
    """How many ``positions`` and actions the solver valued; ``untested`` says why it did not solve a game."""

    solver: str
    game: str
    positions: int = 0
    actions: int = 0
    untested: tuple[str, ...] = ()


def check_solver(solver: Solver, game: Game = REFERENCE_GAME, players: int | None = None) -> SolverReport:
    """Ask ``solver`` for the action values in the positions of some random matches of ``game``.

    Checked: an unsupported game is refused with a sentence; values cover exactly the legal actions, in their order;
    they are finite, and probabilities add up to one; the state does not change and the same position gets the same
    values; an exact solver agrees with the optimal returns that the game declares. ``ConformanceError`` says what was
    found.
    """
    count = min(game.player_counts()) if players is None else players
    refusal = solver.unsupported_reason(game, count)
    if refusal is not None:
        if not isinstance(refusal, str) or not refusal.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConformanceError("refusal", f"refusal says {refusal!r} to {game!r}, not None or a sentence")
        return SolverReport(solver=repr(solver), game=repr(game), untested=(f"refuses {game!r}: {refusal}",))
    try:
        solution = solver.solve(game, count)
        positions, actions = _check(solution, game, count, solver.is_exact)
    except SolverError as error:
        return SolverReport(solver=repr(solver), game=repr(game), untested=(f"did not solve {game!r}: {error}",))
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError("crash", f"{type(error).__name__}: {error}; expected Unsolved") from error
    return SolverReport(solver=repr(solver), game=repr(game), positions=positions, actions=actions)


def _check(solution: Solution, game: Game, players: int, is_exact: bool) -> tuple[int, int]:
    positions = actions = 0
    if not solution.method.strip():
        raise ConformanceError("method", "the solution does not say how it was found")
    for number in range(_MATCHES):
        walk, rng = Playthrough.begin(game, players, number), derive_rng("solver", number)
        while not walk.is_over and len(walk.steps) < game.facts(players).max_steps:
            for player in walk.to_act:
                positions += 1
                actions += _check_position(solution, walk, player, is_exact)
            walk.step(walk.draw_step(rng))
    return positions, actions


def _check_position(solution: Solution, walk: Playthrough, player: Player, is_exact: bool) -> int:
    before = snapshot(walk.state, walk.players)
    found = solution.action_values(walk.state, player)
    if snapshot(walk.state, walk.players) != before:
        raise ConformanceError("assess", "judging a position changes it", player=player, line=walk.line)
    if found != solution.action_values(walk.state, player):
        raise ConformanceError("determinism", "a position is judged differently the second time", line=walk.line)
    if found is None:
        return 0
    if fault := _fault(found, walk, player):
        raise ConformanceError("assess", fault, player=player, line=walk.line)
    facts = walk.game.facts(walk.players)
    is_first = not walk.steps and len(walk.to_act) == 1 and not walk.chance.trace
    if is_exact and is_first and facts.optimal_returns is not None:
        known = facts.optimal_returns[player]
        if abs(found.best - known) > _CLOSE + solution.exploitability:
            what = f"the first position is worth {found.best!r}, and the game declares {known!r}"
            raise ConformanceError("assess", what, player=player, line=walk.line)
    return len(found.values)


def _fault(found: ActionValues, walk: Playthrough, player: Player) -> str | None:
    options = walk.state.decision(player).options
    legal = None if options is None else [canonical_json(action) for action in options.actions]
    judged = [canonical_json(worth.action) for worth in found.values]
    if legal is not None and judged != legal:
        return f"the actions judged are {judged!r}, and legal are {legal!r}"
    if not all(math.isfinite(worth.value) and worth.probability >= 0 for worth in found.values):
        return f"{found.values!r} holds a value that is not finite or a probability below zero"
    total = sum(worth.probability for worth in found.values)
    if not math.isclose(total, 1, abs_tol=_CLOSE):
        return f"the probabilities add up to {total!r}"
    return None
