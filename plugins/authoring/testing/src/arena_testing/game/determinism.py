"""Checks that a match depends on nothing but its seed and its actions."""

import copy
import pickle
import random
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from arena.game import Game

from arena_testing.foundation.conformance import ActionSequence, ConformanceError
from arena_testing.foundation.playthrough import Playthrough, fresh, replay

_NAME = "determinism"


@contextmanager
def no_global_randomness(line: Callable[[], ActionSequence | None]) -> Generator[None]:
    """Fail if the block draws from Python's or NumPy's global random generator."""
    numpy = sys.modules.get("numpy.random")
    before = random.getstate()
    array_before = _array_state(numpy)
    yield
    if random.getstate() != before or _array_state(numpy) != array_before:
        raise ConformanceError(_NAME, "random numbers come from a global generator; draw them from chance", line=line())


def check_repeated(walk: Playthrough, game: Game, how: str) -> None:
    """The same chance outcomes and actions give the same events, byte for byte."""
    kept = random.getstate()
    random.seed(f"{how}{walk.seed}")
    try:
        again = replay(game, walk.players, walk.line)
    finally:
        random.setstate(kept)
    check_same(walk, again.story, how)
    if again.state.returns() != walk.state.returns():
        what = f"returns() is {again.state.returns()!r} {how}, and was {walk.state.returns()!r}"
        raise ConformanceError(_NAME, what, line=walk.line)


def check_interleaved(one: Playthrough, two: Playthrough) -> None:
    """Two matches of one game that are played alternately do not disturb each other."""
    walks = [Playthrough.begin(w.game, w.players, w.seed) for w in (one, two)]
    for step in range(max(len(one.steps), len(two.steps))):
        for original, walk in zip((one, two), walks, strict=True):
            if step < len(original.steps):
                walk.step(fresh(original.steps[step]))
    for original, walk in zip((one, two), walks, strict=True):
        if original.story != walk.story:
            what = (
                "a match goes on differently when another match is played at the same time; share nothing between them"
            )
            raise ConformanceError("interleaved", what, line=original.line)


def check_pickled(walk: Playthrough) -> str | None:
    """A pickled and unpickled state plays on in the same way; returns why that was not tried, or ``None``."""
    half = len(walk.steps) // 2
    other = replay(walk.game, walk.players, _first(walk.line, half))
    try:
        text = pickle.dumps(other.state)
    except Exception as error:
        return f"pickling: {type(error).__name__}: {error}"
    other.state = pickle.loads(text)
    for step in walk.steps[half:]:
        other.step(fresh(step))
    check_same(walk, other.story, "after its state was pickled")
    return None


def twins(game: Game) -> tuple[dict[str, Game], str | None]:
    """Equal games that share no object with ``game``, by how they were made; and why one could not be made."""
    made: dict[str, Game] = {"with a copy of the game": copy.deepcopy(game)}
    try:
        made["with a pickled copy of the game"] = pickle.loads(pickle.dumps(game))
    except Exception as error:
        return made, f"pickling: {type(error).__name__}: {error}"
    return made, None


def check_same(walk: Playthrough, story: list[str], how: str) -> None:
    """Fail if ``story`` differs from what happened in ``walk``; ``how`` ends the message."""
    for step, (was, now) in enumerate(zip(walk.story, story, strict=False)):
        if was != now:
            what = f"the same draws and actions give {now[:200]} {how}, and gave {was[:200]}"
            raise ConformanceError(_NAME, what, line=_first(walk.line, step))


def _first(line: ActionSequence, steps: int) -> ActionSequence:
    return ActionSequence(line.game, line.players, line.seed, line.forced, line.steps[:steps])


def _array_state(numpy: Any) -> bytes | None:
    return None if numpy is None else pickle.dumps(numpy.get_state())
