"""Very many quick playouts of a game: what goes wrong once in a thousand matches."""

import time
from itertools import cycle

import attrs

from arena.game import GONE, Game
from arena.record import stream
from arena.testing.conformance import ConformanceError, Line, Wave, reported
from arena.testing.course import check_end, check_rewards, check_turn
from arena.testing.position import Examination, Position
from arena.testing.repeats import check_same, no_global_luck
from arena.testing.shrinking import shrunk
from arena.testing.values import copied
from arena.testing.walk import Walk, fresh, replay

_AGAIN = 20
"""Every so many playouts one is played again from what was written down."""


@attrs.frozen(kw_only=True)
class PlayoutReport:
    """What was played: ``cut`` of the ``playouts`` were ended by the wave limit."""

    players: tuple[int, ...]
    seed: int
    playouts: int
    waves: int
    cut: int
    cpu_s: float


def play_many(
    game: Game, *, seed: int = 0, at_least: int = 100, at_most: int = 10_000, cpu_s: float = 60.0
) -> PlayoutReport:
    """Play ``at_most`` random matches of ``game``, or as many as ``cpu_s`` seconds of one processor suffice for.

    All numbers of players up to six take turns, and the greatest. In each position the order of turns, what is
    offered, rewards and the end are looked at. ``ConformanceError`` has the seed and the shortest line found.
    """
    allowed = sorted(game.player_counts())
    counts = tuple(n for n in allowed if n <= 6 or n == allowed[-1])
    began, played, waves, cut = time.process_time(), 0, 0, 0
    for players in cycle(counts):
        spent = time.process_time() - began
        if played >= at_most or (played >= at_least and spent >= cpu_s):
            break
        walk = _playout(game, players, seed + played)
        played, waves, cut = played + 1, waves + len(walk.waves), cut + (not walk.is_over)
    return PlayoutReport(
        players=counts, seed=seed, playouts=played, waves=waves, cut=cut, cpu_s=round(time.process_time() - began, 2)
    )


def speed(game: Game, players: int, cpu_s: float) -> float:
    """Actions per second of processor time in random matches: decide, check, apply; nothing else is looked at."""
    rng, limit = stream("speed", players), game.facts(players).wave_limit
    began, actions, number = time.process_time(), 0, 0
    while (spent := time.process_time() - began) < cpu_s or not actions:
        walk = Walk.begin(game, players, number)
        while not walk.is_over and len(walk.waves) < limit and time.process_time() - began < cpu_s:
            wave = walk.draw_wave(rng)
            for player, action in wave.items():
                if action is not GONE:
                    walk.state.check(player, action)
            walk.step(wave)
            actions += len(wave)
        number += 1
        if number > 1_000 and not actions:
            return 0.0
    return actions / spent


def _playout(game: Game, players: int, seed: int) -> Walk:
    """One match, looked at on the way; a fault comes with the shortest line that shows it."""
    rng = stream("many", seed, players)
    try:
        with reported(lambda: Line(game, players, seed, {}, ())), no_global_luck(lambda: None):
            walk = Walk.begin(game, players, seed)
        position = Position(walk, Examination(facts=game.facts(players), actions={}), rng)
        limit = position.facts.wave_limit
        with reported(lambda: walk.line), no_global_luck(lambda: walk.line):
            while not walk.is_over and len(walk.waves) < limit:
                check_turn(position)
                wave = walk.draw_wave(rng)
                _check_offered(position, wave)
                walk.step(wave)
                check_rewards(position)
            if walk.is_over:
                check_end(position)
        if seed % _AGAIN == 0:
            with reported(lambda: walk.line):
                check_same(walk, replay(game, players, walk.line).story, "the second time")
    except ConformanceError as fault:
        raise shrunk(fault, _seen) from fault
    return walk


def _seen(line: Line) -> ConformanceError | None:
    """What a line shows that is looked at as a playout is."""
    walk: Walk | None = None
    try:
        with reported(lambda: line if walk is None else walk.line):
            walk = Walk.begin(line.game, line.players, line.seed, line.forced)
            facts = line.game.facts(line.players)
            position = Position(walk, Examination(facts=facts, actions={}), stream("seen"))
            for wave in line.waves:
                check_turn(position)
                _check_offered(position, wave)
                walk.step(fresh(wave))
                check_rewards(position)
            check_turn(position)
            if walk.is_over:
                check_end(position)
    except ConformanceError as fault:
        return fault
    return None


def _check_offered(position: Position, wave: Wave) -> None:
    for player, action in wave.items():
        refused = None if action is GONE else position.state.check(player, copied(action))
        if refused is not None:
            raise position.fault("options", f"{action!r} is offered and refused: {refused.reason}", player)
