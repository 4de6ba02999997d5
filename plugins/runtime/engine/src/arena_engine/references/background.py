"""Plays the random matches that a run's references lack, in a process of its own.

Whoever shows a run to people runs no code of its games: a game may hang, or end the process.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

import attrs
from arena.catalog import Catalog
from arena.game import GameFacts

from arena_engine.benchmark.recorded_benchmark import open_parts
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import JournalReader
from arena_engine.references.playing import references_of
from arena_engine.references.playouts import baseline_of
from arena_engine.references.recorded_games import RecordedGame, recorded_games
from arena_engine.references.reference_cache import read_reference

SECONDS: Final = 10.0
"""Processor time that random matches of all games of a run may take."""


def current_games(journal: JournalReader) -> dict[str, RecordedGame]:
    """What a journal says of its games, with the random matches that the user's cache has come to know since.

    Asks no game. Where ``is_enough`` is still false, ``BackgroundReferences`` plays more of them.
    """
    return {name: _current(game) for name, game in recorded_games(journal).items()}


def _current(game: RecordedGame) -> RecordedGame:
    if game.is_enough or game.digest is None:
        return game
    kept = read_reference(game.digest, game.players)
    if len(kept.played) <= game.baseline.random_n:
        return game
    found = baseline_of(GameFacts(), game.baseline.seats, kept)
    baseline = attrs.evolve(
        game.baseline,
        random=found.random,
        random_errors=found.random_errors,
        random_n=found.random_n,
        random_wins=found.random_wins,
        random_draws=found.random_draws,
        random_turns=found.random_turns,
    )
    return attrs.evolve(game, baseline=baseline, is_enough=kept.is_enough())


class BackgroundReferences:
    """A process that plays random matches of the games of a run; what it finds is in the user's cache at its end."""

    def __init__(self, directory: Path, seconds: float = SECONDS) -> None:
        command = [sys.executable, "-m", __name__, str(directory), str(seconds)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be expected, however it ended."""
        return self._process.poll() is not None

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until it is over; ``subprocess.TimeoutExpired`` after ``timeout_s`` seconds."""
        self._process.wait(timeout_s)

    def stop(self) -> None:
        """End it at once; what it has not kept yet is lost."""
        self._process.kill()
        self._process.wait()


def main(directory: str, seconds: str) -> None:
    """Play random matches of the games of one run that lack them, and keep them in the cache."""
    with Journal.open(Path(directory), check=False) as journal:
        sated = [name for name, game in current_games(journal).items() if game.is_enough]
        references_of(open_parts(journal, Catalog()).games, float(seconds), sated)


if __name__ == "__main__":
    main(*sys.argv[1:])
