"""Proves that what players earn does not depend on what they are called."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from arena.game import Game
from arena.record import canonical_json

from arena_testing.foundation.conformance import ConformanceError
from arena_testing.foundation.playthrough import Playthrough, replay


def check_names(walks: Sequence[Playthrough]) -> None:
    """Play matches again with other names in the seats; fails if they go on in the same way and pay otherwise.

    Games in which names are part of the play (as the powers of a map) go on otherwise, and are left alone.
    """
    for walk in walks:
        if not walk.is_over:
            continue
        seats = tuple(walk.game.seats(walk.players))
        with _renamed(walk.game, renamed(seats)):
            try:
                other = replay(walk.game, walk.players, walk.line)
                earned = other.state.returns()
            except Exception:  # the names mean something here
                return
        if _untold(other) != _untold(walk) or earned is None:
            return
        returns = cast("Sequence[float]", walk.state.returns())
        if list(earned) != list(returns):
            what = f"returns() depends on the players' names: {list(earned)!r} with other names, {list(returns)!r} here"
            sight = f"the names {', '.join(renamed(seats))} in place of {', '.join(seats)}"
            raise ConformanceError("returns", what, line=walk.line, sight=sight)


def renamed(seats: Sequence[str]) -> tuple[str, ...]:
    """Other names for seats, of which the order of the alphabet is the opposite."""
    order = sorted(range(len(seats)), key=lambda place: seats[place], reverse=True)
    return tuple(f"seat {chr(ord('a') + order.index(place))}" for place in range(len(seats)))


def _untold(walk: Playthrough) -> list[str]:
    """The course of the match without its words: who acts, and how many events of which kind there were."""
    return [canonical_json([event.kind for event, _ in walk.told]), *map(str, walk.steps), str(walk.to_act)]


@contextmanager
def _renamed(game: Game, names: Sequence[str]) -> Generator[None]:
    """Let the class of ``game`` name its players ``names`` until the block ends."""
    cls: Any = type(game)
    is_own = "seats" in vars(cls)
    kept = cls.seats

    def seats(game: Game, players: int) -> Sequence[str]:
        return tuple(names[:players])

    cls.seats = seats
    try:
        yield
    finally:
        if is_own:
            cls.seats = kept
        else:
            del cls.seats
