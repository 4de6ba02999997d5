"""Numbers of actions that last for a match: an action keeps the number it got when it first appeared."""

from arena.game import Options
from arena.record import Action, canonical_json


class ActionNumbers:
    """Gives each action a number, from 1, in the order in which actions appear; no number is given twice."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._labels: dict[int, str] = {}

    def meet(self, options: Options) -> None:
        """Give a number to every action that appears for the first time."""
        for option in options:
            number = self._numbers.setdefault(canonical_json(option.action), len(self._numbers) + 1)
            self._labels[number] = option.label

    def of(self, action: Action) -> int:
        """The number of an action that has appeared."""
        return self._numbers[canonical_json(action)]

    def label(self, number: int) -> str:
        """The words of the action with a number, as they were when it last appeared; empty if there is none."""
        return self._labels.get(number, "")
