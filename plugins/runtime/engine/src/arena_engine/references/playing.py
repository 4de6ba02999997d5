"""Finds what random play earns in several games: what is kept of it, and more matches where there is time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import thread_time
from typing import Protocol

import attrs
from arena.calls import PluginCall, calling
from arena.catalog import InstalledPlugin
from arena.game import Game, GameFacts
from arena.metric import Baseline

from arena_engine.references.game_digest import digest_of, original
from arena_engine.references.playouts import Playouts, RandomPlay, baseline_of
from arena_engine.references.reference_cache import KeptReference, keep_reference, read_reference


class GameOfRun(Protocol):
    """A game as a benchmark plays it, with its number of players.

    It may have ``plugins`` too, the installed plugins that it is made of: without them nothing is kept of it.
    """

    @property
    def game(self) -> Game:
        """The game itself, with its parameters applied."""
        ...

    @property
    def players(self) -> int:
        """How many players take part in each match."""
        ...


@attrs.frozen(kw_only=True)
class GameReference:
    """What is known of a game: its facts and seats, its digest, and the random matches that were played of it.

    ``problem`` says why there are none, or no more of them: an exception of the game.
    """

    facts: GameFacts
    seats: tuple[str, ...]
    digest: str | None
    playouts: Playouts = attrs.field(factory=Playouts)
    problem: str = ""

    @property
    def baseline(self) -> Baseline:
        """What random and optimal play earn, as far as it is known."""
        return baseline_of(self.facts, self.seats, self.playouts)

    @property
    def is_enough(self) -> bool:
        """Whether no more random matches are wanted, since enough were played or the game states what they earn."""
        return self.facts.random is not None or self.playouts.is_enough()


@attrs.frozen(kw_only=True)
class References:
    """References by game; ``problems`` are games without any, with why; ``unkept`` is why nothing could be kept."""

    found: Mapping[str, GameReference]
    problems: Mapping[str, str] = attrs.field(factory=dict[str, str])
    unkept: str | None = None


@attrs.define(eq=False, kw_only=True)
class _Search:
    """The random matches of games that have them in common: one game, and those that retell it."""

    game: Game
    players: int
    digest: str | None
    names: list[str]
    play: RandomPlay | None = None
    before: Playouts = attrs.field(factory=Playouts)
    problem: str = ""

    def step(self) -> bool:
        """Play one more match; false if none is wanted or the game raises."""
        try:
            self.play = self.play or RandomPlay(original(self.game), self.players, self.before, name=self.names[0])
            if not self.play.is_wanted():
                return False
            self.play.add()
        except (Exception, SystemExit) as error:  # the game is a plugin
            self.problem, self.play, self.before = f"{type(error).__name__}: {error}", None, Playouts()
            return False
        return True

    @property
    def playouts(self) -> Playouts:
        return self.play.playouts if self.play else self.before


def references_of(
    games: Mapping[str, GameOfRun],
    seconds: float,
    sated: Iterable[str] = (),
    waited: Callable[[str, int], None] = lambda _game, _games: None,
) -> References:
    """What is known of each game; random matches are added, one of each in turn, for ``seconds`` of processor time.

    Of the games in ``sated``, and of those that state what random play earns, none are added. What is added is kept in
    the user's cache. ``waited`` is called again and again with the name of a game that still lacks matches and with
    their number. Never raises.
    """
    facts: dict[str, GameReference] = {}
    problems: dict[str, str] = {}
    searches: dict[str, _Search] = {}
    for name, entry in games.items():
        try:
            plugins: Sequence[InstalledPlugin] = getattr(entry, "plugins", ())
            with calling(PluginCall("game", name, type(entry.game).facts)):
                digest = digest_of(entry.game, entry.players, plugins)
                seats = tuple(entry.game.seats(entry.players))
                facts[name] = GameReference(facts=entry.game.facts(entry.players), seats=seats, digest=digest)
        except (Exception, SystemExit) as error:  # the game is a plugin: its bug must not cost the run
            problems[name] = f"{type(error).__name__}: {error}"
            continue
        if facts[name].facts.random is not None:
            continue
        search = _Search(game=entry.game, players=entry.players, digest=digest, names=[])
        searches.setdefault(digest or f"{name}\n", search).names.append(name)
    for digest, search in searches.items():
        search.before = read_reference(digest, search.players) if search.digest else Playouts()
    unkept = _play([each for each in searches.values() if not set(each.names) <= set(sated)], seconds, waited)
    for search in searches.values():
        for name in search.names:
            facts[name] = attrs.evolve(facts[name], playouts=search.playouts, problem=search.problem)
    return References(found=facts, problems=problems, unkept=unkept)


def _play(searches: Sequence[_Search], seconds: float, waited: Callable[[str, int], None]) -> str | None:
    """Play until nothing is wanted or the time is over; why the matches could not be kept, or ``None``."""
    end = thread_time() + seconds
    left = sorted(searches, key=lambda search: len(search.before.played))  # who came off badly the last time is first
    while left and thread_time() < end:
        for search in list(left):
            if thread_time() >= end:
                break
            waited(search.names[0], len(left))
            if not search.step():
                left.remove(search)
    unkept: str | None = None
    for each in searches:
        if each.play is not None and each.play.has_grown and each.digest is not None:
            title = original(each.game).title
            entry = KeptReference(digest=each.digest, game=title, players=each.players, playouts=each.playouts)
            unkept = keep_reference(entry) or unkept
    return unkept
