"""Puts published games together: those of one session are one result, as in the original's submissions."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

import attrs
from arena_command_leaderboard.results import Result, SeatResult

from arena_suite_grid_games.published_game import PublishedGame

_LONGEST: Final = timedelta(days=1)
"""How long before the time of a submission its first game may have begun."""


def sessions(games: Iterable[PublishedGame], submissions: Sequence[Result]) -> list[Result]:
    """One result for the games of each session.

    Games whose file does not tell their session belong to that of the first submission of the same two agents, game
    and form after them; if there is none, to one session of their own.
    """
    times = _times(submissions)
    found: dict[str, Result] = {}
    for game in games:
        session = game.uuid or _session(game, times)
        known = found.get(session)
        seats = known.seats if known else (SeatResult(), SeatResult())
        if known is None:
            known = Result(
                id=session,
                source=Path(game.source).name,
                game=game.game,
                form=game.form,
                version=game.version,
                agents=game.agents,
                seats=seats,
            )
        found[session] = attrs.evolve(
            known,
            match_ids=known.match_ids | {game.id},
            seats=(seats[0] + game.seat(0), seats[1] + game.seat(1)),
            date=game.moment,
        )
    return list(found.values())


_Key = tuple[str, ...]
_Times = dict[_Key, list[tuple[datetime, str]]]


def _times(submissions: Sequence[Result]) -> _Times:
    """When the submissions of the same agents, game and form were made, in order, with their ids."""
    found: _Times = {}
    for result in submissions:
        if (moment := _moment(result.date)) is not None:
            found.setdefault((result.game, result.form, *result.agents), []).append((moment, result.id))
    return {key: sorted(own) for key, own in found.items()}


def _session(game: PublishedGame, times: _Times) -> str:
    key, began = (game.game, game.form, *game.agents), _moment(game.moment)
    for made, uuid in times.get(key, ()):
        if began is not None and began <= made <= began + _LONGEST:
            return uuid
    return str(uuid5(NAMESPACE_URL, "/".join(("llm-game-benchmark", game.source, *key))))


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%y%m%d-%H%M%S")
    except ValueError:
        return None
