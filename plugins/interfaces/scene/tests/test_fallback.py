"""The scene of a game that draws none, and the pictures in scenes."""

from typing import Any

import attrs
import pytest
from arena_scene import Picture, Scene, SceneText, Sides, scene_faults, scene_of

WORDS = {"text": lambda view: f"the number {view}"}


@attrs.frozen
class Shown:
    """What ``arena.game.Image`` is."""

    media_type: str
    data: bytes


@attrs.frozen
class Drawn:
    """What ``arena.game.Drawing`` is."""

    data: Any
    alt: str


def painted(size: int = 3) -> dict[str, Any]:
    """A form that paints a picture of so many bytes."""
    return {"image": lambda view: Shown("image/png", bytes([view]) * size)}


def test_a_picture_stands_in_the_scene():
    """Without a scene of its own a game is its picture, held by the scene, with the position in words."""
    scene = scene_of("Numbers", WORDS | painted(), 1)

    assert scene_faults(scene) == ()
    assert scene["parts"] == [{"part": "picture", "form": "image", "image": "data:image/png;base64,AQEB"}]
    assert scene["alternative"] == "the number 1"


def test_pictures_of_a_scene_of_its_own_are_filled_in():
    """A scene that names forms has their pictures too, within other parts as well; what is no picture is left out."""
    parts = (Sides(parts=[Picture(form="image"), SceneText(text="beside")]), Picture(form="text"), Picture(form="none"))
    forms = WORDS | painted() | {"scene": lambda view: Drawn(*Scene("Numbers", "a number", *parts).drawn())}

    scene = scene_of("Numbers", forms, 2)

    assert scene_faults(scene) == ()
    assert scene["parts"][0]["parts"][0]["image"] == "data:image/png;base64,AgIC"
    assert ["image" in part for part in scene["parts"][1:]] == [False, False]


@pytest.mark.parametrize("has_scene", [True, False])
def test_a_picture_that_is_too_large_is_not_sent(has_scene):
    """Where a picture breaks the bounds of scenes there are the words, and the reason where nothing else is shown."""
    own = {"scene": lambda view: Drawn(*Scene("Numbers", "a number", Picture(form="image")).drawn())}

    scene = scene_of("Numbers", WORDS | painted(400_000) | (own if has_scene else {}), 3)

    assert scene_faults(scene) == ()
    (part,) = scene["parts"]
    if has_scene:
        assert part == {"part": "picture", "form": "image"}
    else:
        assert part["text"] == "the number 3"
        assert part["note"].startswith("not drawn: scene: has 533")
