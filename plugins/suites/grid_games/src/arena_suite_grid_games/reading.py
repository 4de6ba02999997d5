"""Reads the result files that LLM-Game-Benchmark publishes: games, moves, bulk files, submissions, and their ZIPs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import ArenaError
from arena_command_leaderboard.results import Result
from arena_command_leaderboard.submissions import result_of, table
from arena_engine.foundation import ReceivedFiles

from arena_suite_grid_games.games import GAME
from arena_suite_grid_games.move_keys import PREFIX, games_of, names_of
from arena_suite_grid_games.published_game import PublishedGame, PublishedMove, move_of, of_row
from arena_suite_grid_games.sessions import sessions

_ENDINGS: Final = (".csv", ".json")

_NEEDED: Final = frozenset(GAME) - {"GameDuration"}

_Rows = Sequence[Mapping[str, Any]]


@attrs.frozen
class Published:
    """What some files hold: ``games``, each once, and ``results``: their sessions, and the submissions."""

    games: tuple[PublishedGame, ...]
    results: tuple[Result, ...]


def read(paths: Iterable[Path], tell: Callable[[str], None]) -> Published:
    """All games and results in these files; games of one session (their UUID) are one result.

    A game that is present as JSON, CSV, moves CSV and in the bulk file of moves is one game. Texts and images are
    skipped in ZIPs, and an error elsewhere. ``tell`` is called for each submission that contradicts itself and for each
    file that only sums others up. ``ArenaError`` names the game and file that cannot be understood.
    """
    found = _Found(tell)
    for name, text, is_packed in _texts(paths):
        found.add(table(text, Path(name)), name, is_packed=is_packed)
    return found.published()


class _Found:
    """Collects what files hold."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._games: dict[tuple[str, int], PublishedGame] = {}
        self._submissions: list[Result] = []
        self._keyed: list[tuple[Mapping[str, Any], str]] = []

    def add(self, rows: _Rows, name: str, *, is_packed: bool) -> None:
        """Add the rows of one file, by what they are."""
        first = rows[0] if rows else {}
        if "GameNumber" in first:
            for game in _games(rows, name):
                self._add_game(game)
        elif "LLM1stPlayer" in first and "UUID" in first:
            self._submissions += _submissions(rows, name, self._tell)
        elif not first.keys().isdisjoint(("LLM", "LLM1stPlayer", "LLM2ndPlayer")):
            self._tell(
                f"{name}: left out, since it sums up a leaderboard and does not say which sessions; give "
                "leaderboard-data.json or the files of games, and arena leaderboard --by sums them up"
            )
        elif len(rows) == 1 and first and all(key.startswith(PREFIX) for key in first):
            self._keyed.append((first, name))
        elif not is_packed and rows:
            raise ArenaError(f"{name}: neither games nor submissions; expected LLM-Game-Benchmark's JSON or CSV files")

    def _add_game(self, game: PublishedGame) -> None:
        key = game.uuid, game.number
        known = self._games.get(key)
        if known is None:
            self._games[key] = game
        elif known.stem != game.stem:
            told = f"{known.source} says {known.result!r} of it and {game.source} {game.result!r}"
            told = told if known.result != game.result else f"{known.source} and {game.source} differ"
            raise ArenaError(f"game {game.number} of session {game.uuid!r}: {told}; leave one of them out")
        elif game.moves and not known.moves:
            self._games[key] = attrs.evolve(known, moves=game.moves)

    def published(self) -> Published:
        """Everything that was added, with what several files say of one game put together."""
        games = {game.stem: game for game in self._games.values()}
        agents = {agent for result in self._submissions for agent in result.agents}
        agents |= {agent for game in self._games.values() for agent in game.agents}
        agents = agents.union(*(names_of(raw) for raw, _ in self._keyed))
        for raw, name in self._keyed:
            for game in games_of(raw, name, games, agents):
                known = games.get(game.stem, game)
                games[game.stem] = attrs.evolve(known, moves=known.moves or game.moves)
        named = {(game.uuid, game.number) for game in games.values()}
        # two games of different sessions may have begun in the same second, under the same names
        alike = [game for key, game in self._games.items() if key not in named]
        found = (*games.values(), *alike)
        return Published(found, (*sessions(found, self._submissions), *self._submissions))


def _submissions(rows: _Rows, name: str, tell: Callable[[str], None]) -> Iterator[Result]:
    for number, raw in enumerate(rows, 1):
        try:
            yield result_of(raw, Path(name), number, tell)
        except ArenaError as error:
            tell(f"left out: {error}")


def _texts(paths: Iterable[Path]) -> Iterator[tuple[str, str, bool]]:
    files = ReceivedFiles()
    for path in paths:
        is_packed = path.suffix == ".zip"
        found = files.unpacked(path, _ENDINGS) if is_packed else [(str(path), files.content(path))]
        for name, content in found:
            try:
                yield name, content.decode("utf-8-sig"), is_packed
            except UnicodeDecodeError as error:
                raise ArenaError(f"{name}: cannot be read ({error}); expected a CSV, JSON or ZIP file") from None


def _games(rows: _Rows, name: str) -> Iterator[PublishedGame]:
    """The games of one file, in which each is a row or has a row for each of its moves."""
    together: dict[tuple[str, str], list[tuple[int, Mapping[str, Any]]]] = {}
    for number, raw in enumerate(rows, 1):
        if not raw.keys() >= _NEEDED:
            missing = sorted(_NEEDED - raw.keys(), key=GAME.index)
            raise ArenaError(f"{name}: row {number}: no {', '.join(missing)}; expected the columns of a game")
        together.setdefault((str(raw["UUID"]), str(raw["GameNumber"])), []).append((number, raw))
    for own in together.values():
        number, raw = own[0]
        try:
            yield of_row(raw, _moves([each for _, each in own]), name)
        except ValueError as error:
            raise ArenaError(f"{name}: row {number}: {error}") from None


def _moves(own: _Rows) -> list[PublishedMove]:
    if "MovePlayer" in own[0]:
        return [move_of(raw, is_row=True) for raw in own]
    moves: Any = own[0].get("Moves") or ()
    if not isinstance(moves, Sequence) or any(not isinstance(move, Mapping) for move in moves):
        raise ValueError("Moves is no list of objects")
    return [move_of(move) for move in moves]
