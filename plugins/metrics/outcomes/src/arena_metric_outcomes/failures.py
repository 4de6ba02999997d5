"""What a match is worth that ended without returns because a player failed: a loss, in means and between two agents.

A disqualification gives nobody a return. In scores it counts as the least return of the game for whoever failed, and as
no return for the others. Between two agents it is lost by the one that failed and won by the other.
"""

from collections.abc import Mapping, Sequence

import attrs
from arena.metric import Baseline, Measurement
from arena.record import Ending, Player
from arena_metric_statistics.columns import Columns, Kind
from arena_metric_statistics.numerics import Booleans, np

RETURN = "return"

DISQUALIFIED = (
    "A disqualification counts as the least return of the game for whoever failed, and as no return for the others."
)

_FORFEIT = (-1.0, 1.0)
"""What a forfeit gives in most games: to whoever failed, and to each other player."""


def has_failed(kind: Kind, player: int) -> bool:
    """Whether a player failed in matches of a kind: eliminated by its own invalid responses, or left."""
    return player in kind.at_fault


def is_disqualified(kind: Kind, player: int) -> bool:
    """Whether a player was disqualified from matches of a kind."""
    return kind.ending is Ending.DISQUALIFIED and player in kind.at_fault


def with_failures(rows: Columns, baselines: Mapping[str, Baseline]) -> Columns:
    """The rows with a return for whoever failed in a match without returns: the least one of the game."""
    return _filled(rows, baselines, with_others=False)


def in_pairs(rows: Columns, baselines: Mapping[str, Baseline]) -> Columns:
    """The same, with the greatest return of the game for the others: what counts between two agents."""
    return _filled(rows, baselines, with_others=True)


def without_returns(rows: Columns) -> Columns:
    """The outcomes of the matches that have no returns because somebody failed, one row for each player."""
    outcomes, returned = rows.named("outcome"), rows.named(RETURN)
    if not len(outcomes):
        return outcomes
    is_lost = ~np.isin(outcomes.matches, returned.matches) & outcomes.by_player(lambda kind, _: bool(kind.at_fault))
    return outcomes.where(is_lost)


def _filled(rows: Columns, baselines: Mapping[str, Baseline], *, with_others: bool) -> Columns:
    lost = without_returns(rows)
    if not len(lost):
        return rows
    is_own: Booleans = lost.by_player(has_failed)
    if not with_others:
        lost, is_own = lost.where(is_own), is_own[is_own]
    seen = {game: own.values().tolist() for (game,), own in rows.named(RETURN).grouped("game").items()}
    games = [rows.shared.kinds[place].game for place in lost.kinds.tolist()]
    found = {game: ends(seen.get(game, ()), baselines.get(game)) for game in set(games)}
    added: dict[Measurement, int] = {}
    places: list[int] = []
    for game, player, failed in zip(games, lost.players.tolist(), is_own.tolist(), strict=True):
        value = found[game][0 if failed else 1]
        each = Measurement(name=RETURN, value=value, player=Player(player), detail=value)
        places.append(added.setdefault(each, len(rows.shared.measurements) + len(added)))
    shared = attrs.evolve(rows.shared, measurements=[*rows.shared.measurements, *added])
    measured = np.concatenate([rows.measured, np.array(places, dtype=rows.measured.dtype)])
    return Columns(shared, np.concatenate([rows.matches, lost.matches]), measured)


def ends(seen: Sequence[float], reference: Baseline | None) -> tuple[float, float]:
    """The least and the greatest return of a game: those it states, or more extreme ones that were ``seen``."""
    low, high = (reference.min_return, reference.max_return) if reference else (None, None)
    least, greatest = min([*seen, *_known(low)], default=None), max([*seen, *_known(high)], default=None)
    if least is None or greatest is None:
        return _FORFEIT
    return (least, greatest) if least < greatest else (least + _FORFEIT[0], greatest + _FORFEIT[1])


def _known(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)
