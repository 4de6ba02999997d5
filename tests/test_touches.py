"""What can be touched in the games of this repository, by kind, in every position of random matches."""

from collections.abc import Mapping
from typing import Any

import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.game import PlayerView
from arena_engine import make_plugin
from arena_scene import blank, element_ids, filled, scene_of, touches_faults, touches_of
from jsonschema import Draft202012Validator

from tests.test_scenes import DRAWN, TOLD, make, positions

CELLS, COLUMNS, PIECES = {"one"}, {"one"}, {"one", "menu"}
KINDS: Mapping[str, set[str]] = {
    "tic-tac-toe": CELLS,
    "connect-four": COLUMNS,
    "mnk": CELLS,
    "gomoku": CELLS,
    "grid-tic-tac-toe": CELLS,
    "grid-connect-four": COLUMNS,
    "grid-twin": CELLS,
    "backgammon": {"chain", "two", "button"},
    "liars-dice": {"button"},
    "hex": CELLS,
    "go": {"one", "button"},
    "chess": {"two"},
    "kuhn-poker": {"button"},
    "leduc-poker": {"button"},
    "texas-holdem": {"button"},
    "checkers": {"two"},
    "othello": {"one"},
    "pig": {"button"},
    "nine-mens-morris": {"one", "two"},
    "oware": CELLS,
    "breakthrough": {"two"},
    "pentago": {"one", "menu"},
    "dots-and-boxes": {"one"},
    "goofspiel": {"one"},
    "first-price-auction": {"button"},
    "openspiel-nim": {"one"},
    "blackjack": {"button"},
    "blotto": {"chain"},
    "bargaining": {"chain", "button"},
    "gin-rummy": {"one", "button"},
    "hanabi": PIECES,
    "matrix": {"one"},
    "matrix-pd": {"one"},
    "matrix-rps": {"one"},
    "matching-pennies": {"one"},
    "negotiation": {"fill", "one", "button", "assist"},
    "tradecraft": {"fill", "one", "button", "assist"},
    "diplomacy": {"fill", "chain", "two", "one", "menu", "button"},
    "diplomacy-facts": set(),
    "planning": {"fill", "one", "two", "menu"},
    "planning-recall": set(),
    "planning-tracking": set(),
    "two-by-two": {"fill", "one"},
    "two-by-two-dominance": {"one", "two", "button"},
    "two-by-two-mixed": set(),
    "two-by-two-nested": set(),
    "two-by-two-parallel": set(),
    "two-by-two-play": {"one"},
    "two-by-two-sequence": set(),
    "two-by-two-story": set(),
    "two-by-two-writing": set(),
    "openspiel": set(),
    "pettingzoo": set(),
    "gymnasium": set(),
}
"""How actions are touched, by game: ``one``, ``two`` or more (``chain``) elements one after another, a ``menu`` of what
has the same path, a ``button`` beside the picture, a ``fill`` of a form, a look-up as a panel (``assist``)."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """What is installed."""
    return Catalog()


def test_every_game_is_in_the_table(catalog):
    """No installed game can be touched in a way that nobody looks at here."""
    assert set(KINDS) == set(catalog.names("game")) == {*DRAWN, *TOLD}


def decisions(game: Any, players: int, steps: int, seed: int = 1):
    """Each decision of a random match as its player is asked it."""
    for state in positions(game, players, steps, seed):
        for player in state.to_act():
            yield state.decision(player).asked(PlayerView(state, player), forms=game.forms)


def kinds(touches: Any) -> set[str]:
    """The ways in which something is touched."""
    entries = [*touches.choices, *touches.fills]
    paths = [own.path for own in entries]
    found = {("button", "one", "two")[len(path)] if len(path) < 3 else "chain" for path in paths}
    found |= {"menu"} if len(set(paths) - {()}) < len([path for path in paths if path]) else set()
    found |= {"fill"} if touches.fills else set()
    return found | ({"assist"} if touches.assist else set())


@pytest.mark.sample(fast=4, slow=10)
@pytest.mark.parametrize("name", KINDS)
def test_games_are_touched_as_the_table_says(catalog, name):
    """All options have one path, what is touched is there, and a fill begins what the schema asks for."""
    game = make_plugin("game", {"use": name, **TOLD[name]}, catalog) if name in TOLD else make(catalog, name)
    players = min(game.player_counts(), key=lambda count: abs(count - 2))
    found: set[str] = set()
    for decision in decisions(game, players, 30):
        touches = touches_of(game, decision)
        if touches is None:
            continue
        scene = scene_of(name, game.forms, decision.observation)
        assert touches_faults(touches.written(), element_ids(scene)) == ()
        if decision.options is not None:
            told = [(c.action, c.name or c.label) for c in touches.choices]
            assert told == [(o.action, o.label) for o in decision.options]
        for fill in touches.fills:
            form = filled(decision.schema, blank(decision.schema), [change.written() for change in fill.do])
            wrong = Draft202012Validator(decision.schema).iter_errors(form)
            assert [own.message for own in wrong if own.validator not in ("required", "anyOf")] == []
        found |= kinds(touches)
    assert found == KINDS[name]


def test_promotions_are_a_menu(catalog):
    """A pawn that reaches the last rank is moved by two squares, and a menu asks what it becomes."""
    game = make(catalog, "chess")
    state, _ = game.start(Chance(1), 2)
    for move in ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"]:
        (player,) = state.to_act()
        options = {own.label: own.action for own in state.decision(player).options}
        state.apply({player: options[move]})
    (player,) = state.to_act()

    touches = touches_of(game, state.decision(player).asked(PlayerView(state, player), forms=game.forms))

    menu = sorted(own.label for own in touches.choices if own.path == ("board:1,0", "board:0,1"))
    assert menu == ["axb8=B", "axb8=N", "axb8=Q", "axb8=R"]


def test_look_ups_suggest_crafts(catalog):
    """What a hand suffices for is offered as actions of the form, what is wanted first."""
    game = make(catalog, "tradecraft")
    for decision in decisions(game, 2, 30):
        if decision.phase != "craft":
            continue
        (query,) = (own for own in decision.queries if own.name == "possible_crafts")
        offers = game.query_actions(decision, query.name, query.answer({}))
        assert offers
        for offer in offers:
            assert decision.check(offer.action) is None
            assert offer.label.startswith("craft ")
        assert game.query_actions(decision, "search", {"items": []}) == ()
        return
