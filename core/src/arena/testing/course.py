"""Checks of how a match goes: turn order, clones, waves that cannot be played, rewards, returns and an early end."""

import math
from random import Random

from arena.game import GONE, State
from arena.record import Action, Player, canonical
from arena.testing.choices import probes
from arena.testing.conformance import Wave
from arena.testing.position import Position, glance
from arena.testing.table import returns_fault
from arena.testing.values import copied
from arena.testing.walk import Walk, fresh

_TRIED = 6


def check_turn(position: Position) -> None:
    """Who is to act is told in order, once each, and agrees with the facts; nothing is earned before the end."""
    acting = tuple(position.state.to_act())
    if any(type(p) is not int or not 0 <= p < position.walk.players for p in acting):
        raise position.fault("turn", f"to_act() is {acting!r}, which names somebody who is not there")
    if list(acting) != sorted(set(acting)):
        raise position.fault("turn", f"to_act() is {acting!r}, not each player once and in order")
    if len(acting) > 1 and not position.facts.simultaneous:
        raise position.fault("facts", f"players {acting!r} act at the same time, but simultaneous is not declared")
    if acting and position.state.returns() is not None:
        raise position.fault("returns", f"returns() is {position.state.returns()!r} while {acting!r} are to act")


def check_clone(position: Position) -> None:
    """A clone looks the same, plays on to the same events, and is on its own."""
    before = position.glance()
    clone = position.walk.fork()
    if glance(clone.state, clone.players) != before:
        raise position.fault("clone", "a clone looks different")
    mirror = position.walk.fork()
    for _ in range(3):
        if clone.is_over:
            break
        wave = clone.draw_wave(position.rng)
        clone.step(wave)
        if position.glance() != before:
            raise position.fault("clone", f"what happens to a clone happens to its original ({_text(wave)})")
        mirror.step(fresh(wave))
        if mirror.story != clone.story:
            raise position.fault("clone", f"two clones go on differently after {_text(wave)}")


def check_atomic(position: Position) -> None:
    """A wave that cannot be played is either played or raises and changes nothing."""
    acting = position.state.to_act()
    good = position.walk.draw_wave(position.rng)
    other = next((Player(p) for p in range(position.walk.players) if p not in acting), None)
    bad: list[Wave] = [{}]
    if len(acting) > 1:
        bad.extend({alone: good[alone]} for alone in (acting[0], acting[-1]))
    for action in _refused(position, acting[-1]):
        bad.append({**good, acting[-1]: action})
    if other is not None:
        bad.append({**good, other: good[acting[0]]})
    for wave in bad:
        state = position.state.clone()
        before = glance(state, position.walk.players)
        try:
            state.apply(wave)
        except Exception as error:
            if _glance_or_error(state, position.walk.players) != before:
                what = f"apply({_text(wave)}) raises {type(error).__name__} and leaves the state changed"
                raise position.fault("atomic", what) from error


def check_playable(position: Position) -> None:
    """What ``check`` accepts, ``apply`` can do: offered actions, and such that were only tried."""
    state, rng = position.state, position.rng
    for player in state.to_act():
        decision = state.decision(player)
        wave = position.walk.draw_wave(rng)
        if decision.options is not None:
            tried = [copied(decision.options.actions[i]) for i in _some(len(decision.options), rng)]
        else:
            tried = [a for a in map(copied, probes(decision, ())) if state.check(player, copied(a)) is None][:_TRIED]
        for action in tried:
            clone = state.clone()
            try:
                clone.apply({**wave, player: copied(action)})
            except Exception as error:
                what = f"check accepts {action!r}, and apply raises {type(error).__name__}: {error}"
                raise position.fault("apply", what, player) from error


def _some(size: int, rng: Random) -> list[int]:
    return sorted(rng.sample(range(size), min(size, _TRIED)))


def check_wave(position: Position, wave: Wave) -> None:
    """Playing a wave leaves the actions as they were."""
    before = _text(wave)
    position.walk.step(wave)
    if _text(wave) != before:
        raise position.fault("apply", f"the actions {before} become {_text(wave)} by being played")


def check_rewards(position: Position) -> None:
    """Rewards are one finite number per player, for every wave or for none."""
    rewards = position.state.rewards()
    if rewards is None:
        if position.walk.earned is not None:
            raise position.fault("rewards", "there were rewards for earlier waves and there are none for this one")
    elif (fault := _numbers_fault(tuple(rewards), position.walk.players)) is not None:
        raise position.fault("rewards", f"rewards() is {rewards!r}, {fault}")


def check_end(position: Position) -> None:
    """Everybody's returns are there, agree with the facts, and are what the rewards add up to."""
    returns = position.state.returns()
    if returns is None:
        raise position.fault("returns", "nobody is to act, but returns() is None")
    if (fault := _numbers_fault(tuple(returns), position.walk.players)) is not None:
        raise position.fault("returns", f"returns() is {returns!r}, {fault}")
    if fault := returns_fault(position.facts, returns):
        raise position.fault("returns", fault)
    earned = position.walk.earned
    if earned is not None and not all(math.isclose(a, b, abs_tol=1e-6) for a, b in zip(earned, returns, strict=True)):
        raise position.fault("rewards", f"rewards add up to {earned!r}, but returns() is {tuple(returns)!r}")


def check_gone(walk: Walk, position: Position) -> None:
    """Others go on when a player is put out here: the match ends, and everybody's returns are there."""
    limit = position.facts.wave_limit
    gone: set[Player] = set()
    while not walk.is_over and len(walk.waves) < limit:
        acting = walk.to_act
        if len(gone) < walk.players and (not gone or position.rng.random() < 0.1):
            gone.add(position.rng.choice(acting))
        walk.step(walk.draw_wave(position.rng, gone))
    end = Position(walk, position.examination, position.rng)
    if not walk.is_over:
        raise end.fault("forfeit", f"with players {sorted(gone)!r} put out, the match does not end in {limit} waves")
    check_end(end)


def _glance_or_error(state: State, players: int) -> str:
    try:
        return glance(state, players)
    except Exception as error:
        return repr(error)


def _refused(position: Position, player: Player) -> list[Action]:
    phase = position.state.decision(player).phase
    known = position.examination.actions.get(phase, ())
    return [action for action in known if position.state.check(player, action) is not None][:8]


def _numbers_fault(values: tuple[float, ...], players: int) -> str | None:
    if len(values) != players:
        return f"not one number for each of {players} players"
    if not all(isinstance(v, int | float) and math.isfinite(v) for v in values):  # pyright: ignore[reportUnnecessaryIsInstance]
        return "not all of them finite numbers"
    return None


def _text(wave: Wave) -> str:
    return canonical({str(p): "gone" if action is GONE else action for p, action in wave.items()})
