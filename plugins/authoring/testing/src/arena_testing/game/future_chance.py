"""Proves that nobody knows what chance has not drawn yet: neither events nor positions drawn for a player."""

from collections.abc import Iterator, Sequence
from random import Random

from arena.chance import Chance
from arena.errors import RuleError
from arena.game import FORFEITED
from arena.record import Player, canonical_json, derive_seed

from arena_testing.foundation.conformance import ConformanceError, CpuLimit, Forced, Step
from arena_testing.foundation.playthrough import Playthrough, fresh, replay

_POSITIONS = 6
_OUTCOMES = 4
_DRAWS = 25


def check_announcements(walk: Playthrough, forced: Forced) -> None:
    """Events before a draw of chance are the same if the draw comes out differently; fails if one foretells it.

    ``forced`` are other outcomes for the match of ``walk``.
    """
    changed = min(place for place, outcome in forced.items() if walk.chance.trace[place].outcome != outcome)
    drawn_in = next(number for number, drawn in enumerate(walk.draws) if drawn > changed)
    if not drawn_in:
        return
    other = Playthrough.begin(walk.game, walk.players, walk.seed, forced)
    for number in range(drawn_in):
        if other.story[number] != walk.story[number]:
            earlier = replay(walk.game, walk.players, walk.line_until(number))
            what = (
                f"step {number} tells what chance draws only in step {drawn_in} ({walk.chance.trace[changed].name!r})"
            )
            was, now = walk.story[number][:160], other.story[number][:160]
            sight = f"{was} becomes {now} with another draw in step {drawn_in}"
            raise ConformanceError("announced", what, line=earlier.line, sight=sight)
        if number + 1 < drawn_in:
            other.step(fresh(walk.steps[number]))


def check_future(walks: Sequence[Playthrough], seed: int, time_limit: CpuLimit) -> None:
    """Positions drawn for a player go on with chance of their own; fails if all go on as the match will."""
    for walk, number in _before_draws(walks):
        if time_limit.is_over():
            return
        step = walk.steps[number]
        here = replay(walk.game, walk.players, walk.line_until(number))
        for player in here.to_act:
            ways = list(_ways(walk, number))
            if len(ways) < 2 or any(
                not _is_foreseen(each, player, step, truth, derive_seed(seed, number, i))
                for i, (each, truth) in enumerate(ways[:2])
            ):
                continue
            what = f"drawn positions go on with the chance of the match itself ({2 * _DRAWS} of {2 * _DRAWS} draws)"
            name = walk.chance.trace[walk.draws[number]].name
            sight = f"what {name!r} draws next is the same in every draw as in the match; draw it from the given chance"
            raise ConformanceError("resample", what, player=player, line=here.line, sight=sight)


def _before_draws(walks: Sequence[Playthrough]) -> Iterator[tuple[Playthrough, int]]:
    """Matches and the numbers of steps in which chance draws, at most one from each match."""
    found = 0
    for walk in walks:
        places = [n for n in range(len(walk.steps)) if walk.draws[n + 1] > walk.draws[n]]
        if places and found < _POSITIONS:
            found += 1
            yield walk, places[len(places) // 2]


def _ways(walk: Playthrough, number: int) -> Iterator[tuple[Playthrough, str]]:
    """The match before step ``number``, with each outcome of the next draw by which the step ends differently."""
    place, seen = walk.draws[number], set[str]()
    draw = walk.chance.trace[place]
    outcomes: list[int | tuple[int, ...]] = [draw.outcome]
    if isinstance(draw.outcome, int):
        outcomes += [outcome for outcome in range(draw.items) if outcome != draw.outcome][:_OUTCOMES]
    else:
        outcomes += [tuple(Random(n).sample(draw.outcome, draw.items)) for n in range(_OUTCOMES)]
    for outcome in outcomes:
        try:
            before = Playthrough.begin(walk.game, walk.players, walk.seed, {place: outcome})
            for step in walk.steps[:number]:
                before.step(fresh(step))
            after = before.fork()
            after.step(fresh(walk.steps[number]))
        except RuleError:
            continue
        if (truth := canonical_json(after.state.observe(None))) not in seen:
            seen.add(truth)
            yield before, truth


def _is_foreseen(walk: Playthrough, player: Player, step: Step, truth: str, seed: int) -> bool:
    """Whether every position that is drawn goes on to what the match itself will be after ``step``."""
    for number in range(_DRAWS):
        state = walk.state.resample_hidden(player, Chance(derive_seed("future", seed, number)))
        if state is None or any(p not in state.to_act() for p in step):
            return False
        if any(a is not FORFEITED and state.check(p, a) is not None for p, a in fresh(step).items()):
            return False
        state.apply(fresh(step))
        if canonical_json(state.observe(None)) != truth:
            return False
    return True
