"""Fixtures for plugin authors; pytest loads them by itself through an entry point.

``playout``
    A random match of a game, up to its end or up to a number of steps.
``play``
    A match between agents with the real referee, completions and journal.
``chance``
    A source of chance from a seed.
``run_dir``
    The path of a directory for one run.
``journal``
    The journal of a finished run, of given or sample matches.
``scripted_backend``
    A backend that returns given answers and records its requests.
``model_server``
    Serves a model over HTTP on this machine, with OpenAI's protocol.
``chat_server``
    Such a server that does with each request what the test says, every fault included.
``installed_plugin``
    Makes a class of the test a plugin that can be found by name while the test runs.
``installed``
    A directory in which distributions can be installed while the test runs.

For hypothesis there is ``arena_testing.strategies``.

Every run of pytest imports this module, so everything else is imported when a fixture is requested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from arena.chance import Chance
    from arena.game import Game
    from arena.plugin import Plugin
    from arena.record import MatchRecord
    from arena_engine import Journal, JournalEntry

    from arena_testing.fixtures.chat_server import ChatServer
    from arena_testing.fixtures.distributions import Installed
    from arena_testing.fixtures.fakes import ScriptedBackend
    from arena_testing.fixtures.model_server import ModelServer
    from arena_testing.fixtures.play_match import PlayedMatch
    from arena_testing.foundation.playthrough import Playthrough


@pytest.fixture
def chance() -> Callable[[int], Chance]:
    """Create a source of chance from a seed: ``chance(3)``."""
    from arena.chance import Chance

    return Chance


@pytest.fixture
def playout() -> Callable[..., Playthrough]:
    """Play random legal actions: ``playout(game, players=2, seed=0, steps=None)``.

    Returns a playthrough with ``state``, ``steps`` (the actions) and ``told`` (the events); ``steps`` is the most steps
    that are played.
    """
    from arena.record import derive_rng

    from arena_testing.foundation.playthrough import play_random

    def run(game: Game, players: int | None = None, seed: int = 0, steps: int | None = None) -> Playthrough:
        count = min(game.player_counts()) if players is None else players
        limit = game.facts(count).max_steps if steps is None else steps
        return play_random(game, count, seed, derive_rng("playout", seed), limit)

    return run


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """The path of a run's directory that does not exist yet."""
    return tmp_path / "run"


@pytest.fixture
def play(run_dir: Path) -> Callable[..., PlayedMatch]:
    """Play one match: ``play(game, agents, seed=0, …)``; called again in one test it resumes the same match.

    Takes the arguments of ``arena_testing.play``; the directory is ``run_dir`` unless it is given. Not for tests that
    are coroutines themselves.
    """
    from functools import partial

    from arena_testing.fixtures.play_match import play as run

    return partial(run, directory=run_dir)


@pytest.fixture
def journal(run_dir: Path) -> Iterator[Callable[..., Journal]]:
    """Write a journal: ``journal(records=None, answers=(), directory=run_dir)``; it is closed after the test.

    Without ``records`` it holds ``arena_testing.sample_records()``, matches with every possible ending, for trying
    exports and reports. Tests that are coroutines can only create an empty journal: ``journal(())``.
    """
    from arena_testing.fixtures.play_match import journal_of
    from arena_testing.fixtures.records import sample_records

    opened: list[Journal] = []

    def write(
        records: Iterable[MatchRecord] | None = None, answers: Iterable[JournalEntry] = (), directory: Path = run_dir
    ) -> Journal:
        opened.append(journal_of(directory, sample_records() if records is None else records, answers))
        return opened[-1]

    yield write
    for each in opened:
        each.close()


@pytest.fixture
def scripted_backend() -> Callable[..., ScriptedBackend]:
    """Create a backend that returns the given answers in turn: ``scripted_backend(*answers)``.

    An answer is a text, a ``Completion``, or an exception to raise. The backend's ``requests`` are what it was asked.
    """
    from arena_testing.fixtures.fakes import answering

    return answering


@pytest.fixture
def model_server() -> Iterator[Callable[..., ModelServer]]:
    """Serve a model on a free port of this machine: ``model_server(answer, key=None, latency_s=0.0, …)``.

    ``answer`` gives what the model says to the body of a request; further arguments are fields of the ``ModelServer``
    that is returned, whose ``address`` is the base URL for a backend. The server is shut down after the test.
    """
    from contextlib import ExitStack

    from arena_testing.fixtures.model_server import ModelServer, serving

    with ExitStack() as stack:

        def serve(answer: Callable[[Mapping[str, Any]], str], **more: Any) -> ModelServer:
            return stack.enter_context(serving(ModelServer(answer, **more)))

        yield serve


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    """Serve chats on a free port of this machine, with every fault on demand, for tests of a backend.

    Its ``plan`` and ``usually`` say what is done with each request; ``address`` is the base URL for the backend. The
    server is shut down after the test.
    """
    from arena_testing.fixtures.chat_server import serving

    with serving() as found:
        yield found


@pytest.fixture
def installed_plugin(installed: Installed) -> Callable[..., Plugin]:
    """Make a class a plugin while the test runs: ``installed_plugin("game", "my-game", MyGame, summary="…")``.

    Further arguments are fields of its descriptor. The plugin exists in this process only; use ``installed`` for
    plugins that other processes must find, or that consist of files.
    """
    return installed.add_plugin


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """A directory in which a test installs distributions with ``installed.add(…)``; removed after the test.

    The user's cache is another one meanwhile: what random play earns in a game of the test is no other game's.
    """
    from arena_testing.fixtures.distributions import installed as install

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # It is torn down last and puts back the search path of its first change, which must be one without the directory.
    monkeypatch.syspath_prepend(tmp_path / "site")  # pyright: ignore[reportUnknownMemberType]

    with install(tmp_path / "site") as site:
        yield site
