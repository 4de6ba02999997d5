"""What uniform random play earns in a game, by playing it: the least that every result is held against."""

from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt
from typing import Protocol

import attrs

from arena.chance import Chance
from arena.game import Game, State
from arena.metric import Reference
from arena.record import JSON, Action, Player, digest, stream

PLAYOUTS = 400
"""How many random matches are played at most."""

WAVES = 40_000
"""After how many waves no further match is begun."""


class Entry(Protocol):
    """A game of a benchmark, with its number of players."""

    @property
    def game(self) -> Game:
        """The game."""
        ...

    @property
    def players(self) -> int:
        """How many play it."""
        ...


@attrs.frozen
class _Playout:
    returns: tuple[float, ...]
    turns: int
    waves: int


def references(games: Mapping[str, Entry], tell: Callable[[str], None] = lambda _: None) -> dict[str, Reference]:
    """Random and optimal references of the games of a benchmark; ``tell`` hears which have none, and why."""
    found: dict[str, Reference] = {}
    for name, entry in games.items():
        try:
            found[name] = reference(entry.game, entry.players)
        except Exception as error:  # the game is a plugin: its bug must not cost the report
            tell(f"game {name!r} has no random reference: {type(error).__name__}: {error}")
    return found


def reference(game: Game, players: int, playouts: int = PLAYOUTS, waves: int = WAVES) -> Reference:
    """Play uniformly at random; the same game gives the same reference everywhere.

    No match is begun after ``waves`` waves in all; the one that is going on is finished, so that long matches are not
    left out. ``ValueError`` where no match ended with returns.
    """
    facts = game.facts(players)
    played: list[_Playout] = []
    spent = 0
    for number in range(playouts):
        if spent >= waves:
            break
        playout = _play(game, players, number, facts.wave_limit)
        spent += playout.waves
        if playout.returns:
            played.append(playout)
    if not played:
        raise ValueError(f"no random match came to an end within {facts.wave_limit} waves")
    by_player = list(zip(*(p.returns for p in played), strict=True))
    return Reference(
        random=tuple(map(_mean, by_player)),
        random_errors=tuple(map(_error, by_player)),
        random_n=len(played),
        optimal=facts.optimal_returns,
        optimal_source=facts.optimal_source,
        random_wins=tuple(_mean([_wins(p.returns, i) for p in played]) for i in range(players)),
        random_draws=_mean([p.returns.count(max(p.returns)) > 1 for p in played]),
        random_turns=_mean([p.turns for p in played]),
        returns=facts.returns,
        least_return=facts.least_return,
        greatest_return=facts.greatest_return,
        seats=tuple(game.seats(players)),
    )


def _play(game: Game, players: int, number: int, wave_limit: int) -> _Playout:
    state, _ = game.start(Chance(digest("reference", number)), players)
    luck = [stream("reference", number, player) for player in range(players)]

    def draw(state: State, player: Player) -> Action:
        return state.decision(player).sample(luck[player])

    turns = waves = 0
    while (acting := state.to_act()) and waves < wave_limit:
        actions: dict[Player, JSON] = {player: draw(state, player) for player in acting}
        state.apply(actions)
        turns += len(actions)
        waves += 1
    return _Playout(tuple(map(float, state.returns() or ())), turns, waves)


def _wins(returns: Sequence[float], player: int) -> bool:
    return returns[player] == max(returns) and returns.count(returns[player]) == 1


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return sqrt(fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))
