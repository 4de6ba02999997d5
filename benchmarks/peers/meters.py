"""Counting what is played."""

from collections.abc import Callable


class Meter:
    """Steps and matches, and the CPU seconds they took."""

    def __init__(self) -> None:
        self.steps = 0
        self.matches = 0
        self.seconds = 0.0

    def add(self, steps: int, seconds: float, matches: int = 1) -> None:
        """Count a match, or several."""
        self.steps += steps
        self.matches += matches
        self.seconds += seconds

    @property
    def pace(self) -> float:
        """Matches per CPU second."""
        return self.matches / self.seconds

    @property
    def rate(self) -> float:
        """Steps per CPU second."""
        return self.steps / self.seconds


Match = Callable[[int], tuple[int, float] | tuple[int, float, int]]
"""Plays one match (or several) with a seed; returns steps, CPU seconds, and how many matches where it was not one."""
