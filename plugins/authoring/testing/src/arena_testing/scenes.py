"""Checks the form ``scene``, which draws a position as data."""

import json
from typing import Any, Final

from arena.game import Drawing, Game
from arena_engine.foundation.json_values import json_fault
from arena_scene import scene_faults

SCENE: Final = "scene"
"""The form that draws a position as data."""


def drawn_as_text(game: Game, view: Any) -> str:
    """The scene of a view as one text, to be compared."""
    drawn: Any = game.forms[SCENE](view)
    return json.dumps(getattr(drawn, "data", drawn), sort_keys=True, default=repr)  # whatever it is: faults come later


def drawing_fault(name: str, drawing: Drawing) -> str | None:
    """What is wrong with a drawing; of the form ``scene`` it must keep to the format of ``arena_scene``."""
    if not isinstance(drawing.alt, str) or not drawing.alt.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
        return "is a drawing without words for those who cannot see it"
    if fault := json_fault(drawing.data):
        return f"is a drawing that cannot be written down: {fault}"
    if name != SCENE:
        return None
    if faults := scene_faults(drawing.data):
        return f"is no sound scene: {faults[0]}"
    data: Any = drawing.data
    if data["alternative"] != drawing.alt:
        return "says other words beside its drawing than in it; make both with arena_scene.Scene(…).drawn()"
    return None
