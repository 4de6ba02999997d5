"""Checks the form ``scene``, which draws a position as data, and what can be touched in it."""

from collections import Counter
from typing import Any, Final

from arena.game import Drawing, PlayerView
from arena.record import canonical_json
from arena_engine.match.values import json_fault
from arena_scene import Touches, element_ids, scene_faults, touches_of

from arena_testing.position import ExaminedPosition

SCENE: Final = "scene"
"""The form that draws a position as data."""


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


def check_touches(position: ExaminedPosition) -> None:
    """What can be touched has every option of a decision exactly once, and names elements of the scene."""
    game = position.walk.game
    if SCENE not in game.forms:
        return
    for player in position.state.to_act():
        view = PlayerView(position.state, player)
        decision = position.state.decision(player).asked(view, forms=game.forms)
        touches = touches_of(game, decision)
        if touches is None:
            continue
        if not isinstance(touches, Touches) or decision.options is None:  # pyright: ignore[reportUnnecessaryIsInstance]
            what = "touches() must return arena_scene.Touches for a decision with options, and else None"
            raise position.fault("touches", what, player)
        offered = Counter(canonical_json([option.action, option.label]) for option in decision.options)
        named = Counter(canonical_json([choice.action, choice.label]) for choice in touches.choices)
        if odd := next(iter((named - offered) + (offered - named)), None):
            many = f"{named[odd]} times among what can be touched and {offered[odd]} times among the options"
            raise position.fault("touches", f"the option {odd} is {many}", player)
        drawn: Any = game.forms[SCENE](position.state.observe(player))
        known = element_ids(drawn.data)
        for choice in touches.choices:
            if lost := [name for name in choice.path if name not in known]:
                what = f"the option {choice.label!r} touches {lost[0]!r}, which is no element of the scene"
                raise position.fault("touches", what, player)
