"""Plays a game at random to learn what uniform random play earns: the baseline of every result."""

from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt
from time import process_time
from typing import Protocol

import attrs
from arena.chance import Chance
from arena.game import Game, State
from arena.metric import Baseline
from arena.record import JSON, Action, Player, derive_rng, derive_seed
from arena_engine.benchmark.sweeps import unswept_name

PLAYOUTS = 400
"""The most random matches that are played for a baseline."""

STEPS = 40_000
"""Once this many steps have been played in all, no further random match is started."""

SECONDS = 10.0
"""Once all variants of a game have taken so much processor time together, no further random match is started."""


class GameOfRun(Protocol):
    """A game as a benchmark plays it, with its number of players."""

    @property
    def game(self) -> Game:
        """The game itself, with its parameters applied."""
        ...

    @property
    def players(self) -> int:
        """How many players take part in each match."""
        ...


@attrs.frozen
class _Playout:
    returns: tuple[float, ...]
    turns: int
    steps: int


def baselines_of(
    games: Mapping[str, GameOfRun], tell: Callable[[str], None] = lambda _: None, seconds: float = SECONDS
) -> dict[str, Baseline]:
    """Random and optimal baselines of the games of a benchmark; ``tell`` gets the reason for each missing one.

    Games that a sweep made of one share ``seconds`` of processor time, a match each in turn. So where there are very
    many of them, or matches are long, some have few random matches, or none.
    """
    families: dict[str, dict[str, _Playouts]] = {}
    for name, entry in games.items():
        try:
            made = _Playouts(entry.game, entry.players)
        except Exception as error:  # the game is a plugin: its bug must not cost the report
            tell(f"game {name!r} has no random reference: {type(error).__name__}: {error}")
            continue
        families.setdefault(unswept_name(name), {})[name] = made
    found: dict[str, Baseline] = {}
    for family, variants in families.items():
        found |= _of_variants(family, variants, tell, seconds)
    return {name: found[name] for name in games if name in found}


def _of_variants(
    family: str, variants: Mapping[str, "_Playouts"], tell: Callable[[str], None], seconds: float
) -> dict[str, Baseline]:
    left, late = dict(variants), 0
    found: dict[str, Baseline] = {}
    end = process_time() + seconds
    while left:
        for name, playouts in list(left.items()):
            try:
                is_late = process_time() >= end
                if not is_late and playouts.is_wanted(PLAYOUTS, STEPS):
                    playouts.add()
                    continue
                del left[name]
                if is_late and not playouts.tried:
                    late += 1
                else:
                    found[name] = playouts.baseline()
            except Exception as error:
                left.pop(name, None)
                tell(f"game {name!r} has no random reference: {type(error).__name__}: {error}")
    if late:
        which = f"{late:,} of {len(variants):,} variants of {family!r} have" if len(variants) > 1 else f"{family!r} has"
        tell(f"{which} no random reference: {seconds:g} s of processor time were over")
    return found


def baseline(game: Game, players: int, playouts: int = PLAYOUTS, steps: int = STEPS) -> Baseline:
    """Play uniformly at random; the same game gives the same baseline everywhere.

    No match is started after ``steps`` steps in all; the one in progress is finished, so that long matches are not left
    out. Raises ``ValueError`` if no match ended with returns.
    """
    played = _Playouts(game, players)
    while played.is_wanted(playouts, steps):
        played.add()
    return played.baseline()


class _Playouts:
    """The random matches of one game that have been played so far."""

    def __init__(self, game: Game, players: int) -> None:
        self._game = game
        self._players = players
        self._facts = game.facts(players)
        self._played: list[_Playout] = []
        self._spent = 0
        self.tried = 0

    def is_wanted(self, playouts: int, steps: int) -> bool:
        """Whether one more is to be played."""
        return self.tried < playouts and self._spent < steps

    def add(self) -> None:
        """Play one more match, whose draws follow from how many were played before."""
        playout = _play(self._game, self._players, self.tried, self._facts.max_steps)
        self.tried += 1
        self._spent += playout.steps
        if playout.returns:
            self._played.append(playout)

    def baseline(self) -> Baseline:
        """What they earned; ``ValueError`` if none ended with returns."""
        played, facts = self._played, self._facts
        if not played:
            raise ValueError(f"no random match came to an end within {facts.max_steps} steps")
        by_player = list(zip(*(p.returns for p in played), strict=True))
        return Baseline(
            random=tuple(map(_mean, by_player)),
            random_errors=tuple(map(_error, by_player)),
            random_n=len(played),
            optimal=facts.optimal_returns,
            optimal_source=facts.optimal_source,
            random_wins=tuple(_mean([_wins(p.returns, i) for p in played]) for i in range(self._players)),
            random_draws=_mean([p.returns.count(max(p.returns)) > 1 for p in played]),
            random_turns=_mean([p.turns for p in played]),
            returns=facts.returns,
            min_return=facts.min_return,
            max_return=facts.max_return,
            seats=tuple(self._game.seats(self._players)),
            counts_wins=facts.counts_wins,
            return_unit=facts.return_unit,
        )


def _play(game: Game, players: int, number: int, step_limit: int) -> _Playout:
    state, _ = game.start(Chance(derive_seed("reference", number)), players)
    streams = [derive_rng("reference", number, player) for player in range(players)]

    def draw(state: State, player: Player) -> Action:
        return state.decision(player).sample(streams[player])

    turns = steps = 0
    while (acting := state.to_act()) and steps < step_limit:
        actions: dict[Player, JSON] = {player: draw(state, player) for player in acting}
        state.apply(actions)
        turns += len(actions)
        steps += 1
    return _Playout(tuple(map(float, state.returns() or ())), turns, steps)


def _wins(returns: Sequence[float], player: int) -> bool:
    return returns[player] == max(returns) and returns.count(returns[player]) == 1


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return sqrt(fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))
