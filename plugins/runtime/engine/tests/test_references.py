"""What random play earns is found out once: in a fixed order, within bounds, and kept where nothing is trusted."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from arena.catalog import Catalog, InstalledPlugin
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Options, RandomReference, State
from arena.record import EVERYONE, GameEvent
from arena_engine.references import game_digest, playouts, reference_cache
from arena_engine.references.game_digest import digest_of
from arena_engine.references.playing import references_of
from arena_engine.references.playouts import Playout, Playouts, RandomPlay, baseline_of
from arena_engine.references.reference_cache import KeptReference, keep_reference, kept_references, read_reference

DIGEST = "ab" * 32


class Toss(State):
    """Player 0 calls a coin."""

    def __init__(self, side: int) -> None:
        self.side, self.called = side, None

    def to_act(self):
        return () if self.called is not None else (0,)

    def decision(self, player):
        return Decision(player=player, options=Options([0, 1], ("heads", "tails").__getitem__))

    def observe(self, player):
        return None

    def apply(self, actions):
        self.called = actions[0]
        return [GameEvent("called", self.called, EVERYONE)]

    def returns(self):
        gain = 1.0 if self.called == self.side else -1.0
        return (gain, -gain)


@attrs.frozen
class Coin(Game):
    """A coin; every match that is begun is counted."""

    stake: Any = 1
    words: str = "plain"
    fault: str = ""
    random: RandomReference | None = None
    rules = "guess"
    begun: ClassVar[list[int]] = []

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players):
        if self.fault == "facts":
            raise KeyError("facts")
        return GameFacts(chance=True, returns="zero-sum", min_return=-1, max_return=1, random=self.random, max_steps=5)

    @property
    def twin_of(self):
        return None if self.words == "plain" else attrs.evolve(self, words="plain")

    def start(self, chance: Chance, players: int):
        self.begun.append(1)
        if self.fault == "start":
            raise ValueError("no coin")
        return Toss(chance.index("coin", 2)), [GameEvent("tossed", None, EVERYONE)]

    def describe_event(self, event, player):
        return f"{self.words}: {event.kind} {event.data}"


@attrs.frozen
class Entry:
    game: Game
    plugins: tuple[InstalledPlugin, ...] = ()
    players: int = 2


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    """A cache of the test's own, and no match begun."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Coin.begun.clear()
    return tmp_path / "cache" / "arena" / "references"


@pytest.fixture
def plugin(acme) -> InstalledPlugin:
    """A plugin of a distribution that was installed from a wheel."""
    return acme.get("game", "line")


def played(number: int) -> Playouts:
    """So many matches of the coin, in one go."""
    play = RandomPlay(Coin(), 2)
    for _ in range(number):
        play.add()
    return play.playouts


def test_matches_come_in_a_fixed_order():
    """Going on from what was played gives the matches that playing in one go gives."""
    play = RandomPlay(Coin(), 2, played(7))
    for _ in range(13):
        play.add()

    assert play.playouts.played == played(20).played
    assert play.has_grown


@pytest.mark.parametrize(
    ("playouts", "is_enough"),
    [
        (Playouts(), False),
        (Playouts(played=(Playout((1.0,), 1, 1),) * 400), True),
        (Playouts(played=(Playout((1.0,), 1, 20_000),) * 2), True),
        (Playouts(played=(Playout((1.0,), 1, 1),), seconds=10.0), True),
        (Playouts(played=(Playout((1.0,), 1, 100),) * 399, seconds=9.9), False),
    ],
)
def test_matches_steps_and_time_are_bounded(playouts, is_enough):
    """400 matches, 40,000 steps or ten seconds are enough, whichever comes first."""
    assert playouts.is_enough() is is_enough
    assert RandomPlay(Coin(), 2, playouts).is_wanted() is not is_enough


def test_a_game_of_which_nothing_is_known_has_facts_all_the_same():
    """Its baseline has no random play; who plays, what is optimal and how results are counted is there."""
    found = baseline_of(Coin().facts(2), ("left", "right"), Playouts())

    assert (found.random, found.random_n, found.random_draws, found.players) == ((), 0, None, 2)
    assert found.has_winners


def test_a_digest_follows_from_everything_that_decides_the_game(plugin):
    """Another parameter, number of players or version is another game; other words are not."""
    newer = attrs.evolve(plugin, version="99")
    digests = [
        digest_of(Coin(), 2, [plugin]),
        digest_of(Coin(stake=2), 2, [plugin]),
        digest_of(Coin(stake=(2,)), 2, [plugin]),
        digest_of(Coin(stake={"a": 2}), 2, [plugin]),
        digest_of(Coin(stake=Coin()), 2, [plugin]),
        digest_of(Coin(), 3, [plugin]),
        digest_of(Coin(), 2, [newer]),
    ]

    assert None not in digests
    assert len(set(digests)) == len(digests)
    assert digest_of(Coin(words="pirate"), 2, [plugin]) == digests[0]
    assert digest_of(Coin(), 2, [plugin, plugin]) == digests[0]


def test_a_game_that_cannot_be_named_has_no_digest(plugin):
    """Nothing is kept of what nobody could find again: no distribution, a parameter without content, a twin's bug."""

    class Bad(Coin):
        @property
        def twin_of(self):
            raise KeyError("twin")

    assert digest_of(Coin(), 2, []) is None
    assert digest_of(Coin(stake=object()), 2, [plugin]) is None
    assert digest_of(Coin(stake=Path("nowhere")), 2, [plugin]) is None
    assert digest_of(Bad(), 2, [plugin]) is None


def test_a_file_counts_by_its_content(plugin, tmp_path):
    """The same path with another content is another game."""
    path = tmp_path / "deck"
    digests: list[str | None] = []
    for text in ("a", "b", "a"):
        path.write_text(text)
        digests.append(digest_of(Coin(stake=path), 2, [plugin]))

    assert digests[0] == digests[2] != digests[1]


def test_an_editable_distribution_counts_by_its_sources(tmp_path, monkeypatch):
    """The version of a checkout says nothing: a changed file is another game, and bytecode is none."""
    entry = Catalog().get("game", "tic-tac-toe")
    package = tmp_path / "package"
    (package / "__pycache__").mkdir(parents=True)
    (package / "rules.py").write_text("a")

    class Spec:
        submodule_search_locations: ClassVar[list[str]] = [str(package)]

    monkeypatch.setattr(game_digest, "find_spec", lambda name: Spec)
    digests: list[str | None] = []
    for path, text in (("rules.py", "a"), ("__pycache__/rules.pyc", "b"), ("rules.py", "b"), ("more.txt", "c")):
        (package / path).write_text(text)
        game_digest._sources.cache_clear()
        digests.append(digest_of(Coin(), 2, [entry]))
    game_digest._sources.cache_clear()

    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


def entry(number: int = 3, digest: str = DIGEST) -> KeptReference:
    return KeptReference(digest=digest, game="Coin", players=2, playouts=played(number))


def test_what_is_kept_is_found_again(cache):
    """Every match comes back; a longer entry is never replaced by a shorter one."""
    assert keep_reference(entry(5)) is None
    assert keep_reference(entry(3)) is None

    assert read_reference(DIGEST, 2).played == played(5).played
    assert [(each.game, len(each.playouts.played)) for each in kept_references()] == [("Coin", 5)]
    assert [path.name for path in cache.iterdir()] == [f"{DIGEST}.json"]


def changed(change: Callable[[dict[str, Any]], object], *, is_signed: bool = True) -> Callable[[Path], object]:
    """Change the content of an entry, with a checksum that fits unless it is not signed."""

    def write(path: Path) -> None:
        raw = json.loads(path.read_text())
        raw.pop("check")
        change(raw)
        check = reference_cache._check(raw) if is_signed else "0" * 64
        path.write_text(json.dumps({**raw, "check": check}))

    return write


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-20]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"\xff\xfe{}"),
        lambda path: path.write_text("[1, 2]"),
        lambda path: path.write_text("[" * 100_000),
        lambda path: path.write_text(path.read_text().replace("[-1.0,1.0]", "[1.0,1.0]")),
        lambda path: path.write_text(" " * 2_000_000),
        changed(lambda raw: None, is_signed=False),
        changed(lambda raw: raw.update(format=2)),
        changed(lambda raw: raw.update(more=1)),
        changed(lambda raw: raw.update(digest="cd" * 32)),
        changed(lambda raw: raw.update(players=True)),
        changed(lambda raw: raw.update(players=3)),
        changed(lambda raw: raw.update(seconds=-1)),
        lambda path: path.write_text(path.read_text().replace("-1.0", "NaN")),
        changed(lambda raw: raw["played"].append([[1.0], 1, 1])),
        changed(lambda raw: raw["played"].append([[1.0, -1.0], -1, 1])),
        changed(lambda raw: raw["played"].append("x")),
        changed(lambda raw: raw["played"].extend(raw["played"] * 200)),
        lambda path: (path.rename(path.with_name("elsewhere")), path.symlink_to("elsewhere")),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), os.mkfifo(path)),
    ],
)
def test_a_damaged_or_foreign_entry_counts_as_absent(cache, harm):
    """Whatever is not word for word what Arena wrote there is ignored, and nothing waits for it."""
    keep_reference(entry())
    path = cache / f"{DIGEST}.json"
    assert read_reference(DIGEST, 2).played

    harm(path)

    assert read_reference(DIGEST, 2) == Playouts()
    assert list(kept_references()) == []


def test_an_entry_of_another_number_of_players_is_none():
    """It cannot be meant for this game."""
    keep_reference(entry())

    assert read_reference(DIGEST, 3) == Playouts()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only the superuser can give a file away")
def test_an_entry_of_another_user_counts_as_absent(cache):
    """What somebody else has put there is not believed."""
    keep_reference(entry())

    os.chown(cache / f"{DIGEST}.json", 65534, 65534)

    assert read_reference(DIGEST, 2) == Playouts()


def test_a_folder_that_cannot_be_written_is_one_reason(tmp_path, monkeypatch):
    """Nothing is raised; who asks may say it once."""
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    assert keep_reference(entry()) == f"{tmp_path}/file/arena/references: Not a directory"
    assert read_reference(DIGEST, 2) == Playouts()
    assert list(kept_references()) == []


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    """Nothing is kept, and nothing is raised."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))

    assert keep_reference(entry()) == "there is no home folder"
    assert read_reference(DIGEST, 2) == Playouts()


def test_a_game_is_played_once_for_all_reports(plugin):
    """The second time nothing is played, and the numbers are the same; a retelling shares its original's."""
    games = {"coin": Entry(Coin(), (plugin,)), "pirates": Entry(Coin(words="pirate"), (plugin,))}
    first = references_of(games, 10.0)
    begun = len(Coin.begun)

    second = references_of(games, 10.0)

    assert begun == len(Coin.begun) == 400
    assert {name: each.baseline for name, each in first.found.items()} == {
        name: each.baseline for name, each in second.found.items()
    }
    assert first.found["coin"].baseline == first.found["pirates"].baseline


def test_time_is_shared_and_the_next_one_goes_on(plugin, monkeypatch):
    """Two matches are played at a time, one of each game in turn, and first of those that have the fewest.

    The caller hears of each one before it is played.
    """
    clock = [0.0]

    def tick() -> float:
        clock[0] += 0.5
        return clock[0]

    monkeypatch.setattr(playouts, "thread_time", tick)
    monkeypatch.setattr("arena_engine.references.playing.thread_time", lambda: clock[0])
    games = {name: Entry(Coin(stake=name), (plugin,)) for name in ("a", "b", "c")}
    numbers: list[list[int]] = []
    told: list[tuple[str, int]] = []
    for _ in range(3):
        found = references_of(games, 2.0, waited=lambda *each: told.append(each)).found
        numbers.append([len(each.playouts.played) for each in found.values()])

    assert numbers == [[1, 1, 0], [2, 1, 1], [2, 2, 2]]
    assert told[:2] == [("a", 3), ("b", 3)]
    assert len(told) == sum(numbers[-1])


def test_no_time_means_no_match(plugin):
    """What is kept is there; nothing is begun."""
    found = references_of({"coin": Entry(Coin(), (plugin,))}, 0.0).found["coin"]

    assert (found.playouts, Coin.begun) == (Playouts(), [])
    assert found.facts.returns == "zero-sum"


def test_a_game_that_raises_costs_nobody_else_its_reference(plugin):
    """What it raised is told; the other game has its matches."""
    faults = {fault: Entry(Coin(fault=fault), (plugin,)) for fault in ("facts", "start")}

    found = references_of({**faults, "good": Entry(Coin(), (plugin,))}, 10.0)

    assert found.problems == {"facts": "KeyError: 'facts'"}
    assert found.found["start"].problem == "ValueError: no coin"
    assert len(found.found["good"].playouts.played) == 400


def test_nothing_is_kept_of_a_game_without_a_distribution(cache):
    """A class in a notebook may change without notice."""
    found = references_of({"coin": Entry(Coin())}, 10.0)

    assert found.found["coin"].baseline.random_n == 400
    assert not cache.exists()


STATED = RandomReference(returns=(0.0, 0.0), wins=(0.5, 0.5), draws=0.0, turns=1.0, n=0, source="it is a coin")


@pytest.mark.parametrize(("n", "errors"), [(0, ()), (9_000, (0.01, 0.01))])
def test_what_a_game_states_is_not_played(plugin, cache, n, errors):
    """It stands as it is stated, exact or of a long run, no match is begun, and nothing is kept."""
    stated = attrs.evolve(STATED, n=n, errors=errors)

    found = references_of({"coin": Entry(Coin(random=stated), (plugin,))}, 10.0).found["coin"]

    reference = found.baseline
    assert (Coin.begun, cache.exists(), found.is_enough) == ([], False, True)
    assert (reference.random, reference.random_n, reference.random_source) == ((0.0, 0.0), n, "it is a coin")
    assert reference.random_errors == (errors or (0.0, 0.0))
    assert (reference.random_wins, reference.random_draws, reference.random_turns) == ((0.5, 0.5), 0.0, 1.0)
