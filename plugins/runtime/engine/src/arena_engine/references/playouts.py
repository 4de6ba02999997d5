"""Plays a game uniformly at random to learn what that earns: the reference beside every result."""

from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from time import thread_time
from typing import Final

import attrs
from arena.calls import caller_here, calling
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Game, GameFacts, RandomReference, State
from arena.metric import Baseline
from arena.record import JSON, Action, Player, derive_rng, derive_seed

from arena_engine.job.plugin_calls import call_of, calls_of

PLAYOUTS: Final = 400
"""The most random matches that are played of one game."""

STEPS: Final = 40_000
"""Once this many steps of one game have been played in all, no further random match is started."""

SECONDS: Final = 10.0
"""Once random matches of one game have taken so much processor time in all, no further one is started."""


@attrs.frozen
class Playout:
    """One random match: what each player earned (nothing if it came to no end), its actions and its steps."""

    returns: tuple[float, ...]
    turns: int
    steps: int


@attrs.frozen(kw_only=True)
class Playouts:
    """The first random matches of a game, in their fixed order; ``seconds`` of processor time were spent on them."""

    played: tuple[Playout, ...] = ()
    seconds: float = 0.0

    def is_enough(self, playouts: int = PLAYOUTS, steps: int = STEPS, seconds: float = SECONDS) -> bool:
        """Whether no further match is to be played, by any of the bounds."""
        spent = sum(playout.steps for playout in self.played)
        return len(self.played) >= playouts or spent >= steps or self.seconds >= seconds

    @property
    def ended(self) -> tuple[Playout, ...]:
        """The matches that came to an end, with returns."""
        return tuple(playout for playout in self.played if playout.returns)


class RandomPlay:
    """Plays random matches of one game, going on from those that were played before.

    Matches are numbered, and a number decides all draws of its match; the first has the number ``first``. ``name`` is
    the game's in the benchmark.
    """

    def __init__(
        self, game: Game, players: int, before: Playouts | None = None, first: int = 0, *, name: str = ""
    ) -> None:
        self._game = game
        self._name = name
        self._players = players
        self._limit = game.facts(players).max_steps
        before = before or Playouts()
        self._played = list(before.played)
        self._steps = sum(playout.steps for playout in self._played)
        self._seconds = before.seconds
        self._began_with = len(self._played)
        self._first = first

    def is_wanted(self, playouts: int = PLAYOUTS, steps: int = STEPS, seconds: float = SECONDS) -> bool:
        """Whether one more match is to be played."""
        return len(self._played) < playouts and self._steps < steps and self._seconds < seconds

    def add(self) -> None:
        """Play one more match, whose draws follow from how many were played before."""
        began = thread_time()
        playout = _play(self._game, self._name, self._players, self._first + len(self._played), self._limit)
        self._seconds += thread_time() - began
        self._steps += playout.steps
        self._played.append(playout)

    @property
    def has_grown(self) -> bool:
        """Whether matches were added to those of before."""
        return len(self._played) > self._began_with

    @property
    def playouts(self) -> Playouts:
        """All matches so far."""
        return Playouts(played=tuple(self._played), seconds=self._seconds)


def baseline_of(facts: GameFacts, seats: Sequence[str], played: Playouts) -> Baseline:
    """The baseline of a game: what it states of random play, or what was ``played``.

    Where neither says anything, since no random match ended, ``random`` is empty and ``random_n`` 0.
    """
    random = facts.random or reference_of(played)
    return Baseline(
        random=random.returns if random else (),
        random_errors=(random.errors or (0.0,) * len(random.returns)) if random else (),
        random_n=random.n if random else 0,
        random_deviations=random.deviations if random else (),
        optimal=facts.optimal_returns,
        optimal_source=facts.optimal_source,
        random_wins=random.wins if random else (),
        random_draws=random.draws if random else None,
        random_turns=random.turns if random else None,
        random_source=random.source if random else "",
        returns=facts.returns,
        min_return=facts.min_return,
        max_return=facts.max_return,
        seats=tuple(seats),
        counts_wins=facts.counts_wins,
        return_unit=facts.return_unit,
        chance=facts.chance,
    )


def reference_of(played: Playouts, source: str = "") -> RandomReference | None:
    """What random matches say of random play; ``None`` if none of them ended."""
    if not (ended := played.ended):
        return None
    by_player = list(zip(*(playout.returns for playout in ended), strict=True))
    return RandomReference(
        returns=tuple(map(_mean, by_player)),
        errors=tuple(map(_error, by_player)),
        wins=tuple(_mean([wins_alone(p.returns, i) for p in ended]) for i in range(len(by_player))),
        draws=_mean([is_tied(p.returns) for p in ended]),
        turns=_mean([p.turns for p in ended]),
        n=len(ended),
        source=source,
    )


def is_tied(returns: Sequence[float]) -> bool:
    """Whether several players have the highest return."""
    return returns.count(max(returns)) > 1


def wins_alone(returns: Sequence[float], player: int) -> bool:
    """Whether this player alone has the highest return."""
    return returns[player] == max(returns) and returns.count(returns[player]) == 1


def _play(game: Game, name: str, players: int, number: int, step_limit: int) -> Playout:
    with calling(call_of("game", name, type(game).start)):
        state, _ = game.start(Chance(derive_seed("reference", number)), players)
    streams = [derive_rng("reference", number, player) for player in range(players)]

    def draw(state: State, player: Player) -> Action:
        return state.decision(player).sample(streams[player])

    turns = steps = 0
    calls, here = calls_of(name, type(state)), caller_here()
    with calling(calls.to_act):  # one context for all steps, in which the others are noted
        while (acting := state.to_act()) and steps < step_limit:
            here.call = calls.decision
            actions: dict[Player, JSON] = {player: draw(state, player) for player in acting}
            here.call = calls.apply
            state.apply(actions)
            here.call = calls.to_act
            turns += len(actions)
            steps += 1
    returns = tuple(map(float, state.returns() or ()))
    if returns and (len(returns) != players or not all(map(isfinite, returns))):
        raise RuleError(f"returns that are not a finite number for each of {players} players: {returns}")
    return Playout(returns, turns, steps)


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return sqrt(fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))
