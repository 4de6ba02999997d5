"""What the results of the shipped games are counted in: wins, or something that is paid."""

import pytest
from arena.catalog import Catalog, Status
from arena_engine import make_plugin

WON = {
    *("chess", "connect-four", "go", "gomoku", "grid-connect-four", "grid-tic-tac-toe", "grid-twin", "hex"),
    *("checkers", "liars-dice", "matching-pennies", "matrix-rps", "mnk", "othello", "pig", "tic-tac-toe"),
    *("breakthrough", "dots-and-boxes", "goofspiel", "nine-mens-morris", "oware", "pentago"),
    *("blotto", "openspiel-nim"),
}
"""The games in which only who earns more matters."""

PAID = {
    "backgammon": "points a game",
    "bargaining": "points",
    "blackjack": "points a hand",
    "diplomacy": "points",
    "diplomacy-facts": "F1",
    "first-price-auction": "points",
    "gin-rummy": "points a hand",
    "hanabi": "points",
    "kuhn-poker": "chips a hand",
    "leduc-poker": "chips a hand",
    "matrix": "points",
    "matrix-pd": "points",
    "negotiation": "points",
    "planning": "tasks",
    "texas-holdem": "chips a hand",
    "planning-recall": "right answers",
    "planning-tracking": "right answers",
    "tradecraft": "points",
    **dict.fromkeys((f"two-by-two-{mode}" for mode in ("dominance", "mixed", "nested", "parallel")), "right answers"),
    **dict.fromkeys(("two-by-two", "two-by-two-sequence", "two-by-two-story"), "right answers"),
    "two-by-two-play": "points",
    "two-by-two-writing": "accepted stories",
}
"""The games in which it matters how much is earned, with what."""

ANY = {"gymnasium", "openspiel", "pettingzoo"}
"""The games that wrap others, whose results are counted in what those say."""


def shipped() -> dict[str, object]:
    """The installed games of this repository that can be played here, as their examples configure them."""
    catalog = Catalog()
    found = {}
    for entry in catalog.entries("game"):
        if entry.status is Status.OK and entry.plugin and entry.dist.startswith("playarena-game-"):
            use = {"use": entry.name, **entry.plugin.example} if entry.plugin.example else entry.name
            found[entry.name] = make_plugin("game", use, catalog)
    return found


def test_every_shipped_game_says_what_its_results_are():
    """A game counts wins or says what it pays in; a new one is added here, so that somebody thinks of it."""
    games = {name: game.facts(next(iter(game.player_counts()))) for name, game in shipped().items()}

    assert games.keys() - ANY == (WON | PAID.keys()) & games.keys()
    assert {name for name, facts in games.items() if facts.counts_wins} - ANY == WON & games.keys()
    assert {n: facts.return_unit for n, facts in games.items() if n in PAID} == {n: PAID[n] for n in PAID if n in games}


@pytest.mark.parametrize(("scoring", "counts_wins"), [("plain", True), ("gammons", False), ("full", False)])
def test_backgammon_counts_wins_where_nothing_is_doubled(scoring, counts_wins):
    """A plain game of backgammon is won or lost; with gammons it matters by how much."""
    game = make_plugin("game", {"use": "backgammon", "scoring": scoring}, Catalog())

    assert game.facts(2).counts_wins is counts_wins
