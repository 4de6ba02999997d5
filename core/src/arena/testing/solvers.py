"""Prove that a solver keeps its contract."""

import math

import attrs

from arena.errors import Unsolved
from arena.game import Game
from arena.record import Player, canonical, stream
from arena.solver import Assessment, Solution, Solver
from arena.testing.conformance import ConformanceError
from arena.testing.position import glance
from arena.testing.walk import Walk
from arena.testing.yardstick import YARDSTICK

_MATCHES = 3
_CLOSE = 1e-6


@attrs.frozen(kw_only=True)
class SolverReport:
    """In how many ``positions`` a solver was asked, and about how many actions; ``untested`` says what it refused."""

    solver: str
    game: str
    positions: int = 0
    actions: int = 0
    untested: tuple[str, ...] = ()


def check_solver(solver: Solver, game: Game = YARDSTICK, players: int | None = None) -> SolverReport:
    """Let ``solver`` judge the positions of some random matches of ``game``.

    Checked: a refusal is a sentence; a judgement covers exactly the legal actions, in their order, with finite values
    and probabilities that add up to one; it leaves the state alone and is the same each time; an exact solver agrees
    with the optimal returns that the game declares. ``ConformanceError`` says what was found.
    """
    count = min(game.player_counts()) if players is None else players
    refusal = solver.refusal(game, count)
    if refusal is not None:
        if not isinstance(refusal, str) or not refusal.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConformanceError("refusal", f"refusal says {refusal!r} to {game!r}, not None or a sentence")
        return SolverReport(solver=repr(solver), game=repr(game), untested=(f"refuses {game!r}: {refusal}",))
    try:
        solution = solver.solve(game, count)
        positions, actions = _check(solution, game, count, solver.is_exact)
    except Unsolved as error:
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
        walk, rng = Walk.begin(game, players, number), stream("solver", number)
        while not walk.is_over and len(walk.waves) < game.facts(players).wave_limit:
            for player in walk.to_act:
                positions += 1
                actions += _check_position(solution, walk, player, is_exact)
            walk.step(walk.draw_wave(rng))
    return positions, actions


def _check_position(solution: Solution, walk: Walk, player: Player, is_exact: bool) -> int:
    before = glance(walk.state, walk.players)
    found = solution.assess(walk.state, player)
    if glance(walk.state, walk.players) != before:
        raise ConformanceError("assess", "judging a position changes it", player=player, line=walk.line)
    if found != solution.assess(walk.state, player):
        raise ConformanceError("determinism", "a position is judged differently the second time", line=walk.line)
    if found is None:
        return 0
    if fault := _fault(found, walk, player):
        raise ConformanceError("assess", fault, player=player, line=walk.line)
    facts = walk.game.facts(walk.players)
    is_first = not walk.waves and len(walk.to_act) == 1 and not walk.chance.trace
    if is_exact and is_first and facts.optimal_returns is not None:
        known = facts.optimal_returns[player]
        if abs(found.best - known) > _CLOSE + solution.exploitability:
            what = f"the first position is worth {found.best!r}, and the game declares {known!r}"
            raise ConformanceError("assess", what, player=player, line=walk.line)
    return len(found.worths)


def _fault(found: Assessment, walk: Walk, player: Player) -> str | None:
    options = walk.state.decision(player).options
    legal = None if options is None else [canonical(action) for action in options.actions]
    judged = [canonical(worth.action) for worth in found.worths]
    if legal is not None and judged != legal:
        return f"the actions judged are {judged!r}, and legal are {legal!r}"
    if not all(math.isfinite(worth.value) and worth.probability >= 0 for worth in found.worths):
        return f"{found.worths!r} holds a value that is not finite or a probability below zero"
    total = sum(worth.probability for worth in found.worths)
    if not math.isclose(total, 1, abs_tol=_CLOSE):
        return f"the probabilities add up to {total!r}"
    return None
