"""Counters that go up or down by their rates within bounds, until each is below its neighbour."""

from itertools import pairwise
from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, fluent, names, spread, step


@attrs.frozen
class CountersSize:
    """How many counters there are, the greatest value, and the greatest rate; 1 leaves all rates as they are."""

    counters: int
    greatest: int
    rate: int


_APART = 4
"""How far a value is from the one that would be in order, at the most."""


def draw(chance: Random, size: CountersSize) -> Draft:
    """Values around the place of each counter, at least one of them out of order."""
    if size.counters < 2 or size.greatest < size.counters - 1 or size.rate < 1:
        raise ValueError("expected two counters and a greatest value that leaves each a value of its own")
    counters = names("counter", size.counters)
    values = dict.fromkeys(counters, 0)
    while all(values[low] < values[high] for low, high in pairwise(counters)) or not any(values.values()):
        values = {
            counter: chance.randint(max(0, 2 * place - _APART), min(size.greatest, 2 * place + _APART))
            for place, counter in enumerate(counters)
        }
    init = [fluent(value, "value", counter) for counter, value in values.items()]
    init += [fluent(1, "rate", counter) for counter in counters]
    init += [fluent(size.greatest, "max-value"), fluent(size.rate, "max-rate")]
    goal = [f"(<= (+ {step('value', low)} 1) {step('value', high)})" for low, high in pairwise(counters)]
    return Draft((("counter", counters),), tuple(init), tuple(goal), tuple(_plan(values, size)), is_shortest=True)


def _plan(values: dict[str, int], size: CountersSize) -> list[str]:
    """The rising values that take the fewest actions in all, counter by counter; the plan is a shortest one."""
    ways = {counter: _ways(value, size) for counter, value in values.items()}
    best: dict[int, tuple[int, tuple[int, ...]]] = {-1: (0, ())}
    for counter in values:
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        lowest: tuple[int, tuple[int, ...]] | None = None
        for target in range(size.greatest + 1):
            if target - 1 in best and (lowest is None or best[target - 1] < lowest):
                lowest = best[target - 1]
            if lowest is not None:
                longer[target] = (lowest[0] + len(ways[counter][target]), (*lowest[1], target))
        best = longer
    _, targets = min(best.values())
    return [step(word, c) for c, target in zip(values, targets, strict=True) for word in ways[c][target]]


def _ways(value: int, size: CountersSize) -> dict[int, tuple[str, ...]]:
    """A shortest sequence of actions from a value with rate 1 to every other value."""
    seen: dict[tuple[int, int], tuple[str, ...]] = {(value, 1): ()}
    found: dict[int, tuple[str, ...]] = {}
    queue = [(value, 1)]
    for now, rate in queue:
        found.setdefault(now, seen[now, rate])
        after = {"count-up": (now + rate, rate), "count-down": (now - rate, rate)}
        after |= {"raise-rate": (now, rate + 1), "lower-rate": (now, rate - 1)}
        for word, (then, pace) in after.items():
            if 0 <= then <= size.greatest and 1 <= pace <= size.rate and (then, pace) not in seen:
                seen[then, pace] = (*seen[now, rate], word)
                queue.append((then, pace))
    return found


GENERATOR = Generator(
    "counters",
    ("resource",),
    tuple(
        CountersSize(counters, greatest, rate)
        for counters, greatest, rate in (
            *((counters, 2 * counters + 6, 1) for counters in spread(10, 4, 21)),
            *((counters, 2 * counters + 6, 4) for counters in spread(10, 23, 40)),
        )
    ),
    draw,
)
