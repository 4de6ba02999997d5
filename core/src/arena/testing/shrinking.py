"""The shortest match that still shows a fault: waves are left out and actions made plainer for as long as it stays."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import attrs

from arena.game import GONE, Gone
from arena.record import Action, Player, canonical
from arena.testing.conformance import ConformanceError, Line, Wave
from arena.testing.walk import Walk, fresh

Probe: TypeAlias = Callable[[Line], ConformanceError | None]
"""Plays a line and says what fault it shows."""


def shrunk(fault: ConformanceError, probe: Probe, tries: int = 150) -> ConformanceError:
    """The same fault at the end of a line with fewer waves and plainer actions; ``fault`` itself where there is none.

    ``tries`` bounds how often ``probe`` is asked. The seed of the line stays as it is.
    """
    if fault.line is None or not fault.line.waves:
        return fault
    search = _Search(probe, fault.check, tries)
    best = search.ask(fault.line)
    if best is None:  # not to be seen by looking at this line alone
        return fault
    while (better := next(search.better(best), None)) is not None:
        best = better
    return best


@attrs.define
class _Search:
    probe: Probe
    check: str
    tries: int

    def better(self, fault: ConformanceError) -> Iterator[ConformanceError]:
        """The same fault, seen with less."""
        line = fault.line
        assert line is not None  # the search is only ever given faults with one
        for waves in (*_shorter(line.waves), *self._plainer(line)):
            found = self.ask(attrs.evolve(line, waves=tuple(waves)))
            if found is not None and found.line is not None and _size(found.line) < _size(line):
                yield found

    def ask(self, line: Line) -> ConformanceError | None:
        """The fault that ``line`` shows, if it can be played and is the one that is looked for."""
        if self.tries <= 0:
            return None
        self.tries -= 1
        playable = _adapted(line)
        found = None if playable is None else self.probe(playable)
        return found if found is not None and found.check == self.check else None

    def _plainer(self, line: Line) -> Iterator[Sequence[Wave]]:
        for number, wave in enumerate(line.waves):
            walk = _reached(attrs.evolve(line, waves=line.waves[:number]))
            if walk is None:
                return
            for player, action in wave.items():
                options = walk.state.decision(player).options
                if options is None or action is GONE or not len(options):
                    continue
                first = options.actions[0]
                if canonical(first) != canonical(action):
                    yield [*line.waves[:number], {**wave, player: first}, *line.waves[number + 1 :]]


def _shorter(waves: Sequence[Wave]) -> Iterator[Sequence[Wave]]:
    """Without a half, without a quarter, …, without one wave."""
    size = len(waves) // 2
    while size:
        for start in range(0, len(waves), size):
            yield [*waves[:start], *waves[start + size :]]
        size //= 2


def _size(line: Line) -> tuple[int, int]:
    """Fewer waves first, then earlier options."""
    walk = Walk.begin(line.game, line.players, line.seed, line.forced)
    places = 0
    for number, wave in enumerate(line.waves):
        places += sum(_place(walk, player, action) for player, action in wave.items())
        if number + 1 < len(line.waves):
            walk.step(fresh(wave))
    return len(line.waves), places


def _place(walk: Walk, player: Player, action: Action | Gone) -> int:
    options = walk.state.decision(player).options
    if options is None or action is GONE:
        return 0
    texts = [canonical(each) for each in options.actions]
    return texts.index(canonical(action)) if canonical(action) in texts else 0


def _reached(line: Line) -> Walk | None:
    try:
        walk = Walk.begin(line.game, line.players, line.seed, line.forced)
        for wave in line.waves:
            walk.step(fresh(wave))
    except Exception:
        return None
    return walk


def _adapted(line: Line) -> Line | None:
    """``line`` with every action given to who acts then; ``None`` where it cannot be played up to its last wave."""
    walk, waves = Walk.begin(line.game, line.players, line.seed, line.forced), list[Wave]()
    for number, wave in enumerate(line.waves):
        acting = walk.to_act
        if len(acting) != len(wave):
            return None
        moved = dict(zip(acting, wave.values(), strict=True))
        if any(a is not GONE and walk.state.check(p, a) is not None for p, a in moved.items()):
            return None
        waves.append(moved)
        if number + 1 < len(line.waves):
            try:
                walk.step(fresh(moved))
            except Exception:  # the fault itself may be here
                break
    return attrs.evolve(line, waves=tuple(waves))
