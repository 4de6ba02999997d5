"""Tells somebody who waits for a report what is being done."""

from collections.abc import Callable
from time import monotonic
from typing import Final

import attrs

TIMES: Final = 4
"""How many times as long as the last time it is until something is told again."""


@attrs.define(eq=False)
class Waiting:
    """Hands ``tell`` what is being done when somebody has waited for ``seconds``, and then ever more rarely."""

    tell: Callable[[str], None] = lambda _: None
    seconds: float = 1.0
    _begin: float = attrs.field(factory=lambda: monotonic(), init=False)

    def say(self, what: Callable[[], str]) -> None:
        """Tell ``what`` is being done if it is time to; may be called as often as one likes."""
        if monotonic() - self._begin >= self.seconds:
            self.tell(what())
            self.seconds *= TIMES
