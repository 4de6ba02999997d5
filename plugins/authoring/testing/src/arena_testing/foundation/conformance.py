"""The error that every conformance check raises, the actions it points at, and how long a check may take."""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

import attrs
from arena.game import FORFEITED, Forfeited, Game
from arena.record import Action, Player


@attrs.frozen
class CpuLimit:
    """Some seconds of this process's CPU time, counted from when this was made; ``None`` for any number."""

    seconds: float | None = None
    _began: float = attrs.field(factory=time.process_time, init=False)

    @property
    def spent_s(self) -> float:
        """The seconds of CPU time since this was made."""
        return time.process_time() - self._began

    def is_over(self, share: float = 1.0) -> bool:
        """Whether a share of the time has been spent."""
        return self.seconds is not None and self.spent_s >= self.seconds * share


Step: TypeAlias = Mapping[Player, Action | Forfeited]
"""The actions of one step, by player."""

Forced: TypeAlias = Mapping[int, int | tuple[int, ...]]
"""Chance outcomes that are fixed in advance, by their position in the trace of chance."""


@attrs.frozen
class ActionSequence:
    """Everything needed to reach one position again: game, seed, fixed chance outcomes and actions."""

    game: Game
    players: int
    seed: int
    forced: Forced
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        chance = f"Chance({self.seed}, {dict(self.forced)!r})" if self.forced else f"Chance({self.seed})"
        return f"{self.game!r}.start({chance}, {self.players})" + self._after(", then apply ")

    @property
    def brief(self) -> str:
        """The same for people: the game, the seed and what was done."""
        deal = ", another deal" if self.forced else ""
        return f"{self.game!r}, seed {self.seed}{deal}" + self._after(", after ")

    def _after(self, word: str) -> str:
        steps = ", ".join(_step(step) for step in self.steps)
        return f"{word}{steps}" if steps else ""


class ConformanceError(AssertionError):
    """A plugin breaks its contract.

    ``check`` names the check, ``what`` says what was found and ``player`` whom it concerns. ``line`` is the shortest
    match found that shows the fault, or ``None`` if it takes no match to see it; ``sight`` says what is seen there.
    """

    def __init__(
        self,
        check: str,
        what: str,
        *,
        player: Player | None = None,
        line: ActionSequence | None = None,
        sight: str = "",
    ) -> None:
        self.check = check
        self.what = what
        self.player = player
        self.line = line
        self.sight = sight
        who = "" if player is None else f"player {player}: "
        shown = ": ".join(filter(None, ("" if line is None else str(line), sight)))
        super().__init__(f"{check}: {who}{what}" + (f"; to see it: {shown}" if shown else ""))


@contextmanager
def reported(line: Callable[[], ActionSequence | None]) -> Generator[None]:
    """Turn an exception that the plugin raises into a ``ConformanceError`` that says how to reproduce it."""
    try:
        yield
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError("crash", f"{type(error).__name__}: {error}", line=line()) from error


def _step(step: Step) -> str:
    return "{" + ", ".join(f"{p}: {'GONE' if a is FORFEITED else repr(a)}" for p, a in step.items()) + "}"
