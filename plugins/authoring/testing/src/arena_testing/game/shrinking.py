"""Shortens the match that shows a fault: drops steps and simplifies actions as long as the fault stays."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import attrs
from arena.game import FORFEITED, Forfeited
from arena.record import Action, Player, canonical_json

from arena_testing.foundation.conformance import ActionSequence, ConformanceError, Step
from arena_testing.foundation.playthrough import Playthrough, fresh

Probe: TypeAlias = Callable[[ActionSequence], ConformanceError | None]
"""Plays a sequence of actions and returns the fault that it shows, or ``None``."""


def shrunk(fault: ConformanceError, probe: Probe, tries: int = 150) -> ConformanceError:
    """The same fault with fewer steps and earlier options, or ``fault`` itself if none is found.

    ``tries`` is the largest number of calls to ``probe``. The seed stays the same.
    """
    if fault.line is None or not fault.line.steps:
        return fault
    search = _Search(probe, fault.check, tries)
    best = search.ask(fault.line)
    if best is None:  # such as a leak, which only shows when two matches are compared
        return fault
    # Greedy: the first smaller sequence is taken and the search starts again from there.
    while (better := next(search.better(best), None)) is not None:
        best = better
    return best


@attrs.define
class _Search:
    probe: Probe
    check: str
    tries: int

    def better(self, fault: ConformanceError) -> Iterator[ConformanceError]:
        """Yield the same fault in smaller sequences of actions."""
        line = fault.line
        assert line is not None  # the search is only ever given faults with one
        for steps in (*_shorter(line.steps), *self._plainer(line)):
            found = self.ask(attrs.evolve(line, steps=tuple(steps)))
            if found is not None and found.line is not None and _size(found.line) < _size(line):
                yield found

    def ask(self, line: ActionSequence) -> ConformanceError | None:
        """The fault that ``line`` shows; ``None`` if it cannot be played or shows another one."""
        if self.tries <= 0:
            return None
        self.tries -= 1
        playable = _adapted(line)
        found = None if playable is None else self.probe(playable)
        return found if found is not None and found.check == self.check else None

    def _plainer(self, line: ActionSequence) -> Iterator[Sequence[Step]]:
        for number, step in enumerate(line.steps):
            walk = _reached(attrs.evolve(line, steps=line.steps[:number]))
            if walk is None:
                return
            for player, action in step.items():
                options = walk.state.decision(player).options
                if options is None or action is FORFEITED or not len(options):
                    continue
                first = options.actions[0]
                if canonical_json(first) != canonical_json(action):
                    yield [*line.steps[:number], {**step, player: first}, *line.steps[number + 1 :]]


def _shorter(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """Without a half, without a quarter, …, without one step (as in delta debugging)."""
    size = len(steps) // 2
    while size:
        for start in range(0, len(steps), size):
            yield [*steps[:start], *steps[start + size :]]
        size //= 2


def _size(line: ActionSequence) -> tuple[int, int]:
    """The order in which sequences are preferred: fewer steps first, then earlier options."""
    walk = Playthrough.begin(line.game, line.players, line.seed, line.forced)
    places = 0
    for number, step in enumerate(line.steps):
        places += sum(_place(walk, player, action) for player, action in step.items())
        if number + 1 < len(line.steps):
            walk.step(fresh(step))
    return len(line.steps), places


def _place(walk: Playthrough, player: Player, action: Action | Forfeited) -> int:
    options = walk.state.decision(player).options
    if options is None or action is FORFEITED:
        return 0
    texts = [canonical_json(each) for each in options.actions]
    return texts.index(canonical_json(action)) if canonical_json(action) in texts else 0


def _reached(line: ActionSequence) -> Playthrough | None:
    try:
        walk = Playthrough.begin(line.game, line.players, line.seed, line.forced)
        for step in line.steps:
            walk.step(fresh(step))
    except Exception:
        return None
    return walk


def _adapted(line: ActionSequence) -> ActionSequence | None:
    """``line`` with its actions given to the players who act then; ``None`` if it cannot be played to the end."""
    walk, steps = Playthrough.begin(line.game, line.players, line.seed, line.forced), list[Step]()
    for number, step in enumerate(line.steps):
        acting = walk.to_act
        if len(acting) != len(step):
            return None
        moved = dict(zip(acting, step.values(), strict=True))
        if any(a is not FORFEITED and walk.state.check(p, a) is not None for p, a in moved.items()):
            return None
        steps.append(moved)
        if number + 1 < len(line.steps):
            try:
                walk.step(fresh(moved))
            except Exception:  # the fault itself may be here
                break
    return attrs.evolve(line, steps=tuple(steps))
