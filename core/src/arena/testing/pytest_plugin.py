"""Fixtures for plugin authors; pytest finds them through its own entry point.

``playout``
    A random match of a game, up to its end or up to a number of waves.
``play``
    A match between agents with the real referee, completions and journal.
``chance``
    Luck by seed.
``run_dir``
    A place for one run.
``journal``
    The journal of a finished run, of matches that are given or made up.
``scripted_backend``
    A backend that gives the answers it is given, and knows what it was asked.
``installed_plugin``
    A class of the test's own as a plugin, found by name while the test runs.
``installed``
    A directory in which whole distributions can be installed while the test runs.

For hypothesis there is ``arena.testing.strategies``.

This module is imported in every run of pytest, so all else is imported when a fixture is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from arena.chance import Chance
    from arena.executor import Answer
    from arena.game import Game
    from arena.journal import Journal
    from arena.plugin import Plugin
    from arena.record import MatchRecord
    from arena.testing.distributions import Installed
    from arena.testing.refereed import Played
    from arena.testing.stand_ins import ScriptedBackend
    from arena.testing.walk import Walk


@pytest.fixture
def chance() -> Callable[[int], Chance]:
    """Luck by seed: ``chance(3)``."""
    from arena.chance import Chance

    return Chance


@pytest.fixture
def playout() -> Callable[..., Walk]:
    """Play random legal actions: ``playout(game, players=2, seed=0, waves=None)``.

    Returns a walk with ``state``, ``waves`` (the actions) and ``told`` (the events); ``waves`` stops it early.
    """
    from arena.record import stream
    from arena.testing.walk import play_random

    def run(game: Game, players: int | None = None, seed: int = 0, waves: int | None = None) -> Walk:
        count = min(game.player_counts()) if players is None else players
        limit = game.facts(count).wave_limit if waves is None else waves
        return play_random(game, count, seed, stream("playout", seed), limit)

    return run


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A directory for one run, which is not there yet."""
    return tmp_path / "run"


@pytest.fixture
def play(run_dir: Path) -> Callable[..., Played]:
    """Play one match: ``play(game, agents, seed=0, …)``; called again in one test it resumes the same match.

    Takes what ``arena.testing.play`` takes, but for the directory, which is ``run_dir`` unless it is given. Not
    for tests that are coroutines themselves.
    """
    from functools import partial

    from arena.testing.refereed import play as run

    return partial(run, directory=run_dir)


@pytest.fixture
def journal(run_dir: Path) -> Iterator[Callable[..., Journal]]:
    """Write a journal: ``journal(records=None, answers=(), directory=run_dir)``; it is closed after the test.

    Without ``records`` it holds ``arena.testing.sample_records()``, matches with every ending there is. Exports and
    reports are tried on it. Tests that are coroutines can only have an empty one: ``journal(())``.
    """
    from arena.testing.journals import journal_of
    from arena.testing.records import sample_records

    opened: list[Journal] = []

    def write(
        records: Iterable[MatchRecord] | None = None, answers: Iterable[Answer] = (), directory: Path = run_dir
    ) -> Journal:
        opened.append(journal_of(directory, sample_records() if records is None else records, answers))
        return opened[-1]

    yield write
    for each in opened:
        each.close()


@pytest.fixture
def scripted_backend() -> Callable[..., ScriptedBackend]:
    """A backend that gives ``scripted_backend(*answers)`` in turn; ``requests`` is what it was asked.

    An answer is a text, a ``Completion``, or an exception that is raised.
    """
    from arena.testing.stand_ins import answering

    return answering


@pytest.fixture
def installed_plugin(installed: Installed) -> Callable[..., Plugin]:
    """Make a class a plugin while the test runs: ``installed_plugin("game", "my-game", MyGame, summary="…")``.

    Further arguments are fields of its descriptor. It is known in this process alone; for what other processes must
    find, and for files, there is ``installed``.
    """
    return installed.add_plugin


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Installed]:
    """A directory in which a test installs distributions with ``installed.add(…)``; they are gone after it."""
    from arena.testing.distributions import installed as install

    with install(tmp_path / "site") as site:
        yield site
