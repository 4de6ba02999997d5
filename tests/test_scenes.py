"""The games of this repository that are drawn: what kinds of parts show them, and what drawing costs who plays."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.errors import ArenaError
from arena.game import Drawing
from arena_engine import make_plugin
from arena_scene import lines, scene_faults, scene_of

DRAWN: Mapping[str, tuple[str, ...]] = {
    "tic-tac-toe": ("grid",),
    "connect-four": ("grid",),
    "mnk": ("grid",),
    "gomoku": ("grid",),
    "grid-tic-tac-toe": ("grid",),
    "grid-connect-four": ("grid",),
    "grid-twin": ("sides", "cards"),
    "backgammon": ("drawing", "pieces"),
    "liars-dice": ("sides", "table"),
    "hex": ("grid",),
    "go": ("grid",),
    "chess": ("grid",),
    "kuhn-poker": ("sides", "meters"),
    "leduc-poker": ("sides", "meters"),
    "texas-holdem": ("sides", "meters"),
    "checkers": ("grid",),
    "othello": ("grid",),
    "pig": ("meters",),
    "nine-mens-morris": ("drawing", "meters"),
    "oware": ("grid", "meters"),
    "breakthrough": ("grid",),
    "pentago": ("grid",),
    "dots-and-boxes": ("drawing", "meters"),
    "goofspiel": ("table", "table"),
    "first-price-auction": ("table",),
    "openspiel-nim": ("grid",),
    "blackjack": ("cards", "cards"),
    "blotto": ("table",),
    "bargaining": ("table",),
    "gin-rummy": ("cards", "cards", "cards"),
    "hanabi": ("cards", "meters", "sides"),
    "matrix": ("table",),
    "matrix-pd": ("table",),
    "matrix-rps": ("table",),
    "matching-pennies": ("table",),
    "negotiation": ("table",),
    "tradecraft": ("sides", "table", "table"),
    "diplomacy": ("map", "table"),
    "diplomacy-facts": ("text",),
    "planning": ("drawing", "text", "text"),
    "planning-recall": ("text",),
    "planning-tracking": ("text",),
    "two-by-two": ("text", "table", "text"),
    "two-by-two-dominance": ("text", "table"),
    "two-by-two-mixed": ("text", "table"),
    "two-by-two-nested": ("text",),
    "two-by-two-parallel": ("text",),
    "two-by-two-play": ("table",),
    "two-by-two-sequence": ("text",),
    "two-by-two-story": ("text",),
    "two-by-two-writing": ("text", "table"),
}
"""The parts of the first position, by game."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """What is installed."""
    return Catalog()


def positions(game: Any, players: int, steps: int, seed: int = 1) -> Iterator[Any]:
    """The states of a random match, the first one included."""
    state, _ = game.start(Chance(seed), players)
    rng = Random(seed)
    for _ in range(steps):
        yield state
        if not state.to_act():
            return
        state.apply({player: state.decision(player).sample(rng) for player in state.to_act()})


def views(players: int) -> list[int | None]:
    """Whose eyes a position is seen through: each player's, or of many players the first, the last and everybody's."""
    return [*range(players), None] if players < 5 else [0, players - 1, None]


def make(catalog: Catalog, name: str) -> Any:
    """A game with its own parameters, or with those of its example where it has none."""
    plugin = catalog.get("game", name).plugin
    return make_plugin("game", {"use": name, **(plugin.example if name == "matrix" else {})}, catalog)


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.sample(fast=2, slow=2)
def test_game_is_drawn_in_a_terminal(catalog, name):
    """Every position of a random match is drawn for everybody in 80 columns, and begins with the parts of the table."""
    game = make(catalog, name)
    for players in {min(game.player_counts()), max(game.player_counts())}:
        for number, state in enumerate(positions(game, players, 12)):
            for player in views(players):
                drawing = game.forms["scene"](state.observe(player))
                assert isinstance(drawing, Drawing)
                assert scene_faults(drawing.data) == ()
                assert all(len(line) <= 80 for line in lines(drawing, 80, False, True))
                if not number:
                    assert tuple(part["part"] for part in drawing.data["parts"]) == DRAWN[name]


TOLD: Mapping[str, Mapping[str, Any]] = {
    "openspiel": {"name": "clobber", "parameters": {"rows": 6, "columns": 6}},
    "pettingzoo": {"name": "pettingzoo.classic.tictactoe_v3", "hidden_information": False, "picture": True},
    "gymnasium": {"name": "FrozenLake-v1", "parameters": {"map_name": "4x4"}},
}
"""Whatever game of others is wrapped has no scene of its own: what stands for it, and with which parameters here."""


def test_every_game_of_the_catalogue_has_a_scene(catalog):
    """No installed game is an empty box: each has a scene of its own, or one made of its picture or its words."""
    assert set(catalog.names("game")) == {*DRAWN, *TOLD}


@pytest.mark.parametrize("name", [*DRAWN, *TOLD])
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.sample(fast=2, slow=8)
def test_random_positions_have_sound_scenes(catalog, name, seed):
    """Positions of random matches, as everybody sees them, keep to the format, and whatever can be read has a label."""
    game = make_plugin("game", {"use": name, **TOLD[name]}, catalog) if name in TOLD else make(catalog, name)
    players = min(game.player_counts(), key=lambda count: abs(count - 3))
    for state in islice(positions(game, players, 40, seed), 0, None, 4):
        for player in views(players):
            view = state.observe(player)
            scene = scene_of(name, game.forms, view)
            assert scene_faults(scene) == ()
            assert json.loads(json.dumps(scene)) == json.loads(json.dumps(scene_of(name, game.forms, view)))
            assert scene["parts"]
            assert "not drawn" not in json.dumps(scene["parts"])


def test_wrapped_environment_is_its_words_or_its_picture(catalog):
    """An environment of others is shown as the text that its players get; who may know all sees what it draws."""
    game = make_plugin("game", {"use": "gymnasium", **TOLD["gymnasium"]}, catalog)
    state = next(positions(game, 1, 1))

    (told,) = scene_of("Frozen lake", game.forms, state.observe(0))["parts"]
    (drawn,) = scene_of("Frozen lake", game.forms, state.observe(None))["parts"]

    assert (told["part"], told["kind"], told["text"]) == ("text", "code", game.forms["text"](state.observe(0)))
    assert (drawn["part"], drawn["form"], drawn["image"][:27]) == ("picture", "image", "data:image/png;base64,iVBOR")


def test_every_game_that_is_drawn_is_in_the_table(catalog):
    """No installed game of this repository has a scene that nobody looks at here."""
    assert {name for name in catalog.names("game") if "scene" in _forms(catalog, name)} == set(DRAWN)


def _forms(catalog: Catalog, name: str) -> Mapping[str, Any]:
    try:
        return make(catalog, name).forms
    except ArenaError:  # a game that needs parameters, or a package that is not there
        return {}


@pytest.mark.slow
def test_playing_reads_nothing_that_draws():
    """Who plays and draws nothing imports none of the builders, which take a few hundredths of a second."""
    program = """
import sys, arena_game_grid.twins, arena_game_negotiation.negotiation, arena_game_tradecraft.game
import arena_game_openspiel.board_games.chess, arena_game_openspiel.card_games.hanabi
import arena_game_openspiel.strategic_games.matrix
import arena_game_diplomacy.game, arena_game_planning.playing.game, arena_game_two_by_two.extra_questions
print(*sorted(name for name in sys.modules if name.startswith("arena_scene")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["arena_scene"]
