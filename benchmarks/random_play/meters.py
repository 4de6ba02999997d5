"""Counting what is played."""

from collections.abc import Callable, Mapping, Sequence


class Meter:
    """Steps and episodes of one round, and the CPU seconds they took."""

    def __init__(self) -> None:
        self.steps = 0
        self.episodes = 0
        self.seconds = 0.0

    def add(self, steps: int, seconds: float, episodes: int = 1) -> None:
        """Count a match, or several."""
        self.steps += steps
        self.episodes += episodes
        self.seconds += seconds

    @property
    def pace(self) -> float:
        """Episodes per CPU second."""
        return self.episodes / self.seconds

    @property
    def rate(self) -> float:
        """Steps per CPU second."""
        return self.steps / self.seconds


Rounds = Mapping[str, Sequence[Meter]]
"""What each peer did in one game, round by round."""

Match = Callable[[int], tuple[int, float] | tuple[int, float, int]]
"""Plays one match (or several) with a seed; returns steps, CPU seconds, and how many matches where it was not one."""
