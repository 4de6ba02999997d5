"""Checks the course of a match: turn order, clones, impossible steps, rewards, returns and forfeits."""

import math
from collections.abc import Sequence
from random import Random

from arena.game import FORFEITED, GameFacts, State
from arena.record import Action, Player, canonical_json, derive_rng
from arena_engine.foundation import returns_fault

from arena_testing.foundation.conformance import ConformanceError, Step
from arena_testing.foundation.playthrough import Playthrough, fresh
from arena_testing.foundation.values import copied
from arena_testing.game.decisions import probes
from arena_testing.game.position import ExaminedPosition, snapshot

_TRIED = 6
_PLAYED_ON = 4
"""How many matches that the limit of steps cut off are played on, to twice the limit."""


def check_turn(position: ExaminedPosition) -> None:
    """``to_act`` is ordered, without duplicates and as the facts say; there are no returns before the end."""
    acting = tuple(position.state.to_act())
    if any(type(p) is not int or not 0 <= p < position.walk.players for p in acting):
        raise position.fault("turn", f"to_act() is {acting!r}, which names somebody who is not there")
    if list(acting) != sorted(set(acting)):
        raise position.fault("turn", f"to_act() is {acting!r}, not each player once and in order")
    if len(acting) > 1 and not position.facts.simultaneous:
        raise position.fault("facts", f"players {acting!r} act at the same time, but simultaneous is not declared")
    if acting and position.state.returns() is not None:
        raise position.fault("returns", f"returns() is {position.state.returns()!r} while {acting!r} are to act")


def check_clone(position: ExaminedPosition) -> None:
    """A clone looks the same, plays on to the same events, and does not change the original."""
    before = position.snapshot()
    clone = position.walk.fork()
    if snapshot(clone.state, clone.players) != before:
        raise position.fault("clone", "a clone looks different")
    mirror = position.walk.fork()
    for _ in range(3):
        if clone.is_over:
            break
        step = clone.draw_step(position.rng)
        clone.step(step)
        if position.snapshot() != before:
            raise position.fault("clone", f"what happens to a clone happens to its original ({_text(step)})")
        mirror.step(fresh(step))
        if mirror.story != clone.story:
            raise position.fault("clone", f"two clones go on differently after {_text(step)}")


def check_atomic(position: ExaminedPosition) -> None:
    """A step with impossible actions either is played or raises and leaves the state unchanged."""
    acting = position.state.to_act()
    good = position.walk.draw_step(position.rng)
    other = next((Player(p) for p in range(position.walk.players) if p not in acting), None)
    bad: list[Step] = [{}]
    if len(acting) > 1:
        bad.extend({alone: good[alone]} for alone in (acting[0], acting[-1]))
    for action in _refused(position, acting[-1]):
        bad.append({**good, acting[-1]: action})
    if other is not None:
        bad.append({**good, other: good[acting[0]]})
    for step in bad:
        state = position.state.clone()
        before = snapshot(state, position.walk.players)
        try:
            state.apply(step)
        except Exception as error:
            if _snapshot_or_error(state, position.walk.players) != before:
                what = f"apply({_text(step)}) raises {type(error).__name__} and leaves the state changed"
                raise position.fault("atomic", what) from error


def check_playable(position: ExaminedPosition) -> None:
    """``apply`` can play every action that ``check`` accepts, whether or not it is among the options."""
    state, rng = position.state, position.rng
    for player in state.to_act():
        decision = state.decision(player)
        step = position.walk.draw_step(rng)
        if decision.options is not None:
            tried = [copied(decision.options.actions[i]) for i in _some(len(decision.options), rng)]
        else:
            tried = [a for a in map(copied, probes(decision, ())) if state.check(player, copied(a)) is None][:_TRIED]
        for action in tried:
            clone = state.clone()
            try:
                clone.apply({**step, player: copied(action)})
            except Exception as error:
                what = f"check accepts {action!r}, and apply raises {type(error).__name__}: {error}"
                raise position.fault("apply", what, player) from error


def _some(size: int, rng: Random) -> list[int]:
    return sorted(rng.sample(range(size), min(size, _TRIED)))


def check_step(position: ExaminedPosition, step: Step) -> None:
    """``apply`` does not change the actions it is given."""
    before = _text(step)
    position.walk.step(step)
    if _text(step) != before:
        raise position.fault("apply", f"the actions {before} become {_text(step)} by being played")


def check_rewards(position: ExaminedPosition) -> None:
    """Rewards are one finite number per player, for every step or for none."""
    rewards = position.state.rewards()
    if rewards is None:
        if position.walk.earned is not None:
            raise position.fault("rewards", "there were rewards for earlier steps and there are none for this one")
    elif (fault := _numbers_fault(tuple(rewards), position.walk.players)) is not None:
        raise position.fault("rewards", f"rewards() is {rewards!r}, {fault}")


def check_end(position: ExaminedPosition) -> None:
    """Every player has a return at the end; returns agree with the facts and with the sum of the rewards."""
    returns = position.state.returns()
    if returns is None:
        raise position.fault("returns", "nobody is to act, but returns() is None")
    if fault := returns_fault(position.facts, returns, position.walk.players):
        raise position.fault("returns", f"returns() is {returns!r}: {fault}")
    earned = position.walk.earned
    if earned is not None and not all(math.isclose(a, b, abs_tol=1e-6) for a, b in zip(earned, returns, strict=True)):
        raise position.fault("rewards", f"rewards add up to {earned!r}, but returns() is {tuple(returns)!r}")


def check_limit(walks: Sequence[Playthrough], facts: GameFacts) -> None:
    """No match that the limit of steps cuts off would soon have ended by its rules; fails if one would."""
    for walk in [walk for walk in walks if not walk.is_over][:_PLAYED_ON]:
        on, rng = walk.fork(), derive_rng("played on", walk.seed)
        try:
            while not on.is_over and len(on.steps) < 2 * facts.max_steps:
                on.step(on.draw_step(rng))
        except Exception:  # nothing need be playable beyond the limit
            continue
        if on.is_over:
            what = f"max_steps is {facts.max_steps}, and a match ends by the rules only after {len(on.steps)} steps"
            raise ConformanceError("limit", what, line=walk.line, sight="the match is not over here")


def check_gone(walk: Playthrough, position: ExaminedPosition) -> None:
    """The match reaches its end, with returns for all, after a player forfeits in this position."""
    limit = position.facts.max_steps
    gone: set[Player] = set()
    while not walk.is_over and len(walk.steps) < limit:
        acting = walk.to_act
        if len(gone) < walk.players and (not gone or position.rng.random() < 0.1):
            gone.add(position.rng.choice(acting))
        walk.step(walk.draw_step(position.rng, gone))
    end = ExaminedPosition(walk, position.examination, position.rng)
    if not walk.is_over:
        raise end.fault("forfeit", f"with players {sorted(gone)!r} eliminated, the match does not end in {limit} steps")
    check_end(end)


def _snapshot_or_error(state: State, players: int) -> str:
    try:
        return snapshot(state, players)
    except Exception as error:
        return repr(error)


def _refused(position: ExaminedPosition, player: Player) -> list[Action]:
    phase = position.state.decision(player).phase
    known = position.examination.actions.get(phase, ())
    return [action for action in known if position.state.check(player, action) is not None][:8]


def _numbers_fault(values: tuple[float, ...], players: int) -> str | None:
    if len(values) != players:
        return f"not one number for each of {players} players"
    if not all(isinstance(v, int | float) and math.isfinite(v) for v in values):  # pyright: ignore[reportUnnecessaryIsInstance]
        return "not all of them finite numbers"
    return None


def _text(step: Step) -> str:
    return canonical_json({str(p): "gone" if action is FORFEITED else action for p, action in step.items()})
