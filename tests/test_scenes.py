"""The games of this repository that are drawn: what kinds of parts show them, and what drawing costs who plays."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from arena.catalog import Catalog
from arena.chance import Chance
from arena.errors import ArenaError
from arena.game import Drawing
from arena_engine import make_plugin
from arena_scene import lines, scene_faults

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
    "hanabi": ("cards", "meters", "sides"),
    "matrix": ("table",),
    "matrix-pd": ("table",),
    "matrix-rps": ("table",),
    "matching-pennies": ("table",),
    "negotiation": ("table",),
    "tradecraft": ("meters", "table", "table"),
}
"""The parts of the first position, by game."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """What is installed."""
    return Catalog()


def positions(game: Any, players: int, steps: int) -> Iterator[Any]:
    """The states of a random match, the first one included."""
    state, _ = game.start(Chance(1), players)
    rng = Random(1)
    for _ in range(steps):
        yield state
        if not state.to_act():
            return
        state.apply({player: state.decision(player).sample(rng) for player in state.to_act()})


def make(catalog: Catalog, name: str) -> Any:
    """A game with its own parameters, or with those of its example where it has none."""
    plugin = catalog.get("game", name).plugin
    return make_plugin("game", {"use": name, **(plugin.example if name == "matrix" else {})}, catalog)


@pytest.mark.parametrize("name", DRAWN)
def test_game_is_drawn_in_a_terminal(catalog, name):
    """Every position of a random match is drawn for everybody in 80 columns, and begins with the parts of the table."""
    game = make(catalog, name)
    for players in {min(game.player_counts()), max(game.player_counts())}:
        for number, state in enumerate(positions(game, players, 12)):
            for player in (*range(players), None):
                drawing = game.forms["scene"](state.observe(player))
                assert isinstance(drawing, Drawing)
                assert scene_faults(drawing.data) == ()
                assert all(len(line) <= 80 for line in lines(drawing, 80, False, True))
                if not number:
                    assert tuple(part["part"] for part in drawing.data["parts"]) == DRAWN[name]


def test_every_game_that_is_drawn_is_in_the_table(catalog):
    """No installed game of this repository has a scene that nobody looks at here."""
    assert {name for name in catalog.names("game") if "scene" in _forms(catalog, name)} == set(DRAWN)


def _forms(catalog: Catalog, name: str) -> Mapping[str, Any]:
    try:
        return make(catalog, name).forms
    except ArenaError:  # a game that needs parameters, or a package that is not there
        return {}


def test_playing_reads_nothing_that_draws():
    """Who plays and draws nothing imports none of the builders, which take a few hundredths of a second."""
    program = """
import sys, arena_game_grid.twins, arena_game_negotiation.negotiation, arena_game_tradecraft.game
import arena_game_openspiel.chess, arena_game_openspiel.hanabi, arena_game_openspiel.matrix
print(*sorted(name for name in sys.modules if name.startswith("arena_scene")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["arena_scene"]
