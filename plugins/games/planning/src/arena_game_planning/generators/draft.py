"""What a generator draws: a problem and, where the domain has a plan by construction, that plan."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import attrs


@attrs.frozen
class Draft:
    """A problem as it was drawn: objects by type, what holds at first, what is wanted, and a plan where one is known.

    ``minimize`` is the expression of a metric, ``is_shortest`` says that no plan has fewer actions than ``plan``.
    """

    objects: tuple[tuple[str, tuple[str, ...]], ...]
    init: tuple[str, ...]
    goal: tuple[str, ...]
    plan: tuple[str, ...] | None = None
    minimize: str | None = None
    is_shortest: bool = False

    def text(self, domain: str, name: str) -> str:
        """Write the problem in PDDL, one fact a line, in the order in which it was drawn."""
        lines = [f"(define (problem {name})", f"  (:domain {domain})", "  (:objects"]
        lines += [f"    {' '.join(names)} - {kind}" for kind, names in self.objects if names]
        lines += ["  )", "  (:init", *(f"    {fact}" for fact in self.init), "  )"]
        lines += ["  (:goal (and", *(f"    {wish}" for wish in self.goal), "  ))"]
        if self.minimize:
            lines.append(f"  (:metric minimize {self.minimize})")
        return "\n".join([*lines, ")", ""])


@attrs.frozen
class Generator:
    """Draws problems of one domain; ``sizes`` holds the parameters of the shipped tasks, easy to hard, one each.

    ``draw`` is pure: the same state of the generator of random numbers and the same size give the same draft. Sizes
    that leave no solvable problem raise ``ValueError``.
    """

    domain: str
    classes: tuple[str, ...]
    sizes: tuple[Any, ...]
    draw: Callable[[Random, Any], Draft]


def names(stem: str, count: int, first: int = 1) -> tuple[str, ...]:
    """Number so many names with the same stem, as in ``truck1`` and ``truck2``."""
    return tuple(f"{stem}{number}" for number in range(first, first + count))


def spread(count: int, low: float, high: float) -> tuple[int, ...]:
    """So many whole numbers that rise evenly from ``low`` to ``high``, both met."""
    if count == 1:
        return (round(low),)
    return tuple(round(low + (high - low) * place / (count - 1)) for place in range(count))


def step(*words: object) -> str:
    """An action or an atom as PDDL writes it, from its name and arguments."""
    return f"({' '.join(map(str, words))})"


def fluent(value: int, *words: object) -> str:
    """The initial value of a numeric fluent as PDDL writes it."""
    return f"(= {step(*words)} {value})"


def walk(start: str, neighbours: Callable[[str], Iterable[str]], ends: Iterable[str]) -> tuple[str, ...] | None:
    """A shortest way from ``start`` to the nearest of ``ends``, both included; ``None`` where there is none."""
    wanted = set(ends)
    before: dict[str, str | None] = {start: None}
    queue = [start]
    for place in queue:
        if place in wanted:
            way = [place]
            while (previous := before[way[-1]]) is not None:
                way.append(previous)
            return tuple(reversed(way))
        for other in neighbours(place):
            if other not in before:
                before[other] = place
                queue.append(other)
    return None
