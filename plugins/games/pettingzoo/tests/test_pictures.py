"""What environments draw: as an image for players who may know it and for whoever watches, never with a window."""

import os
import subprocess
import sys
from io import BytesIO
from typing import Any

import gymnasium
import numpy as np
import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import ABSENT, Image, State
from arena.record import Player
from arena.testing import check_game
from arena_game_pettingzoo.gymnasium_games import Gymnasium
from arena_game_pettingzoo.pettingzoo_games import PettingZoo
from arena_game_pettingzoo.pictures import LARGEST, LONGEST, Painter, png
from arena_scene import scene_faults, scene_of
from PIL import Image as Pixels

LAKE = Gymnasium(name="FrozenLake-v1", longest=20, hidden_information=False, picture=True)
BOARD = PettingZoo(name="pettingzoo.classic.tictactoe_v3", hidden_information=False, picture=True)


class Undrawn(gymnasium.Env):
    """Has nothing to show."""

    action_space = observation_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}


def begin(game: Any, seed: int = 0) -> State:
    return game.start(Chance(seed), game.player_counts()[0])[0]


def pixels(shown: Any) -> np.ndarray:
    assert isinstance(shown, Image)
    return np.asarray(Pixels.open(BytesIO(shown.data)))


@pytest.mark.parametrize("game", [LAKE, BOARD], ids=lambda game: game.name)
def test_a_picture_is_what_the_environment_draws(game):
    """Players, spectator and bystander are shown the position as it is, told in words too; events hold no picture."""
    state, events = game.start(Chance(0), game.player_counts()[0])
    first = pixels(game.forms["image"](state.observe(Player(0))))
    events = [*events, *state.apply({Player(0): 1})]
    view = state.observe(Player(0))
    shown = game.forms["image"](view)
    direct = game.engine("rgb_array")
    direct.reset(state.seed)
    direct.step({Player(0): 1})

    assert (pixels(shown) == direct.picture()).all()
    assert (pixels(shown) != first).any()
    assert shown.alt == game.forms["text"](view)
    assert "picture" not in shown.alt
    assert state.observe_public()["picture"] == state.observe(None)["picture"] == view["picture"]
    assert not any("picture" in event.data for event in events)


def test_what_is_drawn_is_a_part_of_the_scene():
    """The scene of such a game is its picture, which stands in it, with the position in words."""
    view = begin(LAKE).observe(Player(0))

    scene = scene_of("Frozen lake", LAKE.forms, view)

    assert scene_faults(scene) == ()
    assert scene["parts"] == [{"part": "picture", "form": "image", "image": f"data:image/png;base64,{view['picture']}"}]
    assert scene["alternative"] == LAKE.forms["text"](view)


def test_what_players_may_not_know_is_in_no_picture_of_theirs():
    """Where something may be hidden only the spectator has a picture, and a player's cannot be asked for."""
    game = Gymnasium(name="Blackjack-v1")
    state = begin(game)

    assert "picture" not in state.observe(Player(0))
    assert isinstance(game.forms["image"](state.observe(Player(0))), str)
    assert state.observe_public() is ABSENT
    assert isinstance(game.forms["image"](state.observe(None)), Image)
    with pytest.raises(ConfigError, match=r"picture: .* hidden-information must be false"):
        Gymnasium(name="Blackjack-v1", picture=True)


def test_who_draws_nothing_cannot_be_asked_to():
    """An environment without such a render mode has no form for it, and asking for pictures is a clear error."""
    name = f"{__name__}:Undrawn"

    assert set(Gymnasium(name=name).forms) == {"text"}
    with pytest.raises(ConfigError, match=r"picture: '.*:Undrawn' draws none"):
        Gymnasium(name=name, hidden_information=False, picture=True)


def test_a_position_is_drawn_alike_whatever_was_drawn_before():
    """Forth and back, by copies that went other ways, and after one that could not be drawn, pictures are the same."""
    state = begin(BOARD)
    painter, moves = state._painter, [{Player(0): 0}, {Player(1): 4}, {Player(0): 8}]
    alone = [Painter(painter._make, state.seed).png(moves[:count]) for count in range(4)]

    drawn = [painter.png(moves[:count]) for count in (3, 1, 2, 0)]
    broken = painter.png([{Player(1): 4}, {Player(0): 9}])
    other = painter.png([{Player(0): 1}])

    assert drawn == [alone[3], alone[1], alone[2], alone[0]]
    assert broken is None
    assert other not in (None, *alone)
    assert painter.png(moves) == alone[3]


@pytest.mark.slow  # draws every position; other environments conform in the fast set
def test_games_with_pictures_conform():
    """A picture tells no player more than the events do, and copies of a position show the same."""
    assert check_game(LAKE, playouts=2).differing > 0


WITHOUT = """
import os, sys
if sys.argv[1] == "without":
    sys.modules["pygame"] = None
from arena.chance import Chance
from arena_game_pettingzoo.gymnasium_games import Gymnasium
game = Gymnasium(name="FrozenLake-v1", hidden_information=False, picture=True)
state, _ = game.start(Chance(0), 1)
state.apply({0: 1})
before = dict(os.environ)
print("pygame" in sys.modules and sys.argv[1] == "with")
print(type(game.forms["image"](state.observe(0))).__name__, os.environ == before)
"""


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize(("how", "shown"), [("with", "Image True"), ("without", "str True")])
def test_pygame_is_imported_when_a_picture_is_asked_for(how, shown):
    """Playing imports nothing that draws; where it is not installed there is the text, and nothing stays set."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "PYGAME_"))}
    done = subprocess.run([sys.executable, "-c", WITHOUT, how], capture_output=True, text=True, check=True, env=plain)

    assert done.stdout.splitlines() == ["False", shown]


@pytest.mark.parametrize("shape", [(900, 700), (3, 5000), (5000, 2), (1, 1)])
def test_large_pictures_are_scaled_down(shape):
    """However large and however noisy, a PNG keeps its bounds, and its colours on the whole."""
    drawn = np.random.default_rng(0).integers(0, 256, (*shape, 3), np.uint8)

    data = png(drawn)

    small = np.asarray(Pixels.open(BytesIO(data)))
    assert len(data) <= LARGEST
    assert max(small.shape) <= LONGEST
    assert abs(small.mean() - drawn.mean()) < 3
    if max(shape) <= 1:
        assert (small == drawn).all()


@pytest.mark.parametrize("drawn", [None, np.zeros((2, 2)), np.zeros((2, 2, 3)), [["a"]]])
def test_what_is_no_picture_is_not_taken_for_one(drawn):
    """An environment that draws something else in this mode has its text."""
    with pytest.raises(ValueError, match="rows of three bytes"):
        png(drawn)
