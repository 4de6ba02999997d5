"""Plays very many quick matches of a game, to find what goes wrong once in a thousand."""

import time
from itertools import cycle

import attrs
from arena.game import FORFEITED, Game
from arena.record import derive_rng

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, CpuLimit, Step, reported
from arena_testing.foundation.playthrough import Playthrough, fresh, replay
from arena_testing.foundation.values import copied
from arena_testing.game.determinism import check_same, no_global_randomness
from arena_testing.game.match_flow import check_end, check_limit, check_rewards, check_turn
from arena_testing.game.position import Examination, ExaminedPosition
from arena_testing.game.shrinking import shrunk

_AGAIN = 20
"""One in this many playouts is replayed from its recorded actions."""


@attrs.frozen(kw_only=True)
class PlayoutReport:
    """How much was played: ``cut`` of the ``playouts`` were ended by the step limit, or the last one by the time."""

    players: tuple[int, ...]
    seed: int
    playouts: int
    steps: int
    cut: int
    cpu_s: float


def play_many(game: Game, *, seed: int = 0, at_most: int = 10_000, cpu_s: float = 60.0) -> PlayoutReport:
    """Play ``at_most`` random matches of ``game``, or as many as fit into ``cpu_s`` seconds of CPU time.

    One match is begun in any case; where it takes longer than that, it is left as it is. All numbers of players up to
    six take turns, and the largest. In each position turn order, options, rewards and the end are checked.
    ``ConformanceError`` has the seed and the shortest sequence of actions found.
    """
    allowed = sorted(game.player_counts())
    counts = tuple(n for n in allowed if n <= 6 or n == allowed[-1])
    time_limit, played, steps, cut = CpuLimit(cpu_s), 0, 0, 0
    for players in cycle(counts):
        if played >= at_most or (played and time_limit.is_over()):
            break
        walk = _playout(game, players, seed + played, time_limit)
        played, steps, cut = played + 1, steps + len(walk.steps), cut + (not walk.is_over)
    spent = round(time_limit.spent_s, 2)
    return PlayoutReport(players=counts, seed=seed, playouts=played, steps=steps, cut=cut, cpu_s=spent)


def speed(game: Game, players: int, cpu_s: float) -> float:
    """Actions per second of CPU time in random matches: decision, ``check``, ``apply``, and nothing else."""
    rng, limit = derive_rng("speed", players), game.facts(players).max_steps
    began, actions, number = time.process_time(), 0, 0
    while (spent := time.process_time() - began) < cpu_s or not actions:
        walk = Playthrough.begin(game, players, number)
        while not walk.is_over and len(walk.steps) < limit and time.process_time() - began < cpu_s:
            step = walk.draw_step(rng)
            for player, action in step.items():
                if action is not FORFEITED:
                    walk.state.check(player, action)
            walk.step(step)
            actions += len(step)
        number += 1
        if number > 1_000 and not actions:
            return 0.0
    return actions / spent


def _playout(game: Game, players: int, seed: int, time_limit: CpuLimit) -> Playthrough:
    """Play one match and check it on the way; a fault comes with the shortest match that shows it."""
    rng = derive_rng("many", seed, players)
    try:
        with reported(lambda: ActionSequence(game, players, seed, {}, ())), no_global_randomness(lambda: None):
            walk = Playthrough.begin(game, players, seed)
        position = ExaminedPosition(walk, Examination(facts=game.facts(players), actions={}), rng)
        limit = position.facts.max_steps
        with reported(lambda: walk.line), no_global_randomness(lambda: walk.line):
            while not walk.is_over and len(walk.steps) < limit and not (walk.steps and time_limit.is_over()):
                check_turn(position)
                step = walk.draw_step(rng)
                _check_offered(position, step)
                walk.step(step)
                check_rewards(position)
            if walk.is_over:
                check_end(position)
            elif len(walk.steps) >= limit:
                check_limit([walk], position.facts)
        if seed % _AGAIN == 0 and not time_limit.is_over():
            with reported(lambda: walk.line):
                check_same(walk, replay(game, players, walk.line).story, "the second time")
    except ConformanceError as fault:
        raise shrunk(fault, _seen) from fault
    return walk


def _seen(line: ActionSequence) -> ConformanceError | None:
    """The fault that a playout of ``line`` shows, with the same checks as in ``_playout``."""
    walk: Playthrough | None = None
    try:
        with reported(lambda: line if walk is None else walk.line):
            walk = Playthrough.begin(line.game, line.players, line.seed, line.forced)
            facts = line.game.facts(line.players)
            position = ExaminedPosition(walk, Examination(facts=facts, actions={}), derive_rng("seen"))
            for step in line.steps:
                check_turn(position)
                _check_offered(position, step)
                walk.step(fresh(step))
                check_rewards(position)
            check_turn(position)
            if walk.is_over:
                check_end(position)
    except ConformanceError as fault:
        return fault
    return None


def _check_offered(position: ExaminedPosition, step: Step) -> None:
    for player, action in step.items():
        refused = None if action is FORFEITED else position.state.check(player, copied(action))
        if refused is not None:
            raise position.fault("options", f"{action!r} is offered and refused: {refused.reason}", player)
