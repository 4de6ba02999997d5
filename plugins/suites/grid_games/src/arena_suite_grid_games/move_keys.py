"""Reads the keys of the original's ``…_all_moves.json``: ``Moves_GAME_FORM_FIRST_SECOND_RESULT_TIME``."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from arena.errors import ArenaError

from arena_suite_grid_games.published_game import RESULTS, PublishedGame, move_of, of_moves, plain

PREFIX: Final = "Moves_"
"""How each key begins."""

_KEY: Final = re.compile(
    rf"(?P<game>[^_]+)_(?P<form>[^_]+)_(?P<agents>.+)_(?P<result>{'|'.join(RESULTS)})_(?P<moment>\d{{6}}-\d{{6}})"
)


def games_of(
    raw: Mapping[str, Any], name: str, known: Mapping[str, PublishedGame], agents: Collection[str]
) -> list[PublishedGame]:
    """The games of one file, under the names they have in ``known``, by stem, if they are there.

    ``agents`` are names that other files know: they tell where the first player's ends if there are underscores in it.
    ``ArenaError`` names the key that cannot be understood.
    """
    return [_game(key, moves, name, known, agents) for key, moves in raw.items()]


def names_of(raw: Mapping[str, Any]) -> set[str]:
    """The agents that the keys tell without doubt."""
    found: set[str] = set()
    for key in raw:
        match = _KEY.fullmatch(key.removeprefix(PREFIX))
        if match and match["agents"].count("_") == 1:
            found |= set(match["agents"].split("_"))
    return found


def _game(
    key: str, moves: Any, name: str, known: Mapping[str, PublishedGame], agents: Collection[str]
) -> PublishedGame:
    stem = key.removeprefix(PREFIX)
    other = known.get(plain(stem))
    if other is not None and other.moves:
        return other
    try:
        if not isinstance(moves, list):
            raise ValueError(f"expected a list of moves, got {type(moves).__name__}")
        words = _words(stem, agents) if other is None else _words_of(other)
        return of_moves(words, [move_of(move) for move in _objects(moves)], name)
    except ValueError as error:
        raise ArenaError(f"{name}: {key!r}: {error}") from None


def _objects(moves: list[Any]) -> list[Mapping[str, Any]]:
    if any(not isinstance(move, Mapping) for move in moves):
        raise ValueError("expected a list of objects, one for each move")
    return moves


def _words_of(game: PublishedGame) -> tuple[str, ...]:
    return game.game, game.form, *game.agents, game.result, game.moment


def _words(stem: str, agents: Collection[str]) -> tuple[str, ...]:
    match = _KEY.fullmatch(stem)
    if match is None or "_" not in match["agents"]:
        raise ValueError("expected a key such as Moves_tic-tac-toe_list_FIRST_SECOND_winner1st_240617-103605")
    parts = match["agents"].split("_")
    splits = [("_".join(parts[:i]), "_".join(parts[i:])) for i in range(1, len(parts))]
    if len(splits) > 1:
        splits = [pair for pair in splits if all(agent in agents for agent in pair)]
    if len(splits) != 1:
        raise ValueError(
            f"it is not to be seen where the first player's name ends in {match['agents']!r}; give the file …_all.csv "
            "of the same games with it"
        )
    return match["game"], match["form"], *splits[0], match["result"], match["moment"]
