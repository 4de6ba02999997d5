"""Makes the baselines of a report, what random and optimal play earn, and tells who waits what is done."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from math import fsum, inf
from time import monotonic
from typing import Final

import attrs
from arena.game import Game
from arena.metric import Baseline
from arena.record import MatchRecord
from arena_engine import RecordedGame, unswept_name
from arena_engine.references import (
    PLAYOUTS,
    SECONDS,
    STEPS,
    GameOfRun as GameOfRun,
    RandomPlay,
    References,
    baseline_of,
    references_of,
)

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


NAMED: Final = 5
"""The most games that a remark names."""


def baselines_of(
    games: Mapping[str, GameOfRun],
    tell: Callable[[str], None] = lambda _: None,
    seconds: float = SECONDS,
    recorded: Mapping[str, RecordedGame] | None = None,
    waiting: Waiting | None = None,
) -> dict[str, Baseline]:
    """Random and optimal baselines of the games of a benchmark; ``tell`` gets what a reader has to know of them.

    What random play earns is taken from what is ``recorded`` in a journal, from the user's cache, and from random
    matches that are played for ``seconds`` of processor time at most, one of each game in turn. They are kept, so that
    the next report goes on from there. A game of which none ended has no ``random``; one that raises when it is asked
    for its facts has no baseline. ``waiting`` tells what is played.
    """
    recorded = recorded or {}
    sated = [name for name, known in recorded.items() if known.is_enough]
    references = references_of(games, seconds, sated, partial(_waited, waiting or Waiting(), seconds))
    for name, why in references.problems.items():
        tell(f"game {name!r} has no random reference: {why}")
    found: dict[str, Baseline] = {}
    for name, each in references.found.items():
        known = recorded.get(name)
        found[name] = _fuller(each.baseline, known.baseline if known else None)
        if not found[name].random and (each.problem or each.playouts.is_enough()):
            why = each.problem or f"no random match came to an end within {each.facts.max_steps} steps"
            tell(f"game {name!r} has no random reference: {why}")
    _tell_shortage(references, found, sated, seconds, tell)
    return {name: found[name] for name in games if name in found}


def _waited(waiting: Waiting, seconds: float, game: str, games: int) -> None:
    more = f" and {games - 1:,} more" * (games > 1)
    waiting.say(lambda: f"playing {game!r}{more} at random to compare with, up to {seconds:g} s …")


def _fuller(here: Baseline, recorded: Baseline | None) -> Baseline:
    """The baseline of a game that is here, with what the journal says of random play if that rests on more matches."""
    if recorded is None or _weight(recorded) <= _weight(here) or recorded.players != len(here.seats):
        return here
    fields = [field.name for field in attrs.fields(Baseline) if field.name.startswith("random")]
    return attrs.evolve(here, **{name: getattr(recorded, name) for name in fields})


def _weight(baseline: Baseline) -> float:
    """How many matches speak for what a baseline says of random play."""
    return baseline.random_n or (inf if baseline.random else 0)


def _tell_shortage(
    references: References,
    found: Mapping[str, Baseline],
    sated: list[str],
    seconds: float,
    tell: Callable[[str], None],
) -> None:
    """Say which random references are missing or rest on few matches because there was too little time."""
    short = {
        name: each
        for name, each in references.found.items()
        if name not in sated and not each.problem and not each.facts.random and len(each.playouts.played) < PLAYOUTS
    }
    open_ = {name: each for name, each in short.items() if not each.playouts.is_enough()}
    goes_on = "`arena report RUN --full` plays them" if seconds <= 0 else "the next report goes on from there"
    if missing := [name for name in open_ if not found[name].random]:
        tell(f"no random reference yet for {_listed(missing, references)}; {goes_on}")
    late = [name for name, each in short.items() if each.playouts.seconds >= SECONDS or name in open_]
    if few := [name for name in late if found[name].random]:
        least = min(found[name].random_n for name in few)
        which = _listed(few, references)
        many = "1 match" if least == 1 else f"{least:,} matches"
        more, so_far = " or more" * (len(few) > 1), " so far" * any(name in open_ for name in few)
        tell(f"the random reference of {which} rests on {many}{more}{so_far}")
    if references.unkept is not None:
        tell(f"random references cannot be kept ({references.unkept}), so every report plays them again")


def _listed(names: list[str], references: References) -> str:
    """Games by name; variants that a sweep made of one are counted."""
    families = Counter(map(unswept_name, names))
    sizes = Counter(map(unswept_name, references.found))
    told = [
        repr(next(name for name in names if unswept_name(name) == family))
        if sizes[family] == 1
        else f"{number:,} of {sizes[family]:,} variants of {family!r}"
        for family, number in families.items()
    ]
    more = f" and {len(told) - NAMED:,} more" if len(told) > NAMED else ""
    return f"{', '.join(told[:NAMED])}{more}"


@attrs.define(eq=False)
class ReturnsSeen:
    """The returns of a game's matches, for what they say of the game where nothing else does."""

    seats: tuple[str, ...] = ()
    matches: int = 0
    is_zero_sum: bool = True
    is_shared: bool = True
    is_unit: bool = True

    def add(self, match: MatchRecord) -> None:
        """Look at one match that has a result."""
        if not match.returns:
            return
        self.seats = match.seats or tuple(f"player {p + 1}" for p in range(len(match.agents)))
        self.matches += 1
        self.is_zero_sum &= abs(fsum(match.returns)) < 1e-9
        self.is_shared &= len(set(match.returns)) == 1
        self.is_unit &= set(match.returns) <= {-1.0, 0.0, 1.0}

    @property
    def baseline(self) -> Baseline | None:
        """A baseline without references, as far as the returns tell which kind of game it is; ``None`` without any.

        One player's gain is taken for another's loss where that was so in every match, and some match was decided.
        """
        if not self.matches:
            return None
        is_contest = len(self.seats) > 1 and self.is_zero_sum and not self.is_shared
        return Baseline(
            random=(),
            random_errors=(),
            random_n=0,
            returns="zero-sum" if is_contest else "general-sum",
            seats=self.seats,
            counts_wins=is_contest and self.is_unit,
        )


def baseline(game: Game, players: int, playouts: int = PLAYOUTS, steps: int = STEPS) -> Baseline:
    """Play uniformly at random; the same game gives the same baseline everywhere.

    No match is started after ``steps`` steps in all; the one in progress is finished, so that long matches are not left
    out. Raises ``ValueError`` if no match ended with returns.
    """
    play, facts = RandomPlay(game, players), game.facts(players)
    while play.is_wanted(playouts, steps, float("inf")):
        play.add()
    if not play.playouts.ended:
        raise ValueError(f"no random match came to an end within {facts.max_steps} steps")
    return baseline_of(attrs.evolve(facts, random=None), tuple(game.seats(players)), play.playouts)
