"""The error of every conformance check, and the line of play it points at."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

import attrs

from arena.game import GONE, Game, Gone
from arena.record import Action, Player

Wave: TypeAlias = Mapping[Player, Action | Gone]
"""What everybody who was to act did in one wave."""

Forced: TypeAlias = Mapping[int, int | tuple[int, ...]]
"""Outcomes that must come up, by their place in the trace of chance."""


@attrs.frozen
class Line:
    """All it takes to reach one position again."""

    game: Game
    players: int
    seed: int
    forced: Forced
    waves: tuple[Wave, ...]

    def __str__(self) -> str:
        chance = f"Chance({self.seed}, {dict(self.forced)!r})" if self.forced else f"Chance({self.seed})"
        waves = ", ".join(_wave(wave) for wave in self.waves)
        return f"{self.game!r}.start({chance}, {self.players})" + (f", then apply {waves}" if waves else "")


class ConformanceError(AssertionError):
    """A plugin breaks its contract.

    ``check`` names the check, ``what`` says what was found, ``player`` whom it concerns and ``line`` is the shortest
    match found that shows it, where it takes one.
    """

    def __init__(self, check: str, what: str, *, player: Player | None = None, line: Line | None = None) -> None:
        self.check = check
        self.what = what
        self.player = player
        self.line = line
        who = "" if player is None else f"player {player}: "
        super().__init__(f"{check}: {who}{what}" + ("" if line is None else f"; to see it: {line}"))


@contextmanager
def reported(line: Callable[[], Line | None]) -> Generator[None]:
    """Turn an error of the plugin itself into a ``ConformanceError`` that says how to see it."""
    try:
        yield
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError("crash", f"{type(error).__name__}: {error}", line=line()) from error


def _wave(wave: Wave) -> str:
    return "{" + ", ".join(f"{p}: {'GONE' if a is GONE else repr(a)}" for p, a in wave.items()) + "}"
